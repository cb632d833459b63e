/* track_server.h - the server of a track: the job that runs it, and the files by which it and the
 *                  site tell each other what is new.
 *
 * For:    site/track.c, site/track_view.c.
 * Memory: a row owns its texts.
 * Thread: the store's; in the caller's transaction, if it has one.
 * Source: docs/spec/contest-operations.md 9; runner/job_nlp.c writes status.json, reads away.json.
 */
#ifndef WARG_SITE_TRACK_SERVER_H
#define WARG_SITE_TRACK_SERVER_H

#include "base/buf.h"
#include "site/track_turn.h"
#include "wire/json_read.h"

/* The last job of a track. */
typedef struct TrackJobRow {
    bool there, open, main, complete, failed, stopped;
    Buf id;
} TrackJobRow;

void track_job_done(TrackJobRow *row); /* also for CLEANUP; a zeroed one is fine */

/* `row` is zeroed; it stays so when there was no job. Errors: those of the store. */
int track_job_last(const TrackTurn *turn, Str track, TrackJobRow *row, Err *err);
/* Puts one: of main matches, between those who have qualified, or of the connection check. Errors:
 * those of track_tokens_key and the store. */
int track_job_put(const TrackTurn *turn, uint32_t track, bool main, Err *err);

/* Teams that are not enough for one main match. */
typedef struct TrackLack {
    uint32_t teams; /* that have qualified, and are in the contest */
    uint32_t seats; /* of a match; 0: nothing lacks */
} TrackLack;

/* Whether main matches have to wait for more teams. Not once they are planned. A configuration that
 * can't be read lacks nothing here: the job says what is wrong with it. Errors: those of the store;
 * ERR_MEMORY. */
int track_server_lacks(const TrackTurn *turn, const RulesTrack *track, TrackLack *ret_lack,
                       Err *err);

/* Says who of those who have qualified is away now, in away.json, where that has changed;
 * `ret_any`: somebody is. Errors: those of the store; ERR_IO. */
int track_server_tell_away(const TrackTurn *turn, const RulesTrack *track, bool *ret_any, Err *err);

/* What a server that runs says of itself in status.json; NULL when none does. The caller's:
 * json_done. */
json_t *track_server_status(const TrackTurn *turn, Str track, bool main);

#endif
