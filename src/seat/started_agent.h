/* started_agent.h - an agent that we start: its program, its connection until it has said its name,
 *                   and all that one waits for.
 *
 * For:    the hall (match/hall.h) and tables of MAW. What it does follows from seat/started.h; its
 *         program is behind a door (seat/program.h), time comes by alarms and as an argument: no
 *         socket, no process and no clock here.
 * Memory: a StartedAgent owns its program and, until `named`, its AiwolfAgent.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 1.1, 6.3.
 */
#ifndef WARG_SEAT_STARTED_AGENT_H
#define WARG_SEAT_STARTED_AGENT_H

#include "base/alarms.h"
#include "seat/program.h"

typedef struct StartedAgent StartedAgent;

/* What an organiser wants to read. */
typedef enum StartedNote {
    STARTED_NOTE_STRANGER, /* somebody else came to its port */
    STARTED_NOTE_END,      /* how its program ended */
} StartedNote;

/* None but `gone` may free the StartedAgent. */
typedef struct StartedAgentEvents {
    /* It has come: the agent is the caller's from here on, and reports to him when he attaches. */
    void (*named)(void *user, AiwolfAgent *take_agent);
    /* It has failed before that. */
    void (*failed)(void *user, const Fault *fault, TimeUs now);
    /* Its program was found at something that its rules forbid. May be NULL. */
    void (*found)(void *user, const Finding *finding, TimeUs now);
    /* Its program has ended; started_agent_last_lines are its last now. May be NULL. */
    void (*ended)(void *user, TimeUs now);
    /* ... all that had to be said of that was said, and it is not started anew. */
    void (*gone)(void *user, TimeUs now);
    void (*note)(void *user, StartedNote what, Str text);
    /* It can't be started anew, or no cell can be made for it, which is our fault. May be NULL
     * where nobody wants that. */
    void (*broken)(void *user, const Err *err);
} StartedAgentEvents;

typedef struct StartedAgentSetup {
    ProgramDoor door;
    Alarms *alarms;
    const Patience *limits; /* borrowed for its life, as is `scratch` */
    Buf *scratch;           /* as for aiwolf_agent_new */
    ProgramPlan plan; /* texts are borrowed for its life, but `output` and `input` are copied */
    StartedAgentEvents events;
    void *user;
    bool *hinted; /* agent_environment_add_hint; of all agents of a run */
    bool strict;  /* its cell is a strict one, which its last words may come from */
} StartedAgentSetup;

/* Starts it. Errors: those of the door, with the agent's name in front; ERR_MEMORY. */
int started_agent_new(const StartedAgentSetup *setup, TimeUs now, StartedAgent **ret_agent,
                      Err *err);
StartedAgent *started_agent_free(StartedAgent *agent);

/* It is at fault, or its seat is lost; `gone`: it has closed its connection, and has some time to
 * end. */
void started_agent_fail(StartedAgent *agent, bool gone, TimeUs now);
/* Its program is to be started anew, when this one has ended. */
void started_agent_again(StartedAgent *agent, TimeUs now);
/* Its games are over: it has some time to end. */
void started_agent_dismiss(StartedAgent *agent, TimeUs now);

/* False once `gone` was told. */
bool started_agent_runs(const StartedAgent *agent);
Str started_agent_last_lines(const StartedAgent *agent);

#endif
