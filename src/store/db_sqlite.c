/* SQLite behind db.h. */
#include "store/db_own.h"

#include <sqlite3.h>

#define BUSY_MS 5000

typedef struct SqliteDb {
    Db db;
    sqlite3 *connection;
} SqliteDb;

typedef struct SqliteQuery {
    DbQuery query;
    sqlite3_stmt *statement;
    int bound; /* the first error of a binding, or SQLITE_OK */
} SqliteQuery;

static const DbDriver sqlite_driver;

static sqlite3 *connection_of(const Db *db)
{
    return ((const SqliteDb *)db)->connection;
}

static sqlite3_stmt *statement_of(const DbQuery *query)
{
    return ((const SqliteQuery *)query)->statement;
}

/* SQLite's sentence. It tells a file that is no database from one that can't be read. */
static int sqlite_error(sqlite3 *connection, int code, const char *what, Err *err)
{
    ErrCode kind = ERR_IO;

    if ((code & 0xFF) == SQLITE_NOMEM)
        kind = ERR_MEMORY;
    if ((code & 0xFF) == SQLITE_NOTADB)
        kind = ERR_SYNTAX;
    if ((code & 0xFF) == SQLITE_CONSTRAINT)
        kind = ERR_RULE;
    return err_set(err, kind, "%s: %s", what,
                   connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code));
}

static int sqlite_exec(Db *db, const char *sql, Err *err)
{
    int code = sqlite3_exec(connection_of(db), sql, NULL, NULL, NULL);

    return code == SQLITE_OK ? 0 : sqlite_error(connection_of(db), code, "database", err);
}

/* The schema is not trusted: who opens somebody's file runs no code of its maker. Counting the
 * tables notices a file that is no database. */
