/* test_length.c - the worked examples of the length rules, and what always holds.
 *
 * Source: spec/nlp-division.md 5.3 and 5.4; where reference and target differ, the target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "game/length.h"
#include "prop.h"

#define NO LIMIT_NONE

typedef struct Example {
    int number;
    int32_t base;
    int32_t agent;
    int32_t left;
    int32_t mention;
    int32_t talk;
    bool words;
    bool spaces;
    const char *input;
    const char *result; /* "" = nothing is left: Over */
    int32_t left_after;
} Example;

#define TEN   "あいうえおかきくけこ"
#define LATER "あいうえお@リン かきくけこさし"
/* man, joiner, woman, joiner, girl */
#define FAMILY "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"

static const Example examples[] = {
    {1, 5, NO, 0, 5, NO, 0, 0, "おはよう、みなさん。", "おはよう、", 0},
    {2, 5, NO, 0, 5, NO, 0, 0, "お は よ う ご ざ い ます", "お は よ う ご", 0},
    {3, 5, NO, 0, 5, NO, 0, 1, "お は よ う ご ざ い ます", "お は よ", 0},
    {4, 5, NO, 0, 5, NO, 0, 0, "@タクミ あなたは誰を疑っていますか", " @タクミ  あなたは誰", 0},
    {5, 5, NO, 0, 5, NO, 0, 0, "私は占い師です @タクミ は人間でした",
     "私は占い師 @タクミ  は人間でし", 0},
    {6, 5, NO, 0, 5, NO, 0, 0, "@リン と @タクミ が怪しい", " @リン  と @タクミ", 0},
    {7, 5, NO, 0, 5, NO, 0, 0, "@ミナト は私です。", "@ミナト は", 0},
    {8, 4, NO, 0, 3, NO, 1, 0, "I think that May is the werewolf today", "I think that May", 0},
    {9, 4, NO, 0, 3, NO, 1, 0, "I  think   so", "I  think   so", 0},
    {10, 2, NO, 0, 3, NO, 1, 0, "Well then @May please tell us your role now",
     "Well then  @May please tell us", 0},
    {11, 3, 10, 5, 4, NO, 0, 0, TEN, "あいうえおかきく", -2},
    {12, 3, 10, 10, 4, NO, 0, 0, TEN, TEN, 3},
    {13, 3, 10, 3, 4, NO, 0, 0, LATER, "あいうえお @リン  かきくけこ", 0},
    {14, 10, NO, 0, 10, 7, 0, 0, LATER, "あいうえお @リン  かき", 0},
    {15, 10, NO, 0, 10, 4, 0, 0, LATER, "あいうえ", 0},
    {16, 5, NO, 0, 5, NO, 0, 0, "   ", "   ", 0},
    {17, 5, NO, 0, 5, NO, 0, 0, "", "", 0},
    {18, 6, NO, 0, 5, NO, 0, 0, FAMILY "です", FAMILY "で", 0},
    {19, 50, NO, 0, 5, NO, 0, 0, "@Mayor hello", " @Mayor  hello", 0},
    {20, NO, NO, 0, NO, 5, 0, 1, "abcdefgh", "abcde", 0},
    {21, 5, NO, 0, 5, NO, 0, 0, "@タクミ", " @タクミ ", 0},
};

/* The speaker is seat 1. */
#define NAME(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }
static const Str names[] = {NAME(""),     NAME("ミナト"), NAME("タクミ"), NAME("メイ"),
                            NAME("リン"), NAME("May"),    NAME("Mayor")};
#define SEATS 6

static LengthRules rules_of(const Example *example)
{
    return (LengthRules){.count_in_word = example->words,
                         .count_spaces = example->spaces,
                         .per_talk = example->talk,
                         .per_agent = example->agent,
                         .base_length = example->base,
                         .mention_length = example->mention};
}

