/* test_regular_file.c - what may be read, folders that are made, logs that are found; no descriptor
 * stays open. */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/key_file.h"
#include "disk/log_file.h"
#include "disk/regular_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char dir[64];
static int open_before;

static int count_open(void)
{
    DIR *list = opendir("/proc/self/fd");
    int count = 0;

    while (readdir(list))
        count++;
    closedir(list);
    return count;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about, (void)kind, (void)walk;
    return remove(path);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warg-file-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    open_before = count_open();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_int_equal(count_open(), open_before);
    return nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *inside(const char *name)
{
    static char paths[4][200];
    static int next;

    next = (next + 1) % 4;
    snprintf(paths[next], sizeof(paths[next]), "%s/%s", dir, name);
    return paths[next];
}

static void put_file(const char *name, const char *text)
{
    assert_int_equal(file_replace(inside(name), str_of(text), false, NULL), 0);
}

static void check_says(const char *name, const char *why)
{
    char wanted[300];
    Err err = {0};

    assert_int_equal(regular_file_check(name, &err), ERR_IO);
    snprintf(wanted, sizeof(wanted), "%s '%s': %s",
             strchr(why, ';') || why[0] == 'i' ? "read" : "open", name, why);
    assert_string_equal(err.msg, wanted);
}

/* ---- what may be read ---- */

static void a_file_is_opened_for_reading(void **state)
{
    char text[8] = "";
    int fd = -1;

    (void)state;
    put_file("a", "text");
    assert_int_equal(regular_file_open(inside("a"), &fd, NULL), 0);
    assert_int_equal(read(fd, text, sizeof(text)), 4);
    assert_string_equal(text, "text");
    assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    close(fd);
    assert_int_equal(regular_file_check(inside("a"), NULL), 0);
}

static void what_is_no_file_is_refused_at_once(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    (void)state;
    assert_int_equal(mkfifo(inside("fifo"), 0600), 0);
    check_says(inside("fifo"), "is a FIFO, and somebody may never write to it; expected a file");
    check_says(dir, "is a directory");
    check_says(inside("absent"), "No such file or directory");
    check_says("/dev/zero", "is a device; expected a file");
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/sock", dir);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    check_says(inside("sock"), "is a socket; expected a file");
    close(fd);
}

static void what_a_shell_has_opened_may_be_anything_but_a_directory(void **state)
{
    char path[40];
    int ends[2], fd = -1;

    (void)state;
    assert_int_equal(regular_file_check("/dev/null", NULL), 0);
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
    assert_int_equal(regular_file_open(path, &fd, NULL), 0);
    close(fd);
    close(ends[0]);
    close(ends[1]);
    int folder = open(dir, O_RDONLY | O_DIRECTORY);
    snprintf(path, sizeof(path), "/dev/fd/%d", folder);
    check_says(path, "is a directory");
    close(folder);
}

/* ---- folders ---- */

static void folders_are_made_with_all_that_lead_to_them(void **state)
{
    struct stat about;

    (void)state;
    assert_int_equal(folder_make(str_of(inside("a/b//c/")), NULL), 0);
    assert_int_equal(stat(inside("a/b/c"), &about), 0);
    assert_true(S_ISDIR(about.st_mode));
    assert_int_equal(folder_make(str_of(inside("a/b")), NULL), 0);
    assert_int_equal(folder_make(STR(""), NULL), 0);
    assert_int_equal(folder_make(STR("/"), NULL), 0);
    assert_int_equal(folder_make_for(inside("d/e/file"), NULL), 0);
    assert_int_equal(stat(inside("d/e"), &about), 0);
    assert_int_equal(stat(inside("d/e/file"), &about), -1);
    assert_int_equal(folder_make_for("file", NULL), 0);
}

static void a_file_in_the_way_is_told_with_the_folder_that_is_wanted(void **state)
{
    char wanted[300];
    Err err = {0};

    (void)state;
    put_file("a", "");
    assert_int_equal(folder_make(str_of(inside("a")), &err), ERR_IO);
    snprintf(wanted, sizeof(wanted), "make directory '%s/a': Not a directory", dir);
    assert_string_equal(err.msg, wanted);
    err = (Err){0};
    assert_int_equal(folder_make(str_of(inside("a/b")), &err), ERR_IO);
    snprintf(wanted, sizeof(wanted), "make directory '%s/a/b': Not a directory", dir);
    assert_string_equal(err.msg, wanted);
}

/* ---- the door ---- */

static void bytes_are_written_where_they_belong(void **state)
{
    char text[16] = "";
    int fd = disk_open(inside("a"), O_RDWR | O_CREAT, 0600);

    (void)state;
    assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(disk_write(fd, STR("0123456789")), 0);
    assert_int_equal(disk_write_at(fd, STR("abc"), 4), 0);
    assert_int_equal(disk_cut(fd, 9), 0);
    assert_int_equal(disk_sync_data(fd), 0);
    assert_int_equal(pread(fd, text, sizeof(text), 0), 9);
    assert_string_equal(text, "0123abc78");
    assert_int_equal(disk_close(fd), 0);
    assert_int_equal(disk_close(fd), -1);
    assert_int_equal(disk_write(fd, STR("x")), -1);
    assert_int_equal(disk_write_at(fd, STR("x"), 0), -1);
    assert_int_equal(disk_cut(fd, 0), -1);
    assert_int_equal(disk_sync(fd), -1);
    assert_int_equal(disk_sync_data(fd), -1);
    assert_int_equal(disk_write(fd, STR("")), 0);
}

static void files_and_folders_are_moved_removed_and_brought_to_disk(void **state)
{
    char wanted[300];
    Err err = {0};

    (void)state;
    put_file("a", "x");
    assert_int_equal(disk_rename(inside("a"), inside("b")), 0);
    assert_int_equal(access(inside("a"), F_OK), -1);
    assert_int_equal(disk_sync_path(inside("b"), &err), 0);
    assert_int_equal(disk_sync_path(dir, &err), 0);
    assert_int_equal(disk_sync_path(inside("a"), &err), ERR_IO);
    snprintf(wanted, sizeof(wanted), "open '%s/a': No such file or directory", dir);
    assert_string_equal(err.msg, wanted);
    assert_int_equal(disk_remove(inside("b")), 0);
    assert_int_equal(disk_remove(inside("b")), -1);
    assert_int_equal(disk_make_folder(inside("d"), 0700), 0);
    assert_int_equal(disk_remove(inside("d")), -1);
    assert_int_equal(disk_remove_in(AT_FDCWD, inside("d"), AT_REMOVEDIR), 0);
}

static void a_file_is_replaced_and_the_old_temporary_one_goes(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    put_file("a.tmp", "left by somebody");
    assert_int_equal(file_replace(inside("a"), STR("one"), true, NULL), 0);
    assert_int_equal(access(inside("a.tmp"), F_OK), -1);
    put_file("a", "two");
    assert_int_equal(log_file_read(inside("a"), 3, &out, NULL), 0);
    assert_string_equal(buf_cstr(&out), "two");
}

/* ---- logs ---- */

static void a_file_of_more_bytes_than_allowed_is_refused_and_the_text_is_cut_back(void **state)
{
    static const char *const names[] = {"a.log", "a.log.gz"};
    Err err = {0};

    (void)state;
    for (int i = 0; i < 2; i++) {
        CLEANUP(buf_done) Buf out = {0};
        assert_int_equal(log_file_write(inside(names[i]), STR("12345"), NULL), 0);
        buf_add(&out, STR("before"));
        assert_int_equal(log_file_read(inside(names[i]), 4, &out, &err), ERR_LIMIT);
        assert_non_null(strstr(err.msg, "more than 4 bytes"));
        assert_string_equal(buf_cstr(&out), "before");
        assert_int_equal(log_file_read(inside(names[i]), 5, &out, NULL), 0);
        assert_string_equal(buf_cstr(&out), "before12345");
        err = (Err){0};
    }
}

static void members_of_gzip_behind_each_other_are_one_text(void **state)
{
    CLEANUP(buf_done) Buf packed = {0};
    CLEANUP(buf_done) Buf out = {0};
    Err err = {0};

    (void)state;
    assert_int_equal(log_file_pack(STR("one,"), &packed, NULL), 0);
    assert_int_equal(log_file_pack(STR("two"), &packed, NULL), 0);
    assert_int_equal(packed.bytes[9], (char)255); /* which system made it is not told */
    assert_int_equal(log_file_write(inside("a.log.gz"), buf_str(&packed), NULL), 0);
    assert_int_equal(log_file_read(inside("a.log.gz"), 100, &out, NULL), 0);
    assert_string_equal(buf_cstr(&out), "one,two");
    packed.len--;
    assert_int_equal(log_file_write(inside("a.log.gz"), buf_str(&packed), NULL), 0);
    assert_int_equal(log_file_read(inside("a.log.gz"), 100, &out, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "the gzip data stops in the middle"));
    assert_string_equal(buf_cstr(&out), "one,two");
}

static void listed_are(bool json, const char *expected)
{
    CLEANUP(log_list_done) LogList list = {.json = json};
    CLEANUP(buf_done) Buf names = {0};
    Err err = {0};

    if (log_list_add(&list, dir, &err))
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < list.count; i++)
        buf_printf(&names, "%s ", list.paths[i] + strlen(dir) + 1);
    assert_string_equal(buf_cstr(&names), expected);
}

