/* test_output_sweep.c - a year behind a contest's end what its agents printed is gone, and nothing
 * else is.
 *
 * Source: docs/spec/contest-operations.md 16.5. */
#include "site_places.h"

#include "disk_faults.h"

#include "disk/tree_digest.h"
#include "site/output_sweep.h"
#include "store/db_row.h"

#include <stdlib.h>
#include <sys/wait.h>

#define DAY INT64_C(86400000)
#define END INT64_C(1800000000000) /* of the contest */

static char data[64];

/* With $d as the data folder. */
static void shell(const char *command)
{
    setenv("d", data, 1);
    assert_int_equal(system(command), 0);
}

/* What an audit, a backup and other contests need, and a contest that goes on. */
static void make_data(void)
{
    snprintf(data, sizeof(data), "/tmp/warg-outputs-XXXXXX");
    assert_non_null(mkdtemp(data));
    shell("cd $d && mkdir -p blobs/ab trees/agents/x secrets/cup && echo b >blobs/ab/b && echo t "
          ">trees/agents/x/0-0001-01.txt && for c in cup next; do mkdir -p contests/$c && (cd "
          "contests/$c && mkdir -p play/logs play/exchange play/minds/bot testing/000001/logs "
          "bundle/logs tracks/t/main/logs tracks/t/agents secret testing/agents agents "
          "play/logs/agents && for f in ledger.jsonl checkpoint contest.yml secret/ledger "
          "bundle.tar.gz bundle/logs/1.log play/journal.jsonl play/logs/1.log play/faults.jsonl "
          "play/findings.jsonl play/exchange/1.jsonl.gz play/results.db play/minds/bot/1.jsonl "
          "testing/000001/journal.jsonl testing/000001/logs/1.log tracks/t/main/logs/1.log "
          "tracks/t/agents/x agents/x testing/agents/x play/logs/agents/x; do echo $c $f >$f; "
          "done); done");
}

static void make_outputs(const char *contest, int sets)
{
    char command[900];

    snprintf(command, sizeof(command),
             "cd $d/contests/%s && for p in play testing/000001 testing/000002; do mkdir -p "
             "$p/agents/wits \"$p/agents/%%2E%%2E\" $p/agents/.x && for i in $(seq %d); do echo o "
             ">$p/agents/wits/0-$i-01.txt; done && : >$p/agents/.x/-rf && mkdir -p "
             "$p/agents/wits/a/b/c && : >$p/agents/wits/a/b/c/d && ln -s $d/contests/next "
             "$p/agents/wits/next && ln -s ../logs $p/agents/logs && ln -s / $p/agents/wits/root; "
             "done && ln play/logs/1.log play/agents/wits/hard",
             contest, sets);
    shell(command);
}

/* Of each kind one, by one process. */
static void make_few_outputs(void)
{
    shell(
        "cd $d/contests/cup/play && mkdir -p agents/wits/a/b && : >agents/wits/0-0001-01.txt && : "
        ">agents/wits/a/b/c && ln -s $d/contests/next agents/next && cd ../testing/000001 && mkdir "
        "-p agents/wits && : >agents/wits/0-0001-01.txt");
}

static Key digest(void)
{
    Key all;
    Err err = {0};

    if (tree_digest(data, &all, &err))
        fail_msg("%s", err.msg);
    return all;
}

static bool has_outputs(const char *contest)
{
    char command[160];

    snprintf(command, sizeof(command),
             "test -n \"$(ls -A $d/contests/%s/play/agents $d/contests/%s/testing/00000?/agents "
             "2>/dev/null | grep -v : | tr -d '\\n')\"",
             contest, contest);
    return system(command) == 0;
}

static void must_run(Db *db, const char *sql)
{
    Err err = {0};

    if (db_exec(db, sql, &err))
        fail_msg("%s: %s", sql, err.msg);
}

