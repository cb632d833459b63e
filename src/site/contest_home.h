/* contest_home.h - where a contest is: its number in the store, its folders on disk.
 *
 * For:    what of the site touches both.
 * Memory: plain; its texts are the caller's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11, 16.
 *
 *     DATA/contests/NAME/         ledger.jsonl, checkpoint, secret/ledger, play/, bundle/ ...
 *     DATA/secrets/NAME/STAGE     until it is told
 */
#ifndef WARG_SITE_CONTEST_HOME_H
#define WARG_SITE_CONTEST_HOME_H

#include "base/buf.h"
#include "base/err.h"

/* All stages of a contest are played in this folder of it. */
#define STAGE_FOLDER "play"

typedef struct ContestHome {
    int64_t id;
    Str name;
    const char *data; /* the data folder */
} ContestHome;

/* Appends DATA/contests/NAME, and /SUB behind it unless that is empty. Errors: ERR_MEMORY. */
int contest_home_path(const ContestHome *place, const char *sub, Buf *ret_path, Err *err);

#endif
