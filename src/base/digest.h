/* digest.h - digests and keyed digests of bytes, and base64.
 *
 * For:    naming rulesets and logs by their content, committing to a seed before a game; the
 *         WebSocket handshake; signed tokens.
 * Memory: the caller's.
 * Thread: any.
 * Source: FIPS 180-4 and RFC 2104 through libcrypto; RFC 4648.
 */
#ifndef WARG_BASE_DIGEST_H
#define WARG_BASE_DIGEST_H

#include "base/buf.h"
#include "base/err.h"

#define SHA256_HEX_BYTES 65 /* 64 lower-case digits and the NUL */
#define SHA256_BLOCK     64
#define SHA1_BYTES       20
#define DIGEST_BYTES_MAX 64

/* Errors: ERR_MEMORY when libcrypto can't work. */
int sha256_hex(Str bytes, char ret_hex[static SHA256_HEX_BYTES], Err *err);
int sha1(Str bytes, unsigned char ret_digest[static SHA1_BYTES], Err *err);

/* SHA-256 by hand, for what is hashed a million times a second: the state before the first block,
 * and the state after one more. Padding and the length are the caller's: base/key.c. */
void sha256_begin(uint32_t ret_state[static 8]);
void sha256_block(uint32_t state[static 8], const unsigned char block[static SHA256_BLOCK]);

/* HMAC with SHA-256, SHA-384 or SHA-512 (`bits`: 256, 384, 512; asserted); *ret_len is bits / 8.
 * Errors: ERR_MEMORY. */
int hmac_sha(int bits, Str key, Str bytes, unsigned char ret_mac[static DIGEST_BYTES_MAX],
             size_t *ret_len, Err *err);

/* Whether two secrets are equal, in a time that does not tell where they differ. */
bool digest_equal(Str a, Str b);

/* Appends base64: `url` with '-' and '_' and without padding, else with '+', '/' and padding. */
void base64_encode(Str bytes, bool url, Buf *out);
/* Appends the bytes. Errors: ERR_SYNTAX for anything that the encoder would not write. */
int base64_decode(Str text, bool url, Buf *out, Err *err);

#endif
