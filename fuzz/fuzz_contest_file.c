/* fuzz_contest_file.c - any bytes give a plan or an error; a plan that passes its check has a text,
 * and its sets can be drawn. */
#include "contest/contest_file.h"
#include "match/draw_chance.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everybody on a seat is an agent of the stage, and roles are those of the rules. */
static void draw(const Plan *plan, uint32_t number)
{
    const PlanStage *stage = &plan->stages[number];
    Draw draw = draw_of_plan(plan, number, 0, plan_stage_agents(plan, number));
    uint64_t games = draw_games(&draw);
    const uint64_t some[] = {0, games / 2, games - 1};
    uint8_t counts[ROLE_COUNT];

    assert(games > 0 && games <= STAGE_GAMES_MAX);
    ruleset_roles(&plan->rules, stage->players, counts, NULL);
    for (size_t i = 0; i < 3; i++) {
        uint32_t seats[SEAT_MAX + 1];
        uint8_t roles[SEAT_MAX + 1];
        uint8_t used[ROLE_COUNT] = {0};
        draw_seats(&draw, draw_set_of(&draw, some[i]), seats);
        draw_roles(&draw, plan->agents, some[i], roles);
        for (int32_t seat = 1; seat <= stage->players; seat++) {
            assert(seats[seat] < draw.agent_count && roles[seat] < ROLE_COUNT);
            used[roles[seat]]++;
            assert(roles[seat] == ROLE_NONE || used[roles[seat]] <= counts[roles[seat]]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(plan_done) Plan list = {0};
    CLEANUP(buf_done) Buf text = {0};
    Str input = {(const char *)data, size};
    Err err = {0};

    if (plan_init(&plan, NULL) || plan_init(&list, NULL))
        return 0;
    int rc = contest_text_agents(input, "somewhere", &list, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    err = (Err){0};
    rc = contest_text_load(input, NULL, &plan, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    if (rc)
        return 0;
    rc = plan_check(&plan, &err);
    assert((rc == 0) == (err.code == ERR_OK));
    if (rc)
        return 0;
    plan_json(&plan, &text);
    assert(!buf_failed(&text) && text.bytes[text.len - 1] == '}');
    for (uint32_t i = 0; i < plan.stage_count; i++)
        draw(&plan, i);
    return 0;
}
