/* fuzz_game.c - any order of calls with any arguments keeps the game whole, and it can be ended.
 *
 * The first bytes choose the ruleset, the players and the seed; then each call takes a few bytes:
 * what to do, which seat, which target, and a text. */
#include "game/game.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
} Bytes;

static uint8_t take(Bytes *bytes)
{
    if (bytes->size == 0)
        return 0;
    bytes->size--;
    return *bytes->data++;
}

static Str take_text(Bytes *bytes)
{
    static const char *const words[] = {"Over", "Skip", "ForceSkip", "@Agent[02] x"};
    uint8_t n = take(bytes);

    if (n < 4)
        return str_of(words[n]);
    Str text = str_part((Str){(const char *)bytes->data, bytes->size}, 0, n % 64);
    bytes->data += text.len;
    bytes->size -= text.len;
    return text;
}

/* A seat and kind that are asked, or any. */
static Ask take_ask(Bytes *bytes, const Game *game)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(game, asks);
    uint8_t which = take(bytes);

    if (count == 0 || which >= 250)
        return (Ask){.seat = take(bytes), .kind = (AskKind)take(bytes)};
    return asks[which % count];
}

static void call(Bytes *bytes, Game *game, TimeMs *now)
{
    uint8_t what = take(bytes);

    if (what < 200) {
        Ask ask = take_ask(bytes, game);
        Answer answer = {.kind = ask.kind};
        answer.lapse = what % 16 == 0;
        answer.in_language = what % 4 != 1;
        if (ask.kind == ASK_TALK || ask.kind == ASK_WHISPER)
            answer.text = take_text(bytes);
        else if (ask.kind == ASK_ROLE)
            answer.wish = (Role)take(bytes);
        else
            answer.target = take(bytes);
        game_answer(game, ask.seat, &answer, NULL);
    } else if (what < 220) {
        *now += (TimeMs)take(bytes) * 100;
        game_tick(game, *now);
    } else if (what < 230) {
        if (game_deadline(game) != TIME_NEVER)
            *now = game_deadline(game);
        game_tick(game, *now);
    } else if (what < 245) {
        game_set_away(game, take(bytes) % 34, what % 2 == 0, NULL);
    } else if (what < 253) {
        game_remove(game, take(bytes) % 34, NULL);
    } else {
        game_abort(game);
    }
}

/* Reads some events, or all: a caller may be slow. */
static void listen(Game *game, bool all)
{
    Event event;

    for (int i = 0; (all || i < 3) && game_next_event(game, &event); i++)
        assert(event.kind <= EVENT_BID);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Bytes bytes = {data, size};
    Ruleset rules;
    Game *game = NULL;
    TimeMs now = 0;

    uint8_t head = take(&bytes);
    ruleset_preset(str_of(ruleset_preset_name(head % 6u)), &rules, NULL);
    rules.talk.max_bytes = rules.whisper.max_bytes = 64; /* large blocks take the fuzzer's time */
    rules.attack.whisper_before_revote = head & 64 && head % 6u < 4;
    rules.vote.visible = head < 128;
    if (head & 32 && rules.talk.exchange == EXCHANGE_SEQUENTIAL && !rules.talk.whisper_after_turn)
        rules.talk.order = ORDER_BIDS;
    uint8_t counts[ROLE_COUNT];
    int32_t players = PLAYERS_MIN + take(&bytes) % 28;
    while (ruleset_roles(&rules, players, counts, NULL))
        players = players < SEAT_MAX ? players + 1 : PLAYERS_MIN;
    if (game_new(&rules, players, &game, NULL))
        return 0;
    assert(game_start(game, NULL, chance_from_seed(take(&bytes)), NULL) == 0);
    listen(game, true);
    while (bytes.size && !game_over(game)) {
        call(&bytes, game, &now);
        game_check(game);
        listen(game, take(&bytes) < 200);
        game_check(game);
    }
    listen(game, true);
    game_abort(game);
    listen(game, true);
    assert(game_over(game));
    game_free(game);
    return 0;
}
