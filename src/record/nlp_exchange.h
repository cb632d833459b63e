/* nlp_exchange.h - whether the JSON log of a natural-language game, which holds its requests and
 *                  replies, and its game log tell the same game.
 *
 * For:    `warg log check FILE.json`, audits: what exchange_replay.h is for the protocol division.
 * Memory: texts are borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 11.4: "NLP games have it in their JSON log; there seats,
 *         roles, lines and tallies are checked"; docs/spec/nlp-division.md 8.2, 8.3.
 *
 * No key gives such a game again: how it is played is in its server's configuration. What the JSON
 * log amounts to (nlp_json.h) is held against the game log: seats, names, roles, who lives each
 * morning; utterances with idx, turn and text; votes, executions, divinations, guards, attack
 * votes, attacks; numbers and winner of the result. Whether the game log is legal, and its tallies
 * right, nlp_check.h says.
 *
 * Not everything stands in a JSON log, and what it does not hold is not objected to: utterances of
 * which no packet told any more, the last whispers of a night and what is said before an abort;
 * where an attack met a guard, whom it was for. Times are not compared.
 */
#ifndef WARG_RECORD_NLP_EXCHANGE_H
#define WARG_RECORD_NLP_EXCHANGE_H

#include "record/log_replay.h"

/* Compares the two. `ret->line` is one of the game log; 0 when ok. What can't be read is a finding,
 * too. Errors: ERR_MEMORY. */
int nlp_exchange_check(Str json, Str log, LogFinding *ret, Err *err);

#endif
