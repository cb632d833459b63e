/* input.h - bytes from a descriptor that we were given: a terminal, a pipe, a file.
 *
 * For:    what a person types, src/terminal.
 * Memory: an Input borrows the descriptor: it is neither closed nor left other than it was.
 * Thread: the loop's.
 * Source: libuv 1.44, uv_poll_t. Not uv_tty_t: it would change the modes of the terminal, and
 *         make the descriptor non-blocking for all who share it, our output among them.
 */
#ifndef WARG_NET_INPUT_H
#define WARG_NET_INPUT_H

#include "net/loop.h"

typedef struct Input Input;

/* Bytes are borrowed for the call. `ended` comes once, at the end or when reading fails (a terminal
 * that was hung up); nothing is read any more then. The Input may be closed in both. */
typedef struct InputEvents {
    void (*bytes)(void *user, Str bytes, TimeUs at);
    void (*ended)(void *user, TimeUs at);
} InputEvents;

/* Starts to read; until it has ended it keeps the loop running.
 * Errors: ERR_IO for a descriptor that is not open, ERR_MEMORY. */
int input_open(Loop *loop, int descriptor, const InputEvents *events, void *user, Input **ret_input,
               Err *err);
/* No event comes any more. Takes NULL, returns NULL. */
Input *input_close(Input *input);

#endif
