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

/* ---- cells and conduct ---- */

static void one_word_or_a_map_asks_for_a_cell(void **state)
{
    CLEANUP(plan_done) Plan usual = plan_of("agents: []", "");
    CLEANUP(plan_done) Plan word = plan_of("cell: strict", "");
    CLEANUP(plan_done) Plan none = plan_of("cell: {level: none}", "");
    CLEANUP(plan_done) Plan light = plan_of("cell: {level: light, output: 4KiB}", "");
    (void)state;

    assert_int_equal(usual.cell.level, CELL_LIGHT);
    assert_int_equal(word.cell.level, CELL_STRICT);
    assert_true(word.cell.memory_bytes == UINT64_C(1) << 30);
    assert_int_equal(word.cell.cpu_seconds, 7200);
    assert_int_equal(none.cell.level, CELL_NONE);
    assert_int_equal(light.cell.level, CELL_LIGHT);
    assert_int_equal(light.limits.output_bytes, 4096);
}

static void limits_of_a_cell_have_units_and_folders_start_from_that_of_the_file(void **state)
{
    CLEANUP(plan_done)
    Plan plan = plan_of("cell: {level: namespaces, memory: 1536MiB, threads: 8, files: 32, "
                        "writable: 64KiB, output: 0, cpu: 90s, forbid_threads: true, root: image, "
                        "read: [/usr/lib/jvm, platform]}",
                        "cups");
    CLEANUP(plan_done) Plan one = plan_of("cell: {read: jars}", "");
    (void)state;

    assert_int_equal(plan.cell.level, CELL_NAMESPACES);
    assert_true(plan.cell.memory_bytes == UINT64_C(1536) << 20);
    assert_int_equal(plan.cell.threads, 8);
    assert_int_equal(plan.cell.files, 32);
    assert_int_equal(plan.cell.writable_bytes, 65536);
    assert_int_equal(plan.limits.output_bytes, 0);
    assert_int_equal(plan.cell.cpu_seconds, 90);
    assert_true(plan.cell.forbid_threads);
    assert_string_equal(plan.cell.root, "cups/image");
    assert_int_equal(plan.cell.read_count, 2);
    assert_string_equal(plan.cell.read[0], "/usr/lib/jvm");
    assert_string_equal(plan.cell.read[1], "cups/platform");
    assert_int_equal(one.cell.level, CELL_STRICT); /* nothing else has such a limit */
    assert_string_equal(one.cell.read[0], "jars");
}

static void a_cell_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    assert_refused("cell: strikt\n", 1, 7, "did you mean 'strict'?");
    assert_refused("cell: {level: strikt}\n", 1, 15, "did you mean 'strict'?");
    assert_refused("cell: {memori: 1GiB}\n", 1, 8, "did you mean 'memory'?");
    assert_refused("cell: {memory: 1GB}\n", 1, 16, "a size such as 512MiB or 1GiB, from 16MiB to");
    assert_refused("cell: {memory: 4096}\n", 1, 16, "from 16MiB to 16TiB");
    assert_refused("cell: {threads: 0}\n", 1, 17, "from 1 to");
    assert_refused("cell: {files: 3}\n", 1, 15, "from 16 to");
    assert_refused("cell: {cpu: 10ms}\n", 1, 13, "from 1s to");
    assert_refused("cell: {cpu: 2}\n", 1, 13, "a duration such as");
    assert_refused("cell: {root: ''}\n", 1, 14, "expected a folder");
    assert_refused("cell: {level: light, memory: 1GiB}\n", 1, 22, "holds in strict cells only");
    assert_refused("cell: [strict]\n", 1, 7, "expected a map");
    assert_refused("cell: {read: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q]}\n", 1, 63,
                   "more than 16 folders");
}

static void an_agent_may_say_which_runtime_it_needs(void **state)
{
    CLEANUP(plan_done)
    Plan plan = plan_of("agents: [{name: a, command: 'x {port}', profile: dotnet}, "
                        "{name: b, command: 'x {port}', profile: python, entry: start.py}]",
                        "");
    (void)state;

    assert_string_equal(plan.agents[0].profile, "dotnet");
    assert_null(plan.agents[0].entry);
    assert_string_equal(plan.agents[1].profile, "python");
    assert_string_equal(plan.agents[1].entry, "start.py");
    assert_refused("agents: [{name: a, command: 'x {port}', profile: pyton}]\n", 1, 50,
                   "did you mean 'python'?");
    assert_refused("agents: [{name: a, profile: python, entry: ../b/start.py}]\n", 1, 44,
                   "a file of the agent's folder");
    assert_refused("agents: [{name: a, entry: start.py}]\n", 1, 10, "say which with its profile");
}

