#include "site/store_copy.h"

#include "base/buf.h"
#include "store/db_row.h"

#define COLUMNS_MAX 40

typedef enum ColumnKind { COLUMN_INT, COLUMN_REAL, COLUMN_TEXT, COLUMN_BLOB } ColumnKind;

/* A table, as the file that is one of both describes it. */
typedef struct CopyTable {
    Str name;
    Buf columns; /* "id, login, ..." */
    Buf marks;   /* "?1, ?2, ..." */
    ColumnKind kinds[COLUMNS_MAX];
    int count;
    bool numbered; /* its first column is numbered by the database */
} CopyTable;

static void table_done(CopyTable *table)
{
    buf_done(&table->columns);
    buf_done(&table->marks);
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "store: out of memory");
}

static ColumnKind kind_of(Str type)
{
    if (str_starts(type, STR("INT")))
        return COLUMN_INT;
    if (str_eq(type, STR("REAL")))
        return COLUMN_REAL;
    return str_eq(type, STR("BLOB")) ? COLUMN_BLOB : COLUMN_TEXT;
}

static int describe_table(Db *file, CopyTable *table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(file, &query, err,
                           "SELECT name, type FROM pragma_table_info(?1) ORDER BY cid", "t",
                           table->name);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        if (table->count == COLUMNS_MAX)
            return err_set(err, ERR_LIMIT, "table %.*s has more than %d columns",
                           STR_ARG(table->name), COLUMNS_MAX);
        const Str name = db_text(query, 0), type = db_text(query, 1);
        table->numbered |=
            table->count == 0 && str_eq(type, STR("INTEGER")) && str_eq(name, STR("id"));
        table->kinds[table->count++] = kind_of(type);
        buf_printf(&table->columns, "%s%.*s", table->count > 1 ? ", " : "", STR_ARG(name));
        buf_printf(&table->marks, "%s?%d", table->count > 1 ? ", " : "", table->count);
        rc = 0;
    }
    return rc == 0 && (buf_failed(&table->columns) || buf_failed(&table->marks)) ? no_memory(err)
                                                                                 : rc;
}

/* ---- rows ---- */

static void bind_column(const DbQuery *from, DbQuery *to, int at, ColumnKind kind)
{
    if (db_is_null(from, at)) {
        db_bind_null(to, at + 1);
        return;
    }
    switch (kind) {
    case COLUMN_INT:
        db_bind_int(to, at + 1, db_int(from, at));
        break;
    case COLUMN_REAL:
        db_bind_real(to, at + 1, db_real(from, at));
        break;
    case COLUMN_TEXT:
        db_bind_text(to, at + 1, db_text(from, at));
        break;
    case COLUMN_BLOB:
        db_bind_blob(to, at + 1, db_blob(from, at));
        break;
    }
}

static int copy_rows(Db *from, Db *to, const CopyTable *table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *rows = NULL;
    CLEANUP(db_query_freep) DbQuery *insert = NULL;
    CLEANUP(buf_done) Buf select = {0};
    CLEANUP(buf_done) Buf into = {0};

    buf_printf(&select, "SELECT %s FROM %.*s", buf_cstr(&table->columns), STR_ARG(table->name));
    buf_printf(&into, "INSERT INTO %.*s(%s) VALUES(%s)", STR_ARG(table->name),
               buf_cstr(&table->columns), buf_cstr(&table->marks));
    if (buf_failed(&select) || buf_failed(&into))
        return no_memory(err);
    int rc = db_query(from, buf_cstr(&select), &rows, err);
    if (rc == 0)
        rc = db_query(to, buf_cstr(&into), &insert, err);
    while (rc == 0 && (rc = db_step(rows, err)) == 1) {
        for (int at = 0; at < table->count; at++)
            bind_column(rows, insert, at, table->kinds[at]);
        rc = db_step(insert, err);
    }
    return rc;
}

/* Rows of before have numbers that the database has not given itself. */
static int move_numbers(Db *to, const CopyTable *table, Err *err)
{
    CLEANUP(buf_done) Buf sql = {0};

    if (!table->numbered || !db_is_server(to))
        return 0;
    buf_printf(
        &sql,
        "SELECT setval(pg_get_serial_sequence('%.*s', 'id'), (SELECT COALESCE(MAX(id), 0) + 1"
        " FROM %.*s), false)",
        STR_ARG(table->name), STR_ARG(table->name));
    return buf_failed(&sql) ? no_memory(err) : db_run(to, err, buf_cstr(&sql), "");
}

static int check_empty(Db *to, const CopyTable *table, Err *err)
{
    CLEANUP(buf_done) Buf sql = {0};
    int64_t there = 0;

    buf_printf(&sql, "SELECT 1 FROM %.*s LIMIT 1", STR_ARG(table->name));
    if (buf_failed(&sql))
        return no_memory(err);
    int rc = db_ask(to, 0, &there, err, buf_cstr(&sql), "");
    if (rc == 0 && there)
        rc = err_set(err, ERR_RULE, "the store that is to be filled has rows already, in %.*s",
                     STR_ARG(table->name));
    return rc;
}

static int copy_table(Db *from, Db *to, Str name, Err *err)
{
    CLEANUP(table_done) CopyTable table = {.name = name};
    int rc = describe_table(db_is_server(from) ? to : from, &table, err);

    if (rc == 0)
        rc = check_empty(to, &table, err);
    if (rc == 0)
        rc = copy_rows(from, to, &table, err);
    return rc ? rc : move_numbers(to, &table, err);
}

/* ---- the whole ---- */

/* Tables in the order in which they were made: what is referred to comes first. */
static int copy_tables(Db *from, Db *to, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db_is_server(from) ? to : from,
                      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE"
                      " 'sqlite%' AND name <> 'migration' ORDER BY rowid",
                      &query, err);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        CLEANUP(buf_done) Buf name = {0};
        buf_add(&name, db_text(query, 0));
        rc = buf_failed(&name) ? no_memory(err) : copy_table(from, to, buf_str(&name), err);
    }
    return rc;
}

static int copy_into(Db *to, void *user, Err *err)
{
    return copy_tables(user, to, err);
}

int store_copy(Db *from, Db *to, Err *err)
{
    int has = 0, knows = 0, rc = db_begin(from, err);

    if (rc)
        return rc;
    if (db_is_server(from))
        rc = db_exec(from, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", err);
    if (rc == 0)
        rc = db_migration_count(from, &has, err);
    if (rc == 0)
        rc = db_migration_count(to, &knows, err);
    if (rc == 0 && has != knows)
        rc = err_set(err, ERR_RULE, "the stores have other schemas: %d and %d steps", has, knows);
    if (rc == 0)
        rc = db_transaction(to, copy_into, from, err);
    db_rollback(from);
    return rc;
}
