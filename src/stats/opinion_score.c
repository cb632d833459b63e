#include "stats/opinion_score.h"

#define CERTAIN 100

static size_t band_of(uint64_t percent)
{
    const size_t band = (size_t)percent * OPINION_BANDS / CERTAIN;

    return band < OPINION_BANDS ? band : OPINION_BANDS - 1;
}

void opinion_score_add(OpinionScore *score, uint32_t percent, bool was_wolf)
{
    uint64_t sure = percent < CERTAIN ? percent : CERTAIN;
    uint64_t off = was_wolf ? CERTAIN - sure : sure;

    score->count++;
    score->hits += was_wolf;
    score->sum += off * off;
    score->said[band_of(sure)]++;
    score->wolves[band_of(sure)] += was_wolf;
}

void opinion_score_join(OpinionScore *score, const OpinionScore *more)
{
    score->count += more->count;
    score->hits += more->hits;
    score->sum += more->sum;
    for (size_t band = 0; band < OPINION_BANDS; band++) {
        score->said[band] += more->said[band];
        score->wolves[band] += more->wolves[band];
    }
}

double opinion_score_brier(const OpinionScore *score)
{
    return score->count ? (double)score->sum / (double)score->count / (CERTAIN * CERTAIN) : 0;
}

void opinion_calibration_write(const OpinionScore *score, Json *json)
{
    const size_t width = CERTAIN / OPINION_BANDS;

    json_open(json, '[');
    for (size_t band = 0; band < OPINION_BANDS; band++) {
        json_open(json, '{');
        json_add_uint(json, "from", band * width);
        json_add_uint(json, "to", band + 1 < OPINION_BANDS ? (band + 1) * width - 1 : CERTAIN);
        json_add_uint(json, "opinions", score->said[band]);
        json_add_uint(json, "wolves", score->wolves[band]);
        json_close(json);
    }
    json_close(json);
}

void opinion_score_write(const OpinionScore *score, Json *json)
{
    json_add_uint(json, "count", score->count);
    json_add_uint(json, "wolves", score->hits);
    json_add_real(json, "brier", opinion_score_brier(score), 4);
    json_key(json, STR("calibration"));
    opinion_calibration_write(score, json);
}

void opinion_score_put(const OpinionScore *score, ModelFigures *figures)
{
    figures->of[FIGURE_OPINION_OFF] = score->sum;
    for (size_t band = 0; band < OPINION_BANDS; band++) {
        figures->of[FIGURE_SAID + band] = score->said[band];
        figures->of[FIGURE_SAID_WOLVES + band] = score->wolves[band];
    }
}

OpinionScore opinion_score_of(const ModelFigures *figures)
{
    OpinionScore score = {.sum = figures->of[FIGURE_OPINION_OFF]};

    for (size_t band = 0; band < OPINION_BANDS; band++) {
        score.said[band] = figures->of[FIGURE_SAID + band];
        score.wolves[band] = figures->of[FIGURE_SAID_WOLVES + band];
        score.count += score.said[band];
        score.hits += score.wolves[band];
    }
    return score;
}
