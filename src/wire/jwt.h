/* jwt.h - tokens of participants and viewers: JSON Web Tokens signed with HMAC.
 *
 * For:    `warg serve nlp` (checks), `warg token` (makes and checks).
 * Memory: texts are copied into the caller's Buf or struct.
 * Thread: pure: the time is an argument.
 * Source: RFC 7515, 7518 3.2, 7519; docs/spec/nlp-division.md 1.3.
 */
#ifndef WARG_WIRE_JWT_H
#define WARG_WIRE_JWT_H

#include "base/buf.h"
#include "base/err.h"

#define JWT_BYTES_MAX 4096
#define JWT_TEXT_MAX  256

/* The claims that are read. */
typedef struct JwtClaims {
    char role[16];           /* "PLAYER", "RECEIVER"; empty = no such claim */
    char team[JWT_TEXT_MAX]; /* of a PLAYER */
    int64_t expires;         /* unix s; 0 = never */
    int64_t not_before;      /* unix s; 0 = always */
} JwtClaims;

/* Appends a token, signed with HS256 by `key` as it is. Errors: ERR_RULE for an empty key;
 * ERR_MEMORY. */
int jwt_make(const JwtClaims *claims, int64_t issued_at, Str key, Buf *out, Err *err);

/* Checks signature (HS256, HS384, HS512 and nothing else), exp and nbf, and reads the claims.
 * Errors: ERR_SYNTAX for what is no token, ERR_RULE for a wrong signature or algorithm, an empty
 * key, an expired token; ERR_MEMORY. The message says which, for the server's log. */
int jwt_check(Str token, Str key, int64_t now, JwtClaims *ret_claims, Err *err);

#endif
