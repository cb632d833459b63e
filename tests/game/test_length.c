/* test_length.c - the worked examples of the length rules, and what always holds.
 *
 * Source: docs/spec/nlp-division.md 5.3 and 5.4; where reference and target differ, the target. */
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

/* ---- the rules once more, slow and plain: 5.3 as it is written ---- */

#define PLAIN_MAX 1024

/* A text as code points. */
typedef struct Plain {
    uint32_t at[PLAIN_MAX];
    size_t n;
} Plain;

static void plain_add(Plain *text, uint32_t c)
{
    assert_true(text->n < PLAIN_MAX);
    text->at[text->n++] = c;
}

static Plain plain_of(Str text)
{
    Plain plain = {.n = 0};

    for (size_t i = 0; i < text.len;) {
        unsigned char c = (unsigned char)text.bytes[i++];
        uint32_t value = c < 0x80 ? c : c < 0xE0 ? c & 0x1Fu : c < 0xF0 ? c & 0x0Fu : c & 0x07u;
        for (; i < text.len && ((unsigned char)text.bytes[i] & 0xC0) == 0x80; i++)
            value = value << 6 | ((unsigned char)text.bytes[i] & 0x3Fu);
        plain_add(&plain, value);
    }
    return plain;
}

static Plain plain_part(const Plain *text, size_t from, size_t to)
{
    Plain part = {.n = 0};

    for (size_t i = from; i < to; i++)
        plain_add(&part, text->at[i]);
    return part;
}

static bool plain_same(const Plain *a, const Plain *b)
{
    return a->n == b->n && memcmp(a->at, b->at, a->n * sizeof(a->at[0])) == 0;
}

/* White_Space of the Unicode database, one by one. */
static bool plain_blank(uint32_t c)
{
    static const uint32_t blanks[] = {0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x20,   0x85,
                                      0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
                                      0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028,
                                      0x2029, 0x202F, 0x205F, 0x3000};

    for (size_t i = 0; i < sizeof(blanks) / sizeof(blanks[0]); i++)
        if (blanks[i] == c)
            return true;
    return false;
}

/* The word that begins at or behind *at; false when there is none. */
static bool plain_word(const Plain *text, size_t *at, Plain *ret_word)
{
    size_t from = *at;

    while (from < text->n && plain_blank(text->at[from]))
        from++;
    for (*at = from; *at < text->n && !plain_blank(text->at[*at]);)
        ++*at;
    *ret_word = plain_part(text, from, *at);
    return *at > from;
}

static int32_t plain_count(const LengthRules *rules, const Plain *text)
{
    int32_t count = 0;
    size_t at = 0;
    Plain word;

    if (rules->count_in_word) {
        while (plain_word(text, &at, &word))
            count++;
        return count;
    }
    for (; at < text->n; at++)
        count += rules->count_spaces || !plain_blank(text->at[at]);
    return count;
}

static Plain plain_trim(const LengthRules *rules, const Plain *text, int32_t limit)
{
    Plain cut = {.n = 0};
    size_t at = 0;
    Plain word;

    if (limit < 0) /* overdrawn: as if nothing were left */
        limit = 0;
    if (plain_count(rules, text) <= limit)
        return *text;
    if (rules->count_in_word) {
        for (int32_t i = 0; i < limit && plain_word(text, &at, &word); i++) {
            if (i > 0)
                plain_add(&cut, ' ');
            for (size_t k = 0; k < word.n; k++)
                plain_add(&cut, word.at[k]);
        }
        return cut;
    }
    /* The shortest start that has all the units there may be. */
    while (plain_count(rules, &cut) < limit)
        plain_add(&cut, text->at[at++]);
    return cut;
}

/* Where `name` is mentioned first, or -1. */
static long plain_find(const Plain *text, const Plain *name)
{
    for (size_t at = 0; at + 1 + name->n <= text->n; at++) {
        Plain there = plain_part(text, at + 1, at + 1 + name->n);
        if (text->at[at] == '@' && plain_same(&there, name))
            return (long)at;
    }
    return -1;
}

/* Which seat's mention counts: all are found, then all but the best are dropped. */
static SeatNo plain_mention(const LengthRules *rules, const Plain *text, const Plain *all,
                            SeatNo seats, SeatNo speaker)
{
    long places[SEAT_MAX + 1];
    long leftmost = -1;
    SeatNo best = SEAT_NONE;

    for (SeatNo seat = 1; seat <= seats; seat++) {
        places[seat] = seat == speaker ? -1 : plain_find(text, &all[seat]);
        if (places[seat] >= 0 && (leftmost < 0 || places[seat] < leftmost))
            leftmost = places[seat];
    }
    for (SeatNo seat = seats; seat >= 1; seat--) { /* so the lowest stays */
        if (places[seat] < 0 || (rules->mention != MENTION_LOWEST && places[seat] != leftmost))
            continue;
        if (rules->mention == MENTION_LONGEST && best && all[best].n > all[seat].n)
            continue;
        best = seat;
    }
    return best;
}

