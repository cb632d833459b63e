/* What is the same for all databases: transactions, migrations, the way to the driver. */
#include "store/db_own.h"

#include "store/db_words.h"

Db *db_close(Db *db)
{
    if (db)
        db->driver->close(db);
    return mem_free(db);
}

void db_closep(Db **db)
{
    *db = db_close(*db);
}

void db_pace(Db *db, TimeUs (*now)(void))
{
    db->now = now;
}

int db_exec(Db *db, const char *sql, Err *err)
{
    return db->driver->exec(db, sql, err);
}

int db_copy_to(Db *db, const char *path, Err *err)
{
    return db->driver->copy_to ? db->driver->copy_to(db, path, err)
                               : err_set(err, ERR_USAGE, "a server's database is no file");
}

bool db_is_server(const Db *db)
{
    return db->driver->server;
}

int64_t db_changes(const Db *db)
{
    return db->driver->changes(db);
}

/* ---- transactions ---- */

int db_begin(Db *db, Err *err)
{
    int rc = db_exec(db, db->driver->begin, err);

    if (rc == 0)
        db->in_transaction = true;
    return rc;
}

int db_commit(Db *db, Err *err)
{
    int rc = db_exec(db, "COMMIT", err);

    if (rc == 0)
        db->in_transaction = false;
    return rc;
}

void db_rollback(Db *db)
{
    db_exec(db, "ROLLBACK", NULL);
    db->in_transaction = false;
}

int db_transaction(Db *db, int (*work)(Db *db, void *user, Err *err), void *user, Err *err)
{
    if (db->in_transaction)
        return work(db, user, err);
    int rc = db_begin(db, err);

    if (rc)
        return rc;
    rc = work(db, user, err);
    if (rc == 0)
        rc = db_commit(db, err);
    if (rc)
        db_rollback(db);
    return rc;
}

/* ---- schema ---- */

static int run_statements(Db *db, const char *sql, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    db_words_translate(str_of(sql), db->driver->server, &text);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "database: out of memory");
    return db_exec(db, buf_cstr(&text), err);
}

/* The names of migrations as the database has them are those of this program, as far as both go. */
static int compare_names(Db *db, const DbMigration *migrations, int count, int *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT number, name FROM migration ORDER BY number", &query, err);

    *ret_count = 0;
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        rc = 0;
        int64_t number = db_int(query, 0);
        if (number > count)
            rc = err_set(
                err, ERR_RULE,
                "the database is of a newer warg: it has migration %lld, this warg knows %d",
                (long long)number, count);
        else if (number != *ret_count + 1 ||
                 !str_eq(db_text(query, 1), str_of(migrations[number - 1].name)))
            rc = err_set(err, ERR_RULE,
                         "the database is of another program: its migration %lld is '%.*s'",
                         (long long)number, STR_ARG(db_text(query, 1)));
        else
            (*ret_count)++;
    }
    return rc;
}

/* One step, if it is still missing. */
typedef struct Step {
    const DbMigration *migration;
    int number;
} Step;

static int apply_migration(Db *db, void *user, Err *err)
{
    const Step *step = user;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = run_statements(db, step->migration->sql, err);

    if (rc == 0)
        rc = db_query(db, "INSERT INTO migration(number, name) VALUES(?1, ?2)", &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, step->number);
    db_bind_text(query, 2, str_of(step->migration->name));
    return db_step(query, err);
}

int db_migrate(Db *db, const DbMigration *migrations, int count, Err *err)
{
    int done = 0;
    int rc = run_statements(
        db,
        "CREATE TABLE IF NOT EXISTS migration(number INT PRIMARY KEY, name TEXT NOT NULL) STRICT",
        err);

    if (rc == 0)
        rc = compare_names(db, migrations, count, &done, err);
    for (int i = done; rc == 0 && i < count; i++) {
        Step step = {&migrations[i], i + 1};
        Err why = {0};
        rc = db_transaction(db, apply_migration, &step, &why);
        if (rc)
            rc = err_set(err, why.code, "migration %d, %s: %s", i + 1, migrations[i].name, why.msg);
    }
    return rc;
}

int db_migration_count(Db *db, int *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *there = NULL, *query = NULL;
    const char *tables =
        db->driver->server
            ? "SELECT 1 FROM pg_tables WHERE tablename = 'migration' AND "
              "schemaname = current_schema()"
            : "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'";

    *ret_count = 0;
    int rc = db_query(db, tables, &there, err);
    if (rc == 0)
        rc = db_step(there, err);
    if (rc <= 0)
        return rc;
    rc = db_query(db, "SELECT count(*) FROM migration", &query, err);
    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    *ret_count = (int)db_int(query, 0);
    return 0;
}

/* ---- statements ---- */

int db_query(Db *db, const char *sql, DbQuery **ret_query, Err *err)
{
    return db->driver->query(db, sql, ret_query, err);
}

DbQuery *db_query_free(DbQuery *query)
{
    if (query)
        query->driver->query_free(query);
    return mem_free(query);
}

void db_query_freep(DbQuery **query)
{
    *query = db_query_free(*query);
}

void db_bind_int(DbQuery *query, int number, int64_t value)
{
    query->driver->bind(query, number, &(DbValue){.kind = DB_INT, .number = value});
}

void db_bind_real(DbQuery *query, int number, double value)
{
    query->driver->bind(query, number, &(DbValue){.kind = DB_REAL, .real = value});
}

void db_bind_text(DbQuery *query, int number, Str text)
{
    query->driver->bind(query, number, &(DbValue){.kind = DB_TEXT, .bytes = text});
}

void db_bind_blob(DbQuery *query, int number, Str bytes)
{
    query->driver->bind(query, number, &(DbValue){.kind = DB_BLOB, .bytes = bytes});
}

void db_bind_null(DbQuery *query, int number)
{
    query->driver->bind(query, number, &(DbValue){.kind = DB_NULL});
}

int db_step(DbQuery *query, Err *err)
{
    return query->driver->step(query, err);
}

void db_reset(DbQuery *query)
{
    query->driver->reset(query);
}

int64_t db_int(const DbQuery *query, int number)
{
    return query->driver->column_int(query, number);
}

double db_real(const DbQuery *query, int number)
{
    return query->driver->column_real(query, number);
}

Str db_text(const DbQuery *query, int number)
{
    return query->driver->column_text(query, number);
}

Str db_blob(const DbQuery *query, int number)
{
    return query->driver->column_blob(query, number);
}

bool db_is_null(const DbQuery *query, int number)
{
    return query->driver->column_is_null(query, number);
}
