/* prop.h - checks that something holds for many random inputs, and makes a failing one small.
 *
 * For:    properties in unit tests. A property is a function of a seed and a size: it builds an
 *         input of about `size` things from the seed, and returns true when the property holds.
 *         When one fails, the size is halved as long as it still fails, and seed and size of the
 *         smallest failure are printed: call the function with them to see it again, and keep them
 *         as a fixed case.
 * Memory: none.
 * Thread: the test's.
 * Source: guide of libraries, "properties".
 *
 *     static bool reversing_twice_gives_the_same(Rng *rng, unsigned size) { ... }
 *     prop_check(reversing_twice_gives_the_same, 1000, 64);
 *
 * WARG_PROP_SEED=n in the environment starts from another seed, WARG_PROP_TIMES=n multiplies the
 * number of runs: for long runs. Without them the inputs are always the same.
 */
#ifndef WARG_TESTS_PROP_H
#define WARG_TESTS_PROP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/str.h"

typedef bool (*Property)(Rng *rng, unsigned size);

static inline uint64_t prop_env(const char *name, uint64_t otherwise)
{
    uint64_t value;

    return str_to_uint(str_of(getenv(name)), UINT64_MAX, &value) ? value : otherwise;
}

static inline bool prop_holds(Property property, uint64_t seed, unsigned size)
{
    Rng rng = rng_new(seed);

    return property(&rng, size);
}

/* Runs `property` with `runs` seeds and sizes 1..size_max; fails the test on the first failure. */
static inline void prop_check_named(const char *name, Property property, unsigned runs,
                                    unsigned size_max)
{
    uint64_t first = prop_env("WARG_PROP_SEED", 1);
    uint64_t times = prop_env("WARG_PROP_TIMES", 1);

    for (uint64_t i = 0; i < runs * times; i++) {
        uint64_t seed = rng_derive(first, i);
        unsigned size = 1 + (unsigned)(i % size_max);

        if (prop_holds(property, seed, size))
            continue;
        while (size > 1 && !prop_holds(property, seed, size / 2))
            size /= 2;
        fail_msg("%s does not hold: seed %llu, size %u", name, (unsigned long long)seed, size);
    }
}

#define prop_check(property, runs, size_max)                                                       \
    prop_check_named(#property, (property), (runs), (size_max))

#endif
