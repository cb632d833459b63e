/* The spool: jobs between server and runner, whatever dies when. docs/spec/contest-operations.md
 * 16.1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk_faults.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "disk/folder.h"
#include "spool/spool.h"
#include "spool/spool_status.h"

typedef struct Place {
    char data[48];
    Spool *spool;
} Place;

static int set_up(void **state)
{
    Place *place = calloc(1, sizeof(*place));

    snprintf(place->data, sizeof(place->data), "/tmp/warg-spool-XXXXXX");
    if (!mkdtemp(place->data) || spool_open(place->data, &place->spool, NULL) != 0)
        return -1;
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    Place *place = *state;

    disk_fault_set((DiskFault){0});
    spool_close(place->spool);
    int rc = folder_remove(place->data, NULL);
    free(place);
    return rc;
}

static Str job_text(char room[static 256], const char *id, const char *kind, const char *contest,
                    const char *stage)
{
    int bytes =
        snprintf(room, 256, "{\"job\":\"%s\",\"kind\":\"%s\",\"contest\":\"%s\",\"stage\":\"%s\"}",
                 id, kind, contest, stage);

    return (Str){room, (size_t)bytes};
}

static void put(Spool *spool, const char *id, const char *kind, const char *contest,
                const char *stage)
{
    char room[256];
    Err err = {0};

    if (spool_put(spool, str_of(id), job_text(room, id, kind, contest, stage), &err))
        fail_msg("%s", err.msg);
}

/* "" when there is none. */
static const char *take(Spool *spool, unsigned classes, SpoolJob *job)
{
    bool there = false;
    Err err = {0};

    if (spool_take(spool, classes, job, &there, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(there, job->alive >= 0);
    return there ? job->head.job : "";
}

/* What each_done tells. */
typedef struct Heard {
    int count;
    char id[SPOOL_ID_MAX + 1];
    char result[512];
} Heard;

static int hear(void *user, Str id, Str result, const char *out_dir, Err *err)
{
    Heard *heard = user;

    (void)out_dir;
    (void)err;
    heard->count++;
    snprintf(heard->id, sizeof(heard->id), "%.*s", STR_ARG(id));
    snprintf(heard->result, sizeof(heard->result), "%.*s", STR_ARG(result));
    return 0;
}

static Heard all_done(Spool *spool)
{
    Heard heard = {0};
    Err err = {0};

    if (spool_each_done(spool, hear, &heard, &err))
        fail_msg("%s", err.msg);
    return heard;
}

static void test_a_job_goes_through(void **state)
{
    const Place *place = *state;
    CLEANUP(spool_job_done) SpoolJob job = SPOOL_JOB_NONE;

    put(place->spool, "J1", "check", "cup", "");
    put(place->spool, "J1", "check", "cup", ""); /* twice: nothing */
    assert_string_equal(take(place->spool, SPOOL_ANY, &job), "J1");
    put(place->spool, "J1", "check", "cup", "");
    SpoolJob other;
    assert_string_equal(take(place->spool, SPOOL_ANY, &other), "");
    assert_int_equal(job.tries, 1);
    assert_int_equal(spool_finish(place->spool, &job, STR("{\"ok\":true,\"n\":7}"), NULL), 0);
    assert_int_equal(job.alive, -1);
    put(place->spool, "J1", "check", "cup", "");
    assert_string_equal(take(place->spool, SPOOL_ANY, &other), "");
    Heard heard = all_done(place->spool);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.id, "J1");
    assert_string_equal(heard.result, "{\"ok\":true,\"n\":7}");
    assert_int_equal(spool_forget(place->spool, STR("J1"), NULL), 0);
    assert_int_equal(spool_forget(place->spool, STR("J1"), NULL), 0);
    assert_int_equal(all_done(place->spool).count, 0);
}

/* What is looked at often in place of the list. */
static void test_the_list_changes_with_a_job(void **state)
{
    const struct timespec early[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    const Place *place = *state;
    CLEANUP(spool_job_done) SpoolJob job = SPOOL_JOB_NONE;
    char done[80];

    snprintf(done, sizeof(done), "%s/spool/done", place->data);
    assert_int_equal(utimensat(AT_FDCWD, done, early, 0), 0);
    put(place->spool, "J1", "check", "cup", "");
    assert_string_equal(take(place->spool, SPOOL_ANY, &job), "J1");
    assert_int_equal(spool_done_changed(place->spool), 1000000000);
    assert_int_equal(spool_finish(place->spool, &job, STR("{\"ok\":true}"), NULL), 0);
    assert_true(spool_done_changed(place->spool) > 1000000000);
}

static void test_whose_turn_it_is(void **state)
{
    const Place *place = *state;
    static const char *const order[] = {"F", "E", "G", "C", "D", "B", "A", ""};
    SpoolJob jobs[8];

    put(place->spool, "A", "bundle", "cup", "");
    put(place->spool, "B", "play", "cup", "testing");
    put(place->spool, "C", "unpack", "cup", "");
    put(place->spool, "D", "check", "cup", "");
    put(place->spool, "E", "play", "cup", "final");
    put(place->spool, "F", "nlp", "cup", "");
    put(place->spool, "G", "check", "other", ""); /* was served less */
    for (size_t i = 0; i < 8; i++)
        assert_string_equal(take(place->spool, SPOOL_ANY, &jobs[i]), order[i]);
    SpoolCount count;
    assert_int_equal(spool_count(place->spool, &count, NULL), 0);
    assert_int_equal(count.running, 7);
    for (size_t i = 0; i < 8; i++)
        spool_job_done(&jobs[i]);
}

static void test_only_the_classes_that_are_wanted(void **state)
{
    const Place *place = *state;
    CLEANUP(spool_job_done) SpoolJob job = SPOOL_JOB_NONE;

    put(place->spool, "A", "play", "cup", "final");
    assert_string_equal(take(place->spool, 1u << SPOOL_CHECK, &job), "");
    put(place->spool, "B", "check", "cup", "");
    assert_string_equal(take(place->spool, 1u << SPOOL_CHECK, &job), "B");
}

/* Contests share fairly: one with a hundred jobs does not starve one with two. */
static void test_contests_share(void **state)
{
    const Place *place = *state;
    int small = 0;
    char id[24];

    for (int i = 0; i < 30; i++) {
        snprintf(id, sizeof(id), "A%03d", i);
        put(place->spool, id, "check", "big", "");
    }
    put(place->spool, "B1", "check", "small", "");
    put(place->spool, "B2", "check", "small", "");
    for (int i = 0; i < 4; i++) {
        SpoolJob job;
        small += take(place->spool, SPOOL_ANY, &job)[0] == 'B';
        assert_int_equal(spool_finish(place->spool, &job, STR("{}"), NULL), 0);
    }
    assert_int_equal(small, 2);
}

static void test_who_dies_is_noticed(void **state)
{
    const Place *place = *state;

    put(place->spool, "J", "play", "cup", "final");
    for (unsigned tries = 1; tries <= SPOOL_TRIES_MAX; tries++) {
        SpoolJob job;
        assert_string_equal(take(place->spool, SPOOL_ANY, &job), "J");
        assert_int_equal(job.tries, tries);
        spool_job_done(&job); /* the lock is free, as behind kill -9 */
    }
    SpoolJob job;
    assert_string_equal(take(place->spool, SPOOL_ANY, &job), "");
    Heard heard = all_done(place->spool);
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.result, "\"ok\":false,\"ours\":true"));
}

