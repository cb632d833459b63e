#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "contest/contest_file.h"

static Plan plan_of(const char *text, const char *folder)
{
    Plan plan;
    Err err = {0};

    assert_int_equal(plan_init(&plan, NULL), 0);
    if (contest_text_load(str_of(text), folder, &plan, &err))
        fail_msg("line %u, column %u: %s", err.line, err.column, err.msg);
    return plan;
}

static void assert_refused(const char *text, unsigned line, unsigned column, const char *message)
{
    CLEANUP(plan_done) Plan plan;
    Err err = {0};

    assert_int_equal(plan_init(&plan, NULL), 0);
    int rc = contest_text_load(str_of(text), "", &plan, &err);
    if (rc == 0)
        fail_msg("taken: %s", text);
    assert_int_equal(rc, err.code);
    if (!strstr(err.msg, message))
        fail_msg("'%s' is not in '%s'", message, err.msg);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
}

/* ---- the example that is installed ---- */

static void the_installed_example_is_a_contest_that_can_be_played(void **state)
{
    CLEANUP(plan_done) Plan plan;
    char path[512];
    Err err = {0};
    (void)state;

    snprintf(path, sizeof(path), "%s/config/contest-example.yml", getenv("WARG_SOURCE"));
    assert_int_equal(plan_init(&plan, NULL), 0);
    if (contest_file_load(path, &plan, &err) || plan_check(&plan, &err))
        fail_msg("line %u: %s", err.line, err.msg);
    assert_string_equal(plan.name, "spring cup");
    assert_true(plan.seed_given && plan.seed == 42);
    assert_int_equal(plan.agent_count, 16);
    assert_int_equal(plan.stage_count, 3);
    assert_int_equal(plan.stages[1].advance, 15);
    assert_int_equal(plan.stages[2].pairing, PAIRING_ROTATE);
    assert_int_equal(plan.tables, 4);
    assert_string_equal(plan.agents[0].command, "python3 agent.py -h {host} -p {port} -n {name}");
    assert_non_null(strstr(plan.agents[1].command, "{port}"));
    assert_int_equal(plan.agents[15].fixed, ROLE_SEER);
    snprintf(path, sizeof(path), "%s/config/agents/alice", getenv("WARG_SOURCE"));
    assert_string_equal(plan.agents[0].folder, path);
}

/* ---- defaults ---- */

static void without_stages_there_is_one_set_of_all_agents_or_of_the_usual_table(void **state)
{
    CLEANUP(plan_done) Plan five = plan_of("agents: [{bot: sample, copies: 5}]", "");
    CLEANUP(plan_done) Plan many = plan_of("agents: [{bot: sample, copies: 20}]", "");
    (void)state;

    assert_int_equal(five.stage_count, 1);
    assert_string_equal(five.stages[0].name, "final");
    assert_int_equal(five.stages[0].players, 5);
    assert_int_equal(five.stages[0].games_per_set, 100);
    assert_int_equal(plan_check(&five, NULL), 0);
    assert_int_equal(many.stages[0].players, 15);
    assert_int_equal(plan_check(&many, NULL), 0);
    assert_false(many.seed_given);
    assert_int_equal(many.on_fault, ON_FAULT_SUBSTITUTE);
    assert_int_equal(many.limits.startup_ms, 5000);
}

static void agents_are_told_the_time_limit_that_holds(void **state)
{
    CLEANUP(plan_done) Plan plan = plan_of("limits: {time_limit: 2s, grace: 0ms}", "");
    CLEANUP(plan_done) Plan old = plan_of("rules: aiwolf-server\nlimits: {time_limit: 2s}", "");
    (void)state;

    assert_int_equal(plan.rules.contest.time_limit_ms, 2000);
    assert_int_equal(plan.rules.contest.time_limit_told_ms, 2000);
    assert_int_equal(plan.rules.contest.time_limit_grace_ms, 0);
    assert_int_equal(old.rules.contest.time_limit_ms, 2000);
    assert_int_equal(old.rules.contest.time_limit_told_ms, -1); /* not told, by these rules */
}

