/* track_rates.h - win rates of teams in a natural-language track, with the names of earlier
 *                 contests.
 *
 * For:    standings of tracks: pages, `warg contest scores`, the published folder.
 * Memory: a TrackRates owns its rows; track_rates_done frees them.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 9, O30; docs/spec/nlp-division.md 11.3 (which name means
 *         what, columns of the CSV).
 *
 * Only decided games count. Agents team-A and team-B are rows of their own; in the second table,
 * `together`, they are one.
 */
#ifndef WARG_JUDGING_TRACK_RATES_H
#define WARG_JUDGING_TRACK_RATES_H

#include "base/json.h"
#include "stats/win_rates.h"
#include "store/db.h"

typedef struct TrackRate {
    char name[AGENT_NAME_MAX + 1];
    Tally all;
    Tally roles[ROLE_COUNT];
    WinRates rates;
    double place; /* by `overall`, equal ones with the mean of theirs */
} TrackRate;

typedef struct TrackRates {
    TrackRate *rows; /* best first, equal ones by the bytes of names */
    uint32_t count;
} TrackRates;

void track_rates_done(TrackRates *rates); /* also for CLEANUP */

/* "team" of "team-A" and "team-B", else the name itself. */
Str track_rates_family(Str name);

/* Zero `ret_rates` before. Errors: those of db_step, ERR_MEMORY. */
int track_rates_read(Db *db, int64_t contest, Str track, bool together, TrackRates *ret_rates,
                     Err *err);

/* The same out of games that somebody else has read: adds what a name got in a role; `together`: as
 * one of its family. Errors: ERR_MEMORY. */
int track_rates_add(TrackRates *rates, Str name, Role role, Tally tally, bool together, Err *err);
/* Behind the last: rates, places, the order of rows. Errors: ERR_MEMORY. */
int track_rates_work_out(TrackRates *rates, Err *err);

/* Values of the open array: {"team","games","wins","overall","role_mean","role_weighted","place",
 * "roles":[{"role","games","wins"}]}. */
void track_rates_write(const TrackRates *rates, Json *json);
/* Team,BODYGUARD,...,WEREWOLF,BODYGUARD (%),...,WEREWOLF (%),TOTAL,Macro (%),Micro (%),
 * Weighted Micro (%): roles that were played, in the order of the alphabet. */
void track_rates_csv(const TrackRates *rates, Buf *out);

#endif
