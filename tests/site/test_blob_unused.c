/* test_blob_unused.c - files that no row names leave after a day; others, and other names of them,
 * stay.
 *
 * Source: docs/spec/contest-operations.md 5.1, 5.2. */
#include "site_places.h"

#include "disk_faults.h"

#include "site/blob.h"
#include "site/blob_unused.h"
#include "store/db_row.h"

#include <stdlib.h>

#define DAY INT64_C(86400000)
#define NOW INT64_C(1800000000000)

static char data[64];

static void shell(const char *command)
{
    setenv("d", data, 1);
    assert_int_equal(system(command), 0);
}

static void begin(void)
{
    snprintf(data, sizeof(data), "/tmp/warg-unused-XXXXXX");
    assert_non_null(mkdtemp(data));
}

static void end(void)
{
    disk_fault_set((DiskFault){0});
    shell("rm -rf $d");
}

/* A whole upload that came when it says. */
static void upload(const char *text, int64_t at_ms, char ret_sha256[static SHA256_HEX_BYTES])
{
    CLEANUP(buf_done) Buf path = {0};
    BlobSink *sink = NULL;
    uint64_t bytes = 0;

    assert_int_equal(blob_begin(data, 100, &sink, NULL), 0);
    assert_int_equal(blob_write(sink, str_of(text), NULL), 0);
    assert_int_equal(blob_end(sink, ret_sha256, &bytes, NULL), 0);
    blob_path(data, str_of(ret_sha256), &path);
    int fd = open(buf_cstr(&path), O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(disk_set_time(fd, at_ms / 1000), 0);
    close(fd);
}

static bool is_there(const char *sha256)
{
    CLEANUP(buf_done) Buf path = {0};

    blob_path(data, str_of(sha256), &path);
    return access(buf_cstr(&path), F_OK) == 0;
}

static void sweep_all(Db *db, int64_t now_ms)
{
    Err err = {0};

    for (unsigned i = 0; i < BLOB_FOLDERS; i++)
        if (blob_unused_sweep(db, data, i, now_ms, &err))
            fail_msg("%s", err.msg);
}

static void must_run(Db *db, const char *sql, const char *blob)
{
    Err err = {0};

    if (db_run(db, &err, sql, blob ? "t" : "", str_of(blob ? blob : "")))
        fail_msg("%s", err.msg);
}

static void what_no_row_names_leaves_after_a_day(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char version[SHA256_HEX_BYTES], document[SHA256_HEX_BYTES], unused[SHA256_HEX_BYTES];
    char young[SHA256_HEX_BYTES], again[SHA256_HEX_BYTES];
    BlobSink *sink = NULL;

    begin();
    sweep_all(db, NOW); /* no folder yet */
    upload("version", NOW - 100 * DAY, version);
    upload("document", NOW - 100 * DAY, document);
    upload("unused", NOW - DAY, unused);
    upload("young", NOW - DAY + 1000, young);
    upload("again", NOW - 100 * DAY, again);
    upload("again", NOW, again); /* the same bytes once more: as young as the last of them */
    must_run(db,
             "INSERT INTO contest(name, state, file, digest, changed) VALUES('cup', 'OPEN', '', '',"
             " 1)",
             NULL);
    must_run(db,
             "INSERT INTO team(contest, name, state, created) SELECT id, 'wits', 'IN', 1 FROM "
             "contest",
             NULL);
    must_run(db,
             "INSERT INTO version(team, number, language, state, at, blob) SELECT id, 1, 'python', "
             "'REFUSED', 1, ?1 FROM team",
             version);
    must_run(
        db,
        "INSERT INTO document(team, kind, number, blob, at) SELECT id, 'source', 1, ?1, 1 FROM "
        "team",
        document);
    assert_int_equal(blob_begin(data, 100, &sink, NULL), 0); /* is on its way */
    assert_int_equal(blob_write(sink, STR("slow"), NULL), 0);
    sweep_all(db, NOW);
    assert_true(is_there(version) && is_there(document) && is_there(young) && is_there(again));
    assert_false(is_there(unused));
    char slow[SHA256_HEX_BYTES];
    uint64_t bytes;
    assert_int_equal(blob_end(sink, slow, &bytes, NULL), 0);
    assert_true(is_there(slow));
    sweep_all(db, NOW + 10 * DAY);
    assert_true(is_there(version) && is_there(document));
    assert_false(is_there(young) || is_there(again));
    end();
}

/* A backup and a bundle are links to it; other names in its folder are not ours. */
static void other_names_stay(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char sha256[SHA256_HEX_BYTES];

    begin();
    upload("abc", NOW - 100 * DAY, sha256);
    setenv("s", sha256, 1);
    shell(
        "cd $d && mkdir backup out && ln blobs/ba/$s backup/$s && echo x >out/file && cd blobs && "
        "mkdir 00 && z=$(printf '%064d' 0) && o=$(printf '%063d1' 0) && t=$(printf '%063d2' 0) && "
        "echo x >00/short && echo x >\"00/..$z\" && echo x >00/${z}0 && echo x >00/ab${z#00} && "
        "ln -s $d/out 00/$z && ln -s $d/out/file 00/$o && mkdir 00/$t && echo x >00/-rf && "
        "echo x >00/$(echo $z | tr 0 A) && find $d -exec touch -h -d 2001-01-01 {} +");
    sweep_all(db, NOW);
    assert_false(is_there(sha256));
    shell(
        "cd $d && test \"$(cat backup/$s)\" = abc && test \"$(cat out/file)\" = x && test $(ls -A "
        "blobs/00 | wc -l) = 9");
    shell("rm -rf $d/blobs/00 && ln -s ../out $d/blobs/00");
    Err err = {0};
    assert_int_equal(blob_unused_sweep(db, data, 0, NOW, &err), ERR_IO);
    assert_int_equal(blob_unused_sweep(db, data, 1, NOW, &err), 0);
    shell("test \"$(cat $d/out/file)\" = x");
    end();
}

/* Of two that are to leave the first can't: it is told, and tried again. */
static void what_can_not_be_removed_is_tried_again(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char sha256[SHA256_HEX_BYTES];
    Err err = {0};

    begin();
    upload("abc", NOW - 2 * DAY, sha256);
    disk_fault_set((DiskFault){.kinds = DISK_REMOVE, .at = 1, .why = EIO});
    assert_int_equal(blob_unused_sweep(db, data, 0xba, NOW, &err), ERR_IO);
    assert_true(is_there(sha256));
    sweep_all(db, NOW);
    assert_false(is_there(sha256));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(what_no_row_names_leaves_after_a_day),
        ON_SQLITE(other_names_stay),
        ON_SQLITE(what_can_not_be_removed_is_tried_again),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
