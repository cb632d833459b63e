/* trail.h - who did what on a contest site: a list that only grows.
 *
 * For:    every verb that changes something, the clock, the organiser's page.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 12 (table event), 16.5 (addresses are cut after 30 days).
 */
#ifndef WARG_SITE_TRAIL_H
#define WARG_SITE_TRAIL_H

#include "base/json.h"
#include "store/db.h"

#define TRAIL_SERVER                                                                               \
    0 /* in place of a contest: the whole server; of an account: nobody, a date                    \
       */

typedef struct TrailEntry {
    int64_t contest; /* TRAIL_SERVER, or its number */
    int64_t account; /* who did it; TRAIL_SERVER: the clock */
    Str address;     /* where from; may be empty */
    Str verb;        /* "amend", as site_verb_name has it, or "move" of the clock's */
    Str object;      /* what it was done to: "team/wits"; may be empty */
    Str detail;      /* more of it, one line; may be empty */
    int64_t at_ms;
} TrailEntry;

/* Adds it, in the transaction of what it tells of. Errors: those of db_step. */
int trail_note(Db *db, const TrailEntry *entry, Err *err);

/* The newest `limit` of a contest with a number below `before` (0: from the end), newest first, as
 * an array of objects: id (a text), at, account (a login, or null), verb, object, detail, and with
 * `addresses` the address. `ret_last`: the number of the last one, 0 when there are no more.
 * Errors: those of db_step. */
int trail_write(Db *db, int64_t contest, int64_t before, uint32_t limit, bool addresses, Json *json,
                int64_t *ret_last, Err *err);

/* Cuts addresses of the trail and of logins older than 30 days to /24 and /48, and drops logins
 * that began 90 days ago, which are over. Returns how many rows it has changed in `ret_changed`; at
 * most `limit` of each kind at once. Errors: those of db_step. docs/spec/contest-operations.md 16.5
 */
int trail_forget(Db *db, int64_t now_ms, uint32_t limit, int64_t *ret_changed, Err *err);

#endif
