/* audit_judging_own.h - what the audit of a judging is made of: what the ledger says, games of
 *                       tracks as they counted at a moment, sheets, ratings.
 *
 * For:    audit_judging.c, audit_judged.c, audit_sheets.c, audit_scores.c.
 * Memory: a JudgingAudit owns its lists; texts of its tracks and models are in its arena.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 10, 11.5 (8).
 *
 * What follows from a key follows from what held when it was used: the contest file whose digest
 * the ledger had then, the games that were not void by then. So each question has a moment, which
 * is the number of an entry.
 */
#ifndef WARG_AUDIT_AUDIT_JUDGING_OWN_H
#define WARG_AUDIT_AUDIT_JUDGING_OWN_H

#include "audit/audit.h"
#include "base/arena.h"
#include "journal/journal.h"
#include "judging/judge_score.h"
#include "judging/sheets_plan.h"
#include "wire/json_read.h"

#define SHEETS_FILE  "judging/sheets.jsonl"
#define RATINGS_FILE "judging/ratings.jsonl"
#define SCORES_FILE  "judging/scores.json"

#define TRACKS_MAX         16
#define JUDGING_LINE_BYTES ((size_t)64 * 1024)
#define JUDGING_NEVER      UINT64_MAX

/* A decided game of a track. */
typedef struct JudgedGame {
    uint64_t number;
    char log[GAME_LOG_MAX + 1];
    PickGame seats; /* teams: in JudgedTrack.teams */
    Side winner;
    uint64_t void_from; /* entry of the ledger from which on it counts no more; UINT64_MAX: none */
} JudgedGame;

typedef char TeamName[AGENT_NAME_MAX + 1];

typedef struct JudgedTrack {
    Str name; /* of the contest's file */
    JudgedGame *games;
    uint32_t game_count;
    PickGame *picks;  /* of those that counted when sheets were drawn */
    uint32_t *picked; /* of each: in `games` */
    uint32_t pick_count, pick_teams;
    TeamName *teams; /* as they were met first */
    uint32_t team_count;
} JudgedTrack;

/* A line of sheets.jsonl that is as it has to be, with its ratings. */
typedef struct JudgedSheet {
    int64_t id;
    uint32_t track, game;
    uint32_t judge; /* number of J1, J2, ...; 0: a model */
    Str model;      /* of the contest's file */
    bool done;
    bool calibration;
    ScoreSheet score; /* criterion, repeat, order, ranks */
    SeatNo seat_count, rated;
} JudgedSheet;

typedef struct JudgingAudit {
    const char *dir;
    AuditVerdict *verdict;
    json_t **entries;
    size_t entry_count;
    Arena arena;     /* of the contest's file */
    Buf rules;       /* as they held when sheets were drawn */
    SheetsPlan plan; /* but for the track */
    Str models[SHEETS_MODELS_MAX];
    double min_tau; /* as it held when scores were worked out */
    uint64_t rated; /* the ledger's entry of these scores */
    JudgedTrack tracks[TRACKS_MAX];
    uint32_t track_count, track; /* that is looked at */
    Key key;
    JudgedSheet *sheets;
    size_t sheet_count;
    Buf text; /* of sheets.jsonl */
    Str rest;
    unsigned line;
    uint32_t *people; /* of the track's judges by their order: the n in Jn */
    uint32_t judge_count;
    uint32_t named; /* judges that have a sheet, so far */
    uint32_t planned;
} JudgingAudit;

/* ---- the ledger ---- */

/* The first, or last, entry of this type that says so; NULL = none. `member` NULL: any. */
const json_t *judging_first_entry(const JudgingAudit *audit, const char *type, const char *member,
                                  Str value);
const json_t *judging_last_entry(const JudgingAudit *audit, const char *type, const char *member,
                                 Str value);
uint64_t judging_entry_number(const json_t *entry);
unsigned judging_entry_line(const json_t *entry);

/* ---- what all do ---- */

bool judging_is_contradicted(const JudgingAudit *audit);
/* DIR/NAME; what can't be read is a contradiction. Errors: ERR_MEMORY. */
int judging_read_file(JudgingAudit *audit, const char *name, Buf *text, Err *err);
/* The order of names: by bytes. */
int judging_compare_names(Str a, Str b);
int judging_no_memory(Err *err);

/* ---- steps ---- */

/* The decided games of the track that is looked at, as its journal and the ledger have them; those
 * that counted before entry `drawn` are what sheets are drawn from. Errors: ERR_MEMORY, ERR_LIMIT.
 */
int judged_read_games(JudgingAudit *audit, uint64_t drawn, Err *err);
bool judged_counts(const JudgedGame *game, uint64_t moment);

/* Lines of sheets.jsonl against what key, games and contest file give. Errors: ERR_MEMORY. */
int judging_check_sheets(JudgingAudit *audit, Err *err);
/* Lines of ratings.jsonl: whole rankings of sheets that were handed in. Errors: ERR_MEMORY. */
int judging_check_ratings(JudgingAudit *audit, Err *err);
/* Scores, places, alpha, W, tau, win rates: the same bytes. Errors: ERR_MEMORY. */
int judging_check_scores(JudgingAudit *audit, Err *err);

#endif
