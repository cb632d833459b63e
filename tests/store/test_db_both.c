/* What db.h promises of both databases, by the same tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pg_server.h"

#include "base/buf.h"
#include "store/db.h"

static PgServer server;
static bool has_server;

/* A database of its own for each test. */
typedef struct Kind {
    const char *name;
    bool server;
} Kind;

static Kind kinds[] = {{"SQLite", false}, {"PostgreSQL", true}};

static Db *open_kind(const Kind *kind)
{
    Db *db = NULL;
    Err err = {0};
    int rc = kind->server ? db_open_server(server.connection, &db, &err)
                          : db_open(":memory:", true, &db, &err);

    if (rc == 0 && kind->server)
        rc = db_exec(
            db, "DROP SCHEMA IF EXISTS test CASCADE; CREATE SCHEMA test; SET search_path TO test",
            &err);
    if (rc)
        fail_msg("%s: %s", kind->name, err.msg);
    return db;
}

static Db *open_of(void **state)
{
    const Kind *kind = *state;

    if (kind->server && !has_server)
        skip(); /* PostgreSQL isn't installed */
    return open_kind(kind);
}

static void must(int rc, const Err *err)
{
    if (rc < 0)
        fail_msg("%s", err->msg);
}

static void run(Db *db, const char *sql)
{
    Err err = {0};

    must(db_exec(db, sql, &err), &err);
}

static DbQuery *query_of(Db *db, const char *sql)
{
    DbQuery *query = NULL;
    Err err = {0};

    must(db_query(db, sql, &query, &err), &err);
    return query;
}

static int64_t number_of(Db *db, const char *sql)
{
    CLEANUP(db_query_freep) DbQuery *query = query_of(db, sql);
    Err err = {0};
    int rc = db_step(query, &err);

    must(rc, &err);
    assert_int_equal(rc, 1);
    return db_int(query, 0);
}

static const DbMigration migrations[] = {
    {"people",
     "CREATE TABLE person(id ID, name TEXT NOT NULL UNIQUE, age INT, score REAL, face BLOB) STRICT;"
     "CREATE TABLE pet(owner INT NOT NULL REFERENCES person(id), name TEXT) STRICT"},
    {"a note",
     "ALTER TABLE person ADD COLUMN note TEXT NOT NULL DEFAULT 'INT, ID and BLOB are words'"},
};

static Db *people(void **state)
{
    Db *db = open_of(state);
    Err err = {0};

    must(db_migrate(db, migrations, 2, &err), &err);
    return db;
}

static void every_kind_of_value_comes_back(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    CLEANUP(db_query_freep)
    DbQuery *put = query_of(
        db, "INSERT INTO person(name, age, score, face) VALUES(?1, ?2, ?3, ?4) RETURNING id");
    static const char face[] = "\0\x01'\\\xff\x80 end";
    Err err = {0};

    db_bind_text(put, 1, STR("O'Brien \\ 人狼 ?1"));
    db_bind_int(put, 2, INT64_MIN);
    db_bind_real(put, 3, 0.1);
    db_bind_blob(put, 4, (Str){face, sizeof(face) - 1});
    assert_int_equal(db_step(put, &err), 1);
    int64_t first = db_int(put, 0);
    assert_int_equal(db_step(put, &err), 0);
    db_bind_text(put, 1, STR("nobody"));
    db_bind_null(put, 2);
    db_bind_null(put, 3);
    db_bind_blob(put, 4, (Str){0});
    assert_int_equal(db_step(put, &err), 1);
    assert_true(db_int(put, 0) > first);
    db_reset(put);

    CLEANUP(db_query_freep)
    DbQuery *get = query_of(
        db, "SELECT name, age, score, face, note, '?1' FROM person WHERE id >= ?1 ORDER BY id");
    db_bind_int(get, 1, first);
    for (int again = 0; again < 2;
         again++) { /* it can be stepped again, with the same parameters */
        assert_int_equal(db_step(get, &err), 1);
        assert_true(str_eq(db_text(get, 0), STR("O'Brien \\ 人狼 ?1")));
        assert_true(db_int(get, 1) == INT64_MIN);
        assert_true(db_real(get, 2) == 0.1);
        assert_true(str_eq(db_blob(get, 3), (Str){face, sizeof(face) - 1}));
        assert_true(
            str_eq(db_blob(get, 3), (Str){face, sizeof(face) - 1})); /* and is asked for twice */
        assert_true(str_eq(db_text(get, 4), STR("INT, ID and BLOB are words")));
        assert_true(str_eq(db_text(get, 5), STR("?1")));
        assert_false(db_is_null(get, 1));
        assert_int_equal(db_step(get, &err), 1);
        assert_true(db_is_null(get, 1) && db_int(get, 1) == 0);
        assert_true(db_is_null(get, 2) && db_real(get, 2) == 0);
        assert_false(db_is_null(get, 3));
        assert_int_equal(db_blob(get, 3).len, 0);
        assert_int_equal(db_step(get, &err), 0);
    }
}