/* A job that gets on may die as often as it likes. */
static void test_who_gets_on_is_not_given_up(void **state)
{
    const Place *place = *state;

    put(place->spool, "J", "play", "cup", "final");
    for (unsigned i = 0; i < 3 * SPOOL_TRIES_MAX; i++) {
        SpoolJob job;
        assert_string_equal(take(place->spool, SPOOL_ANY, &job), "J");
        assert_int_equal(job.tries, 1);
        assert_int_equal(spool_got_on(buf_cstr(&job.folder), NULL), 0);
        spool_job_done(&job);
    }
}

static void test_stop(void **state)
{
    const Place *place = *state;
    CLEANUP(spool_job_done) SpoolJob job = SPOOL_JOB_NONE;

    put(place->spool, "A", "play", "cup", "final");
    put(place->spool, "B", "play", "cup", "final");
    assert_string_equal(take(place->spool, SPOOL_ANY, &job), "A");
    assert_false(spool_is_stopped(buf_cstr(&job.folder)));
    assert_int_equal(spool_stop(place->spool, STR("A"), NULL), 0);
    assert_true(spool_is_stopped(buf_cstr(&job.folder)));
    assert_int_equal(spool_stop(place->spool, STR("B"), NULL), 0); /* nobody has begun it */
    assert_int_equal(spool_stop(place->spool, STR("C"), NULL), 0); /* is not there */
    Heard heard = all_done(place->spool);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.id, "B");
    assert_string_equal(heard.result, "{\"ok\":true,\"stopped\":true}");
}

