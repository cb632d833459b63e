/* history_state.h - what is inside a History; private to history*.c and schedule.c.
 *
 * For:    the files that share its state: history.c changes it, history_file.c reads and writes it,
 *         history_analysis.c looks, history_recover.c has the games under way.
 * Memory: a History owns its arrays and names.
 * Thread: one at a time.
 * Source: docs/spec/nlp-division.md 2.5.
 */
#ifndef WARG_NLP_HISTORY_STATE_H
#define WARG_NLP_HISTORY_STATE_H

#include "nlp/history.h"

typedef struct HistoryEntry {
    HistoryMatch match;
    bool playing;
} HistoryEntry;

typedef struct HistoryName {
    char *bytes; /* NULL = the team isn't known yet; a known one may have the empty name */
    size_t len;
    bool left_out; /* not in the file */
} HistoryName;

typedef struct HistoryGame {
    HistoryMatch match;
    char *stem;
} HistoryGame;

/* ended_room >= ended_count + scheduled_count always, so that ending a match can't fail. */
struct History {
    HistoryPlan plan;
    HistoryName *teams; /* team_count of them */
    uint32_t team_known;
    HistoryEntry *scheduled;
    uint32_t scheduled_count;
    uint32_t scheduled_room;
    HistoryMatch *ended;
    uint32_t ended_count;
    uint32_t ended_room;
    HistoryGame *games; /* under way */
    uint32_t game_count;
    uint32_t game_room;
    uint64_t *void_games; /* of which a match is played again */
    uint32_t void_count;
    uint32_t void_room;
};

/* Without matches and names. Errors: ERR_RULE (schedule_check), ERR_MEMORY. */
int history_empty(const HistoryPlan *plan, History **ret_history, Err *err);
/* Room for so many more matches. Errors: ERR_LIMIT (HISTORY_MATCHES_MAX in all), ERR_MEMORY. */
int history_reserve(History *history, size_t matches, Err *err);
/* Behind the others; there must be room. */
void history_add_scheduled(History *history, const HistoryMatch *match);
void history_add_ended(History *history, const HistoryMatch *match);
/* Gives a team that has no name a copy of `name`. Errors: ERR_MEMORY. */
int history_set_name(History *history, uint32_t team, Str name, Err *err);
/* The team of this name, or -1. */
int32_t history_find(const History *history, Str name);

/* Room in the list of void games. Errors: ERR_MEMORY. */
int history_reserve_void(History *history, Err *err);

/* schedule.c: sorts by role, then team; compares in that order, without the weight. */
void history_match_sort(HistoryMatch *match);
int history_match_compare(const HistoryMatch *a, const HistoryMatch *b);

#endif
