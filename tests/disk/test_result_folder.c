#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk/result_folder.h"

#include "disk/folder.h"
#include "disk/log_file.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Place {
    char dir[64];
    char file[96];
    mode_t mask;
} Place;

static int set_up(void **state)
{
    static Place place;

    snprintf(place.dir, sizeof(place.dir), "/tmp/warg-results-XXXXXX");
    assert_non_null(mkdtemp(place.dir));
    assert_int_equal(chmod(place.dir, 0755), 0);
    place.file[0] = '\0';
    place.mask = umask(0);
    *state = &place;
    return 0;
}

static int tear_down(void **state)
{
    Place *place = *state;
    char sub[96];

    umask(place->mask);
    unlink(place->file);
    snprintf(sub, sizeof(sub), "%s/sub", place->dir);
    rmdir(sub);
    rmdir(place->dir);
    return 0;
}

static unsigned mode_of(const char *path)
{
    struct stat about;

    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 0777U;
}

static void write_file(Place *place, const char *name)
{
    snprintf(place->file, sizeof(place->file), "%s/%s", place->dir, name);
    assert_int_equal(log_file_write(place->file, STR("0,status,1\n"), NULL), 0);
}

static void make_sub(const Place *place, char sub[static 96])
{
    snprintf(sub, 96, "%s/sub", place->dir);
    assert_int_equal(folder_make(str_of(sub), NULL), 0);
}

static void files_and_folders_are_for_one_user_whatever_the_umask(void **state)
{
    Place *place = *state;
    char sub[96];

    assert_int_equal(result_folder_begin(false), 0);
    write_file(place, "game.log");
    make_sub(place, sub);
    assert_int_equal(mode_of(place->file), 0600);
    assert_int_equal(mode_of(sub), 0700);
}

static void open_results_are_as_the_umask_has_them(void **state)
{
    Place *place = *state;
    char sub[96];

    umask(022);
    assert_int_equal(result_folder_begin(true), 022);
    write_file(place, "game.log");
    make_sub(place, sub);
    assert_int_equal(mode_of(place->file), 0644);
    assert_int_equal(mode_of(sub), 0755);
}

static void an_empty_folder_is_closed(void **state)
{
    const Place *place = *state;

    result_folder_close(place->dir);
    assert_int_equal(mode_of(place->dir), 0700);
}

static void a_folder_with_a_journal_is_closed(void **state)
{
    Place *place = *state;

    write_file(place, "journal.jsonl");
    result_folder_close(place->dir);
    assert_int_equal(mode_of(place->dir), 0700);
}

static void a_folder_with_other_things_stays_open(void **state)
{
    Place *place = *state;

    write_file(place, "thesis.tex");
    result_folder_close(place->dir);
    assert_int_equal(mode_of(place->dir), 0755);
}

static void a_folder_that_is_not_there_is_no_error(void **state)
{
    (void)state;
    result_folder_close("/nowhere/at/all");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(files_and_folders_are_for_one_user_whatever_the_umask),
        CASE(open_results_are_as_the_umask_has_them),
        CASE(an_empty_folder_is_closed),
        CASE(a_folder_with_a_journal_is_closed),
        CASE(a_folder_with_other_things_stays_open),
        CASE(a_folder_that_is_not_there_is_no_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
