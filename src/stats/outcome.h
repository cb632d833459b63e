/* outcome.h - who sat where, in which role, and which side won: what ratings are made of.
 *
 * For:    strength.h and sprt.h, which both ask how village and wolves fared with whom.
 * Memory: plain value.
 * Thread: any.
 * Source: docs/spec/protocol-division.md 3.7 (sides): POSSESSED is with the wolves; the fox is with
 *         neither, so its seat says nothing here and a game it wins is left out.
 */
#ifndef WARG_STATS_OUTCOME_H
#define WARG_STATS_OUTCOME_H

#include "base/err.h"
#include "game/role.h"

/* One game. Open. Agents are indices into a list that the caller keeps. */
typedef struct Outcome {
    uint64_t set; /* the set that the game belongs to; a game for itself has a number of its own */
    SeatNo seat_count;
    Side winner; /* SIDE_NONE: a draw or an aborted game */
    Role roles[SEAT_MAX + 1];
    uint16_t agents[SEAT_MAX + 1];
} Outcome;

/* How many seats have each role, as one number: villages of the same composition are equal. */
typedef uint64_t Composition;

/* Errors: ERR_RULE for a game that has too many seats, a seat without a role, or nobody on the
 * side of the village or of the wolves. */
int outcome_check(const Outcome *outcome, Err *err);

/* Of a game that was checked. */
Composition outcome_composition(const Outcome *outcome);
/* Whether the village or the wolves won; other games tell nothing about the two. */
bool outcome_decided(const Outcome *outcome);

/* How many seats have this role. */
unsigned composition_seats(Composition composition, Role role);
/* Seats of the village less seats of the wolves' side. */
int composition_lead(Composition composition);

/* 1 for a role of the village, -1 for one of the wolves' side, 0 for the fox. */
int outcome_sign(Role role);

#endif