static void make_contests(Db *db)
{
    CLEANUP(buf_done) Buf sql = {0};

    buf_printf(&sql,
               "INSERT INTO contest(name, state, file, digest, changed) VALUES('cup', 'PUBLISHED', "
               "'', '', %lld), ('next', 'OPEN', '', '', 1);"
               "INSERT INTO team(contest, name, state, created) SELECT id, 'wits', 'IN', 1 FROM "
               "contest WHERE name = 'cup'",
               (long long)END);
    must_run(db, buf_cstr(&sql));
}

/* How many turns; an error ends it. */
static unsigned sweep_at(Db *db, int64_t now_ms)
{
    OutputSweep sweep = {0};
    unsigned turns = 0;
    Err err = {0};

    for (bool more = true; more; turns += more)
        if (output_sweep(db, data, now_ms, &sweep, &more, &err))
            fail_msg("%s", err.msg);
    return turns;
}

static bool is_kept(Db *db, int64_t now_ms)
{
    int64_t contest = 0;
    bool kept = false;

    assert_int_equal(db_ask(db, 0, &contest, NULL, "SELECT id FROM contest WHERE name = 'cup'", ""),
                     0);
    assert_int_equal(output_is_kept(db, contest, now_ms, &kept, NULL), 0);
    return kept;
}

static int64_t count(Db *db, const char *sql)
{
    int64_t value = -1;

    assert_int_equal(db_ask(db, -1, &value, NULL, sql, ""), 0);
    return value;
}

static void remove_data(void)
{
    disk_fault_set((DiskFault){0});
    shell("rm -rf $d");
}

static void what_was_printed_goes_after_a_year_and_all_else_stays(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const int64_t year = END + OUTPUT_KEPT_DAYS * DAY;

    make_data();
    make_contests(db);
    const Key stays = digest();
    make_outputs("cup", 300);
    const Key all = digest();
    assert_int_equal(sweep_at(db, year - 1), 0);
    assert_true(is_kept(db, year - 1));
    const Key before = digest();
    assert_memory_equal(&before, &all, sizeof(all));
    assert_false(is_kept(db, year)); /* from here on, whoever has come by */
    assert_true(sweep_at(db, year) >= 900 / 256);
    const Key after = digest();
    assert_memory_equal(&after, &stays, sizeof(stays));
    shell("test -d $d/contests/cup/play/agents && test -d $d/contests/cup/testing/000001/agents");
    assert_false(is_kept(db, 1)); /* a date that is set back brings nothing back */
    assert_int_equal(count(db, "SELECT count(*) FROM event WHERE verb = 'remove-outputs'"), 1);
    assert_int_equal(sweep_at(db, year + DAY), 0); /* it is noted */
    assert_int_equal(count(db, "SELECT count(*) FROM event WHERE verb = 'remove-outputs'"), 1);
    make_outputs("next", 3); /* of one that goes on: for ever */
    assert_int_equal(sweep_at(db, year * 2), 0);
    assert_true(has_outputs("next"));
    remove_data();
}

static void one_turn_is_short(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    OutputSweep sweep = {0};
    bool more = false;

    make_data();
    make_contests(db);
    make_outputs("cup", 400);
    assert_int_equal(output_sweep(db, data, END + OUTPUT_KEPT_DAYS * DAY, &sweep, &more, NULL), 0);
    assert_true(more);
    shell("n=$(find $d/contests/cup/play/agents -type f | wc -l) && test $n -ge 140 -a $n -lt 400");
    assert_int_equal(count(db, "SELECT count(*) FROM meta WHERE key LIKE 'outputs/%'"), 0);
    remove_data();
}

