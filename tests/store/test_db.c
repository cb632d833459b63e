#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "store/db.h"

typedef struct Place {
    char dir[64];
    char path[96];
} Place;

static int set_up(void **state)
{
    Place *place = mem_new(sizeof(*place));

    snprintf(place->dir, sizeof(place->dir), "/tmp/warg-db-XXXXXX");
    *state = place;
    if (!mkdtemp(place->dir))
        return -1;
    snprintf(place->path, sizeof(place->path), "%s/a.db", place->dir);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    Place *place = *state;

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        char path[128];
        snprintf(path, sizeof(path), "%s%s", place->path, endings[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->dir), 0);
    mem_free(place);
    return 0;
}

static Db *open_db(Place *place, bool write)
{
    Db *db = NULL;
    Err err = {0};

    if (db_open(place->path, write, &db, &err))
        fail_msg("%s", err.msg);
    return db;
}

static void rows_come_back_as_they_were_put_in(void **state)
{
    CLEANUP(db_closep) Db *db = open_db(*state, true);
    DbQuery *query = NULL;

    assert_int_equal(db_exec(db, "CREATE TABLE t(a INTEGER, b TEXT, c REAL) STRICT", NULL), 0);
    assert_int_equal(db_query(db, "INSERT INTO t VALUES(?1, ?2, 2.5)", &query, NULL), 0);
    db_bind_int(query, 1, INT64_MIN);
    db_bind_text(query, 2, (Str){"x\0'y", 4});
    assert_int_equal(db_step(query, NULL), 0);
    db_bind_null(query, 1);
    db_bind_text(query, 2, (Str){0});
    assert_int_equal(db_step(query, NULL), 0);
    query = db_query_free(query);

    assert_int_equal(db_query(db, "SELECT a, b, c FROM t ORDER BY rowid", &query, NULL), 0);
    assert_int_equal(db_step(query, NULL), 1);
    assert_true(db_int(query, 0) == INT64_MIN);
    assert_true(str_eq(db_text(query, 1), (Str){"x\0'y", 4}));
    assert_true(db_real(query, 2) == 2.5);
    assert_false(db_is_null(query, 0));
    assert_int_equal(db_step(query, NULL), 1);
    assert_true(db_is_null(query, 0));
    assert_int_equal(db_int(query, 0), 0);
    assert_int_equal(db_text(query, 1).len, 0);
    assert_false(db_is_null(query, 1));
    assert_int_equal(db_step(query, NULL), 0);
    assert_int_equal(db_step(query, NULL), 1); /* from the beginning */
    db_reset(query);
    assert_int_equal(db_step(query, NULL), 1);
    assert_true(db_int(query, 0) == INT64_MIN);
    assert_null(db_query_free(query));
}

static void what_one_wrote_another_reads(void **state)
{
    Db *db = open_db(*state, true);
    DbQuery *query = NULL;

    assert_int_equal(db_exec(db, "CREATE TABLE t(a); INSERT INTO t VALUES(7)", NULL), 0);
    CLEANUP(db_closep) Db *reader = open_db(*state, false);
    assert_int_equal(db_query(reader, "SELECT a FROM t", &query, NULL), 0);
    assert_int_equal(db_step(query, NULL), 1);
    assert_int_equal(db_int(query, 0), 7);
    db_query_free(query);
    assert_int_equal(db_exec(reader, "INSERT INTO t VALUES(8)", NULL), ERR_IO);
    assert_null(db_close(db));
    assert_null(db_close(NULL));
}

static void mistakes_come_with_a_sentence(void **state)
{
    CLEANUP(db_closep) Db *db = open_db(*state, true);
    DbQuery *query = NULL;
    Err err = {0};

    assert_int_equal(db_exec(db, "SELEKT", &err), ERR_IO);
    assert_string_equal(err.msg, "database: near \"SELEKT\": syntax error");
    err = (Err){0};
    assert_int_equal(db_query(db, "SELECT x FROM nowhere", &query, &err), ERR_IO);
    assert_string_equal(err.msg, "database: no such table: nowhere");
    assert_null(query);
    err = (Err){0};
    assert_int_equal(db_query(db, "SELECT ?1", &query, NULL), 0);
    db_bind_int(query, 2, 1);
    assert_int_equal(db_step(query, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "binding"));
    db_bind_int(query, 1, 5); /* the query is as good as before */
    assert_int_equal(db_step(query, NULL), 1);
    assert_int_equal(db_int(query, 0), 5);
    db_query_free(query);
}

static void foreign_keys_hold(void **state)
{
    CLEANUP(db_closep) Db *db = open_db(*state, true);

    assert_int_equal(db_exec(db,
                             "CREATE TABLE a(id INTEGER PRIMARY KEY);"
                             "CREATE TABLE b(a INTEGER REFERENCES a(id))",
                             NULL),
                     0);
    assert_int_equal(db_exec(db, "INSERT INTO b VALUES(1)", NULL), ERR_RULE);
}

static void what_can_not_be_opened_is_named(void **state)
{
    Place *place = *state;
    Db *db = NULL;
    Err err = {0};

    assert_int_equal(db_open(place->path, false, &db, &err), ERR_IO);
    assert_non_null(strstr(err.msg, place->path));
    assert_int_equal(access(place->path, F_OK), -1); /* reading makes nothing */
    FILE *file = fopen(place->path, "w");
    if (!file) {
        fail();
        return;
    }
    for (int i = 0; i < 1000; i++)
        fputs("this is no database\n", file);
    fclose(file);
    for (int write = 0; write < 2; write++) {
        err = (Err){0};
        assert_int_equal(db_open(place->path, write, &db, &err), ERR_SYNTAX);
        assert_non_null(strstr(err.msg, "file is not a database"));
    }
    assert_null(db);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_come_back_as_they_were_put_in), TEST(what_one_wrote_another_reads),
        TEST(mistakes_come_with_a_sentence),      TEST(foreign_keys_hold),
        TEST(what_can_not_be_opened_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
