/* test_journal_disk.c - what the journal brings to disk, in which order, and what a failure of each
 * call does.
 *
 * Source: journal/journal.h, "Durable". The fsync of this program stands before that of the C
 *         library: it notes the file's name, and fails where a test wants that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "disk/log_file.h"
#include "journal/journal.h"

/* The journal's thread syncs too. */
static struct {
    pthread_mutex_t mutex;
    char dir[64];
    char text[4096]; /* "NAME " for each call, "." is the folder */
    unsigned calls;
    unsigned fail_at; /* number of the call that fails, from 1; 0 = none */
} disk = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* The part of the open file's path behind the folder. */
static void note_sync(int fd)
{
    char link[64];
    char path[512];
    size_t used = strlen(disk.text);

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, path, sizeof(path) - 1);
    path[len > 0 ? len : 0] = '\0';
    size_t top = strlen(disk.dir);
    const char *name = strncmp(path, disk.dir, top) != 0 ? path
                       : path[top] == '/'                ? path + top + 1
                                                         : ".";
    snprintf(disk.text + used, sizeof(disk.text) - used, "%s ", name);
}

int fsync(int fd)
{
    pthread_mutex_lock(&disk.mutex);
    note_sync(fd);
    bool fails = ++disk.calls == disk.fail_at;
    pthread_mutex_unlock(&disk.mutex);
    if (fails) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

static void begin_noting(unsigned fail_at)
{
    pthread_mutex_lock(&disk.mutex);
    disk.text[0] = '\0';
    disk.calls = 0;
    disk.fail_at = fail_at;
    pthread_mutex_unlock(&disk.mutex);
}

/* ---- a folder, and one game with a log and a fault ---- */

static int set_up(void **state)
{
    (void)state;
    snprintf(disk.dir, sizeof(disk.dir), "/tmp/warg-disk-XXXXXX");
    return mkdtemp(disk.dir) ? 0 : -1;
}

static void remove_all(const char *dir)
{
    DIR *listing = opendir(dir);

    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char path[512];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
        if (unlink(path) != 0)
            remove_all(path);
    }
    if (listing)
        closedir(listing);
    rmdir(dir);
}

static int tear_down(void **state)
{
    (void)state;
    remove_all(disk.dir);
    return 0;
}

static GameRecord small_game(const char *log)
{
    GameRecord record = {.game = 7};

    record.result.seat_count = 1;
    record.result.names[1] = STR("ann");
    record.result.roles[1] = ROLE_SEER;
    snprintf(record.log, sizeof(record.log), "%s", log);
    return record;
}

static int add_game_with_log(Journal *journal)
{
    const GameRecord record = small_game("logs/0/7.log");
    const Fault fault = {FAULT_TIMEOUT, true, 3, 1, "TALK", 201449, 0, STR("")};

    int rc = journal_add_fault(journal, 0, 0, 0, 7, STR("ann"), &fault, NULL);
    return rc ? rc : journal_add_game(journal, &record, STR("text\n"), NULL);
}

static void begin_journal(Journal **journal)
{
    Err err = {0};

    if (journal_begin(disk.dir, STR("{\"games\":1}"), journal, &err))
        fail_msg("%s", err.msg);
}

/* ---- tests ---- */

/* A file's name is on disk when its folder was brought there. */
static void the_first_line_and_the_journals_name_are_on_disk_when_it_has_begun(void **state)
{
    Journal *journal = NULL;

    (void)state;
    begin_noting(0);
    begin_journal(&journal);
    assert_string_equal(disk.text, "journal.jsonl journal.jsonl . ");
    assert_int_equal(journal_close(journal, NULL), 0);
}

/* A folder's name is in the one above it. */
static void the_names_of_folders_that_were_made_are_on_disk_too(void **state)
{
    char dir[128];
    Journal *journal = NULL;

    (void)state;
    snprintf(dir, sizeof(dir), "%s/new//inner/", disk.dir);
    begin_noting(0);
    assert_int_equal(journal_begin(dir, STR("{\"games\":1}"), &journal, NULL), 0);
    assert_string_equal(disk.text,
                        "new . new/inner/journal.jsonl new/inner/journal.jsonl new/inner ");
    assert_int_equal(journal_close(journal, NULL), 0);
    for (unsigned fail_at = 1; fail_at <= 5; fail_at++) {
        remove_all(disk.dir);
        assert_int_equal(mkdir(disk.dir, 0700), 0);
        begin_noting(fail_at);
        assert_int_equal(journal_begin(dir, STR("{\"games\":1}"), &journal, NULL), ERR_IO);
    }
    begin_noting(0);
}

