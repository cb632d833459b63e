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

#include "serve/web_door.h"

/* As web_door_serve, with its rooms. Errors: those of operator_token, live_pages_open and
 * room_desk_make. */
int rooms_door_serve(const WebDoorSetup *setup, TimeUs now, Err *err);

#endif
