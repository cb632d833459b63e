#define _GNU_SOURCE /* setresuid */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell/cell_group.h"

#include "sanitized.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534
#define MIB    ((uint64_t)1 << 20)
#define ROOM   (GROUP_PATH + 128)

/* False, with the reason printed, where no group can be made. */
static bool has_groups(GroupPlaces *ret_places)
{
    group_places_find(ret_places);
    if (ret_places->memory[0] && ret_places->processes[0])
        return true;
    print_message("no control groups can be made here: skipped\n");
    return false;
}

static StrictOrder order_at(const GroupPlaces *places)
{
    return (StrictOrder){.memory_group = places->memory,
                         .process_group = places->processes,
                         .one_group = places->one};
}

static void make_group(const StrictOrder *order, CellGroup *ret_group)
{
    Why why = {0};

    if (!cell_group_make(order, ret_group, &why))
        fail_msg("%s %s: %s", why.what, why.path, strerror(why.error));
}

/* Runs `play` in a process of its own that is in the group before. Its status. */
static int run_in(const CellGroup *made, int (*play)(void))
{
    int ends[2], status = 0;
    CellGroup group = *made;
    Why why = {0};
    char go;

    for (int i = 0; i < group.door_count; i++) /* so that it can be entered once more */
        group.doors[i] = dup(made->doors[i]);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        if (read(ends[0], &go, 1) != 1 || !cell_group_enter(&group, &why))
            _exit(99);
        _exit(play());
    }
    assert_true(cell_group_take(&group, child, &why));
    assert_int_equal(write(ends[1], "g", 1), 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ends[0]);
    close(ends[1]);
    return status;
}

/* ---- limits ---- */

static int touch(size_t mib)
{
    volatile char *bytes = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (bytes == MAP_FAILED)
        return 98;
    for (size_t at = 0; at < mib << 20; at += 4096)
        bytes[at] = 1;
    return 5;
}

static int touch_little(void)
{
    return touch(10);
}

static int touch_much(void)
{
    return touch(400);
}

static void memory_beyond_the_limit_kills_and_is_told(void **state)
{
    GroupPlaces places;
    CellGroup group;

    (void)state;
    if (!has_groups(&places))
        skip();
    StrictOrder order = order_at(&places);
    order.memory_bytes = 64 * MIB;
    make_group(&order, &group);
    int status = run_in(&group, touch_little);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 5);
    assert_false(cell_group_overran(&group));
    assert_in_range(cell_group_peak_kib(&group), 10 * 1024, 64 * 1024);
    status = run_in(&group, touch_much);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_true(cell_group_overran(&group));
    assert_in_range(cell_group_peak_kib(&group), 50 * 1024, 64 * 1024);
    cell_group_remove(&group);
}

/* Itself, and children that live until it ends: how many come into being. */
static int fork_many(void)
{
    int count = 0;

    for (; count < 50; count++) {
        const pid_t child = fork();
        if (child == 0) {
            pause();
            _exit(0);
        }
        if (child < 0)
            break;
    }
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
    while (wait(NULL) > 0)
        continue;
    return count;
}

static int fork_many_of_own_group(void)
{
    setpgid(0, 0);
    return fork_many();
}

static void so_many_threads_are_in_it_and_no_more(void **state)
{
    GroupPlaces places;
    CellGroup group;

    (void)state;
    if (SANITIZED) {
        print_message("a sanitizer has threads of its own: skipped\n");
        skip();
    }
    if (!has_groups(&places))
        skip();
    StrictOrder order = order_at(&places);
    order.threads = 8;
    for (int filter = 0; filter < 2; filter++) {
        order.filter = filter; /* a cell with namespaces has one process more of its own */
        make_group(&order, &group);
        const int status = run_in(&group, fork_many_of_own_group);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), filter ? 7 : 8);
        cell_group_remove(&group);
    }
}

