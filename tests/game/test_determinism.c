/* test_determinism.c - the same seed and answers give the same events: today, tomorrow, with every
 * compiler, in whatever order answers to one set of asks arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drive.h"

/* ---- a hash of events: FNV-1a over their values, not their bytes in memory ---- */

static void add(uint64_t *hash, uint64_t value)
{
    for (int i = 0; i < 8; i++, value >>= 8)
        *hash = (*hash ^ (value & 0xFF)) * 0x100000001B3u;
}

static void add_event(uint64_t *hash, const Event *event)
{
    add(hash, event->kind);
    add(hash, event->seat);
    add(hash, event->target);
    add(hash, event->role);
    add(hash, event->species);
    add(hash, event->action);
    add(hash, event->round);
    add(hash, event->killed);
    add(hash, event->day);
    add(hash, event->winner);
    add(hash, event->reason);
    add(hash, event->known_to);
    add(hash, event->humans);
    add(hash, event->wolves);
    add(hash, (uint64_t)event->points);
    add(hash, (uint64_t)event->time);
    add(hash, (uint64_t)event->until);
    if (!event->talk)
        return;
    add(hash, event->talk->idx);
    add(hash, event->talk->turn);
    add(hash, event->talk->skip);
    add(hash, event->talk->over);
    add(hash, event->talk->text.len);
    for (size_t i = 0; i < event->talk->text.len; i++)
        add(hash, (unsigned char)event->talk->text.bytes[i]);
}

static void hear(Game *game, uint64_t *hash)
{
    Event event;

    while (game_next_event(game, &event))
        add_event(hash, &event);
}

/* ---- random calls ---- */

static void play(Drive *drive, uint64_t seed, uint64_t calls, uint64_t *hash)
{
    drive->rng = rng_new(calls);
    drive->now = 0;
    drive->talkative = 50;
    drive->rare = 300;
    assert_int_equal(game_start(drive->game, NULL, chance_from_seed(seed), NULL), 0);
    while (true) {
        hear(drive->game, hash);
        if (game_over(drive->game))
            return;
        drive_step(drive);
    }
}

static uint64_t games(const char *preset, int32_t players, uint64_t first, unsigned count)
{
    Drive *drive = mem_new(sizeof(*drive));
    uint64_t hash = 0xCBF29CE484222325u;
    Ruleset rules;

    assert_true(drive && ruleset_preset(str_of(preset), &rules, NULL) == 0);
    assert_int_equal(game_new(&rules, players, &drive->game, NULL), 0);
    for (unsigned i = 0; i < count; i++)
        play(drive, rng_derive(first, i), rng_derive(first, 1000 + i), &hash);
    game_free(drive->game);
    mem_free(drive);
    return hash;
}

typedef struct Golden {
    const char *preset;
    int32_t players;
    uint64_t hash;
} Golden;

/* When a rule changes, the failing test prints the new value: say in the change why. */
static const Golden golden[] = {
    {"aiwolf-2019", 15, 0x3C8F04D18A30ACE9},  {"aiwolf-2021", 15, 0x32968283124533BE},
    {"aiwolf-server", 5, 0x0946ED41FE112439}, {"nlp-turn", 13, 0x0807D2C32B8D4984},
    {"nlp-anytime", 5, 0x532655F9FF9A24BD},   {"maw", 9, 0xC9B466F2F869F956},
};
#define GOLDEN_COUNT (sizeof(golden) / sizeof(golden[0]))

static void the_same_seed_and_answers_give_the_same_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        assert_true(games(golden[i].preset, golden[i].players, 7, 40) ==
                    games(golden[i].preset, golden[i].players, 7, 40));
}

static void events_are_those_of_every_other_compiler_and_machine(void **state)
{
    bool same = true;

    (void)state;
    for (size_t i = 0; i < GOLDEN_COUNT; i++) {
        uint64_t hash = games(golden[i].preset, golden[i].players, 1, 40);
        if (hash != golden[i].hash)
            print_message("%s: 0x%016llX\n", golden[i].preset, (unsigned long long)hash);
        same = same && hash == golden[i].hash;
    }
    assert_true(same);
}

