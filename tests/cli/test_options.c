#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/options.h"

enum { GAMES, AGENT, FORMAT, QUIET, LIMIT, RULES, SEED };

static const Option table[] = {
    [GAMES] = {"games", 'g', OPTION_UINT, "N", "games to play", .fallback = "1", .min = 1,
               .max = 99},
    [AGENT] = {"agent", 'a', OPTION_LIST, "SPEC", "who plays", NULL, 0, 0},
    [FORMAT] = {"format", 0, OPTION_CHOICE, "table|json|csv", "form", .fallback = "table"},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "say nothing", NULL, 0, 0},
    [LIMIT] = {"limit", 0, OPTION_DURATION, "TIME", "time", .fallback = "2s", .max = 60000},
    [RULES] = {"rules", 'r', OPTION_TEXT, "NAME|FILE", "rules", NULL, 0, 0},
    [SEED] = {"seed", 0, OPTION_UINT, "S", "seed", NULL, 0, 0},
};
static const Usage usage = {
    "run", "[FILE...]", "Plays games.", OPTIONS(table), "warg run\n", "a game failed", NULL};
static const Usage bare = {"version", "", "Prints.", NULL, 0, NULL, NULL, NULL};

/* Parses "run" and the words; the caller frees. */
static int parse(const Usage *of, const char *const *words, Options *ret_given, Err *err)
{
    static char storage[16][64];
    static char *argv[17];
    int argc = 0;

    snprintf(storage[argc], sizeof(storage[0]), "run");
    argv[argc] = storage[argc];
    for (argc = 1; *words; words++, argc++) {
        snprintf(storage[argc], sizeof(storage[0]), "%s", *words);
        argv[argc] = storage[argc];
    }
    argv[argc] = NULL;
    return options_parse(of, argc, argv, ret_given, err);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void refused(const Usage *of, const char *const *words, const char *msg)
{
    Options given = {0};
    Err err = {0};

    assert_int_equal(parse(of, words, &given, &err), ERR_USAGE);
    assert_string_equal(err.msg, msg);
    assert_null(given.usage);
}

static void without_options_the_defaults_hold(void **state)
{
    CLEANUP(options_done) Options given = {0};

    (void)state;
    assert_int_equal(parse(&usage, (const char *const[]){NULL}, &given, NULL), 1);
    assert_int_equal(options_number(&given, GAMES), 1);
    assert_int_equal(options_number(&given, FORMAT), 0);
    assert_int_equal(options_number(&given, LIMIT), 2000);
    assert_int_equal(options_number(&given, SEED), 0);
    assert_false(options_has(&given, QUIET));
    assert_false(options_has(&given, SEED));
    assert_null(options_text(&given, RULES));
    assert_null(options_item(&given, AGENT, 0));
    assert_int_equal(given.argument_count, 0);
}

static void every_kind_of_value_is_read(void **state)
{
    CLEANUP(options_done) Options given = {0};

    (void)state;
    assert_int_equal(parse(&usage,
                           WORDS("--games", "5", "--format=csv", "-q", "--limit", "500ms", "-rmine",
                                 "--seed", "18446744073709551615"),
                           &given, NULL),
                     1);
    assert_int_equal(options_number(&given, GAMES), 5);
    assert_int_equal(options_number(&given, FORMAT), 2);
    assert_int_equal(options_number(&given, QUIET), 1);
    assert_int_equal(options_number(&given, LIMIT), 500);
    assert_string_equal(options_text(&given, RULES), "mine");
    assert_true(options_number(&given, SEED) == UINT64_MAX);
}

static void the_last_value_counts_but_a_list_keeps_all(void **state)
{
    CLEANUP(options_done) Options given = {0};

    (void)state;
    assert_int_equal(
        parse(&usage, WORDS("-a", "x", "-g2", "--agent=y", "-g3", "-a", "z"), &given, NULL), 1);
    assert_int_equal(options_number(&given, GAMES), 3);
    assert_string_equal(options_item(&given, AGENT, 0), "x");
    assert_string_equal(options_item(&given, AGENT, 1), "y");
    assert_string_equal(options_item(&given, AGENT, 2), "z");
    assert_null(options_item(&given, AGENT, 3));
}

static void arguments_and_options_may_be_mixed(void **state)
{
    CLEANUP(options_done) Options given = {0};

    (void)state;
    assert_int_equal(parse(&usage, WORDS("a.log", "-q", "b.log", "--", "--games"), &given, NULL),
                     1);
    assert_true(options_has(&given, QUIET));
    assert_int_equal(given.argument_count, 3);
    assert_string_equal(given.arguments[0], "a.log");
    assert_string_equal(given.arguments[1], "b.log");
    assert_string_equal(given.arguments[2], "--games");
}

static void one_table_after_another_starts_anew(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        CLEANUP(options_done) Options given = {0};
        CLEANUP(options_done) Options other = {0};

        assert_int_equal(parse(&usage, WORDS("-q", "x"), &given, NULL), 1);
        assert_int_equal(given.argument_count, 1);
        assert_int_equal(parse(&bare, (const char *const[]){NULL}, &other, NULL), 1);
        refused(&usage, WORDS("-qz"), "'run' has no option '-z'");
    }
}

