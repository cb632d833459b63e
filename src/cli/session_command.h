/* session_command.h - the options by which a MAW session was begun, kept in its folder.
 *
 * For:    session_line.c: --resume.
 * Memory: a SessionCommand owns its texts; session_command_done frees them.
 * Thread: main thread.
 * Source: docs/spec/models.md 4.5; docs/maw.md.
 *
 * DIR/command.json: {"command":["--players","6","--out","monday"]}. Rules, options of the table,
 * seed and id stand in the record; this has what the record does not: who sits where and by what
 * program, the XMPP server, the files of keys and secrets (by name: no option is a secret itself).
 */
#ifndef WARG_CLI_SESSION_COMMAND_H
#define WARG_CLI_SESSION_COMMAND_H

#include "maw/session_replay.h"

/* Zeroed before use. */
typedef struct SessionCommand {
    int argc;
    char **argv; /* argv[0], what was said first, --out DIR, what is said now */
    bool began;  /* the record has a first line: */
    MawRecordHead head;
    Buf words; /* the texts of the first time and --out, each ended by a NUL */
} SessionCommand;

/* Appends the text of command.json. */
void session_command_write(int argc, char **argv, Buf *out);
/* `argv` is borrowed. Errors: ERR_USAGE when DIR holds no session; ERR_IO, ERR_SYNTAX, ERR_LIMIT,
 * ERR_MEMORY. */
int session_command_read(const char *dir, int argc, char **argv, SessionCommand *ret, Err *err);
void session_command_done(SessionCommand *command);

#endif
