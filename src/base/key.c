#include "base/key.h"

#include "base/digest.h"

#include <assert.h>
#include <endian.h>
#include <stdio.h>

/* ---- SHA-256 of texts in pieces ---- */

typedef struct Hash {
    uint32_t state[8];
    unsigned char block[SHA256_BLOCK];
    uint64_t bytes; /* hashed, those that wait in the block included */
} Hash;

static void hash_add(Hash *hash, const void *text, size_t len)
{
    const unsigned char *from = text;
    size_t used = hash->bytes % SHA256_BLOCK;

    hash->bytes += len;
    while (len > 0) {
        size_t n = len < SHA256_BLOCK - used ? len : SHA256_BLOCK - used;
        memcpy(hash->block + used, from, n);
        from += n;
        len -= n;
        used += n;
        if (used == SHA256_BLOCK) {
            sha256_block(hash->state, hash->block);
            used = 0;
        }
    }
}

static void put_big_endian(unsigned char *to, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> (8 * (bytes - 1 - i)));
}

static Key digest_of(const uint32_t state[static 8])
{
    uint32_t words[8];
    Key key;

    for (size_t i = 0; i < 8; i++)
        words[i] = htobe32(state[i]);
    memcpy(key.bytes, words, KEY_BYTES);
    return key;
}

static Key hash_end(Hash *hash)
{
    size_t used = hash->bytes % SHA256_BLOCK;

    hash->block[used++] = 0x80;
    if (used > SHA256_BLOCK - 8) {
        memset(hash->block + used, 0, SHA256_BLOCK - used);
        sha256_block(hash->state, hash->block);
        used = 0;
    }
    memset(hash->block + used, 0, SHA256_BLOCK - 8 - used);
    put_big_endian(hash->block + SHA256_BLOCK - 8, 8 * hash->bytes, 8);
    sha256_block(hash->state, hash->block);
    return digest_of(hash->state);
}

/* A hash that has had one block already, and is in `state`. */
static Hash hash_behind_block(const uint32_t state[static 8])
{
    Hash hash;

    memcpy(hash.state, state, sizeof(hash.state));
    hash.bytes = SHA256_BLOCK;
    return hash;
}

/* The texts in order, as one. */
static Key sha256_of(const Str *parts, size_t count)
{
    Hash hash = {.bytes = 0};

    sha256_begin(hash.state);
    for (size_t i = 0; i < count; i++)
        hash_add(&hash, parts[i].bytes, parts[i].len);
    return hash_end(&hash);
}

/* ---- HMAC ---- */

/* One block of the key, padded: what the inner and the outer hash begin with. */
static void begin_half(const Key *key, unsigned char pad, uint32_t ret_state[static 8])
{
    unsigned char block[SHA256_BLOCK];

    memset(block, pad, sizeof(block));
    for (size_t i = 0; i < KEY_BYTES; i++)
        block[i] ^= key->bytes[i];
    sha256_begin(ret_state);
    sha256_block(ret_state, block);
}

KeyRoot key_root(const Key *key)
{
    KeyRoot root = {{0}, {0}};

    begin_half(key, 0x36, root.inner);
    begin_half(key, 0x5c, root.outer);
    return root;
}

/* The hash of one block that `state` has seen and of `len` bytes at the beginning of `block`, which
 * leave room for the end: one block more. The rest of `block` is zero. */
static Key hash_short(const uint32_t state[static 8], unsigned char block[static SHA256_BLOCK],
                      size_t len)
{
    uint32_t behind[8];
    uint64_t bits = 8 * (SHA256_BLOCK + (uint64_t)len);

    block[len] = 0x80;
    block[SHA256_BLOCK - 2] = (unsigned char)(bits >> 8);
    block[SHA256_BLOCK - 1] = (unsigned char)bits;
    memcpy(behind, state, sizeof(behind));
    sha256_block(behind, block);
    return digest_of(behind);
}

/* For any text. */
static Key hmac_of(const KeyRoot *root, const Str *parts, size_t count)
{
    Hash inner = hash_behind_block(root->inner);
    unsigned char block[SHA256_BLOCK] = {0};

    for (size_t i = 0; i < count; i++)
        hash_add(&inner, parts[i].bytes, parts[i].len);
    const Key hashed = hash_end(&inner);
    memcpy(block, hashed.bytes, KEY_BYTES);
    return hash_short(root->outer, block, KEY_BYTES);
}

/* For the texts of which there are two a game: two blocks, and nothing else that takes time. */
static Key hmac_short(const KeyRoot *root, Str label, const unsigned char *numbers, size_t bytes)
{
    unsigned char block[SHA256_BLOCK] = {0}, outer[SHA256_BLOCK] = {0};

    memcpy(block, label.bytes, label.len);
    if (bytes)
        memcpy(block + label.len, numbers, bytes);
    const Key hashed = hash_short(root->inner, block, label.len + bytes);
    memcpy(outer, hashed.bytes, KEY_BYTES);
    return hash_short(root->outer, outer, KEY_BYTES);
}