static void test_give_back(void **state)
{
    const Place *place = *state;
    SpoolJob job;

    put(place->spool, "A", "play", "cup", "final");
    assert_string_equal(take(place->spool, SPOOL_ANY, &job), "A");
    assert_int_equal(spool_give_back(place->spool, &job, NULL), 0);
    assert_string_equal(take(place->spool, SPOOL_ANY, &job), "A");
    assert_int_equal(job.tries, 1);
    spool_job_done(&job);
}

static void test_results_that_are_none(void **state)
{
    const Place *place = *state;
    static const char *const results[] = {"[1]", "{", "7", "\x1f\x8b torn", "{\"a\":1}{"};

    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        SpoolJob job;
        char id[8];
        snprintf(id, sizeof(id), "R%zu", i);
        put(place->spool, id, "check", "cup", "");
        take(place->spool, SPOOL_ANY, &job);
        assert_int_equal(spool_finish(place->spool, &job, str_of(results[i]), NULL), 0);
        Heard heard = all_done(place->spool);
        assert_int_equal(heard.count, 1);
        assert_non_null(strstr(heard.result, "\"ours\":true"));
        spool_forget(place->spool, str_of(id), NULL);
    }
}

static void test_jobs_that_are_none(void **state)
{
    const Place *place = *state;
    static const char *const jobs[] = {"",
                                       "{}",
                                       "{\"job\":\"../x\",\"kind\":\"check\"}",
                                       "{\"job\":\"A\"}",
                                       "{\"job\":\"A\",\"kind\":7}",
                                       "{\"job\":\"A\",\"kind\":\"check\",\"contest\":[]}",
                                       "{\"job\":\"B\",\"kind\":\"check\"}"};

    for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
        assert_int_equal(spool_put(place->spool, STR("A"), str_of(jobs[i]), NULL), ERR_SYNTAX);
    SpoolJob job;
    assert_string_equal(take(place->spool, SPOOL_ANY, &job), "");
}

/* ---- crashes ---- */

/* One life of a job: server and runner in turn. */
static void live_once(const char *data)
{
    CLEANUP(spool_closep) Spool *spool = NULL;
    Heard heard = {0};
    SpoolJob job;
    bool there;
    char room[256];

    if (spool_open(data, &spool, NULL))
        return;
    spool_put(spool, STR("A"), job_text(room, "A", "check", "cup", ""), NULL);
    spool_put(spool, STR("B"), job_text(room, "B", "play", "cup", "final"), NULL);
    if (spool_take(spool, SPOOL_ANY, &job, &there, NULL) == 0 && there)
        spool_give_back(spool, &job, NULL);
    spool_stop(spool, STR("B"), NULL);
    if (spool_take(spool, SPOOL_ANY, &job, &there, NULL) == 0 && there)
        spool_finish(spool, &job, STR("{\"ok\":true,\"stopped\":false}"), NULL);
    spool_each_done(spool, hear, &heard, NULL);
}

