#include "base/rng.h"

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

Rng rng_new(uint64_t seed)
{
    Rng rng;

    for (int i = 0; i < 4; i++)
        rng.state[i] = splitmix64(&seed);
    return rng;
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t rng_next(Rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint32_t rng_below(Rng *rng, uint32_t count)
{
    if (count < 2)
        return 0;
    uint64_t product = (rng_next(rng) >> 32) * count;
    if ((uint32_t)product < count) {
        uint32_t threshold = (uint32_t)(-count) % count;
        while ((uint32_t)product < threshold)
            product = (rng_next(rng) >> 32) * count;
    }
    return (uint32_t)(product >> 32);
}

uint64_t rng_derive(uint64_t seed, uint64_t number)
{
    uint64_t state = seed;
    uint64_t mixed = splitmix64(&state) ^ number;

    return splitmix64(&mixed);
}

/* Eight bytes at a time, the first in the lowest place, so that every machine gives the same. */
uint64_t rng_derive_text(uint64_t seed, Str text)
{
    uint64_t derived = rng_derive(seed, text.len);

    for (size_t at = 0; at < text.len; at += 8) {
        uint64_t number = 0;
        for (size_t i = 0; i < 8 && at + i < text.len; i++)
            number |= (uint64_t)(unsigned char)text.bytes[at + i] << (8 * i);
        derived = rng_derive(derived, number);
    }
    return derived;
}
