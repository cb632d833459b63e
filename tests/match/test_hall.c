/* test_hall.c - the protocol division's hall without sockets, in simulated time: who comes, who is
 * started, who sits where, what is told, what goes on behind a kill. */
#include "match/hall_sim.h"

/* One set of a program and four bots, which is told of. */
static void open_with_program(Sim *sim, const char *name)
{
    sim_open(sim, 1, 5, 1);
    for (int i = 0; i < 4; i++)
        sim_agent(sim, "bot", false);
    sim_agent(sim, name, true);
    sim->tells = true;
}

static void a_set_is_played_with_programs_that_come(void **state)
{
    Sim sim;

    (void)state;
    sim_open(&sim, 1, 5, 2);
    for (int i = 0; i < 5; i++)
        sim_agent(&sim, "good", true);
    sim.tells = true;
    sim_begin(&sim, false);
    sim_play_to_end(&sim);
    assert_int_equal(hall_result(sim.hall, NULL, NULL), 0);
    assert_int_equal(sim.games, 4);
    assert_int_equal(sim.started, 10);
    assert_int_equal(sim_times(&sim, "begins"), 2);
    assert_int_equal(sim_times(&sim, "over"), 2);
    assert_int_equal(sim_times(&sim, "["), 0); /* they end because they were let go */
    assert_int_equal(sim.links, 0);
    sim_close(&sim);
}

static void names_and_answers_of_programs_are_heard_and_those_of_bots_are_not(void **state)
{
    Sim sim;
    uint64_t asks = 0;

    (void)state;
    sim_open(&sim, 1, 5, 1);
    for (int i = 0; i < 5; i++)
        sim_agent(&sim, "good", true);
    sim_begin(&sim, false);
    sim_play_to_end(&sim);
    assert_int_equal(hall_result(sim.hall, &asks, NULL), 0);
    assert_int_equal(sim.named, 5);
    assert_int_equal(sim.answered, asks);
    sim_close(&sim);
    open_with_program(&sim, "good");
    sim_begin(&sim, false);
    sim_play_to_end(&sim);
    assert_int_equal(hall_result(sim.hall, &asks, NULL), 0);
    assert_int_equal(sim.named, 1);
    assert_true(sim.answered > 0 && sim.answered < asks);
    sim_close(&sim);
}

/* Whoever should come to the port of "bad" does so behind somebody else. */
static void a_stranger_at_a_port_is_told_of_and_the_program_plays(void **state)
{
    Sim sim;

    (void)state;
    open_with_program(&sim, "good");
    sim_begin(&sim, false);
    assert_non_null(sim.programs);
    sim.programs->foreign = true;
    sim_play_to_end(&sim);
    assert_int_equal(sim.strangers, 1);
    assert_int_equal(sim_times(&sim, "[set 0: somebody else] "), 1);
    assert_int_equal(sim.games, 2);
    assert_int_equal(sim.fatal, 0);
    sim_close(&sim);
}

static void a_program_that_ends_at_once_is_told_of_with_its_last_line(void **state)
{
    Sim sim;

    (void)state;
    open_with_program(&sim, "bad");
    sim_begin(&sim, false);
    sim.programs->ends = true;
    sim_play_to_end(&sim);
    assert_int_equal(hall_result(sim.hall, NULL, NULL), 0);
    assert_int_equal(sim_times(&sim, "[set 0, agent bad: its process ended, exit status 1"), 1);
    assert_int_equal(sim_times(&sim, "a last line"), 1);
    assert_int_equal(sim_times(&sim, "bad: disconnect at NAME"), 1);
    assert_int_equal(sim.games, 2); /* a substitute plays */
    sim_close(&sim);
}

