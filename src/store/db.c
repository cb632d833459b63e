#include "store/db.h"

#include "base/mem.h"

#include <sqlite3.h>

#define BUSY_MS 5000

struct Db {
    sqlite3 *connection;
};

struct DbQuery {
    sqlite3_stmt *statement;
    int bound; /* the first error of a binding, or SQLITE_OK */
};

/* SQLite's sentence. It tells a file that is no database from one that can't be read. */
static int db_error(sqlite3 *connection, int code, const char *what, Err *err)
{
    ErrCode kind = ERR_IO;

    if ((code & 0xFF) == SQLITE_NOMEM)
        kind = ERR_MEMORY;
    if ((code & 0xFF) == SQLITE_NOTADB)
        kind = ERR_SYNTAX;
    return err_set(err, kind, "%s: %s", what,
                   connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code));
}

int db_exec(Db *db, const char *sql, Err *err)
{
    int code = sqlite3_exec(db->connection, sql, NULL, NULL, NULL);

    return code == SQLITE_OK ? 0 : db_error(db->connection, code, "database", err);
}

/* The schema is not trusted: who opens somebody's file runs no code of its maker. Counting the
 * tables notices a file that is no database. */
static int prepare_db(Db *db, bool write, Err *err)
{
    sqlite3_db_config(db->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_busy_timeout(db->connection, BUSY_MS);
    int rc = db_exec(db,
                     "PRAGMA trusted_schema = OFF;"
                     "PRAGMA foreign_keys = ON;"
                     "SELECT count(*) FROM sqlite_schema",
                     err);
    if (rc == 0 && write)
        rc = db_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", err);
    return rc;
}

int db_open(const char *path, bool write, Db **ret_db, Err *err)
{
    CLEANUP(db_closep) Db *db = mem_new(sizeof(*db));
    Err own = {0};
    int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;

    if (!db)
        return err_set(err, ERR_MEMORY, "open database '%s': out of memory", path);
    int code = sqlite3_open_v2(path, &db->connection, flags | SQLITE_OPEN_NOMUTEX, NULL);
    int rc = code == SQLITE_OK ? prepare_db(db, write, &own)
                               : db_error(db->connection, code, "database", &own);
    if (rc)
        return err_set(err, (ErrCode)rc, "open '%s': %s", path, own.msg);
    *ret_db = TAKE(db);
    return 0;
}

Db *db_close(Db *db)
{
    if (db)
        sqlite3_close_v2(db->connection);
    return mem_free(db);
}

void db_closep(Db **db)
{
    *db = db_close(*db);
}

/* ---- queries ---- */

int db_query(Db *db, const char *sql, DbQuery **ret_query, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = mem_new(sizeof(*query));

    if (!query)
        return err_set(err, ERR_MEMORY, "database: out of memory");
    int code = sqlite3_prepare_v3(db->connection, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                  &query->statement, NULL);
    if (code != SQLITE_OK)
        return db_error(db->connection, code, "database", err);
    *ret_query = TAKE(query);
    return 0;
}

DbQuery *db_query_free(DbQuery *query)
{
    if (query)
        sqlite3_finalize(query->statement);
    return mem_free(query);
}

void db_query_freep(DbQuery **query)
{
    *query = db_query_free(*query);
}

static void note_binding(DbQuery *query, int code)
{
    if (query->bound == SQLITE_OK)
        query->bound = code;
}

void db_bind_int(DbQuery *query, int number, int64_t value)
{
    note_binding(query, sqlite3_bind_int64(query->statement, number, value));
}

void db_bind_text(DbQuery *query, int number, Str text)
{
    note_binding(query, sqlite3_bind_text64(query->statement, number, text.len ? text.bytes : "",
                                            text.len, SQLITE_TRANSIENT, SQLITE_UTF8));
}

void db_bind_null(DbQuery *query, int number)
{
    note_binding(query, sqlite3_bind_null(query->statement, number));
}

int db_step(DbQuery *query, Err *err)
{
    sqlite3 *connection = sqlite3_db_handle(query->statement);
    int bound = query->bound;

    query->bound = SQLITE_OK;
    if (bound != SQLITE_OK)
        return db_error(NULL, bound, "database: binding a value", err);
    int code = sqlite3_step(query->statement);
    if (code == SQLITE_ROW)
        return 1;
    int rc = code == SQLITE_DONE ? 0 : db_error(connection, code, "database", err);
    sqlite3_reset(query->statement);
    return rc;
}

void db_reset(DbQuery *query)
{
    sqlite3_reset(query->statement);
}

/* ---- columns ---- */

int64_t db_int(const DbQuery *query, int number)
{
    return sqlite3_column_int64(query->statement, number);
}

double db_real(const DbQuery *query, int number)
{
    return sqlite3_column_double(query->statement, number);
}

Str db_text(const DbQuery *query, int number)
{
    const unsigned char *text = sqlite3_column_text(query->statement, number);
    int bytes = sqlite3_column_bytes(query->statement, number);

    return (Str){text ? (const char *)text : "", text && bytes > 0 ? (size_t)bytes : 0};
}

bool db_is_null(const DbQuery *query, int number)
{
    return sqlite3_column_type(query->statement, number) == SQLITE_NULL;
}
