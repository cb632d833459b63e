#include "site/clock_play.h"

#include "site/stage.h"

static StageTurn stage_turn(const ClockTurn *turn)
{
    return (StageTurn){.db = turn->setup->db,
                       .data = turn->setup->data,
                       .folder = turn->setup->folder,
                       .contest = turn->contest,
                       .rules = turn->rules,
                       .spool = turn->setup->spool,
                       .require = turn->setup->cell_require,
                       .waits = turn->waits,
                       .now_ms = turn->now_ms};
}

/* The stage of a state; false for one that plays none. */
static bool stage_of_state(const ClockTurn *turn, LifeState state, uint32_t *ret_stage)
{
    if (turn->rules->natural_language || (state != LIFE_PRELIMINARY && state != LIFE_FINAL))
        return false;
    *ret_stage = state == LIFE_FINAL ? turn->rules->plan.stage_count - 1 : 0;
    return true;
}

/* The stage that a contest which has gone back came from; false for none. */
static bool stage_behind_state(LifeState state, const ClockTurn *turn, uint32_t *ret_stage)
{
    return (state == LIFE_FROZEN && stage_of_state(turn, LIFE_PRELIMINARY, ret_stage)) ||
           (state == LIFE_REVISION && stage_of_state(turn, LIFE_FINAL, ret_stage));
}

int clock_play_begin(const ClockTurn *turn, LifeState to, Err *err)
{
    const StageTurn stage_is = stage_turn(turn);
    uint32_t stage;

    return stage_of_state(turn, to, &stage) ? stage_begin(&stage_is, stage, err) : 0;
}

int clock_play_follow(const ClockTurn *turn, Err *err)
{
    const LifeState state = turn->contest->state;
    const StageTurn stage_is = stage_turn(turn);
    StageState how;
    uint32_t stage;

    if (!turn->setup->spool || turn->rules->natural_language)
        return 0;
    const bool plays = stage_of_state(turn, state, &stage);
    int rc = 0;
    if (plays)
        rc = stage_follow(&stage_is, stage, &how, err);
    else if (stage_behind_state(state, turn, &stage))
        rc = stage_hold(&stage_is, stage, err);
    if (rc == 0 && !plays && state > LIFE_FROZEN && state < LIFE_PUBLISHED)
        rc = stage_catch_up(&stage_is, err);
    return rc || state < LIFE_OPEN || state > LIFE_FINAL ? rc : testing_follow(&stage_is, err);
}

int clock_play_facts(const ClockTurn *turn, LifeFacts *facts, Err *err)
{
    const StageTurn stage_is = stage_turn(turn);
    StageState how = {0};
    uint32_t stage;

    if (!stage_of_state(turn, turn->contest->state, &stage))
        return 0;
    int rc = stage_look(&stage_is, stage, &how, err);
    facts->stage_over = how.over;
    facts->cut_is_tied = how.cut_is_tied;
    return rc;
}
