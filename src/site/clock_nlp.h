/* clock_nlp.h - what the clock does and looks at in a natural-language contest: tracks, judging.
 *
 * For:    site/clock_follow.c, clock_facts.c, clock_effects.c.
 * Memory: plain.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 9, 10.
 */
#ifndef WARG_SITE_CLOCK_NLP_H
#define WARG_SITE_CLOCK_NLP_H

#include "site/clock_turn.h"

/* At each tick, paused or not. */
int clock_nlp_follow(const ClockTurn *turn, Err *err);
/* Teams that have qualified, windows that are over, sheets. */
int clock_nlp_facts(const ClockTurn *turn, LifeFacts *facts, Err *err);
/* OPEN-FROZEN: who has qualified. */
int clock_nlp_freeze(const ClockTurn *turn, LifeState to, Err *err);
/* Behind the last games and the last sheets: scores and win rates are written. */
int clock_nlp_publish(const ClockTurn *turn, LifeState to, Err *err);

#endif
