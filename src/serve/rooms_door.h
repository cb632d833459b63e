/* rooms_door.h - a server of rooms alone: `warg web --room`, from the first to the last request.
 *
 * For:    `warg web`.
 * Memory: what the setup points to is borrowed.
 * Thread: runs a loop of its own.
 * Source: docs/spec/web.md 3, 6.4.
 *
 * Nothing is written: games of rooms can be looked at for some minutes when they are over.
 */
#ifndef WARG_SERVE_ROOMS_DOOR_H
#define WARG_SERVE_ROOMS_DOOR_H

#include "serve/live_pages.h"

typedef struct RoomsDoorSetup {
    LivePagesSetup pages;     /* but for `operator_token`, `rooms` */
    const char *const *paths; /* of games that are shown, too */
    size_t path_count;
    const char *const *rooms;  /* that are made at the start, as their words; ends with NULL */
    const char *model;         /* "llm:..." for seats of rooms; NULL = bots */
    const char *operator_file; /* NULL = a secret is drawn */
    bool terminal;             /* a person sees the words */
    void (*words)(void *user, Str words);
    DateMs *date;
} RoomsDoorSetup;

/* Opens, says so, runs until a signal (SIGINT, SIGTERM, SIGHUP). Errors: those of operator_token,
 * live_pages_open and room_desk_make. */
int rooms_door_serve(const RoomsDoorSetup *setup, TimeUs now, Err *err);

#endif
