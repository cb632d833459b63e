#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/process_tree.h"

#include "base/mem.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM 64

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_has_children_and_their_children_also_of_another_session),
        cmocka_unit_test(a_tree_holds_nobody_who_only_stands_beside),
        cmocka_unit_test(more_than_there_is_room_for_is_counted_but_not_written),
        cmocka_unit_test(a_young_tree_is_the_same_tree),
        cmocka_unit_test(a_process_that_is_gone_has_no_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
