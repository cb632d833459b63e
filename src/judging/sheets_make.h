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

#include "base/key.h"
#include "judging/judging_store.h"

#define SHEETS_MODELS_MAX 8

/* Borrowed. */
typedef struct SheetsWish {
    int64_t contest;
    Str track;
    unsigned criteria;    /* bit: Criterion */
    uint32_t sheets;      /* games */
    uint32_t calibration; /* games that all judge first */
    uint32_t raters;
    const Str *models;
    uint32_t model_count;
    uint32_t repeats;      /* of each model */
    const Key *evaluation; /* the key of the stage `evaluation` */
} SheetsWish;

/* In the caller's transaction; twice makes nothing new. `ret_made`: sheets. Errors: those of
 * sheet_pick, sheet_assign, db_step. */
int sheets_make(Db *db, const SheetsWish *wish, int64_t now_ms, uint32_t *ret_made, Err *err);

#endif
