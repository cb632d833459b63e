/* test_ledger.c - a ledger is written and gone on with; torn, cut and changed ones; each call to
 * the disk fails in turn.
 *
 * Source: docs/spec/contest-operations.md 11.3, O37. */
#define _GNU_SOURCE /* nftw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk_faults.h"

#include "proof/ledger.h"

#include "disk/key_file.h"
#include "disk/log_file.h"

#include <ftw.h>
#include <stdlib.h>

#define ORIGIN "example.org/warg/cup2027"
#define NOW    INT64_C(1801526400000)

static char dir[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warg-ledger-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    return where->level > 0 ? remove(path) : 0;
}

static void empty_folder(void)
{
    assert_int_equal(nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static int tear_down(void **state)
{
    (void)state;
    disk_fault_set((DiskFault){0});
    empty_folder();
    return rmdir(dir);
}

static int add_game(Ledger *ledger, int64_t at_ms, Err *err)
{
    ledger_begin(ledger, "game");
    ledger_text(ledger, "winner", STR("VILLAGER"));
    ledger_number(ledger, "game", (int64_t)ledger_size(ledger));
    ledger_bool(ledger, "counted", true);
    return ledger_end(ledger, at_ms, err);
}

/* A ledger with `count` entries, of which `signed_count` are in its checkpoint. */
static void make_ledger(unsigned count, unsigned signed_count)
{
    Ledger *ledger = NULL;
    Err err = {0};

    if (ledger_create(dir, STR(ORIGIN), &ledger, &err))
        fail_msg("%s", err.msg);
    for (unsigned i = 0; i < count; i++) {
        if (i == signed_count)
            assert_int_equal(ledger_checkpoint(ledger, NULL), 0);
        assert_int_equal(add_game(ledger, NOW + i, NULL), 0);
    }
    if (signed_count >= count)
        assert_int_equal(ledger_checkpoint(ledger, NULL), 0);
    ledger_free(ledger);
}

static void read_text(const char *name, Buf *text)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    assert_int_equal(log_file_read(path, 1 << 20, text, NULL), 0);
}

static void write_text(const char *name, Str text)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fwrite(text.bytes, 1, text.len, file);
    assert_int_equal(fclose(file), 0);
}

/* What opening and looking say, which must be the same; gives the entries. */
static int open_again(uint64_t *ret_size, Err *err)
{
    CLEANUP(ledger_look_done) LedgerLook look = {0};
    Ledger *ledger = NULL;
    int looked = ledger_look(dir, &look, err);
    int rc = ledger_open(dir, &ledger, NULL);

    assert_int_equal(looked, rc);
    if (rc == 0) {
        assert_int_equal(look.reader.tree.size, ledger_size(ledger));
        *ret_size = ledger_size(ledger);
        assert_int_equal(ledger_close(ledger, NULL), 0);
    }
    return rc;
}

static void a_ledger_is_gone_on_with_and_its_lines_are_canonical(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf expected = {0};
    Ledger *ledger = NULL;
    Key seed;

    (void)state;
    for (unsigned char i = 0; i < KEY_BYTES; i++)
        seed.bytes[i] = i;
    assert_int_equal(key_file_write_as(dir, LEDGER_KEY_NAME, &seed, NULL), 0);
    make_ledger(2, 1);
    assert_int_equal(ledger_create(dir, STR(ORIGIN), &ledger, NULL), ERR_USAGE);
    assert_int_equal(ledger_open(dir, &ledger, NULL), 0);
    assert_int_equal(add_game(ledger, NOW - 5000, NULL), 0); /* the clock was put back */
    assert_int_equal(ledger_close(ledger, NULL), 0);
    read_text(LEDGER_FILE, &text);
    buf_printf(&expected, "%s",
               "{\"at\":\"2027-02-02T00:00:00.000Z\",\"counted\":true,\"game\":0,\"key\":\"" ORIGIN
               "+60d9c4ac+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4\",\"n\":0,"
               "\"type\":\"game\",\"winner\":\"VILLAGER\"}\n"
               "{\"at\":\"2027-02-02T00:00:00.001Z\",\"counted\":true,\"game\":1,\"n\":1,"
               "\"type\":\"game\",\"winner\":\"VILLAGER\"}\n"
               "{\"at\":\"2027-02-02T00:00:00.001Z\",\"counted\":true,\"game\":2,\"n\":2,"
               "\"type\":\"game\",\"winner\":\"VILLAGER\"}\n");
    assert_string_equal(buf_cstr(&text), buf_cstr(&expected));
    uint64_t size = 0;
    assert_int_equal(open_again(&size, NULL), 0);
    assert_int_equal(size, 3);
}

