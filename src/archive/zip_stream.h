/* zip_stream.h - a zip that is made piece by piece, for who takes it as it comes.
 *
 * For:    what one person takes home of a site: nothing of it is on disk, however long it is.
 * Memory: a ZipStream owns its file; what it gives is appended to a buffer of the caller.
 * Thread: any, one at a time. A piece reads 64 KiB at most.
 * Source: docs/spec/contest-operations.md 13.2 (logs.zip). Through libarchive: deflate, its
 * fastest; 0644, times 1980-01-01; sizes stand behind the data, as whoever can't seek writes them.
 */
#ifndef WARG_ARCHIVE_ZIP_STREAM_H
#define WARG_ARCHIVE_ZIP_STREAM_H

#include "base/buf.h"
#include "base/err.h"

typedef struct ZipStream ZipStream;

/* NULL without memory. */
ZipStream *zip_stream_new(void);
/* Takes NULL, returns NULL. Also in the middle. */
ZipStream *zip_stream_free(ZipStream *zip);

/* Begins a file: `path` in the archive, `file` where it is read. The one before is over, as
 * zip_stream_more said. Errors: ERR_RULE for a path that archive_path_is_good refuses; what can't
 * be opened is ERR_IO, and nothing was begun, so that another may be; ERR_MEMORY when the archive
 * does not take it. */
int zip_stream_file(ZipStream *zip, const char *path, const char *file, Buf *out, Err *err);
/* Its next piece. 1: there is more of it, 0: it is over. Errors: ERR_IO, also when it became
 * shorter; ERR_MEMORY. */
int zip_stream_more(ZipStream *zip, Buf *out, Err *err);
/* The end of the archive. Errors: ERR_IO, ERR_MEMORY. */
int zip_stream_end(ZipStream *zip, Buf *out, Err *err);

#endif
