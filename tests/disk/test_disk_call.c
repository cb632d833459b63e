/* test_disk_call.c - interrupted and short calls, and what a call that fails leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk_faults.h"

#include "base/buf.h"
#include "disk/file_replace.h"
#include "disk/key_file.h"
#include "disk/log_file.h"

#include <stdlib.h>

static char dir[64];
static char path[128];

static int set_up(void **state)
{
    (void)state;
    disk_fault_set((DiskFault){0});
    snprintf(dir, sizeof(dir), "/tmp/warg-door-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof(path), "%s/file", dir);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    disk_fault_set((DiskFault){0});
    unlink(path);
    return rmdir(dir);
}

static void file_holds(const char *text)
{
    CLEANUP(buf_done) Buf out = {0};

    assert_int_equal(log_file_read(path, 1000, &out, NULL), 0);
    assert_string_equal(buf_cstr(&out), text);
}

static void a_call_that_a_signal_interrupts_is_made_again(void **state)
{
    static const int kinds[] = {DISK_OPEN, DISK_WRITE, DISK_CUT, DISK_SYNC, DISK_CLOSE};

    (void)state;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        disk_fault_set((DiskFault){kinds[i], 1, false, EINTR});
        int fd = disk_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        assert_true(fd >= 0);
        assert_int_equal(disk_write(fd, STR("some text")), 0);
        assert_int_equal(disk_write_at(fd, STR("T"), 5), 0);
        assert_int_equal(disk_cut(fd, 8), 0);
        assert_int_equal(disk_sync(fd), 0);
        assert_int_equal(disk_sync_data(fd), 0);
        assert_int_equal(disk_close(fd), 0);
        assert_int_equal(faulty_disk.failed, 1);
        file_holds("some Tex");
    }
}

static void a_write_that_fails_half_way_says_why(void **state)
{
    (void)state;
    int fd = disk_open(path, O_WRONLY | O_CREAT, 0666);
    disk_fault_set((DiskFault){DISK_WRITE, 1, false, ENOSPC});
    assert_int_equal(disk_write(fd, STR("12345678")), -1);
    assert_int_equal(errno, ENOSPC);
    file_holds("1234");
    disk_fault_set((DiskFault){DISK_WRITE, 1, false, EIO});
    assert_int_equal(disk_write_at(fd, STR("abcd"), 0), -1);
    assert_int_equal(errno, EIO);
    file_holds("ab34");
    assert_int_equal(disk_close(fd), 0);
}

/* Of a file that is replaced there is the old one or the new one. */
static void a_file_is_replaced_whole_or_not_at_all_whichever_call_fails(void **state)
{
    bool failed = true;

    (void)state;
    for (unsigned at = 1; failed; at++) {
        Err err = {0};
        disk_fault_set((DiskFault){0});
        assert_int_equal(file_replace(path, STR("old"), true, NULL), 0);
        disk_fault_set((DiskFault){DISK_ANY, at, at % 2 == 0, EIO});
        int rc = file_replace(path, STR("new text"), true, &err);
        failed = faulty_disk.failed;
        disk_fault_set((DiskFault){0});
        file_holds(rc ? "old" : "new text");
        if (rc)
            assert_non_null(strstr(err.msg, path));
        assert_int_equal(file_replace(path, STR("after"), true, NULL), 0);
        file_holds("after");
    }
}

static void a_key_is_written_whole_or_not_at_all_whichever_call_fails(void **state)
{
    const Key key = key_of_seed(7);
    char folder[128];
    char file[160];

    (void)state;
    snprintf(folder, sizeof(folder), "%s/" KEY_FOLDER, dir);
    snprintf(file, sizeof(file), "%s/key", folder);
    for (unsigned at = 1; at < 100; at++) {
        Key read = {{0}};
        disk_fault_set((DiskFault){DISK_ANY, at, false, EIO});
        int rc = key_file_write(dir, 0, &key, NULL);
        bool failed = faulty_disk.failed;
        disk_fault_set((DiskFault){0});
        int found = key_file_read(dir, 0, &read, NULL);
        if (rc == 0 || found == 0) { /* never half a key */
            assert_int_equal(found, 0);
            assert_memory_equal(&read, &key, sizeof(key));
        }
        assert_int_equal(key_file_write(dir, 0, &key, NULL), 0);
        assert_int_equal(key_file_read(dir, 0, &read, NULL), 0);
        unlink(file);
        rmdir(folder);
        if (!failed)
            return;
    }
    fail_msg("there are always more calls");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_call_that_a_signal_interrupts_is_made_again, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_write_that_fails_half_way_says_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_is_replaced_whole_or_not_at_all_whichever_call_fails,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_key_is_written_whole_or_not_at_all_whichever_call_fails,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