static void what_is_violated_is_told_from_what_is_broken(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    Err err = {0};

    run(db, "INSERT INTO person(name) VALUES('ann')");
    assert_int_equal(db_exec(db, "INSERT INTO person(name) VALUES('ann')", &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "database: "));
    assert_null(strchr(err.msg, '\n'));
    assert_int_equal(db_exec(db, "INSERT INTO person(name) VALUES(NULL)", NULL), ERR_RULE);
    assert_int_equal(db_exec(db, "INSERT INTO pet(owner) VALUES(77)", NULL), ERR_RULE);
    assert_int_equal(db_exec(db, "SELEKT", NULL), ERR_IO);
    DbQuery *query = NULL;
    assert_int_equal(db_query(db, "SELECT x FROM nowhere", &query, NULL), ERR_IO);
    assert_null(query);
    assert_int_equal(number_of(db, "SELECT count(*) FROM person"), 1);
}

static void a_wrong_binding_is_told_and_forgotten(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    CLEANUP(db_query_freep)
    DbQuery *query = query_of(db, "SELECT count(*) FROM person WHERE age < ?1");
    Err err = {0};

    db_bind_int(query, 2, 1);
    assert_true(db_step(query, &err) < 0);
    assert_non_null(strstr(err.msg, "binding"));
    db_bind_int(query, 1, 5);
    assert_int_equal(db_step(query, NULL), 1);
}

typedef struct Work {
    int rc;
    bool nested;
} Work;

static int add_two(Db *db, void *user, Err *err)
{
    const Work *work = user;

    run(db, "INSERT INTO person(name) VALUES('bo')");
    if (work->nested)
        return db_exec(db, "INSERT INTO person(name) VALUES('bo')",
                       err); /* violates, and all is undone */
    run(db, "INSERT INTO person(name) VALUES('cy')");
    return work->rc ? err_set(err, (ErrCode)work->rc, "no") : 0;
}

static void a_transaction_is_whole_or_nothing(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    Work good = {0}, refused = {.rc = ERR_LIMIT}, violated = {.nested = true};

    assert_int_equal(db_transaction(db, add_two, &refused, NULL), ERR_LIMIT);
    assert_int_equal(number_of(db, "SELECT count(*) FROM person"), 0);
    assert_int_equal(db_transaction(db, add_two, &violated, NULL), ERR_RULE);
    assert_int_equal(number_of(db, "SELECT count(*) FROM person"), 0);
    assert_int_equal(db_transaction(db, add_two, &good, NULL), 0);
    assert_int_equal(number_of(db, "SELECT count(*) FROM person"), 2);
}

/* Somebody has not looked at an error: what a server then has thrown away is not called stored. */
static void a_commit_that_is_good_has_stored(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    Err err = {0};

    must(db_begin(db, &err), &err);
    run(db, "INSERT INTO person(name) VALUES('ann')");
    assert_true(db_exec(db, "SELECT nonsense", NULL) < 0);
    const bool stored = db_commit(db, &err) == 0;
    if (!stored)
        db_rollback(db);
    assert_int_equal(stored, !db_is_server(db)); /* a file's goes on behind a failed statement */
    assert_int_equal(number_of(db, "SELECT count(*) FROM person"), stored);
    Work good = {0};
    assert_int_equal(db_transaction(db, add_two, &good, NULL), 0); /* and the next is one again */
}

/* What would be a transaction of its own is a part of the one that was begun. */
static int add_inside(Db *db, void *user, Err *err)
{
    Work *inner = user;
    Work good = {0};
    int rc = db_transaction(db, add_two, &good, err);

    run(db, "DELETE FROM person WHERE name <> 'ann'"); /* names are unique */
    return rc ? rc : db_transaction(db, add_two, inner, err);
}

