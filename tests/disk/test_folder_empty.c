/* test_folder_empty.c - a folder is emptied in pieces, whatever others have put there, and nothing
 * beside it.
 *
 * Source: docs/spec/web.md 11.7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk_faults.h"

#include "disk/folder_empty.h"

#include <dirent.h>
#include <stdlib.h>

static char place[64];
static int folder;

static int set_up(void **state)
{
    char path[96];

    (void)state;
    snprintf(place, sizeof(place), "/tmp/warg-empty-XXXXXX");
    if (!mkdtemp(place))
        return -1;
    snprintf(path, sizeof(path), "%s/in", place);
    setenv("place", place, 1);
    if (mkdir(path, 0700))
        return -1;
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    char command[96];

    (void)state;
    disk_fault_set((DiskFault){0});
    close(folder);
    snprintf(command, sizeof(command), "rm -rf '%s'", place);
    return system(command);
}

static void shell(const char *command)
{
    assert_int_equal(system(command), 0);
}

static int names_in(int fd)
{
    DIR *dir = fdopendir(openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    int count = -2;

    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* How many turns it takes. */
static unsigned empty_all(uint32_t at_once)
{
    unsigned turns = 0;

    for (bool empty = false; !empty; turns++) {
        uint32_t budget = at_once;
        Err err = {0};
        if (folder_empty(folder, &budget, &empty, &err))
            fail_msg("%s", err.msg);
        assert_true(budget <= at_once);
        assert_true(turns < 10000);
    }
    assert_int_equal(names_in(folder), 0);
    return turns;
}

static void it_takes_so_many_names_at_a_time(void **state)
{
    uint32_t budget = 10;
    bool empty = true;

    (void)state;
    assert_int_equal(empty_all(10), 1); /* nothing is there */
    shell("cd $place/in && mkdir a b && for i in $(seq 20); do : >a/$i; : >b/$i; done");
    assert_int_equal(folder_empty(folder, &budget, &empty, NULL), 0);
    assert_false(empty);
    assert_int_equal(budget, 0);
    shell("test $(find $place/in -type f | wc -l) -ge 30");
    assert_true(empty_all(10) >= 4);
}

/* Names that options, shells or lists are fooled by; what is no file; links to what is not ours. */
static void hostile_names_leave_and_nothing_else(void **state)
{
    (void)state;
    shell(
        "mkdir $place/out && echo stays >$place/out/file && cd $place/in && mkdir team && cd team"
        " && : >-rf && : >... && : >.hidden && : >'a b\n' && : >\"$(printf '\\377\\376')\" && "
        "ln -s $place/out link && ln -s .. up && ln -s / root && ln -s nowhere none && mkfifo "
        "fifo && ln $place/out/file hard && ln -s $place/out ../link && ln -s ../../out ../team2");
    empty_all(3);
    shell("test \"$(cat $place/out/file)\" = stays && test $(ls -A $place/out | wc -l) = 1");
}

/* Deeper than a path may be long, or descriptors reach. */
static void no_depth_is_too_deep(void **state)
{
    char name[201];
    int at = dup(folder);

    (void)state;
    memset(name, 'd', 200);
    name[200] = '\0';
    for (int i = 0; i < 300; i++) {
        assert_int_equal(mkdirat(at, name, 0700), 0);
        int next = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(next >= 0);
        close(openat(next, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        close(at);
        at = next;
    }
    close(at);
    empty_all(7);
}

/* As little as may be at a time: each turn gets on, whatever order names are read in. */
static void each_turn_gets_on(void **state)
{
    (void)state;
    shell("cd $place/in && mkdir -p a/b/c a/d/e b/c/d && : >a/b/f && n=$(stat -c %i a/b) && "
          "mkdir deep-$n && : >deep-$n/x && : >deep-$(stat -c %i a/d)");
    assert_true(empty_all(2) < 60);
}

static void what_can_not_be_removed_holds_up_nothing_else(void **state)
{
    bool empty = true;
    uint32_t budget = 100;
    Err err = {0};

    (void)state;
    shell("cd $place/in && mkdir a && for i in 1 2 3 4 5 6; do : >a/$i; done");
    disk_fault_only("3");
    disk_fault_set((DiskFault){.kinds = DISK_REMOVE, .at = 1, .for_ever = true, .why = EACCES});
    assert_int_equal(folder_empty(folder, &budget, &empty, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "remove '3'"));
    assert_false(empty);
    disk_fault_only(NULL);
    disk_fault_set((DiskFault){0});
    shell("test \"$(ls $place/in/a)\" = 3");
    empty_all(100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_takes_so_many_names_at_a_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_names_leave_and_nothing_else, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_depth_is_too_deep, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_turn_gets_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_can_not_be_removed_holds_up_nothing_else, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
