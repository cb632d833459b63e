#include "stats/paired.h"

#include <math.h>

void paired_add(PairedSum *sum, double rate_a, double rate_b)
{
    const double off = rate_a - rate_b - sum->mean;

    sum->deals++;
    sum->rate_a += rate_a;
    sum->rate_b += rate_b;
    sum->mean += off / (double)sum->deals;
    sum->squares += off * (rate_a - rate_b - sum->mean);
}

double student_quantile(uint64_t freedom)
{
    static const double few[] = {0, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646};
    const double z = Z_95, n = (double)freedom;
    const double z2 = z * z, z3 = z * z2, z5 = z3 * z2, z7 = z5 * z2;

    if (freedom < sizeof(few) / sizeof(few[0]))
        return few[freedom];
    return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

Interval paired_interval(const PairedSum *sum)
{
    Interval interval = {.rate = sum->mean, .low = -1, .high = 1};

    if (sum->deals < PAIRED_DEALS_MIN || sum->squares <= 0)
        return interval;
    const double n = (double)sum->deals;
    const double half = student_quantile(sum->deals - 1) * sqrt(sum->squares / (n - 1) / n);
    interval.low = fmax(-1, sum->mean - half);
    interval.high = fmin(1, sum->mean + half);
    return interval;
}
