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

/* What an act makes void is work, too. */
static void test_acts_are_bounded(void **state)
{
    const char *dir = *state;
    CLEANUP(buf_done) Buf heard = {0};
    const JournalListener listener = listener_of(&heard);
    OperatorAct act = {.kind = ACT_VOID, .target = ACT_OF_GAME, .at_ms = 5};
    JournalPlace place = {0};
    Journal *journal = NULL;
    bool more = true;
    int turns = 0;

    act.by = STR("organiser");
    assert_int_equal(journal_begin(dir, STR("{\"a\":1}"), &journal, NULL), 0);
    for (act.number = 0; act.number < 9; act.number++)
        assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    for (; more; turns++)
        assert_int_equal(journal_read_more(dir, &listener, 2, &place, &more, NULL), 0);
    assert_int_equal(turns, 5);
    assert_int_equal(place.lines, 10);
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

static void end_set(Journal *journal, uint64_t set)
{
    const FindingNote note = {.finding = {FINDING_NETWORK, STR("connect"), 1},
                              .agent = STR("bob"),
                              .set = set,
                              .game = set,
                              .seat = 1,
                              .day = 1,
                              .in_game = true,
                              .listed = true};

    assert_int_equal(journal_add_finding(journal, 5, &note, NULL), 0);
    write_game(journal, set);
    assert_int_equal(journal_end_findings(journal, 5, 0, set, NULL, 0, NULL), 0);
}

/* Whoever has read it goes on behind that, and what he writes is what he would have written: also
 * how long the files beside it are, and digests of what they got. Nothing before is looked at. */
static void test_goes_on_from_a_place(void **state)
{
    const char *dir = *state;
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf line = {0};
    const JournalListener listener = {.user = NULL};
    uint64_t begins[12];
    char texts[2][3000] = {{0}};
    Journal *journal = NULL;
    bool more;
    Err err = {0};

    buf_printf(&path, "%s/" JOURNAL_FILE, dir);
    for (int way = 0; way < 2; way++) { /* by reading all, and from the place */
        JournalPlace place = {0};
        assert_int_equal(journal_begin(dir, STR("{\"a\":1}"), &journal, NULL), 0);
        end_set(journal, 0);
        end_set(journal, 1);
        write_game(journal, 2);
        assert_int_equal(journal_close(journal, NULL), 0);
        for (int i = 0; i < 12 && (i == 0 || more); i++) {
            begins[i] = place.bytes;
            assert_int_equal(journal_read_more(dir, &listener, 1, &place, &more, NULL), 0);
        }
        assert_true(place.beside.findings > 0 && place.beside.ended == place.beside.findings);
        if (way == 1) { /* nobody reads it again */
            FILE *file = fopen(buf_cstr(&path), "r+");
            assert_non_null(file);
            fputs("#", file);
            assert_int_equal(fclose(file), 0);
            assert_int_equal(journal_continue(dir, &journal, NULL), ERR_SYNTAX);
        }
        if (journal_continue_from(dir, way ? &place : &(JournalPlace){.bytes = 0}, &journal, &err))
            fail_msg("%s", err.msg);
        end_set(journal, 3);
        assert_int_equal(journal_close(journal, NULL), 0);
        FILE *file = fopen(buf_cstr(&path), "r");
        assert_non_null(file);
        assert_int_equal(fseek(file, (long)place.bytes, SEEK_SET), 0);
        assert_true(fread(texts[way], 1, sizeof(texts[way]) - 1, file) > 500);
        fclose(file);
        place.bytes += 100000;
        assert_int_equal(journal_continue_from(dir, &place, &journal, NULL), ERR_SYNTAX);
        if (way == 0)
            assert_int_equal(folder_remove(dir, NULL), 0);
    }
    assert_string_equal(texts[0], texts[1]);
    /* A line by where it begins. */
    assert_int_equal(journal_read_at(dir, begins[1], &line, NULL), 0);
    assert_true(str_starts(buf_str(&line), STR("{\"record\":\"")));
    assert_true(line.bytes[line.len - 1] == '}');
    assert_int_equal(journal_read_at(dir, begins[1] + 1, &line, NULL), ERR_SYNTAX);
    FILE *file = fopen(buf_cstr(&path), "a");
    assert_non_null(file);
    const uint64_t end = (uint64_t)ftell(file);
    fputs("{\"record\":", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(journal_read_at(dir, end, &line, NULL), ERR_RULE);
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
        IN_FOLDER(test_pieces_of_any_size),   IN_FOLDER(test_acts_are_bounded),
        IN_FOLDER(test_while_it_is_written),  IN_FOLDER(test_errors_leave_the_place),
        IN_FOLDER(test_goes_on_from_a_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
