/* aiwolf_answer.h - what an agent of the protocol division answers: one line of text.
 *
 * For:    seats (reading) and our own agents (writing).
 * Memory: a text that was read borrows `line` or `storage`, whichever holds it.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 1.4 (formats), 3.3 (empty line), 6.2 and 6.3 (odd lines).
 */
#ifndef WARG_WIRE_AIWOLF_ANSWER_H
#define WARG_WIRE_AIWOLF_ANSWER_H

#include "base/buf.h"
#include "game/game.h"

/* Reads the answer to an ask of `kind`; `line` is without its LF. A CR ends the line too, and what
 * stands behind it is not read. Total: any bytes give an answer, in time linear in their number.
 * `ret_answer` is overwritten, with everything but in_language and sentence.
 *   TALK, WHISPER  the text as it came; bytes that are not UTF-8 become U+FFFD (in `storage`,
 *                  which is cleared first);
 *   targets        the number in the first {"agentIdx":N} of the line, white space inside allowed;
 *                  0 when there is none, it is no seat, or it does not fit;
 *   ROLE           a role name in capitals; anything else is no wish.
 * Returns false when a target line holds no such object and is not empty: counted as malformed,
 * played as "no target" (6.3, point 3). */
bool aiwolf_answer_read(AskKind kind, Str line, Buf *storage, Answer *ret_answer);

/* Appends the line that answers so, with its LF: the sentence (Skip when it is empty or a lapse;
 * line ends inside become blanks), {"agentIdx":N} in the compact form, a role name or "none". */
void aiwolf_answer_write(const Answer *answer, Buf *out);

#endif
