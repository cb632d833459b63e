/* Jobs: rows, the spool, what handlers change; all once, whatever dies between. */
#include "site_places.h"

#include "disk/folder.h"
#include "site/job.h"
#include "wire/json_read.h"

typedef struct Site {
    Db *db;
    Spool *spool;
    char data[48];
    int64_t contest;
} Site;

static Site open_site(void **state)
{
    Site site = {.db = site_place_open(state)};
    Err err = {0};

    snprintf(site.data, sizeof(site.data), "/tmp/warg-job-XXXXXX");
    assert_non_null(mkdtemp(site.data));
    if (spool_open(site.data, &site.spool, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(db_exec(site.db,
                             "INSERT INTO contest(name, state, file, digest, changed)"
                             " VALUES('cup', 'OPEN', '', '', 0)",
                             NULL),
                     0);
    site.contest = site_number(site.db, "SELECT id FROM contest");
    return site;
}

static void close_site(Site *site)
{
    spool_close(site->spool);
    folder_remove(site->data, NULL);
    db_close(site->db);
}

static void put(Site *site, const char *kind, const char *spec, char id[static ID_ULID_BYTES])
{
    Err err = {0};

    if (job_put(site->db, site->contest, kind, str_of(spec), 1000, id, &err))
        fail_msg("%s", err.msg);
}

static void flush(Site *site)
{
    Err err = {0};

    if (jobs_flush(site->db, site->spool, &err))
        fail_msg("%s", err.msg);
}

/* The runner, in short; false when nothing waits. */
static bool work(Site *site, const char *result, Buf *text)
{
    SpoolJob job;
    bool there;
    Err err = {0};

    if (spool_take(site->spool, SPOOL_ANY, &job, &there, &err))
        fail_msg("%s", err.msg);
    if (!there)
        return false;
    buf_clear(text);
    buf_add(text, buf_str(&job.text));
    assert_int_equal(spool_finish(site->spool, &job, str_of(result), &err), 0);
    return true;
}

/* Writes what it hears into the store, so that twice is seen. */
static int note_outcome(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms,
                        void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db, "INSERT INTO event(contest, verb, object, detail, at) VALUES(?1,?2,?3,?4,?5)",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, job->contest);
    db_bind_text(query, 2, str_of(job_state_name(outcome->state)));
    db_bind_text(query, 3, json_text(outcome->result, "says"));
    db_bind_text(query, 4, outcome->why);
    db_bind_int(query, 5, now_ms);
    rc = db_step(query, err);
    return rc ? rc : user && *(int *)user ? err_set(err, (ErrCode) * (int *)user, "planted") : 0;
}

static const JobHandler handlers[] = {{"check", note_outcome}, {0}};

static uint32_t collect(Site *site, int *planted, int wanted)
{
    uint32_t count = 0;

    assert_int_equal(jobs_collect(site->db, site->spool, handlers, planted, 2000, &count, NULL),
                     wanted);
    return count;
}

static JobState state_of(Site *site, const char *id)
{
    CLEANUP(job_row_done) JobRow row = {0};

    assert_int_equal(job_find(site->db, str_of(id), &row, NULL), 0);
    assert_true(row.id.len > 0);
    return row.state;
}

/* What the runner does is none that waits, and is not the oldest of them. */
static void what_is_being_done_does_not_wait(void **state)
{
    Site site = open_site(state);
    char first[ID_ULID_BYTES], second[ID_ULID_BYTES], list[120];
    JobsOpen open;

    put(&site, "check", "{}", first);
    flush(&site);
    assert_int_equal(job_put(site.db, site.contest, "play", STR("{}"), 5000, second, NULL), 0);
    snprintf(list, sizeof(list), "[{\"job\":\"%s\",\"kind\":\"check\"}]", first);
    SpoolRunner runner = {.alive = true};
    buf_add(&runner.jobs, str_of(list));
    assert_int_equal(jobs_open_count(site.db, site.contest, &runner, &open, NULL), 0);
    assert_int_equal(open.doing, 1);
    assert_int_equal(open.waiting, 1);
    assert_int_equal(open.oldest_ms, 5000);
    assert_int_equal(jobs_open_count(site.db, CONTEST_OF_SERVER, &runner, &open, NULL), 0);
    assert_int_equal(open.doing, 1);
    runner.alive = false; /* what a dead one did waits */
    assert_int_equal(jobs_open_count(site.db, site.contest, &runner, &open, NULL), 0);
    assert_int_equal(open.doing, 0);
    assert_int_equal(open.waiting, 2);
    assert_int_equal(open.oldest_ms, 1000);
    spool_runner_done(&runner);
    close_site(&site);
}

static void a_job_goes_there_and_back(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf text = {0};
    char id[ID_ULID_BYTES], wanted[256];
    JobsOpen open;

    put(&site, "check", " {\"version\": 7}", id);
    assert_int_equal(jobs_open_count(site.db, site.contest, NULL, &open, NULL), 0);
    assert_int_equal(open.waiting, 1);
    assert_int_equal(open.oldest_ms, 1000);
    assert_false(work(&site, "{}", &text)); /* not in the spool yet */
    flush(&site);
    flush(&site);
    assert_int_equal(state_of(&site, id), JOB_PUT);
    assert_true(work(&site, "{\"ok\":true,\"says\":\"fine\"}", &text));
    snprintf(wanted, sizeof(wanted),
             "{\"job\":\"%s\",\"kind\":\"check\",\"contest\":\"cup\",\"version\": 7}", id);
    assert_string_equal(buf_cstr(&text), wanted);
    assert_int_equal(collect(&site, NULL, 0), 1);
    assert_int_equal(collect(&site, NULL, 0), 0);
    assert_int_equal(state_of(&site, id), JOB_DONE);
    assert_int_equal(
        site_number(site.db, "SELECT COUNT(*) FROM event WHERE verb = 'DONE' AND object = 'fine'"),
        1);
    close_site(&site);
}

static void an_empty_spec_is_one(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf text = {0};
    char id[ID_ULID_BYTES];

    put(&site, "check", "{}", id);
    assert_int_equal(job_put(site.db, site.contest, "check", STR("[]"), 1, id, NULL), ERR_RULE);
    assert_int_equal(job_put(site.db, site.contest, "check", STR("{"), 1, id, NULL), ERR_RULE);
    flush(&site);
    assert_true(work(&site, "{\"ok\":false,\"why\":\"no cell\"}", &text));
    assert_int_equal(collect(&site, NULL, 0), 1);
    assert_int_equal(
        site_number(site.db,
                    "SELECT COUNT(*) FROM event WHERE verb = 'FAILED' AND detail = 'no cell'"),
        1);
    close_site(&site);
}

/* The server dies behind its commit, before the spool forgets: the second time nothing happens. */
static void taken_over_once(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf text = {0};
    char id[ID_ULID_BYTES], command[256];

    put(&site, "check", "{}", id);
    flush(&site);
    assert_true(work(&site, "{\"ok\":true}", &text));
    snprintf(command, sizeof(command), "cp -a %s/spool/done/%s %s/kept", site.data, id, site.data);
    assert_int_equal(system(command), 0);
    assert_int_equal(collect(&site, NULL, 0), 1);
    snprintf(command, sizeof(command), "mv %s/kept %s/spool/done/%s", site.data, site.data, id);
    assert_int_equal(system(command), 0);
    assert_int_equal(collect(&site, NULL, 0), 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM event"), 1);
    /* and the server that died between spool and row puts nothing twice */
    put(&site, "check", "{}", id);
    flush(&site);
    assert_int_equal(db_exec(site.db, "UPDATE job SET state = 'NEW' WHERE state = 'PUT'", NULL), 0);
    assert_true(work(&site, "{\"ok\":true}", &text));
    flush(&site);
    assert_false(work(&site, "{}", &text));
    assert_int_equal(collect(&site, NULL, 0), 1);
    close_site(&site);
}

static void what_a_handler_refuses(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf text = {0};
    char id[ID_ULID_BYTES];
    int planted = ERR_IO;

    put(&site, "check", "{}", id);
    flush(&site);
    assert_true(work(&site, "{\"ok\":true}", &text));
    collect(&site, &planted, ERR_IO); /* to be tried again: nothing has changed */
    assert_int_equal(state_of(&site, id), JOB_PUT);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM event"), 0);
    planted = ERR_RULE; /* for good: the row says so, and nothing else has changed */
    assert_int_equal(collect(&site, &planted, 0), 1);
    assert_int_equal(state_of(&site, id), JOB_FAILED);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM event"), 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job WHERE result LIKE '%planted%'"),
                     1);
    close_site(&site);
}

