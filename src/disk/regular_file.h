/* regular_file.h - opens what a command is to read: a file, and nothing that could make it wait.
 *
 * For:    all that reads files which somebody names.
 * Memory: the caller closes the descriptor.
 * Thread: any.
 * Source: fifo(7): opening one waits for a writer, for ever when there is none; a device such as
 *         /dev/zero has no end.
 */
#ifndef WARG_DISK_REGULAR_FILE_H
#define WARG_DISK_REGULAR_FILE_H

#include "base/err.h"

/* Opens for reading. A FIFO, a socket or a device is refused at once, a directory too; but
 * /dev/stdin and /dev/fd/N, which a shell has opened already ("<(gzip -dc x)"), and /dev/null may
 * be anything. Errors: ERR_IO. */
int regular_file_open(const char *path, int *ret_fd, Err *err);

/* Whether it could be opened: for who hands the name on. Errors: ERR_IO. */
int regular_file_check(const char *path, Err *err);

#endif