static int prepare_db(Db *db, bool write, Err *err)
{
    sqlite3_db_config(connection_of(db), SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_busy_timeout(connection_of(db), BUSY_MS);
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
    SqliteDb *own = mem_new(sizeof(*own));
    CLEANUP(db_closep) Db *db = own ? &own->db : NULL;
    Err why = {0};
    int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;

    if (!own)
        return err_set(err, ERR_MEMORY, "open database '%s': out of memory", path);
    own->db.driver = &sqlite_driver;
    int code = sqlite3_open_v2(path, &own->connection, flags | SQLITE_OPEN_NOMUTEX, NULL);
    int rc = code == SQLITE_OK ? prepare_db(db, write, &why)
                               : sqlite_error(own->connection, code, "database", &why);
    if (rc)
        return err_set(err, (ErrCode)rc, "open '%s': %s", path, why.msg);
    *ret_db = TAKE(db);
    return 0;
}

static void sqlite_close(Db *db)
{
    sqlite3_close_v2(connection_of(db));
}

/* In steps, so that who writes meanwhile waits for none of them long. */
#define COPY_PAGES 256

static int sqlite_copy_to(Db *db, const char *path, Err *err)
{
    sqlite3 *to = NULL;
    int code = sqlite3_open_v2(
        path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    sqlite3_backup *copy =
        code == SQLITE_OK ? sqlite3_backup_init(to, "main", connection_of(db), "main") : NULL;

    do
        code = copy ? sqlite3_backup_step(copy, COPY_PAGES) : sqlite3_errcode(to);
    while (copy && (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED));
    if (copy)
        code = sqlite3_backup_finish(copy);
    int rc = code == SQLITE_OK ? 0 : sqlite_error(to, code, path, err);
    sqlite3_close_v2(to);
    return rc;
}

static int64_t sqlite_changes(const Db *db)
{
    return sqlite3_changes64(connection_of(db));
}

/* ---- queries ---- */

static int sqlite_query(Db *db, const char *sql, DbQuery **ret_query, Err *err)
{
    SqliteQuery *own = mem_new(sizeof(*own));
    CLEANUP(db_query_freep) DbQuery *query = own ? &own->query : NULL;

    if (!own)
        return err_set(err, ERR_MEMORY, "database: out of memory");
    own->query.driver = &sqlite_driver;
    int code = sqlite3_prepare_v3(connection_of(db), sql, -1, SQLITE_PREPARE_PERSISTENT,
                                  &own->statement, NULL);
    if (code != SQLITE_OK)
        return sqlite_error(connection_of(db), code, "database", err);
    *ret_query = TAKE(query);
    return 0;
}

static void sqlite_query_free(DbQuery *query)
{
    sqlite3_finalize(statement_of(query));
}

static int bind_value(sqlite3_stmt *statement, int number, const DbValue *value)
{
    const char *bytes = value->bytes.len ? value->bytes.bytes : "";

    switch (value->kind) {
    case DB_INT:
        return sqlite3_bind_int64(statement, number, value->number);
    case DB_REAL:
        return sqlite3_bind_double(statement, number, value->real);
    case DB_TEXT:
        return sqlite3_bind_text64(statement, number, bytes, value->bytes.len, SQLITE_TRANSIENT,
                                   SQLITE_UTF8);
    case DB_BLOB:
        return sqlite3_bind_blob64(statement, number, bytes, value->bytes.len, SQLITE_TRANSIENT);
    case DB_NULL:
        break;
    }
    return sqlite3_bind_null(statement, number);
}

static void sqlite_bind(DbQuery *query, int number, const DbValue *value)
{
    SqliteQuery *own = (SqliteQuery *)query;
    int code = bind_value(own->statement, number, value);

    if (own->bound == SQLITE_OK)
        own->bound = code;
}

static int sqlite_step(DbQuery *query, Err *err)
{
    SqliteQuery *own = (SqliteQuery *)query;
    sqlite3 *connection = sqlite3_db_handle(own->statement);
    int bound = own->bound;

    own->bound = SQLITE_OK;
    if (bound != SQLITE_OK)
        return sqlite_error(NULL, bound, "database: binding a value", err);
    int code = sqlite3_step(own->statement);
    if (code == SQLITE_ROW)
        return 1;
    int rc = code == SQLITE_DONE ? 0 : sqlite_error(connection, code, "database", err);
    sqlite3_reset(own->statement);
    return rc;
}

static void sqlite_reset(DbQuery *query)
{
    sqlite3_reset(statement_of(query));
}

/* ---- columns ---- */

static int64_t sqlite_int(const DbQuery *query, int number)
{
    return sqlite3_column_int64(statement_of(query), number);
}

static double sqlite_real(const DbQuery *query, int number)
{
    return sqlite3_column_double(statement_of(query), number);
}

static Str bytes_of(const void *bytes, int count)
{
    return (Str){bytes ? bytes : "", bytes && count > 0 ? (size_t)count : 0};
}

static Str sqlite_text(const DbQuery *query, int number)
{
    const unsigned char *text = sqlite3_column_text(statement_of(query), number);

    return bytes_of(text, sqlite3_column_bytes(statement_of(query), number));
}

static Str sqlite_blob(const DbQuery *query, int number)
{
    const void *bytes = sqlite3_column_blob(statement_of(query), number);

    return bytes_of(bytes, sqlite3_column_bytes(statement_of(query), number));
}

static bool sqlite_is_null(const DbQuery *query, int number)
{
    return sqlite3_column_type(statement_of(query), number) == SQLITE_NULL;
}

static const DbDriver sqlite_driver = {
    .close = sqlite_close,
    .exec = sqlite_exec,
    .query = sqlite_query,
    .copy_to = sqlite_copy_to,
    .changes = sqlite_changes,
    .query_free = sqlite_query_free,
    .bind = sqlite_bind,
    .step = sqlite_step,
    .reset = sqlite_reset,
    .column_int = sqlite_int,
    .column_real = sqlite_real,
    .column_text = sqlite_text,
    .column_blob = sqlite_blob,
    .column_is_null = sqlite_is_null,
    .begin = "BEGIN IMMEDIATE",
};
