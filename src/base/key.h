/* key.h - keys of 256 bits, and what is derived from them: other keys, seeds, generators.
 *
 * For:    every chance decision that somebody could profit from foreseeing. Who knows what a key
 *         gave knows nothing of the key, nor of anything else that it gave.
 * Memory: plain values. Nobody wipes them: a process that holds a key is trusted with it.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.1, 11.2, B.1, B.2: commitments, stage keys, draws.
 *         FIPS 180-4 and RFC 2104 over libcrypto's SHA-256.
 *
 * The text that is hashed is `label`, then the numbers, big-endian: ("game" be32(p) be64(g)).
 */
#ifndef WARG_BASE_KEY_H
#define WARG_BASE_KEY_H

#include "base/rng.h"

#define KEY_BYTES     32
#define KEY_HEX_BYTES 65 /* 64 lower-case digits and the NUL */

typedef struct Key {
    unsigned char bytes[KEY_BYTES];
} Key;

/* A key ready for deriving: HMAC's two halves behind their first block, so that a short text costs
 * two blocks of SHA-256 more. As secret as the key. */
typedef struct KeyRoot {
    uint32_t inner[8], outer[8];
} KeyRoot;

/* ---- where keys come from; a drawn one: disk/key_file.h ---- */

/* The key of a seed that a person chose: SHA-256("warg-seed-v1" 00 decimal). As guessable as the
 * seed. */
Key key_of_seed(uint64_t seed);

/* What a stage is played with: HMAC(secret, "warg-stage-v1" 00 contest 00 stage 00 lots), with the
 * lots of nobody. */
Key key_of_stage(const Key *secret, Str contest, Str stage);

/* The same with `lots` (a SHA-256) and `beacon`, which may be empty. */
Key key_of_stage_with(const Key *secret, Str contest, Str stage, const Key *lots, Str beacon);

/* What an agent's lot is entered by before it is opened: SHA-256("warg-lot-v1" 00 agent 00 lot). */
Key key_of_lot_entry(Str agent, const Key *lot);

/* An agent and a value of it. */
typedef struct NamedKey {
    Str name;
    Key key;
    bool there; /* else `key` is zeros */
} NamedKey;

/* The opened lots of a stage: SHA-256("warg-lots-v1" 00 || SHA-256(agent 00 lot) of each). They are
 * in the byte order of their names; one that is not there counts as zeros. */
Key key_of_lots(const NamedKey *lots, size_t count);

/* SHA-256("warg-commit-v1" 00 contest 00 stage 00 secret): tells nothing of the secret, and fits
 * no other. */
Key key_commitment(const Key *secret, Str contest, Str stage);

/* ---- what follows from them ---- */

KeyRoot key_root(const Key *key);

Key key_derive(const KeyRoot *root, Str label);
Key key_derive_number(const KeyRoot *root, Str label, uint64_t number);            /* be64 */
Key key_derive_part(const KeyRoot *root, Str label, uint32_t part);                /* be32 */
Key key_derive_item(const KeyRoot *root, Str label, uint32_t part, uint64_t item); /* both */

/* The first 8 bytes, big-endian: the seed that is printed. */
uint64_t key_seed(const Key *key);

/* Word `number`, 0..3, little-endian. In one expression, so that compilers see a load. */
static inline uint64_t key_word(const Key *key, unsigned number)
{
    const unsigned char *at = key->bytes + (size_t)8 * number;

    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

/* The generator whose state are the 32 bytes, four little-endian words. */
static inline Rng key_rng(const Key *key)
{
    return (Rng){{key_word(key, 0), key_word(key, 1), key_word(key, 2), key_word(key, 3)}};
}

/* ---- keys as text ---- */

void key_to_hex(const Key *key, char ret_hex[static KEY_HEX_BYTES]);
/* False for anything but 64 hexadecimal digits, in either case. */
bool key_from_hex(Str text, Key *ret_key);

#endif
