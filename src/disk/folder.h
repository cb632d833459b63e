/* folder.h - makes folders for files that are about to be written.
 *
 * For:    logs, realtime files, segments, schedules.
 * Memory: none.
 * Thread: any.
 * Source: docs/spec/nlp-division.md 8.1: directories are created.
 */
#ifndef WARG_DISK_FOLDER_H
#define WARG_DISK_FOLDER_H

#include "base/err.h"
#include "base/str.h"

/* Makes the folder and those above it where they are missing; an empty path is where we are.
 * Errors: ERR_IO that names it, also when something that is no folder is in the way; ERR_MEMORY. */
int folder_make(Str path, Err *err);

/* The same for a folder of secrets: 0700 when it is made, whatever the umask. Errors: as above, and
 * ERR_RULE that says what to do for one that is there and that others may enter or read. */
int folder_make_private(const char *path, Err *err);

/* folder_make for the folder in which this file is to be. */
int folder_make_for(const char *file_path, Err *err);

/* Removes a folder that we have made, with all in it; links are removed, not followed. 0 when it is
 * not there. Errors: ERR_IO. */
int folder_remove(const char *path, Err *err);

/* Removes, in the folder and those in it, the files *.tmp: what file_replace had begun when its
 * process died. Only for who alone writes there. What can't be removed stays: nobody reads it. */
void folder_remove_begun(const char *path);

#endif
