/* agent_crew.h - AIWolf agents at a MAW table: who has come, who has failed, what that leads to.
 *
 * For:    maw/maw_agents.c, which starts their programs and holds their connections. Here is what
 *         is decided: events and time go in, acts come out. No socket, no process.
 * Memory: an AgentCrew copies names; plan and table are borrowed. Free the table first: its
 *         drivers point here.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 7.4; docs/spec/protocol-division.md 1, 6.3.
 *
 *   STARTED --connected, named--> CAME --seated--> asked and told by maw/driver_agent.h
 *      |                           |
 *      +---------- fault ----------+--> FAILED: a rule plays its seat to the end; what it says
 *                                             then is not heard
 */
#ifndef WARG_MAW_AGENT_CREW_H
#define WARG_MAW_AGENT_CREW_H

#include "match/plan.h"
#include "maw/maw_table.h"
#include "record/fault.h"
#include "wire/aiwolf_packet.h"

typedef struct AgentCrew AgentCrew;

/* Agents are numbers from 0, in the plan's order. None may call back into the crew. */
typedef struct AgentCrewOut {
    void (*ask)(void *user, uint32_t agent, const Ask *ask, const View *view, TimeUs now);
    void (*tell)(void *user, uint32_t agent, AiwolfRequest request, const View *view);
    /* It has failed: it can't connect any more; `stop`: its program is to be ended, too. */
    void (*drop)(void *user, uint32_t agent, bool stop, TimeUs now);
    void (*all_came)(void *user); /* or failed; once */
    void (*note)(void *user, Str line);
    void *user;
} AgentCrewOut;

typedef struct AgentCrewSetup {
    TimeUs limit;   /* for an answer; somebody else's business, but they are told it */
    TimeUs startup; /* to connect and say its name; likewise */
    AgentCrewOut out;
} AgentCrewSetup;

/* All agents of the plan are being started. Errors: ERR_MEMORY. */
int agent_crew_new(const AgentCrewSetup *setup, const Plan *plan, AgentCrew **ret_crew, Err *err);
AgentCrew *agent_crew_free(AgentCrew *crew);

/* What happens to an agent. */
void agent_crew_named(AgentCrew *crew, uint32_t agent); /* it has said its name: it has come */
void agent_crew_answered(AgentCrew *crew, uint32_t agent, const Answer *answer, TimeUs at);
void agent_crew_malformed(AgentCrew *crew,
                          uint32_t agent); /* an answer that is played as no target */
void agent_crew_failed(AgentCrew *crew, uint32_t agent, const Fault *fault, TimeUs now);
/* It has failed before it was connected. */
void agent_crew_not_started(AgentCrew *crew, uint32_t agent, FaultKind kind, Str why, TimeUs now);

bool agent_crew_all_came(const AgentCrew *crew);
bool agent_crew_has_failed(const AgentCrew *crew, uint32_t agent);

/* The next `most` of them take a seat each; the seat of who has failed already is a rule's. */
int agent_crew_seat(AgentCrew *crew, MawTable *table, const Ruleset *rules, const MawPace *pace,
                    const MawChance *chance, uint32_t most, Err *err);
/* The session is over: how they end is no fault. */
void agent_crew_dismiss(AgentCrew *crew);

/* False when one of them failed before it was asked anything: rules played all its rounds. */
bool agent_crew_has_played(const AgentCrew *crew);
/* Appends a line for each: what it did, and how it failed. */
void agent_crew_print(const AgentCrew *crew, bool japanese, Buf *out);

#endif
