#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/draw_chance.h"

static Plan plan_with(uint32_t agents, PlanStage stage)
{
    Plan plan;
    PlanAgent agent = {.bot = bot_kind(STR("sample"))};

    assert_int_equal(plan_init(&plan, NULL), 0);
    for (uint32_t i = 0; i < agents; i++) {
        snprintf(agent.name, sizeof(agent.name), "a%u", i);
        assert_int_equal(plan_add_agent(&plan, &agent, NULL), 0);
    }
    memcpy(stage.name, "final", 6);
    assert_int_equal(plan_add_stage(&plan, &stage, NULL), 0);
    return plan;
}

static void assert_refused(Plan *plan, const char *message)
{
    Err err = {0};

    assert_int_equal(plan_check(plan, &err), ERR_USAGE);
    if (!strstr(err.msg, message))
        fail_msg("'%s' is not in '%s'", message, err.msg);
}

static void texts_are_copied(void **state)
{
    CLEANUP(plan_done) Plan plan;
    char command[] = "python3 agent.py", folder[] = "alice";
    PlanAgent agent = {.name = "alice", .command = command, .folder = folder};
    (void)state;

    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(plan_add_agent(&plan, &agent, NULL), 0);
    command[0] = folder[0] = 'X';
    assert_string_equal(plan.agents[0].command, "python3 agent.py");
    assert_string_equal(plan.agents[0].folder, "alice");
    const char *kept = plan.agents[0].command;
    PlanAgent again = plan.agents[0];
    assert_int_equal(plan_add_agent(&plan, &again, NULL), 0);
    assert_ptr_equal(plan.agents[1].command, kept);
}

static void a_name_is_one_line_of_printable_text_without_commas(void **state)
{
    static const char *const bad[] = {"", "a,b", "a\nb", "\xff", "\x1b[2J"};
    PlanAgent agent = {0};
    char long_name[AGENT_NAME_MAX + 2];
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(plan_agent_name(&agent, str_of(bad[i]), NULL), ERR_USAGE);
    memset(long_name, 'x', sizeof(long_name));
    assert_int_equal(plan_agent_name(&agent, (Str){long_name, AGENT_NAME_MAX + 1}, NULL),
                     ERR_USAGE);
    assert_int_equal(plan_agent_name(&agent, (Str){long_name, AGENT_NAME_MAX}, NULL), 0);
    assert_int_equal(plan_agent_name(&agent, STR("名前 (2)"), NULL), 0);
    assert_string_equal(agent.name, "名前 (2)");
}

static void too_many_agents_and_too_long_a_command_are_refused(void **state)
{
    CLEANUP(plan_done) Plan plan = plan_with(PLAN_AGENTS_MAX, (PlanStage){.players = 5});
    PlanAgent agent = {.name = "one more"};
    char command[PLAN_TEXT_MAX + 2];
    (void)state;

    assert_int_equal(plan_add_agent(&plan, &agent, NULL), ERR_LIMIT);
    plan.agent_count--;
    memset(command, 'x', sizeof(command));
    command[sizeof(command) - 1] = '\0';
    agent.command = command;
    assert_int_equal(plan_add_agent(&plan, &agent, NULL), ERR_LIMIT);
    command[sizeof(command) - 2] = '\0';
    assert_int_equal(plan_add_agent(&plan, &agent, NULL), 0);
}

static void a_stage_without_agents_enough_or_a_table_is_refused(void **state)
{
    CLEANUP(plan_done) Plan few = plan_with(4, (PlanStage){.players = 5, .games_per_set = 1});
    CLEANUP(plan_done) Plan big = plan_with(30, (PlanStage){.players = 19, .games_per_set = 1});
    CLEANUP(plan_done) Plan good = plan_with(5, (PlanStage){.players = 5, .games_per_set = 1});
    (void)state;

    assert_refused(&few, "4 agents, but 5 are needed");
    assert_refused(&big, "19 players");
    assert_int_equal(plan_check(&good, NULL), 0);
    assert_int_equal(plan_add_stage(&good, &good.stages[0], NULL), 0);
    assert_refused(&good, "two stages are called 'final'");
}

static void only_those_who_advance_play_in_the_next_stage(void **state)
{
    CLEANUP(plan_done)
    Plan plan = plan_with(20, (PlanStage){.players = 15, .games_per_set = 1, .advance = 6});
    PlanStage next = {.name = "next", .players = 5, .games_per_set = 1, .advance = 100};
    PlanStage last = {.name = "last", .players = 15, .games_per_set = 1};
    (void)state;

    plan_add_stage(&plan, &next, NULL);
    assert_int_equal(plan_check(&plan, NULL), 0);
    plan_add_stage(&plan, &last, NULL);
    assert_int_equal(plan_stage_agents(&plan, 0), 20);
    assert_int_equal(plan_stage_agents(&plan, 1), 6);
    assert_int_equal(plan_stage_agents(&plan, 2), 6);
    assert_refused(&plan, "stage 'last': 6 agents, but 15 are needed; name more, fill up with "
                          "copies of a bot, or raise 'advance'");
}

