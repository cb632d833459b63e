/* log_results.h - adds up who won, lost or failed, in which role, from game logs.
 *
 * For:    `-a` of the server (nlp/history_analysis.c).
 * Memory: the caller's struct; log_results_done frees.
 * Thread: one at a time; pure.
 * Source: docs/spec/nlp-division.md 2.7, "Log scan"; 8.2 (lines). Only status and result lines are
 *         looked at, so that logs of every generation are read, cut off ones too.
 */
#ifndef WARG_NLP_LOG_RESULTS_H
#define WARG_NLP_LOG_RESULTS_H

#include "base/err.h"
#include "game/role.h"

/* In seats: in a self match a team has several. games = wins + losses + no_result; errors are those
 * of the games in which the server had given up on the seat, however they ended. */
typedef struct RoleResults {
    uint32_t games;
    uint32_t wins;
    uint32_t losses;
    uint32_t no_result; /* winner NONE, or no result line */
    uint32_t errors;
} RoleResults;

typedef struct TeamResults {
    char *name;
    size_t name_len;
    RoleResults roles[ROLE_COUNT]; /* [ROLE_NONE]: all together */
} TeamResults;

/* Open for reading; zero it before. */
typedef struct LogResults {
    TeamResults *teams; /* sorted by name, bytewise */
    uint32_t count;
    uint32_t room;
    uint32_t games;   /* logs that were counted */
    uint32_t skipped; /* texts without a status line of day 0: nobody is known to have played */
} LogResults;

void log_results_done(LogResults *results); /* also for CLEANUP */

/* Counts one log. Errors: ERR_MEMORY, ERR_LIMIT (more than HISTORY_TEAMS_MAX teams). */
int log_results_add(LogResults *results, Str log, Err *err);

#endif
