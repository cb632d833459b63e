/* report_data.h - what a report says, read from results.db and added up; no page yet.
 *
 * For:    report.c. Its figures can be checked without reading HTML.
 * Memory: a ReportData owns everything; report_data_done frees it. What report_scores and
 *         report_versus return is the caller's, freed with mem_free.
 * Thread: one at a time.
 * Source: results/results.h (the tables); docs/statistics.md (the figures).
 *
 * Games are in the order of stage and number, which is the same whoever finished first. A seat
 * takes 6 bytes here, so that whatever is asked of a hundred thousand games is asked in memory and
 * the database is read once.
 */
#ifndef WARG_RESULTS_REPORT_DATA_H
#define WARG_RESULTS_REPORT_DATA_H

#include "base/digest.h"
#include "base/durations.h"
#include "base/key.h"
#include "record/fault.h"
#include "record/stage_number.h"
#include "results/results_groups.h"
#include "results/results_sessions.h"
#include "results/results_unowned.h"
#include "stats/decision_sheet.h"
#include "stats/standings.h"
#include "stats/strength.h"
#include "store/db.h"

#define REPORT_TEXT_MAX   159 /* bytes of a text of the plan; more is cut off */
#define REPORT_KEYS_BYTES ((size_t)STAGES_MAX * KEY_HEX_BYTES)

/* The plan as the journal has it; empty or 0 what it doesn't say. */
typedef struct ReportPlan {
    char contest[REPORT_TEXT_MAX + 1]; /* its name */
    char rules[REPORT_TEXT_MAX + 1];
    char seed[REPORT_KEYS_BYTES]; /* or keys of stages that are over, blanks between; a seed is
                                   * empty until all was played: it would tell the games to come */
    bool chosen;                  /* the seed: a number that somebody chose */
    char commitment[REPORT_KEYS_BYTES]; /* what `warg run --commit-seed` prints, for each stage */
    uint64_t games;
    bool complete;
    char cell[REPORT_TEXT_MAX + 1]; /* what programs ran in; empty = no program was started */
} ReportPlan;

typedef struct ReportStage {
    int64_t number;
    char name[REPORT_TEXT_MAX + 1]; /* may be empty */
    uint64_t min_games;             /* as in ResultsStage */
    uint64_t games;
} ReportStage;

typedef struct ReportAgent {
    char name[AGENT_NAME_MAX + 1];
    bool outside;          /* over a wire in some game, so that it has answer times */
    uint64_t seats;        /* taken over a wire */
    uint64_t ruled_void;   /* games that it played itself, and that somebody ruled void: none of
                            * these seats */
    uint64_t failed_seats; /* of those, where a substitute had to go on */
    uint64_t faults[FAULT_COUNT];
    uint64_t excesses;
    uint64_t excused; /* of these: beyond the grace too, but they had to wait so long */
    uint64_t waited_ms;
    uint64_t findings[FINDING_RULES];
    uint64_t decisions;                 /* of a model player; 0 for all others */
    uint64_t own;                       /* of these: the model's own */
    bool eliminated;                    /* by a ruling */
    char error[DECISION_ERROR_MAX + 1]; /* of its server, the last one */
    DecisionModel model;
    Durations times;
} ReportAgent;

typedef struct ReportGame {
    int64_t id;
    int64_t set;
    int64_t number;
    int64_t ended_ms;
    uint32_t log;        /* where its log's path begins in `texts` */
    uint32_t first_seat; /* index into seats */
    uint32_t first_mark; /* index into marks */
    uint16_t last_day;
    uint16_t log_bytes;
    uint16_t mark_count;
    uint8_t seat_count;
    Side winner;
    bool failed; /* has a failed seat */
    char reason[12];
} ReportGame;

typedef struct ReportSeat {
    uint16_t agent;
    Role role;
    Side side;
    bool won;
} ReportSeat;

