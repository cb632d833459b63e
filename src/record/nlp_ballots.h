/* nlp_ballots.h - what the votes of a day in a log of the natural-language division can have led
 * to.
 *
 * For:    nlp_check: executions and attacks.
 * Memory: the lines are borrowed.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 4.3: ballots are held until one seat alone has the most votes,
 *         or so many were held; then chance decides among those with the most, or nobody is chosen.
 *
 * The log has the valid votes of one ballot behind those of another, each in seat order. Where
 * votes are missing, it may not be seen where a ballot ends: all divisions are tried.
 */
#ifndef WARG_RECORD_NLP_BALLOTS_H
#define WARG_RECORD_NLP_BALLOTS_H

#include "record/aiwolf_log.h"

/* Votes of one kind on one day. */
#define NLP_VOTES_MAX   4096
#define NLP_BALLOTS_ANY (UINT16_MAX - 1)

typedef struct NlpBallots {
    const LogLine *lines; /* at most NLP_VOTES_MAX */
    size_t count;
    SeatSet countable; /* votes for others are logged, and no votes */
    uint16_t max;      /* ballots at most */
} NlpBallots;

/* Whether `outcome` is what the votes led to: one of the top of a last ballot behind undecided
 * ones; SEAT_NONE when no ballot was decided. */
bool nlp_ballots_explain(const NlpBallots *ballots, SeatNo outcome);

/* Those with the most votes of the last ballot, when it is as long as it can be. */
SeatSet nlp_ballots_top(const NlpBallots *ballots);

#endif