/* ---- deriving ---- */

/* What a block has room for beside its end. */
#define SHORT_MAX (SHA256_BLOCK - 9)

/* The label and `bytes` bytes of numbers. */
static Key derive_key(const KeyRoot *root, Str label, const unsigned char *numbers, size_t bytes)
{
    const Str parts[] = {label, {(const char *)numbers, bytes}};

    return label.len + bytes <= SHORT_MAX ? hmac_short(root, label, numbers, bytes)
                                          : hmac_of(root, parts, 2);
}

Key key_derive(const KeyRoot *root, Str label)
{
    return derive_key(root, label, NULL, 0);
}

Key key_derive_number(const KeyRoot *root, Str label, uint64_t number)
{
    unsigned char bytes[8];

    put_big_endian(bytes, number, 8);
    return derive_key(root, label, bytes, sizeof(bytes));
}

Key key_derive_part(const KeyRoot *root, Str label, uint32_t part)
{
    unsigned char bytes[4];

    put_big_endian(bytes, part, 4);
    return derive_key(root, label, bytes, sizeof(bytes));
}

Key key_derive_item(const KeyRoot *root, Str label, uint32_t part, uint64_t item)
{
    unsigned char bytes[12];

    put_big_endian(bytes, part, 4);
    put_big_endian(bytes + 4, item, 8);
    return derive_key(root, label, bytes, sizeof(bytes));
}

uint64_t key_seed(const Key *key)
{
    uint64_t seed = 0;

    for (size_t i = 0; i < 8; i++)
        seed = seed << 8 | key->bytes[i];
    return seed;
}

/* ---- where keys come from ---- */

static const Str nul = {"", 1};

Key key_of_seed(uint64_t seed)
{
    char digits[24];
    int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)seed);
    const Str parts[] = {STR("warg-seed-v1"), nul, {digits, (size_t)n}};

    return sha256_of(parts, 3);
}

static Str bytes_of(const Key *key)
{
    return (Str){(const char *)key->bytes, KEY_BYTES};
}

Key key_of_stage_with(const Key *secret, Str contest, Str stage, const Key *lots, Str beacon)
{
    const KeyRoot root = key_root(secret);
    const Str parts[] = {STR("warg-stage-v1"), nul, contest, nul, stage, nul,
                         bytes_of(lots),       nul, beacon};

    return hmac_of(&root, parts, beacon.len ? 9 : 7);
}

Key key_of_lot_entry(Str agent, const Key *lot)
{
    const Str parts[] = {STR("warg-lot-v1"), nul, agent, nul, bytes_of(lot)};

    return sha256_of(parts, sizeof(parts) / sizeof(parts[0]));
}

Key key_of_lots(const NamedKey *lots, size_t count)
{
    static const Str label = {"warg-lots-v1", 12};
    Hash hash = {.bytes = 0};

    sha256_begin(hash.state);
    hash_add(&hash, label.bytes, label.len);
    hash_add(&hash, nul.bytes, nul.len);
    for (size_t i = 0; i < count; i++) {
        const Str parts[] = {lots[i].name, nul, bytes_of(&lots[i].key)};
        const Key lot = sha256_of(parts, 3);
        hash_add(&hash, lot.bytes, sizeof(lot.bytes));
    }
    return hash_end(&hash);
}

Key key_of_stage(const Key *secret, Str contest, Str stage)
{
    const Key lots = key_of_lots(NULL, 0);

    return key_of_stage_with(secret, contest, stage, &lots, (Str){0});
}

Key key_commitment(const Key *secret, Str contest, Str stage)
{
    const Str parts[] = {STR("warg-commit-v1"), nul, contest, nul, stage, nul, bytes_of(secret)};

    return sha256_of(parts, sizeof(parts) / sizeof(parts[0]));
}

/* ---- keys as text ---- */

void key_to_hex(const Key *key, char ret_hex[static KEY_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < KEY_BYTES; i++) {
        ret_hex[2 * i] = digits[key->bytes[i] >> 4];
        ret_hex[2 * i + 1] = digits[key->bytes[i] & 15];
    }
    ret_hex[KEY_HEX_BYTES - 1] = '\0';
}

/* The value of a hexadecimal digit; 16 for anything else. */
static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

bool key_from_hex(Str text, Key *ret_key)
{
    if (text.len != KEY_HEX_BYTES - 1)
        return false;
    for (size_t i = 0; i < KEY_BYTES; i++) {
        unsigned high = digit_of(text.bytes[2 * i]), low = digit_of(text.bytes[2 * i + 1]);
        if (high > 15 || low > 15)
            return false;
        ret_key->bytes[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}