static void conduct_has_a_rule_for_all_that_can_be_noticed(void **state)
{
    CLEANUP(plan_done)
    Plan plan = plan_of("conduct: {network: eliminate, write: strike, process: {after: 2, action: "
                        "strike}, thread: note, memory: strike, output: strike, name: strike}",
                        "");
    (void)state;

    assert_int_equal(plan.conduct.rules[CONDUCT_NETWORK].action, CONDUCT_ELIMINATE);
    assert_int_equal(plan.conduct.rules[CONDUCT_WRITE].action, CONDUCT_STRIKE);
    assert_int_equal(plan.conduct.rules[CONDUCT_PROCESS].after, 2);
    assert_int_equal(plan.conduct.rules[CONDUCT_THREAD].action, CONDUCT_NOTE);
    assert_int_equal(plan.conduct.rules[CONDUCT_NAME].action, CONDUCT_STRIKE);
    assert_refused("conduct: {crash: suspend}\n", 1, 18, "only testing stages suspend");
    assert_refused("conduct: {write: {action: suspend}}\n", 1, 27, "only testing stages suspend");
    assert_refused("conduct: {netwrok: note}\n", 1, 11, "did you mean 'network'?");
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

/* ---- language models ---- */

static void a_model_is_named_by_a_text_or_by_a_map(void **state)
{
    CLEANUP(plan_done)
    Plan plan = plan_of("agents:\n"
                        "  - llm: demo\n"
                        "  - {name: small, llm: 'http://localhost:1/v1,model=m'}\n"
                        "  - llm: {url: http://localhost:1/v1, model: large, max_tokens: 300,\n"
                        "          stop: [END, FIN], key_env: LARGE_KEY,\n"
                        "          persona: \"calm, it's {host}\"}\n"
                        "    copies: 2\n"
                        "  - {bot: sample}\n",
                        "contests");
    const PlanAgent *demo = &plan.agents[0], *small = &plan.agents[1], *large = &plan.agents[2];
    (void)state;

    assert_int_equal(plan.agent_count, 5);
    assert_string_equal(demo->name, "demo");
    assert_false(demo->model); /* it costs nothing and takes no time */
    assert_true(demo->tells && small->tells && small->model && large->model);
    assert_string_equal(small->name, "small");
    assert_string_equal(small->model_name, "m");
    assert_string_equal(large->name, "large");
    assert_string_equal(plan.agents[3].name, "large");
    assert_string_equal(large->folder, "contests");
    /* Our own program; the persona is the last part, one word of the shell, nothing filled in. */
    assert_non_null(strstr(small->command,
                           " bot aiwolf --llm 'http://localhost:1/v1,model=m' --tell -h {host} -p "
                           "{port} -n {name}"));
    assert_non_null(strstr(large->command, "'http://localhost:1/v1,model=large,max-tokens=300,"
                                           "stop=END,stop=FIN,key-env=LARGE_KEY,"
                                           "persona=calm, it'\\''s {''host}'"));
    assert_non_null(strstr(large->env, " LARGE_KEY"));
    assert_null(strstr(small->env, "LARGE_KEY"));
    assert_true(plan.agents[4].bot && !plan.agents[4].tells);
}

static void models_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    assert_refused("agents: [{llm: {model: m}}]\n", 1, 16, "expected the 'url'");
    assert_refused("agents: [{llm: {url: http://a/v1, model: ''}}]\n", 1, 42, "is empty");
    assert_refused("agents: [{llm: {url: http://a/v1, model: 'm,n'}}]\n", 1, 42, "a comma");
    assert_refused("agents: [{llm: [demo]}]\n", 1, 16, "expected");
    assert_refused("agents: [{llm: demo, bot: sample}]\n", 1, 22, "has no 'bot'");
    assert_refused("agents: [{llm: demo, command: 'x {port}'}]\n", 1, 22, "has no 'command'");
    assert_refused("agents: [{llm: demo, folder: x}]\n", 1, 22, "has no 'folder'");
    assert_refused("agents: [{llm: demo, env: X}]\n", 1, 22, "has no 'env'");
    assert_refused("agents: [{llm: demo, profile: java}]\n", 1, 22, "has no 'profile'");
    assert_refused("agents: [{llm: {url: http://a/v1, model: m, tempratur: 1}}]\n", 1, 16,
                   "tempratur");
    assert_refused("agents:\n  - llm: demo\n  - llm: demo\n", 3, 5, "is here twice");
}

/* ---- what a contest of models says ---- */

static void blocks_and_the_share_of_own_decisions_are_read(void **state)
{
    CLEANUP(plan_done)
    Plan plan = plan_of("agents: [{llm: demo}, {bot: sample, copies: 4}]\n"
                        "own_share: 80\n"
                        "stages: [{pairing: rotate, blocks: true}]\n",
                        "");
    CLEANUP(plan_done) Plan usual = plan_of("agents: [{bot: sample, copies: 5}]\n", "");
    (void)state;

    assert_true(plan.stages[0].blocks && plan.own_share == 80);
    assert_true(!usual.stages[0].blocks && usual.own_share == 0);
    assert_refused("own_share: 0\n", 1, 12, "from 1 to 100");
    assert_refused("own_share: 101\n", 1, 12, "from 1 to 100");
    assert_refused("agents: [{name: a}, {bot: sample, copies: 4}]\n"
                   "stages: [{pairing: rotate, blocks: true}]\n",
                   0, 0, "could remember");
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
        cmocka_unit_test(one_word_or_a_map_asks_for_a_cell),
        cmocka_unit_test(limits_of_a_cell_have_units_and_folders_start_from_that_of_the_file),
        cmocka_unit_test(a_cell_that_makes_no_sense_is_refused),
        cmocka_unit_test(an_agent_may_say_which_runtime_it_needs),
        cmocka_unit_test(conduct_has_a_rule_for_all_that_can_be_noticed),
        cmocka_unit_test(unknown_keys_are_refused_with_their_place_and_the_nearest_known_one),
        cmocka_unit_test(values_out_of_their_range_are_refused),
        cmocka_unit_test(agents_that_make_no_sense_are_refused),
        cmocka_unit_test(a_model_is_named_by_a_text_or_by_a_map),
        cmocka_unit_test(models_that_make_no_sense_are_refused),
        cmocka_unit_test(blocks_and_the_share_of_own_decisions_are_read),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
