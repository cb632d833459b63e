/* clock_effects.h - what a transition does, in its transaction.
 *
 * For:    site/clock.c.
 * Memory: plain.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2, the third column of the table.
 *
 * To add an effect: a function and a row in clock_effects.c. It is called inside of the
 * transaction, may be called again after one that failed, and leaves files only that a second call
 * takes as they are.
 */
#ifndef WARG_SITE_CLOCK_EFFECTS_H
#define WARG_SITE_CLOCK_EFFECTS_H

#include "site/clock_turn.h"

/* All effects of going from turn->contest->state to `to`, in the order of the table. */
int clock_effects(const ClockTurn *turn, LifeState to, Err *err);

#endif
