/* results.h - results.db: what a journal holds, in tables that can be asked.
 *
 * For:    `warg standings`, `warg report`, people with sqlite3 at hand. It can be thrown away: the
 *         journal is the truth and this is made from it at will.
 * Memory: nothing kept; a FaultTable owns its agents.
 * Thread: one at a time.
 * Source: docs/statistics.md; the journal is the truth, this is rebuilt from it at will.
 *
 *     stage(stage INTEGER PRIMARY KEY, name TEXT)
 *     game(id INTEGER PRIMARY KEY, stage INTEGER, set_number INTEGER, game INTEGER,
 *          ended_ms INTEGER, winner TEXT, reason TEXT, last_day INTEGER, players INTEGER,
 *          revote_days INTEGER, execution_days INTEGER, attacks INTEGER, attack_kills INTEGER,
 *          log TEXT, division TEXT, ruleset TEXT, name TEXT, began_ms INTEGER, void INTEGER, counts
 * INTEGER, deal INTEGER, unowned INTEGER, UNIQUE(stage, game))   -- deal: games with the same one,
 * of as many players, were dealt alike; NULL: no block; name: of a division whose games have one;
 * void: its match is played again, and only its faults count, 2: somebody ruled so when it was
 * over, and it is among those of min_games; counts: it is neither void nor a natural-language game
 * without a winner, and not unowned: of a set in which a model decided nothing itself, where the
 * plan's own_sets asks for it. seat(game_id INTEGER, seat INTEGER, agent TEXT, role TEXT, won
 * INTEGER, points INTEGER, outside INTEGER, failed INTEGER, timeout INTEGER, disconnect INTEGER,
 * malformed INTEGER, early INTEGER, violation INTEGER, excesses INTEGER, times TEXT, excused
 * INTEGER, waited_ms INTEGER, name TEXT, team TEXT, kind TEXT, model TEXT, decisions INTEGER, own
 * INTEGER, and the figures of base/model_figures.h, found_network INTEGER, found_write INTEGER,
 * found_process INTEGER, found_thread INTEGER, found_memory INTEGER, found_output INTEGER,
 * found_name INTEGER, votes INTEGER, wolf_votes INTEGER, mate_votes INTEGER, wolf_day_votes
 * INTEGER, hits INTEGER, executions INTEGER, wolf_executions INTEGER, first_executions INTEGER,
 *          wolf_first_executions INTEGER, survived INTEGER, true_claims INTEGER,
 *          false_claims INTEGER,             -- record/seat_play.h; NULL: not counted
 *          PRIMARY KEY(game_id, seat))   -- agent: whom it counts for, the team where teams play,
 *                                           else the agent; name: the agent
 *     decision(stage INTEGER, set_number INTEGER, agent TEXT, decisions INTEGER, own INTEGER,
 *          error TEXT, model TEXT, server TEXT, noted INTEGER, and those figures)
 *                                        -- of model players, a row for each seat and set
 *     finding(stage INTEGER, line INTEGER, set_number INTEGER, game INTEGER, day INTEGER,
 *          seat INTEGER, agent TEXT, rule TEXT, at_ms INTEGER, text TEXT)   -- the first lines of
 *                                           findings.jsonl of each agent, rule and stage; game
 *                                           NULL: behind the last one of its set
 *     meta(key TEXT PRIMARY KEY, value TEXT)      -- plan, journal_bytes, journal_crc,
 *                                                    complete, cell (what programs ran in)
 *
 * PRAGMA application_id says that it is of warg, user_version is RESULTS_SCHEMA.
 */
#ifndef WARG_RESULTS_RESULTS_H
#define WARG_RESULTS_RESULTS_H

#include "journal/journal.h"
#include "match/plan.h"
#include "record/stage_number.h"
#include "stats/trial.h"
#include "store/db.h"

#define RESULTS_FILE   "results.db"
#define RESULTS_SCHEMA 13

/* Opens the results of `path`: a folder (results.db is built first when it is not there, or not of
 * the journal as it is now, byte for byte; without a journal it is taken as it is) or a database
 * file. So a damaged line is told of though results.db is older and whole.
 * Errors: those of results_build; ERR_SYNTAX for a database of another program, ERR_USAGE for a
 * folder without journal and results. */
