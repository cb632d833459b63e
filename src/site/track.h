/* track.h - natural-language tracks of a contest as time goes on: when a track's server runs.
 *
 * For:    the clock.
 * Memory: plain; texts are borrowed.
 * Thread: the store's. track_follow has a transaction of its own.
 * Source: docs/spec/contest-operations.md 9.
 *
 *   OPEN     the connection check: a job `nlp` for each track, self matches
 *   FROZEN   who has `self_matches` decided ones without a seat in error has QUALIFIED; others are
 *            OUT, and told
 *   FINAL    while a window of the track is open, and its schedule is not complete: a job `nlp`.
 *            A later window of the same track goes on with the same schedule
 *
 * An entrant is a team in a track: IN, QUALIFIED, OUT (track_entrant.h, track_qualify.h). Windows
 * are track_window.h's, the job and the files of a server track_server.h's, games
 * track_import.h's; who is told what is track_notice.h's, what pages show track_view.h's, how
 * agents get in track_door.h's.
 */
#ifndef WARG_SITE_TRACK_H
#define WARG_SITE_TRACK_H

#include "site/track_turn.h"

/* Takes over new games, puts and stops jobs, says who is away, tells of windows. Errors: those of
 * the store; a journal that can't be read is told once it is. */
int track_follow(const TrackTurn *turn, Err *err);

/* Whether all windows are over, or all schedules are complete, and no server runs. */
int track_over(const TrackTurn *turn, bool *ret_over, Err *err);

#endif
