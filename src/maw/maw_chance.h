/* maw_chance.h - where the chance of a MAW session and its table comes from.
 *
 * For:    the session (deals), its record, the table (who sits where, bots, waits).
 * Memory: plain values.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.2; docs/spec/models.md 4.7.
 *
 *     key --"round" be64(r)--> the key of round r, from 1: its deal, what all and what few see
 *         --"seats"----------> who has which address and name
 *         --"driver" be64(i)-> the seed of the bot or model on seat i
 *         --"agent" be64(i)--> the seed of an AIWolf agent's stand-in
 *         --"waits"----------> how long links wait
 *
 * A key is drawn, or SHA-256 of a seed that somebody chose, which can be guessed. Records say which
 * derivation they were made with ("seed_of": "key"); those from before had seeds of 64 bits, and
 * deal as they did.
 */
#ifndef WARG_MAW_MAW_CHANCE_H
#define WARG_MAW_MAW_CHANCE_H

#include "base/err.h"
#include "base/key.h"
#include "game/chance.h"

typedef enum MawSeedOf {
    MAW_SEED_OF_SESSION, /* before: the session's own seed; no word in the record */
    MAW_SEED_OF_TABLE,   /* before: what --seed took */
    MAW_SEED_OF_KEY,
} MawSeedOf;

typedef struct MawChance {
    MawSeedOf of;
    char seed[KEY_HEX_BYTES]; /* as it is written: a number, or a key */
    uint64_t number;          /* of those from before */
    KeyRoot root;             /* of a key */
} MawChance;

/* `seed` as `--seed` takes it and records have it: a number, or 64 hexadecimal digits. False for
 * anything else; those from before are numbers. */
bool maw_chance_read(Str seed, MawSeedOf of, MawChance *ret);
MawChance maw_chance_of_seed(uint64_t seed);
MawChance maw_chance_of_key(const Key *key);

/* What a round is dealt by. */
Chance maw_chance_round(const MawChance *chance, uint32_t round);

/* Of a key only: those from before had no table of today. */
Rng maw_chance_rng(const MawChance *chance, Str purpose);
uint64_t maw_chance_seed(const MawChance *chance, Str purpose, uint64_t number);

#endif
