/* bid.h - how much a seat wants to speak next, where talk goes by bids.
 *
 * For:    the engine, both divisions' wires.
 * Memory: values.
 * Thread: pure.
 * Source: docs/spec/models.md 1.8.
 */
#ifndef WARG_GAME_BID_H
#define WARG_GAME_BID_H

#include "game/game.h"

/* What an answer to ASK_BID counts as: 0 to BID_MAX. */
uint8_t bid_of(const Answer *answer);
/* Reads a bid as agents write it: a digit first; what is behind it, a reason, is kept by nobody.
 * False, and a lapse, when there is none. */
bool bid_read(Str text, Answer *ret_answer);

#endif
