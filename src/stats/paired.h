/* paired.h - two agents that played the same deals: the mean difference of their winning rates,
 * with an interval.
 *
 * For:    contests in blocks (match/pairing.h): `warg standings --paired`.
 * Memory: plain values.
 * Thread: pure.
 * Source: docs/statistics.md, "Two agents over the same deals"; Student, "The probable error of a
 *         mean", Biometrika 6 (1908), 1-25; the quantile by Abramowitz and Stegun, 26.7.5.
 *
 * What is added up are deals, not games: games of one deal hang together, by its chance and because
 * both may sit in one.
 */
#ifndef WARG_STATS_PAIRED_H
#define WARG_STATS_PAIRED_H

#include "stats/standings.h"

/* With fewer deals nothing is said of the interval. */
#define PAIRED_DEALS_MIN 5

/* Zero it first. */
typedef struct PairedSum {
    uint64_t deals;
    double rate_a, rate_b; /* sums */
    double mean;           /* of the differences */
    double squares;        /* of what they are away from it */
} PairedSum;

/* Adds a deal: what each won of its seats in it, 0 to 1. */
void paired_add(PairedSum *sum, double rate_a, double rate_b);

/* The mean difference and where it lies with 95 %, within -1 and 1. Both bounds are -1 and 1 when
 * nothing can be said: fewer than PAIRED_DEALS_MIN deals, or all differences are the same. */
Interval paired_interval(const PairedSum *sum);

/* 97.5 % point of Student's distribution with `freedom` >= 1 degrees; of 4 and more to 0.0005. */
double student_quantile(uint64_t freedom);

#endif