static void another_seed_gives_other_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        for (uint64_t seed = 0; seed < 20; seed++)
            assert_true(games(golden[i].preset, golden[i].players, seed, 1) !=
                        games(golden[i].preset, golden[i].players, seed + 1, 1));
}

/* ---- the order of answers ---- */

/* What a seat answers to an ask depends on nothing but the ask. */
static Answer answer_of(const Ask *ask, uint64_t seed, SeatNo seats)
{
    Rng rng = rng_new(rng_derive(seed, ask->number * 100u + ask->seat));
    Answer answer = {.kind = ask->kind, .in_language = true};

    answer.lapse = rng_below(&rng, 10) == 0;
    answer.target = (SeatNo)rng_below(&rng, seats + 2u);
    answer.wish = (Role)rng_below(&rng, ROLE_COUNT);
    answer.text = rng_below(&rng, 3) ? STR("Over") : STR("VOTE Agent[01]");
    return answer;
}

/* Sets of asks are answered forwards, backwards or mixed. */
static uint64_t in_order(const Ruleset *rules, int32_t players, uint64_t seed, int order)
{
    CLEANUP(game_freep) Game *game = NULL;
    uint64_t hash = 0xCBF29CE484222325u;
    Rng mix = rng_new(seed);

    assert_int_equal(game_new(rules, players, &game, NULL), 0);
    assert_int_equal(game_start(game, NULL, chance_from_seed(seed), NULL), 0);
    while (true) {
        Ask asks[2 * SEAT_MAX];
        hear(game, &hash);
        if (game_over(game))
            return hash;
        for (size_t count = game_asks(game, asks); count > 0; count--) {
            size_t at = order == 0 ? 0 : order == 1 ? count - 1 : rng_below(&mix, (uint32_t)count);
            Answer answer = answer_of(&asks[at], seed, (SeatNo)players);
            assert_int_equal(game_answer(game, asks[at].seat, &answer, NULL), 0);
            memmove(&asks[at], &asks[at + 1], (count - at - 1) * sizeof(Ask));
        }
    }
}

static void the_order_in_which_answers_arrive_does_not_matter(void **state)
{
    static const char *const presets[] = {"aiwolf-2019", "aiwolf-2021", "aiwolf-server",
                                          "nlp-turn"};
    Ruleset rules;

    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ruleset_preset(str_of(presets[i]), &rules, NULL), 0);
        for (uint64_t seed = 1; seed <= 50; seed++) {
            uint64_t forwards = in_order(&rules, 13, seed, 0);
            assert_true(in_order(&rules, 13, seed, 1) == forwards);
            assert_true(in_order(&rules, 13, seed, 2) == forwards);
        }
    }
}

static void a_game_leaves_nothing_behind_for_the_next_one(void **state)
{
    CLEANUP(game_freep) Game *game = NULL;
    uint64_t hashes[2] = {1, 1};
    Ruleset rules;

    (void)state;
    assert_int_equal(ruleset_preset(STR("aiwolf-server"), &rules, NULL), 0);
    assert_int_equal(game_new(&rules, 15, &game, NULL), 0);
    for (int i = 0; i < 2; i++) {
        Drive *drive = mem_new(sizeof(*drive));
        drive->game = game;
        if (i == 1) { /* another game, left in the middle */
            drive->rng = rng_new(77);
            drive->talkative = 50;
            drive->rare = 20;
            assert_int_equal(game_start(game, NULL, chance_from_seed(77), NULL), 0);
            for (int step = 0; step < 500; step++) {
                uint64_t unused = 0;
                hear(game, &unused);
                drive_step(drive);
            }
        }
        play(drive, 5, 6, &hashes[i]);
        mem_free(drive);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_and_answers_give_the_same_events),
        cmocka_unit_test(events_are_those_of_every_other_compiler_and_machine),
        cmocka_unit_test(another_seed_gives_other_events),
        cmocka_unit_test(the_order_in_which_answers_arrive_does_not_matter),
        cmocka_unit_test(a_game_leaves_nothing_behind_for_the_next_one),
    };

    return cmocka_run_group_tests_name("determinism", tests, NULL, NULL);
}
