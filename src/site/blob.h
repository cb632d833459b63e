/* blob.h - what people upload, kept whole under its digest.
 *
 * For:    versions and documents of a contest site; the doors that stream uploads.
 * Memory: a BlobSink is its owner's until blob_end or blob_drop.
 * Thread: one at a time per sink.
 * Source: docs/spec/contest-operations.md 5.2; O11.
 *
 *     DATA/incoming/ID       while it comes
 *     DATA/blobs/ab/SHA256   when it is whole and on disk; 0400
 *
 * The same bytes twice are one file. What was broken off leaves nothing; what a killed server left
 * under way is removed by blob_sweep.
 */
#ifndef WARG_SITE_BLOB_H
#define WARG_SITE_BLOB_H

#include "base/buf.h"
#include "base/digest.h"
#include "base/err.h"
#include "store/db.h"

typedef struct BlobSink BlobSink;

/* Begins an upload into the data folder `data`, whose folders are made. `limit`: bytes that it may
 * have. Errors: ERR_IO, ERR_MEMORY. */
int blob_begin(const char *data, uint64_t limit, BlobSink **ret_sink, Err *err);

/* The next piece. Errors: ERR_LIMIT beyond the limit, ERR_IO; then nothing but blob_drop is left.
 */
int blob_write(BlobSink *sink, Str bytes, Err *err);

/* It is whole: on disk under its digest when this returns. The sink is freed also after an error.
 * Errors: ERR_IO (nothing is left of it), ERR_MEMORY. */
int blob_end(BlobSink *take_sink, char ret_sha256[static SHA256_HEX_BYTES], uint64_t *ret_bytes,
             Err *err);

/* It was broken off: nothing is left. Takes NULL, returns NULL. */
BlobSink *blob_drop(BlobSink *sink);
void blob_dropp(BlobSink **sink);

/* Appends where a blob of this digest lies, "DATA/blobs/ab/SHA256", whether it is there or not. */
void blob_path(const char *data, Str sha256, Buf *out);

/* Appends those of `digests`, one a line, that neither a version nor a document has. Errors: those
 * of the store. */
int blob_list_unused(Db *db, Str digests, Buf *ret_unused, Err *err);

/* At the start of a server: uploads that were under way are gone. Errors: ERR_IO. */
int blob_sweep(const char *data, Err *err);

#endif