static void rules_may_stand_in_the_contest_file(void **state)
{
    CLEANUP(plan_done)
    Plan plan = plan_of("rules:\n  ruleset: aiwolf-2019\n  vote: {rounds: 1}\n", NULL);
    (void)state;

    assert_int_equal(plan.rules.vote.rounds, 1);
    assert_int_equal(plan.rules.talk.exchange, EXCHANGE_TURN);
}

static void rules_may_stand_in_a_file_beside_it(void **state)
{
    char folder[512];
    (void)state;

    snprintf(folder, sizeof(folder), "%s/rules", getenv("WARG_TEST_DATA"));
    CLEANUP(plan_done) Plan plan = plan_of("rules: options-a.yml", folder);
    Ruleset usual;
    ruleset_preset(STR("aiwolf-2021"), &usual, NULL);
    assert_memory_not_equal(&plan.rules, &usual, sizeof(usual));
}

static void tables_may_be_as_many_as_there_is_room_for(void **state)
{
    CLEANUP(plan_done) Plan plan = plan_of("tables: auto\nlimits: {first_game_grace: 2s}\n", NULL);
    (void)state;

    assert_int_equal(plan.tables, PLAN_TABLES_AUTO);
    assert_int_equal(plan.limits.first_game_grace_ms, 2000);
}

static void a_command_is_given_the_variables_that_are_named(void **state)
{
    CLEANUP(plan_done)
    Plan plan =
        plan_of("agents: [{name: a, command: 'x {port}', env: [A, B_1]},\n"
                "  {name: b, command: 'x {port}', env: C}, {name: c, command: 'x {port}'},\n"
                "  {name: d, command: 'x {port}', env: '*'}]",
                "");

    (void)state;
    assert_string_equal(plan.agents[0].env, "A B_1");
    assert_string_equal(plan.agents[1].env, "C");
    assert_null(plan.agents[2].env);
    assert_string_equal(plan.agents[3].env, "*");
    assert_refused("agents: [{name: a, env: A}]\n", 1, 20, "there is no 'command'");
    assert_refused("agents: [{name: a, command: 'x {port}', env: [A, B-C]}]\n", 1, 50, "env=NAME");
}

static void folders_start_from_that_of_the_file(void **state)
{
    CLEANUP(plan_done)
    Plan plan = plan_of(
        "agents: [{name: a, command: 'x {port}'}, {name: b, command: 'x {port}', folder: b},\n"
        "  {name: c, command: 'x {port}', folder: /c}]",
        "spring");
    CLEANUP(plan_done)
    Plan here = plan_of(
        "agents: [{name: a, command: 'x {port}'}, {name: b, command: 'x {port}', folder: b}]", "");
    (void)state;

    assert_string_equal(plan.agents[0].folder, "spring");
    assert_string_equal(plan.agents[1].folder, "spring/b");
    assert_string_equal(plan.agents[2].folder, "/c");
    assert_null(here.agents[0].folder);
    assert_string_equal(here.agents[1].folder, "b");
}

static void a_list_of_agents_is_a_file_of_its_own(void **state)
{
    CLEANUP(plan_done) Plan plan;
    Err err = {0};
    (void)state;

    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(contest_text_agents(STR("- {bot: random}\n- {name: a}\n"), "", &plan, NULL),
                     0);
    assert_int_equal(contest_text_agents(STR("agents: [{name: b}]"), "", &plan, NULL), 0);
    assert_int_equal(plan.agent_count, 3);
    assert_int_equal(plan.stage_count, 0);
    assert_int_not_equal(contest_text_agents(STR("agents: []\nseed: 1"), "", &plan, &err), 0);
    assert_int_equal(err.line, 2);
}

/* ---- errors ---- */

static void unknown_keys_are_refused_with_their_place_and_the_nearest_known_one(void **state)
{
    (void)state;
    assert_refused("contest: a\nagent: []\n", 2, 1, "did you mean 'agents'?");
    assert_refused("agents:\n  - {nam: a}\n", 2, 6, "did you mean 'name'?");
    assert_refused("stages:\n  - name: a\n    min_game: 3\n", 3, 5, "did you mean 'min_games'?");
    assert_refused("limits: {gracey: 1s}\n", 1, 10, "did you mean 'grace'?");
    assert_refused("rules: {vote: {round: 1}}\n", 1, 16, "did you mean 'rounds'?");
    assert_refused("stages: [{pairing: rotatte}]\n", 1, 20, "did you mean 'rotate'?");
    assert_refused("on_fault: substitut\n", 1, 11, "did you mean 'substitute'?");
    assert_refused("agents: [{bot: sampel}]\n", 1, 16, "did you mean 'sample'?");
}

