/* recorder.h - who hears what happens in a game: logs, counts, viewers.
 *
 * For:    the referee, which tells; the room record and others, which hear.
 * Memory: a plain value.
 * Thread: the game's.
 * Source: docs/architecture.md, "events are the only way out".
 */
#ifndef WARG_GAME_RECORDER_H
#define WARG_GAME_RECORDER_H

#include "game/game.h"

/* Hears every event of a game, in order. `event` is borrowed for the call. */
typedef struct Recorder {
    void (*event)(void *user, const Event *event);
    void *user;
} Recorder;

#endif
