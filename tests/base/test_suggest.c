#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/suggest.h"

static Str nearest(const char *word)
{
    static const char *const known[] = {"games", "players", "log-dir", "format", "quiet", "jobs"};
    Suggest near = {.word = str_of(word)};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        suggest_offer(&near, str_of(known[i]));
    return suggest_best(&near);
}

static void one_slip_finds_the_word(void **state)
{
    (void)state;
    assert_true(str_eq(nearest("gmaes"), STR("games")));
    assert_true(str_eq(nearest("game"), STR("games")));
    assert_true(str_eq(nearest("playesr"), STR("players")));
    assert_true(str_eq(nearest("logdir"), STR("log-dir")));
}

static void the_beginning_of_a_word_finds_it(void **state)
{
    (void)state;
    assert_true(str_eq(nearest("pl"), STR("players")));
}

static void an_unrelated_word_finds_nothing(void **state)
{
    (void)state;
    assert_int_equal(nearest("zebra").len, 0);
    assert_int_equal(nearest("x").len, 0);
    assert_int_equal(nearest("").len, 0);
    assert_int_equal(nearest("a-word-that-is-much-longer-than-any-known-word").len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slip_finds_the_word),
        cmocka_unit_test(the_beginning_of_a_word_finds_it),
        cmocka_unit_test(an_unrelated_word_finds_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