static void the_key_is_drawn_and_its_owners_alone(void **state)
{
    char path[128];
    struct stat about;

    (void)state;
    make_ledger(1, 1);
    snprintf(path, sizeof(path), "%s/" KEY_FOLDER "/" LEDGER_KEY_NAME, dir);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
}

/* What a checkpoint does not sign is cut off for who has all lines elsewhere, and no more. */
static void what_is_not_signed_is_appended_again(void **state)
{
    CLEANUP(buf_done) Buf lines = {0};
    CLEANUP(buf_done) Buf whole = {0};
    Ledger *ledger = NULL;

    (void)state;
    make_ledger(3, 3);
    read_text(LEDGER_FILE, &lines);
    assert_int_equal(ledger_open(dir, &ledger, NULL), 0);
    assert_int_equal(add_game(ledger, NOW, NULL), 0);
    assert_int_equal(add_game(ledger, NOW, NULL), 0);
    ledger_free(ledger); /* killed */
    read_text(LEDGER_FILE, &whole);
    assert_true(whole.len > lines.len && str_starts(buf_str(&whole), buf_str(&lines)));
    assert_int_equal(ledger_open_signed(dir, &ledger, NULL), 0);
    assert_int_equal(ledger_size(ledger), 3);
    buf_clear(&whole);
    read_text(LEDGER_FILE, &whole);
    assert_true(str_eq(buf_str(&whole), buf_str(&lines)));
    assert_int_equal(add_game(ledger, NOW, NULL), 0);
    assert_int_equal(ledger_close(ledger, NULL), 0);
    uint64_t size = 0;
    assert_int_equal(open_again(&size, NULL), 0);
    assert_int_equal(size, 4);
}

static void only_one_process_writes_a_ledger(void **state)
{
    Ledger *ledger = NULL, *other = NULL;

    (void)state;
    assert_int_equal(ledger_create(dir, STR(ORIGIN), &ledger, NULL), 0);
    assert_int_equal(ledger_open(dir, &other, NULL), ERR_USAGE);
    assert_int_equal(ledger_close(ledger, NULL), 0);
    assert_int_equal(ledger_open(dir, &other, NULL), 0);
    assert_int_equal(ledger_close(other, NULL), 0);
}

static void an_entry_that_cannot_be_written_changes_nothing(void **state)
{
    Ledger *ledger = NULL;

    (void)state;
    assert_int_equal(ledger_create(dir, STR(ORIGIN), &ledger, NULL), 0);
    ledger_begin(ledger, "game");
    ledger_number(ledger, "n", 7);
    assert_int_equal(ledger_end(ledger, NOW, NULL), ERR_RULE);
    ledger_begin(ledger, "game");
    ledger_text(ledger, "winner", STR("\xff"));
    assert_int_equal(ledger_end(ledger, NOW, NULL), ERR_SYNTAX);
    assert_int_equal(ledger_end(ledger, NOW, NULL), ERR_SYNTAX);
    assert_int_equal(ledger_size(ledger), 0);
    assert_int_equal(add_game(ledger, NOW, NULL), 0);
    assert_int_equal(ledger_close(ledger, NULL), 0);
    assert_int_equal(ledger_create(dir, STR("a b"), &ledger, NULL), ERR_RULE);
}

