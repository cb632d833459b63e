/* tar_writer.h - files as one .tar.gz, the same bytes each time.
 *
 * For:    what is published of a contest: two who make it of the same files can compare digests.
 * Memory: a file is read piece by piece.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.5, O40. POSIX pax through libarchive: ustar, with more
 *         only where a name or a size needs it. Owner 0, modes 0644 and 0755, times 1980-01-01, by
 *         the bytes of paths; a gzip header without time and name.
 */
#ifndef WARG_ARCHIVE_TAR_WRITER_H
#define WARG_ARCHIVE_TAR_WRITER_H

#include "base/err.h"

typedef struct TarFile {
    const char *path; /* in the archive: below its root, UTF-8 */
    const char *file; /* where it is read; 0755 when its owner may execute it */
} TarFile;

/* Writes the archive whole or not at all; `files` is put in order.
 * Errors: ERR_RULE for a path that is empty, absolute, has an empty part, "." or "..", a backslash
 * or a control character, is no UTF-8, or is there twice; ERR_IO, ERR_MEMORY. */
int tar_write(const char *archive, TarFile *files, size_t count, Err *err);

/* Whether tar_write takes such a path; zip_stream.h, too. */
bool archive_path_is_good(Str path);

#endif
