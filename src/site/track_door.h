/* track_door.h - how a team's agents get into a track: its server's port, a token.
 *
 * For:    the API's pages of a team, site/track_server.c, site/track_view.c.
 * Memory: texts are borrowed.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 9; docs/spec/nlp-division.md 2 (token).
 */
#ifndef WARG_SITE_TRACK_DOOR_H
#define WARG_SITE_TRACK_DOOR_H

#include "disk/key_file.h"
#include "site/track_turn.h"

/* The key of all tracks' keys; drawn when there is none. Errors: ERR_IO, ERR_MEMORY. */
int track_tokens_key(const ContestHome *home, Key *ret_key, Err *err);

/* A token with which the team's agents play in the track until `ends_ms`; appended. Made of the
 * contest's secret, which is drawn when it is not there. Errors: ERR_IO, ERR_MEMORY. */
int track_token(const ContestHome *home, Str track, Str team, int64_t now_ms, int64_t ends_ms,
                Buf *token, Err *err);

/* Where a track's server is: its port. */
uint16_t track_port(const TrackTurn *turn, uint32_t track);

#endif
