/* results_groups.h - what the seats of one agent, team, kind or model came to, added up.
 *
 * For:    `warg standings --by`, the report's table of models.
 * Memory: a GroupTable owns its groups.
 * Thread: one at a time.
 * Source: docs/statistics.md, "Tables of models".
 *
 * Games, wins, points, decisions and measures of play are those of games that count (results.h,
 * game.counts). Faults, answer times and tokens are those of all games: a game that is played again
 * took them, too. Decisions are also those of games that are unowned: they are why.
 */
#ifndef WARG_RESULTS_RESULTS_GROUPS_H
#define WARG_RESULTS_RESULTS_GROUPS_H

#include "results/results.h"
#include "stats/measures.h"

/* In the order of the option "--by model|team|kind|agent". */
typedef enum GroupBy {
    GROUP_BY_MODEL, /* seats that a model decided for; others are left out */
    GROUP_BY_TEAM,  /* whom a seat counts for: its team, else its agent */
    GROUP_BY_KIND,  /* bot, agent, model, person */
    GROUP_BY_AGENT, /* agents of a team each for itself */
    GROUP_BY_COUNT,
} GroupBy;

typedef struct ResultsGroup {
    char name[MODEL_NAME_MAX + 1];
    Tally all;
    Tally roles[ROLE_COUNT];
    int64_t points;
    uint64_t substituted; /* games that a substitute went on with */
    uint64_t faults;      /* of all kinds */
    uint64_t decisions;   /* of models */
    uint64_t own;         /* of these: the model's own */
    ModelFigures figures;
    Durations times;
    PlaySums play; /* of games that somebody won */
} ResultsGroup;

/* Open, for reading; zero it before. */
typedef struct GroupTable {
    ResultsGroup *groups; /* best winning rate first, then more games, then by name */
    size_t count;
    size_t room;
} GroupTable;

void group_table_done(GroupTable *table); /* also for CLEANUP */

/* The groups of one stage (or all: stage < 0). Errors: ERR_IO, ERR_SYNTAX for a value that no
 * journal can hold, ERR_MEMORY. */
int results_groups(Db *db, int64_t stage, GroupBy by, GroupTable *ret_table, Err *err);

#endif