static void every_worked_example_comes_out_as_written(void **state)
{
    char out[1024];

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        const Example *example = &examples[i];
        LengthRules rules = rules_of(example);
        int32_t left = example->left;
        size_t n = length_limit(&rules, str_of(example->input), names, SEATS, 1, &left, out,
                                sizeof(out) - 1);
        out[n] = '\0';
        if (strcmp(out, example->result) != 0)
            fail_msg("example %d: '%s' instead of '%s'", example->number, out, example->result);
        assert_int_equal(left, example->left_after);
    }
}

static void a_head_that_overdraws_the_allowance_leaves_no_tail(void **state)
{
    LengthRules rules = {.per_talk = NO, .per_agent = 4, .base_length = 5, .mention_length = 1};
    int32_t left = 1;
    char out[64];

    (void)state;
    size_t n = length_limit(&rules, STR("abcdefghijklm@May nopq"), names, SEATS, 1, &left, out, 64);
    assert_true(str_eq((Str){out, n}, STR("abcdef @May ")));
    assert_int_equal(left, -7);
    left = 1;
    rules.per_talk = 20;
    n = length_limit(&rules, STR("abcdefghijklm@May nopqrstuvwxyz"), names, SEATS, 1, &left, out,
                     64);
    assert_true(str_eq((Str){out, n}, STR("abcdef @May ")));
}

static void a_limit_of_zero_leaves_nothing(void **state)
{
    LengthRules rules = {.per_talk = NO, .per_agent = NO, .base_length = 0, .mention_length = 0};
    int32_t left = 0;
    char out[64];

    (void)state;
    assert_int_equal(length_limit(&rules, STR("abc"), names, SEATS, 1, &left, out, 64), 0);
    rules.count_in_word = true;
    assert_int_equal(length_limit(&rules, STR("abc"), names, SEATS, 1, &left, out, 64), 0);
    rules = (LengthRules){.count_spaces = true,
                          .per_talk = 0,
                          .per_agent = NO,
                          .base_length = NO,
                          .mention_length = NO};
    assert_int_equal(length_limit(&rules, STR("abc"), names, SEATS, 1, &left, out, 64), 0);
}

static void without_a_limit_for_it_the_text_behind_a_mention_is_free(void **state)
{
    LengthRules rules = {.per_talk = NO, .per_agent = NO, .base_length = 2, .mention_length = NO};
    int32_t left = 0;
    char out[64];

    (void)state;
    size_t n = length_limit(&rules, STR("abcd@May efghijklmnop"), names, SEATS, 1, &left, out, 64);
    assert_true(str_eq((Str){out, n}, STR("ab @May  efghijklmnop")));
}

static void any_of_three_limits_makes_a_text_limited(void **state)
{
    LengthRules rules = {.per_talk = NO, .per_agent = NO, .base_length = NO, .mention_length = 9};

    (void)state;
    assert_false(length_is_limited(&rules));
    rules.per_talk = 0;
    assert_true(length_is_limited(&rules));
    rules.per_talk = NO;
    rules.per_agent = 0;
    assert_true(length_is_limited(&rules));
    rules.per_agent = NO;
    rules.base_length = 0;
    assert_true(length_is_limited(&rules));
}

static void words_characters_and_letters_are_counted(void **state)
{
    LengthRules words = {.count_in_word = true};
    LengthRules letters = {0};
    LengthRules characters = {.count_spaces = true};
    Str text = STR(" a\xE3\x80\x80"
                   "b\xE2\x80\x8B c\n"); /* an ideographic space, and one of no width */

    (void)state;
    assert_int_equal(length_count(&words, text), 3);
    assert_int_equal(length_count(&letters, text), 4);
    assert_int_equal(length_count(&characters, text), 8);
}

static void white_space_of_any_kind_is_stripped_from_both_ends(void **state)
{
    (void)state;
    assert_true(str_eq(length_strip(STR("\xC2\xA0\xE3\x80\x80 a b\xE2\x80\xA8\n")), STR("a b")));
    assert_true(str_eq(length_strip(STR("a")), STR("a")));
    assert_int_equal(length_strip(STR(" \xE3\x80\x80")).len, 0);
    assert_int_equal(length_strip(STR("")).len, 0);
}

/* ---- for all texts ---- */