static void more_owners_of_a_role_than_the_table_has_are_refused(void **state)
{
    CLEANUP(plan_done) Plan plan = plan_with(7, (PlanStage){.players = 5, .games_per_set = 1});
    (void)state;

    plan.agents[0].fixed = ROLE_SEER;
    assert_int_equal(plan_check(&plan, NULL), 0);
    plan.agents[6].fixed = ROLE_SEER;
    assert_refused(&plan, "always SEER than the 1 of 5 players");
    plan.agents[6].fixed = ROLE_FOX;
    assert_refused(&plan, "always FOX than the 0");
}

static void pairs_need_two_sides_and_whole_rounds(void **state)
{
    PlanStage stage = {.players = 5, .games_per_set = 10, .pairing = PAIRING_ALL_PAIRS};
    CLEANUP(plan_done) Plan plan = plan_with(3, stage);
    (void)state;

    assert_int_equal(plan_check(&plan, NULL), 0);
    plan.stages[0].sets = 7;
    assert_refused(&plan, "3 agents make 6 pairs");
    plan.stages[0].sets = 12;
    assert_int_equal(plan_check(&plan, NULL), 0);
    plan.stages[0].games = 70;
    assert_refused(&plan, "a multiple of 60");
    plan.stages[0].games = 0;
    plan.agents[1].fixed = ROLE_SEER;
    assert_refused(&plan, "'a1' has");
    plan.agents[1].fixed = ROLE_NONE;
    plan.rules.roles.counts[5][ROLE_VILLAGER]--;
    plan.rules.roles.counts[5][ROLE_FOX]++;
    assert_refused(&plan, "a FOX");
}

static void sets_that_do_not_give_everybody_min_games_are_refused(void **state)
{
    PlanStage stage = {.players = 5, .games_per_set = 10, .min_games = 100, .sets = 19};
    CLEANUP(plan_done) Plan plan = plan_with(10, stage);
    (void)state;

    assert_refused(&plan, "fewer than min_games 100");
    plan.stages[0].sets = 20;
    assert_int_equal(plan_check(&plan, NULL), 0);
    plan.stages[0].games = 190;
    assert_refused(&plan, "fewer than min_games 100");
    plan.stages[0].games = 0;
    plan.stages[0].sets = STAGE_GAMES_MAX;
    assert_refused(&plan, "more than");
}

static void the_text_of_a_plan_tells_all_that_decides_its_games(void **state)
{
    PlanStage stage = {.players = 5, .games_per_set = 100};
    CLEANUP(plan_done) Plan plan = plan_with(5, stage);
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    (void)state;

    plan.seed = UINT64_MAX;
    plan_json(&plan, &first);
    assert_false(buf_failed(&first));
    assert_true(
        str_starts(buf_str(&first),
                   STR("{\"contest\":\"\",\"seed\":\"18446744073709551615\","
                       "\"derivation\":\"hmac-sha256\",\"on_fault\":\"substitute\",\"agents\":[{"
                       "\"name\":\"a0\",\"bot\":\"sample\"},")));
    assert_non_null(strstr(buf_cstr(&first),
                           "\"stages\":[{\"name\":\"final\",\"players\":5,\"pairing\":\"random\","
                           "\"games_per_set\":100,\"sets\":0,\"games\":0,\"min_games\":0,"
                           "\"advance\":0}],\"rules\":{\"ruleset\":\"aiwolf-2021\""));
    assert_non_null(strstr(buf_cstr(&first), "\"time_limit_ms\":100"));

    plan.tables = 3; /* does not decide the games */
    plan.limits.connections = 7;
    plan_json(&plan, &second);
    assert_string_equal(buf_cstr(&first), buf_cstr(&second));

    plan.rules.vote.rounds = 1;
    buf_clear(&second);
    plan_json(&plan, &second);
    assert_string_not_equal(buf_cstr(&first), buf_cstr(&second));
}

static Str json_of(const Plan *plan, Buf *out)
{
    buf_clear(out);
    plan_json(plan, out);
    assert_false(buf_failed(out));
    return buf_str(out);
}

