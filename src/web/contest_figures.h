/* contest_figures.h - all that contest pages say of one folder, read once and kept.
 *
 * For:    the contest pages. A page is made of it without asking the disk again.
 * Memory: a ContestFigures owns everything; contest_figures_free frees it. What it gives is
 *         borrowed.
 * Thread: one at a time.
 * Source: docs/spec/web.md 7; results/report_data.h (the games), journal/journal.h (faults.jsonl,
 *         sets that have begun), nlp/history.h (the schedule of the natural-language division).
 *
 * Reading 100,000 games with 15 seats takes some seconds, all that is asked of them later some
 * hundredths. Only games whose lines the journal has are told of, so nothing of a game that runs.
 */
#ifndef WARG_WEB_CONTEST_FIGURES_H
#define WARG_WEB_CONTEST_FIGURES_H

#include "nlp/history.h"
#include "results/report_sections.h"

#define CONTEST_FAULTS_KEPT 200000 /* of a stage, listed one by one; the others are counted */

/* A line of faults.jsonl. */
typedef struct ContestFault {
    int64_t at_ms;
    int64_t elapsed_us; /* since the request */
    uint32_t game;      /* index into the stage's games */
    uint32_t request;   /* where it begins in `texts`, */
    uint32_t bytes;     /* ... and what came */
    uint16_t bytes_len;
    uint16_t agent;  /* index into the stage's agents */
    uint16_t day;    /* of the game */
    uint16_t number; /* of the faults of that day, from 1: see contest_fault_anchor */
    uint8_t request_len;
    SeatNo seat;
    FaultKind kind;
    bool fatal; /* a substitute had the seat from here on */
} ContestFault;

#define CONTEST_ANCHOR_MAX 24

/* A set: games with the same agents on the seats. */
typedef struct ContestSet {
    int64_t number;
    uint32_t games;  /* that were played */
    uint32_t agents; /* where their names begin in `texts`, a line each; in the order of seats */
    uint32_t agents_len;
    uint32_t first_game; /* index of one of them; UINT32_MAX = none yet */
} ContestSet;

/* A stage of the plan, whether it has games or not. */
typedef struct ContestStagePlan {
    char name[REPORT_TEXT_MAX + 1];
    uint64_t sets; /* 0 = not told */
    uint64_t games_per_set;
    uint64_t games;
} ContestStagePlan;

typedef struct ContestStage {
    ReportData data;
    ReportOrder order;
    ContestFault *faults; /* in the order of the file */
    uint32_t fault_count, fault_room;
    uint64_t faults_left_out; /* beyond CONTEST_FAULTS_KEPT */
    ContestSet *sets;         /* by their numbers */
    uint32_t set_count, set_room;
    Buf texts;
} ContestStage;

typedef struct ContestFigures {
    ContestStage *stages; /* those that have games, or one that has none; the last is the latest */
    uint32_t stage_count;
    ContestStagePlan plans[STAGES_MAX]; /* by number */
    uint32_t plan_count;
    History *schedule;     /* NULL = there is none */
    Buf dir;               /* the folder */
    int64_t last_ended_ms; /* of all games; 0 = none */
} ContestFigures;

/* What a folder's journal looked like: it has grown when they differ. */
typedef struct ContestMark {
    int64_t bytes;
    int64_t changed_ns;
    uint64_t file; /* its inode */
} ContestMark;

/* Of DIR/journal.jsonl, or of DIR/results.db where there is none; zeros for neither. */
ContestMark contest_mark_of(const char *dir);
bool contest_mark_same(ContestMark a, ContestMark b);

/* Which games are told of. */
typedef struct FiguresPart {
    int64_t until_ms; /* that ended by then; INT64_MAX = all */
    bool whole_sets; /* of sets that have all their games: figures of a part of a set would tell who
                      * sits where in the rest of it */
} FiguresPart;

/* Reads a folder; `part` = NULL: all of it. Errors: those of results_look and report_data_read. */
int contest_figures_read(const char *dir, const FiguresPart *part, ContestFigures **ret_figures,
                         Err *err);
ContestFigures *contest_figures_free(ContestFigures *figures); /* takes NULL, returns NULL */
void contest_figures_freep(ContestFigures **figures);

/* The stage of this number; the last one for -1; NULL = it has no games. */
const ContestStage *contest_figures_stage(const ContestFigures *figures, int64_t number);

/* The agent of this name in the stage; UINT32_MAX = there is none. */
uint32_t contest_stage_agent(const ContestStage *stage, Str name);

/* Writes the anchor of the moment, as record/game_doc.h names it: "d1f2", the second of day 1 at
 * asks that everybody knows of; "d1f.3.1", the first of seat 3 at others, which only the document
 * of all has: *ret_hidden. Of more than a document lists: that of the day. */
void contest_fault_anchor(const ContestStage *stage, const ContestFault *fault,
                          char ret_anchor[static CONTEST_ANCHOR_MAX], bool *ret_hidden);

/* The number by which an agent goes where names are hidden, from 1, the same in all stages; 0 =
 * nobody has this name. */
uint32_t contest_figures_number(const ContestFigures *figures, Str name);

/* Whether all of it may be known, what programs printed too: played to its end, its keys told. */
bool contest_figures_published(const ContestFigures *figures);

#endif
