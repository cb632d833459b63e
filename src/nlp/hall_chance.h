/* hall_chance.h - where the chance of a hall and of its games comes from: a key for each purpose.
 *
 * For:    nlp/matching.c, nlp/hall.c.
 * Memory: plain values.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.2: who knows all that one game, or the matching, has
 *         shown knows nothing of any other game, nor of what the same game keeps to itself.
 *
 *     hall key --"matching"---------> who is chosen for free matches
 *              --"schedule" be64(k)-> the k-th schedule that is drawn, from 0
 *              --"game" be64(n)-----> the key of game n, from 1: its deal, what all and what few
 * see,
 *                                     --"seats"------> who sits where
 *                                     --"characters"-> whose character is whose
 *                                     --"bots"-------> a key for built-in bots that fill seats
 */
#ifndef WARG_NLP_HALL_CHANCE_H
#define WARG_NLP_HALL_CHANCE_H

#include "base/key.h"
#include "game/chance.h"

typedef struct HallChance {
    KeyRoot root;
    Rng matching;
    uint64_t schedules; /* that were drawn */
} HallChance;

typedef struct HallGameChance {
    Chance chance; /* of the game */
    Rng seats;
    Rng characters;
    Key bots;
} HallGameChance;

HallChance hall_chance(const Key *key);
/* The generator of the next schedule. */
Rng hall_chance_schedule(HallChance *chance);
HallGameChance hall_chance_game(const HallChance *chance, uint64_t number);

#endif
