/* queue_file.h - bytes that wait, first in first out, in a file without a name.
 *
 * For:    serve/realtime.c: what thousands of games broadcast in five seconds would fill memory.
 * Memory: a QueueFile owns its descriptor and a small buffer. Disk space is given back when bytes
 *         leave.
 * Thread: one at a time.
 * Source: docs/spec/nlp-division.md 8.4 (the delay).
 */
#ifndef WARG_NLP_QUEUE_FILE_H
#define WARG_NLP_QUEUE_FILE_H

#include "base/buf.h"
#include "base/err.h"

typedef struct QueueFile QueueFile;

/* Its file is in this directory. Errors: ERR_IO, ERR_MEMORY. */
int queue_file_new(const char *dir, QueueFile **ret_spool, Err *err);
QueueFile *queue_file_free(QueueFile *queue); /* takes NULL, returns NULL */

/* Puts `count` parts behind what is there, all or nothing. Errors: ERR_IO (a full disk),
 * ERR_MEMORY. */
int queue_file_add(QueueFile *queue, const Str *parts, size_t count, Err *err);
/* Takes the first `bytes` out, which must be there; `out` is cleared before. Errors: ERR_IO,
 * ERR_MEMORY; they are gone then, too. */
int queue_file_take(QueueFile *queue, size_t bytes, Buf *out, Err *err);

#endif