static void without_limits_a_group_has_none(void **state)
{
    GroupPlaces places;
    CellGroup group;

    (void)state;
    if (!has_groups(&places))
        skip();
    const StrictOrder order = order_at(&places);
    make_group(&order, &group);
    const int status = run_in(&group, fork_many_of_own_group);
    assert_int_equal(WEXITSTATUS(status), 50);
    cell_group_remove(&group);
}

/* ---- coming and going ---- */

static void a_removed_group_is_gone(void **state)
{
    GroupPlaces places;
    CellGroup group;

    (void)state;
    if (!has_groups(&places))
        skip();
    const StrictOrder order = order_at(&places);
    make_group(&order, &group);
    assert_int_equal(access(group.memory, F_OK), 0);
    assert_int_equal(access(group.processes, F_OK), 0);
    assert_int_equal(strcmp(group.memory, group.processes) == 0, places.one);
    cell_group_remove(&group);
    assert_int_equal(access(group.memory, F_OK), -1);
    assert_int_equal(access(group.processes, F_OK), -1);
    assert_int_equal(cell_group_peak_kib(&group), 0);
    assert_false(cell_group_overran(&group));
}

static void an_order_without_places_makes_no_group(void **state)
{
    const StrictOrder order = {.memory_bytes = MIB, .threads = 3};
    CellGroup group;
    Why why = {0};

    (void)state;
    make_group(&order, &group);
    assert_int_equal(group.memory[0], '\0');
    assert_true(cell_group_take(&group, getpid(), &why)); /* into nothing */
    assert_true(cell_group_enter(&group, &why));
    assert_int_equal(cell_group_peak_kib(&group), 0);
    assert_false(cell_group_overran(&group));
    cell_group_remove(&group);
}

static void a_place_that_is_none_is_named_and_nothing_stays(void **state)
{
    char folder[] = "/tmp/warg-group-XXXXXX", made[ROOM];
    CellGroup group = {.memory = "as it was"};
    Why why = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    StrictOrder order = {.memory_group = "/nowhere/at/all"};
    assert_false(cell_group_make(&order, &group, &why));
    assert_string_equal(why.path, "/nowhere/at/all");
    assert_int_equal(why.error, ENOENT);
    order = (StrictOrder){.memory_group = folder, .process_group = "/nowhere/at/all"};
    assert_false(cell_group_make(&order, &group, &why));
    assert_string_equal(why.path, "/nowhere/at/all");
    /* A plain folder has no limits to write to. */
    order = (StrictOrder){.memory_group = folder, .memory_bytes = MIB};
    assert_false(cell_group_make(&order, &group, &why));
    assert_string_equal(group.memory, "as it was");
    snprintf(made, sizeof(made), "%s/warg-cell-%d", folder, (int)getpid());
    assert_int_equal(access(made, F_OK), -1);
    assert_int_equal(rmdir(folder), 0);
}

static void a_group_that_is_gone_can_not_be_entered(void **state)
{
    GroupPlaces places;
    CellGroup group;
    Why why = {0};

    (void)state;
    if (!has_groups(&places))
        skip();
    const StrictOrder order = order_at(&places);
    make_group(&order, &group);
    assert_int_equal(rmdir(group.memory), 0);
    assert_false(places.one ? cell_group_take(&group, getpid(), &why)
                            : cell_group_enter(&group, &why));
    assert_string_equal(why.path, group.memory);
    assert_true(why.error == ENODEV || why.error == ENOENT);
    cell_group_remove(&group);
}

/* ---- what others have left ---- */

static void leave_group(const char *place, const char *name, char ret_path[static ROOM])
{
    snprintf(ret_path, ROOM, "%s/%s", place, name);
    assert_int_equal(mkdir(ret_path, 0755), 0);
}

