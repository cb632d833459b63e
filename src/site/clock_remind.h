/* clock_remind.h - deadlines 7 days, 1 day and 1 hour before, and what waits though its date is
 * over.
 *
 * For:    site/clock.c.
 * Memory: plain.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 15.
 */
#ifndef WARG_SITE_CLOCK_REMIND_H
#define WARG_SITE_CLOCK_REMIND_H

#include "site/clock_turn.h"

/* Of the deadline that ends the contest's state; who comes late hears of the nearest alone. Errors:
 * those of the store. */
int clock_remind(const ClockTurn *turn, Err *err);

/* Organisers hear once of each thing that keeps a date from leading on. */
int clock_tell_waiting(const ClockTurn *turn, const LifeStep *step, Err *err);

/* Tokens of scripts that end within a week. */
int clock_remind_tokens(Db *db, int64_t now_ms, Err *err);

#endif
