/* track.h - natural-language tracks of a contest: which teams play in them, who has qualified, when
 *           a track's server runs, who is connected.
 *
 * For:    the clock, the API's pages of a team, `warg contest`.
 * Memory: plain; texts are borrowed.
 * Thread: the store's. All but track_follow in the caller's transaction, if it has one.
 * Source: docs/spec/contest-operations.md 9.
 *
 *   OPEN     the connection check: a job `nlp` for each track, self matches
 *   FROZEN   who has `self_matches` decided ones without a seat in error has QUALIFIED; others are
 *            OUT, and told
 *   FINAL    while a window of the track is open, and its schedule is not complete: a job `nlp`.
 *            A later window of the same track goes on with the same schedule
 *
 * An entrant is a team in a track: IN, QUALIFIED, OUT.
 */
#ifndef WARG_SITE_TRACK_H
#define WARG_SITE_TRACK_H

#include "base/json.h"
#include "site/contest.h"
#include "site/contest_home.h"
#include "site/retry_waits.h"
#include "spool/spool.h"

/* What tracks of a contest are looked at with. */
typedef struct TrackTurn {
    Db *db;
    ContestHome home;
    const SiteRules *rules;
    LifeState state;
    bool paused;
    Spool *spool;      /* NULL: nothing is stopped */
    Str host;          /* that servers listen on; empty = 127.0.0.1 */
    uint16_t port;     /* of the site; tracks have those behind it; 0 = any free one */
    RetryWaits *waits; /* of jobs that failed; NULL: they are put again at once */
    int64_t now_ms;
} TrackTurn;

/* ---- teams ---- */

/* A team enters a track, or leaves it; twice changes nothing. Errors: ERR_RULE for a track that the
 * contest does not have, and once tracks are closed (`open` false). */
int track_enter(Db *db, const SiteRules *rules, int64_t team, Str track, bool open, int64_t now_ms,
                Err *err);
int track_leave(Db *db, int64_t team, Str track, bool open, Err *err);

/* Hours in which no game of the track begins with the team; 0, 0: none. Errors: ERR_RULE when it is
 * not in the track, or from is not before to. */
int track_set_away(Db *db, int64_t team, Str track, int64_t from_ms, int64_t to_ms, Err *err);

/* A token with which the team's agents play in the track until `ends_ms`; appended. Made of the
 * contest's secret, which is drawn when it is not there. Errors: ERR_IO, ERR_MEMORY. */
int track_token(const ContestHome *home, Str track, Str team, int64_t now_ms, int64_t ends_ms,
                Buf *token, Err *err);

/* Where a track's server is: its port. */
uint16_t track_port(const TrackTurn *turn, uint32_t track);

/* ---- as time goes on ---- */

/* Takes over new games, puts and stops jobs, says who is away, tells of windows. Errors: those of
 * the store; a journal that can't be read is told once it is. */
int track_follow(const TrackTurn *turn, Err *err);

/* At FROZEN: who has qualified, who is out. */
int track_qualify(const TrackTurn *turn, Err *err);

/* Teams that have qualified for a track by now; while OPEN too. */
int track_ready(const TrackTurn *turn, uint32_t *ret_teams, Err *err);

/* Whether all windows are over, or all schedules are complete, and no server runs. */
int track_over(const TrackTurn *turn, bool *ret_over, Err *err);

/* ---- looking ---- */

/* "tracks":[{"track","state","qualified":3,"needed":5,"url":"ws://host:port/ws","port",
 * "connected":["ann1"],"closed":{"code":1008,"words":"...","why":"...","at"}|absent,
 * "away":{"from","to"}|absent}] of a team, as a member of the open object. */
int track_team_write(const TrackTurn *turn, int64_t team, Str public_host, bool japanese,
                     Json *json, Err *err);

/* Who waits and who is awaited, by teams alone, as members of the open object; nothing is there
 * while no server runs: {"track","open":true,"waiting":["ann"],"awaited":["bo"],"progress":{...}}.
 */
int track_waiting_write(const TrackTurn *turn, Str track, Json *json, Err *err);

/* What a close code says, a sentence with the usual cause. */
const char *track_close_words(int code, bool japanese);

#endif
