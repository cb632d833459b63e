/* results_sql.h - the tables of results.db, as SQL; the formatter keeps its hands off.
 *
 * For:    results_build.c. Who changes a table counts RESULTS_SCHEMA up: older files are made anew.
 * Memory: texts of the program.
 * Thread: any.
 * Source: results/results.h says what is in them.
 */
#ifndef WARG_RESULTS_RESULTS_SQL_H
#define WARG_RESULTS_RESULTS_SQL_H

#include "results/results.h"

#define RESULTS_APPLICATION 0x57415247 /* "WARG"; PRAGMA application_id */

#define SQL_OF(macro)  SQL_OF2(macro)
#define SQL_OF2(value) #value

/* clang-format off */

/* The figures of models in the order of ModelFigure, each as `what` has it, commas between. */
#define RESULTS_FIGURES_OF(what)                                                                   \
    what("requests") "," what("repaired") "," what("refused") "," what("leaks") ","                \
    what("prompt_tokens") "," what("cached_tokens") "," what("reasoning_tokens") ","               \
    what("answer_tokens") "," what("opinion_off") ","                                              \
    RESULTS_BANDS_OF(what, "said") "," RESULTS_BANDS_OF(what, "wolves")
#define RESULTS_BANDS_OF(what, word)                                                               \
    what(word "_0") "," what(word "_10") "," what(word "_20") "," what(word "_30") ","             \
    what(word "_40") "," what(word "_50") "," what(word "_60") "," what(word "_70") ","            \
    what(word "_80") "," what(word "_90")
#define FIGURE_COLUMN(name) name " INT NOT NULL" /* a literal has at most 4095 bytes */
#define FIGURE_NAME(name)   " " name
#define FIGURE_SUM(name)    " sum(" name ")"

