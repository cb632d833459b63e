#define _GNU_SOURCE /* nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "maw/maw_files.h"

#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#define BYTES_MAX ((size_t)1024 * 1024)

static int in_a_folder(void **state)
{
    static char folder[] = "/tmp/maw-files-XXXXXX";

    memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *where)
{
    (void)entry;
    (void)kind;
    (void)where;
    return remove(path);
}

static int out_of_it(void **state)
{
    return chdir("/") == 0 ? nftw(*state, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : -1;
}

static void assert_file(const char *path, const char *text)
{
    CLEANUP(buf_done) Buf file = {0};

    assert_int_equal(log_file_read(path, BYTES_MAX, &file, NULL), 0);
    assert_string_equal(buf_cstr(&file), text);
}

static void an_event_is_in_the_file_before_the_next_step(void **state)
{
    MawFiles *files = NULL;

    (void)state;
    assert_int_equal(maw_files_open("a/b", (Str){0}, &files, NULL), 0);
    maw_files_record(files, STR("{\"seq\":0}"));
    assert_file("a/b/session.jsonl", "{\"seq\":0}\n");
    maw_files_record(files, STR("{\"seq\":1}"));
    assert_file("a/b/session.jsonl", "{\"seq\":0}\n{\"seq\":1}\n");
    assert_int_equal(maw_files_failed(files, NULL), 0);
    maw_files_free(files);
}

static void each_room_and_phase_has_its_archive_of_whole_lines(void **state)
{
    MawFiles *files = NULL;

    (void)state;
    assert_int_equal(maw_files_open("d", (Str){0}, &files, NULL), 0);
    maw_files_room_line(files, "Village", 1, 1, STR("Ann"), STR("hello"));
    maw_files_room_line(files, "Hideout", 1, 2, STR("Bo"), STR("two\nlines\tand a tab"));
    maw_files_room_line(files, "Village", 1, 1, (Str){0}, STR("Ann votes for Bo."));
    maw_files_room_line(files, "../Lobby", 2, 0, STR("Cy"), STR("hm"));
    assert_file("d/rooms/r1-1-village.txt", "Ann: hello\n* Ann votes for Bo.\n");
    assert_file("d/rooms/r1-2-hideout.txt", "Bo: two lines and a tab\n");
    assert_file("d/rooms/r2-0-lobby.txt", "Cy: hm\n");
    maw_files_free(files);
}

static int hear_round(void *user, const GameRecord *record, Err *err)
{
    unsigned *rounds = user;

    (void)err;
    assert_int_equal(record->division, DIVISION_MAW);
    assert_string_equal(record->log, "session.jsonl");
    (*rounds)++;
    return 0;
}

static void a_round_is_in_the_journal_when_it_was_given(void **state)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    MawFiles *files = NULL;
    unsigned rounds = 0;
    const JournalListener listener = {.game = hear_round, .user = &rounds};

    (void)state;
    *record = (GameRecord){.division = DIVISION_MAW,
                           .result = {.seat_count = 3,
                                      .roles = {0, ROLE_WEREWOLF, ROLE_VILLAGER, ROLE_SEER},
                                      .names = {{0}, STR("Ann"), STR("Bo"), STR("Cy")}}};
    assert_int_equal(maw_files_open("j", (Str){0}, &files, NULL), 0);
    maw_files_game(files, record);
    assert_int_equal(maw_files_failed(files, NULL), 0);
    assert_int_equal(journal_read("j", &listener, NULL, NULL), 0);
    assert_int_equal(rounds, 1);
    maw_files_free(files);
}

static void a_folder_with_other_results_is_left_alone(void **state)
{
    MawFiles *files = NULL;
    Journal *journal = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(journal_begin("k", STR("{}"), &journal, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(maw_files_open("k", (Str){0}, &files, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "results of something else"));
    assert_int_not_equal(access("k/session.jsonl", F_OK), 0);
}

static void the_leaderboard_is_replaced(void **state)
{
    MawFiles *files = NULL;

    (void)state;
    assert_int_equal(maw_files_open("e", (Str){0}, &files, NULL), 0);
    maw_files_leaderboard(files, STR("{\"a\":1}\n"));
    maw_files_leaderboard(files, STR("{}\n"));
    assert_file("e/leaderboard.json", "{}\n");
    maw_files_free(files);
}

static void a_folder_with_a_session_is_left_alone(void **state)
{
    MawFiles *files = NULL;
    MawFiles *again = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(maw_files_open("f", (Str){0}, &files, NULL), 0);
    maw_files_record(files, STR("{}"));
    maw_files_free(files);
    assert_int_equal(maw_files_open("f", (Str){0}, &again, &err), ERR_USAGE);
    assert_null(again);
    assert_non_null(strstr(err.msg, "holds a session already"));
    assert_file("f/session.jsonl", "{}\n");
    assert_int_equal(maw_files_open("f/session.jsonl/x", (Str){0}, &again, NULL), ERR_IO);
}

static void what_does_not_fit_on_the_disk_is_taken_back_and_told_and_ends_the_record(void **state)
{
    MawFiles *files = NULL;
    struct rlimit before, small = {.rlim_cur = 100};
    char text[80];
    Err err = {0};

    (void)state;
    memset(text, 'x', sizeof(text));
    assert_int_equal(maw_files_open("g", (Str){0}, &files, NULL), 0);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    maw_files_record(files, STR("{\"seq\":0}"));
    maw_files_record(files, (Str){text, sizeof(text)});
    maw_files_record(files, (Str){text, sizeof(text)}); /* only a part has room */
    maw_files_record(files, STR("{}"));                 /* would fit, but leave a gap */
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(maw_files_failed(files, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "session.jsonl"));
    maw_files_free(files);

    CLEANUP(buf_done) Buf file = {0};
    assert_int_equal(log_file_read("g/session.jsonl", BYTES_MAX, &file, NULL), 0);
    assert_int_equal(file.len, 10 + 81);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_is_in_the_file_before_the_next_step),
        cmocka_unit_test(each_room_and_phase_has_its_archive_of_whole_lines),
        cmocka_unit_test(a_round_is_in_the_journal_when_it_was_given),
        cmocka_unit_test(a_folder_with_other_results_is_left_alone),
        cmocka_unit_test(the_leaderboard_is_replaced),
        cmocka_unit_test(a_folder_with_a_session_is_left_alone),
        cmocka_unit_test(what_does_not_fit_on_the_disk_is_taken_back_and_told_and_ends_the_record),
    };

    return cmocka_run_group_tests(tests, in_a_folder, out_of_it);
}
