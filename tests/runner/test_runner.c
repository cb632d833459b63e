/* test_runner.c - a runner on a small disk that fills up: its jobs are shell scripts that say when
 * they begin.
 *
 * Source: docs/spec/contest-operations.md 16.1, 16.2, O43. In a mount namespace of its own where
 * that can be had: else it is skipped. */
#include "small_disk.h"

#include "disk_faults.h"

#include "disk/log_file.h"
#include "net/loop.h"
#include "runner/runner.h"
#include "spool/spool_status.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOKS 6000 /* of 10 ms: until a machine that is busy has come to it */

static SmallDisk disk;

static int set_up(void **state)
{
    (void)state;
    return small_disk_begin(&disk, "runner", "size=32m,mode=0700");
}

static int tear_down(void **state)
{
    (void)state;
    return small_disk_end(&disk);
}

static void need_disk(void)
{
    small_disk_need(&disk);
    for (const char *const *name = (const char *const[]){"begun", "fill", NULL}; *name; name++) {
        char path[128];
        snprintf(path, sizeof(path), "%s/%s", disk.path, *name);
        (void)unlink(path);
    }
}

/* In a process of its own. Each job is `script`; $0 is the data folder, $1 the job. */
static pid_t start_runner(const char *script)
{
    const char *const words[] = {"/bin/sh", "-c", script, NULL};
    const RunnerSetup setup = {.data = disk.path,
                               .start = words,
                               .tables = 1,
                               .own_verb = "start-agent",
                               .date = loop_date_ms,
                               .hold = 100000};
    const pid_t runner = fork();

    if (runner)
        return runner;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    Err err = {0};
    if (runner_run(&setup, &err))
        fprintf(stderr, "runner: %s\n", err.msg);
    _exit(err.code != 0);
}

static void put_job(const char *id)
{
    char text[128];
    Spool *spool = NULL;
    const int bytes =
        snprintf(text, sizeof(text),
                 "{\"job\":\"%s\",\"kind\":\"bundle\",\"contest\":\"cup\",\"stage\":\"\"}", id);

    assert_int_equal(spool_open(disk.path, &spool, NULL), 0);
    assert_int_equal(spool_put(spool, str_of(id), (Str){text, (size_t)bytes}, NULL), 0);
    spool_close(spool);
}

/* The script has put a letter there each time that it began. */
static long times_begun(void)
{
    char path[128];
    CLEANUP(buf_done) Buf begun = {0};

    snprintf(path, sizeof(path), "%s/begun", disk.path);
    return log_file_read(path, 1000, &begun, NULL) ? 0 : (long)begun.len;
}

static bool is_there(const char *folder, const char *id, const char *name)
{
    char path[160];

    snprintf(path, sizeof(path), "%s/spool/%s/%s%s", disk.path, folder, id, name);
    return access(path, F_OK) == 0;
}

static void pause_10ms(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000000}, NULL);
}

static void await_begun(long times)
{
    for (int i = 0; i < LOOKS && times_begun() < times; i++)
        pause_10ms();
    if (times_begun() != times)
        fail_msg("begun %ld times, not %ld", times_begun(), times);
}

static void await_file(const char *folder, const char *id, const char *name)
{
    for (int i = 0; i < LOOKS && !is_there(folder, id, name); i++)
        pause_10ms();
    if (!is_there(folder, id, name))
        fail_msg("%s/%s%s does not come", folder, id, name);
}

/* How it ended; killed when it does not. */
static int await_end(pid_t runner)
{
    int how = 0;

    for (int i = 0; i < LOOKS; i++) {
        if (waitpid(runner, &how, WNOHANG) == runner)
            return how;
        pause_10ms();
    }
    kill(runner, SIGKILL);
    waitpid(runner, &how, 0);
    fail_msg("the runner does not end");
    return how;
}

static void end_runner(pid_t runner)
{
    kill(runner, SIGTERM);
    assert_int_equal(await_end(runner), 0);
}

/* Under the 8 MiB that the runner needs. */
static void fill_disk(void)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/fill", disk.path);
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(posix_fallocate(fd, 0, 28 << 20), 0);
    close(fd);
}

static void empty_disk(void)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/fill", disk.path);
    assert_int_equal(unlink(path), 0);
}

static void assert_done_well(const char *id)
{
    char path[160];
    CLEANUP(buf_done) Buf result = {0};

    await_file("done", id, "/result.json");
    snprintf(path, sizeof(path), "%s/spool/done/%s/result.json", disk.path, id);
    assert_int_equal(log_file_read(path, 1000, &result, NULL), 0);
    assert_string_equal(buf_cstr(&result), "{\"ok\":true}");
}

#define RESULT    "printf '{\"ok\":true}' >$0/spool/run/$1/result.json; exit 0"
#define BEGINNING "printf x >>$0/begun; n=$(wc -c <$0/begun); "

/* More often than a job may die. */
static void jobs_that_are_stopped_for_room_have_not_died(void **state)
{
    (void)state;
    need_disk();
    put_job("J1");
    const pid_t runner = start_runner("trap 'exit 0' TERM; " BEGINNING "[ $n -gt 7 ] && { " RESULT
                                      "; }; sleep 1000 & wait");
    for (long i = 1; i <= 7; i++) {
        await_begun(i);
        fill_disk();
        await_file("new", "J1", ".json");
        empty_disk();
    }
    assert_done_well("J1");
    end_runner(runner);
}