static void one_that_never_comes_is_stopped_when_its_time_is_over(void **state)
{
    Sim sim;

    (void)state;
    open_with_program(&sim, "bad");
    sim_begin(&sim, false);
    alarm_stop(&sim.programs->alarm);
    TimeUs began = sim.now;
    assert_true(sim_play_until(&sim, "bad: timeout at NAME"));
    assert_in_range(sim.now - began, 60 * SIM_SECOND, 61 * SIM_SECOND);
    assert_true(sim.programs->asked);
    sim_play_to_end(&sim);
    assert_int_equal(sim.games, 2);
    assert_int_equal(sim_times(&sim, "["), 0); /* that it ended then is what was wanted */
    sim_close(&sim);
}

/* Goes on until somebody is asked, and cuts its connection. */
static void lose_program(Sim *sim)
{
    while (!sim->programs || !sim->programs->mouth.word[0] || sim->games == 0 ||
           !sim->programs->mouth.open)
        sim_step(sim);
    aiwolf_agent_ears.lost(sim->programs->mouth.ears, FAULT_DISCONNECT, STR(""), sim->now);
}

static void with_restart_a_program_that_has_gone_plays_the_next_game(void **state)
{
    Sim sim;

    (void)state;
    open_with_program(&sim, "bad");
    sim.plan.on_fault = ON_FAULT_RESTART;
    sim.plan.stages[0].games_per_set = 4;
    sim_begin(&sim, false);
    lose_program(&sim);
    sim_play_to_end(&sim);
    assert_int_equal(sim.started, 2);
    assert_int_equal(sim.connected, 2);
    assert_int_equal(sim.games, 4);
    assert_int_equal(sim_times(&sim, "bad: disconnect"), 1);
    sim_close(&sim);
}

static void guests_sit_down_when_there_are_enough(void **state)
{
    Sim sim;

    (void)state;
    sim_open(&sim, 1, 5, 1);
    for (int i = 0; i < 3; i++)
        sim_agent(&sim, "bot", false);
    sim_visitor(&sim, "good ann");
    sim.tells = true;
    sim_begin(&sim, true);
    while (sim.now < 3600 * SIM_SECOND)
        sim_step(&sim);
    assert_int_equal(sim.told.len, 0); /* she waits */
    assert_int_equal(sim.links, 1);
    sim_visitor(&sim, "good bo, jr.");
    sim_play_to_end(&sim);
    assert_int_equal(sim_times(&sim, "good bo_ jr."), 1);
    assert_int_equal(sim.games, 2);
    sim_close(&sim);
}

static void one_that_does_not_say_its_name_goes(void **state)
{
    Sim sim;

    (void)state;
    sim_open(&sim, 1, 5, 1);
    Visitor *mute = sim_visitor(&sim, "bad mute");
    sim_begin(&sim, true);
    while (!mute->mouth.open)
        sim_step(&sim);
    alarm_stop(&mute->mouth.alarm);
    mute->stays_away = true;
    TimeUs came = sim.now;
    while (mute->mouth.open)
        sim_step(&sim);
    assert_in_range(sim.now - came, 60 * SIM_SECOND, 61 * SIM_SECOND);
    assert_int_equal(sim.fatal, 0); /* it had no seat */
    sim_close(&sim);
}

static void behind_a_kill_a_set_goes_on_with_the_same_agents(void **state)
{
    Sim sim;

    (void)state;
    sim_open(&sim, 1, 5, 1);
    for (int i = 0; i < 3; i++)
        sim_agent(&sim, "bot", false);
    sim_visitor(&sim, "good ann");
    sim_visitor(&sim, "good bo");
    sim.tells = true;
    sim_begin(&sim, true);
    assert_true(sim_play_until(&sim, "game 0;"));
    sim_kill(&sim);
    for (unsigned i = 0; i < 2; i++)
        sim.visitors[i].stays_away = true;
    Visitor *other = sim_visitor(&sim, "good cy"); /* it has no seat in this set */
    sim_begin(&sim, true);
    TimeUs began = sim.now;
    while (sim.now < began + 600 * SIM_SECOND)
        sim_step(&sim);
    assert_int_equal(sim.games, 1);
    for (unsigned i = 0; i < 2; i++)
        sim.visitors[i].stays_away = false;
    sim_play_to_end(&sim);
    assert_int_equal(sim.games, 2);
    assert_int_equal(sim_times(&sim, "game 1;"), 1);
    assert_int_equal(sim_times(&sim, "cy"), 0);
    assert_true(other->mouth.open); /* it waits for a set of its own */
    sim_close(&sim);
}

