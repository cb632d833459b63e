#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk/key_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void drawn_keys_differ(void **state)
{
    Key a, b;

    (void)state;
    assert_int_equal(key_draw(&a, NULL), 0);
    assert_int_equal(key_draw(&b, NULL), 0);
    assert_memory_not_equal(&a, &b, sizeof(a));
}

/* ---- the file ---- */

static char dir[] = "/tmp/warg-key-XXXXXX";

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    char path[64];

    (void)state;
    snprintf(path, sizeof(path), "%s/" KEY_FOLDER "/key", dir);
    unlink(path);
    snprintf(path, sizeof(path), "%s/" KEY_FOLDER, dir);
    rmdir(path);
    return rmdir(dir);
}

static unsigned mode_of(const char *name)
{
    char path[64];
    struct stat about;

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 0777u;
}

static void a_key_in_its_file_is_its_owners_alone_whatever_the_umask(void **state)
{
    const Key first = key_of_seed(1), second = key_of_seed(2);
    mode_t before = umask(0);
    Key key;

    (void)state;
    assert_int_equal(key_file_read(dir, 0, &key, NULL), ERR_IO);
    assert_int_equal(key_file_write(dir, 0, &first, NULL), 0);
    assert_int_equal(key_file_write(dir, 0, &second, NULL), 0);
    umask(before);
    assert_int_equal(key_file_read(dir, 0, &key, NULL), 0);
    assert_memory_equal(&key, &second, sizeof(key));
    assert_int_equal(mode_of(KEY_FOLDER), 0700);
    assert_int_equal(mode_of(KEY_FOLDER "/key"), 0600);
}

static void the_key_does_not_follow_a_link_out_of_its_folder(void **state)
{
    const Key value = key_of_seed(1);
    char other[80], victim[64], link[96];
    struct stat about;

    (void)state;
    snprintf(victim, sizeof(victim), "%s/victim", dir);
    snprintf(other, sizeof(other), "%s/other", dir);
    snprintf(link, sizeof(link), "%s/" KEY_FOLDER, other);
    assert_int_equal(mkdir(victim, 0755), 0);
    assert_int_equal(chmod(victim, 0755), 0);
    assert_int_equal(mkdir(other, 0755), 0);
    assert_int_equal(symlink("../victim", link), 0);
    assert_int_equal(key_file_write(other, 0, &value, NULL), ERR_IO);
    assert_int_equal(stat(victim, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0755);
    assert_int_equal(rmdir(victim), 0); /* nothing was written there */
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(other), 0);
}

static void what_is_no_key_is_refused(void **state)
{
    char path[64];
    Key key;

    (void)state;
    snprintf(path, sizeof(path), "%s/" KEY_FOLDER "/key", dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("1234\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(key_file_read(dir, 0, &key, NULL), ERR_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_keys_differ),
        cmocka_unit_test(a_key_in_its_file_is_its_owners_alone_whatever_the_umask),
        cmocka_unit_test(the_key_does_not_follow_a_link_out_of_its_folder),
        cmocka_unit_test(what_is_no_key_is_refused),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