/* The file is of one process and is renamed when it is whole, so SQLite need not be careful. */
static const char results_schema_sql[] =
    "PRAGMA journal_mode = MEMORY;"
    "PRAGMA synchronous = OFF;"
    "PRAGMA application_id = " SQL_OF(RESULTS_APPLICATION) ";"
    "PRAGMA user_version = " SQL_OF(RESULTS_SCHEMA) ";"
    "BEGIN;"

    "CREATE TABLE stage("
    " stage INTEGER PRIMARY KEY,"
    " name TEXT) STRICT;"

    "CREATE TABLE game("
    " id INTEGER PRIMARY KEY,"
    " stage INTEGER NOT NULL,"
    " set_number INTEGER NOT NULL,"
    " game INTEGER NOT NULL,"
    " ended_ms INTEGER NOT NULL,"
    " winner TEXT NOT NULL,"
    " reason TEXT NOT NULL,"
    " last_day INTEGER NOT NULL,"
    " players INTEGER NOT NULL,"
    " revote_days INTEGER NOT NULL,"
    " execution_days INTEGER NOT NULL,"
    " attacks INTEGER NOT NULL,"
    " attack_kills INTEGER NOT NULL,"
    " log TEXT,"
    " division TEXT NOT NULL,"
    " ruleset TEXT NOT NULL,"
    " name TEXT NOT NULL,"
    " began_ms INTEGER NOT NULL,"
    " void INTEGER NOT NULL,"
    " counts INTEGER NOT NULL,"
    " deal INTEGER,"
    " unowned INTEGER NOT NULL,"
    " UNIQUE(stage, game)) STRICT;"

    "CREATE TABLE seat("
    " game_id INTEGER NOT NULL REFERENCES game(id),"
    " seat INTEGER NOT NULL,"
    " agent TEXT NOT NULL,"
    " role TEXT NOT NULL,"
    " won INTEGER NOT NULL,"
    " points INTEGER NOT NULL,"
    " outside INTEGER NOT NULL,"
    " failed INTEGER NOT NULL,"
    " timeout INTEGER NOT NULL,"
    " disconnect INTEGER NOT NULL,"
    " malformed INTEGER NOT NULL,"
    " early INTEGER NOT NULL,"
    " violation INTEGER NOT NULL,"
    " excesses INTEGER NOT NULL,"
    " times TEXT,"
    " excused INTEGER NOT NULL,"
    " waited_ms INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " team TEXT NOT NULL,"
    " kind TEXT NOT NULL,"
    " model TEXT NOT NULL,"
    " decisions INTEGER NOT NULL,"
    " own INTEGER NOT NULL,"
    " " RESULTS_FIGURES_OF(FIGURE_COLUMN) ","
    " found_network INTEGER NOT NULL,"
    " found_write INTEGER NOT NULL,"
    " found_process INTEGER NOT NULL,"
    " found_thread INTEGER NOT NULL,"
    " found_memory INTEGER NOT NULL,"
    " found_output INTEGER NOT NULL,"
    " found_name INTEGER NOT NULL,"
    " votes INTEGER,"
    " wolf_votes INTEGER,"
    " mate_votes INTEGER,"
    " wolf_day_votes INTEGER,"
    " hits INTEGER,"
    " executions INTEGER,"
    " wolf_executions INTEGER,"
    " first_executions INTEGER,"
    " wolf_first_executions INTEGER,"
    " survived INTEGER,"
    " true_claims INTEGER,"
    " false_claims INTEGER,"
    " PRIMARY KEY(game_id, seat)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE decision("
    " stage INTEGER NOT NULL,"
    " set_number INTEGER NOT NULL,"
    " agent TEXT NOT NULL,"
    " decisions INTEGER NOT NULL,"
    " own INTEGER NOT NULL,"
    " error TEXT NOT NULL,"
    " model TEXT NOT NULL,"
    " server TEXT NOT NULL,"
    " noted INTEGER NOT NULL,"
    " " RESULTS_FIGURES_OF(FIGURE_COLUMN) ") STRICT;"

    "CREATE TABLE ruling("
    " stage INTEGER NOT NULL,"
    " agent TEXT NOT NULL,"
    " rule TEXT NOT NULL,"
    " decision TEXT NOT NULL,"
    " reason TEXT NOT NULL,"
    " at_ms INTEGER NOT NULL) STRICT;"

    "CREATE TABLE finding("
    " stage INTEGER NOT NULL,"
    " line INTEGER NOT NULL,"
    " set_number INTEGER NOT NULL,"
    " game INTEGER,"
    " day INTEGER NOT NULL,"
    " seat INTEGER NOT NULL,"
    " agent TEXT NOT NULL,"
    " rule TEXT NOT NULL,"
    " at_ms INTEGER NOT NULL,"
    " text TEXT NOT NULL) STRICT;"

    "CREATE TABLE meta("
    " key TEXT PRIMARY KEY,"
    " value TEXT) STRICT, WITHOUT ROWID;";

/* Stages of which the plan has no name: extra rounds have that of the stage they belong to. */
static const char results_finish_sql[] =
    "INSERT OR IGNORE INTO stage"
    " SELECT DISTINCT stage, iif(stage < " SQL_OF(STAGES_MAX) ", NULL,"
    "  (SELECT name FROM stage AS own WHERE own.stage = game.stage % " SQL_OF(STAGES_MAX) ")"
    "  || ', extra round ' || (stage / " SQL_OF(STAGES_MAX) "))"
    " FROM game;"
    "COMMIT";

/* Whoever sat in the set played against a rule. stats/own_sets.h does the same while it is played. */
static const char results_unowned_sql[] =
    "UPDATE game SET counts = 0, unowned = 1 WHERE"
    " EXISTS (SELECT 1 FROM meta WHERE key = 'plan' AND json_valid(value)"
    "  AND value ->> '$.own_sets')"
    " AND (stage, set_number) IN (SELECT stage, set_number FROM decision"
    "  GROUP BY stage, set_number, agent HAVING sum(decisions) > 0 AND sum(own) = 0)";

/* clang-format on */

#endif
