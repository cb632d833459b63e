/* track_entrant.h - teams in a track: they enter, leave and are away; who is in it.
 *
 * For:    site/track*.c, the API's pages of a team.
 * Memory: a list owns itself; texts are borrowed.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 9, 12 (`entrant`).
 */
#ifndef WARG_SITE_TRACK_ENTRANT_H
#define WARG_SITE_TRACK_ENTRANT_H

#include "site/team.h"
#include "site/track_turn.h"

/* ---- a team's will ---- */

/* A team enters a track, or leaves it; twice changes nothing. Errors: ERR_RULE for a track that the
 * contest does not have, and once tracks are closed (`open` false). */
int track_enter(Db *db, const SiteRules *rules, int64_t team, Str track, bool open, int64_t now_ms,
                Err *err);
int track_leave(Db *db, int64_t team, Str track, bool open, Err *err);

/* Hours in which no game of the track begins with the team; 0, 0: none. Errors: ERR_RULE when it is
 * not in the track, or from is not before to. */
int track_set_away(Db *db, int64_t team, Str track, int64_t from_ms, int64_t to_ms, Err *err);

/* ---- who is there ---- */

typedef struct Entrant {
    int64_t team;
    char name[TEAM_NAME_BYTES + 1];
    int64_t away_from, away_to; /* Unix ms; equal: never */
} Entrant;

typedef struct Entrants {
    Entrant *list;
    size_t count, room;
} Entrants;

void entrants_done(Entrants *entrants); /* also for CLEANUP */

/* Appends those of a track in a state ("IN", "QUALIFIED", "OUT") whose team is in the contest, by
 * name. Errors: those of the store; ERR_MEMORY. */
int entrants_read(const TrackTurn *turn, Str track, Str state, Entrants *entrants, Err *err);
int entrant_set_state(const TrackTurn *turn, int64_t team, Str track, Str state, Err *err);
/* Whether no game may begin with it now. */
bool entrant_is_away(const Entrant *entrant, int64_t now_ms);

#endif
