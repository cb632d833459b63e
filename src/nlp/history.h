/* history.h - the schedule of an optimizer contest: what is to be played, by whom in which roles,
 *             what was decided.
 *
 * For:    matching with is_optimize; `-a` and `-r` of the server; progress.
 * Memory: a History owns all; texts it gives are borrowed until it changes.
 * Thread: one at a time. Pure but for history_load, history_save and the lock.
 * Source: docs/spec/nlp-division.md 2.3 to 2.5, 2.7; the file of the Go server is continued, and it
 *         could continue ours.
 */
#ifndef WARG_NLP_HISTORY_H
#define WARG_NLP_HISTORY_H

#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "game/role.h"

#define HISTORY_TEAMS_MAX   1024
#define HISTORY_MATCHES_MAX 1000000

/* Team indices by seat of the role pack: roles[i] is played by teams[i]. Sorted by role, then team:
 * its identity. */
typedef struct HistoryMatch {
    uint8_t count;
    uint8_t roles[SEAT_MAX]; /* Role */
    uint16_t teams[SEAT_MAX];
    double weight; /* of a scheduled one */
} HistoryMatch;

typedef struct HistoryPlan {
    uint8_t role_counts[ROLE_COUNT];
    uint32_t team_count;
    uint32_t game_count;
    bool infinite_loop;
} HistoryPlan;

typedef struct History History;

/* A new schedule; chance from `rng` (2.5, "Schedule generation"). Errors: ERR_RULE when a match has
 * more seats than there are teams, ERR_MEMORY. */
int history_new(const HistoryPlan *plan, Rng *rng, History **ret_history, Err *err);
/* One that was saved; its plan wins over the configuration's (2.5).
 * Errors: ERR_SYNTAX, ERR_RULE (team index without a place, wrong role counts), ERR_LIMIT. */
int history_read(Str json, History **ret_history, Err *err);
int history_load(const char *path, History **ret_history, Err *err);
void history_write(const History *history, Buf *out);
/* To a temporary file in the same directory, fsync, rename, fsync of the directory. */
int history_save(const History *history, const char *path, Err *err);
/* Keeps other servers, and -r, away from a schedule that is played: holds PATH.lock until
 * history_unlock, which takes -1 for none. Errors: ERR_IO. */
int history_lock(const char *path, int *ret_lock, Err *err);
void history_unlock(const char *path, int lock);
History *history_free(History *history);
void history_freep(History **history);

const HistoryPlan *history_plan(const History *history);
uint32_t history_team_known(const History *history);
/* `team` < team_count; bytes is NULL for a team that isn't known yet: a known one may have the
 * empty name (2.1). */
Str history_team_name(const History *history, uint32_t team);
uint32_t history_scheduled_count(const History *history);
const HistoryMatch *history_scheduled(const History *history, uint32_t index);
uint32_t history_ended_count(const History *history);
const HistoryMatch *history_ended(const History *history, uint32_t index);

/* The team's index; registers it while fewer than team_count are known. -1 = there are enough
 * others: it is not of this contest. *ret_new: it was registered now (the file has to be saved). */
int32_t history_team(History *history, Str name, bool *ret_new);

/* No match with this team is chosen while it is left out; the file does not say so. */
void history_leave_out(History *history, uint32_t team, bool left_out);
/* A team of it is left out. */
bool history_is_skipped(const History *history, const HistoryMatch *match);
/* The scheduled matches that are skipped, but for those that are being played. */
uint32_t history_skipped_count(const History *history);

/* infinite_loop is set, and no scheduled match has a weight above 0 that is neither being played
 * nor skipped. */
bool history_is_used_up(const History *history);
/* Then makes another schedule; true when it did. */
bool history_extend(History *history, Rng *rng);

/* Which scheduled match to play now (2.5, steps 3 to 5), or -1. present[t]: team t has a connection
 * waiting; weight[t]: its team weight; quarantined[t]. Arrays of team_count; `weight` and
 * `quarantined` may be NULL. Matches that are being played are left out; one with a quarantined
 * team is taken when no other can be played now. */
int64_t history_choose(const History *history, const bool *present, const double *weight,
                       const bool *quarantined);
/* It is being played from now on, until one of the two below. Indices change when one ends: keep a
 * copy of the match. */
void history_begin(History *history, uint32_t index);
/* A game of this match was decided, or a day-limit draw: it is moved to the ended ones. It must be
 * one that is being played. */
void history_end(History *history, const HistoryMatch *match);
/* A game of it had no winner: its weight is multiplied; it waits again. */
void history_abort(History *history, const HistoryMatch *match, double factor);

/* The game of number `game` in the journal, which ended this match, was made void: the match is
 * moved back to the scheduled ones. *ret_moved: false when there is no such match among the ended
 * ones. The file has the numbers, as `warg_void`: each match is moved back once. Errors:
 * ERR_MEMORY, and nothing has changed. */
int history_replay(History *history, const HistoryMatch *match, uint64_t game, bool *ret_moved,
                   Err *err);
bool history_is_replayed(const History *history, uint64_t game);
/* The match of this order of teams by name, and roles. False: a team is none of the schedule's, or
 * it is no match of its kind. */
bool history_match_of(const History *history, SeatNo count, const Str *teams, const Role *roles,
                      HistoryMatch *ret_match);

/* Games whose outcome the file does not have yet, with the stem of their logs: who finds the file
 * after a kill looks there (history_recover.h). The key `warg_playing`; the Go server passes it
 * over. A game is noted before its logs are opened, and dropped in the save that has its outcome.
 * Errors: ERR_MEMORY. */
int history_note_game(History *history, const HistoryMatch *match, Str stem, Err *err);
void history_drop_game(History *history, Str stem); /* one that is not there is no matter */
uint32_t history_game_count(const History *history);
Str history_game_stem(const History *history, uint32_t index);
const HistoryMatch *history_game_match(const History *history, uint32_t index);

/* -r (2.7): takes from `history`'s scheduled matches those that `done` has ended (as multisets, by
 * team name), and says how many. Errors: ERR_MEMORY. */
int history_reduce(History *history, const History *done, uint32_t *ret_removed, Err *err);

/* -a: how often each team is to play, and has played, each role, as a table for people; with the
 * results found in the game logs of `log_dir` (NULL = none). A directory that can't be read, or
 * holds no logs yet, is a sentence of the output. Errors: ERR_LIMIT, ERR_MEMORY. */
int history_analyse(const History *history, const char *log_dir, bool json, Buf *out, Err *err);

#endif
