/* hall.h - where agents come in and are brought to tables: plays a stage with outside agents.
 *
 * For:    `warg run` with commands, which the hall starts itself, and `warg serve`, where agents
 *         come by themselves. One event loop, any number of tables.
 * Memory: hall_play owns all it opens; nothing outlives the call.
 * Thread: one; `finished` and `progress` of the stage are called from it.
 * Source: docs/spec/protocol-division.md 1.1, 1.3, 8.1.
 *
 * An agent that the hall starts gets a port of its own, so that who connects there is known
 * without trusting a name. Agents that come by themselves share one port; whoever has given its
 * name waits until there are enough for a table.
 */
#ifndef WARG_MATCH_HALL_H
#define WARG_MATCH_HALL_H

#include "match/stage_run.h"
#include "net/child.h"
#include "net/tcp.h"
#include "stats/decision_sheet.h"

typedef struct HallPlan {
    const StageRun *run;
    const char *host; /* to listen on */
    uint16_t port;    /* where agents come by themselves; 0 = any free one */
    uint32_t tables;  /* played at once, as in a plan */
    const char *out;  /* folder for what agents print; NULL = dropped */
    const Cell *cell; /* for agents that are started; NULL = none */

    /* serve: sets are opened as agents come, until `sets` of them were played (0 = no end).
     * Of run->agents nothing is known (NULL); at every table sit these built-in bots, and agents
     * with a command, which the hall starts for each set. */
    bool serve;
    uint64_t sets;
    const PlanAgent *bots;
    uint32_t bot_count;
    /* serve: listening on this port. May be NULL. */
    void (*listening)(void *user, uint16_t port);

    /* A set has its agents, by seat, and begins. */
    int (*set_begins)(void *user, uint64_t set, SeatNo count, const Str *names, Err *err);
    /* Its last game was handed to `finished`, and what its model players told to `decided`. */
    void (*set_over)(void *user, uint64_t set);
    void (*fault)(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault);
    /* A model player has ended and tells of its decisions in this set. May be NULL. */
    void (*decided)(void *user, uint64_t set, Str agent, const DecisionSheet *sheet);
    /* Something an organiser wants to read: a process that ended, with its last lines. */
    void (*note)(void *user, Str text);
    void *user;
} HallPlan;

/* Plays what is left of the stage's sets. Ended early by progress() it returns 0 too; in no case is
 * a process of ours left behind. *ret_asks (may be NULL): how many asks were answered. Errors:
 * ERR_IO (a port that is in use), ERR_MEMORY, those of the callbacks. */
int hall_play(const HallPlan *plan, uint64_t *ret_asks, Err *err);

#endif
