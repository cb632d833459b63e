/* db_own.h - what a database has to do for db.h: one constant of functions for each kind.
 *
 * For:    this folder. Nobody else.
 * Memory: a driver's Db and DbQuery begin with these structs and are its own.
 * Thread: as db.h.
 * Source: docs/spec/contest-operations.md 12.
 */
#ifndef WARG_STORE_DB_OWN_H
#define WARG_STORE_DB_OWN_H

#include "base/mem.h"
#include "store/db.h"

typedef enum DbValueKind {
    DB_NULL,
    DB_INT,
    DB_REAL,
    DB_TEXT,
    DB_BLOB,
} DbValueKind;

/* A parameter; its bytes are borrowed for the call. */
typedef struct DbValue {
    DbValueKind kind;
    int64_t number;
    double real;
    Str bytes;
} DbValue;

/* As the functions of db.h that have these names. */
typedef struct DbDriver {
    void (*close)(Db *db);
    int (*exec)(Db *db, const char *sql, Err *err);
    int (*query)(Db *db, const char *sql, DbQuery **ret_query, Err *err);
    int64_t (*changes)(const Db *db);
    int (*copy_to)(Db *db, const char *path, Err *err); /* NULL: it can't */
    void (*query_free)(DbQuery *query);
    void (*bind)(DbQuery *query, int number, const DbValue *value);
    int (*step)(DbQuery *query, Err *err);
    void (*reset)(DbQuery *query);
    int64_t (*column_int)(const DbQuery *query, int number);
    double (*column_real)(const DbQuery *query, int number);
    Str (*column_text)(const DbQuery *query, int number);
    Str (*column_blob)(const DbQuery *query, int number);
    bool (*column_is_null)(const DbQuery *query, int number);
    const char *begin; /* a transaction that will write */
    bool server;       /* statements are PostgreSQL's */
} DbDriver;

struct Db {
    const DbDriver *driver;
    bool in_transaction; /* db_begin's */
    TimeUs (*now)(void); /* db_pace's; may be NULL */
};

struct DbQuery {
    const DbDriver *driver;
};

#endif
