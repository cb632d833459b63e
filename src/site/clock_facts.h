/* clock_facts.h - what is so in a contest now, for the guards of its life.
 *
 * For:    site/clock.c.
 * Memory: plain.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2.
 */
#ifndef WARG_SITE_CLOCK_FACTS_H
#define WARG_SITE_CLOCK_FACTS_H

#include "site/clock_turn.h"
#include "site/life.h"

/* Errors: those of the store. */
int clock_facts(const ClockTurn *turn, LifeFacts *ret_facts, Err *err);

#endif
