#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/trial.h"

enum { PER_SET = 4, SETS = 40, GAMES = PER_SET * SETS };

/* Bounds of +-13.8: nothing is decided while figures are looked at. */
static const SprtTest patient = {.elo0 = 0, .elo1 = 100, .alpha = 1e-6, .beta = 1e-6};

/* Game `number` of a stage in which bob has seat 1, as the seer and the wolf by turns; every third
 * game is the village's. */
static void play(GameRecord *record, uint64_t number)
{
    bool wolf = number % 2;

    *record = (GameRecord){.set = number / PER_SET, .game = number};
    record->result = (GameResult){
        .seat_count = 5,
        .winner = number % 3 ? SIDE_WEREWOLF : SIDE_VILLAGER,
        .roles = {0, wolf ? ROLE_WEREWOLF : ROLE_SEER, wolf ? ROLE_SEER : ROLE_WEREWOLF,
                  ROLE_POSSESSED, ROLE_VILLAGER, ROLE_VILLAGER},
        .names = {{0}, STR("bob"), STR("alice"), STR("alice"), STR("bobby"), STR("bo")},
    };
}

static void add(Trial *trial, uint64_t number)
{
    GameRecord *record = mem_new(sizeof(*record));
    Err err = {0};

    assert_non_null(record);
    play(record, number);
    if (trial_add_game(trial, record, &err))
        fail_msg("%s", err.msg);
    mem_free(record);
}

static void judge(Trial *trial, uint64_t end_set)
{
    Err err = {0};

    if (trial_judge(trial, end_set, &err))
        fail_msg("%s", err.msg);
}

/* All games in their order, straight into the test. */
static Sprt in_order(void)
{
    Sprt sprt;
    Outcome outcome = {.seat_count = 5, .agents = {0, 1}};
    GameRecord *record = mem_new(sizeof(*record));

    assert_non_null(record);
    sprt_init(&sprt, &patient, 1);
    for (uint64_t number = 0; number < GAMES; number++) {
        play(record, number);
        outcome.set = record->set;
        outcome.winner = record->result.winner;
        memcpy(outcome.roles, record->result.roles, sizeof(outcome.roles));
        assert_int_equal(sprt_add_game(&sprt, &outcome, NULL), 0);
    }
    sprt_end_set(&sprt);
    mem_free(record);
    return sprt;
}

static void assert_same(const Sprt *got, const Sprt *wanted)
{
    assert_true(got->llr == wanted->llr);
    assert_true(got->spread == wanted->spread);
    assert_int_equal(got->games, wanted->games);
    assert_int_equal(got->sets, wanted->sets);
    assert_int_equal(got->state, wanted->state);
}

