/* maw_agents.h - agents of the AIWolf protocol division at a MAW table: programs that are started,
 *                come over TCP and take a seat each.
 *
 * For:    serve/maw_door.c: `warg maw --agent`.
 * Memory: MawAgents owns processes, connections and what they have failed by; loop and table are
 *         borrowed. Free the table first: its drivers point here.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 7.4; docs/spec/protocol-division.md 1, 6.3; man/warg-maw.1.scd.
 *
 *   STARTED --connects, answers NAME--> CAME --seated--> asked and told by maw/driver_agent.h
 *      |                                 |
 *      +------------- fault -------------+--> FAILED: its seat is played on by a rule
 */
#ifndef WARG_MAW_MAW_AGENTS_H
#define WARG_MAW_MAW_AGENTS_H

#include "cell/cell.h"
#include "match/plan.h"
#include "maw/maw_table.h"

typedef struct MawAgents MawAgents;

typedef struct MawAgentsSetup {
    Loop *loop;
    TimeUs now;
    TimeUs limit;     /* for an answer */
    TimeUs startup;   /* to connect and say its name, and for the first answer of all */
    const char *out;  /* folder for what they print, in its agents/; NULL = dropped. Borrowed until
                         all are started */
    const Cell *cell; /* what they run in; NULL = in none */
    void (*note)(void *user, Str line); /* for the operator */
    /* From the loop, once: each has come or failed. May be called while they are started. */
    void (*came)(void *user);
    /* From the loop, once, behind maw_agents_dismiss: the last process has ended. */
    void (*gone)(void *user);
    void *user;
} MawAgentsSetup;

/* Adds the agents of one --agent value to the plan, spelled as for `warg run`. Errors: those of
 * agent_spec_add; ERR_USAGE for who is no program to be started. */
int maw_agents_read(Str value, Plan *plan, Err *err);

/* Starts the plan's agents, which all have a command. Errors: ERR_IO, ERR_MEMORY. */
int maw_agents_start(const MawAgentsSetup *setup, const Plan *plan, MawAgents **ret_agents,
                     Err *err);
MawAgents *maw_agents_free(MawAgents *agents);

/* As agent_crew_seat. */
int maw_agents_seat(MawAgents *agents, MawTable *table, const Ruleset *rules, const MawPace *pace,
                    const MawChance *chance, uint32_t most, Err *err);

/* The session is over, or does not begin: connections are closed. Processes have seconds to end.
 * True when none is left: `gone` is not called then. */
bool maw_agents_dismiss(MawAgents *agents, TimeUs now);

/* False when one of them failed before it was asked anything: rules played all its rounds. */
bool maw_agents_have_played(const MawAgents *agents);

/* Appends a line for each: what it did, and how it failed. */
void maw_agents_print(const MawAgents *agents, bool japanese, Buf *out);

#endif
