#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk_faults.h"

#include "site/blob.h"

#include "base/mem.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(place, sizeof(place), "/tmp/warg-blob-XXXXXX");
    return mkdtemp(place) ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[96];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", place);
    return system(command);
}

/* Files in a folder below the place. */
static int files_in(const char *name)
{
    char path[160];
    int count = 0;

    snprintf(path, sizeof(path), "%s/%s", place, name);
    DIR *folder = opendir(path);
    if (!folder)
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void upload(const char *text, char ret_sha256[static SHA256_HEX_BYTES])
{
    BlobSink *sink = NULL;
    uint64_t bytes = 0;

    assert_int_equal(blob_begin(place, 100, &sink, NULL), 0);
    for (const char *c = text; *c; c++)
        assert_int_equal(blob_write(sink, (Str){c, 1}, NULL), 0);
    assert_int_equal(blob_end(sink, ret_sha256, &bytes, NULL), 0);
    assert_int_equal(bytes, strlen(text));
}

static void an_upload_lies_under_its_digest_for_its_owner_to_read(void **state)
{
    char sha256[SHA256_HEX_BYTES], text[16] = "";
    CLEANUP(buf_done) Buf path = {0};
    struct stat info;

    (void)state;
    upload("abc", sha256);
    assert_string_equal(sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    blob_path(place, str_of(sha256), &path);
    assert_int_equal(stat(buf_cstr(&path), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0400);
    FILE *file = fopen(buf_cstr(&path), "re");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof(text), file), 3);
    fclose(file);
    assert_memory_equal(text, "abc", 3);
    assert_int_equal(files_in("incoming"), 0);
}

static void the_same_bytes_twice_are_one_file(void **state)
{
    char first[SHA256_HEX_BYTES], second[SHA256_HEX_BYTES];

    (void)state;
    upload("abc", first);
    upload("abc", second);
    assert_string_equal(first, second);
    assert_int_equal(files_in("blobs"), 1);
    assert_int_equal(files_in("blobs/ba"), 1);
}

static void one_byte_beyond_the_limit_is_refused_and_leaves_nothing(void **state)
{
    BlobSink *sink = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(blob_begin(place, 3, &sink, NULL), 0);
    assert_int_equal(blob_write(sink, STR("abc"), NULL), 0);
    assert_int_equal(blob_write(sink, STR("d"), &err), ERR_LIMIT);
    assert_string_equal(err.msg, "the file has more than 3 bytes");
    sink = blob_drop(sink);
    assert_int_equal(files_in("incoming") + files_in("blobs"), 0);
}

static void what_a_killed_server_left_is_swept(void **state)
{
    BlobSink *sink = NULL;

    (void)state;
    assert_int_equal(blob_sweep(place, NULL), 0); /* nothing is there yet */
    assert_int_equal(blob_begin(place, 3, &sink, NULL), 0);
    assert_int_equal(files_in("incoming"), 1);
    assert_int_equal(blob_sweep(place, NULL), 0);
    assert_int_equal(files_in("incoming"), 0);
    blob_drop(sink);
}

static void a_folder_that_cannot_be_made_is_an_error_and_leaves_nothing(void **state)
{
    char path[96];
    char sha256[SHA256_HEX_BYTES];
    BlobSink *sink = NULL;
    uint64_t bytes = 0;

    (void)state;
    snprintf(path, sizeof(path), "%s/blobs", place);
    fclose(fopen(path, "we")); /* a file is in the way */
    assert_int_equal(blob_begin(place, 3, &sink, NULL), 0);
    assert_int_equal(blob_end(sink, sha256, &bytes, NULL), ERR_IO);
    assert_int_equal(files_in("incoming"), 0);
}

/* Every call in turn fails: then nothing is left under way, and what has its name is whole. */
static void wherever_the_disk_fails_nothing_is_left_and_no_blob_is_half(void **state)
{
    static const int whys[] = {ENOSPC, EIO};
    char sha256[SHA256_HEX_BYTES];
    uint64_t bytes = 0;
    unsigned failed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(whys) / sizeof(whys[0]); i++) {
        bool over = false;
        for (unsigned at = 1; !over; at++) {
            BlobSink *sink = NULL;
            Err err = {0};
            assert_int_equal(tear_down(NULL), 0);
            assert_int_equal(set_up(NULL), 0);
            disk_fault_set((DiskFault){DISK_ANY & ~DISK_REMOVE, at, false, whys[i]});
            int rc = blob_begin(place, 100, &sink, &err);
            if (rc == 0 && (rc = blob_write(sink, STR("abc"), &err)))
                sink = blob_drop(sink);
            else if (rc == 0)
                rc = blob_end(sink, sha256, &bytes, &err);
            over = faulty_disk.failed == 0;
            disk_fault_set((DiskFault){0});
            assert_int_equal(files_in("incoming"), 0);
            if (over)
                assert_int_equal(rc, 0);
            else if (rc)
                assert_true(err.code == ERR_IO && err.msg[0]);
            failed += rc != 0;
            if (files_in(
                    "blobs/ba")) { /* it may have its name, when bringing that to disk failed */
                CLEANUP(buf_done) Buf path = {0};
                struct stat info;
                blob_path(place,
                          STR("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
                          &path);
                assert_int_equal(stat(buf_cstr(&path), &info), 0);
                assert_int_equal(info.st_size, 3);
            }
        }
    }
    assert_true(failed >= 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_upload_lies_under_its_digest_for_its_owner_to_read,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_same_bytes_twice_are_one_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_byte_beyond_the_limit_is_refused_and_leaves_nothing,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_killed_server_left_is_swept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_made_is_an_error_and_leaves_nothing,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(wherever_the_disk_fails_nothing_is_left_and_no_blob_is_half,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
