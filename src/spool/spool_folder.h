/* spool_folder.h - the folders of a spool: names made, listed, read, locked.
 *
 * For:    this folder.
 * Memory: a NameList owns its names.
 * Thread: any, each with its own.
 * Source: docs/spec/contest-operations.md 16.1.
 */
#ifndef WARG_SPOOL_SPOOL_FOLDER_H
#define WARG_SPOOL_SPOOL_FOLDER_H

#include "base/buf.h"
#include "base/err.h"

/* Open for reading. */
typedef struct NameList {
    char **names;
    size_t count;
    size_t room;
} NameList;

void name_list_done(NameList *list); /* also for CLEANUP */

/* What is in a folder, by the bytes of the names, but "." and "..". Errors: ERR_IO, ERR_MEMORY. */
int name_list_read(NameList *list, const char *folder, Err *err);

/* "A/B" and "A/B/C" into `path`, which is emptied before. Errors: ERR_MEMORY. */
int path_join(Buf *path, const char *folder, const char *name, const char *rest, Err *err);

bool path_is_there(const char *path);

/* The lock of a file, which is made. `ret_lock` is -1 when somebody else has it; closing it gives
 * it back, and so does the end of the process. Errors: ERR_IO. */
int lock_take(const char *path, int *ret_lock, Err *err);
/* Whether somebody has it; a file that is not there is nobody's. */
bool lock_is_taken(const char *path);

#endif
