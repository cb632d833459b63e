/* track_notice.h - what a team and the organisers are told of a track, and of its agents in it.
 *
 * For:    site/track*.c, site/judge_speech.c.
 * Memory: texts are borrowed.
 * Thread: the store's; in the caller's transaction.
 * Source: docs/spec/contest-operations.md 9, 15.
 *
 * Errors of all: those of notice_put; ERR_MEMORY.
 */
#ifndef WARG_SITE_TRACK_NOTICE_H
#define WARG_SITE_TRACK_NOTICE_H

#include "site/notice.h"
#include "site/track_entrant.h"
#include "site/track_server.h"
#include "wire/json_read.h"

typedef struct TrackWord {
    NoticeKind kind; /* FAILING or ADDRESSED */
    int64_t team;
    Str name; /* of the team */
    Str text, japanese;
    Str mark; /* of two with one mark the first counts */
} TrackWord;

/* Tells both. */
int track_tell(Db *db, const ContestHome *home, const TrackWord *word, int64_t now_ms, Err *err);

/* A team has not qualified: it alone. */
int track_tell_out(const TrackTurn *turn, const Entrant *entrant, const RulesTrack *track,
                   int64_t played, Err *err);
/* A window is open, or over: all teams and the organisers, once. */
int track_tell_window(const TrackTurn *turn, const RulesTrack *track, const RulesWindow *window,
                      bool opens, Err *err);

/* Main matches wait for more teams: organisers, once. */
int track_tell_lack(const TrackTurn *turn, const RulesTrack *track, const TrackLack *lack,
                    Err *err);

/* Of what a track's server says of itself (track_server.h; NULL: nothing): */

/* Teams that are waited for are told, once a window; organisers, too. */
int track_tell_awaited(const TrackTurn *turn, const RulesTrack *track, const RulesWindow *window,
                       const json_t *status, Err *err);
/* Teams that it has put behind the others, once each time; organisers, too. */
int track_tell_quarantined(const TrackTurn *turn, const RulesTrack *track, const json_t *status,
                           Err *err);

#endif