static int files_in(const char *data, const char *folder, const char *id)
{
    char path[128];
    DIR *dir;
    int count = 0;

    snprintf(path, sizeof(path), "%s/spool/%s", data, folder);
    if (!(dir = opendir(path)))
        return 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += strncmp(entry->d_name, id, strlen(id)) == 0;
    closedir(dir);
    return count;
}

/* Whoever comes next finds each job, once, and the end is the same. */
static void check_that_all_end(const char *data)
{
    CLEANUP(spool_closep) Spool *spool = NULL;
    Err err = {0};
    char room[256];

    if (spool_open(data, &spool, &err) ||
        spool_put(spool, STR("A"), job_text(room, "A", "check", "cup", ""), &err) ||
        spool_put(spool, STR("B"), job_text(room, "B", "play", "cup", "final"), &err))
        fail_msg("%s", err.msg);
    for (;;) {
        SpoolJob job;
        if (!*take(spool, SPOOL_ANY, &job))
            break;
        assert_int_equal(spool_finish(spool, &job, STR("{\"ok\":true}"), &err), 0);
    }
    Heard heard = all_done(spool);
    assert_int_equal(heard.count, 2);
    assert_int_equal(files_in(data, "new", ""), 2); /* . and .. */
    assert_int_equal(files_in(data, "run", ""), 2);
    assert_int_equal(files_in(data, "done", ""), 4);
}