static void what_can_not_be_kept_ends_the_hall_and_is_played_again(void **state)
{
    Sim sim;
    Err err = {0};

    (void)state;
    sim_open(&sim, 1, 5, 1);
    for (int i = 0; i < 5; i++)
        sim_agent(&sim, "good", true);
    sim.full = 1000;
    sim_begin(&sim, false);
    sim_play_to_end(&sim);
    assert_int_equal(hall_result(sim.hall, NULL, &err), ERR_IO);
    assert_string_equal(err.msg, "the disk is full");
    assert_int_equal(sim.games, 0);
    sim_kill(&sim);
    sim.full = 0;
    sim_begin(&sim, false);
    sim_play_to_end(&sim);
    assert_int_equal(hall_result(sim.hall, NULL, NULL), 0);
    assert_int_equal(sim.games, 2);
    sim_close(&sim);
}

static void a_stopped_hall_is_over_by_an_alarm_and_keeps_no_game(void **state)
{
    Sim sim;

    (void)state;
    sim_open(&sim, 1, 5, 1);
    for (int i = 0; i < 5; i++)
        sim_agent(&sim, "good", true);
    sim.tells = true;
    sim_begin(&sim, false);
    assert_true(sim_play_until(&sim, "begins 0:"));
    hall_stop(sim.hall);
    assert_false(sim.over);
    sim_step(&sim);
    assert_true(sim.over);
    assert_int_equal(hall_result(sim.hall, NULL, NULL), 0);
    assert_int_equal(sim.games, 0);
    sim_close(&sim);
}

/* Two are asked at once; one goes, and the game is given up. The other's answer to it must not be
 * taken for one in the next game. */
static void the_next_game_waits_for_answers_to_one_that_was_given_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Sim sim;
        sim_open(&sim, seed, 15, 1);
        sim.plan.on_fault = ON_FAULT_ABORT_GAME;
        for (int i = 0; i < 14; i++)
            sim_agent(&sim, "good", true);
        sim_agent(&sim, "bad", true);
        sim.trouble = 50;
        sim_begin(&sim, false);
        sim_play_to_end(&sim);
        assert_int_equal(hall_result(sim.hall, NULL, NULL), 0); /* and nobody good was blamed */
        assert_int_equal(sim.games, 2);
        sim_close(&sim);
    }
}

/* ---- findings ---- */

/* Each is counted in the game under way, before the first in that one, behind the last in none. */
static void what_programs_are_found_at_is_counted_in_the_record_of_its_game(void **state)
{
    uint64_t kept = 0, behind = 0, totals = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Sim sim;
        sim_open(&sim, seed, 5, 3);
        sim.plan.on_fault = (OnFault)(seed % ON_FAULT_COUNT);
        for (int i = 0; i < 4; i++)
            sim_agent(&sim, i < 2 ? "good" : i < 3 ? "good2" : "bad", true);
        sim_agent(&sim, "bot", false);
        sim.finds = true;
        sim.trouble = seed % 3 ? 0 : 20;
        sim.plan.limits.startup_ms = 600000;
        sim_begin(&sim, false);
        sim_play_to_end(&sim);
        sim_kill(&sim);
        assert_true(sim.found_told == sim.found);
        assert_true(sim.found_kept + sim.found_behind == sim.found);
        kept += sim.found_kept;
        behind += sim.found_behind;
        totals += sim.found_totals;
        sim_close(&sim);
    }
    assert_true(kept > 1000 && behind > 100 && totals > 10);
}

