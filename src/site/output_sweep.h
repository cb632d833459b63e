/* output_sweep.h - what agents printed leaves the disk a year behind the end of their contest.
 *
 * For:    the server's turn, once an hour and each second while there is more; pages and API, which
 *         then say so.
 * Memory: plain values; everything is borrowed for the call.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 16.5 (outputs are gone after a year).
 *
 *     contests/NAME/play/agents/TEAM/STAGE-SET-SEAT.txt       go
 *     contests/NAME/testing/000001/agents/TEAM/...            go
 *     contests/NAME/play/agents/                              stays, empty: there were some
 *     journals, logs, exchange/, faults, ledger, bundle       stay: an audit needs nothing else
 *
 * A contest has ended when it is published or cancelled; archiving it does not begin the year anew.
 * None is swept while an appeal of it is open, a job of it goes on or its bundle is being closed. A
 * server that is killed on the way finds what is left; the store notes a contest (`outputs/ID` of
 * meta, and its trail) when nothing is.
 */
#ifndef WARG_SITE_OUTPUT_SWEEP_H
#define WARG_SITE_OUTPUT_SWEEP_H

#include "store/db.h"

#include <stdbool.h>

#define OUTPUT_KEPT_DAYS 365

/* Where a sweep is. Zero it: from the first contest on. */
typedef struct OutputSweep {
    int64_t contest; /* those up to it were looked at */
} OutputSweep;

/* A few files of one contest at most. `ret_more`: look again, also after an error, which leaves the
 * rest of its contest to the next sweep. Errors: those of the store; ERR_IO, also for a link in
 * place of a folder, which is not followed. */
int output_sweep(Db *db, const char *data, int64_t now_ms, OutputSweep *sweep, bool *ret_more,
                 Err *err);

/* Whether what agents of a contest printed is kept, as far as it was. Errors: those of the store.
 */
int output_is_kept(Db *db, int64_t contest, int64_t now_ms, bool *ret_kept, Err *err);

#endif
