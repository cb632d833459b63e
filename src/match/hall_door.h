/* hall_door.h - a hall on a loop: its port, its connections, the programs that it starts.
 *
 * For:    `warg run` with commands and `warg serve`. What is decided is the hall's (match/hall.h).
 * Memory: a HallDoor owns its hall; the plan is borrowed.
 * Thread: the loop's, and so are the callbacks of the plan.
 * Source: docs/spec/protocol-division.md 1.1, 1.3.
 */
#ifndef WARG_MATCH_HALL_DOOR_H
#define WARG_MATCH_HALL_DOOR_H

#include "cell/cell.h"
#include "match/hall.h"
#include "net/loop.h"

typedef struct HallDoor HallDoor;

typedef struct HallDoorPlan {
    const HallPlan *hall;
    const char *host; /* to listen on */
    uint16_t port;    /* where agents come by themselves; 0 = any free one */
    const Cell *cell; /* for agents that are started; NULL = none. May be filled in until it is
                       * opened */
} HallDoorPlan;

/* With `serve` it listens, so that a port in use is known before anything is written; who connects
 * waits in the kernel until the loop runs. Errors: ERR_IO (a port that is in use), ERR_MEMORY. */
int hall_door_new(Loop *loop, const HallDoorPlan *plan, HallDoor **ret_door, Err *err);
/* Takes NULL, returns NULL. */
HallDoor *hall_door_free(HallDoor *door);

/* As hall_open. */
int hall_door_open(HallDoor *door, TimeUs now, Err *err);

/* For all else. */
Hall *hall_door_hall(const HallDoor *door);
/* Of one that serves. */
uint16_t hall_door_port(const HallDoor *door);

#endif
