/* track_qualify.h - the connection check of a track: who has played enough self matches.
 *
 * For:    the clock, site/track_view.c.
 * Memory: none is kept.
 * Thread: the store's; in the caller's transaction, if it has one.
 * Source: docs/spec/contest-operations.md 9.
 */
#ifndef WARG_SITE_TRACK_QUALIFY_H
#define WARG_SITE_TRACK_QUALIFY_H

#include "site/track_turn.h"

/* Decided self matches of a team without a seat in error. */
int track_self_matches(const TrackTurn *turn, int64_t team, Str track, int64_t *ret_count,
                       Err *err);

/* At FROZEN: who has qualified; who is out, and told. */
int track_qualify(const TrackTurn *turn, Err *err);

/* Teams that have qualified by now, of the track with the fewest; while OPEN too. */
int track_ready(const TrackTurn *turn, uint32_t *ret_teams, Err *err);

#endif
