/* nlp_realtime.h - the broadcast packets of a game of the natural-language division as the game log
 * that they amount to.
 *
 * For:    log_game.h, where only a viewer's .jsonl file is at hand.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 8.4.
 *
 * Which turn an utterance belongs to is not in a packet: it is counted by speaker. Good for
 * reading, no evidence.
 */
#ifndef WARG_RECORD_NLP_REALTIME_H
#define WARG_RECORD_NLP_REALTIME_H

#include "base/buf.h"
#include "base/err.h"

/* Whether the text begins with such a packet. */
bool nlp_realtime_is(Str text);

/* Appends the lines of a game log; without a result when the game has not ended. What follows a
 * packet that is cut off is left out.
 * Errors: ERR_SYNTAX for packets that tell no roles, as the public's; ERR_LIMIT, ERR_MEMORY. */
int nlp_realtime_to_log(Str text, Buf *out, Err *err);

#endif
