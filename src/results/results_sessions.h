/* results_sessions.h - MAW sessions: their rounds, and what each player came to, decided by whom.
 *
 * For:    `warg standings --sessions`, the report's table of sessions.
 * Memory: a SessionTable owns its sessions.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 9; docs/statistics.md, "Tables of models".
 *
 * A round's id is SESSION-NUMBER. Rounds stand in the order of their folders: a session begins
 * where another id begins, or where the numbers begin anew: two sessions may have been given one
 * id.
 */
#ifndef WARG_RESULTS_RESULTS_SESSIONS_H
#define WARG_RESULTS_RESULTS_SESSIONS_H

#include "results/results.h"

typedef struct SessionRound {
    uint32_t number; /* from 1 */
    Side winner;
    uint16_t last_day;
} SessionRound;

typedef struct SessionPlayer {
    char name[AGENT_NAME_MAX + 1];
    char model[MODEL_NAME_MAX + 1]; /* "" = none, or not told */
    SeatKind kind;
    uint64_t rounds;
    uint64_t wins;
    int64_t points;
    uint64_t decisions; /* of a model */
    uint64_t own;
} SessionPlayer;

typedef struct ResultsSession {
    char id[GAME_ID_MAX + 1]; /* "" = none was given */
    int64_t began_ms;         /* its first round; 0 = not told */
    int64_t ended_ms;         /* its last */
    SessionRound *rounds;
    size_t round_count, round_room;
    SessionPlayer *players; /* most points first, then by name */
    size_t player_count, player_room;
} ResultsSession;

/* Open, for reading; zero it before. */
typedef struct SessionTable {
    ResultsSession *sessions;
    size_t count;
    size_t room;
} SessionTable;

void session_table_done(SessionTable *table); /* also for CLEANUP */

/* The sessions of one stage (or all: stage < 0). Errors: ERR_IO, ERR_SYNTAX for a value that no
 * journal can hold, ERR_MEMORY. */
int results_sessions(Db *db, int64_t stage, SessionTable *ret_table, Err *err);

/* How many rounds this side won. */
uint64_t session_won(const ResultsSession *session, Side side);

#endif
