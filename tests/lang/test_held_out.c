/* test_held_out.c - src/lang against an independent reading of the same rules (naive.h), on
 * sentences that no file of vectors holds. */
#include "lang_data.h"
#include "naive.h"

/* ---- random sentences ---- */

static uint32_t pick(Rng *rng, uint32_t count)
{
    return rng_below(rng, count);
}

static void add_gap(Rng *rng, bool odd, Buf *out)
{
    static const char *const gaps[] = {"  ", "\t", " \t ", "\v", "\f", "\n", "\r", " \n"};

    buf_printf(out, "%s", odd && pick(rng, 8) == 0 ? gaps[pick(rng, 8)] : " ");
}

static void add_agent(Rng *rng, bool odd, Buf *out)
{
    static const char *const odd_agents[] = {
        "Agent[0]",          "Agent[00]", "Agent[7]", "Agent[0012]", "Agent[2147483647]",
        "Agent[2147483648]", "Agent[]",   "Agent1",   "Agent[123]"};

    if (odd && pick(rng, 6) == 0)
        buf_printf(out, "%s", odd_agents[pick(rng, 9)]);
    else if (pick(rng, 6) == 0)
        buf_printf(out, "ANY");
    else
        buf_printf(out, "Agent[%02u]", 1 + pick(rng, 4));
}

static void add_sentence(Rng *rng, bool odd, unsigned levels, Buf *out);

static void add_groups(Rng *rng, bool odd, unsigned levels, unsigned count, Buf *out)
{
    for (unsigned i = 0; i < count; i++) {
        if (i)
            buf_printf(out, "%s", odd && pick(rng, 8) == 0 ? (pick(rng, 2) ? "" : ", x ") : " ");
        buf_printf(out, odd && pick(rng, 8) == 0 ? "( " : "(");
        add_sentence(rng, odd, levels - 1, out);
        buf_printf(out, odd && pick(rng, 8) == 0 ? " )" : ")");
    }
}

static void add_verb(Rng *rng, bool odd, Buf *out)
{
    static const char *const acts[] = {"ATTACK",  "ATTACKED", "DIVINATION", "GUARD",
                                       "GUARDED", "VOTE",     "VOTED"};
    static const char *const roles[] = {"VILLAGER", "SEER", "MEDIUM",    "BODYGUARD",
                                        "WEREWOLF", "ANY",  "POSSESSED", "FREEMASON",
                                        "FOX",      "HUMAN"};
    static const char *const species[] = {"HUMAN", "WEREWOLF", "ANY", "SEER"};

    switch (pick(rng, 4)) {
    case 0:
        buf_printf(out, "%s", acts[pick(rng, 7)]);
        add_gap(rng, odd, out);
        add_agent(rng, odd, out);
        break;
    case 1:
        buf_printf(out, "%s", pick(rng, 2) ? "ESTIMATE" : "COMINGOUT");
        add_gap(rng, odd, out);
        add_agent(rng, odd, out);
        add_gap(rng, odd, out);
        buf_printf(out, "%s", roles[pick(rng, odd ? 10 : 9)]);
        break;
    case 2:
        buf_printf(out, "%s", pick(rng, 2) ? "DIVINED" : "IDENTIFIED");
        add_gap(rng, odd, out);
        add_agent(rng, odd, out);
        add_gap(rng, odd, out);
        buf_printf(out, "%s", species[pick(rng, odd ? 4 : 3)]);
        break;
    default:
        buf_printf(out, "%s", pick(rng, 2) ? "AGREE" : "DISAGREE");
        add_gap(rng, odd, out);
        buf_printf(out, "%s", pick(rng, 2) ? "TALK" : "WHISPER");
        add_gap(rng, odd, out);
        buf_printf(out, "day%s%u", odd ? "0" : "", pick(rng, 20));
        add_gap(rng, odd, out);
        buf_printf(out, "ID:%u", pick(rng, 300));
        break;
    }
}

static void add_operator(Rng *rng, bool odd, unsigned levels, Buf *out)
{
    static const char *const plain[] = {"BECAUSE", "XOR", "AND", "OR", "NOT"};
    uint32_t kind = pick(rng, 8);
    unsigned count = kind < 2 ? 2 : kind < 4 ? 1 + pick(rng, 3) : 1;

    if (odd && pick(rng, 10) == 0)
        count = pick(rng, 4);
    if (kind < 5)
        buf_printf(out, "%s", plain[kind]);
    else if (kind == 5)
        buf_printf(out, "DAY %u", pick(rng, 10));
    else
        buf_printf(out, "%s", kind == 6 ? "REQUEST" : "INQUIRE");
    add_gap(rng, odd, out);
    if (kind > 5 && (kind == 7 || pick(rng, 3))) {
        add_agent(rng, odd, out);
        add_gap(rng, odd, out);
    }
    add_groups(rng, odd, levels, count, out);
}

static void add_sentence(Rng *rng, bool odd, unsigned levels, Buf *out)
{
    if (pick(rng, 12) == 0) {
        buf_printf(out, "%s", pick(rng, 2) ? "Skip" : "Over");
        return;
    }
    if (pick(rng, 2)) {
        add_agent(rng, odd, out);
        if (!odd || pick(rng, 4))
            add_gap(rng, odd, out);
    }
    if (levels && pick(rng, 3))
        add_operator(rng, odd, levels, out);
    else
        add_verb(rng, odd, out);
}