static void logs_of_every_name_are_found_in_folders_and_nothing_else(void **state)
{
    static const char *const names[] = {"b.log",       "a.log.gz",  "session.jsonl",
                                        "x.json",      "y.json.gz", "z.txt",
                                        ".hidden.log", "log",       "other.jsonl"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        put_file(names[i], "");
    assert_int_equal(folder_make(str_of(inside("c/d")), NULL), 0);
    put_file("c/d/e.log", "");
    assert_int_equal(mkfifo(inside("fifo.log"), 0600), 0);
    assert_int_equal(symlink(inside("c"), inside("loop")), 0);
    assert_int_equal(symlink("nowhere", inside("l.log")), 0);
    listed_are(false, "a.log.gz b.log c/d/e.log l.log session.jsonl ");
    listed_are(true, "a.log.gz b.log c/d/e.log l.log session.jsonl x.json y.json.gz ");
}

static void a_hundred_logs_are_listed_and_a_single_file_as_it_is(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    Err err = {0};

    (void)state;
    for (int i = 0; i < 130; i++) {
        char name[20];
        snprintf(name, sizeof(name), "%03d.log", i);
        put_file(name, "");
    }
    put_file("odd.name", "");
    assert_int_equal(log_list_add(&list, inside("odd.name"), NULL), 0);
    assert_int_equal(log_list_add(&list, dir, NULL), 0);
    assert_int_equal(list.count, 131);
    assert_non_null(strstr(list.paths[0], "/odd.name"));
    assert_non_null(strstr(list.paths[1], "/000.log"));
    assert_non_null(strstr(list.paths[130], "/129.log"));
    assert_int_equal(log_list_add(&list, inside("absent"), &err), ERR_IO);
    assert_non_null(strstr(err.msg, "absent"));
    list.count = LOG_FILES_MAX;
    assert_int_equal(log_list_add(&list, inside("odd.name"), NULL), ERR_LIMIT);
    list.count = 131;
}

static void folders_inside_each_other_are_searched_to_a_depth(void **state)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(log_list_done) LogList list = {0};
    Err err = {0};

    (void)state;
    buf_printf(&path, "%s", dir);
    for (int i = 0; i < LOG_DEPTH_MAX; i++)
        buf_add(&path, STR("/d"));
    assert_int_equal(folder_make(buf_str(&path), NULL), 0);
    buf_add(&path, STR("/a.log"));
    assert_int_equal(file_replace(buf_cstr(&path), STR(""), false, NULL), 0);
    assert_int_equal(log_list_add(&list, dir, NULL), 0);
    assert_int_equal(list.count, 1);
    path.len -= strlen("a.log");
    path.bytes[path.len] = '\0';
    buf_add(&path, STR("d"));
    assert_int_equal(folder_make(buf_str(&path), NULL), 0);
    assert_int_equal(log_list_add(&list, dir, &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "more than 32 directories inside each other"));
}

