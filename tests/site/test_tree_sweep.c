#include "site_places.h"

#include "site/tree_sweep.h"
#include "site/version.h"

#include <sys/stat.h>
#include <unistd.h>

static char data[] = "/tmp/warg-trees-XXXXXX";

static int make_folder(void **state)
{
    return mkdtemp(data) ? site_server_set_up(state) : -1;
}

static int remove_folder(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf %s", data);
    return system(command); /* NOLINT(cert-env33-c): a test */
}

static int tear_down(void **state)
{
    const int rc = remove_folder(state);

    return site_server_tear_down(state) || rc;
}

static void path_of(char letter, char path[static 160])
{
    char digest[65];

    memset(digest, letter, 64);
    digest[64] = '\0';
    snprintf(path, 160, "%s/trees/%s", data, digest);
}

static void make_tree(char letter)
{
    char path[160], file[200];

    snprintf(path, sizeof(path), "%s/trees", data);
    mkdir(path, 0700);
    path_of(letter, path);
    assert_int_equal(mkdir(path, 0755), 0);
    snprintf(file, sizeof(file), "%s/agent.py", path);
    FILE *out = fopen(file, "we");
    assert_non_null(out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(file, 0444), 0);
}

static bool has_tree(char letter)
{
    char path[160];

    path_of(letter, path);
    return access(path, F_OK) == 0;
}

static void add_version(Db *db, int number, const char *state, char letter, bool has_file)
{
    CLEANUP(buf_done) Buf sql = {0};
    char digest[65];
    Err err = {0};

    memset(digest, letter, 64);
    digest[64] = '\0';
    buf_printf(&sql,
               "INSERT INTO version(team, number, language, tree, state, at, blob) SELECT id, %d, "
               "'python', '%s', '%s', 1, %s FROM team",
               number, digest, state, has_file ? "'x'" : "NULL");
    if (db_exec(db, buf_cstr(&sql), &err))
        fail_msg("%s", err.msg);
    make_tree(letter);
}

static unsigned sweep(Db *db)
{
    unsigned count = 0;
    bool more = true;
    Err err = {0};

    for (; more; count += more)
        if (tree_sweep(db, data, &more, &err))
            fail_msg("%s", err.msg);
    return count;
}

static void trees_that_nothing_plays_any_more_are_removed(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    Err err = {0};

    assert_int_equal(sweep(db), 0); /* no folder yet */
    assert_int_equal(
        db_exec(db,
                "INSERT INTO contest(name, state, file, digest, changed) VALUES('cup', 'OPEN', '', "
                "'', 1);"
                "INSERT INTO team(contest, name, state, created) SELECT id, 'wits', 'IN', 1 FROM "
                "contest",
                &err),
        0);
    add_version(db, 0, "RETIRED", 'a', false); /* beyond `keep`, but for a round */
    add_version(db, 1, "RETIRED", '1', false); /* beyond `keep` */
    add_version(db, 2, "RETIRED", '2', true);
    add_version(db, 3, "REFUSED", '3', true);
    add_version(db, 4, "RETIRED", '4', false); /* the last that passed */
    add_version(db, 5, "ACTIVE", '5', false);
    add_version(db, 6, "CHECKING", '6', true);
    add_version(db, 7, "SUSPENDED", '7', true);
    add_version(db, 8, "REFUSED", '8', true);
    make_tree('9'); /* of a version that was never there */
    assert_int_equal(db_exec(db,
                             "INSERT INTO program(contest, stage, round, team, version, tree) "
                             "SELECT contest, 'testing', 1, team.id, version.id, tree FROM version "
                             "JOIN team ON team.id = version.team WHERE number = 8",
                             &err),
                     0);
    assert_int_equal(db_exec(db,
                             "INSERT INTO job(id, contest, kind, spec, state, created) SELECT 'J', "
                             "id, 'check', '{}', 'PUT', 1 FROM contest",
                             &err),
                     0);
    assert_int_equal(sweep(db), 0); /* what a job is about to tell of is not known */
    assert_int_equal(db_exec(db, "UPDATE job SET state = 'DONE'", &err), 0);
    /* A round whose job was stopped before it began goes on with what the job has. */
    CLEANUP(buf_done) Buf round = {0};
    buf_add(&round, STR("INSERT INTO job(id, contest, kind, spec, state, created) SELECT 'R', id,"
                        " 'play', '{\"agents\":[{\"tree\":\""));
    for (int i = 0; i < 64; i++)
        buf_add_char(&round, 'a');
    buf_add(&round, STR("\"}]}', 'STOPPED', 1 FROM contest;"
                        "INSERT INTO play(contest, stage, round, job, state, began)"
                        " SELECT id, 'testing', 1, 'R', 'BEGUN', 1 FROM contest"));
    assert_int_equal(db_exec(db, buf_cstr(&round), &err), 0);
    assert_int_equal(sweep(db), 3);
    assert_true(has_tree('a'));
    assert_int_equal(db_exec(db, "UPDATE play SET state = 'OVER'", &err), 0);
    assert_int_equal(sweep(db), 1);
    assert_false(has_tree('a'));
    for (char letter = '1'; letter <= '9'; letter++)
        assert_int_equal(has_tree(letter), !strchr("139", letter));
    assert_int_equal(sweep(db), 0);
    /* Who goes back to one that was let go is told. */
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    assert_int_equal(db_query(db, "SELECT id FROM version WHERE number = 1", &query, NULL), 0);
    assert_int_equal(db_step(query, NULL), 1);
    const int64_t id = db_int(query, 0);
    db_reset(query);
    assert_int_equal(version_activate(db, id, false, &err), ERR_RULE);
    assert_string_equal(err.msg, "version 1 is let go: submit.keep says how many stay");
    assert_int_equal(remove_folder(NULL), 0);
    assert_int_equal(mkdir(data, 0700), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {ON_BOTH(trees_that_nothing_plays_any_more_are_removed)};

    return cmocka_run_group_tests(tests, make_folder, tear_down);
}
