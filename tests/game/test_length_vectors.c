/* test_length_vectors.c - texts with their lengths and cuts, kept for those who count elsewhere.
 *
 * The page of a person's seat counts as one types (web/src/length.ts). tests/web/length.tsv is
 * what both sides are held to: here each line is made anew and compared, web/test/length.test.ts
 * reads the same file. WARG_GOLDEN=1 writes it.
 *
 * Source: docs/spec/nlp-division.md 5.3; docs/spec/web.md 6.3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "game/length.h"

#define VECTORS 2000
#define SEED    5309
#define ROOM    8192

#define NAME(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }
static const Str names[] = {NAME(""),     NAME("ミナト"), NAME("タクミ"), NAME("メイ"),
                            NAME("リン"), NAME("May"),    NAME("Mayor"),  NAME("Agent[07]"),
                            NAME("🦊"), NAME("Ann Lee")};
#define SEATS 9

/* man, joiner, woman, joiner, girl */
#define FAMILY "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"

static const char *const pieces[] = {
    "a",
    "I think",
    "wolf",
    "人狼",
    "占い師",
    "です。",
    " ",
    " ",
    "  ",
    "\xE3\x80\x80",
    "\xC2\xA0",
    "\n",
    "\t",
    "\\",
    "\xC2\x85",
    "\xE2\x80\xA8",
    "\xE2\x80\x8B",
    "\xE1\x9A\x80",
    "\xEF\xBF\xBD",
    "@",
    "@May",
    "@Mayor",
    "@リン",
    "@タクミ",
    "@ミナト",
    "@Agent[07]",
    "@🦊",
    "@Ann Lee",
    "@may",
    "May",
    "🦊",
    "𠮷野家",
    FAMILY,
    "e\xCC\x81",
    "Over",
    "1,000",
};

static size_t text_of(Rng *rng, unsigned size, char *text)
{
    size_t n = 0;

    for (unsigned i = 0; i < size; i++) {
        const char *piece = pieces[rng_below(rng, sizeof(pieces) / sizeof(pieces[0]))];
        memcpy(text + n, piece, strlen(piece));
        n += strlen(piece);
    }
    return n;
}

static int32_t limit_of(Rng *rng, uint32_t most)
{
    return rng_below(rng, 4) ? (int32_t)rng_below(rng, most) : LIMIT_NONE;
}

/* Tabs, line ends, backslashes and white space that nobody sees get a name. */
static void put_escaped(Buf *out, Str text)
{
    Str rest = text;

    while (rest.len) {
        Str before = rest;
        uint32_t c = utf8_next(&rest);
        bool plain = c > 0x20 && c != '\\' && c != 0x7F && !(c >= 0x80 && c <= 0xA0) &&
                     c != 0x1680 && !(c >= 0x2000 && c <= 0x200F) && !(c >= 0x2028 && c <= 0x202F);
        if (plain || c == ' ')
            buf_add(out, (Str){before.bytes, before.len - rest.len});
        else
            buf_printf(out, "\\u{%X}", (unsigned)c);
    }
}

/* Line `number`: what is asked, tab by tab, and what comes out. */
static void put_vector(Buf *out, Rng *rng, unsigned number)
{
    static const char *const which[] = {"longest", "seat", "lowest"};
    char text[ROOM];
    char cut[ROOM];
    LengthRules rules = {.count_in_word = rng_below(rng, 3) == 0,
                         .count_spaces = rng_below(rng, 2) == 0,
                         .per_talk = limit_of(rng, 40),
                         .per_agent = limit_of(rng, 60),
                         .base_length = limit_of(rng, 24),
                         .mention_length = limit_of(rng, 16),
                         .mention = (int32_t)rng_below(rng, 3)};
    SeatNo speaker = (SeatNo)(1 + rng_below(rng, SEATS));
    int32_t left = (int32_t)rng_below(rng, 50) - 5;
    int32_t after = left;
    Str input = {text, text_of(rng, 1 + number % 16, text)};
    int32_t count = length_count(&rules, input);
    size_t n = length_limit(&rules, input, names, SEATS, speaker, &after, cut, sizeof(cut));

    buf_printf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%u\t%d\t", rules.count_in_word ? "words" : "chars",
               rules.count_spaces, rules.per_talk, rules.per_agent, rules.base_length,
               rules.mention_length, which[rules.mention], (unsigned)speaker, left);
    put_escaped(out, input);
    buf_printf(out, "\t%d\t", count);
    put_escaped(out, (Str){cut, n});
    buf_printf(out, "\t%d\n", after);
}

static void put_vectors(Buf *out)
{
    buf_add(out, STR("unit\tspaces\tper_talk\tper_agent\tbase\tmention\twhich\tspeaker\tleft\ttext"
                     "\tcount\tcut\tleft_after\nnames"));
    for (SeatNo seat = 1; seat <= SEATS; seat++) {
        buf_add_char(out, '\t');
        buf_add(out, names[seat]);
    }
    buf_add_char(out, '\n');
    Rng rng = rng_new(SEED);
    for (unsigned i = 0; i < VECTORS; i++)
        put_vector(out, &rng, i);
}

static void the_vectors_of_the_page_are_those_of_the_game(void **state)
{
    CLEANUP(buf_done) Buf made = {0};
    CLEANUP(buf_done) Buf kept = {0};
    char path[4096];
    char part[4096];
    size_t n;

    (void)state;
    put_vectors(&made);
    assert_false(buf_failed(&made));
    snprintf(path, sizeof(path), "%s/tests/web/length.tsv", getenv("WARG_SOURCE"));
    FILE *file = fopen(path, getenv("WARG_GOLDEN") ? "w+" : "r");
    assert_non_null(file);
    if (getenv("WARG_GOLDEN")) {
        fwrite(made.bytes, 1, made.len, file);
        rewind(file);
    }
    while ((n = fread(part, 1, sizeof(part), file)) > 0)
        buf_add(&kept, (Str){part, n});
    fclose(file);
    assert_true(str_eq(buf_str(&made), buf_str(&kept)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vectors_of_the_page_are_those_of_the_game),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
