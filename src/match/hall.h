/* hall.h - where agents come in and are brought to tables: plays a stage with outside agents.
 *
 * For:    `warg run` with commands, which the hall starts itself, and `warg serve`, where agents
 *         come by themselves. Any number of tables, on a loop that others may share.
 * Memory: a Hall owns all it opens; hall_free leaves no process behind. The plan is borrowed.
 * Thread: the loop's, and so are the callbacks.
 * Source: docs/spec/protocol-division.md 1.1, 1.3, 8.1.
 *
 *   NEW --hall_open--> OPEN --all is played, hall_stop, progress() says no, an error--> OVER
 *
 *   NEW:  with `serve` it listens, so that a port in use is known before anything is written; who
 *         connects waits in the kernel until the loop runs.
 *   OVER: `over` was called from the loop; hall_free may be called there.
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

typedef struct Hall Hall;

typedef struct HallPlan {
    const StageRun *run; /* what it points to may be filled until hall_open */
    const char *host;    /* to listen on */
    uint16_t port;       /* where agents come by themselves; 0 = any free one */
    uint32_t tables;     /* played at once, as in a plan */
    const char *out;     /* folder for what agents print; NULL = dropped */
    const Cell *cell;    /* for agents that are started; NULL = none */

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
    /* For who watches: a game begins, with its agents by seat, and each of its events. `finished`
     * is its end; one that is given up has none. Both may be NULL. */
    void (*game_begins)(void *user, uint64_t game, SeatNo count, const Str *names);
    void (*heard)(void *user, uint64_t game, const Event *event);
    /* A model player has ended and tells of its decisions in this set. May be NULL. */
    void (*decided)(void *user, uint64_t set, Str agent, const DecisionSheet *sheet);
    /* Something an organiser wants to read: a process that ended, with its last lines. */
    void (*note)(void *user, Str text);
    /* Nothing will follow: hall_result has how it ended. */
    void (*over)(void *user);
    void *user;
} HallPlan;

/* A hall that plays nothing yet. Errors: ERR_IO (a port that is in use), ERR_MEMORY. */
int hall_new(Loop *loop, const HallPlan *plan, Hall **ret_hall, Err *err);
/* Of a hall that serves. */
uint16_t hall_port(const Hall *hall);

/* Plays what is left of the stage's sets, as the loop runs. Errors: those of the callbacks; later
 * ones are in hall_result. */
int hall_open(Hall *hall, Err *err);

/* Games under way are given up and do not count: it is OVER soon. */
void hall_stop(Hall *hall);

/* Once OVER: 0, also when it was ended early, else the first error, as hall_open's; *ret_asks (may
 * be NULL): how many asks were answered. */
int hall_result(const Hall *hall, uint64_t *ret_asks, Err *err);

/* Sets that are over are told before, as far as that was waited with. Takes NULL, returns NULL. */
Hall *hall_free(Hall *hall);

#endif
