/* cut.h - who goes on to the next stage when several share the last place: what a tie is, the extra
 *         round among the tied, the lot.
 *
 * For:    contest_run, between two stages.
 * Memory: the caller's.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 8.4. The lot is HMAC-SHA256(key of the stage, "tie" 00
 *         name), smallest first: who has the key can work it out again, and nobody else can foresee
 *         it.
 */
#ifndef WARG_MATCH_CUT_H
#define WARG_MATCH_CUT_H

#include "base/key.h"
#include "match/plan.h"

/* Of agents in the order of their ranks the first `sure` go on; the next `tied` share a rank, and
 * `places` of them go on. No tie: tied and places are 0. */
typedef struct Cut {
    uint32_t sure;
    uint32_t tied;
    uint32_t places;
} Cut;

/* The cut behind `places` of `count` agents with these ranks, ascending, equal ones tied. */
Cut cut_of_ranks(const uint32_t *ranks, uint32_t count, uint32_t places);

/* One extra round among `tied` agents, in which all sit equally often. With fewer agents than
 * seats each plays against each, copies of one being the village and copies of the other the
 * wolves. False when these rules can't be played so (a fox makes three sides). */
bool cut_extra_stage(const PlanStage *stage, const Ruleset *rules, uint32_t tied,
                     PlanStage *ret_stage);

typedef struct CutLot {
    uint32_t agent; /* the caller's number for it */
    Str name;
    Key lot; /* cut_draw_lots fills it in */
} CutLot;

/* Draws the lots and sorts by them. */
void cut_draw_lots(const Key *key, CutLot *lots, uint32_t count);

#endif