/* One to four edits: a piece goes, comes, or is doubled. */
static void damage(Rng *rng, Buf *text)
{
    static const char *const pieces[] = {"(",
                                         ")",
                                         " ",
                                         "\t",
                                         "\n",
                                         "\r",
                                         "\v",
                                         "[",
                                         "]",
                                         "A",
                                         "z",
                                         "7",
                                         "\x01",
                                         "\x1f",
                                         "ANY",
                                         "Skip",
                                         "Over",
                                         "NOT ",
                                         "REQUEST ",
                                         "(Skip)",
                                         "((",
                                         "))",
                                         ") (",
                                         "\xC2\x85",
                                         "\xE2\x80\xA8",
                                         "\xE2\x80\xA9",
                                         "\xC2\xA0",
                                         "\xE3\x80\x80",
                                         "\xFF",
                                         "\xE2\x80",
                                         "\xC2",
                                         "AND ((VOTE ANY)",
                                         " (VOTE Agent[9])",
                                         ",",
                                         "DAY 1 ",
                                         "Agent[03] "};
    unsigned edits = 1 + pick(rng, 4);

    for (unsigned i = 0; i < edits; i++) {
        CLEANUP(buf_done) Buf next = {0};
        size_t at = pick(rng, (uint32_t)text->len + 1);
        size_t len = pick(rng, 3) ? 1 : pick(rng, 8);
        uint32_t how = pick(rng, 4);
        Str all = buf_str(text);

        if (pick(rng, 8) == 0)
            at = pick(rng, 2) ? 0 : text->len;
        buf_add(&next, str_part(all, 0, at));
        if (how <= 1)
            buf_printf(&next, "%s", pieces[pick(rng, sizeof(pieces) / sizeof(pieces[0]))]);
        else if (how == 2)
            buf_add(&next, str_part(all, at, len));
        buf_add(&next, str_part(all, how == 1 || how == 3 ? at + len : at, SIZE_MAX));
        buf_clear(text);
        buf_add(text, buf_str(&next));
    }
}

/* ---- the comparison ---- */

typedef struct Tally {
    unsigned valid;
    unsigned odd;
} Tally;

static void compare(Str text, uint64_t seed, Arena *arena, Buf *expected, Tally *tally)
{
    char out[LANG_TEXT_MAX];
    char shown[2048];

    buf_clear(expected);
    bool valid = naive_canonical(text, expected);
    const char *canonical = canonical_of(text, arena, out);
    tally->valid += valid;
    tally->odd += valid && !str_eq(text, buf_str(expected));
    if (valid == (canonical != NULL) && (!valid || strcmp(canonical, buf_cstr(expected)) == 0))
        return;
    lang_escape(text, shown, sizeof(shown));
    fail_msg("seed %llu: '%s'\n  naive '%s'\n  ours '%s'", (unsigned long long)seed, shown,
             valid ? buf_cstr(expected) : "(not valid)", canonical ? canonical : "(not valid)");
}

static void two_hundred_thousand_damaged_sentences_read_as_the_rules_say(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf expected = {0};
    uint64_t count = 200000 * prop_env("WARG_PROP_TIMES", 1);
    uint64_t first = prop_env("WARG_PROP_SEED", 36);
    Tally tally = {0};

    for (uint64_t i = 0; i < count; i++) {
        uint64_t seed = rng_derive(first, i);
        Rng rng = rng_new(seed);

        buf_clear(&text);
        add_sentence(&rng, pick(&rng, 2), pick(&rng, 4), &text);
        if (pick(&rng, 3))
            damage(&rng, &text);
        compare(buf_str(&text), seed, *state, &expected, &tally);
    }
    /* The sentences are worth something: many valid, many of them not canonical, many not valid. */
    assert_in_range(tally.valid, count / 4, count - count / 4);
    assert_in_range(tally.odd, count / 20, count);
}

/* Every short text of a small alphabet behind AND, where parentheses may be damaged. */
static void all_short_arrangements_of_parentheses_read_as_the_rules_say(void **state)
{
    static const char *const tokens[] = {"(", ")", "(Skip)", " ", "\n", "x"};
    static const char *const heads[] = {"AND ", "NOT ", "XOR "};
    CLEANUP(buf_done) Buf expected = {0};
    CLEANUP(buf_done) Buf text = {0};
    Tally tally = {0};

    for (unsigned number = 0; number < 3 * 6 * 6 * 6 * 6 * 6 * 6; number++) {
        unsigned rest = number / 3;

        buf_clear(&text);
        buf_printf(&text, "%s(", heads[number % 3]);
        for (unsigned i = 0; i < 6; i++, rest /= 6)
            buf_printf(&text, "%s", tokens[rest % 6]);
        buf_printf(&text, ")");
        compare(buf_str(&text), number, *state, &expected, &tally);
    }
    assert_true(tally.valid > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_hundred_thousand_damaged_sentences_read_as_the_rules_say),
        cmocka_unit_test(all_short_arrangements_of_parentheses_read_as_the_rules_say),
    };

    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
