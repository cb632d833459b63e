/* sha256.h - the SHA-256 digest of some bytes as hexadecimal text.
 *
 * For:    naming rulesets and logs by their content, and committing to a seed before a game.
 * Memory: the caller's text.
 * Thread: any.
 * Source: FIPS 180-4, through libcrypto.
 */
#ifndef WARG_BASE_SHA256_H
#define WARG_BASE_SHA256_H

#include "base/err.h"

#define SHA256_HEX_BYTES 65 /* 64 lower-case digits and the NUL */

/* Errors: ERR_MEMORY when libcrypto can't work. */
int sha256_hex(Str bytes, char ret_hex[static SHA256_HEX_BYTES], Err *err);

#endif