/* Nothing is taken from under what is not over. */
static void what_is_under_way_is_left_alone(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    static const char *const states[] = {"DRAFT", "OPEN",    "FROZEN",  "PRELIMINARY", "REVISION",
                                         "FINAL", "JUDGING", "APPEALS", NULL};
    static const char *const holds[][2] = {
        {"INSERT INTO appeal(team, about, text, state, opened) SELECT id, 'rank', '', 'OPEN', 1 "
         "FROM team",
         "UPDATE appeal SET closed = 1"},
        {"INSERT INTO job(id, contest, kind, spec, state, created) SELECT 'J', id, 'bundle', '{}', "
         "'PUT', 1 FROM contest WHERE name = 'cup'",
         "UPDATE job SET ended = 1"},
        {"INSERT INTO publication(contest, job, size, state, at) SELECT id, 'J', 1, 'PUBLISHED', 1 "
         "FROM contest WHERE name = 'cup'",
         "UPDATE publication SET state = 'CLOSING'"},
        {"UPDATE publication SET state = 'CLOSING'", "UPDATE publication SET state = 'CLOSED'"},
    };
    const int64_t late = END + 10 * OUTPUT_KEPT_DAYS * DAY;

    make_data();
    make_contests(db);
    make_outputs("cup", 2);
    for (size_t i = 0; states[i]; i++) {
        char sql[100];
        snprintf(sql, sizeof(sql), "UPDATE contest SET state = '%s' WHERE name = 'cup'", states[i]);
        must_run(db, sql);
        assert_int_equal(sweep_at(db, late), 0);
        assert_true(is_kept(db, late));
    }
    must_run(db, "UPDATE contest SET state = 'PUBLISHED' WHERE name = 'cup'");
    for (size_t i = 0; i < sizeof(holds) / sizeof(holds[0]); i++) {
        must_run(db, holds[i][0]);
        assert_int_equal(sweep_at(db, late), 0);
        assert_true(is_kept(db, late));
        must_run(db, holds[i][1]);
    }
    assert_true(has_outputs("cup"));
    assert_int_equal(sweep_at(db, late), 1);
    assert_false(has_outputs("cup"));
    remove_data();
}

/* Archived eleven months later: the year is that of the end. A cancelled one has one, too, whatever
 * is open for ever. */
static void the_year_begins_with_the_end(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(buf_done) Buf sql = {0};
    const int64_t year = END + OUTPUT_KEPT_DAYS * DAY;

    make_data();
    make_contests(db);
    make_outputs("cup", 2);
    buf_printf(&sql,
               "UPDATE contest SET state = 'ARCHIVED', changed = %lld WHERE name = 'cup';"
               "INSERT INTO event(contest, verb, detail, at) SELECT id, 'move', 'APPEALS > "
               "PUBLISHED: > ARCHIVED', %lld FROM contest WHERE name = 'cup';"
               "INSERT INTO event(contest, verb, detail, at) SELECT id, 'move', 'PUBLISHED > "
               "ARCHIVED: APPEALS > PUBLISHED', %lld FROM contest WHERE name = 'cup'",
               (long long)(END + 330 * DAY), (long long)END, (long long)(END + 330 * DAY));
    must_run(db, buf_cstr(&sql));
    assert_int_equal(sweep_at(db, year - 1), 0);
    assert_int_equal(sweep_at(db, year), 1);
    assert_false(has_outputs("cup"));
    make_outputs("next", 2);
    buf_clear(&sql);
    buf_printf(
        &sql,
        "UPDATE contest SET state = 'CANCELLED', changed = %lld WHERE name = 'next';"
        "INSERT INTO team(contest, name, state, created) SELECT id, 'aces', 'IN', 1 FROM "
        "contest WHERE name = 'next';"
        "INSERT INTO appeal(team, about, text, state, opened) SELECT id, 'rank', '', 'OPEN', "
        "1 FROM team WHERE name = 'aces'",
        (long long)END);
    must_run(db, buf_cstr(&sql));
    assert_int_equal(sweep_at(db, year - 1), 0);
    assert_int_equal(sweep_at(db, year), 1);
    assert_false(has_outputs("next"));
    remove_data();
}

