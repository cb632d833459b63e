/* nlp_json.h - a JSON log of the natural-language division as the game log that it amounts to.
 *
 * For:    `warg log show` and `warg log stats`, where the game log itself is not at hand.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 8.3, 3.
 *
 * The log of requests does not hold everything: utterances are those that packets told of, so the
 * last whispers of a night may be missing; which of the attacked were guarded is concluded. Good
 * for reading, no evidence: log_check refuses it.
 */
#ifndef WARG_RECORD_NLP_JSON_H
#define WARG_RECORD_NLP_JSON_H

#include "base/buf.h"
#include "base/err.h"

/* Whether the text is an object. */
bool nlp_json_is(Str text);

/* Appends the lines of a game log; without a result when the game has not ended.
 * Errors: ERR_SYNTAX for what is no such log; ERR_LIMIT, ERR_MEMORY. */
int nlp_json_to_log(Str text, Buf *out, Err *err);

#endif