static void jobs_that_find_the_disk_full_have_not_died(void **state)
{
    char script[300];

    (void)state;
    need_disk();
    snprintf(script, sizeof(script), BEGINNING "[ $n -gt 7 ] && { " RESULT "; }; exit %d",
             RUNNER_DISK_FULL);
    put_job("J2");
    const pid_t runner = start_runner(script);
    assert_done_well("J2");
    assert_int_equal(times_begun(), 8);
    end_runner(runner);
}

static void what_finds_no_room_for_its_result_says_so(void **state)
{
    const JobPlace place = {.data = disk.path, .id = "J9", .folder = disk.path};
    const Str job = STR("{\"job\":\"J9\",\"kind\":\"dance\",\"contest\":\"\",\"stage\":\"\"}");
    Err err = {0};

    (void)state;
    disk_fault_set((DiskFault){.kinds = DISK_WRITE, .at = 1, .why = ENOSPC});
    assert_int_equal(runner_do_job(&place, job, &err), RUNNER_DISK_FULL);
    disk_fault_set((DiskFault){.kinds = DISK_WRITE, .at = 1, .why = EIO});
    assert_int_equal(runner_do_job(&place, job, NULL), ERR_IO);
    disk_fault_set((DiskFault){0});
}

/* The other way round: who dies by itself is given up. */
static void jobs_that_die_are_given_up(void **state)
{
    (void)state;
    need_disk();
    put_job("J3");
    const pid_t runner = start_runner(BEGINNING "kill -9 $$");
    await_file("done", "J3", "/result.json");
    assert_int_equal(times_begun(), SPOOL_TRIES_MAX);
    end_runner(runner);
}

/* The last job can't be given back: its folder is gone, and the disk is full. */
static void a_runner_on_a_full_disk_ends_when_it_is_asked_to(void **state)
{
    char path[128];

    (void)state;
    need_disk();
    put_job("J4");
    const pid_t runner =
        start_runner("trap 'rmdir $0/spool/new; cat /dev/zero >$0/fill; exit 0' TERM; " BEGINNING
                     "sleep 1000 & wait");
    await_begun(1);
    end_runner(runner);
    empty_disk();
    snprintf(path, sizeof(path), "%s/spool/run/J4/job.json", disk.path);
    assert_int_equal(unlink(path), 0);
}

/* ---- cells ---- */

static void await_cells(SpoolCells wanted)
{
    SpoolRunner seen = {0};

    for (int i = 0; i < LOOKS; i++) {
        SpoolWatch watch = {0};
        assert_int_equal(spool_runner_look(&watch, disk.path, 1, &seen, NULL), 0);
        spool_runner_done(&seen);
        if (memcmp(&seen.cells, &wanted, sizeof(wanted)) == 0)
            return;
        pause_10ms();
    }
    fail_msg("%llu have started, %llu ended", (unsigned long long)seen.cells.started,
             (unsigned long long)seen.cells.ended);
}

/* The script tells of cells as a job's process does; for as long as DATA/go is not there. */
#define TELLING(counts) "printf '{" counts "}' >$0/spool/run/$1/cells; "

static void cells_of_all_jobs_add_up(void **state)
{
    char path[128];

    (void)state;
    need_disk();
    put_job("J6");
    const pid_t runner = start_runner(BEGINNING TELLING(
        "\"started\":5,\"ended\":2,\"killed\":1") "while [ ! -e $0/go$n ]; do sleep 0.05; done; "
                                                  "[ $n = 1 ] && " TELLING(
                                                      "\"started\":1,\"ended\":1") /* fewer than
                                                                                      before */
                                      RESULT);
    await_cells((SpoolCells){.started = 5, .ended = 2, .killed = 1});
    snprintf(path, sizeof(path), "%s/go1", disk.path);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    await_file("done", "J6", "/result.json");
    await_cells((SpoolCells){.started = 5, .ended = 5, .killed = 1}); /* they ended with it */
    put_job("J7");
    await_begun(2);
    await_cells((SpoolCells){.started = 10, .ended = 7, .killed = 2});
    unlink(path);
    snprintf(path, sizeof(path), "%s/go2", disk.path);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    await_file("done", "J7", "/result.json");
    end_runner(runner);
    unlink(path);
}

/* What a job's process that died has told is none of the next one's. */
static void cells_of_one_that_died_count_once(void **state)
{
    char path[128];

    (void)state;
    need_disk();
    put_job("J8");
    const pid_t runner = start_runner(BEGINNING "[ $n = 1 ] && { " TELLING(
        "\"started\":3") "kill -9 $$; }; "
                         "while [ ! -e $0/go ]; do sleep 0.05; done; " RESULT);
    await_begun(2);
    await_cells((SpoolCells){.started = 3, .ended = 3});
    snprintf(path, sizeof(path), "%s/go", disk.path);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    await_file("done", "J8", "/result.json");
    await_cells((SpoolCells){.started = 3, .ended = 3});
    end_runner(runner);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_that_are_stopped_for_room_have_not_died),
        cmocka_unit_test(jobs_that_find_the_disk_full_have_not_died),
        cmocka_unit_test(what_finds_no_room_for_its_result_says_so),
        cmocka_unit_test(jobs_that_die_are_given_up),
        cmocka_unit_test(cells_of_all_jobs_add_up),
        cmocka_unit_test(cells_of_one_that_died_count_once),
        cmocka_unit_test(a_runner_on_a_full_disk_ends_when_it_is_asked_to),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
