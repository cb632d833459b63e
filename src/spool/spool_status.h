/* spool_status.h - whether there is a runner, and what it does.
 *
 * For:    the server's clock, `warg contest status`, pages of organisers; the runner, which writes.
 * Memory: a SpoolRunner owns its texts.
 * Thread: one at a time for each SpoolWatch.
 * Source: docs/spec/contest-operations.md 14 (`status`), 16.1.
 *
 * The runner holds the lock of spool/runner.lock as long as it lives, and writes
 * spool/runner.json about once a second with another `beat`: one that lives and no longer gets on
 * is seen, too. The two clocks need not agree.
 */
#ifndef WARG_SPOOL_SPOOL_STATUS_H
#define WARG_SPOOL_SPOOL_STATUS_H

#include "base/buf.h"
#include "base/err.h"
#include "spool/spool_cells.h"

#define SPOOL_SILENT_MS 10000 /* of a runner that no longer gets on */

typedef struct SpoolRunner {
    bool alive;
    int64_t seen_ms; /* how long ago its last beat was heard, at most; 0 when it never was */
    int64_t told_ms; /* when it told this, by its own clock; 0 = never */
    uint64_t beat;
    uint32_t tables;  /* that it plays on at once */
    Buf level;        /* of its cells: "namespaces", ... */
    Buf layers;       /* ... and what they are made of, in words */
    SpoolCells cells; /* of all jobs since it began */
    Buf jobs;         /* what it does, as a JSON list: {"job","kind","contest","stage","since"} */
} SpoolRunner;

void spool_runner_done(SpoolRunner *runner); /* also for CLEANUP */

/* Reads what a runner wrote. Errors: ERR_SYNTAX, ERR_LIMIT, ERR_MEMORY. */
int spool_runner_read(Str json, SpoolRunner *ret_runner, Err *err);

/* Who looks again and again. Zero it first. */
typedef struct SpoolWatch {
    uint64_t beat;
    int64_t heard_ms;
    bool heard;
} SpoolWatch;

/* How it is with the runner of `data_dir` now. What can't be read is one that is not alive. Errors:
 * ERR_MEMORY. */
int spool_runner_look(SpoolWatch *watch, const char *data_dir, int64_t now_ms,
                      SpoolRunner *ret_runner, Err *err);

/* ---- the runner ---- */

/* Becomes the runner of `data_dir`: the lock is held until the descriptor is closed. Errors:
 * ERR_USAGE when there is another one; ERR_IO, ERR_MEMORY. */
int spool_become_runner(const char *data_dir, int *ret_lock, Err *err);

/* Asks a runner whose server is gone for its place: it gives back what it does, and ends. Asked for
 * as long as the descriptor is open; *ret_lock is -1 when another one asks. Errors: ERR_IO,
 * ERR_MEMORY. */
int spool_ask_for_place(const char *data_dir, int *ret_lock, Err *err);
/* Whether another runner asks. */
bool spool_is_asked_for_place(const char *data_dir);

/* Tells how it is. Errors: ERR_IO, ERR_MEMORY. */
int spool_runner_tell(const char *data_dir, const SpoolRunner *runner, int64_t at_ms, Err *err);

#endif