static void the_end_of_a_set_is_told_when_no_program_of_it_runs(void **state)
{
    Sim sim;

    (void)state;
    open_with_program(&sim, "good");
    sim_begin(&sim, false);
    const Finding finding = {FINDING_NETWORK, STR("connect 8.8.8.8:53"), 1};
    while (!sim.programs)
        sim_step(&sim);
    sim.programs->ears->found(sim.programs->user, &finding, sim.now);
    assert_true(sim_play_until(&sim, "over 0"));
    assert_int_equal(sim_times(&sim, "found of set 0"), 0);
    assert_non_null(sim.programs);
    sim.programs->ears->found(sim.programs->user, &finding, sim.now);
    assert_int_equal(sim.found_behind, 1);
    sim_play_to_end(&sim);
    sim_kill(&sim);
    assert_int_equal(sim_times(&sim, "found of set 0"), 1);
    assert_int_equal(sim.found_kept, 1);
    sim_close(&sim);
}

static void of_a_rule_an_agent_and_a_set_a_hundred_are_told_one_by_one(void **state)
{
    Sim sim;

    (void)state;
    open_with_program(&sim, "good");
    sim_begin(&sim, false);
    const Finding one = {FINDING_WRITE, STR("memo.txt"), 1}, rest = {FINDING_WRITE, STR(""), 77};
    while (!sim.programs)
        sim_step(&sim);
    for (int i = 0; i < 100; i++)
        sim.programs->ears->found(sim.programs->user, &one, sim.now);
    sim.programs->ears->found(sim.programs->user, &rest, sim.now);
    sim_play_to_end(&sim);
    sim_kill(&sim);
    assert_int_equal(sim.found_lines, 100);
    assert_int_equal(sim.found_kept, 177);
    assert_int_equal(sim.found_totals, 1);
    sim_close(&sim);
}

/* Only where the contest has rules of conduct. */
static void another_name_than_its_own_is_found(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++) {
        Sim sim;
        open_with_program(&sim, "good");
        sim.plan.conduct.given = given;
        sim_begin(&sim, false);
        while (!sim.programs)
            sim_step(&sim);
        sim.programs->mouth.name = "Alice";
        sim_play_to_end(&sim);
        sim_kill(&sim);
        assert_int_equal(sim.found_kept, given);
        sim_close(&sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_played_with_programs_that_come),
        cmocka_unit_test(names_and_answers_of_programs_are_heard_and_those_of_bots_are_not),
        cmocka_unit_test(a_stranger_at_a_port_is_told_of_and_the_program_plays),
        cmocka_unit_test(a_program_that_ends_at_once_is_told_of_with_its_last_line),
        cmocka_unit_test(one_that_never_comes_is_stopped_when_its_time_is_over),
        cmocka_unit_test(with_restart_a_program_that_has_gone_plays_the_next_game),
        cmocka_unit_test(guests_sit_down_when_there_are_enough),
        cmocka_unit_test(one_that_does_not_say_its_name_goes),
        cmocka_unit_test(behind_a_kill_a_set_goes_on_with_the_same_agents),
        cmocka_unit_test(what_can_not_be_kept_ends_the_hall_and_is_played_again),
        cmocka_unit_test(a_stopped_hall_is_over_by_an_alarm_and_keeps_no_game),
        cmocka_unit_test(the_next_game_waits_for_answers_to_one_that_was_given_up),
        cmocka_unit_test(what_programs_are_found_at_is_counted_in_the_record_of_its_game),
        cmocka_unit_test(the_end_of_a_set_is_told_when_no_program_of_it_runs),
        cmocka_unit_test(of_a_rule_an_agent_and_a_set_a_hundred_are_told_one_by_one),
        cmocka_unit_test(another_name_than_its_own_is_found),
    };

    return cmocka_run_group_tests_name("a hall without sockets", tests, NULL, NULL);
}
