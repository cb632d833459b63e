/* site_store.h - the store of a contest site: its tables, on SQLite or PostgreSQL.
 *
 * For:    src/site: accounts, teams, versions, jobs, findings, sheets, notices.
 * Memory: the Db is the caller's.
 * Thread: one thread writes: the store's.
 * Source: docs/spec/contest-operations.md 12. Games and seats come from runs' results.db; what is
 * in the ledger is there to be looked up, the files are the truth.
 */
#ifndef WARG_SITE_SITE_STORE_H
#define WARG_SITE_SITE_STORE_H

#include "store/db.h"

/* Opens `place` and brings its tables up to date: a PostgreSQL connection string when it has a '='
 * (or begins with "postgresql://"), else an SQLite file. A file's owner alone may read it.
 * An SQLite file of an earlier program is copied to PLACE.before-N first. Errors: those of db_open,
 * db_open_server and db_migrate. */
int site_store_open(const char *place, Db **ret_db, Err *err);

/* As an earlier program left it, which knew so many steps: for tests of what brings it up to date.
 */
int site_store_open_old(const char *place, int steps, Db **ret_db, Err *err);

/* Whether such a place is a server's. */
bool site_store_is_server(const char *place);

/* How much room it takes: of SQLite its file and what is not in there yet, of PostgreSQL what that
 * says of the database. `place` as it was opened. Errors: those of db_step; ERR_MEMORY. */
int site_store_bytes(Db *db, const char *place, uint64_t *ret_bytes, Err *err);

/* What `migrate --check` says: how many steps the store has, and how many this program knows. */
int site_store_check(Db *db, int *ret_has, int *ret_knows, Err *err);

#endif
