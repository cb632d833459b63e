/* rng_backwards.h - base/rng.h turned round: what any player could compute from a seed's child.
 *
 * For:    tests that show what an attack found before, and that it finds nothing now. */
#ifndef TESTS_RNG_BACKWARDS_H
#define TESTS_RNG_BACKWARDS_H

#include <stdint.h>

#define BACKWARDS_STEP UINT64_C(0x9E3779B97F4A7C15) /* of splitmix64 */

static inline uint64_t backwards_inverse(uint64_t odd)
{
    uint64_t x = odd;

    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

/* splitmix64's state before it gave `z`. */
static inline uint64_t backwards_mix(uint64_t z)
{
    z ^= z >> 31 ^ z >> 62;
    z *= backwards_inverse(UINT64_C(0x94D049BB133111EB));
    z ^= z >> 27 ^ z >> 54;
    z *= backwards_inverse(UINT64_C(0xBF58476D1CE4E5B9));
    z ^= z >> 30 ^ z >> 60;
    return z - BACKWARDS_STEP;
}

/* The seed of which rng_derive made this with this number. */
static inline uint64_t backwards_derive(uint64_t derived, uint64_t number)
{
    return backwards_mix(backwards_mix(derived) ^ number);
}

#endif