static void stop_and_retry(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf text = {0};
    char id[ID_ULID_BYTES], again[ID_ULID_BYTES];

    put(&site, "check", "{\"version\":7}", id);
    assert_int_equal(job_retry(site.db, str_of(id), 5, again, NULL), ERR_RULE);
    assert_int_equal(job_stop(site.db, site.spool, STR("nobody"), NULL), ERR_RULE);
    assert_int_equal(job_stop(site.db, site.spool, str_of(id), NULL), 0);
    assert_int_equal(collect(&site, NULL, 0), 1);
    assert_int_equal(state_of(&site, id), JOB_STOPPED);
    assert_int_equal(job_stop(site.db, site.spool, str_of(id), NULL), 0);
    assert_int_equal(job_retry(site.db, str_of(id), 5, again, NULL), 0);
    flush(&site);
    assert_true(work(&site, "{\"ok\":true}", &text));
    assert_non_null(strstr(buf_cstr(&text), "\"version\":7}"));
    assert_int_equal(collect(&site, NULL, 0), 1);
    assert_int_equal(state_of(&site, again), JOB_DONE);
    close_site(&site);
}

static int count_row(void *user, const JobRow *row, Err *err)
{
    (void)row;
    (void)err;
    return ++*(int *)user < 0;
}

/* O6, in short: results that arrive while the server dies in between, each time somewhere else. */
static void results_of_all(void **state)
{
    enum { JOBS = 150 }; /* mostly waiting for the disk */
    Site site = open_site(state);
    CLEANUP(buf_done) Buf text = {0};
    int rows = 0;

    assert_int_equal(db_begin(site.db, NULL), 0);
    for (int i = 0; i < JOBS; i++) {
        char id[ID_ULID_BYTES];
        put(&site, "check", "{}", id);
    }
    assert_int_equal(db_commit(site.db, NULL), 0);
    flush(&site);
    for (int i = 0; i < JOBS; i++) {
        assert_true(work(&site, "{\"ok\":true}", &text));
        if (i % 199 ==
            0) { /* a server that dies in the middle: the first one fails to be forgotten */
            int planted = ERR_IO;
            collect(&site, &planted, ERR_IO);
            spool_close(site.spool);
            assert_int_equal(spool_open(site.data, &site.spool, NULL), 0);
        } else if (i % 10 == 0)
            collect(&site, NULL, 0);
    }
    collect(&site, NULL, 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM event"), JOBS);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job WHERE state = 'DONE'"), JOBS);
    assert_int_equal(job_each(site.db, site.contest, 10, count_row, &rows, NULL), 0);
    assert_int_equal(rows, 10);
    close_site(&site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(what_is_being_done_does_not_wait),
        ON_BOTH(a_job_goes_there_and_back),
        ON_BOTH(an_empty_spec_is_one),
        ON_BOTH(taken_over_once),
        ON_BOTH(what_a_handler_refuses),
        ON_BOTH(stop_and_retry),
        ON_SQLITE(results_of_all),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
