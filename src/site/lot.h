/* lot.h - lots of teams: 32 bytes of each that go into the key of a stage, entered by their digest
 * before anybody can know it, opened when its versions are fixed; and the public value of a later
 * moment.
 *
 * For:    the API's lots, the clock's transitions, who puts the job of a stage.
 * Memory: none is kept; lots_read appends to the caller's list.
 * Thread: the store's. All in the caller's transaction.
 * Source: docs/spec/contest-operations.md 11.1.
 *
 *   lot_enter (any time, anew at will) -> lots_close with the freeze of the stage's versions
 *   -> lot_open of each, beacon_tell -> lots_settle when all are open, or the window is over
 *   -> lots_read: what the key is made of beside the secret
 *
 * Ledger: {"type":"lot","stage","team","entry"}, {"type":"lot","stage","team","lot"},
 * {"type":"beacon","stage","what","value"}, {"type":"lots","stage","lots":{TEAM: hex or null}}.
 */
#ifndef WARG_SITE_LOT_H
#define WARG_SITE_LOT_H

#include "base/buf.h"
#include "base/key.h"
#include "store/db.h"

#define LOT_WINDOW_MS                                                                              \
    (INT64_C(48) * 60 * 60 * 1000) /* without `lot_window` in the contest file                     \
                                    */

/* Enters the digest of a lot (key_of_lot_entry), or another one in its place. Errors: ERR_RULE when
 * the lots of the stage are closed. */
int lot_enter(Db *db, int64_t team, Str stage, const Key *entry, int64_t now_ms, Err *err);

/* No lot can be entered any more; they can be opened until now_ms + window_ms. `beacon`: what the
 * value will be, in words; empty for none. The entry `freeze` of the same transaction says in the
 * ledger when that was. Twice changes nothing. */
int lots_close(Db *db, int64_t contest, Str stage, Str beacon, int64_t window_ms, int64_t now_ms,
               Err *err);

/* Errors: ERR_RULE: not closed yet, over, opened already, or not the lot that was entered. */
int lot_open(Db *db, int64_t team, Str stage, const Key *lot, int64_t now_ms, Err *err);

/* The value has become public. Errors: ERR_RULE: none is awaited, or it was told. */
int beacon_tell(Db *db, int64_t contest, Str stage, Str value, int64_t now_ms, Err *err);

/* How the lots of a stage stand. */
typedef struct LotsState {
    bool closed;
    bool settled; /* nothing changes any more */
    uint32_t entered, opened;
    int64_t ends_ms;     /* of the window, once it is closed */
    bool beacon_missing; /* a value is awaited */
} LotsState;

int lots_state(Db *db, int64_t contest, Str stage, LotsState *ret, Err *err);

/* When all are opened, or the window is over, and the beacon is told: says so in the ledger, once,
 * naming those that were not opened. `ret_settled`: they are. A stage without lots and beacon is
 * settled when it is closed. */
int lots_settle(Db *db, int64_t contest, Str stage, int64_t now_ms, bool *ret_settled, Err *err);

/* Of a stage that is settled: names (in `names`, which they borrow) and lots of all that were
 * entered, in the byte order of names; `lots` gets NamedKey each. `beacon` may be NULL. Errors:
 * ERR_RULE before it is settled. */
int lots_read(Db *db, int64_t contest, Str stage, Buf *names, Buf *lots, Buf *beacon, Err *err);

#endif
