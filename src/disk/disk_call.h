/* disk_call.h - the one door to what is on disk: every call that makes, changes, names or syncs a
 * file.
 *
 * For:    all rooms that keep something: journal, logs, records, keys, contexts, reports, the
 *         output of agents. tests/layers.sh finds who goes past it. Reading needs no door, and what
 *         is written to a terminal or a socket is no file.
 * Memory: none.
 * Thread: any.
 * Source: house rule: a promise about the disk holds when each call in turn has been failed.
 *         tests/disk_faults.h puts its own system calls under this file, as SQLite's VFS does; in
 *         the program itself there is nothing in between.
 *
 * A call that a signal interrupts is made again, and a write goes on until all is written; so no
 * caller knows EINTR or a short write. What returns an int is 0, or -1 with errno.
 */
#ifndef WARG_DISK_DISK_CALL_H
#define WARG_DISK_DISK_CALL_H

#include "base/err.h"
#include "base/str.h"

#include <sys/types.h>

/* A descriptor, or -1 with errno. O_CLOEXEC is added. `mode` counts with O_CREAT and O_TMPFILE. */
int disk_open(const char *path, int flags, mode_t mode);
/* After an error some of the bytes may be written: cut them off. */
int disk_write(int fd, Str bytes);
int disk_write_at(int fd, Str bytes, off_t at);
int disk_cut(int fd, off_t bytes);
int disk_sync(int fd);
int disk_sync_data(int fd); /* fdatasync: without the times of the file */
int disk_close(int fd);     /* the descriptor is gone after an error, too */

int disk_rename(const char *from, const char *to);
int disk_rename_in(int from_folder, const char *from, int to_folder, const char *to); /* renameat */
int disk_link(const char *from, const char *to); /* another name of the same file */
int disk_remove(const char *path);
int disk_remove_in(int folder, const char *name, int flags); /* unlinkat */
int disk_make_folder(const char *path, mode_t mode);
int disk_make_folder_in(int folder, const char *name, mode_t mode); /* mkdirat */
/* openat2 with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS: what is not below `folder`, or stands
 * behind a link, is an error. O_CLOEXEC is added. */
int disk_open_beneath(int folder, const char *path, int flags, mode_t mode);
int disk_set_mode(int fd, mode_t mode); /* fchmod */
int disk_set_owner(int fd, uid_t user, gid_t group);
int disk_sync_all(int fd);                       /* syncfs: all of the file system that it is on */
int disk_set_time(int fd, int64_t unix_seconds); /* of its last change and reading */

/* Brings a file or folder to disk by its name. Errors: ERR_IO that names it. */
int disk_sync_path(const char *path, Err *err);

/* ERR_IO from errno: "WHAT 'PATH': why". */
int disk_error(Err *err, const char *what, const char *path);

#endif
