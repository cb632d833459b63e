/* suspicion.h - who may be a werewolf, by who has spoken or voted against whom.
 *
 * For:    maw/driver_bot.c.
 * Memory: a Suspicion is a plain value; zero is a fresh one, for one round.
 * Thread: pure; whole numbers only, so that the same talk gives the same doubts everywhere.
 * Source: none; docs/spec/maw.md 5.7 asks for rules that need no model.
 *
 * What wolves can't hide well: they seldom accuse each other. So every set of as many players as
 * there are wolves is possible, but the less so the more its members have accused each other; and
 * the more likely sets one is in, the more one is suspected. Murdered players were no wolves.
 */
#ifndef WARG_MAW_SUSPICION_H
#define WARG_MAW_SUSPICION_H

#include "llm/scene.h"

typedef struct Suspicion {
    uint64_t against[LLM_SEATS_MAX]; /* bit t of [s]: s, by place in the scene, is against t */
} Suspicion;

static inline void suspicion_note(Suspicion *suspicion, uint32_t who, uint32_t whom)
{
    if (who < LLM_SEATS_MAX && whom < LLM_SEATS_MAX)
        suspicion->against[who] |= (uint64_t)1 << whom;
}

/* How much each seat of the scene is suspected, dead ones too, into ret[0..seat_count-1]; 0: it
 * can't be a wolf. `inside`: as a villager who is the scene's `me` sees it, else as one who is
 * nobody there. The sum is never 0 while somebody is possible. */
void suspicion_weigh(const Suspicion *suspicion, const LlmScene *scene, bool inside,
                     uint64_t ret[LLM_SEATS_MAX]);

#endif
