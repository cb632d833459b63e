/* track_key.h - the keys that participants' tokens of a contest's tracks are signed with.
 *
 * For:    the contest site, which makes tokens; the job that runs a track's server.
 * Memory: plain values.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 9; docs/spec/nlp-division.md 1.3.
 */
#ifndef WARG_NLP_TRACK_KEY_H
#define WARG_NLP_TRACK_KEY_H

#include "base/key.h"

/* contests/NAME/secret/tokens: the key of all tracks' keys. */
#define TRACK_TOKENS_NAME "tokens"

/* The SECRET_KEY of a track: tokens of one are none of another. */
void track_key(const Key *tokens, Str track, char ret_hex[static KEY_HEX_BYTES]);

#endif