/* What a journal says of chance is what a resumed contest goes on with. */
static void a_plan_takes_over_what_its_text_says_of_chance(void **state)
{
    PlanStage stage = {.players = 5, .games_per_set = 100};
    CLEANUP(plan_done) Plan plan = plan_with(5, stage);
    CLEANUP(plan_done) Plan again = plan_with(5, stage);
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    const Key key = key_of_seed(3);
    char hex[KEY_HEX_BYTES];
    (void)state;

    plan.seed = 12;
    assert_true(plan_take_chance(&again, json_of(&plan, &first)));
    assert_true(again.chance == PLAN_CHANCE_SEED && again.seed == 12);
    assert_true(str_eq(json_of(&again, &second), buf_str(&first)));

    plan.chance = PLAN_CHANCE_OLD_SEED;
    plan.seed = 13;
    assert_null(strstr(json_of(&plan, &first).bytes, "derivation"));
    again.seed_given = true; /* by a person: another one is noticed by the text */
    assert_true(plan_take_chance(&again, buf_str(&first)));
    assert_true(again.chance == PLAN_CHANCE_OLD_SEED && again.seed == 12);
    assert_false(str_eq(json_of(&again, &second), buf_str(&first)));

    plan.chance = PLAN_CHANCE_KEY;
    plan_use_key(&plan, &key);
    const Key commitment = key_commitment(&key, STR("run"), STR("final"));
    key_to_hex(&commitment, hex);
    assert_string_equal(plan.stages[0].commitment, hex);
    assert_true(plan_take_chance(&again, json_of(&plan, &first)));
    assert_false(str_eq(json_of(&again, &second), buf_str(&first)));
    again.seed_given = false;
    assert_true(plan_take_chance(&again, buf_str(&first)));
    assert_true(again.chance == PLAN_CHANCE_KEY);
    assert_true(str_eq(json_of(&again, &second), buf_str(&first)));
    assert_null(strstr(buf_cstr(&first), "\"seed\""));
    key_to_hex(&key, hex);
    assert_null(strstr(buf_cstr(&first), hex));
    assert_false(plan_take_chance(&again, STR("{\"contest\":\"\"}")));
    assert_false(plan_take_chance(&again, STR("{\"derivation\":\"other\",\"seed\":\"1\"}")));
}

/* Each stage is committed to, and none of the secrets is in the text. Earlier builds had one for
 * all.
 */
static void stages_have_commitments_of_their_own(void **state)
{
    PlanStage stage = {.name = "preliminary", .players = 5, .games_per_set = 100};
    CLEANUP(plan_done) Plan plan = plan_with(5, stage);
    CLEANUP(plan_done) Plan again = plan_with(5, stage);
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    const Key secrets[] = {key_of_seed(1), key_of_seed(2)};
    char hex[KEY_HEX_BYTES];
    (void)state;

    memcpy(stage.name, "last", 5);
    assert_int_equal(plan_add_stage(&plan, &stage, NULL), 0);
    assert_int_equal(plan_add_stage(&again, &stage, NULL), 0);
    for (uint32_t i = 0; i < 2; i++)
        plan_use_secret(&plan, i, &secrets[i]);
    json_of(&plan, &first);
    for (uint32_t i = 0; i < 2; i++) {
        const Key commitment = key_commitment(&secrets[i], STR("run"), str_of(plan.stages[i].name));
        key_to_hex(&commitment, hex);
        assert_non_null(strstr(buf_cstr(&first), hex));
        key_to_hex(&secrets[i], hex);
        assert_null(strstr(buf_cstr(&first), hex));
    }
    assert_true(plan_take_chance(&again, buf_str(&first)) && !again.one_key);
    assert_true(str_eq(json_of(&again, &second), buf_str(&first)));
    plan_use_key(&plan, &secrets[0]);
    assert_true(plan_take_chance(&again, json_of(&plan, &first)) && again.one_key);
    assert_true(str_eq(json_of(&again, &second), buf_str(&first)));
    assert_non_null(strstr(buf_cstr(&first), "\"commitment\":\""));
    assert_false(plan_take_chance(
        &again, STR("{\"derivation\":\"hmac-sha256\",\"commitments\":[\"00\",\"00\"]}")));
}

static void a_rule_that_an_earlier_build_lacked_is_off(void **state)
{
    const Str old = STR("{\"seed\":\"1\",\"rules\":{\"a\":[1,{\"b\":2}]}}");
    (void)state;

    assert_true(plan_same(old, old));
    assert_true(plan_same(old, STR("{\"seed\":\"1\",\"rules\":{\"a\":[1,{\"b\":2,\"c\":0}],"
                                   "\"d\":false}}")));
    assert_false(plan_same(old, STR("{\"seed\":\"1\",\"rules\":{\"a\":[1,{\"b\":2,\"c\":3}]}}")));
    assert_false(plan_same(old, STR("{\"seed\":\"2\",\"rules\":{\"a\":[1,{\"b\":2}]}}")));
    assert_false(plan_same(old, STR("{\"seed\":\"1\",\"rules\":{\"a\":[1]}}")));
    assert_false(plan_same(old, STR("{\"seed\":\"1\",\"rules\":{}}")));
    assert_false(plan_same(old, STR("no plan")));
}

