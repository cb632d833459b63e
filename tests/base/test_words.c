/* test_words.c - words of an enum. */
#include "prop.h"

#include "base/words.h"

static const char *const words[] = {"win", "idle", "aborted"};

static void a_word_is_found_whole_and_in_its_case(void **state)
{
    (void)state;
    assert_int_equal(words_find(words, 3, STR("win")), 0);
    assert_int_equal(words_find(words, 3, STR("aborted")), 2);
    assert_int_equal(words_find(words, 3, STR("abort")), 3);
    assert_int_equal(words_find(words, 3, STR("Win")), 3);
    assert_int_equal(words_find(words, 3, STR("")), 3);
    assert_int_equal(words_find(words, 0, STR("win")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_found_whole_and_in_its_case),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
