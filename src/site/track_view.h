/* track_view.h - what people see of a track: a team of its own agents, everybody of who plays.
 *
 * For:    the API's pages.
 * Memory: texts are borrowed.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 9; docs/contest-api.md.
 */
#ifndef WARG_SITE_TRACK_VIEW_H
#define WARG_SITE_TRACK_VIEW_H

#include "base/json.h"
#include "site/track_turn.h"

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