/* A link in place of a folder is told of, followed never, and holds up no other contest. */
static void a_link_is_not_followed(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(buf_done) Buf sql = {0};
    static const char *const links[] = {
        "cd $d/contests/cup/play && rm -rf agents && ln -s ../../next/play/agents agents",
        "cd $d/contests/cup/play && rm agents && mkdir agents && cd ../testing && mv 000002 x && "
        "ln -s ../../next/testing/000002 000002",
        "cd $d/contests/cup && rm testing/000002 && mv testing away && ln -s ../next/testing "
        "testing",
        "cd $d/contests && rm cup/testing && mv cup away && ln -s next cup",
    };
    const int64_t year = END + OUTPUT_KEPT_DAYS * DAY;

    make_data();
    make_contests(db);
    make_outputs("cup", 2);
    make_outputs("next", 2);
    shell("mkdir -p $d/contests/last/play/agents/x && : >$d/contests/last/play/agents/x/1.txt");
    buf_printf(&sql,
               "INSERT INTO contest(name, state, file, digest, changed) VALUES('last', 'PUBLISHED',"
               " '', '', %lld)",
               (long long)END);
    must_run(db, buf_cstr(&sql));
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
        OutputSweep sweep = {0};
        Err err = {0};
        bool more = true;
        shell(links[i]);
        assert_int_equal(output_sweep(db, data, year, &sweep, &more, &err), ERR_IO);
        assert_true(strstr(err.msg, "contest 'cup' printed: open the folder") != NULL);
        while (more) /* on to the others */
            assert_int_equal(output_sweep(db, data, year, &sweep, &more, NULL), 0);
        assert_true(has_outputs("next"));
        assert_false(has_outputs("last"));
    }
    assert_int_equal(count(db, "SELECT count(*) FROM meta WHERE key LIKE 'outputs/%'"), 1);
    remove_data();
}

/* The server in a process of its own, with a disk that does so; how it ended. */
static int sweep_beside(const SitePlace *place, DiskFault fault)
{
    int status = 0;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        OutputSweep sweep = {0};
        Db *db = NULL;
        bool more = true;
        int rc = site_store_open(place->path, &db, NULL);
        disk_fault_set(fault);
        while (rc == 0 && more)
            rc = output_sweep(db, data, END + OUTPUT_KEPT_DAYS * DAY, &sweep, &more, NULL);
        db_close(db);
        _exit(rc ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Killed at each call, or failed by it: the next server ends it, and what stays is whole. */
static void who_is_killed_on_the_way_is_followed_by_the_next(void **state)
{
    static const int whys[] = {0, EIO};
    Db *db = site_place_open(state);
    const SitePlace *place = *state;

    make_data();
    make_contests(db);
    db_close(db);
    const Key stays = digest();
    for (size_t i = 0; i < 2; i++) {
        int status = 1;
        for (unsigned at = 1; status != 0; at++) {
            assert_true(at < 200);
            make_few_outputs();
            status = sweep_beside(place, (DiskFault){.kinds = DISK_SYNC | DISK_RENAME | DISK_REMOVE,
                                                     .at = at,
                                                     .why = whys[i]});
            if (status != 0)
                assert_true(whys[i] ? WEXITSTATUS(status) == 1 : WTERMSIG(status) == SIGKILL);
            db = site_place_open(state);
            if (status != 0)
                assert_int_equal(count(db, "SELECT count(*) FROM meta WHERE key LIKE 'outputs/%'"),
                                 0);
            sweep_at(db, END + OUTPUT_KEPT_DAYS * DAY);
            assert_int_equal(count(db, "SELECT count(*) FROM meta WHERE key LIKE 'outputs/%'"), 1);
            must_run(db, "DELETE FROM meta WHERE key LIKE 'outputs/%'");
            db_close(db);
            const Key after = digest();
            assert_memory_equal(&after, &stays, sizeof(stays));
        }
    }
    assert_false(has_outputs("cup"));
    remove_data();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(what_was_printed_goes_after_a_year_and_all_else_stays),
        ON_SQLITE(one_turn_is_short),
        ON_BOTH(what_is_under_way_is_left_alone),
        ON_BOTH(the_year_begins_with_the_end),
        ON_SQLITE(a_link_is_not_followed),
        ON_SQLITE(who_is_killed_on_the_way_is_followed_by_the_next),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
