/* fuzz_ruleset.c - any bytes give a ruleset or an error; a ruleset prints and reads back the same,
 * and a game by it can be played with random answers. */
#include "game/game.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As many players as the ruleset takes; 0 when it takes none. */
static int32_t some_players(const Ruleset *rules)
{
    uint8_t counts[ROLE_COUNT];

    for (int32_t players = PLAYERS_MIN; players <= SEAT_MAX; players++)
        if (ruleset_roles(rules, players, counts, NULL) == 0)
            return players;
    return 0;
}

/* Large sessions are legal, but reserving them takes the fuzzer's time. */
static bool is_small(const TalkRules *talk)
{
    int64_t lines = talk->exchange == EXCHANGE_ANYTIME && talk->max_per_agent == LIMIT_NONE
                        ? talk->max_lines
                        : SEAT_MAX * (int64_t)talk->max_turns;

    return lines * talk->max_bytes < 8 << 20;
}

static void play(Game *game, uint64_t seed)
{
    Rng rng = rng_new(seed);
    TimeMs now = 0;

    game_start(game, NULL, chance_from_seed(seed), NULL);
    for (int step = 0; step < 300; step++) {
        Ask asks[2 * SEAT_MAX];
        Event event;
        while (game_next_event(game, &event))
            ;
        game_check(game);
        size_t count = game_asks(game, asks);
        if (game_over(game))
            return;
        if (game_deadline(game) != TIME_NEVER && (count == 0 || rng_below(&rng, 8) == 0)) {
            now = rng_below(&rng, 2) ? game_deadline(game) : now + 1000;
            game_tick(game, now);
            continue;
        }
        assert(count > 0);
        Ask ask = asks[rng_below(&rng, (uint32_t)count)];
        Answer answer = {.kind = ask.kind, .in_language = true};
        answer.target = (SeatNo)rng_below(&rng, SEAT_MAX);
        answer.text = rng_below(&rng, 2) ? STR("Over") : STR("some words @Agent[02] and more");
        game_answer(game, ask.seat, &answer, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Ruleset rules, again;
    Buf first = {0};
    Buf second = {0};
    Game *game = NULL;
    Err err = {0};

    int rc = ruleset_read((Str){(const char *)data, size}, &rules, &err);
    if (rc) {
        assert(err.code == (ErrCode)rc && err.msg[0]);
        return 0;
    }
    ruleset_print(&rules, &first);
    rc = ruleset_read(buf_str(&first), &again, &err);
    assert(rc == 0);
    ruleset_print(&again, &second);
    assert(str_eq(buf_str(&first), buf_str(&second)));
    buf_done(&first);
    buf_done(&second);

    int32_t players = some_players(&rules);
    if (players && is_small(&rules.talk) && is_small(&rules.whisper) &&
        game_new(&rules, players, &game, NULL) == 0)
        play(game, size);
    game_free(game);
    return 0;
}
