/* length.h - cuts an utterance to the natural-language division's length rules.
 *
 * For:    talk.c. Characters are code points; a mention (@name) opens a second allowance.
 * Memory: writes into the caller's bytes.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 5.3, with its targets.
 */
#ifndef WARG_GAME_LENGTH_H
#define WARG_GAME_LENGTH_H

#include "game/ruleset.h"

/* True when any of the four limits is set. */
bool length_is_limited(const LengthRules *rules);

/* `text` without white space at both ends; the ideographic space is one, too. */
Str length_strip(Str text);

/* How long a text is by these rules: words, characters, or characters without white space. */
int32_t length_count(const LengthRules *rules, Str text);

/* `text` as it is recorded, into `out`, at most `room` bytes and never half a character; returns
 * its bytes, 0 when nothing is left. names[1..seat_count] are the names in the game; the speaker's
 * own is no mention. `*length_left` is the speaker's allowance of the session (rules->per_agent)
 * and is charged; it may go below zero. */
size_t length_limit(const LengthRules *rules, Str text, const Str *names, SeatNo seat_count,
                    SeatNo speaker, int32_t *length_left, char *out, size_t room);

#endif
