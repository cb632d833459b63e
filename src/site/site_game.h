/* site_game.h - a game of the store, by what its journal calls it, and where that is.
 *
 * For:    appeals, and rulings on games.
 * Memory: a SiteGame owns its texts; site_game_done frees them.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 12.
 */
#ifndef WARG_SITE_SITE_GAME_H
#define WARG_SITE_SITE_GAME_H

#include "base/buf.h"
#include "base/err.h"
#include "store/db.h"

typedef struct SiteGame {
    int64_t contest, set, number;
    Buf stage;  /* or the track's name */
    Buf folder; /* in the contest's, with the journal */
    Buf log, log_digest, exchange_digest;
    int64_t round; /* 0: of a stage or track; else one of testing, or of who is tied */
    bool counts;
    int64_t place; /* the byte of its journal at which its line begins; -1: not known */
} SiteGame;

void site_game_done(SiteGame *game); /* also for CLEANUP; a zeroed one is fine */

/* Errors: ERR_RULE when there is none of this number; those of db_step. */
int site_game_find(Db *db, int64_t id, SiteGame *ret_game, Err *err);

/* Whether the folder of a run is that of the main matches of a track (natural language). */
bool site_game_is_of_track(Str folder);

#endif
