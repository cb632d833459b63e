/* site_ledger.h - the ledgers of a contest site: entries are made in the transaction of what they
 * are about, and come to disk behind it.
 *
 * For:    all that changes a contest; the API's ledger, checkpoint and proofs.
 * Memory: a SiteLedger owns the open ledgers of all contests; what is added is copied.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 11.3, O37, O38.
 *
 *   transaction: change + row of the table `ledger`    commit
 *   -> line at the end of contests/NAME/ledger.jsonl, fsync -> checkpoint -> table `checkpoint`
 *
 * What dies in between is made up at the next start from the table. A file that is shorter than a
 * checkpoint that somebody may hold, has other lines than the table, or more of them, stops the
 * server: one of both was changed, and only its owner can know which.
 */
#ifndef WARG_SITE_SITE_LEDGER_H
#define WARG_SITE_SITE_LEDGER_H

#include "base/json.h"
#include "proof/ledger.h"
#include "site/contest_home.h"
#include "store/db.h"

/* So long a game's entry may wait for the next checkpoint; all other entries are signed at once. */
#define SITE_LEDGER_WAIT_MS (10 * 60 * 1000)

/* ---- inside of a transaction ---- */

/* Gives a contest its key and an empty ledger; `origin`: HOST/warg/CONTEST. With one that holds
 * nothing yet nothing happens, so that a transaction that failed can be made again. Errors:
 * ERR_USAGE when the folder's ledger holds entries; those of ledger_create, db_step. */
int site_ledger_begin(Db *db, const ContestHome *place, Str origin, Err *err);
/* Whether it has: 1, or 0. What is done before has no entry, what is done behind it always has:
 * so an error is an error. Errors: those of db_step. */
int site_ledger_begun(Db *db, int64_t contest, Err *err);

/* Appends an entry: `members` (may be NULL) writes what its type has besides n, at and type, as
 * keys and values. A time before that of the last entry is written as that. Errors: ERR_RULE
 * before site_ledger_begin; those of canonical_end and db_step. */
int site_ledger_add(Db *db, int64_t contest, int64_t at_ms, const char *type,
                    void (*members)(void *user, Canonical *entry), void *user, Err *err);

/* The same for entries whose members are texts: pairs of a name and a Str, behind the last a NULL.
 *     site_ledger_add_texts(db, contest, now, "reveal", err, "stage", stage, "value", hex, NULL)
 */
int site_ledger_add_texts(Db *db, int64_t contest, int64_t at_ms, const char *type, Err *err, ...);

/* ---- behind the commit ---- */

typedef struct SiteLedger SiteLedger;

/* Opens the ledgers of all contests of the store and compares both; lines that a crash has kept
 * from the files are appended. Errors: ERR_RULE that names the contest and the line: nothing may
 * go on then; those of ledger_open. */
int site_ledger_open(Db *db, const char *data, SiteLedger **ret_ledger, Err *err);

/* Brings the lines that were committed to disk; signs when there is something else than games
 * among them, or SITE_LEDGER_WAIT_MS are over. Call it behind each commit, and now and then.
 * Errors: ERR_IO, which stops that ledger; those of db_step. */
int site_ledger_flush(SiteLedger *ledger, Db *db, int64_t now_ms, Err *err);

/* Whether all that is committed of a contest is on disk, and signed. */
int site_ledger_is_flushed(SiteLedger *ledger, Db *db, int64_t contest, bool *ret_flushed,
                           Err *err);

/* Signs what is not signed, and closes. Takes NULL. Errors: as site_ledger_flush. */
int site_ledger_close(SiteLedger *ledger, Db *db, int64_t now_ms, Err *err);

/* ---- for readers ---- */

/* Entries of a contest, all that are committed. */
int site_ledger_size(Db *db, int64_t contest, uint64_t *ret_size, Err *err);
/* Of the ledgers of all contests. */
typedef struct LedgersLook {
    uint64_t entries;
    uint64_t not_signed;   /* that no checkpoint signs */
    int64_t since_ms;      /* the date of the oldest of those; 0 = none */
    int64_t checkpoint_ms; /* when the last checkpoint was made; 0 = none */
} LedgersLook;
int site_ledgers_look(Db *db, LedgersLook *ret_look, Err *err);
/* Appends the lines `from` to `to` - 1, as many as there are and fit into `bytes_max`. */
int site_ledger_lines(Db *db, int64_t contest, uint64_t from, uint64_t to, size_t bytes_max,
                      Buf *out, Err *err);
/* Appends the last checkpoint, or that of `size` entries when that is not 0; nothing when there is
 * none. */
int site_ledger_checkpoint(Db *db, int64_t contest, uint64_t size, Buf *out, Err *err);
/* Appends the key by which it is checked (note_verifier_write). */
int site_ledger_key(Db *db, int64_t contest, Buf *out, Err *err);

/* That entry `n` is in the ledger of `size` entries, as an object {"n","size","leaf","root",
 * "path"} with hashes in base64. Errors: ERR_RULE for what there is not. */
int site_ledger_put_inclusion(SiteLedger *ledger, Db *db, int64_t contest, uint64_t n,
                              uint64_t size, Json *json, Err *err);
/* That the ledger of `to` entries begins with that of `from`: {"from","to","root_from","root_to",
 * "path"}. Errors: as above. */
int site_ledger_put_consistency(SiteLedger *ledger, Db *db, int64_t contest, uint64_t from,
                                uint64_t to, Json *json, Err *err);

#endif
