/* file_inside.h - opens what lies in a folder, and nothing that a link leads to.
 *
 * For:    servers that hand out files of folders which others may write.
 * Memory: the caller closes descriptors.
 * Thread: any.
 * Source: docs/spec/web.md 11.7. O_NOFOLLOW looks at the last name of a path only, so each name is
 *         opened by itself; `root` itself was named by who started the server and may be a link.
 */
#ifndef WARG_DISK_FILE_INSIDE_H
#define WARG_DISK_FILE_INSIDE_H

#include "base/err.h"

/* A regular file for reading; `path` is below `root`, without ".." and without a '/' in front.
 * Errors: ERR_IO, also for a link, a FIFO, a socket, a device. */
int file_inside_open(const char *root, const char *path, int *ret_fd, Err *err);

/* A folder for listing; an empty path is `root`. Errors: ERR_IO. */
int folder_inside_open(const char *root, const char *path, int *ret_fd, Err *err);

#endif