static void where_warg_is_makes_no_other_contest(void **state)
{
    (void)state;

    assert_true(plan_same(STR("[{\"command\":\"'/a/warg' bot aiwolf --llm 'u' --tell\"}]"),
                          STR("[{\"command\":\"'/b c/warg' bot aiwolf --llm 'u' --tell\"}]")));
    assert_false(plan_same(STR("[{\"command\":\"'/a/warg' bot aiwolf --llm 'u' --tell\"}]"),
                           STR("[{\"command\":\"'/a/warg' bot aiwolf --llm 'v' --tell\"}]")));
    assert_false(
        plan_same(STR("[{\"command\":\"/a/agent\"}]"), STR("[{\"command\":\"/b/agent\"}]")));
    assert_false(plan_same(STR("[{\"name\":\"'/a' bot aiwolf --llm 'u'\"}]"),
                           STR("[{\"name\":\"'/b' bot aiwolf --llm 'u'\"}]")));
}

static void blocks_are_for_agents_that_remember_nothing(void **state)
{
    const PlanStage stage = {
        .players = 5, .games_per_set = 5, .pairing = PAIRING_ROTATE, .blocks = true};
    CLEANUP(plan_done) Plan plan = plan_with(6, stage);
    Err err = {0};
    (void)state;

    assert_int_equal(plan_check(&plan, NULL), 0);
    plan.agents[2].fixed = ROLE_SEER;
    assert_refused(&plan, "agent 'a2' has one of its own");
    plan.agents[2].fixed = ROLE_NONE;
    assert_int_equal(plan_check_memory(&plan, NULL), 0);
    plan.agents[3].bot = NULL; /* comes by itself */
    assert_int_equal(plan_check_memory(&plan, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "agent 'a3' is a program that could remember them"));
    plan.agents[3].command = "python3 a.py -p {port}";
    assert_int_equal(plan_check_memory(&plan, NULL), ERR_USAGE);
    plan.agents[3].tells = true; /* a language model's, which we start */
    assert_int_equal(plan_check_memory(&plan, NULL), 0);
    plan.rules.contest.agent_index = AGENT_INDEX_CONNECTION;
    assert_refused(&plan, "agent_index");
    plan.rules.contest.agent_index = AGENT_INDEX_SET;
    plan.stages[0].pairing = PAIRING_RANDOM;
    assert_refused(&plan, "goes with pairing rotate");
}

static void min_games_in_blocks_are_those_of_whole_blocks(void **state)
{
    PlanStage stage = {.players = 5,
                       .games_per_set = 5,
                       .pairing = PAIRING_ROTATE,
                       .blocks = true,
                       .sets = 11,
                       .min_games = 26};
    CLEANUP(plan_done) Plan plan = plan_with(6, stage);
    (void)state;

    assert_refused(&plan, "give everybody 25, fewer than min_games 26");
    plan.stages[0].sets = 12;
    assert_int_equal(plan_check(&plan, NULL), 0);
}

/* Journals of before go on, and old plans are no other ones. */
static void a_plan_without_blocks_says_nothing_of_them(void **state)
{
    CLEANUP(plan_done) Plan plan = plan_with(5, (PlanStage){.players = 5, .games_per_set = 5});
    CLEANUP(buf_done) Buf without = {0};
    CLEANUP(buf_done) Buf with = {0};
    (void)state;

    plan_json(&plan, &without);
    assert_null(strstr(buf_cstr(&without), "blocks"));
    plan.stages[0].blocks = true;
    plan_json(&plan, &with);
    assert_non_null(strstr(buf_cstr(&with), "\"blocks\":true"));
    assert_false(plan_same(buf_str(&without), buf_str(&with)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(a_name_is_one_line_of_printable_text_without_commas),
        cmocka_unit_test(too_many_agents_and_too_long_a_command_are_refused),
        cmocka_unit_test(a_stage_without_agents_enough_or_a_table_is_refused),
        cmocka_unit_test(only_those_who_advance_play_in_the_next_stage),
        cmocka_unit_test(more_owners_of_a_role_than_the_table_has_are_refused),
        cmocka_unit_test(pairs_need_two_sides_and_whole_rounds),
        cmocka_unit_test(sets_that_do_not_give_everybody_min_games_are_refused),
        cmocka_unit_test(the_text_of_a_plan_tells_all_that_decides_its_games),
        cmocka_unit_test(a_plan_takes_over_what_its_text_says_of_chance),
        cmocka_unit_test(stages_have_commitments_of_their_own),
        cmocka_unit_test(a_rule_that_an_earlier_build_lacked_is_off),
        cmocka_unit_test(where_warg_is_makes_no_other_contest),
        cmocka_unit_test(blocks_are_for_agents_that_remember_nothing),
        cmocka_unit_test(min_games_in_blocks_are_those_of_whole_blocks),
        cmocka_unit_test(a_plan_without_blocks_says_nothing_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
