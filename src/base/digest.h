/* digest.h - digests, keyed digests and signatures of bytes, and base64.
 *
 * For:    naming rulesets and logs by their content, committing to a seed before a game; the
 *         WebSocket handshake; signed tokens; the tree and the signature of a ledger.
 * Memory: the caller's.
 * Thread: any.
 * Source: FIPS 180-4, RFC 2104 and RFC 8032 (Ed25519) through libcrypto; RFC 4648.
 */
#ifndef WARG_BASE_DIGEST_H
#define WARG_BASE_DIGEST_H

#include "base/buf.h"
#include "base/err.h"

#define SHA256_HEX_BYTES 65 /* 64 lower-case digits and the NUL */
#define SHA256_BLOCK     64
#define SHA1_BYTES       20
#define DIGEST_BYTES_MAX 64
#define SHA256_BYTES     32

#define ED25519_KEY_BYTES       32 /* of a seed and of a public key */
#define ED25519_SIGNATURE_BYTES 64

/* Errors: ERR_MEMORY when libcrypto can't work. */
int sha256_hex(Str bytes, char ret_hex[static SHA256_HEX_BYTES], Err *err);
int sha1(Str bytes, unsigned char ret_digest[static SHA1_BYTES], Err *err);

/* SHA-256 of what comes in pieces. sha256_new returns NULL without memory; sha256_end frees it. */
typedef struct Sha256 Sha256;
Sha256 *sha256_new(void);
void sha256_add(Sha256 *hash, Str bytes);
void sha256_end(Sha256 *take_hash, char ret_hex[static SHA256_HEX_BYTES]);

/* SHA-256 by hand, for what is hashed a million times a second: the state before the first block,
 * and the state after one more. Padding and the length are the caller's: base/key.c. */
void sha256_begin(uint32_t ret_state[static 8]);
void sha256_block(uint32_t state[static 8], const unsigned char block[static SHA256_BLOCK]);

/* SHA-256 of several texts, one behind the other. Neither allocates nor fails. */
void sha256_texts(const Str *parts, size_t count, unsigned char ret_digest[static SHA256_BYTES]);

/* HMAC with SHA-256, SHA-384 or SHA-512 (`bits`: 256, 384, 512; asserted); *ret_len is bits / 8.
 * Errors: ERR_MEMORY. */
int hmac_sha(int bits, Str key, Str bytes, unsigned char ret_mac[static DIGEST_BYTES_MAX],
             size_t *ret_len, Err *err);

/* The public key of an Ed25519 seed, and a signature. Errors: ERR_MEMORY. */
int ed25519_public(const unsigned char seed[static ED25519_KEY_BYTES],
                   unsigned char ret_public[static ED25519_KEY_BYTES], Err *err);
int ed25519_sign(const unsigned char seed[static ED25519_KEY_BYTES], Str bytes,
                 unsigned char ret_signature[static ED25519_SIGNATURE_BYTES], Err *err);
/* False for a signature that isn't this key's of these bytes, whatever is wrong. */
bool ed25519_holds(const unsigned char public_key[static ED25519_KEY_BYTES], Str bytes,
                   Str signature);

/* Whether two secrets are equal, in a time that does not tell where they differ. */
bool digest_equal(Str a, Str b);

/* Appends base64: `url` with '-' and '_' and without padding, else with '+', '/' and padding. */
void base64_encode(Str bytes, bool url, Buf *out);
/* Appends the bytes. Errors: ERR_SYNTAX for anything that the encoder would not write. */
int base64_decode(Str text, bool url, Buf *out, Err *err);

#endif
