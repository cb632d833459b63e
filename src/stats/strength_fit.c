/* strength_fit.c - strengths and their intervals from the line-ups that strength.c counted. */
#include "base/rng.h"
#include "stats/standings.h"
#include "stats/strength.h"

#include <math.h>

/* ---- the fit: Newton's method on the penalised log likelihood, which is strictly concave ---- */

enum { NEWTON_MAX = 60 }; /* steps; 4 to 6 are usual, halved ones count too */

/* Steps are quadratic: behind one this small the error is its square. */
static const double small_step = 1e-5;

/* Unknowns: the strengths of the agents, then one b for each composition. */
typedef struct Fit {
    const Strength *strength;
    uint32_t agents;
    uint32_t size;    /* unknowns */
    double *memory;   /* holds the arrays of doubles */
    double *all;      /* the fit of all games */
    double *point;    /* where we are */
    double *best;     /* the highest point so far */
    double *step;     /* from there to `point` */
    double *gradient; /* at `point` */
    double *hessian;  /* minus the second derivatives there, lower triangle; then its root */
    double *sum;      /* of the rounds' differences from `all`, by agent */
    double *squares;  /* and of their squares */
    uint32_t *games;  /* by line-up: how often it is in this round */
    uint32_t *wins;   /* and how often the village won */
} Fit;

static void fit_done(Fit *fit)
{
    mem_free(fit->memory);
    mem_free(fit->games);
}

static int fit_init(Fit *fit, const Strength *strength, Err *err)
{
    uint32_t agents = strength->agent_count, size = agents + strength->village_count;
    size_t n = size;

    *fit = (Fit){.strength = strength, .agents = agents, .size = size};
    fit->memory = mem_new((7 * n + n * n + 1) * sizeof(double));
    fit->games = mem_new((2 * (size_t)strength->lineup_count + 1) * sizeof(uint32_t));
    if (!fit->memory || !fit->games)
        return err_set(err, ERR_MEMORY, "strengths of %u agents: out of memory", agents);
    fit->wins = fit->games + strength->lineup_count;
    fit->all = fit->memory;
    fit->point = fit->all + n;
    fit->best = fit->point + n;
    fit->step = fit->best + n;
    fit->gradient = fit->step + n;
    fit->sum = fit->gradient + n;
    fit->squares = fit->sum + n;
    fit->hessian = fit->squares + n;
    return 0;
}

/* Games with the same t = sum of x[i] * point[at[i]]; `at` ascends. */
typedef struct Row {
    uint32_t count;
    uint32_t at[STRENGTH_AGENTS_MAX + 1];
    double x[STRENGTH_AGENTS_MAX + 1];
} Row;

/* Adds to gradient and hessian; returns the log likelihood of `wins` of `games`. */
static double add_row(Fit *fit, const Row *row, double games, double wins)
{
    double t = 0;

    for (uint32_t i = 0; i < row->count; i++)
        t += row->x[i] * fit->point[row->at[i]];
    double small = exp(-fabs(t)); /* never overflows */
    double rate = (t > 0 ? 1 : small) / (1 + small);
    double surprise = wins - games * rate, weight = games * small / ((1 + small) * (1 + small));
    for (uint32_t i = 0; i < row->count; i++) {
        double *line = fit->hessian + (size_t)row->at[i] * fit->size;
        double weighted = weight * row->x[i];
        fit->gradient[row->at[i]] += surprise * row->x[i];
        for (uint32_t j = 0; j <= i; j++)
            line[row->at[j]] += weighted * row->x[j];
    }
    return (wins - (t > 0 ? games : 0)) * t - games * log1p(small);
}

static double add_lineups(Fit *fit, Row *row)
{
    const Strength *strength = fit->strength;
    double value = 0;

    for (uint32_t i = 0; i < strength->lineup_count; i++) {
        const StrengthLineup *lineup = &strength->lineups[i];
        if (fit->games[i] == 0)
            continue;
        for (uint32_t j = 0; j < lineup->count; j++) {
            row->at[j] = strength->entries[lineup->first + j].agent;
            row->x[j] = strength->entries[lineup->first + j].seats;
        }
        row->at[lineup->count] = fit->agents + lineup->village;
        row->x[lineup->count] = 1;
        row->count = lineup->count + 1u;
        value += add_row(fit, row, fit->games[i], fit->wins[i]);
    }
    return value;
}

