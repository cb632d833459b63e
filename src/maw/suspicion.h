/* suspicion.h - who may be a werewolf, by who has spoken or voted against whom, and by claims.
 *
 * For:    maw/talker_mind.c.
 * Memory: a Suspicion is a plain value; zero is a fresh one, for one round.
 * Thread: pure; whole numbers only, so that the same talk gives the same doubts everywhere.
 * Source: none; docs/spec/maw.md 5.7 asks for rules that need no model.
 *
 * What wolves can't hide well: they seldom accuse each other. So every set of as many players as
 * there are wolves is possible, but the less so the more its members have accused each other; and
 * the more likely sets one is in, the more one is suspected. Murdered players were no wolves.
 *
 * Who claims to be the Seer and is in no set tells the truth there: a set that its results
 * contradict is impossible. There is one Seer, so of two claimants one is in the set.
 */
#ifndef WARG_MAW_SUSPICION_H
#define WARG_MAW_SUSPICION_H

#include "llm/scene.h"

/* Sets of seats: bit s is the seat at place s of the scene. */
typedef struct Suspicion {
    uint64_t against[LLM_SEATS_MAX]; /* by speaker */
    uint64_t seers;                  /* claim to be the Seer */
    uint32_t first_seer;             /* place of the first of them, one more; 0: nobody */
    uint64_t wolf_by[LLM_SEATS_MAX]; /* results, by claimant */
    uint64_t human_by[LLM_SEATS_MAX];
} Suspicion;

static inline void suspicion_note(Suspicion *suspicion, uint32_t who, uint32_t whom)
{
    if (who < LLM_SEATS_MAX && whom < LLM_SEATS_MAX)
        suspicion->against[who] |= (uint64_t)1 << whom;
}

/* `who` claims to be the Seer and says what `whom` is. */
static inline void suspicion_note_result(Suspicion *suspicion, uint32_t who, uint32_t whom,
                                         bool wolf)
{
    if (who >= LLM_SEATS_MAX)
        return;
    suspicion->seers |= (uint64_t)1 << who;
    if (suspicion->first_seer == 0)
        suspicion->first_seer = who + 1;
    if (whom < LLM_SEATS_MAX)
        (wolf ? suspicion->wolf_by : suspicion->human_by)[who] |= (uint64_t)1 << whom;
}

/* How much each seat of the scene is suspected, dead ones too, into ret[0..seat_count-1], below
 * 2^40; 0: it can't be a wolf. `inside`: as a villager who is the scene's `me` sees it, else as one
 * who is nobody there. The sum is never 0 while somebody is possible. */
void suspicion_weigh(const Suspicion *suspicion, const LlmScene *scene, bool inside,
                     uint64_t ret[LLM_SEATS_MAX]);

#endif