static void a_key_is_read_as_it_was_written(void **state)
{
    Key key, back;

    (void)state;
    assert_int_equal(key_draw(&key, NULL), 0);
    assert_int_equal(key_file_write(dir, 0, &key, NULL), 0);
    assert_int_equal(key_file_read(dir, 0, &back, NULL), 0);
    assert_memory_equal(&key, &back, sizeof(key));
    assert_int_equal(key_draw(&key, NULL), 0);
    assert_int_equal(key_file_write(dir, 0, &key, NULL), 0);
    assert_int_equal(key_file_read(dir, 0, &back, NULL), 0);
    assert_memory_equal(&key, &back, sizeof(key));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_opened_for_reading),
        TEST(what_is_no_file_is_refused_at_once),
        TEST(what_a_shell_has_opened_may_be_anything_but_a_directory),
        TEST(folders_are_made_with_all_that_lead_to_them),
        TEST(a_file_in_the_way_is_told_with_the_folder_that_is_wanted),
        TEST(bytes_are_written_where_they_belong),
        TEST(files_and_folders_are_moved_removed_and_brought_to_disk),
        TEST(a_file_is_replaced_and_the_old_temporary_one_goes),
        TEST(a_file_of_more_bytes_than_allowed_is_refused_and_the_text_is_cut_back),
        TEST(members_of_gzip_behind_each_other_are_one_text),
        TEST(logs_of_every_name_are_found_in_folders_and_nothing_else),
        TEST(a_hundred_logs_are_listed_and_a_single_file_as_it_is),
        TEST(folders_inside_each_other_are_searched_to_a_depth),
        TEST(a_key_is_read_as_it_was_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