/* The prior. The half-won game is between average agents, which is written with their mean, so
 * that it does not hinder a shift of all strengths either. */
static double add_prior(Fit *fit, Row *row)
{
    const Strength *strength = fit->strength;
    double value = 0, precision = 1 / (STRENGTH_PRIOR * STRENGTH_PRIOR);

    for (uint32_t i = 0; i < fit->agents; i++) {
        value -= precision / 2 * fit->point[i] * fit->point[i];
        fit->gradient[i] -= precision * fit->point[i];
        fit->hessian[(size_t)i * fit->size + i] += precision;
    }
    for (uint32_t village = 0; village < strength->village_count; village++) {
        double lead = composition_lead(strength->villages[village].composition);
        row->count = fit->agents + 1;
        for (uint32_t i = 0; i < fit->agents; i++) {
            row->at[i] = i;
            row->x[i] = lead / fit->agents;
        }
        row->at[fit->agents] = fit->agents + village;
        row->x[fit->agents] = 1;
        value += add_row(fit, row, 1, 0.5);
    }
    return value;
}

/* The penalised log likelihood at `point`, with its derivatives. */
static double evaluate_fit(Fit *fit)
{
    Row row;

    memset(fit->gradient, 0, fit->size * sizeof(double));
    memset(fit->hessian, 0, (size_t)fit->size * fit->size * sizeof(double));
    double value = add_lineups(fit, &row);
    return value + add_prior(fit, &row);
}

/* Replaces the hessian by its Cholesky root. The prior keeps it positive definite; the floor is
 * for a b so large that its games have no weight left. */
static void take_root(Fit *fit)
{
    for (uint32_t i = 0; i < fit->size; i++) {
        double *line = fit->hessian + (size_t)i * fit->size;
        for (uint32_t j = 0; j <= i; j++) {
            const double *above = fit->hessian + (size_t)j * fit->size;
            double left = line[j];
            for (uint32_t k = 0; k < j; k++)
                left -= line[k] * above[k];
            line[j] = j < i ? left / above[j] : sqrt(fmax(left, 1e-12));
        }
    }
}

/* root * x = x, in place. */
static void solve_lower(const Fit *fit, double *x)
{
    for (uint32_t i = 0; i < fit->size; i++) {
        const double *line = fit->hessian + (size_t)i * fit->size;
        for (uint32_t k = 0; k < i; k++)
            x[i] -= line[k] * x[k];
        x[i] /= line[i];
    }
}

/* The same with the root transposed. */
static void solve_upper(const Fit *fit, double *x)
{
    for (uint32_t i = fit->size; i-- > 0;) {
        const double *line = fit->hessian + (size_t)i * fit->size;
        x[i] /= line[i];
        for (uint32_t k = 0; k < i; k++)
            x[k] -= line[k] * x[i];
    }
}

/* point = best + scale * step; returns the largest change. */
static double move_fit(Fit *fit, double scale)
{
    double largest = 0;

    for (uint32_t i = 0; i < fit->size; i++) {
        fit->step[i] *= scale;
        fit->point[i] = fit->best[i] + fit->step[i];
        largest = fmax(largest, fabs(fit->step[i]));
    }
    return largest;
}

/* From `point` to the top; a step that leads down is halved. False when it takes too long. */
static bool climb_fit(Fit *fit)
{
    double highest = -HUGE_VAL;

    for (int i = 0; i < NEWTON_MAX; i++) {
        double value = evaluate_fit(fit);
        if (value < highest - 1e-10 * fabs(highest)) {
            move_fit(fit, 0.5);
            continue;
        }
        highest = value;
        memcpy(fit->best, fit->point, fit->size * sizeof(double));
        memcpy(fit->step, fit->gradient, fit->size * sizeof(double));
        take_root(fit);
        solve_lower(fit, fit->step);
        solve_upper(fit, fit->step);
        if (move_fit(fit, 1) < small_step)
            return true;
    }
    return false;
}

/* ---- intervals ---- */

