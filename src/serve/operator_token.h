/* operator_token.h - the operator's token of a server: drawn when it starts, or of a file.
 *
 * For:    `warg serve nlp`.
 * Memory: appended to the caller's Buf.
 * Thread: main thread.
 * Source: docs/spec/web.md 11.2: 256 bits, a file that is made with mode 0600 when it is missing.
 */
#ifndef WARG_SERVE_OPERATOR_TOKEN_H
#define WARG_SERVE_OPERATOR_TOKEN_H

#include "base/buf.h"
#include "base/err.h"

/* A shorter one in a file could be tried out. */
#define OPERATOR_TOKEN_MIN 32

/* 64 hex digits of getrandom(2); with `path` the first line of that file, which is made of such a
 * token when it is missing. Errors: ERR_IO; ERR_RULE for a file that others can read, for a token
 * of less than OPERATOR_TOKEN_MIN bytes; ERR_MEMORY. */
int operator_token(const char *path, Buf *token, Err *err);

#endif