static void a_wrong_option_gets_the_nearest_name(void **state)
{
    (void)state;
    refused(&usage, WORDS("--gmaes", "5"),
            "'run' has no option '--gmaes': did you mean '--games'?");
    refused(&usage, WORDS("--formt=json"),
            "'run' has no option '--formt': did you mean '--format'?");
    refused(&usage, WORDS("--zebra"), "'run' has no option '--zebra'");
    refused(&bare, WORDS("-g"), "'version' has no option '-g'");
}

static void a_wrong_value_says_what_is_expected(void **state)
{
    (void)state;
    refused(&usage, WORDS("--games", "0"), "option '--games' takes a number from 1 to 99, not '0'");
    refused(&usage, WORDS("-g", "x"), "option '--games' takes a number from 1 to 99, not 'x'");
    refused(&usage, WORDS("--seed", "-1"), "option '--seed' takes a number from 0 on, not '-1'");
    refused(&usage, WORDS("--format", "jsno"),
            "option '--format' takes one of table|json|csv, not 'jsno': did you mean 'json'?");
    refused(&usage, WORDS("--limit", "5"),
            "option '--limit' takes a duration such as 500ms, 10s, 2m or 1h, not '5'");
    refused(&usage, WORDS("--limit", "2m"),
            "option '--limit' takes a duration from 0ms to 60000ms, not '2m'");
    refused(&usage, WORDS("--rules", ""), "option '--rules' takes NAME|FILE, not an empty text");
}

static void h_is_help_unless_an_option_has_that_letter(void **state)
{
    static const Option with_h[] = {{"host", 'h', OPTION_TEXT, "HOST", "where", NULL, 0, 0}};
    static const Usage contest = {"bot", "", "Plays.", OPTIONS(with_h), NULL, NULL, NULL};
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    assert_int_equal(parse(&contest, WORDS("-h", "there"), &given, NULL), 1);
    assert_string_equal(options_text(&given, 0), "there");
    refused(&contest, WORDS("-h"), "option '--host' needs a value: --host HOST");
    options_help(&contest, &text);
    assert_non_null(strstr(buf_cstr(&text), "  -h, --host HOST"));
    assert_non_null(strstr(buf_cstr(&text), "      --help"));
    assert_null(strstr(buf_cstr(&text), "-h, --help"));
}

static void a_missing_or_unwanted_value_is_refused(void **state)
{
    (void)state;
    refused(&usage, WORDS("--games"), "option '--games' needs a value: --games N");
    refused(&usage, WORDS("-g"), "option '--games' needs a value: --games N");
    refused(&usage, WORDS("--quiet=yes"), "option '--quiet' takes no value");
    refused(&usage, WORDS("--help=x"), "option '--help' takes no value");
    refused(&bare, WORDS("x"), "'version' takes no argument, but got 'x'");
}

static void help_shows_every_option_and_its_default(void **state)
{
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    options_help(&usage, &text);
    const char *help = buf_cstr(&text);
    assert_non_null(strstr(help, "Usage: warg run [OPTION...] [FILE...]\n"));
    assert_non_null(strstr(help, "  -g, --games N           games to play (default: 1)\n"));
    assert_non_null(strstr(help, "      --format table|json|csv\n"));
    assert_non_null(strstr(help, "who plays (may be given again)\n"));
    assert_non_null(strstr(help, "Examples:\n  warg run\n"));
    assert_non_null(strstr(help, "  1  a game failed\n"));
}

static int checked(int argc, char **argv, Err *err)
{
    (void)argv;
    (void)err;
    return argc;
}

static void a_verb_is_found_or_suggested(void **state)
{
    static const Usage verbs[] = {
        {"lang check", "", "Checks.", NULL, 0, NULL, NULL, checked},
        {"lang explain", "", "Explains.", NULL, 0, NULL, NULL, checked},
        {0},
    };
    char lang[] = "lang";
    char check[] = "check";
    char chekc[] = "chekc";
    char zebra[] = "zebra";
    Err err = {0};

    (void)state;
    assert_int_equal(options_run_verb("lang", verbs, 3, (char *[]){lang, check, zebra}, &err), 2);
    assert_int_equal(options_run_verb("lang", verbs, 2, (char *[]){lang, chekc}, &err), ERR_USAGE);
    assert_string_equal(err.msg, "'lang' has no verb 'chekc': did you mean 'check'?");
    err = (Err){0};
    assert_int_equal(options_run_verb("lang", verbs, 2, (char *[]){lang, zebra}, &err), ERR_USAGE);
    assert_string_equal(err.msg, "'lang' has no verb 'zebra', only: check, explain");
    err = (Err){0};
    assert_int_equal(options_run_verb("lang", verbs, 1, (char *[]){lang}, &err), ERR_USAGE);
    assert_string_equal(err.msg, "'lang' needs a verb: check, explain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_options_the_defaults_hold),
        cmocka_unit_test(every_kind_of_value_is_read),
        cmocka_unit_test(the_last_value_counts_but_a_list_keeps_all),
        cmocka_unit_test(arguments_and_options_may_be_mixed),
        cmocka_unit_test(one_table_after_another_starts_anew),
        cmocka_unit_test(a_wrong_option_gets_the_nearest_name),
        cmocka_unit_test(a_wrong_value_says_what_is_expected),
        cmocka_unit_test(h_is_help_unless_an_option_has_that_letter),
        cmocka_unit_test(a_missing_or_unwanted_value_is_refused),
        cmocka_unit_test(help_shows_every_option_and_its_default),
        cmocka_unit_test(a_verb_is_found_or_suggested),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
