/* clock_round.h - what teams hear of rounds that are over, and organisers of a machine that is too
 * busy.
 *
 * For:    site/clock_follow.c.
 * Memory: plain.
 * Thread: the store's. In the caller's transaction.
 * Source: docs/spec/contest-operations.md 6.7, 15.
 */
#ifndef WARG_SITE_CLOCK_ROUND_H
#define WARG_SITE_CLOCK_ROUND_H

#include "site/clock_turn.h"

/* OPEN, REVISION: each team that played in the last testing round hears once how it went. */
int clock_round_tell_testing(const ClockTurn *turn, Err *err);

/* Behind a stage: organisers hear once when more than about 1 % of its answers were excused,
 * because the machine was too busy. */
int clock_round_tell_busy(const ClockTurn *turn, Err *err);

/* A stage is over: each team hears its rank. */
int clock_round_tell_rank(const ClockTurn *turn, Str stage, Str team, uint32_t rank, uint64_t games,
                          uint64_t wins, Err *err);

#endif
