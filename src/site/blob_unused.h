/* blob_unused.h - files of uploads that no row names leave the disk.
 *
 * For:    the server's turn, once a day.
 * Memory: plain values.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 5.1 (`keep`), 5.2.
 *
 * They are what a crash left between a commit and the removal of what it let go, or between an
 * upload and its commit. A name of a file in a backup or a bundle, which are links to it, is not
 * ours and stays.
 */
#ifndef WARG_SITE_BLOB_UNUSED_H
#define WARG_SITE_BLOB_UNUSED_H

#include "store/db.h"

#include <stdbool.h>

#define BLOB_FOLDERS 256 /* blobs/00 to blobs/ff */

/* Goes through one of these folders, `number`, and removes files that are a day old and have no
 * row. Not while an upload gets its name: by a date that is simulated none is young. What has no
 * name of ours, or is no file, stays. Errors: those of the store, ERR_IO. */
int blob_unused_sweep(Db *db, const char *data, unsigned number, int64_t now_ms, Err *err);

#endif
