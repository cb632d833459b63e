/* track_notice.h - what a team and the organisers are told of its agents in a track.
 *
 * For:    site/track.c, site/track_import.c, site/judge_speech.c.
 * Memory: texts are borrowed.
 * Thread: the store's; in the caller's transaction.
 * Source: docs/spec/contest-operations.md 9, 15.
 */
#ifndef WARG_SITE_TRACK_NOTICE_H
#define WARG_SITE_TRACK_NOTICE_H

#include "site/contest_home.h"
#include "site/notice.h"

typedef struct TrackWord {
    NoticeKind kind; /* FAILING or ADDRESSED */
    int64_t team;
    Str name; /* of the team */
    Str text, japanese;
    Str mark; /* of two with one mark the first counts */
} TrackWord;

/* Tells both. Errors: those of notice_put; ERR_MEMORY. */
int track_tell(Db *db, const ContestHome *home, const TrackWord *word, int64_t now_ms, Err *err);

#endif
