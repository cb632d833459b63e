/* test_chance.c - what one stream of a game's chance tells of another: nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/game.h"
#include "game/game_key.h"

#define PLAYERS 15

/* ---- everything in rng.h, forwards and backwards ---- */

static uint64_t undo_xor_shift(uint64_t z, unsigned shift)
{
    uint64_t x = z;

    for (unsigned known = shift; known < 64; known += shift)
        x = z ^ (x >> shift);
    return x;
}

/* The inverse of an odd number modulo 2^64, by Newton. */
static uint64_t inverse_of(uint64_t odd)
{
    uint64_t x = odd;

    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

/* The state of splitmix64 before it gave `z`. */
static uint64_t undo_splitmix(uint64_t z)
{
    z = undo_xor_shift(z, 31) * inverse_of(UINT64_C(0x94D049BB133111EB));
    z = undo_xor_shift(z, 27) * inverse_of(UINT64_C(0xBF58476D1CE4E5B9));
    return undo_xor_shift(z, 30) - UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t undo_derive(uint64_t derived, uint64_t number)
{
    return undo_splitmix(undo_splitmix(derived) ^ number);
}

static uint64_t undo_derive_text(uint64_t derived, Str text)
{
    uint64_t number = 0;

    assert_true(text.len <= 8);
    for (size_t i = 0; i < text.len; i++)
        number |= (uint64_t)(unsigned char)text.bytes[i] << (8 * i);
    return undo_derive(undo_derive(derived, number), text.len);
}

/* rng_next makes of (a, b, c, d): (a ^ b ^ d, a ^ b ^ c, a ^ c ^ b << 17, rotated b ^ d). */
static void undo_next(Rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t of_bd = (s[3] >> 45) | (s[3] << 19);
    uint64_t a = s[0] ^ of_bd;
    uint64_t of_b = s[1] ^ s[2]; /* b ^ b << 17 */
    uint64_t b = of_b;

    for (int i = 0; i < 4; i++)
        b = of_b ^ (b << 17);
    *rng = (Rng){{a, b, s[1] ^ a ^ b, of_bd ^ b}};
}

/* ---- who has which role, if a generator dealt ---- */

typedef struct Deal {
    Role roles[PLAYERS + 1];
} Deal;

static Game *new_game(void)
{
    Ruleset rules;
    Game *game = NULL;

    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    assert_int_equal(game_new(&rules, PLAYERS, &game, NULL), 0);
    return game;
}

static Deal deal_by(Game *game, Chance chance)
{
    Deal deal = {{ROLE_NONE}};
    Event event;

    assert_int_equal(game_start(game, NULL, chance, NULL), 0);
    for (int seats = 0; seats < PLAYERS && game_next_event(game, &event);)
        if (event.kind == EVENT_ROLE) {
            deal.roles[event.seat] = event.role;
            seats++;
        }
    return deal;
}

/* ---- the attack: from the state of the public stream to the deal ---- */

typedef struct Attack {
    Game *game;
    Deal truth;
    unsigned tried;
    bool found;
} Attack;

static void try_state(Attack *attack, Rng rng)
{
    const Deal deal =
        deal_by(attack->game, (Chance){.streams[0] = rng, .made = 1, .one_stream = true});

    attack->tried++;
    attack->found |= memcmp(&deal, &attack->truth, sizeof(deal)) == 0;
}

/* A number that may be a seed, of whatever: and those that it gives, and that give it. */
static void try_seed(Attack *attack, uint64_t seed, int depth)
{
    static const char *const texts[] = {"deal", "public", "hidden", "game", "draw", "bots"};

    try_state(attack, rng_new(seed));
    if (depth == 0)
        return;
    for (uint64_t number = 0; number < 4; number++) {
        try_seed(attack, rng_derive(seed, number), depth - 1);
        try_seed(attack, undo_derive(seed, number), depth - 1);
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        try_seed(attack, rng_derive_text(seed, str_of(texts[i])), depth - 1);
        try_seed(attack, undo_derive_text(seed, str_of(texts[i])), depth - 1);
    }
}

/* All that the state leads to, and the states before it. */
static bool leads_to_deal(Attack *attack, Rng state)
{
    for (int back = 0; back < 60; back++) {
        try_state(attack, state);
        for (int i = 0; i < 4; i++) {
            try_seed(attack, state.state[i], 1);
            try_seed(attack, undo_splitmix(state.state[i]), back < 4 ? 2 : 1);
        }
        undo_next(&state);
    }
    return attack->found;
}

static void every_function_of_rng_h_can_be_turned_round(void **state)
{
    Rng rng = rng_new(7), before = rng;

    (void)state;
    rng_next(&rng);
    rng_next(&rng);
    undo_next(&rng);
    undo_next(&rng);
    assert_memory_equal(&rng, &before, sizeof(rng));
    assert_true(undo_splitmix(rng_new(99).state[0]) == 99);
    assert_true(undo_derive(rng_derive(5, 3), 3) == 5);
    assert_true(undo_derive_text(rng_derive_text(5, STR("deal")), STR("deal")) == 5);
}

static void the_whole_state_of_the_public_stream_does_not_lead_to_the_deal(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const GameKey key = {.key = key_of_seed(seed)};
        Attack attack = {.game = new_game()};
        attack.truth = deal_by(attack.game, game_key_chance(&key));
        Chance chance = game_key_chance(&key);
        Rng seen = *chance_rng(&chance, CHANCE_TALK_NEXT);
        for (int i = 0; i < 30; i++) /* a day's talk was ordered by it */
            rng_next(&seen);
        assert_false(leads_to_deal(&attack, seen));
        assert_true(attack.tried > 1000);
        for (SeatNo seat = 1; seat <= 2; seat++) /* nor do the bots' seeds */
            try_seed(&attack, game_key_bot_seed(&key, seat), 2);
        assert_false(attack.found);
        game_free(attack.game);
    }
}

/* The same attack on what builds did that had one stream: else it proves nothing. */
static void the_state_of_the_one_stream_of_old_led_to_the_deal(void **state)
{
    const GameKey key = game_key_old(20261122);
    Attack attack = {.game = new_game()};
    Attack of_bot = {.game = attack.game};

    (void)state;
    attack.truth = of_bot.truth = deal_by(attack.game, game_key_chance(&key));
    Chance chance = game_key_chance(&key);
    Rng seen = *chance_rng(&chance, CHANCE_TALK_NEXT);
    for (int i = 0; i < 30; i++)
        rng_next(&seen);
    assert_true(leads_to_deal(&attack, seen));
    try_seed(&of_bot, game_key_bot_seed(&key, 2), 2);
    assert_true(of_bot.found);
    game_free(attack.game);
}

/* ---- who uses which ---- */

static void what_few_see_has_a_stream_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(chance_stream_of(CHANCE_DEAL), CHANCE_STREAM_DEAL);
    assert_int_equal(chance_stream_of(CHANCE_WISHER), CHANCE_STREAM_DEAL);
    assert_int_equal(chance_stream_of(CHANCE_TALK_NEXT), CHANCE_STREAM_PUBLIC);
    assert_int_equal(chance_stream_of(CHANCE_EXECUTE), CHANCE_STREAM_PUBLIC);
    assert_int_equal(chance_stream_of(CHANCE_WHISPER_NEXT), CHANCE_STREAM_HIDDEN);
    assert_int_equal(chance_stream_of(CHANCE_VOTE), CHANCE_STREAM_HIDDEN);
    assert_int_equal(chance_stream_of(CHANCE_ATTACK), CHANCE_STREAM_HIDDEN);
}