static void add_unit(Fit *fit, uint32_t unit)
{
    const Strength *strength = fit->strength;
    uint32_t first = unit, end = unit + 1;

    if (strength->units_are_sets) {
        first = strength->sets[unit];
        end = unit + 1 < strength->set_count ? strength->sets[unit + 1] : (uint32_t)strength->games;
    }
    for (uint32_t game = first; game < end; game++) {
        fit->games[strength->results[game] / 2]++;
        fit->wins[strength->results[game] / 2] += strength->results[game] % 2;
    }
}

static void clear_games(Fit *fit)
{
    memset(fit->games, 0, 2 * (size_t)fit->strength->lineup_count * sizeof(*fit->games));
}

/* One resampling: as many units as there are, drawn with replacement, fitted from where the fit of
 * all games ended. */
static void play_round(Fit *fit, uint64_t seed)
{
    uint32_t units = fit->strength->unit_count;
    Rng rng = rng_new(seed);

    clear_games(fit);
    for (uint32_t i = 0; i < units; i++)
        add_unit(fit, rng_below(&rng, units));
    memcpy(fit->point, fit->all, fit->size * sizeof(double));
    climb_fit(fit);
    for (uint32_t i = 0; i < fit->agents; i++) {
        double difference = fit->point[i] - fit->all[i];
        fit->sum[i] += difference;
        fit->squares[i] += difference * difference;
    }
}

/* The variance of each agent's strength less the agents' mean, from the curvature at `point`. A
 * shift of all strengths meets only the prior, so the mean has the variance PRIOR^2 / agents, and
 * the same covariance with each. */
static void curvature_variances(Fit *fit, double *ret_variances)
{
    double mean = STRENGTH_PRIOR * STRENGTH_PRIOR / fit->agents;

    evaluate_fit(fit);
    take_root(fit);
    for (uint32_t i = 0; i < fit->agents; i++) {
        double variance = 0;
        memset(fit->gradient, 0, fit->size * sizeof(double));
        fit->gradient[i] = 1;
        solve_lower(fit, fit->gradient);
        for (uint32_t k = i; k < fit->size; k++)
            variance += fit->gradient[k] * fit->gradient[k];
        ret_variances[i] = fmax(0, variance - mean);
    }
}

static void rate_agents(Strength *strength, const Fit *fit, const double *variances,
                        uint32_t rounds)
{
    for (uint32_t i = 0; i < fit->agents; i++) {
        double variance = variances[i];
        if (rounds > 0)
            variance = fmax(variance,
                            (fit->squares[i] - fit->sum[i] * fit->sum[i] / rounds) / (rounds - 1));
        double half = Z_95 * sqrt(variance);
        StrengthRating *rating = &strength->ratings[i];
        rating->points = STRENGTH_ELO * fit->all[i];
        rating->low = STRENGTH_ELO * (fit->all[i] - half);
        rating->high = STRENGTH_ELO * (fit->all[i] + half);
    }
    for (uint32_t i = 0; i < strength->village_count; i++)
        strength->villages[i].village_rate = 1 / (1 + exp(-fit->all[fit->agents + i]));
}

int strength_fit(Strength *strength, uint32_t rounds, uint64_t seed, Err *err)
{
    CLEANUP(fit_done) Fit fit = {0};

    if (rounds == 1 || rounds > STRENGTH_ROUNDS_MAX)
        return err_set(err, ERR_LIMIT, "expected 0 or 2 to %d rounds, not %u", STRENGTH_ROUNDS_MAX,
                       rounds);
    int rc = fit_init(&fit, strength, err);
    if (rc)
        return rc;
    strength->units_are_sets = strength->set_count >= STRENGTH_SETS_MIN;
    strength->unit_count =
        strength->units_are_sets ? strength->set_count : (uint32_t)strength->games;
    for (uint32_t i = 0; i < strength->unit_count; i++)
        add_unit(&fit, i);
    strength->converged = climb_fit(&fit);
    memcpy(fit.all, fit.point, fit.size * sizeof(double));
    double variances[STRENGTH_AGENTS_MAX];
    curvature_variances(&fit, variances);
    for (uint32_t i = 0; i < rounds; i++)
        play_round(&fit, rng_derive(seed, i));
    rate_agents(strength, &fit, variances, rounds);
    return 0;
}
