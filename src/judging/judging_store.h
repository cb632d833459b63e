/* judging_store.h - sheets and ratings in a contest's store: a judge's list, a blind sheet, drafts,
 *                   what is handed in.
 *
 * For:    the API's routes of judges, `warg contest sheets`, model judges' results.
 * Memory: a SheetRow owns its texts; sheet_row_done frees them.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 10.1, 10.2, 12.
 *
 * A sheet is a game, a criterion and a judge. Sheets are rated in an order: calibration first, then
 * game by game, of a game by criterion_place: what a later one shows would colour an earlier one.
 * So one is shown only when those of its game before it were handed in, and what was handed in
 * stays.
 *
 *   NEW -> DRAFT -> DONE                a person
 *   NEW -> DONE, or EMPTY               a model: no answer that could be used
 */
#ifndef WARG_JUDGING_JUDGING_STORE_H
#define WARG_JUDGING_JUDGING_STORE_H

#include "base/json.h"
#include "judging/criterion.h"
#include "store/db.h"

#define JUDGE_NONE        0
#define JUDGE_REASON_MAX  2000 /* bytes */
#define JUDGE_SCORE_MAX   5
#define JUDGE_SHEET_BYTES ((size_t)256 * 1024) /* of a body with ranks */

typedef enum SheetState {
    SHEET_NEW,
    SHEET_DRAFT,
    SHEET_DONE,
    SHEET_EMPTY,
    SHEET_STATES,
} SheetState;

typedef struct SheetRow {
    int64_t id, contest, game;
    int64_t judge; /* an account; JUDGE_NONE: a model */
    Buf track;
    Criterion criterion;
    SheetState state;
    bool calibration;
    bool counts;     /* its game, which may have been made void since */
    uint32_t repeat; /* of a model */
    Buf model;
    SeatNo seat_count;
    SeatNo order[SEAT_MAX]; /* seats, as the sheet shows them */
    Buf folder, log;        /* of the run, as seen from the contest's folder; of the game in it */
} SheetRow;

void sheet_row_done(SheetRow *row); /* also for CLEANUP; a zeroed one is fine */
/* "DRAFT"; "" for SHEET_STATES. */
const char *sheet_state_name(SheetState state);

/* How people rate. */
typedef enum SheetScale {
    SHEET_RANKS,  /* 1 = best, no ties */
    SHEET_SCORES, /* 1 to 5, 5 = best */
} SheetScale;

/* ---- looking ---- */

/* Errors: ERR_RULE when there is none; those of db_step, as everywhere here. */
int sheet_get(Db *db, int64_t sheet, SheetRow *ret_row, Err *err);
/* Sheets of a judge in the order in which they are rated; with JUDGE_NONE those of all. What `hear`
 * returns but 0 ends it. */
int sheet_each(Db *db, int64_t contest, int64_t judge,
               int (*hear)(void *user, const SheetRow *row, Err *err), void *user, Err *err);

/* {"id","criterion","track","state","calibration","filled","seats"}: the list of a judge, as values
 * of the open array. `filled`: seats that are rated so far. */
int sheet_list_write(Db *db, int64_t contest, int64_t judge, Json *json, Err *err);

/* The same members and those of sheet_view_write, "scale", and what the judge has put down so far,
 * "ranks":{"Minato":{"rank":1,"score":5,"reason":"..."}}, as members of the open object. `home`:
 * the contest's folder. Errors: ERR_RULE while sheets before it are not handed in; those of
 * judge_game_load and sheet_view_make. */
int sheet_write(Db *db, int64_t sheet, const char *home, SheetScale scale, bool japanese,
                Json *json, Err *err);

/* People's and models' sheets that are not handed in, for the life of the contest; calibration
 * counts, void games don't. */
int sheets_missing(Db *db, int64_t contest, uint32_t *ret_missing, Err *err);

/* Whether sheets may still be handed in. Errors: ERR_RULE when judging is over, or has not begun:
 * scores were made of what there was. */
int sheets_check_open(Db *db, int64_t contest, Err *err);

/* ---- rating ---- */

/* Puts down a draft: {"ranks":{"Minato":{"rank":1,"score":5,"reason":"..."}}}; it takes the place
 * of the one before, and may lack what is not decided yet. One transaction. Errors: ERR_RULE for a
 * name, rank or score that is none, a rank twice, a reason that is too long, a sheet that was
 * handed in or whose turn is not yet, and when judging is over; ERR_SYNTAX. Nothing has changed
 * then. */
int sheet_rate(Db *db, int64_t sheet, const char *home, SheetScale scale, Str body, int64_t now_ms,
               Err *err);
/* Hands in what was put down. Errors: ERR_RULE that names what is missing, or when judging is
 * over. */
int sheet_submit(Db *db, int64_t sheet, SheetScale scale, int64_t now_ms, Err *err);

/* What one seat got. */
typedef struct SheetRating {
    SeatNo seat;
    uint32_t rank;  /* 0 = none */
    uint32_t score; /* 0 = none */
    Str reason;     /* borrowed */
} SheetRating;

/* Takes the ratings of a model, or of paper, in the caller's transaction: all seats at once; none:
 * EMPTY. A sheet that was handed in stays as it is, as do all when judging is over; *ret_taken is
 * false then. */
int sheet_take(Db *db, const SheetRow *row, const SheetRating *ratings, SeatNo count,
               int64_t now_ms, bool *ret_taken, Err *err);
/* Hears those of a sheet, by seat. */
int sheet_ratings(Db *db, int64_t sheet,
                  int (*hear)(void *user, const SheetRating *rating, Err *err), void *user,
                  Err *err);

/* Where a sheet's game log is; NULL in *ret_json's place: no JSON log is looked for. */
void sheet_paths(const SheetRow *row, const char *home, Buf *ret_log, Buf *ret_json);

#endif
