/* own_sets.h - the sets in which some model decided nothing itself: they count for nobody.
 *
 * For:    contest_run.c, out_folder.c.
 * Memory: an OwnSets owns its list; zero it first.
 * Thread: one at a time.
 * Source: docs/spec/models.md 3 ("at 0 the set is not counted"). A plan whose Plan.own_sets is off,
 *         as those of earlier builds, has no such sets: who keeps these lists looks at that.
 *
 * Of each set it is added up what its games and the notes behind it say, so that the same follows
 * while it is played and from a journal. Whose seats made decisions in the set, and none of them
 * its own, had no model at work: those who sat with it played against a rule.
 */
#ifndef WARG_STATS_OWN_SETS_H
#define WARG_STATS_OWN_SETS_H

#include "stats/standings.h"

typedef struct OwnSets {
    struct OwnSet *sets;
    size_t count;
    size_t room;
} OwnSets;

void own_sets_done(OwnSets *sets); /* also for CLEANUP */

/* Adds a game of a set, or what a model told at its end. Errors: ERR_MEMORY; those of
 * standings_add_record. */
int own_sets_add_record(OwnSets *sets, const GameRecord *record, Err *err);
int own_sets_add_note(OwnSets *sets, const DecisionNote *note, Err *err);

/* Hears a set that does not count, each agent that is why, and the last error of its server ("" =
 * none). */
typedef void OwnSetFn(void *user, uint64_t set, Str agent, Str error);

/* Takes the games of such sets of the stage out of its standings, which have them all. What models
 * decided there stays, and so do the agents, if without games. `hear` may be NULL. */
void own_sets_drop(const OwnSets *sets, uint32_t stage, Standings *standings, OwnSetFn *hear,
                   void *user);

#endif
