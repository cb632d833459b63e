/* rng.h - random numbers that are the same on every machine for the same seed.
 *
 * For:    every chance decision of a game, and deriving a game's seed from its set's seed.
 *         Not for secrets.
 * Memory: plain value.
 * Thread: one at a time; one Rng per game.
 * Source: xoshiro256** and splitmix64 (Blackman and Vigna, public domain algorithms); bounded
 *         numbers by multiplication with rejection (Lemire 2019, arXiv:1805.10941).
 */
#ifndef WARG_BASE_RNG_H
#define WARG_BASE_RNG_H

#include "base/str.h"

typedef struct Rng {
    uint64_t state[4];
} Rng;

/* The generator for `seed`; every seed is good, 0 too. */
Rng rng_new(uint64_t seed);

/* The next 64 random bits. */
uint64_t rng_next(Rng *rng);

/* Uniform in 0..count-1 without bias; 0 when count is 0 or 1 (and nothing is drawn then). */
uint32_t rng_below(Rng *rng, uint32_t count);

/* The seed of item `number` of whatever `seed` is the seed of: game k of a set, agent k of a
 * game. Different numbers give unrelated seeds. */
uint64_t rng_derive(uint64_t seed, uint64_t number);

/* The same for what has a text in place of a number: a packet, a name. Not a hash against people
 * who look for two texts with one seed. */
uint64_t rng_derive_text(uint64_t seed, Str text);

#endif
