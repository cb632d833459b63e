/* belief.h - how likely each seat is a werewolf, as far as the claims at the table tell.
 *
 * For:    game_doc.h: the row `belief` of a document.
 * Memory: a Belief is a plain value.
 * Thread: pure.
 * Source: docs/spec/web.md 4.4, the method `claims-1`. An estimate, and documents say so.
 *
 * All deals that fit the table's roles are equally likely at first. Who was killed in the night is
 * no wolf. Who claims a role has it, or lies: rarely as a villager, more often as a wolf or
 * possessed (belief.c has the weights in one table). What a true seer or medium tells is true;
 * what a false one tells is as likely the one as the other. Deals are summed up exactly: set of
 * wolves by set of wolves, the other roles of who has claimed something one by one, and all who
 * have claimed nothing together, since they are alike.
 */
#ifndef WARG_RECORD_BELIEF_H
#define WARG_RECORD_BELIEF_H

#include "game/role.h"

/* The name and a sentence of the method, for documents. */
#define BELIEF_METHOD "claims-1"
#define BELIEF_TEXT                                                                                \
    "An estimate from public claims, results and deaths alone: all deals that fit are counted; "   \
    "villagers seldom claim falsely, wolves and possessed often."

/* Open, so that it lives on a stack. Touch it through functions. */
typedef struct Belief {
    SeatNo seat_count;
    uint8_t counts[ROLE_COUNT];
    SeatSet killed;                /* in the night */
    uint32_t claims[SEAT_MAX + 1]; /* bit of Role: all that were claimed */
    /* By judge: who is human, who a wolf, as a seer and as a medium says. */
    SeatSet human[SEAT_MAX + 1][2];
    SeatSet wolf[SEAT_MAX + 1][2];
} Belief;

/* `counts` by Role: how many of each the table deals. */
void belief_begin(Belief *belief, SeatNo seat_count, const uint8_t counts[static ROLE_COUNT]);

/* What everybody has heard or seen. Seats that are none are ignored. */
void belief_claim(Belief *belief, SeatNo seat, Role role);
void belief_judge(Belief *belief, SeatNo judge, bool medium, SeatNo target, Species species);
void belief_killed(Belief *belief, SeatNo seat);

/* The probabilities now, into ret_wolf[1..seat_count]. False when there are too many deals to be
 * counted in a few milliseconds, or none that fits: then nothing is believed. */
bool belief_rate(const Belief *belief, double ret_wolf[static SEAT_MAX + 1]);

#endif
