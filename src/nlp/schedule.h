/* schedule.h - draws a schedule: who plays which role in which match, as evenly as can be.
 *
 * For:    nlp/history.c.
 * Memory: the caller's array.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 2.5, "Schedule generation" (its aim, not its way: that is
 *         free).
 */
#ifndef WARG_NLP_SCHEDULE_H
#define WARG_NLP_SCHEDULE_H

#include "nlp/history.h"

/* Seats of one match; 0 when there are none or more than SEAT_MAX. */
uint8_t schedule_seats(const HistoryPlan *plan);

/* ERR_RULE, with the reason, when no match can be made of this plan: no or too many seats, teams
 * or games, fewer teams than seats. */
int schedule_check(const HistoryPlan *plan, Err *err);

/* Fills `ret_matches`[0..game_count-1], each sorted by role, then team, with weight 1. In a match
 * each team sits once; how many games a team plays differs by at most 1; how often it plays a role
 * is near to what is its share. Integers only: the same `rng` gives the same schedule everywhere.
 * Errors: those of schedule_check, ERR_MEMORY. */
int schedule_draw(const HistoryPlan *plan, Rng *rng, HistoryMatch *ret_matches, Err *err);

/* How uneven a schedule is: the sum over teams and roles of the squared deviation from the share,
 * in units of 1 / team_count. UINT64_MAX without memory. And the least that it could be. */
uint64_t schedule_unevenness(const HistoryPlan *plan, const HistoryMatch *matches);
uint64_t schedule_least(const HistoryPlan *plan);

#endif
