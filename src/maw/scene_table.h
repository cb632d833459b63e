/* scene_table.h - the seats of a scene by place, and a vote for one of them.
 *
 * For:    the bots: driver_bot.c, talker_*.c.
 * Memory: a scene is borrowed, and so are names out of it.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.7.
 *
 * A place is a seat's number in the scene, from 0, which is also its number in
 * MawKnown.players. A set of places has a bit for each.
 */
#ifndef WARG_MAW_SCENE_TABLE_H
#define WARG_MAW_SCENE_TABLE_H

#include "llm/seat.h"

#define NO_PLACE UINT32_MAX

static inline uint64_t place_bit(uint32_t place)
{
    return place < LLM_SEATS_MAX ? (uint64_t)1 << place : 0;
}

static inline bool has_place(uint64_t set, uint32_t place)
{
    return set & place_bit(place);
}

/* NO_PLACE: nobody there has this name. */
uint32_t scene_place(const LlmScene *scene, Str name);
uint32_t scene_me(const LlmScene *scene);
/* Empty, or false, where there is no such place. */
Str scene_name(const LlmScene *scene, uint32_t place);
bool scene_lives(const LlmScene *scene, uint32_t place);
bool scene_can_take(const LlmScene *scene, uint32_t place); /* it is a target */

/* Whether the scene's `me` is of the wolves' side, and all wolves that it knows so. */
bool scene_of_wolf(const LlmScene *scene);
uint64_t scene_wolves(const LlmScene *scene);

/* A vote for this place, into `decision`; that stays as it is where the place is no target, or has
 * the vote already. */
void scene_vote(const LlmScene *scene, uint32_t place, LlmDecision *decision);
/* By night a mate's choice, before one's own; true when there is something to do about it. */
bool scene_follow_mates(const LlmScene *scene, LlmDecision *decision);

#endif