/* What goes beyond `limit` is paid for; returns what is left. */
static int32_t plain_pay(const LengthRules *rules, int32_t count, int32_t limit, int32_t left)
{
    return rules->per_agent != NO && count > limit ? left - (count - limit) : left;
}

/* process(text), 5.3, with its targets. */
static Plain plain_process(const LengthRules *rules, const Plain *text, const Plain *all,
                           SeatNo seats, SeatNo speaker, int32_t *left)
{
    Plain common = *text;
    Plain tail = {.n = 0};
    SeatNo mention = SEAT_NONE;
    int32_t base = rules->base_length != NO ? rules->base_length : 0;

    if (rules->per_agent != NO || rules->base_length != NO) {
        int32_t more = rules->per_agent != NO ? *left : 0;
        mention = plain_mention(rules, text, all, seats, speaker);
        if (mention) {
            size_t at = (size_t)plain_find(text, &all[mention]);
            common = plain_part(text, 0, at);
            tail = plain_part(text, at + 1 + all[mention].n, text->n);
        }
        *left = plain_pay(rules, plain_count(rules, &common), base, *left);
        common = plain_trim(rules, &common, base + more);
        if (mention && rules->mention_length != NO) {
            more = rules->per_agent != NO ? *left : 0;
            tail = plain_trim(rules, &tail, rules->mention_length + more);
            *left = plain_pay(rules, plain_count(rules, &tail), rules->mention_length, *left);
        }
    }
    int32_t talk = rules->per_talk;
    int32_t of_common = plain_count(rules, &common);
    if (talk != NO && of_common + plain_count(rules, &tail) > talk) {
        if (of_common > talk) {
            mention = SEAT_NONE;
            common = plain_trim(rules, &common, talk);
        } else {
            tail = plain_trim(rules, &tail, talk - of_common);
        }
    }
    if (!mention)
        return common;
    plain_add(&common, ' ');
    plain_add(&common, '@');
    for (size_t i = 0; i < all[mention].n; i++)
        plain_add(&common, all[mention].at[i]);
    plain_add(&common, ' ');
    for (size_t i = 0; i < tail.n; i++)
        plain_add(&common, tail.at[i]);
    return common;
}

static size_t plain_bytes(const Plain *text, char *out)
{
    size_t n = 0;

    for (size_t i = 0; i < text->n; i++) {
        uint32_t c = text->at[i];
        if (c < 0x80) {
            out[n++] = (char)c;
        } else if (c < 0x800) {
            out[n++] = (char)(0xC0 | c >> 6);
            out[n++] = (char)(0x80 | (c & 0x3F));
        } else if (c < 0x10000) {
            out[n++] = (char)(0xE0 | c >> 12);
            out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
            out[n++] = (char)(0x80 | (c & 0x3F));
        } else {
            out[n++] = (char)(0xF0 | c >> 18);
            out[n++] = (char)(0x80 | (c >> 12 & 0x3F));
            out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
            out[n++] = (char)(0x80 | (c & 0x3F));
        }
    }
    return n;
}

static void every_worked_example_is_what_the_plain_rules_give(void **state)
{
    Plain all[SEATS + 1];
    char out[1024];

    (void)state;
    for (SeatNo seat = 0; seat <= SEATS; seat++)
        all[seat] = plain_of(names[seat]);
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        LengthRules rules = rules_of(&examples[i]);
        Plain text = plain_of(str_of(examples[i].input));
        int32_t left = examples[i].left;
        Plain result = plain_process(&rules, &text, all, SEATS, 1, &left);
        out[plain_bytes(&result, out)] = '\0';
        assert_string_equal(out, examples[i].result);
        assert_int_equal(left, examples[i].left_after);
    }
}

/* Mentions, names that begin like others, emoji of several code points, marks that combine, and
 * every kind of white space beside two that look like it and are none. */
