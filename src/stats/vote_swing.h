/* vote_swing.h - whose words move the others: what models would vote before and after a seat spoke.
 *
 * For:    web/mind_swing.c, which has the opinions of a game (--opinions) beside its lines.
 * Memory: plain values; inputs are borrowed for the call.
 * Thread: pure.
 * Source: docs/statistics.md, "Vote swing", which has the definition; the idea is that of the
 *         synthetic votes of Werewolf Arena (S. Bailis, J. Friedhoff, F. Chen, arXiv:2407.13943,
 *         2024), which asks all for a vote after each line.
 */
#ifndef WARG_STATS_VOTE_SWING_H
#define WARG_STATS_VOTE_SWING_H

#include "game/role.h"

/* One opinion of a game. */
typedef struct SwingOpinion {
    SeatNo seat; /* whose it is */
    SeatNo target;
    uint32_t lines; /* how many lines of the game it had heard; of one seat in ascending order */
} SwingOpinion;

/* What came of a seat's lines. A pair is two opinions in a row of one listener, between which this
 * seat alone spoke. */
typedef struct VoteSwing {
    uint64_t pairs;
    uint64_t swung;      /* of these: the target is another one */
    uint64_t to_wolf;    /* of the swung: from somebody else to a werewolf */
    uint64_t from_wolf;  /* from a werewolf to somebody else */
    uint64_t to_speaker; /* to the speaker itself */
} VoteSwing;

/* Adds the pairs of a game: `speakers[i]` said line i. Opinions of seats and of targets that there
 * are not, and lines beyond `line_count`, count for nothing. `ret` is by the speaker's seat. */
void vote_swing_add(const SeatNo *speakers, uint32_t line_count, const SwingOpinion *opinions,
                    size_t opinion_count, SeatSet wolves, VoteSwing ret[static SEAT_MAX + 1]);

/* The share of pairs that swung; 0 of none. */
double vote_swing_share(const VoteSwing *swing);

#endif
