/* A journal in pieces: of any size, and while it is being written, they give the same as all at
 * once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "disk/folder.h"
#include "journal/journal_more.h"

#include <stdlib.h>
#include <unistd.h>

#define NOTES 5 /* behind each game */

static int hear_plan(void *user, Str plan, Err *err)
{
    (void)err;
    buf_printf(user, "%.*s\n", STR_ARG(plan));
    return 0;
}

static int hear_note(void *user, Str text, Err *err)
{
    (void)err;
    buf_printf(user, "%.*s\n", STR_ARG(text));
    return str_eq(text, STR("bad")) ? ERR_RULE : 0;
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    (void)err;
    buf_printf(user, "game %llu\n", (unsigned long long)record->game);
    return 0;
}

static void write_game(Journal *journal, uint64_t game)
{
    static GameRecord record;
    Err err = {0};

    record = (GameRecord){.game = game, .ended_at_ms = 5, .result = {.seat_count = 5}};
    for (SeatNo seat = 1; seat <= 5; seat++) {
        record.result.names[seat] = STR("somebody");
        record.result.roles[seat] = seat == 1 ? ROLE_WEREWOLF : ROLE_VILLAGER;
    }
    if (journal_add_game(journal, &record, (Str){0}, &err))
        fail_msg("%s", err.msg);
    for (int i = 0; i < NOTES; i++)
        assert_int_equal(journal_add_note(journal, STR("a note"), NULL), 0);
    assert_int_equal(journal_wait(journal, NULL), 0);
}

static JournalListener listener_of(Buf *out)
{
    return (JournalListener){.plan = hear_plan, .note = hear_note, .game = hear_game, .user = out};
}

static void test_pieces_of_any_size(void **state)
{
    const char *dir = *state;
    CLEANUP(buf_done) Buf whole = {0};
    Journal *journal = NULL;
    JournalListener listener = listener_of(&whole);

    assert_int_equal(journal_begin(dir, STR("{\"a\":1}"), &journal, NULL), 0);
    for (uint64_t game = 0; game < 40; game++)
        write_game(journal, game);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(journal_read(dir, &listener, NULL, NULL), 0);
    for (uint64_t size = 1; size < 50; size += 3) {
        CLEANUP(buf_done) Buf pieces = {0};
        JournalPlace place = {0};
        bool more = true;
        listener = listener_of(&pieces);
        for (int i = 0; more && i < 100; i++)
            assert_int_equal(journal_read_more(dir, &listener, size, &place, &more, NULL), 0);
        assert_string_equal(buf_cstr(&whole), buf_cstr(&pieces));
        assert_int_equal(place.lines, 1 + 40 * (1 + NOTES));
    }
}

static void test_while_it_is_written(void **state)
{
    const char *dir = *state;
    CLEANUP(buf_done) Buf heard = {0};
    CLEANUP(buf_done) Buf path = {0};
    const JournalListener listener = listener_of(&heard);
    JournalPlace place = {0};
    Journal *journal = NULL;
    bool more = true;

    assert_int_equal(journal_read_more(dir, &listener, 10, &place, &more, NULL), 0); /* none yet */
    assert_int_equal(place.bytes, 0);
    assert_false(more);
    assert_int_equal(journal_begin(dir, STR("{\"a\":1}"), &journal, NULL), 0);
    for (uint64_t game = 0; game < 20; game++) {
        write_game(journal, game);
        assert_int_equal(journal_read_more(dir, &listener, 3, &place, &more, NULL), 0);
        assert_false(more);
        assert_int_equal(place.lines, 1 + (game + 1) * (1 + NOTES));
    }
    assert_int_equal(journal_close(journal, NULL), 0);
    /* a line without its end is left for the next time */
    buf_printf(&path, "%s/" JOURNAL_FILE, dir);
    FILE *file = fopen(buf_cstr(&path), "a");
    assert_non_null(file);
    fputs("{\"record\":\"game\",", file);
    fclose(file);
    const JournalPlace before = place;
    assert_int_equal(journal_read_more(dir, &listener, 3, &place, &more, NULL), 0);
    assert_int_equal(place.bytes, before.bytes);
}

static void test_errors_leave_the_place(void **state)
{
    const char *dir = *state;
    CLEANUP(buf_done) Buf heard = {0};
    CLEANUP(buf_done) Buf path = {0};
    const JournalListener listener = listener_of(&heard);
    JournalPlace place = {0};
    Journal *journal = NULL;
    Err err = {0};
    bool more;

    assert_int_equal(journal_begin(dir, STR("{\"a\":1}"), &journal, NULL), 0);
    write_game(journal, 0);
    assert_int_equal(journal_add_note(journal, STR("bad"), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(journal_read_more(dir, &listener, 0, &place, &more, &err), ERR_RULE);
    assert_int_equal(place.bytes, 0);
    place = (JournalPlace){.bytes = 100000, .lines = 7};
    err = (Err){0};
    assert_int_equal(journal_read_more(dir, &listener, 0, &place, &more, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "shorter than it was"));
    buf_printf(&path, "%s/" JOURNAL_FILE, dir);
    FILE *file = fopen(buf_cstr(&path), "r+");
    assert_non_null(file);
    fputs("{\"record\":\"plam\"", file);
    fclose(file);
    place = (JournalPlace){0};
    err = (Err){0};
    assert_int_equal(journal_read_more(dir, &listener, 0, &place, &more, &err), ERR_SYNTAX);
    assert_int_equal(err.line, 1);
}

static int set_up(void **state)
{
    char *dir = calloc(1, 48);

    snprintf(dir, 48, "/tmp/warg-more-XXXXXX");
    *state = dir;
    return mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
    int rc = folder_remove(*state, NULL);

    free(*state);
    return rc;
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_pieces_of_any_size),
        IN_FOLDER(test_while_it_is_written),
        IN_FOLDER(test_errors_leave_the_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
