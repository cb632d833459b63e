/* clock_turn.h - one contest at one moment of the clock: what its facts, effects and reminders
 * share.
 *
 * For:    site/clock.c, clock_facts.c, clock_effects.c, clock_remind.c.
 * Memory: everything is borrowed.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2.
 */
#ifndef WARG_SITE_CLOCK_TURN_H
#define WARG_SITE_CLOCK_TURN_H

#include "site/clock.h"
#include "site/contest_home.h"
#include "spool/spool_status.h"

typedef struct ClockTurn {
    const ClockSetup *setup;
    const Contest *contest;
    const SiteRules *rules; /* NULL when the file can't be read any more */
    const SpoolRunner *runner;
    const ContestActor *actor;
    RetryWaits *waits;
    int64_t now_ms;
} ClockTurn;

static inline ContestHome clock_home(const ClockTurn *turn)
{
    return (ContestHome){turn->contest->id, buf_str(&turn->contest->name), turn->setup->data};
}

/* The stage that a state plays, or that its versions are for: 0 or 1 among the plan's stages. */
static inline uint32_t clock_stage(const ClockTurn *turn)
{
    const LifeState state = turn->contest->state;

    return turn->rules->plan.stage_count > 1 && state >= LIFE_REVISION ? 1 : 0;
}

static inline Str clock_stage_name(const ClockTurn *turn, uint32_t stage)
{
    return str_of(turn->rules->plan.stages[stage].name);
}

#endif