static void games_in_any_order_are_judged_as_in_order(void **state)
{
    Sprt wanted = in_order();
    Rng rng = rng_new(1);
    (void)state;

    for (int round = 0; round < 20; round++) {
        uint64_t order[GAMES];
        Trial trial;
        trial_init(&trial, &patient, STR("bob"));
        for (uint32_t i = 0; i < GAMES; i++) {
            uint32_t j = rng_below(&rng, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        for (uint32_t i = 0; i < GAMES; i++)
            add(&trial, order[i]);
        judge(&trial, SETS);
        assert_same(&trial.sprt, &wanted);
        trial_done(&trial);
    }
}

static void chunks_of_any_size_come_to_the_same(void **state)
{
    Sprt wanted = in_order();
    (void)state;

    for (uint64_t chunk = 1; chunk <= SETS; chunk++) {
        Trial trial;
        trial_init(&trial, &patient, STR("bob"));
        for (uint64_t set = 0; set < SETS; set += chunk) {
            uint64_t end = set + chunk < SETS ? set + chunk : SETS;
            for (uint64_t number = end * PER_SET; number-- > set * PER_SET;)
                add(&trial, number);
            judge(&trial, end);
            assert_int_equal(trial.sprt.sets, end);
        }
        assert_same(&trial.sprt, &wanted);
        trial_done(&trial);
    }
}

/* As from a journal: all is there at once, and is judged chunk after chunk. */
static void games_of_later_sets_wait(void **state)
{
    Sprt wanted = in_order();
    Trial trial;
    (void)state;

    trial_init(&trial, &patient, STR("bob"));
    for (uint64_t number = GAMES; number-- > 0;)
        if (number != 7) /* of set 1: was under way when the journal ended */
            add(&trial, number);
    judge(&trial, 1);
    assert_int_equal(trial.sprt.games, PER_SET);
    add(&trial, 7);
    judge(&trial, 2);
    assert_int_equal(trial.sprt.games, 2 * PER_SET);
    judge(&trial, SETS);
    assert_same(&trial.sprt, &wanted);
    trial_done(&trial);
}

static void the_challenger_is_known_by_its_whole_name(void **state)
{
    Trial trial;
    (void)state;

    trial_init(&trial, &patient, STR("bob"));
    add(&trial, 0); /* seer */
    add(&trial, 1); /* wolf */
    judge(&trial, 1);
    assert_int_equal(trial.sprt.cell_count, 2);
    assert_int_equal(trial.sprt.cells[0].x, 1);
    assert_int_equal(trial.sprt.cells[1].x, -1);
    trial_done(&trial);

    trial_init(&trial, &patient, STR("alice")); /* on two seats, one of them the possessed */
    add(&trial, 0);
    add(&trial, 1);
    judge(&trial, 1);
    assert_int_equal(trial.sprt.cells[0].x, -2);
    assert_int_equal(trial.sprt.cells[1].x, 0);
    trial_done(&trial);
}

static void what_was_decided_stays_so(void **state)
{
    SprtTest quick = {.elo0 = 0, .elo1 = 800, .alpha = 0.4, .beta = 0.4};
    Trial trial;
    (void)state;

    trial_init(&trial, &quick, STR("bob"));
    for (uint64_t number = 0; number < GAMES; number++)
        add(&trial, number);
    judge(&trial, SPRT_SETS_MIN - 1);
    assert_int_equal(trial.sprt.state, SPRT_CONTINUE);
    for (uint64_t set = SPRT_SETS_MIN; trial.sprt.state == SPRT_CONTINUE && set <= SETS; set++)
        judge(&trial, set);
    assert_int_equal(trial.sprt.state, SPRT_ACCEPT_H0);
    uint64_t sets = trial.sprt.sets;
    judge(&trial, SETS);
    assert_int_equal(trial.sprt.sets, sets);
    trial_done(&trial);
}

/* ---- threads ---- */

typedef struct Adder {
    pthread_t thread;
    Trial *trial;
    uint64_t first;
} Adder;

enum { ADDERS = 4 };

static void *add_some(void *argument)
{
    const Adder *adder = argument;

    for (uint64_t number = adder->first; number < GAMES; number += ADDERS)
        add(adder->trial, number);
    return NULL;
}

static void games_may_come_from_several_threads(void **state)
{
    Sprt wanted = in_order();
    Adder adders[ADDERS];
    Trial trial;
    (void)state;

    trial_init(&trial, &patient, STR("bob"));
    for (uint64_t i = 0; i < ADDERS; i++) {
        adders[i] = (Adder){.trial = &trial, .first = i};
        assert_int_equal(pthread_create(&adders[i].thread, NULL, add_some, &adders[i]), 0);
    }
    for (uint64_t i = 0; i < ADDERS; i++)
        pthread_join(adders[i].thread, NULL);
    judge(&trial, SETS);
    assert_same(&trial.sprt, &wanted);
    trial_done(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_in_any_order_are_judged_as_in_order),
        cmocka_unit_test(chunks_of_any_size_come_to_the_same),
        cmocka_unit_test(games_of_later_sets_wait),
        cmocka_unit_test(the_challenger_is_known_by_its_whole_name),
        cmocka_unit_test(what_was_decided_stays_so),
        cmocka_unit_test(games_may_come_from_several_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
