/* db.h - SQL with prepared statements, over SQLite.
 *
 * For:    results.db, and later accounts. Knows no table of its own. Only this folder includes
 *         <sqlite3.h>.
 * Memory: a Db owns its connection; a DbQuery its statement. Texts of a row are borrowed until the
 *         next step.
 * Thread: one at a time per Db.
 * Source: guide: libraries, "storage, default": WAL, foreign keys, busy timeout, prepare once.
 */
#ifndef WARG_STORE_DB_H
#define WARG_STORE_DB_H

#include "base/err.h"

typedef struct Db Db;
typedef struct DbQuery DbQuery;

/* Opens a database file. `write`: made when it is not there; else it must exist and is not
 * changed. Errors that name the file: ERR_IO, ERR_SYNTAX for a file that is no database,
 * ERR_MEMORY. Every query must be freed before the Db is closed. */
int db_open(const char *path, bool write, Db **ret_db, Err *err);
Db *db_close(Db *db);
void db_closep(Db **db);

/* Runs statements without results. Errors: ERR_IO with SQLite's sentence. */
int db_exec(Db *db, const char *sql, Err *err);

/* Prepares one statement; parameters are ?1, ?2, ... */
int db_query(Db *db, const char *sql, DbQuery **ret_query, Err *err);
DbQuery *db_query_free(DbQuery *query);
void db_query_freep(DbQuery **query);

/* Parameter `number` from 1. The text is copied. */
void db_bind_int(DbQuery *query, int number, int64_t value);
void db_bind_text(DbQuery *query, int number, Str text);
void db_bind_null(DbQuery *query, int number);

/* The next row: 1 = there is one, 0 = no more (the query is reset and can be bound and stepped
 * again; its parameters stay). Errors: ERR_IO with SQLite's sentence, and the query is reset, too;
 * a mistake in binding shows up here. */
int db_step(DbQuery *query, Err *err);

/* Begins again before the last row has come; a query that is left in the middle of its rows can't
 * be bound. */
void db_reset(DbQuery *query);

/* Column `number` from 0 of the row. A value of another type is converted as SQLite does; NULL is
 * 0 and empty. */
int64_t db_int(const DbQuery *query, int number);
double db_real(const DbQuery *query, int number);
Str db_text(const DbQuery *query, int number);
bool db_is_null(const DbQuery *query, int number);

#endif