static void a_transaction_inside_of_one_is_a_part_of_it(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    Work refused = {.rc = ERR_LIMIT};

    run(db, "INSERT INTO person(name) VALUES('ann')");
    assert_int_equal(db_transaction(db, add_inside, &refused, NULL), ERR_LIMIT);
    assert_int_equal(number_of(db, "SELECT count(*) FROM person"), 1); /* all of it is undone */
    Work good = {0};
    assert_int_equal(db_transaction(db, add_two, &good, NULL), 0); /* and the next is one again */
    assert_int_equal(number_of(db, "SELECT count(*) FROM person"), 3);
}

static void changed_rows_are_counted(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    CLEANUP(db_query_freep) DbQuery *change = query_of(db, "UPDATE person SET age = ?1");
    CLEANUP(db_query_freep)
    DbQuery *upsert = query_of(db, "INSERT INTO person(name) VALUES('ann') ON CONFLICT DO NOTHING");

    run(db, "INSERT INTO person(name) VALUES('ann'), ('bo'), ('cy')");
    assert_int_equal(db_changes(db), 3);
    db_bind_int(change, 1, 9);
    assert_int_equal(db_step(change, NULL), 0);
    assert_int_equal(db_changes(db), 3);
    assert_int_equal(db_step(upsert, NULL), 0);
    assert_int_equal(db_changes(db), 0);
}

static void statements_run_inside_of_each_other(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    CLEANUP(db_query_freep)
    DbQuery *outer = query_of(db, "SELECT id, name FROM person ORDER BY name");
    CLEANUP(db_query_freep)
    DbQuery *inner = query_of(db, "SELECT count(*) FROM person WHERE name <= ?1");
    int64_t rows = 0;

    run(db, "INSERT INTO person(name) VALUES('ann'), ('bo'), ('cy')");
    while (db_step(outer, NULL) == 1) {
        db_bind_text(inner, 1, db_text(outer, 1));
        assert_int_equal(db_step(inner, NULL), 1);
        assert_int_equal(db_int(inner, 0), ++rows);
        db_reset(inner);
    }
    assert_int_equal(rows, 3);
}

static void migrations_go_forward_only(void **state)
{
    CLEANUP(db_closep) Db *db = open_of(state);
    const DbMigration others[] = {migrations[0], {"another", "SELECT 1"}};
    const DbMigration broken[] = {
        migrations[0], migrations[1], {"broken", "CREATE TABLE x(a INT) STRICT; SELEKT"}};
    Err err = {0};
    int count = 9;

    must(db_migration_count(db, &count, &err), &err);
    assert_int_equal(count, 0);
    must(db_migrate(db, migrations, 1, &err), &err);
    run(db, "INSERT INTO person(name) VALUES('ann')");
    for (int again = 0; again < 2; again++)
        must(db_migrate(db, migrations, 2, &err), &err);
    must(db_migration_count(db, &count, &err), &err);
    assert_int_equal(count, 2);
    assert_int_equal(number_of(db, "SELECT count(*) FROM person WHERE note <> ''"), 1);

    assert_int_equal(db_migrate(db, migrations, 1, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "newer warg"));
    err = (Err){0};
    assert_int_equal(db_migrate(db, others, 2, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "another program"));
    err = (Err){0};
    assert_int_equal(db_migrate(db, broken, 3, &err), ERR_IO); /* and nothing of it is left */
    assert_non_null(strstr(err.msg, "migration 3, broken"));
    assert_true(db_exec(db, "SELECT a FROM x", NULL) < 0);
    must(db_migration_count(db, &count, NULL), &err);
    assert_int_equal(count, 2);
}

static void a_connection_string_is_never_echoed(void **state)
{
    Db *db = NULL;
    Err err = {0};

    (void)state;
    assert_true(db_open_server("postgres:zzsecret@somewhere", &db, &err) < 0);
    assert_null(strstr(err.msg, "zzsecret"));
    err = (Err){0};
    assert_true(db_open_server("host=/nonexistent password=zzsecret", &db, &err) < 0);
    assert_null(strstr(err.msg, "zzsecret"));
    assert_null(db);
}

/* The server as it is to be seen behind a restart: ends the connection of `db`, by another one. */
static void cut_connection(Db *db)
{
    char sql[80];
    Db *other = NULL;
    Err err = {0};

    snprintf(sql, sizeof(sql), "SELECT pg_terminate_backend(%lld, 10000)::int",
             (long long)number_of(db, "SELECT pg_backend_pid()"));
    must(db_open_server(server.connection, &other, &err), &err);
    assert_int_equal(number_of(other, sql), 1);
    db_close(other);
}

