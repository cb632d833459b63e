/* file_replace.h - writes a file whole or not at all.
 *
 * For:    logs, the schedule of a contest.
 * Memory: none.
 * Thread: any; one at a time for a path.
 * Source: house rule: no reader, and no crash, sees half a file.
 */
#ifndef WARG_DISK_FILE_REPLACE_H
#define WARG_DISK_FILE_REPLACE_H

#include "base/err.h"
#include "base/str.h"

/* Writes PATH.tmp and renames it; what a killed process left under either name is replaced, and
 * never written through. `durable`: it is on disk, under its name, when this returns.
 * Errors: ERR_IO that names the path; the old file is as it was. ERR_MEMORY. */
int file_replace(const char *path, Str text, bool durable, Err *err);

#endif
