/* db_row.h - short ways to what is asked of a database most: one change, one value, one row.
 *
 * For:    rooms with a store. What is asked ten thousand times prepares its query once (db.h).
 * Memory: texts and blobs are copied by binding; a row's are borrowed from its query.
 * Thread: as db.h.
 * Source: house rule: what two rooms need stands once.
 *
 * `kinds` has a letter for each parameter: i an int64_t, t a Str as text, b a Str as blob, n a
 * null (no argument); T and B are null for an empty Str.
 *
 *     db_run(db, err, "UPDATE team SET state = ?2 WHERE id = ?1", "it", team, STR("OUT"));
 */
#ifndef WARG_STORE_DB_ROW_H
#define WARG_STORE_DB_ROW_H

#include "base/buf.h"
#include "store/db.h"

/* A statement with its parameters, not stepped yet. Errors: those of db_query. */
int db_query_with(Db *db, DbQuery **ret_query, Err *err, const char *sql, const char *kinds, ...);
/* Binds anew the parameters of a query that was stepped to its end. */
void db_bind_with(DbQuery *query, const char *kinds, ...);

/* A statement whose rows nobody wants. Errors: those of db_step. */
int db_run(Db *db, Err *err, const char *sql, const char *kinds, ...);
/* The first column of the first row, or `none`, also for a null. Errors: those of db_step. */
int db_ask(Db *db, int64_t none, int64_t *ret_value, Err *err, const char *sql, const char *kinds,
           ...);
/* The first column of the first row appended to `ret_text` as bytes, nothing for no row or a null.
 * `ret_there` (may be NULL): there is a row. Errors: those of db_step; ERR_MEMORY. */
int db_ask_text(Db *db, Buf *ret_text, bool *ret_there, Err *err, const char *sql,
                const char *kinds, ...);

#endif
