/* game_claims.h - what an utterance claims, as far as it can be read without guessing.
 *
 * For:    record/game_doc.h, record/play_meter.h.
 * Memory: writes into the caller's Json; the arena is the caller's and is cleared.
 * Thread: pure.
 * Source: docs/spec/web.md 4.4.
 *
 * A claim is what the speaker says itself and of itself: subjects are resolved as
 * docs/spec/language.md 4 has it, so what somebody says of another's divination is no claim. What
 * is said not to hold, asked or asked for is none either.
 */
#ifndef WARG_RECORD_GAME_CLAIMS_H
#define WARG_RECORD_GAME_CLAIMS_H

#include "base/arena.h"
#include "base/json.h"
#include "game/role.h"
#include "record/claim_words.h"
#include "record/game_belief.h"
#include "record/game_doc.h"

/* Adds `says` and `plain` of a sentence of the protocol language to an open object; nothing for
 * what is none. `speaker` is 1..seat_count. `facts` gets what a belief is made of; may be NULL. */
void claims_put_sentence(Str text, SeatNo speaker, SeatNo seat_count, Arena *arena,
                         BeliefFacts *facts, Json *json);

/* The roles that the speaker claims to have itself, in the protocol language; none for any other
 * text, and for one longer than 1024 bytes. The text is read as it is recorded: what an agent said
 * may have been longer. */
RoleSet claims_own_roles(Str text, SeatNo speaker, SeatNo seat_count);

/* Adds `says` of natural language: a vote that is announced in the very words that our own bots
 * use. Names are those of seats[1..seat_count]. */
void claims_put_vote(Str text, SeatNo speaker, const DocSeat *seats, SeatNo seat_count, Json *json);

#endif
