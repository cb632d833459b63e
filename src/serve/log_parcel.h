/* log_parcel.h - the logs of a day, or of a team, as one .tar.gz, made on a thread of its own.
 *
 * For:    serve/operator_desk.c. Only games that are over: those of the journal.
 * Memory: a LogParcel owns its thread and the file, which has no name.
 * Thread: log_parcel_* on the loop's; the thread reads the journal and the logs, and writes a
 *         temporary file.
 * Source: docs/nlp.md, "An operator acts". archive/tar_writer.h.
 */
#ifndef WARG_SERVE_LOG_PARCEL_H
#define WARG_SERVE_LOG_PARCEL_H

#include "base/buf.h"
#include "base/err.h"
#include "net/loop.h"

/* What one may hold; more is refused with a sentence. */
#define LOG_PARCEL_FILES ((size_t)100000)
#define LOG_PARCEL_BYTES ((uint64_t)2 * 1024 * 1024 * 1024)

typedef struct LogParcel LogParcel;

typedef struct LogParcelSetup {
    const char *journal; /* its folder, in which logs are; copied, as all of these */
    const char *json;    /* a folder that may have NAME.json beside a log NAME.log; NULL = none */
    Str day;             /* "2026-11-26", of the ends of games, UTC; empty = all days */
    Str team;            /* a team or agent that played; NULL bytes = all */
    /* Ready, or not: on the loop. log_parcel_free may be called here. */
    void (*ready)(void *user, LogParcel *parcel);
    void *user;
} LogParcelSetup;

/* Begins. Errors: ERR_MEMORY, ERR_IO. */
int log_parcel_new(Loop *loop, const LogParcelSetup *setup, LogParcel **ret_parcel, Err *err);
/* Waits for the thread, if it still works. Takes NULL, returns NULL. */
LogParcel *log_parcel_free(LogParcel *parcel);

/* The file, which stays the parcel's. Errors: ERR_USAGE when there is no such game, ERR_LIMIT when
 * there are too many; ERR_IO, ERR_MEMORY, those of the journal. */
int log_parcel_result(const LogParcel *parcel, int *ret_fd, Err *err);

/* True for a text like "2026-11-26". */
bool log_parcel_is_day(Str text);

#endif
