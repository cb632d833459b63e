#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/system_line.h"

static const char *const languages[] = {"en", "ja"};

/* Every line is read again in each language, by the arguments it was written with. */
static void what_is_written_is_read_again(void **state)
{
    static const struct {
        SystemLine line;
        const char *arguments[SYSTEM_ARGUMENTS];
    } rows[] = {
        {SYSTEM_JOINED, {"Ann", "2", "6"}},
        {SYSTEM_LEFT_LOBBY, {"花が咲く", "1", "6"}},
        {SYSTEM_WAITING, {"1", "4"}},
        {SYSTEM_WAITING_BOTS, {"1", "4", "40"}},
        {SYSTEM_WAITING_END, {"4", "4", "120"}},
        {SYSTEM_NOBODY_EXECUTED, {NULL}},
        {SYSTEM_EXECUTED_AS, {"Ann", "Werewolf"}},
        {SYSTEM_EXECUTED, {"が処刑されました"}},
        {SYSTEM_WAS, {"Ann", "Seer"}},
        {SYSTEM_MURDERED, {"花子"}},
        {SYSTEM_LEFT, {"Ann"}},
        {SYSTEM_TIE, {"Ann, Bo"}},
        {SYSTEM_VOTES_FOR_NOBODY, {"Ann"}},
        {SYSTEM_VOTES_FOR, {"votes", "for"}},
        {SYSTEM_WHISPERS, {"Ann", "にが"}},
        {SYSTEM_SECONDS, {"30"}},
        {SYSTEM_OUT_OF_REACH, {NULL}},
        {SYSTEM_STOPPED, {NULL}},
        {SYSTEM_RESUMED, {NULL}},
        {SYSTEM_GOES_ON, {NULL}},
        {SYSTEM_EXTENDED, {"61"}},
        {SYSTEM_NOBODY_WON, {"1", "3"}},
        {SYSTEM_WON, {"1", "3", "Werewolves"}},
        {SYSTEM_POINTS, {"1. Ann 4, 2. Bo 0"}},
    };
    Str given[SYSTEM_ARGUMENTS], read[SYSTEM_ARGUMENTS];
    SystemLine line;

    (void)state;
    assert_int_equal(sizeof(rows) / sizeof(rows[0]), SYSTEM_LINES);
    for (size_t i = 0; i < SYSTEM_LINES; i++)
        for (int language = LLM_ENGLISH; language <= LLM_JAPANESE; language++) {
            CLEANUP(buf_done) Buf text = {0};
            for (int a = 0; a < SYSTEM_ARGUMENTS; a++)
                given[a] = str_of(rows[i].arguments[a]);
            system_line_write(rows[i].line, (LlmLanguage)language, given, &text);
            if (!system_line_read(buf_str(&text), &line, read) || line != rows[i].line)
                fail_msg("%s: not read again: %s", languages[language], buf_cstr(&text));
            for (int a = 0; a < SYSTEM_ARGUMENTS; a++)
                if (!str_eq(given[a], read[a]))
                    fail_msg("%s: argument %d of %s", languages[language], a, buf_cstr(&text));
        }
}

static void roles_and_teams_are_in_the_tables_language(void **state)
{
    static const struct {
        SystemLine line;
        const char *arguments[SYSTEM_ARGUMENTS];
        const char *english, *japanese;
    } rows[] = {
        {SYSTEM_EXECUTED_AS,
         {"Ann", "Werewolf"},
         "Ann was executed. Role: Werewolf.",
         "Ann が処刑されました。役職: 人狼。"},
        {SYSTEM_WON,
         {"2", "3", "Villagers"},
         "Round 2 of 3 is over: the Villagers have won.",
         "第2ラウンド (全3) 終了。村人の勝ちです。"},
        /* A name is no role, and a role that we don't know stays. */
        {SYSTEM_MURDERED,
         {"Werewolf"},
         "Werewolf was murdered during the night.",
         "夜の間に Werewolf が殺されました。"},
        {SYSTEM_WAS,
         {"Ann", "Witch"},
         "Ann, who was executed, was a Witch.",
         "処刑された Ann は Witch でした。"},
    };
    Str arguments[SYSTEM_ARGUMENTS];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CLEANUP(buf_done) Buf english = {0};
        CLEANUP(buf_done) Buf japanese = {0};
        for (int a = 0; a < SYSTEM_ARGUMENTS; a++)
            arguments[a] = str_of(rows[i].arguments[a]);
        system_line_write(rows[i].line, LLM_ENGLISH, arguments, &english);
        system_line_write(rows[i].line, LLM_JAPANESE, arguments, &japanese);
        assert_string_equal(buf_cstr(&english), rows[i].english);
        assert_string_equal(buf_cstr(&japanese), rows[i].japanese);
    }
}

static void other_lines_are_none_of_ours(void **state)
{
    static const char *const texts[] = {
        "",
        ".",
        "Ann votes",
        " votes for Bo.",
        "Ann votes for .",
        "Welcome to our table!",
        "Ann has joined: 2.",
        "was executed.",
        "が処刑されました。",
    };
    Str arguments[SYSTEM_ARGUMENTS];
    SystemLine line = SYSTEM_LINES;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (system_line_read(str_of(texts[i]), &line, arguments))
            fail_msg("taken for line %d: '%s'", (int)line, texts[i]);
    assert_true(system_line_read(STR("Ann votes for Bo"), &line, arguments)); /* no full stop */
    assert_int_equal(line, SYSTEM_VOTES_FOR);
    assert_true(str_eq(arguments[1], STR("Bo")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(roles_and_teams_are_in_the_tables_language),
        cmocka_unit_test(other_lines_are_none_of_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
