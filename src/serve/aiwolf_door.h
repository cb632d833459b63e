/* aiwolf_door.h - one door of the protocol division: a hall that serves, its folder, its sets.
 *
 * For:    serve/doors.h.
 * Memory: an AiwolfDoor owns its hall, folder and cell; what the setup points to is borrowed.
 * Thread: the loop's.
 * Source: docs/spec/protocol-division.md 1.1, 8.1; docs/contest.md, "Where the results are".
 *
 *   NEW --aiwolf_door_prepare--> READY --aiwolf_door_begin--> OPEN --the hall is over--> OVER
 *
 *   NEW: it listens. READY: its folder is begun. OVER: that is closed, all is told.
 */
#ifndef WARG_SERVE_AIWOLF_DOOR_H
#define WARG_SERVE_AIWOLF_DOOR_H

#include "base/exit_status.h"
#include "match/agent_cell.h"
#include "match/hall.h"
#include "serve/door_words.h"
#include "serve/live.h"
#include "serve/live_pages.h"
#include "show/standings_output.h"

typedef struct AiwolfDoor AiwolfDoor;

typedef struct AiwolfDoorSetup {
    Plan *plan; /* with one stage; its seed or key may be taken from the journal */
    const char *host;
    uint16_t port;       /* 0 = any free one */
    uint64_t sets;       /* 0 = no end */
    const char *out;     /* folder; NULL = nothing is kept */
    bool record_prompts; /* with it: as HallPlan.prompts */
    bool resume;
    bool open_results; /* others on this machine may read the folder */
    bool gzip;
    bool exchange; /* the folder gets exchange records */
    AgentCellSetup cell;
    StandingsForm form;
    LiveSetup live;       /* but for `date_of`, `note` and `user`; without host and folder: none */
    LivePagesSetup pages; /* but for `date_of`, `note`, `user` */
    bool token_is_kept;   /* its operator's, in a file: it need not be told */
    bool quiet;
    bool several;    /* there are other doors: what it says begins with its port */
    DateMs *date;    /* of games and faults */
    DateOf *date_of; /* of what live data tell */

    DoorWords words;
    void (*over)(void *user); /* from the loop; the door may not be freed there */
    void *user;
} AiwolfDoorSetup;

/* Listens. Errors: those of hall_new. */
int aiwolf_door_new(Loop *loop, const AiwolfDoorSetup *setup, AiwolfDoor **ret_door, Err *err);
/* Begins the folder: a port in use leaves none behind. Then the plan has its seed or key.
 * Errors: those of out_folder_open. */
int aiwolf_door_prepare(AiwolfDoor *door, Err *err);
/* Whether it starts agents. */
bool aiwolf_door_starts(const AiwolfDoor *door);
/* The cell of those that it starts: `others` are hidden from them too (AgentCellSetup). Errors:
 * those of agent_cell_new. */
int aiwolf_door_enclose(AiwolfDoor *door, const char *const *others, Err *err);
/* Takes agents. Errors: those of hall_open. */
int aiwolf_door_begin(AiwolfDoor *door, TimeUs now, Err *err);
/* Games under way are given up and do not count. */
void aiwolf_door_stop(AiwolfDoor *door);
AiwolfDoor *aiwolf_door_free(AiwolfDoor *door); /* takes NULL */

bool aiwolf_door_over(const AiwolfDoor *door);
uint16_t aiwolf_door_port(const AiwolfDoor *door);
bool aiwolf_door_has_begun(const AiwolfDoor *door); /* a set, now */
/* Whether aiwolf_door_stop gave up a set. */
bool aiwolf_door_was_cut(const AiwolfDoor *door);
uint64_t aiwolf_door_games(const AiwolfDoor *door); /* played now */
/* Once OVER: what its sets come to, or the error that ended it. */
int aiwolf_door_result(const AiwolfDoor *door, Err *err);

#endif
