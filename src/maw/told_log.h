/* told_log.h - what a player was told, kept to be shown to its user interface.
 *
 * For:    maw/asker.h, and nobody else.
 * Memory: a ToldLog owns copies: of a round and the joining before it, at most TOLD_BYTES_MAX;
 *         beyond that the oldest lines of rooms go first.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/maw.md 2.5.
 */
#ifndef WARG_MAW_TOLD_LOG_H
#define WARG_MAW_TOLD_LOG_H

#include "base/time_us.h"
#include "wire/maw_message.h"

#define TOLD_BYTES_MAX ((size_t)512 * 1024)
#define TOLD_COUNT_MAX 4096

typedef struct ToldEntry ToldEntry;

/* ToldLog log = {0} is empty. */
typedef struct ToldLog {
    ToldEntry *first; /* the oldest */
    ToldEntry *last;
    size_t bytes;
    size_t count;
    int64_t next; /* the index of the next one; counted from 0, never again from there */
} ToldLog;

void told_log_done(ToldLog *log);

/* Keeps a stanza of this type and returns its index; -1 without memory, or when it is too long to
 * be told. With the start of a round what was told before goes, but for the joining and what came
 * just before. */
int64_t told_log_add(ToldLog *log, const MawStanza *stanza, MawType type, TimeUs now);

/* Appends the first message from `index` on, as the body of a `told` at `now`, and sets `index`
 * behind it; false when there is none. */
bool told_log_write(const ToldLog *log, int64_t *index, TimeUs now, Buf *out);

#endif
