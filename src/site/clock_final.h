/* clock_final.h - what finalists hand in, and the ranking of a stage that is over.
 *
 * For:    site/clock_effects.c, clock_follow.c.
 * Memory: plain.
 * Thread: the store's. In the caller's transaction.
 * Source: docs/spec/contest-operations.md 5.3, 8.3, 11.3, O28; R21 3.3.
 */
#ifndef WARG_SITE_CLOCK_FINAL_H
#define WARG_SITE_CLOCK_FINAL_H

#include "site/clock_turn.h"

/* REVISION: finalists that lack something are reminded of it, the others of the date. */
int clock_final_remind(const ClockTurn *turn, Err *err);

/* REVISION-FINAL: who lacks something is out. */
int clock_final_enforce(const ClockTurn *turn, LifeState to, Err *err);

/* From a stage on: an entry `ranking` with its name, its counted games, and each ranked team's
 * rank, games and wins. It is provisional until the contest is published. */
int clock_final_rank(const ClockTurn *turn, LifeState to, Err *err);

#endif