/* O37: torn. Wherever a crash cut the lines behind the checkpoint, what is whole is kept. */
static void a_torn_ledger_is_kept(void **state)
{
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    make_ledger(4, 2);
    read_text(LEDGER_FILE, &text);
    size_t lines = 0, first = 0;
    for (size_t i = 0; i < text.len && lines < 2; i++)
        if (text.bytes[i] == '\n' && ++lines == 2)
            first = i + 1;
    for (size_t cut = text.len; cut >= first; cut--) {
        Err err = {0};
        uint64_t size = 0;
        write_text(LEDGER_FILE, (Str){text.bytes, cut});
        CLEANUP(buf_done) Buf checkpoint = {0};
        read_text(LEDGER_CHECKPOINT_FILE, &checkpoint);
        if (open_again(&size, &err))
            fail_msg("cut at %zu: %s", cut, err.msg);
        unsigned whole = 0;
        for (size_t i = 0; i < cut; i++)
            whole += text.bytes[i] == '\n';
        assert_int_equal(size, whole);
        write_text(LEDGER_CHECKPOINT_FILE, buf_str(&checkpoint)); /* closing signed what it kept */
        if (size > 2)
            assert_int_equal(open_again(&size, NULL), 0);
        write_text(LEDGER_CHECKPOINT_FILE, buf_str(&checkpoint));
        if (cut == text.len) { /* from here on the checkpoint is that of two */
            empty_folder();
            make_ledger(4, 2);
            buf_clear(&text);
            read_text(LEDGER_FILE, &text);
        }
    }
}

/* Whoever began it was killed before anything was signed. Lines without a checkpoint are no such
 * ledger: somebody took it away. */
static void a_ledger_that_was_only_begun_is_begun_anew(void **state)
{
    char checkpoint[128];
    bool there = true;

    (void)state;
    assert_int_equal(ledger_find(dir, &there, NULL), 0);
    assert_false(there);
    make_ledger(0, 0);
    assert_int_equal(ledger_find(dir, &there, NULL), 0);
    assert_true(there);
    snprintf(checkpoint, sizeof(checkpoint), "%s/" LEDGER_CHECKPOINT_FILE, dir);
    assert_int_equal(remove(checkpoint), 0);
    assert_int_equal(ledger_find(dir, &there, NULL), 0);
    assert_false(there);
    make_ledger(2, 2);
    assert_int_equal(remove(checkpoint), 0);
    assert_int_equal(ledger_find(dir, &there, NULL), 0);
    assert_true(there);
}

/* O37: cut. */
static void a_ledger_that_is_shorter_than_its_checkpoint_is_refused_with_its_line(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    uint64_t size = 0;

    (void)state;
    make_ledger(4, 4);
    read_text(LEDGER_FILE, &text);
    for (size_t cut = 0; cut < text.len; cut++) {
        Err err = {0};
        unsigned whole = 0;
        for (size_t i = 0; i < cut; i++)
            whole += text.bytes[i] == '\n';
        write_text(LEDGER_FILE, (Str){text.bytes, cut});
        assert_int_equal(open_again(&size, &err), ERR_RULE);
        assert_int_equal(err.line, whole + 1);
    }
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", dir, LEDGER_FILE);
    unlink(path);
    assert_int_equal(open_again(&size, NULL), ERR_IO);
}

/* O37: changed, in any byte that the checkpoint signs. */
static void a_ledger_that_was_changed_is_refused_with_its_line(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    uint64_t size = 0;

    (void)state;
    make_ledger(3, 3);
    read_text(LEDGER_FILE, &text);
    for (size_t i = 0; i < text.len; i++) {
        Err err = {0};
        text.bytes[i] ^= 1;
        write_text(LEDGER_FILE, buf_str(&text));
        int rc = open_again(&size, &err);
        if (rc != ERR_RULE && rc != ERR_SYNTAX)
            fail_msg("byte %zu: %d", i, rc);
        assert_true(err.line >= 1 && err.line <= 4);
        text.bytes[i] ^= 1;
    }
    write_text(LEDGER_FILE, buf_str(&text));
    assert_int_equal(open_again(&size, NULL), 0);
}

