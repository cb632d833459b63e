/* door_words.h - how what serves says something to people: a door may not print by itself.
 *
 * For:    serve/nlp_door.h, serve/aiwolf_door.h; the command fills it in.
 * Memory: plain pointers; texts are borrowed for the call.
 * Thread: the loop's.
 * Source: docs/architecture.md, "What holds everywhere": only commands print.
 */
#ifndef WARG_SERVE_DOOR_WORDS_H
#define WARG_SERVE_DOOR_WORDS_H

#include "base/str.h"

typedef struct DoorWords {
    void (*say)(void *user, Str line);   /* for people who watch, without line end */
    void (*print)(void *user, Str text); /* results */
    void *user;
} DoorWords;

#endif
