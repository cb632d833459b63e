/* game_belief.h - what everybody has heard and seen that a belief is made of, in order, with the
 * moments at which one is asked for.
 *
 * For:    game_doc.h: documents of games that are over.
 * Memory: BeliefFacts owns its list.
 * Thread: one at a time.
 * Source: docs/spec/web.md 4.4: after each ballot and each dawn.
 */
#ifndef WARG_RECORD_GAME_BELIEF_H
#define WARG_RECORD_GAME_BELIEF_H

#include "base/json.h"
#include "record/belief.h"

/* Zeroed before use. */
typedef struct BeliefFacts {
    Buf list;
} BeliefFacts;

void belief_facts_done(BeliefFacts *facts);

void belief_fact_claim(BeliefFacts *facts, SeatNo seat, Role role);
void belief_fact_judge(BeliefFacts *facts, SeatNo judge, bool medium, SeatNo target,
                       Species species);
void belief_fact_killed(BeliefFacts *facts, SeatNo seat);
/* Something has happened by which one asks anew; `anchor` is its. */
void belief_fact_moment(BeliefFacts *facts, const char *anchor);

/* Adds `belief` to an open object; nothing where nobody has claimed anything. `counts` by Role. */
void belief_put(const BeliefFacts *facts, SeatNo seat_count,
                const uint8_t counts[static ROLE_COUNT], Json *json);

#endif