static void values_out_of_their_range_are_refused(void **state)
{
    (void)state;
    assert_refused("limits: {startup: 5}\n", 1, 19, "a duration such as");
    assert_refused("limits: {startup: 0ms}\n", 1, 19, "a duration such as");
    assert_refused("limits: {line_bytes: 10}\n", 1, 22, "from 1024");
    assert_refused("seed: -1\n", 1, 7, "seed: expected a number");
    assert_refused("stages: [{players: 2}]\n", 1, 20, "from 3 to 30");
    assert_refused("stages: []\n", 1, 9, "the list is empty");
    assert_refused("stages: [{players: []}]\n", 1, 20, "the list is empty");
    assert_refused("stages: [{players: [5, 2]}]\n", 1, 24, "from 3 to 30");
    assert_refused("stages: [{players: [5, 6, 7, 8, 9]}]\n", 1, 33, "more than 4 sizes");
    assert_refused("stages: [{tie: lott}]\n", 1, 16, "did you mean 'lot'?");
    assert_refused("stages: [{name: a}, {players: 5}]\n", 1, 21, "needs a 'name'");
    assert_refused("tables: 1000\n", 1, 9, "from 0 to 256");
    assert_refused("agents: [{bot: sample, copies: 9}]\nstages: [{name: a, players: 5, sets: 1, "
                   "advance: 5}, {name: b, players: 5, sets: 1, advance: 6}]\n",
                   2, 94, "5 play in this stage");
    assert_refused("rules: aiwolf-2020\n", 1, 8, "aiwolf-2021");
}

static void agents_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    assert_refused("agents: [{command: x}]\n", 1, 10, "needs a 'name'");
    assert_refused("agents: [{name: 'a,b'}]\n", 1, 17, "commas");
    assert_refused("agents: [{name: a, folder: x}]\n", 1, 20, "there is no 'command'");
    assert_refused("agents: [{bot: sample, command: x}]\n", 1, 24, "not both");
    assert_refused("agents:\n  - {name: a}\n  - {name: a}\n", 3, 5, "is here twice");
    assert_refused("agents: [{name: a, role: JUDGE}]\n", 1, 26, "expected VILLAGER");
    assert_refused("agents: [{bot: sample, copies: 5000}]\n", 1, 32, "from 1 to 4096");
    assert_refused("agents: [{name: a, command: \"x\\0y\"}]\n", 1, 29, "zero byte");
    assert_refused("agents: [{name: a, command: x}]\n", 1, 29, "has no {port}");
    assert_refused("agents: [{name: a, command: 'x {port} {nam}'}]\n", 1, 29, "mean '{name}'");
}

static void a_file_that_is_not_there_is_named(void **state)
{
    CLEANUP(plan_done) Plan plan;
    Err err = {0};
    (void)state;

    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(contest_file_load("no/such.yml", &plan, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "no/such.yml"));
    assert_refused("contest: a\nrules: no/such.yml\n", 2, 8, "no/such.yml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_installed_example_is_a_contest_that_can_be_played),
        cmocka_unit_test(without_stages_there_is_one_set_of_all_agents_or_of_the_usual_table),
        cmocka_unit_test(agents_are_told_the_time_limit_that_holds),
        cmocka_unit_test(rules_may_stand_in_the_contest_file),
        cmocka_unit_test(rules_may_stand_in_a_file_beside_it),
        cmocka_unit_test(tables_may_be_as_many_as_there_is_room_for),
        cmocka_unit_test(a_command_is_given_the_variables_that_are_named),
        cmocka_unit_test(folders_start_from_that_of_the_file),
        cmocka_unit_test(a_list_of_agents_is_a_file_of_its_own),
        cmocka_unit_test(unknown_keys_are_refused_with_their_place_and_the_nearest_known_one),
        cmocka_unit_test(values_out_of_their_range_are_refused),
        cmocka_unit_test(agents_that_make_no_sense_are_refused),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
