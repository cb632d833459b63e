/* table.h - standings of a contest, from sums that are kept: as fast for a million games as for
 * ten.
 *
 * For:    the API's standings, pages, the ranking in the ledger.
 * Memory: what is written is the caller's.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 8.3; ranks: stats/standings.h, which the journal's own
 *         results follow, too.
 */
#ifndef WARG_SITE_TABLE_H
#define WARG_SITE_TABLE_H

#include "base/json.h"
#include "match/plan.h"
#include "stats/standings.h"
#include "store/db.h"

/* The figures of a stage ("testing" for all testing rounds), all sizes of tables together, ranked
 * with `min_games`; who is out of the contest (team.state) or eliminated is not. Errors: those of
 * the store. */
int site_standings_read(Db *db, int64_t contest, Str stage, uint64_t min_games,
                        Standings *ret_standings, Err *err);

/* An object
 * {"stages":["preliminary","final"],"stage":S,"games":N,"rows":[{"rank":1|null,"team","games",
 * "wins","rate","low","high","parts":[{"players","games","wins"}],"roles":[{"role","games","wins"}],
 * "faults","excesses","excused","eliminated":bool}]}, rows in the order of ranks, in which the
 * plan's min_games count once the stage is over. Without a stage (empty) the last that has games;
 * with none, "stage" is null. Errors: those of the store. */
int site_standings(Db *db, int64_t contest, const Plan *plan, Str stage, Json *json, Err *err);

#endif
