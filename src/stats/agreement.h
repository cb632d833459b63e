/* agreement.h - how far raters agree: Krippendorff's alpha, Kendall's W, Kendall's tau-b, and
 *               intervals by the bootstrap.
 *
 * For:    scores of judges (src/judging), `warg audit`.
 * Memory: values are borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.4, B.4. K. Krippendorff, "Computing Krippendorff's
 *         alpha-reliability" (2011); M. G. Kendall, "Rank correlation methods" (1948); B. Efron,
 *         "Bootstrap methods: another look at the jackknife" (1979).
 */
#ifndef WARG_STATS_AGREEMENT_H
#define WARG_STATS_AGREEMENT_H

#include "stats/standings.h"

/* Different values among those that are compared, at most. */
#define AGREEMENT_VALUES_MAX 512

typedef enum AgreementScale {
    SCALE_NOMINAL,  /* equal or not */
    SCALE_ORDINAL,  /* how many ranks lie between */
    SCALE_INTERVAL, /* how far apart, squared */
} AgreementScale;

/* A table of ratings: of rater r for unit u in values[r * units + u]; NAN = not rated. */
typedef struct Ratings {
    const double *values;
    size_t raters;
    size_t units;
} Ratings;

/* Krippendorff's alpha: 1 = they agree, 0 = as chance would, below 0 = worse. Units that fewer
 * than two have rated say nothing. NAN when nothing can be said: no unit with two, or all values
 * are equal. Errors: ERR_LIMIT for more than AGREEMENT_VALUES_MAX different values, ERR_MEMORY. */
int krippendorff_alpha(const Ratings *ratings, AgreementScale scale, double *ret_alpha, Err *err);

/* Kendall's W of rankings that all rank all: 0 = no agreement, 1 = the same order. Equal ranks are
 * means ("1, 2.5, 2.5, 4") and corrected for. NAN for fewer than two raters or units, or where
 * somebody rated not all. */
double kendall_w(const Ratings *ratings);

/* Kendall's tau-b of two rankings of the same things; NAN in one leaves the thing out. NAN when one
 * of them ranks all alike, or fewer than two are left. */
double kendall_tau_b(const double *a, const double *b, size_t count);

/* Ranks of values, the smallest first, equal ones with the mean of their ranks. NAN stays NAN. */
void mean_ranks(const double *values, size_t count, double *ret_ranks);

/* A figure of a sample: of the groups (games) numbered picks[0..count-1], one several times and
 * others not at all. NAN: this sample has none. */
typedef double BootstrapFigure(const void *user, const uint32_t *picks, size_t count);

/* The figure of all groups with its 95 % percentile interval over `draws` samples, the same for the
 * same seed; bounds are NAN where no sample has a figure. Errors: ERR_MEMORY. */
int bootstrap_interval(size_t groups, uint32_t draws, uint64_t seed, BootstrapFigure *figure,
                       const void *user, Interval *ret_interval, Err *err);

#endif
