/* opinion_score.h - what the opinions of model players were worth: how sure they were, against who
 * was a wolf.
 *
 * For:    a MAW table, which asks for opinions and knows the roles at a round's end.
 * Memory: plain value; zero is the empty one.
 * Thread: pure.
 * Source: G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly
 *         Weather Review 78 (1950), 1-3; for an event that is or is not so, half of his sum, as is
 *         usual today. docs/statistics.md, "Opinions".
 */
#ifndef WARG_STATS_OPINION_SCORE_H
#define WARG_STATS_OPINION_SCORE_H

#include "base/json.h"
#include "base/model_figures.h"

#include <stdbool.h>

typedef struct OpinionScore {
    uint64_t count;
    uint64_t hits; /* of these: the one was a wolf */
    uint64_t sum;  /* of (percent - 100 or 0)^2: whole numbers, so that order does not matter */
    /* The same by how sure they said to be: 0 to 9 percent, 10 to 19, ... 90 to 100. */
    uint64_t said[OPINION_BANDS];
    uint64_t wolves[OPINION_BANDS];
} OpinionScore;

/* An opinion, `percent` sure (0..100; more counts as 100) of somebody who was a wolf or not. */
void opinion_score_add(OpinionScore *score, uint32_t percent, bool was_wolf);
/* All of `more` too. */
void opinion_score_join(OpinionScore *score, const OpinionScore *more);
/* The Brier score: the mean of (p - o)^2, from 0 (always sure and right) to 1 (always sure and
 * wrong); who always says 50 % has 0.25. 0 without opinions. */
double opinion_score_brier(const OpinionScore *score);

/* Adds to an object that is open "count", "wolves", "brier" and "calibration". */
void opinion_score_write(const OpinionScore *score, Json *json);
/* [{"from":0,"to":9,"opinions":3,"wolves":1},...]: of how many that said so the one was a wolf. */
void opinion_calibration_write(const OpinionScore *score, Json *json);

/* What records of games have of it, both ways. */
void opinion_score_put(const OpinionScore *score, ModelFigures *figures);
OpinionScore opinion_score_of(const ModelFigures *figures);

#endif
