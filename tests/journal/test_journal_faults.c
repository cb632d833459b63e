/* test_journal_faults.c - each call to the disk is failed in turn, once and for ever, and what
 * journal.h promises holds after each: what was reported is there, nothing counts twice, resuming
 * goes on.
 *
 * Source: journal/journal.h, "What is on disk when the process or the machine dies at any moment".
 */
#define _GNU_SOURCE /* nftw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk_faults.h"

#include "base/buf.h"
#include "disk/log_file.h"
#include "journal/journal.h"

#include <ftw.h>
#include <stdlib.h>

#define GAMES     4u
#define CALLS_MAX 500u

static char dir[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warg-faults-XXXXXX");
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

/* ---- a program that plays GAMES games, or goes on with them ---- */

/* What a run was told: games of it that are on disk. */
typedef struct Run {
    Journal *journal;
    pthread_mutex_t mutex;
    pthread_cond_t news;
    uint64_t before; /* games of earlier runs */
    uint64_t reported;
    bool stopped;
} Run;

static void on_written(void *user)
{
    Run *run = user;

    pthread_mutex_lock(&run->mutex);
    run->reported = journal_games_written(run->journal);
    pthread_cond_signal(&run->news);
    pthread_mutex_unlock(&run->mutex);
}

/* Until this many games of the run are on disk; false when there will be no more. */
static bool wait_for(Run *run, uint64_t games)
{
    bool failed = false;

    pthread_mutex_lock(&run->mutex);
    while (run->reported < games && !failed) {
        pthread_mutex_unlock(&run->mutex);
        failed = journal_failed(run->journal, NULL) != 0;
        pthread_mutex_lock(&run->mutex);
        if (run->reported < games && !failed)
            pthread_cond_wait(&run->news, &run->mutex);
    }
    pthread_mutex_unlock(&run->mutex);
    return !failed;
}

static int add_game(Run *run, uint64_t number)
{
    const Fault fault = {FAULT_TIMEOUT, true, 3, 1, "TALK", 201449, 0, STR("")};
    GameRecord record = {.game = number};
    char log[64];

    record.result.seat_count = 1;
    record.result.names[1] = STR("ann");
    record.result.roles[1] = ROLE_SEER;
    snprintf(record.log, sizeof(record.log), "logs/%u/%u.log", (unsigned)number / 2,
             (unsigned)number);
    snprintf(log, sizeof(log), "log of game %u, whole\n", (unsigned)number);
    const FindingNote note = {.finding = {FINDING_WRITE, STR("memo.txt"), 1},
                              .agent = STR("ann"),
                              .game = number,
                              .seat = 1,
                              .in_game = true,
                              .listed = true};
    record.seats[1].findings[FINDING_WRITE] = 1;
    int rc = journal_add_fault(run->journal, 0, 0, 0, number, STR("ann"), &fault, NULL);
    if (rc == 0)
        rc = journal_add_finding(run->journal, 0, &note, NULL);
    return rc ? rc : journal_add_game(run->journal, &record, str_of(log), NULL);
}

static int count_game(void *user, const GameRecord *record, Err *err)
{
    uint64_t *count = user;

    if (record->game != *count)
        return err_set(err, ERR_RULE, "game %u stands where game %u belongs",
                       (unsigned)record->game, (unsigned)*count);
    ++*count;
    return 0;
}

/* Games in the journal, which are 0, 1, 2, ...: none is missing, none stands twice. */
static int read_games(bool there, uint64_t *ret_count, Err *err)
{
    const JournalListener listener = {.game = count_game, .user = ret_count};

    *ret_count = 0;
    return there ? journal_read(dir, &listener, NULL, err) : 0;
}

static uint64_t games_on_disk(void)
{
    uint64_t count = 0;
    Err err = {0};

    if (read_games(journal_exists(dir), &count, &err))
        fail_msg("%s after '%s'", err.msg, faulty_disk.first);
    return count;
}

/* `together`: the games wait in one queue and come to disk as they come. */
static int play(Run *run, bool together, Err *err)
{
    *run = (Run){.mutex = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER};
    const bool there = journal_exists(dir);
    int rc = read_games(there, &run->before, err);
    if (rc == 0)
        rc = there ? journal_continue(dir, &run->journal, err)
                   : journal_begin(dir, STR("{\"games\":4}"), &run->journal, err);
    if (rc)
        return rc;
    journal_on_written(run->journal, on_written, run);
    for (uint64_t game = run->before; game < GAMES && rc == 0; game++) {
        rc = add_game(run, game);
        if (rc == 0 && !together && !wait_for(run, game + 1 - run->before))
            break;
    }
    if (rc == 0)
        rc = journal_end_findings(run->journal, 0, 0, 0, NULL, 0, NULL);
    if (rc == 0)
        rc = journal_add_end(run->journal, GAMES, NULL);
    int closed = journal_close(run->journal, err);
    return rc ? rc : closed;
}

/* ---- what holds ---- */

static void text_of(const char *name, Buf *out)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    log_file_read(path, 1 << 20, out, NULL); /* what is not there is empty */
}

