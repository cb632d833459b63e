#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/process_watch.h"

#include "base/buf.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRIES 1000 /* of 10 ms */

/* A process with one of its own, "the-child", which has named itself. */
static int start_pair(void)
{
    int ends[2];
    char byte;

    assert_int_equal(pipe(ends), 0);
    int pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (fork() == 0)
            prctl(PR_SET_NAME, "the-child");
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        close(ends[1]); /* told: nobody else has it open */
        while (true)
            pause();
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    return pid;
}

static void note_sight(void *user, ProcessSight what, Str text, uint64_t mark)
{
    if (what == SIGHT_PROCESS && str_starts(text, STR("the-child ")))
        buf_printf(user, "%llu ", (unsigned long long)mark);
}

static void what_a_program_starts_is_seen_without_asking_and_told_once(void **state)
{
    CLEANUP(buf_done) Buf marks = {0};
    ProcessWatch *watch = NULL;
    int pid = start_pair();

    (void)state;
    assert_int_equal(process_watch_new(&watch, NULL), 0);
    assert_int_equal(process_watch_use(watch).pid, 0);
    process_watch_mark(watch, 7);
    process_watch_aim(watch, pid, 0);
    for (int i = 0; i < TRIES && process_watch_use(watch).processes < 2; i++)
        usleep(10000);
    assert_int_equal(process_watch_use(watch).pid, pid);
    process_watch_look(watch);
    process_watch_mark(watch, 8);
    process_watch_look(watch);
    process_watch_aim(watch, 0, 0);
    process_watch_tell(watch, note_sight, &marks);
    assert_string_equal(buf_cstr(&marks), "7 ");
    process_watch_free(watch);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void a_watch_that_looks_at_nothing_has_nothing_to_tell(void **state)
{
    CLEANUP(buf_done) Buf marks = {0};
    ProcessWatch *watch = NULL;

    (void)state;
    assert_int_equal(process_watch_new(&watch, NULL), 0);
    process_watch_look(watch);
    process_watch_tell(watch, note_sight, &marks);
    assert_int_equal(marks.len, 0);
    process_watch_free(watch);
    process_watch_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_program_starts_is_seen_without_asking_and_told_once),
        cmocka_unit_test(a_watch_that_looks_at_nothing_has_nothing_to_tell),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