static void groups_of_who_is_gone_are_swept_and_no_others(void **state)
{
    char names[3][40], paths[3][ROOM];
    GroupPlaces places;

    (void)state;
    if (!has_groups(&places))
        skip();
    const pid_t gone = fork();
    if (gone == 0)
        _exit(0);
    waitpid(gone, NULL, 0);
    const pid_t lives = fork();
    if (lives == 0) {
        pause();
        _exit(0);
    }
    snprintf(names[0], sizeof(names[0]), "warg-cell-%d", (int)gone);
    snprintf(names[1], sizeof(names[1]), "warg-cell-%d", (int)lives);
    snprintf(names[2], sizeof(names[2]), "other-cell-%d", (int)gone);
    for (int i = 0; i < 3; i++)
        leave_group(places.memory, names[i], paths[i]);
    group_places_find(&places);
    assert_int_equal(access(paths[0], F_OK), -1);
    assert_int_equal(access(paths[1], F_OK), 0);
    assert_int_equal(access(paths[2], F_OK), 0);
    kill(lives, SIGKILL);
    waitpid(lives, NULL, 0);
    group_places_sweep(&places);
    assert_int_equal(access(paths[1], F_OK), -1);
    assert_int_equal(access(paths[2], F_OK), 0);
    rmdir(paths[2]);
    /* A cell that is made sweeps, too. */
    const StrictOrder order = order_at(&places);
    CellGroup group;
    leave_group(places.processes, names[0], paths[0]);
    make_group(&order, &group);
    assert_int_equal(access(paths[0], F_OK), -1);
    cell_group_remove(&group);
}

static void a_group_that_somebody_is_in_is_not_swept(void **state)
{
    char name[40], path[ROOM], procs[ROOM + 16];
    GroupPlaces places;

    (void)state;
    if (!has_groups(&places))
        skip();
    const pid_t gone = fork();
    if (gone == 0)
        _exit(0);
    waitpid(gone, NULL, 0);
    const pid_t lives = fork();
    if (lives == 0) {
        pause();
        _exit(0);
    }
    snprintf(name, sizeof(name), "warg-cell-%d", (int)gone);
    leave_group(places.processes, name, path);
    snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
    int file = open(procs, O_WRONLY | O_CLOEXEC);
    assert_true(file >= 0 && dprintf(file, "%d", (int)lives) > 0);
    close(file);
    group_places_sweep(&places);
    assert_int_equal(access(path, F_OK), 0);
    kill(lives, SIGKILL);
    waitpid(lives, NULL, 0);
    group_places_sweep(&places);
    assert_int_equal(access(path, F_OK), -1);
}

/* What is found is a place where one can be made, or nothing: without rights mostly nothing. */
static void somebody_without_rights_finds_only_what_was_handed_to_him(void **state)
{
    int status = 0;

    (void)state;
    if (geteuid() != 0) {
        print_message("to become another user, root is needed: skipped\n");
        skip();
    }
    const pid_t child = fork();
    if (child == 0) {
        GroupPlaces places;
        CellGroup group;
        Why why = {0};
        if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
            setresuid(NOBODY, NOBODY, NOBODY))
            _exit(1);
        group_places_find(&places);
        const StrictOrder order = {.memory_group = places.memory[0] ? places.memory : NULL};
        if (!cell_group_make(&order, &group, &why))
            _exit(2);
        cell_group_remove(&group);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_beyond_the_limit_kills_and_is_told),
        cmocka_unit_test(so_many_threads_are_in_it_and_no_more),
        cmocka_unit_test(without_limits_a_group_has_none),
        cmocka_unit_test(a_removed_group_is_gone),
        cmocka_unit_test(an_order_without_places_makes_no_group),
        cmocka_unit_test(a_place_that_is_none_is_named_and_nothing_stays),
        cmocka_unit_test(a_group_that_is_gone_can_not_be_entered),
        cmocka_unit_test(groups_of_who_is_gone_are_swept_and_no_others),
        cmocka_unit_test(a_group_that_somebody_is_in_is_not_swept),
        cmocka_unit_test(somebody_without_rights_finds_only_what_was_handed_to_him),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
