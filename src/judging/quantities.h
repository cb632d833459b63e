/* quantities.h - what can be measured of how a seat talks, by seat and game.
 *
 * For:    sheets (what counts against a player), tables of a natural-language contest.
 * Memory: plain values; the game is borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 9, "Measured quantities". Character trigrams and their
 *         Jaccard index: A. Z. Broder, "On the resemblance and containment of documents" (1997);
 *         distinct 1- and 2-grams: J. Li et al., "A diversity-promoting objective function for
 *         neural conversation models" (2016).
 *
 *   line      an utterance of talk that is neither Skip nor Over
 *   repeated  equal to an own earlier line of the game when folded (letters in one case, no blanks
 *             and no marks), or nearly: the Jaccard index of character trigrams is 0.9 or more
 *   unknown   a name behind @ that is no character's; in Japanese also a run of katakana before
 *             -san, -kun, -chan or -sama. Each line counts once
 *   cut       longer before the limits of length; the JSON log tells, but not of speak-anytime
 *   mention   a line with @NAME of somebody else who speaks later that day; answered when the
 *             addressee's next line has the asker's name. Counted for the addressee
 *   grams     words; every character of a script without blanks is one
 *   suspect   the last vote of a day, for somebody whom the voter had named that day in a line with
 *             a word of suspicion
 */
#ifndef WARG_JUDGING_QUANTITIES_H
#define WARG_JUDGING_QUANTITIES_H

#include "judging/judge_game.h"

typedef struct SeatQuantities {
    uint32_t utterances;            /* lines, Skip and Over */
    uint32_t passes;                /* of these Skip and Over */
    uint32_t repeated;              /* lines */
    uint32_t unknown;               /* lines */
    uint32_t cut;                   /* lines */
    uint32_t mentioned;             /* times that somebody asked it */
    uint32_t answered;              /* of these */
    uint32_t grams[2], distinct[2]; /* 1- and 2-grams, and how many different ones */
    uint32_t votes;
    uint32_t suspects; /* of these */
} SeatQuantities;

/* ret[1..seat_count]. Errors: ERR_MEMORY. */
int quantities_measure(const JudgeGame *game, SeatQuantities ret[static SEAT_MAX + 1], Err *err);

/* Adds one to another. */
void quantities_add(SeatQuantities *sum, const SeatQuantities *more);

/* A share of them, 0 when there is nothing to share. */
static inline double quantity_share(uint32_t part, uint32_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

#endif
