/* maw_console.h - who runs a MAW session says what is to happen, line by line.
 *
 * For:    `warg maw --operator`.
 * Memory: a MawConsole owns what was typed so far; the table and the descriptor are borrowed.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 7.1: "Pause, extend or end a phase, kick a seat: logged as operator
 *         events".
 *
 * An operator is shown every role: nobody who plays may be one.
 */
#ifndef WARG_SHOW_MAW_CONSOLE_H
#define WARG_SHOW_MAW_CONSOLE_H

#include "maw/maw_table.h"

typedef struct MawConsole MawConsole;

typedef struct MawConsoleSetup {
    MawTable *table;
    LlmLanguage language;                 /* of answers */
    void (*say)(void *user, Str line);    /* an answer, without line end */
    void (*quit)(void *user, TimeUs now); /* the session is to be ended */
    void *user;
} MawConsoleSetup;

/* With a loop the lines of `descriptor` are commands; at their end a pause is over. Without one
 * (NULL) only maw_console_entered. Errors: ERR_IO, ERR_MEMORY. */
int maw_console_new(Loop *loop, int descriptor, const MawConsoleSetup *setup, MawConsole **ret,
                    Err *err);
/* Takes NULL, returns NULL. */
MawConsole *maw_console_free(MawConsole *console);

/* One line: a command, or what is answered with how it should be. */
void maw_console_entered(MawConsole *console, Str line, TimeUs now);

#endif
