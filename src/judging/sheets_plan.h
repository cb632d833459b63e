/* sheets_plan.h - the sheets of a track as they follow from a key: which games, by whom, in which
 *                 order of seats.
 *
 * For:    judging/sheets_make.h, which puts them into a store; audits, which plan them again.
 * Memory: none is kept.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.1, 10.2, 11.5 (8).
 */
#ifndef WARG_JUDGING_SHEETS_PLAN_H
#define WARG_JUDGING_SHEETS_PLAN_H

#include "base/str.h"
#include "judging/criterion.h"
#include "judging/sheet_pick.h"

#define SHEETS_MODELS_MAX 8
/* Games that all judge first, of the first track. */
#define SHEETS_CALIBRATION 2
/* Where the contest's file does not say it. */
#define SHEETS_GAMES_DEFAULT   30
#define SHEETS_RATERS_DEFAULT  3
#define SHEETS_REPEATS_DEFAULT 3

/* Borrowed. */
typedef struct SheetsPlan {
    Str track;
    unsigned criteria;    /* bit: Criterion */
    uint32_t sheets;      /* games */
    uint32_t calibration; /* games that all judge first */
    uint32_t raters;
    const Str *models;
    uint32_t model_count;
    uint32_t repeats;      /* of each model */
    const Key *evaluation; /* the key of the stage `evaluation` */
} SheetsPlan;

/* What was played, and who judges. Borrowed. */
typedef struct SheetsPlace {
    const PickGame *games; /* decided ones, by their numbers */
    uint32_t game_count, team_count, judge_count;
    const bool *barred; /* [judge * game_count + game]: of its own team */
} SheetsPlace;

typedef struct PlannedSheet {
    uint32_t game;  /* of the place */
    uint32_t judge; /* below judge_count; else it is a model's */
    Criterion criterion;
    Str model;
    uint32_t repeat;
    bool calibration;
    SeatNo seat_count;
    SeatNo order[SEAT_MAX];
} PlannedSheet;

/* Hears the sheets in the order in which they are numbered: of a judge calibration first, of a game
 * by criterion_place; then those of models. What `hear` returns but 0 ends it. Errors: those of
 * sheet_pick and sheet_assign. */
int sheets_plan(const SheetsPlan *plan, const SheetsPlace *place,
                int (*hear)(void *user, const PlannedSheet *sheet, Err *err), void *user, Err *err);

#endif
