/* doors.h - all that one process serves: any number of doors on one loop, from the first to the
 * last one's end.
 *
 * For:    `warg serve`.
 * Memory: a Doors owns its loop and doors; what setups point to is borrowed for its life.
 * Thread: the main thread: it watches for signals.
 * Source: docs/architecture.md, "Loops"; docs/nlp.md, "Draining and the end".
 *
 *   doors_new, doors_add_* (ports are opened), doors_prepare (folders), doors_run
 *
 *   The first SIGINT, SIGTERM or SIGHUP ends the tables of the protocol division, whose folder can
 * be resumed, and drains the natural-language division and MAW's sessions; the second one ends
 * their games too.
 */
#ifndef WARG_SERVE_DOORS_H
#define WARG_SERVE_DOORS_H

#include "serve/aiwolf_door.h"
#include "serve/maw_door.h"
#include "serve/nlp_door.h"

/* Of each kind. */
#define DOORS_MAX 64

typedef struct Doors Doors;

/* With `stay` doors_run goes on when all is played, until a signal. What all of them write dates
 * by: `date` and `date_of`. */
int doors_new(bool stay, DateMs *date, DateOf *date_of, Doors **ret_doors, Err *err);
Doors *doors_free(Doors *doors); /* takes NULL */
void doors_freep(Doors **doors);

/* `over` and `user` of the setups are set here, and those two. Errors: those of nlp_door_open and
 * aiwolf_door_new, ERR_LIMIT. */
int doors_add_nlp(Doors *doors, const NlpDoorSetup *setup, Err *err);
int doors_add_aiwolf(Doors *doors, const AiwolfDoorSetup *setup, Err *err);
/* The door stays the doors'. Errors: those of maw_door_new, ERR_LIMIT. */
int doors_add_maw(Doors *doors, const MawDoorSetup *setup, MawDoor **ret_door, Err *err);

/* All ports are open: folders are begun. Then the plans have their seeds. Errors: those of
 * aiwolf_door_prepare. */
int doors_prepare(Doors *doors, Err *err);

/* Until all are over. Returns what the doors come to, an Exit, or the first error: of a door, or
 * ERR_INTERRUPTED when a signal ended games. */
int doors_run(Doors *doors, TimeUs now, Err *err);

#endif
