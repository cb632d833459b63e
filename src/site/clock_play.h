/* clock_play.h - stages and testing rounds as the clock has them: begun by transitions, followed
 * each second, told as facts.
 *
 * For:    site/clock.c, clock_effects.c, clock_facts.c.
 * Memory: plain.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2, 8.1, 8.2.
 */
#ifndef WARG_SITE_CLOCK_PLAY_H
#define WARG_SITE_CLOCK_PLAY_H

#include "site/clock_turn.h"

/* The stage of the state `to` begins, in the transition's transaction. */
int clock_play_begin(const ClockTurn *turn, LifeState to, Err *err);

/* What is played goes on; in transactions of its own. Nothing without a spool. */
int clock_play_follow(const ClockTurn *turn, Err *err);

/* Whether the stage that is played is over, and whether nothing has decided who goes on. */
int clock_play_facts(const ClockTurn *turn, LifeFacts *facts, Err *err);

#endif
