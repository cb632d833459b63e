/* decision_sheet.h - how many decisions of a model player were the model's own, and which model
 * that was, as its program tells when it ends and as the journal keeps it.
 *
 * For:    `warg bot --llm`, which prints it; the hall, which hears the programs that it started;
 *         the journal's notes, standings, results.
 * Memory: plain values; texts are appended to the caller's Buf.
 * Thread: pure.
 * Source: none of the published servers knows models; the share below which a result is doubtful
 *         is warg's own.
 *
 * The line is taken from the output of a program that warg itself has written the command of
 * (PlanAgent.tells), through a pipe that no other agent has.
 */
#ifndef WARG_STATS_DECISION_SHEET_H
#define WARG_STATS_DECISION_SHEET_H

#include "base/buf.h"
#include "base/model_figures.h"

#define DECISION_ERROR_MAX  200 /* bytes */
#define DECISION_MODEL_MAX  100
#define DECISION_SERVER_MAX 200

/* Which model, and where; both "" when nobody said so. */
typedef struct DecisionModel {
    char name[DECISION_MODEL_MAX + 1];
    char server[DECISION_SERVER_MAX + 1]; /* its address, which has no key in it */
} DecisionModel;

typedef struct DecisionSheet {
    uint64_t decisions;
    uint64_t own; /* of these; a rule took the others */
    ModelFigures figures;
    DecisionModel model;
    char error[DECISION_ERROR_MAX + 1]; /* the last one of its server, printable; "" = none */
} DecisionSheet;

#define OWN_SHARE_USUAL 90 /* percent */

/* False when less than OWN_SHARE_USUAL were its own. */
bool decisions_are_own(uint64_t own, uint64_t decisions);
/* The same of another share, 1 to 100 percent; 0 = the usual one. */
bool decisions_reach(uint64_t own, uint64_t decisions, uint32_t percent);

/* Keeps a model's name and its server's address: printable, on one line, cut. */
void decision_model_set(DecisionModel *model, Str name, Str server);
/* Keeps an error in the same way. */
void decision_sheet_set_error(DecisionSheet *sheet, Str error);

/* Appends "model decisions: 12 of 40 its own; figures: requests 44, prompt_tokens 9000; server
 * http://...; model small; its server's error: ..." without a line end; what is not known is left
 * out. */
void decision_sheet_write(const DecisionSheet *sheet, Buf *out);
/* Reads such a line. False, and nothing changed, for any other text. */
bool decision_sheet_read(Str line, DecisionSheet *ret_sheet);
/* What is in `whole` beyond what records of games have told; the model and its error as they are.
 */
DecisionSheet decision_sheet_beyond(const DecisionSheet *whole, const DecisionSheet *told);
/* The last line of these that is one. */
bool decision_sheet_find(Str lines, DecisionSheet *ret_sheet);

/* What the journal notes of an agent's seat in a set. */
typedef struct DecisionNote {
    uint32_t stage;
    uint64_t set;
    Str agent; /* borrowed from the text */
    DecisionSheet sheet;
} DecisionNote;

/* Appends "decisions in stage 0, set 3, of cold: model decisions: ...". */
void decision_note_write(const DecisionNote *note, Buf *out);
bool decision_note_read(Str text, DecisionNote *ret_note);

#endif