/* docs/spec/contest-operations.md B.2 gives the state of the deal. */
static void streams_are_those_of_the_specification(void **state)
{
    Key stage;

    (void)state;
    assert_true(key_from_hex(
        STR("31e388b46c9562a80954d4a155c4db7348e6f4bc8e8ebd2776b5f8bd41c1c3ab"), &stage));
    const KeyRoot root = key_root(&stage);
    const Key game = key_derive_item(&root, STR("game"), 0, 0);
    Chance chance = chance_from_key(&game);
    assert_true(chance_rng(&chance, CHANCE_DEAL)->state[0] == UINT64_C(0x5f9fd647f4d5ab8a));
    assert_true(chance_rng(&chance, CHANCE_TALK_NEXT)->state[0] == UINT64_C(0xed9ffb1f8b2db250));
    assert_true(chance_rng(&chance, CHANCE_VOTE)->state[0] == UINT64_C(0x193694de8010c535));
}

/* What a game told of its deal and its talk, and of its votes, where nobody ever answers. */
typedef struct Course {
    Deal deal;
    uint8_t speakers[500];
    uint32_t spoken;
    uint64_t votes;
} Course;

static void hear(Course *course, const Event *event)
{
    if (event->kind == EVENT_ROLE)
        course->deal.roles[event->seat] = event->role;
    if (event->kind == EVENT_TALK && course->spoken < sizeof(course->speakers))
        course->speakers[course->spoken++] = event->seat;
    if (event->kind == EVENT_VOTE)
        course->votes = rng_derive(course->votes, event->target);
}

/* The first day. */
static Course first_day(Game *game, Chance chance)
{
    Course course = {.spoken = 0};
    Event event;
    Ask ask;

    assert_int_equal(game_start(game, NULL, chance, NULL), 0);
    while (game_day(game) < 2 && !game_over(game)) {
        while (game_next_event(game, &event))
            hear(&course, &event);
        while (game_first_ask(game, &ask))
            assert_int_equal(
                game_answer(game, ask.seat, &(Answer){.kind = ask.kind, .lapse = true}, NULL), 0);
    }
    return course;
}

static void another_hidden_stream_changes_nothing_that_all_see_at_once(void **state)
{
    const Key key = key_of_seed(1), other = key_of_seed(2);
    Chance chance = chance_from_key(&key);
    Game *game = new_game();

    (void)state;
    chance_rng(&chance, CHANCE_DEAL);
    chance_rng(&chance, CHANCE_TALK_NEXT);
    Chance changed = chance;
    changed.root = key_root(&other);
    const Course a = first_day(game, chance), b = first_day(game, changed);
    assert_memory_equal(&a.deal, &b.deal, sizeof(a.deal));
    assert_true(a.spoken >= PLAYERS);
    assert_memory_equal(a.speakers, b.speakers, PLAYERS);
    assert_true(a.votes != b.votes);
    game_free(game);
}

static void bots_of_a_game_have_seeds_of_their_own(void **state)
{
    const GameKey key = {.key = key_of_seed(1)}, other = {.key = key_of_seed(2)};

    (void)state;
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        assert_true(game_key_bot_seed(&key, seat) != game_key_bot_seed(&other, seat));
        for (SeatNo before = 1; before < seat; before++)
            assert_true(game_key_bot_seed(&key, seat) != game_key_bot_seed(&key, before));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_of_rng_h_can_be_turned_round),
        cmocka_unit_test(the_whole_state_of_the_public_stream_does_not_lead_to_the_deal),
        cmocka_unit_test(the_state_of_the_one_stream_of_old_led_to_the_deal),
        cmocka_unit_test(what_few_see_has_a_stream_of_its_own),
        cmocka_unit_test(streams_are_those_of_the_specification),
        cmocka_unit_test(another_hidden_stream_changes_nothing_that_all_see_at_once),
        cmocka_unit_test(bots_of_a_game_have_seeds_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