static size_t many_sided_text(Rng *rng, unsigned size, char *text)
{
    static const char *const pieces[] = {"a",
                                         "bc",
                                         "人",
                                         "狼、",
                                         "@",
                                         "@@",
                                         "@May",
                                         "@Mayo",
                                         "@Mayor",
                                         "@リン",
                                         "@リ",
                                         "@ミナト",
                                         "@タクミ ",
                                         "@メイさん",
                                         "リン",
                                         "May",
                                         FAMILY,
                                         "\xF0\x9F\x87\xAF\xF0\x9F\x87\xB5",
                                         "\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD",
                                         "e\xCC\x81",
                                         "\xE3\x81\x8B\xE3\x82\x99",
                                         "\xCC\x88",
                                         "\xEF\xBB\xBF",
                                         "\xEF\xBF\xBD",
                                         "\xE2\x80\x8B",
                                         "\xE2\x80\x8D",
                                         "\xE1\xA0\x8E",
                                         " ",
                                         " ",
                                         "  ",
                                         "\t",
                                         "\n",
                                         "\r\n",
                                         "\v\f",
                                         "\xC2\x85",
                                         "\xC2\xA0",
                                         "\xE1\x9A\x80",
                                         "\xE2\x80\x80\xE2\x80\x81\xE2\x80\x82",
                                         "\xE2\x80\x83\xE2\x80\x84",
                                         "\xE2\x80\x85\xE2\x80\x86",
                                         "\xE2\x80\x87\xE2\x80\x88",
                                         "\xE2\x80\x89\xE2\x80\x8A",
                                         "\xE2\x80\xA8",
                                         "\xE2\x80\xA9",
                                         "\xE2\x80\xAF",
                                         "\xE2\x81\x9F",
                                         "\xE3\x80\x80"};
    size_t n = 0;

    for (unsigned i = 0; i < size; i++) {
        const char *piece = pieces[rng_below(rng, sizeof(pieces) / sizeof(pieces[0]))];
        memcpy(text + n, piece, strlen(piece));
        n += strlen(piece);
    }
    return n;
}

static bool both_ways_to_limit_a_text_agree(Rng *rng, unsigned size)
{
    char text[2048];
    char expected[4 * PLAIN_MAX];
    char out[4 * PLAIN_MAX];
    Str input = {text, many_sided_text(rng, rng_below(rng, size + 1), text)};
    SeatNo speaker = (SeatNo)(1 + rng_below(rng, SEATS));
    Plain all[SEATS + 1];
    LengthRules rules = {.count_in_word = rng_below(rng, 3) == 0,
                         .per_talk = random_limit(rng),
                         .per_agent = random_limit(rng),
                         .base_length = random_limit(rng),
                         .mention_length = random_limit(rng),
                         .mention = (int32_t)rng_below(rng, 3)};

    rules.count_spaces = !rules.count_in_word && rng_below(rng, 2) == 0;
    /* An allowance may be overdrawn when a session at any time goes on. */
    int32_t left = (int32_t)rng_below(rng, 16) - 3;
    int32_t plain_left = left;
    for (SeatNo seat = 0; seat <= SEATS; seat++)
        all[seat] = plain_of(names[seat]);
    Plain plain = plain_of(input);
    Plain result = plain_process(&rules, &plain, all, SEATS, speaker, &plain_left);
    Str want = {expected, plain_bytes(&result, expected)};
    Str got = {out, length_limit(&rules, input, names, SEATS, speaker, &left, out, sizeof(out))};
    return str_eq(got, want) && left == plain_left &&
           length_count(&rules, input) == plain_count(&rules, &plain);
}

static void a_second_plain_implementation_gives_the_same(void **state)
{
    (void)state;
    prop_check(both_ways_to_limit_a_text_agree, 60000, 40);
}

static void of_several_mentions_one_counts(void **state)
{
    static const struct {
        Mention kind;
        const char *input;
        const char *result;
    } rows[] = {
        {MENTION_LONGEST, "a@Mayor b@リン c", "a @Mayor  b@リン c"},
        {MENTION_SEAT, "a@Mayor b@リン c", "a @May or b@リン c"},
        {MENTION_LOWEST, "a@Mayor b@リン c", "a@Mayor b @リン  c"},
        {MENTION_LONGEST, "@メイ@タクミ", " @メイ @タクミ"},
        {MENTION_SEAT, "@メイ@タクミ", " @メイ @タクミ"},
        {MENTION_LOWEST, "@メイ@タクミ", "@メイ @タクミ "},
    };
    char out[256];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        LengthRules rules = {.per_talk = NO,
                             .per_agent = NO,
                             .base_length = 50,
                             .mention_length = 50,
                             .mention = (int32_t)rows[i].kind};
        int32_t left = 0;
        size_t n = length_limit(&rules, str_of(rows[i].input), names, SEATS, 1, &left, out,
                                sizeof(out) - 1);
        out[n] = '\0';
        assert_string_equal(out, rows[i].result);
    }
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
        cmocka_unit_test(every_worked_example_is_what_the_plain_rules_give),
        cmocka_unit_test(a_second_plain_implementation_gives_the_same),
        cmocka_unit_test(of_several_mentions_one_counts),
    };

    return cmocka_run_group_tests_name("length", tests, NULL, NULL);
}
