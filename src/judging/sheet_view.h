/* sheet_view.h - what a judge sees of a game for one criterion: who takes part, and its lines.
 *
 * For:    sheets on pages and paper, prompts of model judges.
 * Memory: a SheetView owns its lines; texts of the game are borrowed, so the game stays as long.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.1, O31.
 *
 * Blind: characters' names in the order that was drawn for this sheet and judge; no agents, teams,
 * seat numbers, ids, times; what the criterion hides is not there, nor can it be counted: lines
 * are numbered as they are shown. Whose agents speak is kept out of what they say (blind_text.h).
 */
#ifndef WARG_JUDGING_SHEET_VIEW_H
#define WARG_JUDGING_SHEET_VIEW_H

#include "base/json.h"
#include "judging/criterion.h"
#include "judging/quantities.h"

typedef enum SheetLineKind {
    SHEET_TALK,
    SHEET_WHISPER,
    SHEET_GONE,   /* is no longer there from this morning on */
    SHEET_DIVINE, /* and, where results are shown, what came of it */
    SHEET_MEDIUM, /* what the medium learnt of who was executed */
    SHEET_VOTE,
    SHEET_GUARD,
    SHEET_ATTACK, /* a werewolf's vote at night */
    SHEET_KINDS,
} SheetLineKind;

typedef struct SheetLine {
    uint32_t number; /* from 1 */
    uint16_t day;
    SheetLineKind kind;
    SeatNo seat;     /* who speaks or acts, who is gone */
    SeatNo target;   /* of an act */
    Species species; /* of a result; SPECIES_NONE: there is none, or it is not shown */
    size_t at, len;  /* of the text in `texts` */
} SheetLine;

/* Open, for reading; zero it before. */
typedef struct SheetView {
    const JudgeGame *game;
    Criterion criterion;
    SeatNo order[SEAT_MAX]; /* seats, in the order in which they are shown */
    SheetLine *lines;
    size_t count;
    size_t room;
    Buf texts;
    SeatQuantities quantities[SEAT_MAX + 1];
} SheetView;

/* `order`: every seat once. Errors: ERR_RULE for any other order, and for a log without characters
 * (of 2024), ERR_MEMORY. */
int sheet_view_make(const JudgeGame *game, Criterion criterion, const SeatNo *order,
                    SheetView *ret_view, Err *err);
void sheet_view_done(SheetView *view); /* also for CLEANUP */

Str sheet_line_text(const SheetView *view, const SheetLine *line);
/* "talk", "gone", ...; "" for SHEET_KINDS. */
const char *sheet_line_kind(SheetLineKind kind);

/* Members of the open object, as pages and scripts read them:
 *
 *   "criterion":"C", "text":{"en":"...","ja":"..."}, "grounds":{"en":"...","ja":"..."},
 *   "names":["Minato","Mei"],              in the order of this sheet
 *   "facts":{"Minato":["Seer","..."]},     role and profile where they are shown, what counts
 *                                          against; in the reader's language
 *   "lines":[{"line":17,"day":1,"kind":"talk","speaker":"Minato","text":"..."},
 *     {"line":18,"day":1,"kind":"vote","speaker":"Minato","target":"Mei","text":"Mei"}]
 *
 * Of an act `text` is whom it is for, and what was learnt. */
void sheet_view_write(const SheetView *view, bool japanese, Json *json);

/* One line as an object, as above. */
void sheet_line_write(const SheetView *view, const SheetLine *line, Json *json);

/* What is to be known of a seat, a text for each in `fact`: role, profile, what counts against it.
 */
void sheet_each_fact(const SheetView *view, SeatNo seat, bool japanese,
                     void (*fact)(void *user, Str text), void *user);

#endif
