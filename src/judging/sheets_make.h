/* sheets_make.h - makes the sheets of a track: which games, by whom, in which order of seats.
 *
 * For:    the clock, when judging begins; audits make them again from the same key.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 10.1, 10.2, 11.2.
 *
 * A game of a track is a row of `game` under a `run` whose stage is the track's name. Judges are
 * the accounts with the role `judge`, in the order of their numbers; nobody gets a game in which a
 * team of its own sits, with whatever letter behind it (team-A, team-B).
 */
#ifndef WARG_JUDGING_SHEETS_MAKE_H
#define WARG_JUDGING_SHEETS_MAKE_H

#include "judging/judging_store.h"
#include "judging/sheets_plan.h"

#define SHEETS_NO_TEAM "-"

/* Borrowed. */
typedef struct SheetsWish {
    int64_t contest;
    SheetsPlan plan;
} SheetsWish;

/* In the caller's transaction; twice makes nothing new. `ret_made`: sheets. Errors: those of
 * sheet_pick, sheet_assign, db_step. */
int sheets_make(Db *db, const SheetsWish *wish, int64_t now_ms, uint32_t *ret_made, Err *err);

/* Of each judge, in their order, the team that it may not judge, without -A or -B, or
 * SHEETS_NO_TEAM; with a space between. What audits need to assign again: it goes into the ledger.
 * Errors: those of db_step, ERR_MEMORY. */
int sheets_judges(Db *db, int64_t contest, Buf *out, Err *err);

#endif
