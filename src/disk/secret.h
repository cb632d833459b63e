/* secret.h - passwords, keys and tokens: from a file or the environment, never from the command
 *            line, which others can list.
 *
 * For:    every command that needs one.
 * Memory: appended to the caller's Buf. No error quotes a secret.
 * Thread: main thread.
 * Source: docs/spec/maw.md 5.4.
 */
#ifndef WARG_DISK_SECRET_H
#define WARG_DISK_SECRET_H

#include "base/buf.h"
#include "base/err.h"

/* The first line of a file, without blanks around it. `what` is for people: "the token".
 * Errors: ERR_IO, ERR_SYNTAX (nothing there, or more than 4 KiB), ERR_MEMORY. */
int secret_read(const char *path, const char *what, Buf *secret, Err *err);

/* That of `file`, or when it is NULL the variable `variable`. `options` names what else there is:
 * "--key-env or --key-file". Errors: those, and ERR_USAGE when the variable is not set. */
int secret_find(const char *file, const char *variable, const char *what, const char *options,
                Buf *secret, Err *err);

#endif