/* Dies at call `at`; false when there are no more calls. */
static bool die_at(const char *data, unsigned at, int why)
{
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        disk_fault_set((DiskFault){.kinds = DISK_ANY, .at = at, .why = why});
        live_once(data);
        _exit(faulty_disk.failed ? 1 : 0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return !WIFEXITED(status) || WEXITSTATUS(status);
}

static void test_killed_at_every_call(void **state)
{
    const Place *place = *state;
    unsigned at = 0;

    do {
        folder_remove(place->data, NULL);
        assert_int_equal(mkdir(place->data, 0700), 0);
        if (!die_at(place->data, ++at, 0))
            break;
        check_that_all_end(place->data);
    } while (at < 1000);
    assert_in_range(at, 40, 999);
}

/* Each call fails once: an error, and the next one goes on. */
static void test_a_disk_that_fails_at_every_call(void **state)
{
    const Place *place = *state;
    unsigned at = 0;

    do {
        folder_remove(place->data, NULL);
        assert_int_equal(mkdir(place->data, 0700), 0);
        if (!die_at(place->data, ++at, ENOSPC))
            break;
        check_that_all_end(place->data);
    } while (at < 1000);
    assert_in_range(at, 40, 999);
}

/* ---- the runner's state ---- */

static void test_runner(void **state)
{
    const Place *place = *state;
    SpoolWatch watch = {0};
    CLEANUP(spool_runner_done) SpoolRunner seen = {0};
    SpoolRunner told = {.beat = 1, .tables = 3, .cells = {.started = 4, .ended = 3, .killed = 1}};
    int lock, other;
    Err err = {0};

    assert_int_equal(spool_runner_look(&watch, place->data, 0, &seen, NULL), 0);
    assert_false(seen.alive);
    assert_int_equal(spool_become_runner(place->data, &lock, NULL), 0);
    assert_int_equal(spool_become_runner(place->data, &other, &err), ERR_USAGE);
    buf_add(&told.level, STR("namespaces"));
    buf_add(&told.jobs, STR("[{\"job\":\"A\",\"kind\":\"play\",\"since\":7}]"));
    assert_int_equal(spool_runner_tell(place->data, &told, 5, NULL), 0);
    assert_int_equal(spool_runner_look(&watch, place->data, 1000, &seen, NULL), 0);
    assert_true(seen.alive);
    assert_int_equal(seen.tables, 3);
    assert_int_equal(seen.told_ms, 5);
    assert_memory_equal(&seen.cells, &told.cells, sizeof(told.cells));
    assert_string_equal(buf_cstr(&seen.level), "namespaces");
    assert_non_null(strstr(buf_cstr(&seen.jobs), "\"kind\":\"play\""));
    spool_runner_done(&seen);
    /* no new beat: it hangs */
    assert_int_equal(spool_runner_look(&watch, place->data, 1000 + SPOOL_SILENT_MS, &seen, NULL),
                     0);
    assert_false(seen.alive);
    spool_runner_done(&seen);
    told.beat = 2;
    assert_int_equal(spool_runner_tell(place->data, &told, 6, NULL), 0);
    assert_int_equal(spool_runner_look(&watch, place->data, 20000, &seen, NULL), 0);
    assert_true(seen.alive);
    spool_runner_done(&seen);
    close(lock);
    assert_int_equal(spool_runner_look(&watch, place->data, 20001, &seen, NULL), 0);
    assert_false(seen.alive);
    spool_runner_done(&told);
}

/* What becomes a figure that people are woken by: nothing that can't be so gets in. */
static void test_cells_that_are_told(void **state)
{
    static const char *const bad[] = {
        "[]",
        "7",
        "{\"started\":-1}",
        "{\"started\":1.5}",
        "{\"started\":\"1\"}",
        "{\"started\":1,\"ended\":2}",
        "{\"started\":9,\"ended\":2,\"killed\":1,\"failed\":2}",
        "{\"started\":9223372036854775807}",
        "{\"started\":18446744073709551616}",
    };
    const Place *place = *state;
    const SpoolCells cells = {.started = 9, .ended = 7, .not_made = 1, .killed = 2, .failed = 3};
    SpoolCells seen = {.started = 5};
    SpoolRunner runner;

    assert_int_equal(spool_cells_look(place->data, &seen, NULL), ERR_IO);
    assert_int_equal(seen.started, 0);
    assert_int_equal(spool_cells_tell(place->data, &cells, NULL), 0);
    assert_int_equal(spool_cells_look(place->data, &seen, NULL), 0);
    assert_memory_equal(&seen, &cells, sizeof(cells));
    const SpoolCells many = {.started = UINT64_C(1) << 32};
    assert_int_equal(spool_cells_tell(place->data, &many, NULL), 0);
    assert_int_equal(spool_cells_look(place->data, &seen, NULL), ERR_LIMIT);
    assert_int_equal(seen.started, 0);
    spool_cells_forget(place->data);
    assert_int_equal(spool_cells_look(place->data, &seen, NULL), ERR_IO);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CLEANUP(buf_done) Buf text = {0};
        buf_printf(&text, "{\"beat\":1,\"cells\":%s}", bad[i]);
        assert_int_not_equal(spool_runner_read(buf_str(&text), &runner, NULL), 0);
    }
    assert_int_equal(spool_runner_read(STR("{\"beat\":1}"), &runner, NULL), 0); /* an older one */
    assert_int_equal(runner.cells.started, 0);
    spool_runner_done(&runner);
}

#define ON_SPOOL(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SPOOL(test_a_job_goes_through),
        ON_SPOOL(test_the_list_changes_with_a_job),
        ON_SPOOL(test_whose_turn_it_is),
        ON_SPOOL(test_only_the_classes_that_are_wanted),
        ON_SPOOL(test_contests_share),
        ON_SPOOL(test_who_dies_is_noticed),
        ON_SPOOL(test_who_gets_on_is_not_given_up),
        ON_SPOOL(test_stop),
        ON_SPOOL(test_give_back),
        ON_SPOOL(test_results_that_are_none),
        ON_SPOOL(test_jobs_that_are_none),
        ON_SPOOL(test_killed_at_every_call),
        ON_SPOOL(test_a_disk_that_fails_at_every_call),
        ON_SPOOL(test_runner),
        ON_SPOOL(test_cells_that_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
