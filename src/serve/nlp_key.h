/* nlp_key.h - the key of a server of the natural-language division, and the file that keeps it.
 *
 * For:    `warg serve nlp`.
 * Memory: a NlpKey owns its texts: nlp_key_done.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.1, 11.2. Nobody may foresee a drawn key, so it is
 *         neither printed nor logged while games are to come; it must not be lost either, so it is
 *         on disk before the first game, and a killed server leaves it there.
 *
 *     DIR/secret/ULID.key   0600 in a folder of 0700, while the server runs
 *     DIR/ULID.key          from its end on
 */
#ifndef WARG_SERVE_NLP_KEY_H
#define WARG_SERVE_NLP_KEY_H

#include "base/buf.h"
#include "base/err.h"
#include "base/key.h"

typedef struct NlpKey {
    Key key;
    bool given; /* not drawn by this server */
    Buf shown;  /* given: as it was given */
    Buf secret; /* files; empty: there are none */
    Buf published;
} NlpKey;

/* A seed, or a key of 64 hexadecimal digits. Errors: ERR_USAGE. */
int nlp_key_read(const char *text, NlpKey *key, Err *err);
/* What `number` makes of somebody's seed. Errors: ERR_MEMORY. */
int nlp_key_of_seed(uint64_t number, NlpKey *key, Err *err);
/* A new one. Errors: ERR_IO. */
int nlp_key_draw(NlpKey *key, Err *err);
/* The key of server `number` of several that were given one. */
void nlp_key_number(NlpKey *key, size_t number);
/* Keeps a drawn key under the folder of the logs; the date is in its name. Errors: ERR_IO,
 * ERR_MEMORY. */
int nlp_key_keep(NlpKey *key, const char *dir, int64_t unix_ms, Err *err);
/* No game is to come: the file leaves DIR/secret. Errors: ERR_IO. */
int nlp_key_publish(NlpKey *key, Err *err);
void nlp_key_done(NlpKey *key);

#endif
