/* judge_score.h - what judges' ratings come to: scores of teams by criterion, how far judges agree,
 *                 how models compare with people.
 *
 * For:    a contest's scores; audits, which work them out again from the ratings.
 * Memory: borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.3, 10.4.
 *
 *   seat    mean rank over people, or over a model's repeats, as (rank - 1) / (n - 1): 0 is best
 *   team    mean over its seats; 95 % interval by the bootstrap over games, 2,000 samples
 *   total   mean of the team's places over criteria, with the place by win rate when there is one
 *
 * People and each model stay apart. Calibration games count for agreement alone.
 */
#ifndef WARG_JUDGING_JUDGE_SCORE_H
#define WARG_JUDGING_JUDGE_SCORE_H

#include "base/err.h"
#include "base/json.h"
#include "judging/criterion.h"

#define SCORE_DRAWS 2000
/* A win rate that is not known. */
#define SCORE_NO_RATE (-1.0)

typedef struct ScoreGame {
    SeatNo seat_count;
    bool calibration;
    uint32_t team[SEAT_MAX + 1]; /* [1..seat_count]; UINT32_MAX: of nobody that counts */
} ScoreGame;

typedef struct ScoreRater {
    Str name; /* "J1", or the model's */
    bool model;
} ScoreRater;

/* A sheet that was handed in. */
typedef struct ScoreSheet {
    uint32_t game, rater;
    Criterion criterion;
    uint32_t repeat;              /* of a model */
    uint32_t rank[SEAT_MAX + 1];  /* 1 = best; 0: none */
    uint32_t score[SEAT_MAX + 1]; /* 5 = best; counts where there are no ranks; 0: none */
    SeatNo order[SEAT_MAX];       /* seats as they were shown */
} ScoreSheet;

typedef struct ScoreInput {
    const ScoreGame *games;
    uint32_t game_count;
    const ScoreRater *raters;
    uint32_t rater_count;
    const ScoreSheet *sheets;
    uint32_t sheet_count;
    const Str *teams;
    const double *win_rates; /* of each team, SCORE_NO_RATE; NULL: they are not in the total */
    uint32_t team_count;
    double min_tau; /* a model below is kept out of a criterion's totals; NAN = none */
} ScoreInput;

/* Members of the open object:
 *
 *   "criteria":{"A":{"alpha":{"people","models","both"},"w":{"people"},"people":[TEAM...],
 *     "models":[{"model","tau","tau_low","tau_high","repeat_w","position","kept_out","teams":[TEAM...]}]}}
 *   "totals":{"people":[{"team","total","place"}],"models":[{"model","teams":[...]}]}
 *   TEAM: {"team","score","low","high","seats","place"}
 *
 * What can't be said is null. Errors: those of krippendorff_alpha and bootstrap_interval. */
int judge_score_write(const ScoreInput *input, Json *json, Err *err);

#endif
