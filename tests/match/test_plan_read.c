/* test_plan_read.c - plans from their own texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/draw_chance.h"
#include "match/plan_read.h"

/* A contest with all that a plan can say. */
static void fill_plan(Plan *plan)
{
    const PlanAgent alice = {.name = "alice \"a\" \\", .command = "python3 a.py -p {port}\\n"};
    const PlanAgent wolf = {
        .name = "\xe7\x8b\xbc", .bot = bot_kind(STR("random")), .fixed = ROLE_WEREWOLF};

    assert_int_equal(plan_init(plan, NULL), 0);
    assert_int_equal(ruleset_preset(STR("aiwolf-server"), &plan->rules, NULL), 0);
    plan->rules.talk.max_turns = 7;
    memcpy(plan->name, "cup: 2027", 10);
    plan->on_fault = ON_FAULT_RESTART;
    assert_int_equal(plan_add_agent(plan, &alice, NULL), 0);
    assert_int_equal(plan_add_agent(plan, &wolf, NULL), 0);
    PlanStage stage = plan_default_stage(plan);
    memcpy(stage.name, "first", 6);
    stage.more_players[0] = 9;
    stage.more_min_games[0] = 40;
    stage.min_games = 20;
    stage.pairing = PAIRING_ROTATE;
    stage.blocks = true;
    stage.sets = 3;
    stage.advance = 5;
    stage.tie = CUT_LOT;
    assert_int_equal(plan_add_stage(plan, &stage, NULL), 0);
    stage = plan_default_stage(plan);
    memcpy(stage.name, "final", 6);
    stage.min_games = 700;
    assert_int_equal(plan_add_stage(plan, &stage, NULL), 0);
}

static void a_plan_is_read_from_its_own_text(void **state)
{
    (void)state;
    for (unsigned chance = 0; chance <= PLAN_CHANCE_OLD_SEED; chance++) {
        CLEANUP(plan_done) Plan plan;
        CLEANUP(plan_done) Plan read;
        CLEANUP(buf_done) Buf text = {0};
        CLEANUP(buf_done) Buf again = {0};
        const Key key = key_of_seed(5);
        Err err = {0};
        fill_plan(&plan);
        plan.chance = (PlanChance)chance;
        plan.seed = UINT64_MAX;
        if (chance == PLAN_CHANCE_KEY)
            plan_use_key(&plan, &key);
        plan_json(&plan, &text);
        assert_int_equal(plan_init(&read, NULL), 0);
        if (plan_read(buf_str(&text), &read, &err))
            fail_msg("line %u: %s", err.line, err.msg);
        plan_json(&read, &again);
        assert_string_equal(buf_cstr(&again), buf_cstr(&text));
        assert_string_equal(read.agents[0].command, plan.agents[0].command);
        assert_int_equal(read.agents[1].fixed, ROLE_WEREWOLF);
        assert_int_equal(read.chance, chance);
        assert_int_equal(plan_stage_part(&read.stages[0], 0).min_games, 20);
        assert_int_equal(plan_stage_part(&read.stages[0], 1).min_games, 40);
        assert_int_equal(plan_stage_min_games(&read.stages[0]), 60);
    }
}

static void what_is_no_plan_is_refused(void **state)
{
    CLEANUP(plan_done) Plan plan;
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    fill_plan(&plan);
    plan_json(&plan, &text);
    for (size_t cut = 0; cut < text.len; cut += 7) {
        CLEANUP(plan_done) Plan read;
        assert_int_equal(plan_init(&read, NULL), 0);
        assert_true(plan_read(str_part(buf_str(&text), 0, cut), &read, NULL) < 0);
    }
}

/* Of every stage, part and extra round, as the draws of a stage give them. */
static void the_key_of_a_game_is_that_of_its_draw(void **state)
{
    CLEANUP(plan_done) Plan plan;
    const Key key = key_of_seed(5);

    (void)state;
    fill_plan(&plan);
    plan_use_key(&plan, &key);
    for (uint32_t stage = 0; stage < 2; stage++)
        for (uint32_t part = 0; part < 2; part++) {
            const Draw draw = draw_of_plan(&plan, stage, part, 9);
            const GameKey drawn = draw_game_key(&draw, 17);
            const bool blocks = plan.stages[stage].blocks;
            const GameKey again = blocks
                                      ? plan_deal_key(&plan, stage, part, draw_deal_of(&draw, 17))
                                      : plan_game_key(&plan, stage, part, 17);
            assert_memory_equal(&drawn, &again, sizeof(drawn));
            const GameKey round = plan_game_key(&plan, stage_number(stage, 1), part, 17);
            assert_memory_not_equal(&drawn, &round, sizeof(drawn));
        }
    plan.chance = PLAN_CHANCE_OLD_SEED;
    const Draw draw = draw_of_plan(&plan, 1, 0, 9);
    assert_int_equal(game_key_seed(&(GameKey){draw_game_key(&draw, 3).key, true}),
                     game_key_seed(&(GameKey){plan_game_key(&plan, 1, 0, 3).key, true}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_read_from_its_own_text),
        cmocka_unit_test(what_is_no_plan_is_refused),
        cmocka_unit_test(the_key_of_a_game_is_that_of_its_draw),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
