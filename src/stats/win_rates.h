/* win_rates.h - the contest's three winning rates of one agent, from its results by role.
 *
 * For:    tables of standings, CSV, JSON, the report: the only place that works them out.
 * Memory: plain values.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 11.3; docs/statistics.md has a worked example.
 *
 *     overall (Macro)                      wins / games
 *     mean over roles (Micro)              sum of w[r]/g[r] / number of roles,  over roles r played
 *     weighted by roles (Weighted Micro)   sum of n[r] * w[r]/g[r] / sum of n[r],  over the same
 *
 * g and w are the agent's games and wins in a role, n all seats of that role in the games that are
 * counted: in games of one size that is the role pack, 1, 1, 1, 1, 6, 3 in the contest's 13
 * players. The contest calls Macro what machine learning calls micro, and the other way round.
 */
#ifndef WARG_STATS_WIN_RATES_H
#define WARG_STATS_WIN_RATES_H

#include "stats/standings.h"

typedef struct WinRates {
    double overall;
    double role_mean;
    double weighted;
} WinRates;

/* Seats of each role, of all agents together. Zero it first. */
typedef struct RoleSeats {
    uint64_t seats[ROLE_COUNT];
} RoleSeats;

/* Adds the seats of one agent. */
void role_seats_add(RoleSeats *all, const Tally roles[static ROLE_COUNT]);
RoleSeats role_seats_of(const Standings *standings);

/* All 0 for who played no game. */
WinRates win_rates(const Tally roles[static ROLE_COUNT], const RoleSeats *all);

#endif