/* O43: a database that was gone is there again, and nobody has to start the site anew. */
static void a_server_that_comes_back_is_connected_to_again(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    DbQuery *query = NULL;
    Err err = {0};

    cut_connection(db);
    assert_int_equal(db_exec(db, "INSERT INTO test.person(name) VALUES('lost')", &err), ERR_IO);
    run(db, "INSERT INTO test.person(name) VALUES('ann')");
    /* As it was set up. */
    assert_int_equal(number_of(db, "SELECT (current_setting('TimeZone') = 'UTC' AND"
                                   " current_setting('lock_timeout') = '5s')::int"),
                     1);

    /* What belongs together is lost together: no half of a transaction begins anew. */
    must(db_begin(db, &err), &err);
    run(db, "INSERT INTO test.person(name) VALUES('half')");
    cut_connection(db);
    assert_int_equal(db_exec(db, "INSERT INTO test.person(name) VALUES('other half')", &err),
                     ERR_IO);
    assert_int_equal(db_query(db, "INSERT INTO test.person(name) VALUES('third')", &query, &err),
                     ERR_IO);
    assert_int_equal(db_commit(db, &err), ERR_IO);
    db_rollback(db);
    query = query_of(db, "SELECT count(*) FROM test.person WHERE name = ?1");
    db_bind_text(query, 1, STR("ann"));
    assert_int_equal(db_step(query, &err), 1);
    assert_int_equal(db_int(query, 0), 1);
    db_query_free(query);
    assert_int_equal(number_of(db, "SELECT count(*) FROM test.person"), 1);
    run(db, "DROP SCHEMA test CASCADE");
}

static TimeUs clock_us;

static TimeUs test_clock(void)
{
    return clock_us;
}

/* 16.2, "503 within 2 s": not each of those who wait is kept by a server that does not answer. It
 * is away as long as its socket has another name. */
static void a_server_that_is_away_is_not_tried_by_everybody(void **state)
{
    CLEANUP(db_closep) Db *db = people(state);
    char socket[128], away[128];
    Err err = {0};

    snprintf(socket, sizeof(socket), "%s/.s.PGSQL.5432", server.folder);
    snprintf(away, sizeof(away), "%s/away", server.folder);
    db_pace(db, test_clock);
    cut_connection(db);
    assert_int_equal(db_exec(db, "SELECT 1", &err), ERR_IO);
    assert_int_equal(rename(socket, away), 0);
    assert_int_equal(db_exec(db, "SELECT 1", &err), ERR_IO); /* tried */
    assert_int_equal(rename(away, socket), 0);
    clock_us += DB_REST_US - 1;
    err = (Err){0};
    assert_int_equal(db_exec(db, "SELECT 1", &err), ERR_IO); /* not tried */
    assert_non_null(strstr(err.msg, "database: "));
    assert_int_equal(db_begin(db, NULL), ERR_IO);
    clock_us++;
    run(db, "SELECT 1");
    assert_int_equal(number_of(db, "SELECT (current_setting('lock_timeout') = '5s')::int"), 1);
    run(db, "DROP SCHEMA test CASCADE");
}

static int set_up_server(void **state)
{
    (void)state;
    has_server = pg_server_start(&server);
    return 0;
}

static int tear_down_server(void **state)
{
    (void)state;
    pg_server_done(&server);
    return 0;
}

#define BOTH(name)                                                                                 \
    {#name ", SQLite", name, NULL, NULL, &kinds[0]},                                               \
    {                                                                                              \
#        name ", PostgreSQL", name, NULL, NULL, &kinds[1]                                          \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(every_kind_of_value_comes_back),
        BOTH(what_is_violated_is_told_from_what_is_broken),
        BOTH(a_wrong_binding_is_told_and_forgotten),
        BOTH(a_transaction_is_whole_or_nothing),
        BOTH(a_transaction_inside_of_one_is_a_part_of_it),
        BOTH(a_commit_that_is_good_has_stored),
        BOTH(changed_rows_are_counted),
        BOTH(statements_run_inside_of_each_other),
        BOTH(migrations_go_forward_only),
        {"a_server_that_comes_back_is_connected_to_again",
         a_server_that_comes_back_is_connected_to_again, NULL, NULL, &kinds[1]},
        {"a_server_that_is_away_is_not_tried_by_everybody",
         a_server_that_is_away_is_not_tried_by_everybody, NULL, NULL, &kinds[1]},
        cmocka_unit_test(a_connection_string_is_never_echoed),
    };

    return cmocka_run_group_tests(tests, set_up_server, tear_down_server);
}
