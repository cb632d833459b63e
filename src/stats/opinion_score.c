#include "stats/opinion_score.h"

#define CERTAIN 100

void opinion_score_add(OpinionScore *score, uint32_t percent, bool was_wolf)
{
    uint64_t sure = percent < CERTAIN ? percent : CERTAIN;
    uint64_t off = was_wolf ? CERTAIN - sure : sure;

    score->count++;
    score->hits += was_wolf;
    score->sum += off * off;
}

void opinion_score_join(OpinionScore *score, const OpinionScore *more)
{
    score->count += more->count;
    score->hits += more->hits;
    score->sum += more->sum;
}

double opinion_score_brier(const OpinionScore *score)
{
    return score->count ? (double)score->sum / (double)score->count / (CERTAIN * CERTAIN) : 0;
}
