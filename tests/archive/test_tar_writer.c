#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk_faults.h"

#include "archive/tar_writer.h"
#include "base/buf.h"

#include <stdlib.h>

static char dir[] = "/tmp/warg-tar-XXXXXX";
static char one[64], two[64], first[64], second[64];

static void write_file(const char *path, const char *text, unsigned mode)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    for (int i = 0; i < 20000; i++)
        fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(dir))
        return -1;
    snprintf(one, sizeof(one), "%s/one", dir);
    snprintf(two, sizeof(two), "%s/two", dir);
    snprintf(first, sizeof(first), "%s/first.tar.gz", dir);
    snprintf(second, sizeof(second), "%s/second.tar.gz", dir);
    write_file(one, "one and one\n", 0600);
    write_file(two, "two\n", 0700);
    return 0;
}

static int remove_files(void **state)
{
    const char *const names[] = {one, two, first, second};

    (void)state;
    for (size_t i = 0; i < 4; i++)
        remove(names[i]);
    return rmdir(dir);
}

static bool run(const char *command)
{
    char line[400];

    snprintf(line, sizeof(line), "cd %s && %s", dir, command);
    return system(line) == 0; /* NOLINT(cert-env33-c): a test */
}

static void an_archive_is_the_same_bytes_whenever_and_in_whatever_order_it_is_made(void **state)
{
    TarFile files[] = {{"cup/b", two}, {"cup/a/\xe4\xba\xba\xe7\x8b\xbc", one}};
    TarFile turned[] = {{"cup/a/\xe4\xba\xba\xe7\x8b\xbc", one}, {"cup/b", two}};

    (void)state;
    assert_int_equal(tar_write(first, files, 2, NULL), 0);
    assert_true(run("touch -d 2001-01-01 one two"));
    assert_int_equal(tar_write(second, turned, 2, NULL), 0);
    assert_true(run("cmp first.tar.gz second.tar.gz"));
}

static void tar_and_python_read_it(void **state)
{
    (void)state;
    assert_true(run("tar tzf first.tar.gz >/dev/null"));
    assert_true(run("mkdir out && tar xzf first.tar.gz -C out && cmp out/cup/b two && "
                    "cmp out/cup/a/* one && rm -r out"));
    assert_true(run("python3 -c \"import tarfile\n"
                    "m = tarfile.open('first.tar.gz').getmembers()\n"
                    "assert [(e.name, e.mode, e.uid, e.gid, e.mtime) for e in m] == [\n"
                    " ('cup/a/\xe4\xba\xba\xe7\x8b\xbc', 0o644, 0, 0, 315532800),\n"
                    " ('cup/b', 0o755, 0, 0, 315532800)]\""));
}

static void paths_that_lead_out_are_refused(void **state)
{
    static const char *const paths[] = {"",     "/a", "../a", "a/../b", "a/..", "./a",
                                        "a//b", "a/", "a\\b", "a\nb",   "\xff", ".."};

    (void)state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        TarFile file = {paths[i], one};
        assert_int_equal(tar_write(second, &file, 1, NULL), ERR_RULE);
    }
    TarFile twice[] = {{"a", one}, {"b", two}, {"a", two}};
    assert_int_equal(tar_write(second, twice, 3, NULL), ERR_RULE);
}

static void the_old_archive_stays_whichever_call_fails(void **state)
{
    TarFile file = {"only", one};
    bool failed = true;

    (void)state;
    assert_true(run("cp first.tar.gz second.tar.gz"));
    for (unsigned at = 1; failed && at < 100; at++) {
        disk_fault_set((DiskFault){DISK_ANY & ~DISK_REMOVE, at, true, ENOSPC});
        int rc = tar_write(second, &file, 1, NULL);
        failed = faulty_disk.failed > 0;
        disk_fault_set((DiskFault){0});
        assert_true(failed ? rc == ERR_IO && run("cmp first.tar.gz second.tar.gz") : rc == 0);
        assert_true(run("test ! -e second.tar.gz.tmp"));
    }
    assert_false(failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_is_the_same_bytes_whenever_and_in_whatever_order_it_is_made),
        cmocka_unit_test(tar_and_python_read_it),
        cmocka_unit_test(paths_that_lead_out_are_refused),
        cmocka_unit_test(the_old_archive_stays_whichever_call_fails),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