/* A seat that failed or had a fault. */
typedef struct ReportMark {
    uint32_t game;
    uint16_t agent;
    SeatNo seat;
    bool failed;
    uint32_t faults[FAULT_COUNT];
} ReportMark;

/* A line of findings.jsonl: one of the first of its agent and rule. */
typedef struct ReportFinding {
    uint32_t agent;
    FindingRule rule;
    int64_t line;
    int64_t set;
    int64_t game; /* -1: behind the games of its set */
    int64_t day;
    uint32_t text; /* where it begins in `texts` */
    uint32_t text_bytes;
} ReportFinding;

/* One stage; open, for reading. */
typedef struct ReportData {
    ReportPlan plan;
    ReportStage *stages;   /* all that have games */
    uint32_t stage;        /* whose games these are: an index into stages; 0 when there are none */
    uint64_t games_of_all; /* stages together */
    struct ReportData *before; /* the stage before this one, if it was read; NULL = none */
    ReportAgent *agents;       /* in the order in which they first sat down */
    ReportGame *games;
    ReportSeat *seats; /* those of a game one behind the other; games in the order of their ids */
    ReportMark *marks;
    ReportFinding *findings; /* in the order of their agents' and rules' first lines */
    Buf texts;
    uint32_t stage_count, stage_room;
    uint32_t agent_count, agent_room;
    uint32_t game_count, game_room;
    uint32_t seat_count, seat_room;
    uint32_t mark_count, mark_room;
    uint32_t finding_count, finding_room;
    GroupTable models;     /* of its seats */
    GroupTable teams;      /* the same by whom seats count for: how they played */
    uint32_t own_share;    /* results_own_share */
    UnownedTable unowned;  /* why sets are not counted */
    SessionTable sessions; /* of MAW */
    uint32_t failed_games;
    SeatNo players_min; /* of any game */
    SeatNo players_max;
    uint32_t *places; /* hash table of names: 1 + index into agents; 0 = free */
    uint32_t place_count;
} ReportData;

/* Reads one stage of `db`: that of this number, or the last one that has games (stage < 0).
 * `data` is zeroed before.
 * Errors: ERR_IO; ERR_SYNTAX for a value that no journal can hold, ERR_LIMIT, ERR_MEMORY. */
int report_data_read(Db *db, int64_t stage, ReportData *data, Err *err);
/* The last stage with games, and behind its `before` those before it. Games of different stages
 * are never added together. Errors as above. */
int report_data_read_all(Db *db, ReportData *data, Err *err);
void report_data_done(ReportData *data); /* also for CLEANUP */

/* ---- added up ---- */

typedef struct ReportScore {
    uint32_t agent;
    uint32_t rank; /* 0 = not ranked */
    Tally all;
    Tally roles[ROLE_COUNT];
    Tally sides[SIDE_OTHERS + 1];
} ReportScore;

/* Every agent that sat in one of these games, in the order and with the ranks of standings_rank;
 * `without_failed` leaves out games with a failed seat. Errors: ERR_MEMORY. */
int report_scores(const ReportData *data, bool without_failed, ReportScore **ret_scores,
                  uint32_t *ret_count, Err *err);

/* How often agents[row] won when agents[column] was on another side, in games that a side won:
 * `count` rows of `count` cells. Each pair of seats counts once, so that an agent on several seats
 * counts for each; an agent has no games against itself.
 * Errors: ERR_MEMORY. */
int report_versus(const ReportData *data, const uint32_t *agents, uint32_t count, Tally **ret_cells,
                  Err *err);

/* Adds what `agent` did in the `games` games from index `first` on. */
void report_tally_add(const ReportData *data, uint32_t agent, uint32_t first, uint32_t games,
                      Tally *tally);

/* Strengths of the agents in these games; 1 when there are any, 0 when there is nothing to compare
 * or too much. *ret_rounds is the number of resamplings behind the intervals: fewer for many games.
 * Errors: ERR_MEMORY. */
int report_strength(const ReportData *data, Strength *strength, uint32_t *ret_rounds, Err *err);

#endif