/* What a kill has left behind is cut off, and nothing is added before that is on disk. */
static void what_is_gone_on_with_is_on_disk_before_anything_is_added(void **state)
{
    Journal *journal = NULL;

    (void)state;
    begin_journal(&journal);
    assert_int_equal(add_game_with_log(journal), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    begin_noting(0);
    assert_int_equal(journal_continue(disk.dir, &journal, NULL), 0);
    assert_string_equal(disk.text, "journal.jsonl faults.jsonl . ");
    assert_int_equal(journal_close(journal, NULL), 0);
    for (unsigned fail_at = 1; fail_at <= 3; fail_at++) {
        begin_noting(fail_at);
        assert_int_equal(journal_continue(disk.dir, &journal, NULL), ERR_IO);
    }
    begin_noting(0);
}

/* The line that counts the game comes last: what it names is on disk before. */
static void log_folders_faults_and_line_of_a_game_come_to_disk_in_this_order(void **state)
{
    Journal *journal = NULL;

    (void)state;
    begin_journal(&journal);
    begin_noting(0);
    assert_int_equal(add_game_with_log(journal), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_string_equal(disk.text, ". logs logs/0/7.log logs/0 faults.jsonl journal.jsonl ");
}

/* The file of findings is made with the first, and its name is on disk before that. */
static void a_finding_comes_to_disk_before_the_line_of_its_game(void **state)
{
    const FindingNote note = {.finding = {FINDING_WRITE, STR("x"), 1},
                              .agent = STR("ann"),
                              .game = 7,
                              .seat = 1,
                              .in_game = true,
                              .listed = true};
    Journal *journal = NULL;

    (void)state;
    begin_journal(&journal);
    begin_noting(0);
    assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    assert_int_equal(add_game_with_log(journal), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_string_equal(disk.text,
                        ". logs logs/0/7.log logs/0 faults.jsonl . findings.jsonl journal.jsonl ");
    begin_noting(0);
    assert_int_equal(journal_continue(disk.dir, &journal, NULL), 0);
    assert_string_equal(disk.text, "journal.jsonl faults.jsonl findings.jsonl . ");
    assert_int_equal(journal_close(journal, NULL), 0);
}

static void a_line_alone_is_brought_to_disk(void **state)
{
    Journal *journal = NULL;

    (void)state;
    begin_journal(&journal);
    begin_noting(0);
    assert_int_equal(journal_add_note(journal, STR("n"), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_string_equal(disk.text, "journal.jsonl ");
}

/* What the journal says when it tells of something. */
typedef struct Told {
    Journal *journal;
    uint64_t games;
} Told;

static void on_written(void *user)
{
    Told *told = user;

    told->games = journal_games_written(told->journal);
}

/* A line says that all that belongs to it is on disk, so there must be none. */
static bool has_line_of_game(void)
{
    CLEANUP(buf_done) Buf text = {0};
    char path[128];

    snprintf(path, sizeof(path), "%s/" JOURNAL_FILE, disk.dir);
    assert_int_equal(log_file_read(path, 1 << 20, &text, NULL), 0);
    return strstr(buf_cstr(&text), "logs/0/7.log") != NULL;
}

static void no_game_counts_when_any_of_its_files_did_not_come_to_disk(void **state)
{
    unsigned calls = 6; /* as above */

    (void)state;
    for (unsigned fail_at = 1; fail_at <= calls + 1; fail_at++) {
        Told told = {0};
        bool fails = fail_at <= calls;

        begin_journal(&told.journal);
        journal_on_written(told.journal, on_written, &told);
        begin_noting(fail_at);
        assert_int_equal(add_game_with_log(told.journal), 0);
        assert_int_equal(journal_close(told.journal, NULL), fails ? ERR_IO : 0);
        assert_int_equal(told.games, !fails);
        assert_int_equal(has_line_of_game(), !fails);
        begin_noting(0);
        remove_all(disk.dir);
        assert_int_equal(mkdir(disk.dir, 0700), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            the_first_line_and_the_journals_name_are_on_disk_when_it_has_begun, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_names_of_folders_that_were_made_are_on_disk_too, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_gone_on_with_is_on_disk_before_anything_is_added,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            log_folders_faults_and_line_of_a_game_come_to_disk_in_this_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_finding_comes_to_disk_before_the_line_of_its_game, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_line_alone_is_brought_to_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_game_counts_when_any_of_its_files_did_not_come_to_disk,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