static size_t random_text(Rng *rng, unsigned size, char *text)
{
    static const char *const pieces[] = {"a",     "bc",           " ",    "  ",  "人",
                                         "狼",    "\xE3\x80\x80", "@May", "@",   "リン",
                                         "@リン", "@Mayor",       "\n",   FAMILY};
    size_t n = 0;

    for (unsigned i = 0; i < size; i++) {
        const char *piece = pieces[rng_below(rng, sizeof(pieces) / sizeof(pieces[0]))];
        memcpy(text + n, piece, strlen(piece));
        n += strlen(piece);
    }
    return n;
}

static int32_t random_limit(Rng *rng)
{
    return (int32_t)rng_below(rng, 12) - 1;
}

static bool a_result_is_never_longer_than_allowed_and_stays_utf8(Rng *rng, unsigned size)
{
    char text[2048];
    char out[2048];
    Str input = {text, random_text(rng, size, text)};
    LengthRules rules = {.count_in_word = rng_below(rng, 2) == 0,
                         .per_talk = random_limit(rng),
                         .per_agent = random_limit(rng),
                         .base_length = random_limit(rng),
                         .mention_length = random_limit(rng)};
    rules.count_spaces = !rules.count_in_word && rng_below(rng, 2) == 0;
    int32_t before = (int32_t)rng_below(rng, 12) + 1;
    int32_t left = before;
    size_t room = rng_below(rng, 4) ? sizeof(out) : rng_below(rng, 40);
    size_t n = length_limit(&rules, input, names, SEATS, 1, &left, out, room);
    Str result = {out, n};

    if (n > room || !utf8_valid(result) || left > before)
        return false;
    if (!length_is_limited(&rules))
        return room < sizeof(out) || str_eq(result, input);
    /* The mention itself is free: its name, and the blanks that are put around it. */
    int32_t free_units = 0;
    for (SeatNo seat = 2; seat <= SEATS; seat++)
        if (length_count(&rules, names[seat]) > free_units)
            free_units = length_count(&rules, names[seat]);
    free_units += 4;
    int32_t most = INT32_MAX;
    bool opened = rules.base_length != NO || rules.per_agent != NO;
    if (opened && rules.mention_length != NO)
        most = (rules.base_length != NO ? rules.base_length : 0) +
               (rules.per_agent != NO ? before : 0) + rules.mention_length + free_units;
    if (rules.per_talk != NO && rules.per_talk + free_units < most)
        most = rules.per_talk + free_units;
    return length_count(&rules, result) <= most;
}

static bool any_bytes_give_at_most_the_room(Rng *rng, unsigned size)
{
    char text[256];
    char out[256];
    LengthRules rules = {.count_in_word = rng_below(rng, 2) == 0,
                         .per_talk = random_limit(rng),
                         .per_agent = random_limit(rng),
                         .base_length = random_limit(rng),
                         .mention_length = random_limit(rng)};
    int32_t left = 5;

    for (unsigned i = 0; i < size; i++)
        text[i] = (char)rng_below(rng, 256);
    size_t room = rng_below(rng, 256);
    return length_limit(&rules, (Str){text, size}, names, SEATS, 1, &left, out, room) <= room;
}

static void results_are_never_longer_than_allowed_and_stay_utf8(void **state)
{
    (void)state;
    prop_check(a_result_is_never_longer_than_allowed_and_stays_utf8, 20000, 40);
    prop_check(any_bytes_give_at_most_the_room, 20000, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_worked_example_comes_out_as_written),
        cmocka_unit_test(a_head_that_overdraws_the_allowance_leaves_no_tail),
        cmocka_unit_test(a_limit_of_zero_leaves_nothing),
        cmocka_unit_test(without_a_limit_for_it_the_text_behind_a_mention_is_free),
        cmocka_unit_test(any_of_three_limits_makes_a_text_limited),
        cmocka_unit_test(words_characters_and_letters_are_counted),
        cmocka_unit_test(white_space_of_any_kind_is_stripped_from_both_ends),
        cmocka_unit_test(results_are_never_longer_than_allowed_and_stay_utf8),
    };

    return cmocka_run_group_tests_name("length", tests, NULL, NULL);
}
