#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/zip_stream.h"
#include "sanitized.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static char dir[] = "/tmp/warg-zip-XXXXXX";
static char one[64], two[64], zip_path[64];

static void write_file(const char *path, const char *text, unsigned count)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    for (unsigned i = 0; i < count; i++)
        fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(dir))
        return -1;
    snprintf(one, sizeof(one), "%s/one", dir);
    snprintf(two, sizeof(two), "%s/two", dir);
    snprintf(zip_path, sizeof(zip_path), "%s/out.zip", dir);
    write_file(one, "one and one\n", 100000);
    write_file(two, "", 1);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    remove(one);
    remove(two);
    remove(zip_path);
    return rmdir(dir);
}

static void add_file(ZipStream *zip, const char *path, const char *file, Buf *out)
{
    int more = 1;

    assert_int_equal(zip_stream_file(zip, path, file, out, NULL), 0);
    while (more > 0) {
        const size_t before = out->len;
        more = zip_stream_more(zip, out, NULL);
        assert_true(out->len - before < 128 * 1024);
    }
    assert_int_equal(more, 0);
}

static void python_reads_what_was_made_in_pieces(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    char line[300];
    ZipStream *zip = zip_stream_new();

    (void)state;
    assert_non_null(zip);
    add_file(zip, "play/logs/1.log", one, &out);
    add_file(zip, "play/logs/2.log", two, &out);
    assert_int_equal(zip_stream_end(zip, &out, NULL), 0);
    assert_null(zip_stream_free(zip));
    assert_true(out.len < 100000);
    FILE *file = fopen(zip_path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(out.bytes, 1, out.len, file), out.len);
    assert_int_equal(fclose(file), 0);
    snprintf(line, sizeof(line),
             "cd %s && python3 -c \"import zipfile\n"
             "z = zipfile.ZipFile('out.zip')\n"
             "assert z.testzip() is None\n"
             "assert z.namelist() == ['play/logs/1.log', 'play/logs/2.log']\n"
             "assert z.read('play/logs/1.log') == open('one', 'rb').read()\n"
             "assert z.read('play/logs/2.log') == b''\"",
             dir);
    assert_int_equal(system(line), 0); /* NOLINT(cert-env33-c): a test */
}

static void an_archive_without_files_is_one(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    ZipStream *zip = zip_stream_new();

    (void)state;
    assert_int_equal(zip_stream_end(zip, &out, NULL), 0);
    assert_int_equal(out.len, 22); /* the directory's end alone */
    zip_stream_free(zip);
}

static void what_can_not_be_is_refused_and_the_rest_goes_on(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    ZipStream *zip = zip_stream_new();
    Err err = {0};

    (void)state;
    assert_int_equal(zip_stream_file(zip, "../x", one, &out, NULL), ERR_RULE);
    assert_int_equal(zip_stream_file(zip, "x", "/nonexistent", &out, NULL), ERR_IO);
    assert_int_equal(zip_stream_file(zip, "x", dir, &out, NULL), ERR_IO); /* no regular file */
    add_file(zip, "x", one, &out);
    assert_int_equal(zip_stream_file(zip, "y", one, &out, NULL), 0);
    assert_int_equal(truncate(one, 10), 0);
    assert_int_equal(zip_stream_more(zip, &out, NULL), 1); /* these bytes are there */
    assert_int_equal(zip_stream_more(zip, &out, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "shorter"));
    zip_stream_free(zip); /* in the middle */
}

/* The number that the next file gets: one that stays open takes it. */
static int next_descriptor(void)
{
    const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);

    assert_true(next >= 0);
    close(next);
    return next;
}

/* libarchive itself loses 33 bytes of an archive that takes no entry: LeakSanitizer would say so.
 */
static void a_file_that_the_archive_does_not_take_is_closed(void **state)
{
    CLEANUP(buf_done) Buf out = {.failed = true};

    (void)state;
    if (SANITIZED) {
        print_message("skipped: libarchive leaks here\n");
        skip();
    }
    ZipStream *zip = zip_stream_new();
    const int next = next_descriptor();
    assert_int_equal(zip_stream_file(zip, "x", two, &out, NULL), ERR_MEMORY);
    assert_int_equal(next_descriptor(), next);
    zip_stream_free(zip);
}

static void none_is_freed_as_well(void **state)
{
    (void)state;
    assert_null(zip_stream_free(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(python_reads_what_was_made_in_pieces),
        cmocka_unit_test(an_archive_without_files_is_one),
        cmocka_unit_test(what_can_not_be_is_refused_and_the_rest_goes_on),
        cmocka_unit_test(a_file_that_the_archive_does_not_take_is_closed),
        cmocka_unit_test(none_is_freed_as_well),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
