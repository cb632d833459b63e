/* db.h - SQL with prepared statements, over SQLite or PostgreSQL.
 *
 * For:    results.db, the search index, a contest site's store. Knows no table of its own. Only
 *         this folder includes <sqlite3.h> and <libpq-fe.h>.
 * Memory: a Db owns its connection; a DbQuery its statement. Texts and blobs of a row are borrowed
 *         until the next step.
 * Thread: one at a time per Db.
 * Source: guide: libraries, "storage, default": WAL, foreign keys, busy timeout, prepare once;
 *         docs/spec/contest-operations.md 12.
 *
 *   What both understand: parameters ?1, ?2, ...; integers of 64 bits, reals, texts (UTF-8, no
 * NUL), blobs; ON CONFLICT, RETURNING. An error inside of a transaction leaves nothing but
 * db_rollback. A foreign key, a unique or a NOT NULL that is violated is ERR_RULE.
 */
#ifndef WARG_STORE_DB_H
#define WARG_STORE_DB_H

#include "base/err.h"
#include "base/time_us.h"

typedef struct Db Db;
typedef struct DbQuery DbQuery;

#define DB_REST_US ((TimeUs)1000000)

/* Opens a database file. `write`: made when it is not there; else it must exist and is not
 * changed. Errors that name the file: ERR_IO, ERR_SYNTAX for a file that is no database,
 * ERR_MEMORY. Every query must be freed before the Db is closed. */
int db_open(const char *path, bool write, Db **ret_db, Err *err);
/* Connects to a PostgreSQL server, as libpq's connection strings say ("host=/run/postgresql
 * dbname=warg"); what they leave out comes from the environment (PGHOST, PGPASSFILE ...). The
 * string is not in errors: it may hold a password. Where the server goes away the statement fails
 * that finds it out, and a transaction that was under way; what comes behind connects again.
 * Errors: ERR_IO; ERR_USAGE where warg was built without it. */
int db_open_server(const char *connection, Db **ret_db, Err *err);
/* For a loop that serves others: where a server has not answered it is tried again DB_REST_US later
 * at the earliest, by this clock; until then statements fail at once. Without, each of them tries.
 */
void db_pace(Db *db, TimeUs (*now)(void));
Db *db_close(Db *db);
void db_closep(Db **db);

/* Runs statements without results. Errors: ERR_IO, ERR_RULE with the database's sentence. */
int db_exec(Db *db, const char *sql, Err *err);

/* Copies a file database as it is now into the new file `path`, while others read and write it.
 * Errors: ERR_USAGE for a server's; ERR_IO. */
int db_copy_to(Db *db, const char *path, Err *err);
/* Whether it is a server's. */
bool db_is_server(const Db *db);

/* ---- transactions ---- */

int db_begin(Db *db, Err *err);
/* Errors: those of db_exec; behind each of them comes db_rollback. A server's transaction in which
 * a statement has failed can't be committed, whether somebody has looked at that error or not. */
int db_commit(Db *db, Err *err);
/* Has no error that could matter: what is not committed is gone. */
void db_rollback(Db *db);
/* Runs `work` in a transaction: committed when it returns 0, rolled back else. Returns what it
 * returned, or the commit's error. Inside of one it is a part of that: who began it commits, or
 * rolls all of it back after an error. */
int db_transaction(Db *db, int (*work)(Db *db, void *user, Err *err), void *user, Err *err);

/* ---- schema ---- */

/* A step forward. The statements are those of SQLite with STRICT tables, types TEXT, REAL, INT (64
 * bits), BLOB, and ID for the first column (`id ID`: numbered by the database); PostgreSQL gets its
 * own words for them. */
typedef struct DbMigration {
    const char *name;
    const char *sql;
} DbMigration;

/* Brings a database to the last of `count` migrations: each that is missing in a transaction of its
 * own, noted in the table `migration`. Twice changes nothing. Errors: ERR_RULE for a database of a
 * newer program, or one whose migrations have other names; those of db_exec with the migration's
 * name. */
int db_migrate(Db *db, const DbMigration *migrations, int count, Err *err);
/* How many it has, 0 for none at all, in `ret_count`; nothing is changed. */
int db_migration_count(Db *db, int *ret_count, Err *err);

/* ---- statements ---- */

/* Prepares one statement; parameters are ?1, ?2, ... */
int db_query(Db *db, const char *sql, DbQuery **ret_query, Err *err);
DbQuery *db_query_free(DbQuery *query);
void db_query_freep(DbQuery **query);

/* Parameter `number` from 1. Texts and blobs are copied. */
void db_bind_int(DbQuery *query, int number, int64_t value);
void db_bind_real(DbQuery *query, int number, double value);
void db_bind_text(DbQuery *query, int number, Str text);
void db_bind_blob(DbQuery *query, int number, Str bytes);
void db_bind_null(DbQuery *query, int number);

/* The next row: 1 = there is one, 0 = no more (the query is reset and can be bound and stepped
 * again; its parameters stay). Errors: those of db_exec, and the query is reset, too; a mistake in
 * binding shows up here. */
int db_step(DbQuery *query, Err *err);

/* Begins again before the last row has come; a query that is left in the middle of its rows can't
 * be bound. */
void db_reset(DbQuery *query);

/* How many rows the last INSERT, UPDATE or DELETE of this connection has changed. */
int64_t db_changes(const Db *db);

/* Column `number` from 0 of the row. A value of another type is converted; NULL is 0 and empty. */
int64_t db_int(const DbQuery *query, int number);
double db_real(const DbQuery *query, int number);
Str db_text(const DbQuery *query, int number);
Str db_blob(const DbQuery *query, int number);
bool db_is_null(const DbQuery *query, int number);

#endif
