/* track_turn.h - what the natural-language tracks of a contest are looked at with.
 *
 * For:    site/track*.c; the clock and the API make one.
 * Memory: everything is borrowed.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 9.
 */
#ifndef WARG_SITE_TRACK_TURN_H
#define WARG_SITE_TRACK_TURN_H

#include "site/contest_home.h"
#include "site/contest_rules.h"
#include "site/retry_waits.h"
#include "spool/spool.h"
#include "store/db.h"

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

#endif
