#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/logs.h"

/* A directory for one test, removed at its end with the files that tests make. */
typedef struct Place {
    char directory[64];
    Buf path;
} Place;

static int set_up(void **state)
{
    Place *place = mem_new(sizeof(*place));

    snprintf(place->directory, sizeof(place->directory), "/tmp/warg-test-XXXXXX");
    if (!mkdtemp(place->directory))
        return -1;
    *state = place;
    return 0;
}

static const char *in_place(Place *place, const char *name)
{
    buf_clear(&place->path);
    buf_printf(&place->path, "%s/%s", place->directory, name);
    return buf_cstr(&place->path);
}

static int tear_down(void **state)
{
    static const char *const files[] = {"a.log",  "a.log.gz", "b.log.gz", "A.log",      "x.txt",
                                        ".h.log", "d/c.log",  "d/e.log",  "bomb.log.gz"};
    Place *place = *state;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        unlink(in_place(place, files[i]));
    rmdir(in_place(place, "d"));
    assert_int_equal(rmdir(place->directory), 0);
    buf_done(&place->path);
    mem_free(place);
    return 0;
}

static void a_text_comes_back_as_it_was_written(void **state)
{
    static const char *const names[] = {"a.log", "a.log.gz"};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf back = {0};

    for (unsigned i = 0; i < 60000; i++)
        buf_printf(&text, "%u,vote,1,2\n", i);
    for (size_t i = 0; i < 2; i++) {
        const char *path = in_place(*state, names[i]);
        Err err = {0};
        buf_clear(&back);
        assert_int_equal(log_file_write(path, buf_str(&text), &err), 0);
        assert_int_equal(log_file_read(path, LOG_TEXT_BYTES_MAX, &back, &err), 0);
        assert_true(str_eq(buf_str(&back), buf_str(&text)));
    }
}

static void the_same_text_is_compressed_to_the_same_bytes(void **state)
{
    static const unsigned char header[] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF};
    unsigned char first[200], second[200];
    Str text = STR("0,status,1,SEER,ALIVE,a\n");
    Place *place = *state;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(log_file_write(in_place(place, i ? "b.log.gz" : "a.log.gz"), text, NULL),
                         0);
        int fd = open(in_place(place, i ? "b.log.gz" : "a.log.gz"), O_RDONLY);
        ssize_t n = read(fd, i ? second : first, sizeof(first));
        close(fd);
        assert_true(n > 20);
        assert_memory_equal(i ? second : first, header, sizeof(header));
    }
    assert_memory_equal(first, second, 40);
}

static void a_text_that_was_packed_before_is_the_same_file(void **state)
{
    CLEANUP(buf_done) Buf packed = {0};
    CLEANUP(buf_done) Buf back = {0};
    Str text = STR("0,status,1,SEER,ALIVE,a\n");
    const char *path = in_place(*state, "a.log.gz");

    buf_add(&packed, STR("before"));
    assert_int_equal(log_file_pack(text, &packed, NULL), 0);
    Str bytes = str_part(buf_str(&packed), 6, packed.len);
    assert_int_equal(log_file_write(path, bytes, NULL), 0);
    assert_int_equal(log_file_read(path, 1000, &back, NULL), 0);
    assert_true(str_eq(buf_str(&back), text));
}

static void a_bomb_is_stopped_at_the_limit(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf back = {0};
    const char *path = in_place(*state, "bomb.log.gz");
    Err err = {0};

    for (int i = 0; i < 1000 * 1000; i++)
        buf_add_char(&text, 'x');
    assert_int_equal(log_file_write(path, buf_str(&text), &err), 0);
    buf_add(&back, STR("before"));
    assert_int_equal(log_file_read(path, 999999, &back, &err), ERR_LIMIT);
    assert_string_equal(buf_cstr(&back), "before");
    assert_true(back.room < 4 * 1000 * 1000);
    assert_int_equal(log_file_read(path, 1000000, &back, NULL), 0);
    assert_int_equal(back.len, 1000006);
}

static void damaged_gzip_is_refused(void **state)
{
    CLEANUP(buf_done) Buf back = {0};
    const char *path = in_place(*state, "a.log.gz");
    Err err = {0};

    assert_int_equal(log_file_write(path, STR("some text that is compressed"), NULL), 0);
    assert_int_equal(truncate(path, 25), 0);
    assert_int_equal(log_file_read(path, 1000, &back, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "stops in the middle"));
    assert_non_null(strstr(err.msg, path));
}

static void what_can_not_be_opened_is_named(void **state)
{
    CLEANUP(buf_done) Buf back = {0};
    Place *place = *state;
    Err err = {0};

    assert_int_equal(log_file_read(in_place(place, "none.log"), 1000, &back, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "none.log': No such file"));
    err = (Err){0};
    assert_int_equal(log_file_write(in_place(place, "no/a.log"), STR("x"), &err), ERR_IO);
    err = (Err){0};
    assert_int_equal(log_file_read(place->directory, 1000, &back, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "directory"));
}

static void a_failed_write_leaves_nothing_behind(void **state)
{
    Place *place = *state;

    assert_int_equal(mkdir(in_place(place, "d"), 0777), 0);
    assert_int_equal(log_file_write(in_place(place, "d"), STR("x"), NULL), ERR_IO);
    assert_int_equal(access(in_place(place, "d.tmp"), F_OK), -1);
}

static void a_directory_lists_its_logs_in_the_order_of_their_bytes(void **state)
{
    static const char *const files[] = {"b.log.gz", "a.log",   "A.log",  "x.txt",
                                        ".h.log",   "d/e.log", "d/c.log"};
    static const char *const wanted[] = {"A.log", "a.log", "b.log.gz", "d/c.log", "d/e.log"};
    CLEANUP(log_list_done) LogList list = {0};
    Place *place = *state;

    assert_int_equal(mkdir(in_place(place, "d"), 0777), 0);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        assert_int_equal(log_file_write(in_place(place, files[i]), STR("x"), NULL), 0);
    assert_int_equal(log_list_add(&list, place->directory, NULL), 0);
    assert_int_equal(list.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(list.paths[i], in_place(place, wanted[i]));
}

static void a_directory_without_logs_is_an_error(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    Place *place = *state;
    Err err = {0};

    assert_int_equal(log_list_add(&list, place->directory, &err), ERR_IO);
    assert_int_equal(log_list_add(&list, in_place(place, "none"), NULL), ERR_IO);
    assert_int_equal(list.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_text_comes_back_as_it_was_written),
        TEST(the_same_text_is_compressed_to_the_same_bytes),
        TEST(a_text_that_was_packed_before_is_the_same_file),
        TEST(a_bomb_is_stopped_at_the_limit),
        TEST(damaged_gzip_is_refused),
        TEST(what_can_not_be_opened_is_named),
        TEST(a_failed_write_leaves_nothing_behind),
        TEST(a_directory_lists_its_logs_in_the_order_of_their_bytes),
        TEST(a_directory_without_logs_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