static unsigned lines_in(const Buf *text)
{
    unsigned lines = 0;

    for (size_t i = 0; i < text->len; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}

/* A game that counts has its log, whole, its faults and its findings. */
static void games_are_whole(uint64_t games)
{
    CLEANUP(buf_done) Buf faults = {0};
    CLEANUP(buf_done) Buf findings = {0};

    for (unsigned game = 0; game < games; game++) {
        CLEANUP(buf_done) Buf log = {0};
        char name[64];
        char text[64];
        snprintf(name, sizeof(name), "logs/%u/%u.log", game / 2, game);
        snprintf(text, sizeof(text), "log of game %u, whole\n", game);
        text_of(name, &log);
        assert_string_equal(buf_cstr(&log), text);
    }
    text_of(JOURNAL_FAULTS_FILE, &faults);
    assert_in_range(lines_in(&faults), games, GAMES + 1);
    text_of(FINDINGS_FILE, &findings);
    assert_in_range(lines_in(&findings), games, GAMES + 1);
}

static void a_second_start_plays_the_rest(void)
{
    CLEANUP(buf_done) Buf faults = {0};
    CLEANUP(buf_done) Buf findings = {0};
    CLEANUP(buf_done) Buf lines = {0};
    char digest[SHA256_HEX_BYTES];
    Err err = {0};
    Run run;

    if (play(&run, false, &err))
        fail_msg("%s after '%s'", err.msg, faulty_disk.first);
    assert_int_equal(run.before + run.reported, GAMES);
    assert_int_equal(games_on_disk(), GAMES);
    games_are_whole(GAMES);
    text_of(JOURNAL_FAULTS_FILE, &faults);
    assert_int_equal(lines_in(&faults), GAMES);
    text_of(FINDINGS_FILE, &findings);
    assert_int_equal(lines_in(&findings), GAMES);
    text_of(JOURNAL_FILE, &lines);
    assert_int_equal(sha256_hex(buf_str(&findings), digest, NULL), 0);
    assert_non_null(strstr(buf_cstr(&lines), digest)); /* at the end of the set */
    assert_non_null(strstr(buf_cstr(&lines), "\"record\":\"end\""));
}

/* One run with this fault. False when the run has fewer calls than that. */
static bool fails_well(DiskFault fault, bool together)
{
    Err err = {0};
    Run run;

    disk_fault_set(fault);
    int rc = play(&run, together, &err);
    bool failed = faulty_disk.failed > 0;
    const DiskFault none = {0};
    pthread_mutex_lock(&faulty_disk.mutex);
    faulty_disk.fault = none; /* what failed stays, to be told */
    pthread_mutex_unlock(&faulty_disk.mutex);

    uint64_t there = games_on_disk();
    if (there < run.before + run.reported)
        fail_msg("%u games reported, %u on disk after '%s'", (unsigned)(run.before + run.reported),
                 (unsigned)there, faulty_disk.first);
    games_are_whole(there);
    if (rc == 0) /* a call that may fail: all came to disk */
        assert_int_equal(there, GAMES);
    else
        assert_int_equal(rc, ERR_IO);
    if (rc && !strstr(err.msg, "'")) /* names what can't be written */
        fail_msg("'%s' after '%s'", err.msg, faulty_disk.first);
    a_second_start_plays_the_rest();
    return failed;
}

static void fail_each_call(int kinds, bool for_ever, int why, bool together, void (*prepare)(void))
{
    unsigned at = 1;
    bool failed = true;

    for (; failed && at < CALLS_MAX; at++) {
        disk_fault_set((DiskFault){0});
        empty_folder();
        if (prepare)
            prepare();
        failed = fails_well((DiskFault){kinds, at, for_ever, why}, together);
    }
    assert_false(failed);
    assert_true(at > 10);
}

/* ---- tests ---- */

static void no_game_is_lost_or_counted_twice_when_any_call_fails_once(void **state)
{
    (void)state;
    fail_each_call(DISK_ANY, false, EIO, false, NULL);
    fail_each_call(DISK_ANY, false, EIO, true, NULL);
}

static void no_game_is_lost_or_counted_twice_when_a_disk_dies_at_any_call(void **state)
{
    (void)state;
    fail_each_call(DISK_ANY, true, EIO, false, NULL);
    fail_each_call(DISK_ANY, true, EIO, true, NULL);
}

/* What is there can be cut and removed, and nothing comes to it. */
static void no_game_is_lost_or_counted_twice_when_a_disk_is_full_at_any_call(void **state)
{
    (void)state;
    fail_each_call(DISK_FULL, true, ENOSPC, false, NULL);
    fail_each_call(DISK_FULL, false, ENOSPC, true, NULL);
}

static void append_to(const char *name, const char *text)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    FILE *file = fopen(path, "ae");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A process that was killed in the third game's line: its faults are there. */
static void leave_torn_journal(void)
{
    Run run = {.mutex = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER};

    assert_int_equal(journal_begin(dir, STR("{\"games\":4}"), &run.journal, NULL), 0);
    assert_int_equal(add_game(&run, 0), 0);
    assert_int_equal(add_game(&run, 1), 0);
    assert_int_equal(journal_close(run.journal, NULL), 0);
    append_to(JOURNAL_FILE, "{\"record\":\"game\",\"sta");
    append_to(JOURNAL_FAULTS_FILE, "{\"at\":\"2026\"}\n");
}

static void a_torn_journal_is_gone_on_with_whichever_call_fails(void **state)
{
    (void)state;
    fail_each_call(DISK_ANY, false, EIO, false, leave_torn_journal);
    fail_each_call(DISK_ANY, true, EIO, false, leave_torn_journal);
    fail_each_call(DISK_FULL, true, ENOSPC, false, leave_torn_journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_game_is_lost_or_counted_twice_when_any_call_fails_once,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            no_game_is_lost_or_counted_twice_when_a_disk_dies_at_any_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            no_game_is_lost_or_counted_twice_when_a_disk_is_full_at_any_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_torn_journal_is_gone_on_with_whichever_call_fails, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
