/* maw_door.h - one session of MAW: its table, who sits there, its component, from the first agent
 *              that is started to the last one's end.
 *
 * For:    serve/doors.h, `warg maw`.
 * Memory: a MawDoor owns table, agents, models and component; what the setup points to is borrowed
 *         for its life.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 8.1; docs/maw.md.
 *
 *   NEW --maw_door_begin--> STARTING --agents came--> PLAYING --session over--> LEAVING --> OVER
 *
 *   STARTING: programs are started; nobody waits in the lobby for an interpreter.
 *   PLAYING:  the table is open. LEAVING: processes of agents have seconds to end.
 *
 * Among bots alone time can be simulated: maw_door_play, without a loop.
 */
#ifndef WARG_SERVE_MAW_DOOR_H
#define WARG_SERVE_MAW_DOOR_H

#include "base/exit_status.h"
#include "llm/llm_arg.h"
#include "match/agent_cell.h"
#include "maw/maw_agents.h"
#include "maw/maw_config.h"
#include "serve/live.h"
#include "serve/live_pages.h"

typedef struct MawDoor MawDoor;

/* Seats for models of one kind. */
typedef struct MawModelSeats {
    LlmSpec spec;
    uint32_t count; /* 0 = those that are left, shared evenly with others of 0 */
} MawModelSeats;

/* Where the table is on an XMPP server. */
typedef struct MawComponent {
    const char *host; /* of its port for components */
    uint16_t port;
    Str domain;
    Str secret;
} MawComponent;

/* What the caller does at the table. */
typedef struct MawDoorEars {
    /* The table is made: seats of the caller's own, at a drawn place between those of others, all
     * one behind the other. May be NULL. */
    int (*seat)(void *user, MawTable *table, Err *err);
    void (*event)(void *user, Str json); /* of the record; may be NULL */
    void (*note)(void *user, Str line);  /* for the operator */
    /* The session is over, and all of it can still be asked; agents are not gone yet. */
    void (*ended)(void *user);
    void *user;
} MawDoorEars;

typedef struct MawDoorSetup {
    const MawConfig *config; /* its players are all seats */
    MawChance chance;
    Str id;
    const Plan *plan; /* its agents are started; there may be none */
    TimeUs limit;     /* for their answers; 0: as phases allow */
    TimeUs startup;   /* to come */
    AgentCellSetup cell;
    const MawModelSeats *models;
    size_t model_kinds;
    const char *budget; /* of the models together, and the file of prices; NULL = none */
    const char *prices;
    uint32_t bots;
    MawBot bot;
    bool bots_fill;                /* bots are on all seats that are left */
    uint32_t people;               /* seats of the caller's own */
    const MawComponent *component; /* NULL = none */
    const char *out;               /* folder; NULL = nothing is kept */
    const char *earlier;           /* as in MawTableSetup */
    bool record_prompts;           /* likewise */
    Str command;                   /* likewise */
    bool resume;                   /* likewise */
    TimeMs wait_ms;                /* with `resume`: for those who played */
    MawClock *clock;               /* likewise, as are the next two; only for maw_door_play */
    const char *answers;
    bool others;
    LiveSetup live; /* but for `date_of`, `rooms`, `note`, `user`; without host and folder: none */
    LivePagesSetup pages; /* but for `date_of`, `note`, `user`; not for maw_door_play */
    DateOf *date_of;      /* of the session and what live data tell; not for maw_door_play */

    MawDoorEars ears;
    void (*over)(void *user); /* from the loop; the door may not be freed there */
    void *user;
} MawDoorSetup;

/* Opens live data and pages. `loop` NULL: for maw_door_play. Errors: those of live_open and
 * live_pages_open. */
int maw_door_new(Loop *loop, const MawDoorSetup *setup, MawDoor **ret_door, Err *err);
MawDoor *maw_door_free(MawDoor *door); /* takes NULL */

/* Whether it starts agents. */
bool maw_door_starts(const MawDoor *door);
/* Folders that are hidden from them, too; borrowed (AgentCellSetup). Before maw_door_begin. */
void maw_door_hide(MawDoor *door, const char *const *others);
/* Starts agents, or opens the table when there are none. Errors: those of maw_agents_start,
 * maw_table_new, maw_xmpp_new, llm_models_endpoint. */
int maw_door_begin(MawDoor *door, TimeUs now, Err *err);
/* Plays it in simulated time, to its end. Errors: those of maw_table_new and maw_table_play. */
int maw_door_play(MawDoor *door, Err *err);

/* The round that is played is the last one; without one the session is over. */
void maw_door_drain(MawDoor *door, TimeUs now);
/* The session is over, whatever is going on: what was played so far counts. */
void maw_door_stop(MawDoor *door, const char *why, TimeUs now);

bool maw_door_over(const MawDoor *door);
bool maw_door_has_begun(const MawDoor *door); /* a round */
/* Behind `ended`: what the session comes to, an Exit, or the error that ended it; ERR_INTERRUPTED
 * when it was stopped. */
int maw_door_result(const MawDoor *door, Err *err);

const Live *maw_door_live(const MawDoor *door);       /* NULL without any */
const LivePages *maw_door_pages(const MawDoor *door); /* so too */
MawTable *maw_door_table(const MawDoor *door);        /* NULL before it is made */
MawAgents *maw_door_agents(const MawDoor *door);      /* NULL without any */
Str maw_door_name(const MawDoor *door);               /* its domain */

#endif