/* Somebody writes the ledger anew, with another key: the folder's own key tells. */
static void a_checkpoint_of_another_key_is_refused(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    uint64_t size = 0;
    Key other = key_of_seed(1);
    Ledger *ledger = NULL;

    (void)state;
    make_ledger(3, 3);
    assert_int_equal(key_file_write_as(dir, LEDGER_KEY_NAME, &other, NULL), 0);
    assert_int_equal(ledger_open(dir, &ledger, NULL), ERR_RULE);
    read_text(LEDGER_CHECKPOINT_FILE, &text);
    text.bytes[text.len - 10] ^= 3;
    write_text(LEDGER_CHECKPOINT_FILE, buf_str(&text));
    assert_int_not_equal(open_again(&size, NULL), 0);
}

/* ---- a disk that fails ---- */

/* Writes three entries, each signed. Gives how many were appended, and signed, without an error. */
static int write_three(unsigned *appended, unsigned *kept, Err *err)
{
    Ledger *ledger = NULL;
    int rc = ledger_create(dir, STR(ORIGIN), &ledger, err);

    *appended = *kept = 0;
    for (unsigned i = 0; i < 3 && rc == 0; i++) {
        rc = add_game(ledger, NOW, err);
        *appended += rc == 0;
        if (rc == 0)
            rc = ledger_checkpoint(ledger, err);
        if (rc == 0)
            *kept = i + 1;
        if (rc) { /* it has stopped */
            Err again = {0};
            assert_int_equal(add_game(ledger, NOW, &again), rc);
            assert_string_equal(again.msg, err->msg);
        }
    }
    int closed = ledger_close(ledger, err);
    return rc ? rc : closed;
}

static void fail_each_call(int kinds, bool for_ever, int why)
{
    bool failed = true;
    unsigned at = 1;

    for (; failed && at < 300; at++) {
        unsigned appended, kept;
        uint64_t size = 0;
        Err err = {0};
        disk_fault_set((DiskFault){0});
        empty_folder();
        disk_fault_set((DiskFault){kinds, at, for_ever, why});
        int rc = write_three(&appended, &kept, &err);
        failed = faulty_disk.failed > 0;
        disk_fault_set((DiskFault){0});
        assert_true(rc == 0 || (rc == ERR_IO && err.msg[0]));
        if (rc == 0 || kept > 0) {
            err = (Err){0};
            if (open_again(&size, &err))
                fail_msg("call %u: %s", at, err.msg);
            assert_true(size >= kept && size <= appended);
        } else if (open_again(&size, NULL)) { /* it was not begun, and can be */
            make_ledger(1, 1);
        }
    }
    assert_false(failed);
    assert_true(at > 10);
}

static void what_was_signed_is_there_whichever_call_fails(void **state)
{
    (void)state;
    fail_each_call(DISK_ANY, false, EIO);
    fail_each_call(DISK_ANY, true, EIO);
    fail_each_call(DISK_FULL, true, ENOSPC);
    fail_each_call(DISK_FULL, false, ENOSPC);
}

int main(void)
{
#define LEDGER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        LEDGER_TEST(a_ledger_is_gone_on_with_and_its_lines_are_canonical),
        LEDGER_TEST(the_key_is_drawn_and_its_owners_alone),
        LEDGER_TEST(what_is_not_signed_is_appended_again),
        LEDGER_TEST(only_one_process_writes_a_ledger),
        LEDGER_TEST(an_entry_that_cannot_be_written_changes_nothing),
        LEDGER_TEST(a_torn_ledger_is_kept),
        LEDGER_TEST(a_ledger_that_was_only_begun_is_begun_anew),
        LEDGER_TEST(a_ledger_that_is_shorter_than_its_checkpoint_is_refused_with_its_line),
        LEDGER_TEST(a_ledger_that_was_changed_is_refused_with_its_line),
        LEDGER_TEST(a_checkpoint_of_another_key_is_refused),
        LEDGER_TEST(what_was_signed_is_there_whichever_call_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
