#include "stats/agreement.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* ---- alpha ---- */

/* What is counted: values that are paired within a unit. */
typedef struct Coincidences {
    double values[AGREEMENT_VALUES_MAX]; /* different ones, ascending */
    double counts[AGREEMENT_VALUES_MAX]; /* how often each stands in a pairable unit */
    size_t count;
    double *pairs; /* [count * count] */
    double total;
} Coincidences;

static size_t unit_raters(const Ratings *ratings, size_t unit)
{
    size_t there = 0;

    for (size_t rater = 0; rater < ratings->raters; rater++)
        if (!isnan(ratings->values[rater * ratings->units + unit]))
            there++;
    return there;
}

static size_t value_place(const Coincidences *seen, double value)
{
    size_t low = 0, high = seen->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (seen->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int note_value(Coincidences *seen, double value, Err *err)
{
    size_t at = value_place(seen, value);

    if (at < seen->count && !(seen->values[at] > value))
        return 0;
    if (seen->count == AGREEMENT_VALUES_MAX)
        return err_set(err, ERR_LIMIT, "agreement: more than %d different values",
                       AGREEMENT_VALUES_MAX);
    for (size_t i = seen->count++; i > at; i--)
        seen->values[i] = seen->values[i - 1];
    seen->values[at] = value;
    return 0;
}

static int note_values(const Ratings *ratings, Coincidences *seen, Err *err)
{
    int rc = 0;

    for (size_t unit = 0; unit < ratings->units; unit++) {
        if (unit_raters(ratings, unit) < 2)
            continue;
        for (size_t rater = 0; rater < ratings->raters && rc == 0; rater++) {
            double value = ratings->values[rater * ratings->units + unit];
            if (!isnan(value))
                rc = note_value(seen, value, err);
        }
    }
    return rc;
}

/* All ordered pairs of different raters of the unit, each worth 1 / (m - 1). */
static void add_unit_pairs(const Ratings *ratings, size_t unit, Coincidences *seen)
{
    size_t there = unit_raters(ratings, unit);

    if (there < 2 || !seen->pairs)
        return;
    for (size_t a = 0; a < ratings->raters; a++) {
        double value = ratings->values[a * ratings->units + unit];
        if (isnan(value))
            continue;
        size_t c = value_place(seen, value);
        seen->counts[c] += 1;
        seen->total += 1;
        for (size_t b = 0; b < ratings->raters; b++) {
            double other = ratings->values[b * ratings->units + unit];
            if (b != a && !isnan(other))
                seen->pairs[c * seen->count + value_place(seen, other)] += 1 / (double)(there - 1);
        }
    }
}

/* The squared difference of two values, c < k. */
static double scale_distance(const Coincidences *seen, AgreementScale scale, size_t c, size_t k)
{
    double between = 0;

    switch (scale) {
    case SCALE_NOMINAL:
        return 1;
    case SCALE_INTERVAL:
        between = seen->values[k] - seen->values[c];
        return between * between;
    case SCALE_ORDINAL:
        break;
    }
    for (size_t g = c; g <= k; g++)
        between += seen->counts[g];
    between -= (seen->counts[c] + seen->counts[k]) / 2;
    return between * between;
}

static double alpha_of(const Coincidences *seen, AgreementScale scale)
{
    double observed = 0, expected = 0;

    for (size_t c = 0; c < seen->count; c++)
        for (size_t k = c + 1; k < seen->count; k++) {
            double distance = scale_distance(seen, scale, c, k);
            observed += seen->pairs[c * seen->count + k] * distance;
            expected += seen->counts[c] * seen->counts[k] * distance;
        }
    return expected > 0 ? 1 - (seen->total - 1) * observed / expected : (double)NAN;
}

int krippendorff_alpha(const Ratings *ratings, AgreementScale scale, double *ret_alpha, Err *err)
{
    CLEANUP(mem_freep) Coincidences *seen = mem_new(sizeof(*seen));
    CLEANUP(mem_freep) double *pairs = NULL;
    int rc = seen ? note_values(ratings, seen, err) : ERR_MEMORY;

    if (rc == 0 && seen->count)
        pairs = mem_new(seen->count * seen->count * sizeof(*pairs));
    if (!seen || (rc == 0 && seen->count && !pairs))
        return err_set(err, ERR_MEMORY, "agreement: out of memory");
    if (rc)
        return rc;
    seen->pairs = pairs;
    for (size_t unit = 0; unit < ratings->units; unit++)
        add_unit_pairs(ratings, unit, seen);
    *ret_alpha = alpha_of(seen, scale);
    return 0;
}

/* ---- W ---- */

/* What equal ranks of one rater take off: the sum of t^3 - t over groups of t. */
static double rater_ties(const double *ranks, size_t units)
{
    double ties = 0;

    for (size_t i = 0; i < units; i++) {
        double same = 0;
        for (size_t k = 0; k < units; k++)
            same += !(ranks[k] > ranks[i]) && !(ranks[k] < ranks[i]);
        ties += same * same - 1; /* each of t members: (t^3 - t) / t */
    }
    return ties;
}

double kendall_w(const Ratings *ratings)
{
    const double m = (double)ratings->raters, n = (double)ratings->units;
    double squares = 0, ties = 0;

    if (ratings->raters < 2 || ratings->units < 2)
        return (double)NAN;
    for (size_t unit = 0; unit < ratings->units; unit++) {
        double sum = 0;
        for (size_t rater = 0; rater < ratings->raters; rater++)
            sum += ratings->values[rater * ratings->units + unit];
        squares += (sum - m * (n + 1) / 2) * (sum - m * (n + 1) / 2);
    }
    for (size_t rater = 0; rater < ratings->raters; rater++)
        ties += rater_ties(ratings->values + rater * ratings->units, ratings->units);
    const double most = m * m * (n * n * n - n) - m * ties;
    return isnan(squares) || most <= 0 ? (double)NAN : 12 * squares / most;
}

/* ---- tau-b, ranks ---- */

double kendall_tau_b(const double *a, const double *b, size_t count)
{
    double agree = 0, untied_a = 0, untied_b = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            if (isnan(a[i]) || isnan(a[k]) || isnan(b[i]) || isnan(b[k]))
                continue;
            int in_a = (a[i] > a[k]) - (a[i] < a[k]), in_b = (b[i] > b[k]) - (b[i] < b[k]);
            agree += in_a * in_b;
            untied_a += in_a != 0;
            untied_b += in_b != 0;
        }
    return untied_a > 0 && untied_b > 0 ? agree / sqrt(untied_a * untied_b) : (double)NAN;
}

void mean_ranks(const double *values, size_t count, double *ret_ranks)
{
    for (size_t i = 0; i < count; i++) {
        double before = 0, same = 0;
        for (size_t k = 0; k < count; k++) {
            before += values[k] < values[i];
            same += !(values[k] < values[i]) && !(values[k] > values[i]) && !isnan(values[k]);
        }
        ret_ranks[i] = isnan(values[i]) ? (double)NAN : before + (same + 1) / 2;
    }
}

/* ---- bootstrap ---- */

/* Between the two nearest of what is sorted. */
static double sample_quantile(const double *sorted, size_t count, double part)
{
    const double at = part * (double)(count - 1);
    const size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;

    return sorted[low] + (at - (double)low) * (sorted[high] - sorted[low]);
}

static void draw_picks(Rng *rng, uint32_t *picks, size_t groups)
{
    for (size_t i = 0; i < groups; i++)
        picks[i] = rng_below(rng, (uint32_t)groups);
}

int bootstrap_interval(size_t groups, uint32_t draws, uint64_t seed, BootstrapFigure *figure,
                       const void *user, Interval *ret_interval, Err *err)
{
    CLEANUP(mem_freep) uint32_t *picks = mem_new((groups + 1) * sizeof(*picks));
    CLEANUP(mem_freep) double *figures = mem_new(((size_t)draws + 1) * sizeof(*figures));
    Rng rng = rng_new(seed);
    size_t count = 0;

    if (!picks || !figures)
        return err_set(err, ERR_MEMORY, "bootstrap: out of memory");
    for (uint32_t i = 0; i < groups; i++)
        picks[i] = i;
    *ret_interval = (Interval){figure(user, picks, groups), (double)NAN, (double)NAN};
    for (uint32_t i = 0; i < draws && groups > 0; i++) {
        draw_picks(&rng, picks, groups);
        figures[count] = figure(user, picks, groups);
        if (!isnan(figures[count]))
            count++;
    }
    if (count == 0)
        return 0;
    qsort(figures, count, sizeof(*figures), compare_reals);
    ret_interval->low = sample_quantile(figures, count, 0.025);
    ret_interval->high = sample_quantile(figures, count, 0.975);
    return 0;
}
