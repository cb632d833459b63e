/* driver_agent.h - an agent of the AIWolf protocol division decides for a MAW player.
 *
 * For:    `warg maw --agent`. Who holds the agent's connection passes asks and answers on; here is
 *         when it is asked what, and what becomes of its answers. An adapter, not rules.
 * Memory: the driver copies link and rules; it is freed with maw_driver_free.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 7.4, 5.1; docs/spec/protocol-division.md 1.4, 3.
 *
 *   MAW                            the agent
 *   a round begins                 INITIALIZE, DAILY_INITIALIZE and DAILY_FINISH of day 0, DIVINE
 *   day n begins                   DAILY_INITIALIZE (with what the Seer was answered)
 *   the room is open: now and then TALK, by night WHISPER; Skip and Over say nothing
 *   it is through with talking,    by day DAILY_FINISH and VOTE, by night ATTACK; once more as a
 *     or the phase is soon over      revote when the others have voted otherwise since; wolves
 *                                    who insist take the choice of the first of them
 *   night begins                   DIVINE; asked of the game master in the morning
 *   a round is over                FINISH
 *
 * An agent that has failed is asked nothing any more: llm_fallback plays its seat on.
 */
#ifndef WARG_MAW_DRIVER_AGENT_H
#define WARG_MAW_DRIVER_AGENT_H

#include "maw/driver.h"
#include "wire/aiwolf_packet.h"

/* To the agent. `ask` is answered later by maw_agent_driver_answer or maw_agent_driver_fail, never
 * from inside; until then no other ask comes. View and texts are borrowed for the call. */
typedef struct MawAgentLink {
    void (*ask)(void *user, const Ask *ask, const View *view, TimeUs now);
    void (*tell)(void *user, AiwolfRequest request, const View *view);
    void *user;
} MawAgentLink;

typedef struct MawAgentSetup {
    MawAgentLink link;
    const Ruleset *rules; /* of the MAW table; copied */
    int32_t limit_ms;     /* what the agent is told that it may take; -1: nothing */
    MawPace pace;
    uint64_t seed;
} MawAgentSetup;

/* What came of its answers. */
typedef struct MawAgentFigures {
    uint32_t asks;
    uint32_t lines;
    uint32_t votes;   /* revotes too */
    uint32_t odd;     /* targets that could not be chosen: a rule did */
    uint32_t settled; /* votes with its mates, since they had insisted on different ones */
    uint32_t late;    /* answers that came when the phase was over */
    uint32_t rules;   /* decisions in its place since it failed */
} MawAgentFigures;

/* Errors: ERR_MEMORY. */
int maw_agent_driver_new(const MawAgentSetup *setup, MawDriver **ret, Err *err);

/* The answer to the last ask; its text is borrowed for the call. May ask at once. */
void maw_agent_driver_answer(MawDriver *driver, const Answer *answer, TimeUs now);
/* It will not answer any more. */
void maw_agent_driver_fail(MawDriver *driver);

MawAgentFigures maw_agent_driver_figures(const MawDriver *driver);

#endif
