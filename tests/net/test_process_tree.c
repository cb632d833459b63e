#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* unshare, setresuid */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/process_tree.h"

#include "base/mem.h"

#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM       64
#define NOBODY     65534
#define IMPOSSIBLE 77 /* exit status */

/* What a child of ours tells: the numbers of its own child and grandchild, which sleep. */
typedef struct Family {
    int child;
    int grandchild;
    int great; /* in a session of its own */
} Family;

static void sleep_until_killed(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (true)
        pause();
}

static void fill_family(int out)
{
    Family family = {.child = getpid()};
    int pipe_ends[2];

    if (pipe(pipe_ends) == 0 && (family.grandchild = fork()) == 0) {
        int great = fork();
        if (great == 0) {
            setsid();
            sleep_until_killed();
        }
        if (write(pipe_ends[1], &great, sizeof(great)) == sizeof(great))
            sleep_until_killed();
        _exit(1);
    }
    if (read(pipe_ends[0], &family.great, sizeof(family.great)) != sizeof(family.great) ||
        write(out, &family, sizeof(family)) != sizeof(family))
        _exit(1);
    sleep_until_killed();
}

static Family start_family(void)
{
    Family family = {0};
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    int child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_NAME, "odd) R 1 (name");
        fill_family(ends[1]);
    }
    assert_int_equal(read(ends[0], &family, sizeof(family)), sizeof(family));
    assert_int_equal(family.child, child);
    close(ends[0]);
    close(ends[1]);
    return family;
}

static void stop_family(Family family)
{
    kill(family.great, SIGKILL);
    kill(family.grandchild, SIGKILL);
    kill(family.child, SIGKILL);
    waitpid(family.child, NULL, 0);
}

static void a_tree_has_children_and_their_children_also_of_another_session(void **state)
{
    Family family = start_family();
    int pids[ROOM];

    (void)state;
    size_t count = process_tree_read(family.child, pids, ROOM);
    assert_int_equal(count, 3);
    assert_int_equal(pids[0], family.child);
    assert_int_equal(pids[1], family.grandchild);
    assert_int_equal(pids[2], family.great);
    stop_family(family);
}

static void a_tree_holds_nobody_who_only_stands_beside(void **state)
{
    Family one = start_family(), other = start_family();
    int pids[ROOM];

    (void)state;
    size_t count = process_tree_read(one.child, pids, ROOM);
    for (size_t i = 0; i < count; i++) {
        assert_int_not_equal(pids[i], other.child);
        assert_int_not_equal(pids[i], other.great);
        assert_int_not_equal(pids[i], getpid());
    }
    stop_family(one);
    stop_family(other);
}

static void more_than_there_is_room_for_is_counted_but_not_written(void **state)
{
    Family family = start_family();
    int pids[3] = {-1, -1, -1};

    (void)state;
    assert_int_equal(process_tree_read(family.child, pids, 2), 3);
    assert_int_equal(pids[0], family.child);
    assert_int_equal(pids[1], family.grandchild);
    assert_int_equal(pids[2], -1);
    stop_family(family);
}

static void a_young_tree_is_the_same_tree(void **state)
{
    Family family = start_family();
    int pids[ROOM], young[ROOM];

    (void)state;
    size_t count = process_tree_read(family.child, pids, ROOM);
    if (family.grandchild > family.child && family.great > family.child) { /* no new round */
        assert_int_equal(process_tree_read_young(family.child, young, ROOM), count);
        assert_memory_equal(young, pids, count * sizeof(*pids));
    }
    stop_family(family);
}

static void a_process_that_is_gone_has_no_tree(void **state)
{
    int pids[ROOM];
    int gone = fork();

    (void)state;
    if (gone == 0)
        _exit(0);
    waitpid(gone, NULL, 0);
    assert_int_equal(process_tree_read(gone, pids, ROOM), 0);
}

/* A root that leads a group and its child, which nobody may trace, and a grandchild in a session of
 * its own. It tells its number when all are there. */
static int start_closed_family(int out)
{
    int root = fork();

    if (root)
        return root;
    setpgid(0, 0);
    prctl(PR_SET_DUMPABLE, 0);
    if (fork() || fork())
        sleep_until_killed();
    prctl(PR_SET_DUMPABLE, 1);
    setsid();
    const int own = getpid();
    if (write(out, &own, sizeof(own)) == sizeof(own))
        sleep_until_killed();
    _exit(1);
}

/* In a pid namespace of its own, whose /proc shows to nobody what may not be traced. */
static void look_where_proc_hides(void)
{
    char path[32];
    int ends[2], pids[ROOM], last = 0;

    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("proc", "/proc", "proc", 0, "hidepid=2") || setgroups(0, NULL) ||
        setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY) || pipe(ends))
        _exit(IMPOSSIBLE);
    int root = start_closed_family(ends[1]);
    if (read(ends[0], &last, sizeof(last)) != sizeof(last))
        _exit(10);
    snprintf(path, sizeof(path), "/proc/%d", root);
    if (access(path, F_OK) == 0)
        _exit(IMPOSSIBLE);
    if (process_tree_read(root, pids, ROOM) != 3 || pids[0] != root || pids[2] != last)
        _exit(11);
    _exit(process_tree_read(getpid(), pids, ROOM) > 0 && pids[0] == getpid() ? 0 : 12);
}

static void a_tree_has_those_of_a_group_that_proc_hides(void **state)
{
    int status = 0;
    int child = fork();

    (void)state;
    if (child == 0) {
        if (unshare(CLONE_NEWNS | CLONE_NEWPID))
            _exit(IMPOSSIBLE);
        int first = fork();
        if (first == 0)
            look_where_proc_hides();
        waitpid(first, &status, 0);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 9);
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == IMPOSSIBLE) {
        print_message("this needs root, and a /proc that can hide\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_has_children_and_their_children_also_of_another_session),
        cmocka_unit_test(a_tree_holds_nobody_who_only_stands_beside),
        cmocka_unit_test(more_than_there_is_room_for_is_counted_but_not_written),
        cmocka_unit_test(a_young_tree_is_the_same_tree),
        cmocka_unit_test(a_process_that_is_gone_has_no_tree),
        cmocka_unit_test(a_tree_has_those_of_a_group_that_proc_hides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
