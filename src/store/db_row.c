#include "store/db_row.h"

#include <stdarg.h>

static void bind_kinds(DbQuery *query, const char *kinds, va_list args)
{
    for (int number = 1; kinds[number - 1]; number++) {
        const char kind = kinds[number - 1];
        Str text = {0};
        if (kind == 'i') {
            db_bind_int(query, number, va_arg(args, int64_t));
            continue;
        }
        if (kind != 'n')
            text = va_arg(args, Str);
        if (kind == 'n' || ((kind == 'T' || kind == 'B') && !text.len))
            db_bind_null(query, number);
        else if (kind == 't' || kind == 'T')
            db_bind_text(query, number, text);
        else
            db_bind_blob(query, number, text);
    }
}

static int query_kinds(Db *db, DbQuery **ret_query, Err *err, const char *sql, const char *kinds,
                       va_list args)
{
    int rc = db_query(db, sql, ret_query, err);

    if (rc == 0)
        bind_kinds(*ret_query, kinds, args);
    return rc;
}

int db_query_with(Db *db, DbQuery **ret_query, Err *err, const char *sql, const char *kinds, ...)
{
    va_list args;

    va_start(args, kinds);
    int rc = query_kinds(db, ret_query, err, sql, kinds, args);
    va_end(args);
    return rc;
}

void db_bind_with(DbQuery *query, const char *kinds, ...)
{
    va_list args;

    va_start(args, kinds);
    bind_kinds(query, kinds, args);
    va_end(args);
}

int db_run(Db *db, Err *err, const char *sql, const char *kinds, ...)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    va_list args;

    va_start(args, kinds);
    int rc = query_kinds(db, &query, err, sql, kinds, args);
    va_end(args);
    if (rc == 0)
        rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

int db_ask(Db *db, int64_t none, int64_t *ret_value, Err *err, const char *sql, const char *kinds,
           ...)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    va_list args;

    *ret_value = none;
    va_start(args, kinds);
    int rc = query_kinds(db, &query, err, sql, kinds, args);
    va_end(args);
    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 1 && !db_is_null(query, 0))
        *ret_value = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

int db_ask_text(Db *db, Buf *ret_text, bool *ret_there, Err *err, const char *sql,
                const char *kinds, ...)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    va_list args;

    va_start(args, kinds);
    int rc = query_kinds(db, &query, err, sql, kinds, args);
    va_end(args);
    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 1)
        buf_add(ret_text, db_text(query, 0));
    if (ret_there)
        *ret_there = rc == 1;
    if (rc >= 0 && buf_failed(ret_text))
        return err_set(err, ERR_MEMORY, "out of memory");
    return rc < 0 ? rc : 0;
}