int results_open(const char *path, Db **ret_db, Err *err);

/* The same for who only looks: in a folder that can't be written the results are made apart, in a
 * database that goes when it is closed. */
int results_look(const char *path, Db **ret_db, Err *err);

/* Says that a value is none that a journal can hold; returns ERR_SYNTAX. */
int results_damaged(Err *err);

/* The stage of this name, or of this number. Errors: ERR_USAGE that lists those that there are. */
int results_stage(Db *db, Str text, int64_t *ret_stage, Err *err);

#define RESULTS_NAME_MAX (PLAN_NAME_MAX + 32) /* "preliminary, extra round 2" */

/* A stage that has games. */
typedef struct ResultsStage {
    int64_t number;
    char name[RESULTS_NAME_MAX + 1]; /* "" when the plan has none */
    uint64_t min_games;              /* that an agent plays itself to be ranked; 0 = any */
    uint64_t games;                  /* played */
} ResultsStage;

/* Those that have games, in their order; extra rounds follow the stage that they settle. */
int results_stages(Db *db, ResultsStage ret_stages[static STAGE_NUMBERS_MAX], uint32_t *ret_count,
                   Err *err);

/* Percent of its own decisions below which the contest warns of a model player, as
 * Plan.own_share; 0 also when no plan says it. */
int results_own_share(Db *db, uint32_t *ret_share, Err *err);

/* The games of one stage (or all: stage < 0) added up, with the plan's own_share; not ranked. */
int results_standings(Db *db, int64_t stage, Standings *standings, Err *err);

/* Gives the games of one stage (or all: stage < 0) to a test, set by set, and judges them: it ends
 * at the set at which it would have ended while they were played. Errors: those of sprt_add_game.
 */
int results_trial(Db *db, int64_t stage, Trial *trial, Err *err);

/* How many decisions of an agent were its own in a stage, all sets together, which model it was
 * and the last error of its server ("" = none). Borrowed for the call. */
typedef struct ResultsDecisions {
    Str agent;
    DecisionSheet sheet;
} ResultsDecisions;

/* A negative value ends it with that error. */
typedef int ResultsDecisionFn(void *user, const ResultsDecisions *decisions, Err *err);
int results_decisions(Db *db, int64_t stage, ResultsDecisionFn *hear, void *user, Err *err);

/* Names of those who were eliminated in the stage or before it; all stages: stage < 0. */
int results_eliminated(Db *db, int64_t stage, int (*hear)(void *user, Str agent, Err *err),
                       void *user, Err *err);

/* Who played in games that were ruled void, and did not fail in them: in how many; all stages:
 * stage < 0. They count for min_games (stats/standings.h). */
int results_ruled_void(Db *db, int64_t stage,
                       int (*hear)(void *user, Str agent, uint64_t games, Err *err), void *user,
                       Err *err);

/* ---- faults ---- */

/* What an outside agent did in all its games. */
typedef struct AgentFaults {
    char name[AGENT_NAME_MAX + 1];
    uint64_t games;  /* seats, as in standings */
    uint64_t failed; /* of these: a substitute had the seat, from some request on */
    uint64_t faults[FAULT_COUNT];
    uint64_t excesses;
    uint64_t excused; /* of these: beyond the grace too, but they had to wait so long */
    uint64_t waited_ms;
    uint64_t findings[FINDING_RULES];
    Durations times;
} AgentFaults;

/* Open, for reading; zero it before. */
typedef struct FaultTable {
    AgentFaults *agents; /* in the order of their names' bytes */
    size_t count;
    size_t room;
} FaultTable;

void fault_table_done(FaultTable *table); /* also for CLEANUP */

#define RESULTS_FOUND                                                                              \
    "found_network, found_write, found_process, found_thread, found_memory, found_output, "        \
    "found_name"

/* The agents of one stage (or all: stage < 0) that came over a wire. */
int results_faults(Db *db, int64_t stage, FaultTable *ret_table, Err *err);

#endif
