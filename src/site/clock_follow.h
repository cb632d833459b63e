/* clock_follow.h - what goes on inside of a state: lots are settled, sheets made, jobs put.
 *
 * For:    site/clock.c, at each tick, before it looks what follows.
 * Memory: plain.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 8.1, 8.2, 11.1.
 *
 * To add something: a function and a row in clock_follow.c; it is called each second in its state,
 * and does nothing where nothing is to be done.
 */
#ifndef WARG_SITE_CLOCK_FOLLOW_H
#define WARG_SITE_CLOCK_FOLLOW_H

#include "site/clock_turn.h"

/* In one transaction. Not for a contest that is paused. */
int clock_follow(const ClockTurn *turn, Err *err);

#endif
