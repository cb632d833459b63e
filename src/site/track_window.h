/* track_window.h - when the main matches of a track are played.
 *
 * For:    site/track.c.
 * Memory: borrowed from the rules.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 9.
 */
#ifndef WARG_SITE_TRACK_WINDOW_H
#define WARG_SITE_TRACK_WINDOW_H

#include "site/track_turn.h"

/* The window of the track that is open now; NULL. */
const RulesWindow *track_window_open(const TrackTurn *turn, uint32_t track);
/* Whether one is open, or to come. */
bool track_window_left(const TrackTurn *turn, uint32_t track);

/* Tells of those that are over, each once. Errors: those of notice_put. */
int track_window_tell_closed(const TrackTurn *turn, uint32_t track, Err *err);

#endif
