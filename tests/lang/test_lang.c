/* test_lang.c - reading, writing, building: the vectors, the limits, and what the tree holds. */
#include "lang_data.h"

#include "lang/vectors.h"

#include <strings.h>
#include <time.h>

/* ---- data files ---- */

static unsigned rows_that_agree(const char *name, Arena *arena)
{
    CLEANUP(buf_done) Buf file = data_read(name);
    CLEANUP(vectors_row_done) VectorRow row = {0};
    CLEANUP(buf_done) Buf got = {0};
    Str rest = buf_str(&file);
    VectorForm form;
    unsigned rows = 0;
    Err err = {0};

    assert_int_equal(vectors_header(str_cut(&rest, '\n'), 1, &form, &err), 0);
    while (rest.len) {
        if (vectors_row(str_cut(&rest, '\n'), ++rows + 1, form, &row, &err) != 0)
            fail_msg("%s:%u: %s", name, err.line, err.msg);
        buf_clear(&got);
        if (!vectors_agree(&row, arena, &got))
            fail_msg("%s: row %u: '%s' gave %s", name, rows, buf_cstr(&row.input), buf_cstr(&got));
    }
    return rows;
}

static void every_vector_reads_as_the_java_library_reads_it(void **state)
{
    assert_int_equal(rows_that_agree("vectors.tsv", *state), 348);
    assert_int_equal(rows_that_agree("vectors-generated.tsv", *state), 2000);
}

static void what_makes_the_java_library_throw_is_not_valid(void **state)
{
    assert_int_equal(rows_that_agree("vectors-throw.tsv", *state), 12);
}

static void canonical_text_of_the_corpus_is_stable(void **state)
{
    CLEANUP(buf_done) Buf file = data_read("corpus.txt");
    char text[LANG_TEXT_MAX];
    char again[LANG_TEXT_MAX];
    Str rest = buf_str(&file);
    unsigned valid = 0;

    while (rest.len) {
        const char *canonical = canonical_of(str_cut(&rest, '\n'), *state, text);
        if (!canonical || canonical[strlen(canonical) - 1] == ' ')
            continue; /* "AND " can't be read back */
        valid++;
        assert_string_equal(canonical_of(str_of(canonical), *state, again), canonical);
    }
    assert_in_range(valid, 1700, 1900);
}

/* ---- builders ---- */

/* Arguments for any of the builders. */
typedef struct Parts {
    LangKind kind;
    LangTalk talk;
    LangAgent subject;
    LangAgent target;
    Role role;
    Species species;
    int32_t day;
    int32_t id;
    size_t count;
    const Sentence *contents[8];
} Parts;

static const Sentence *build(Arena *arena, const Parts *p)
{
    switch (p->kind) {
    case LANG_ESTIMATE:
        return lang_estimate(arena, p->subject, p->target, p->role);
    case LANG_COMINGOUT:
        return lang_comingout(arena, p->subject, p->target, p->role);
    case LANG_DIVINATION:
        return lang_divination(arena, p->subject, p->target);
    case LANG_GUARD:
        return lang_guard(arena, p->subject, p->target);
    case LANG_VOTE:
        return lang_vote(arena, p->subject, p->target);
    case LANG_ATTACK:
        return lang_attack(arena, p->subject, p->target);
    case LANG_GUARDED:
        return lang_guarded(arena, p->subject, p->target);
    case LANG_VOTED:
        return lang_voted(arena, p->subject, p->target);
    case LANG_ATTACKED:
        return lang_attacked(arena, p->subject, p->target);
    case LANG_DIVINED:
        return lang_divined(arena, p->subject, p->target, p->species);
    case LANG_IDENTIFIED:
        return lang_identified(arena, p->subject, p->target, p->species);
    case LANG_AGREE:
        return lang_agree(arena, p->subject, p->talk, p->day, p->id);
    case LANG_DISAGREE:
        return lang_disagree(arena, p->subject, p->talk, p->day, p->id);
    case LANG_SKIP:
        return lang_skip();
    case LANG_OVER:
        return lang_over();
    case LANG_REQUEST:
        return lang_request(arena, p->subject, p->target, p->contents[0]);
    case LANG_INQUIRE:
        return lang_inquire(arena, p->subject, p->target, p->contents[0]);
    case LANG_BECAUSE:
        return lang_because(arena, p->subject, p->contents[0], p->contents[1]);
    case LANG_DAY:
        return lang_day(arena, p->subject, p->day, p->contents[0]);
    case LANG_NOT:
        return lang_not(arena, p->subject, p->contents[0]);
    case LANG_AND:
        return lang_and(arena, p->subject, p->count, p->contents);
    case LANG_OR:
        return lang_or(arena, p->subject, p->count, p->contents);
    case LANG_XOR:
        return lang_xor(arena, p->subject, p->contents[0], p->contents[1]);
    case LANG_KIND_COUNT:
        break;
    }
    fail_msg("no builder for kind %d", p->kind);
    return NULL;
}

static Str next_word(Str *rest)
{
    while (rest->len && rest->bytes[0] == ' ')
        *rest = str_part(*rest, 1, SIZE_MAX);
    size_t len = 0;
    while (len < rest->len && !strchr(" ()", rest->bytes[len]))
        len++;
    if (len == 0 && rest->len)
        len = 1;
    Str word = str_part(*rest, 0, len);
    *rest = str_part(*rest, len, SIZE_MAX);
    return word;
}

static int32_t next_number(Str *rest)
{
    int64_t number;

    assert_true(str_to_int(next_word(rest), INT32_MIN, INT32_MAX, &number));
    return (int32_t)number;
}

static LangAgent next_agent(Str *rest)
{
    Str saved = *rest;
    Str word = next_word(rest);

    if (str_eq(word, STR("ANY")))
        return LANG_ANY;
    if (str_eq(word, STR("UNSPEC")))
        return LANG_UNSPEC;
    *rest = saved;
    return next_number(rest);
}

static const Sentence *build_expression(Arena *arena, Str *rest);

/* Contents up to the closing parenthesis. */
static size_t next_contents(Arena *arena, Str *rest, const Sentence *contents[static 8])
{
    size_t count = 0;

    for (;;) {
        Str saved = *rest;
        if (str_eq(next_word(rest), STR(")")))
            return count;
        *rest = saved;
        assert_true(count < 8);
        contents[count++] = build_expression(arena, rest);
    }
}

/* "(request 1 2 (vote UNSPEC 3))" */
static const Sentence *build_expression(Arena *arena, Str *rest)
{
    assert_true(str_eq(next_word(rest), STR("(")));
    Str name = next_word(rest);
    LangKind kind = 0;

    while (kind < LANG_KIND_COUNT && (strlen(lang_kind_name(kind)) != name.len ||
                                      strncasecmp(lang_kind_name(kind), name.bytes, name.len) != 0))
        kind++;
    assert_true(kind < LANG_KIND_COUNT);
    if (kind == LANG_SKIP || kind == LANG_OVER) {
        next_word(rest);
        return kind == LANG_SKIP ? lang_skip() : lang_over();
    }
    Parts parts = {.kind = kind, .subject = next_agent(rest)};
    if (kind < LANG_AGREE || kind == LANG_REQUEST || kind == LANG_INQUIRE)
        parts.target = next_agent(rest);
    if (kind <= LANG_COMINGOUT)
        parts.role = role_of(next_word(rest));
    if (kind == LANG_DIVINED || kind == LANG_IDENTIFIED)
        parts.species = species_of(next_word(rest));
    if (kind == LANG_AGREE || kind == LANG_DISAGREE)
        parts.talk = str_eq(next_word(rest), STR("TALK")) ? LANG_TALK : LANG_WHISPER;
    if (kind == LANG_AGREE || kind == LANG_DISAGREE || kind == LANG_DAY)
        parts.day = next_number(rest);
    if (kind == LANG_AGREE || kind == LANG_DISAGREE)
        parts.id = next_number(rest);
    parts.count = next_contents(arena, rest, parts.contents);
    return build(arena, &parts);
}

static void every_builder_writes_what_the_java_builder_writes(void **state)
{
    CLEANUP(buf_done) Buf file = data_read("builders.tsv");
    CLEANUP(buf_done) Buf expected = {0};
    char text[LANG_TEXT_MAX];
    char again[LANG_TEXT_MAX];
    Str rest = buf_str(&file);
    unsigned rows = 0;

    str_cut(&rest, '\n');
    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        Str expression = str_cut(&line, '\t');

        arena_clear(*state);
        buf_clear(&expected);
        assert_int_equal(lang_unescape(str_cut(&line, '\t'), &expected, NULL), 0);
        const Sentence *sentence = build_expression(*state, &expression);
        assert_non_null(sentence);
        assert_int_equal(lang_write(sentence, text, sizeof(text)), expected.len);
        assert_string_equal(text, buf_cstr(&expected));

        bool valid = str_eq(str_cut(&line, '\t'), STR("1"));
        const char *canonical = canonical_of(str_of(text), *state, again);
        assert_int_equal(canonical != NULL, valid);
        assert_int_equal(canonical && strcmp(canonical, text) == 0, str_eq(line, STR("1")));
        rows++;
    }
    assert_int_equal(rows, 81);
}

/* ---- the tree ---- */

static const Sentence *read_ok(void **state, const char *text)
{
    const Sentence *sentence = NULL;
    Err err = {0};

    if (lang_parse(str_of(text), *state, &sentence, &err) != 0)
        fail_msg("'%s': column %u: %s", text, err.column, err.msg);
    return sentence;
}

static void assert_writes(const Sentence *sentence, const char *expected)
{
    char text[LANG_TEXT_MAX];

    assert_non_null(sentence);
    lang_write(sentence, text, sizeof(text));
    assert_string_equal(text, expected);
}

/* Java's strings are UTF-16: U+10000 is the first character that needs two halves. */
static void the_first_character_of_two_halves_is_escaped_and_read_back(void **state)
{
    static const struct {
        const char *text;
        const char *escaped;
    } rows[] = {{"\xEF\xBF\xBF", "\\uffff"},
                {"\xF0\x90\x80\x80", "\\ud800\\udc00"},
                {"\xF4\x8F\xBF\xBF", "\\udbff\\udfff"}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CLEANUP(buf_done) Buf read = {0};
        char text[64];

        lang_escape(str_of(rows[i].text), text, sizeof(text));
        assert_string_equal(text, rows[i].escaped);
        assert_int_equal(lang_unescape(str_of(rows[i].escaped), &read, NULL), 0);
        assert_string_equal(buf_cstr(&read), rows[i].text);
    }
}

static void a_sentence_holds_what_was_said(void **state)
{
    const Sentence *s = read_ok(state, "Agent[7] DISAGREE WHISPER day3 ID:21");

    assert_int_equal(s->kind, LANG_DISAGREE);
    assert_int_equal(s->subject, 7);
    assert_int_equal(s->talk, LANG_WHISPER);
    assert_int_equal(s->day, 3);
    assert_int_equal(s->talk_id, 21);
    assert_int_equal(s->target, LANG_ANY);
    assert_int_equal(s->child_count, 0);

    s = read_ok(state, "COMINGOUT Agent[2147483647] FOX");
    assert_int_equal(s->target, 2147483647);
    assert_int_equal(s->role, ROLE_FOX);
    assert_int_equal(s->subject, LANG_UNSPEC);
    assert_int_equal(s->day, -1);

    s = read_ok(state, "DAY 007 (IDENTIFIED ANY HUMAN)");
    assert_int_equal(s->day, 7);
    assert_int_equal(s->height, 1);
    assert_int_equal(s->child->species, SPECIES_HUMAN);
    assert_int_equal(s->child->day, -1);
}

static void a_content_without_a_subject_takes_the_outer_subject_or_the_target(void **state)
{
    const Sentence *s =
        read_ok(state, "Agent[01] AND (VOTE Agent[02]) (REQUEST Agent[05] (NOT (Skip))) "
                       "(Agent[03] NOT (ATTACK Agent[04]))");
    const Sentence *request = s->child->next;

    assert_int_equal(s->child_count, 3);
    assert_int_equal(s->height, 3);
    assert_int_equal(s->child->subject, 1);
    assert_int_equal(request->subject, 1);
    assert_int_equal(request->child->subject, 5);
    assert_int_equal(request->child->child->kind, LANG_SKIP);
    assert_int_equal(request->next->child->subject, 3);
    assert_null(request->next->next);
    assert_int_equal(read_ok(state, "NOT (VOTE ANY)")->child->subject, LANG_UNSPEC);
    assert_int_equal(read_ok(state, "REQUEST (OR (VOTE ANY))")->child->child->subject, LANG_ANY);
}

static void a_content_alone_is_written_with_its_resolved_subject(void **state)
{
    const Sentence *s = read_ok(state, "AND (REQUEST Agent[02] (VOTE Agent[03])) (VOTE ANY)");

    assert_writes(s->child, "REQUEST Agent[02] (VOTE Agent[03])");
    assert_writes(s->child->child, "Agent[02] VOTE Agent[03]");
}

static void surplus_groups_are_counted_but_left_out(void **state)
{
    const Sentence *s =
        read_ok(state, "XOR (VOTE Agent[1]) (VOTE Agent[2]) (VOTE Agent[3]) (Skip)");

    assert_int_equal(s->child_count, 2);
    assert_int_equal(s->surplus, 2);
    assert_null(s->child->next->next);
}

static void builders_resolve_subjects_from_the_outside_in(void **state)
{
    const Sentence *vote = lang_vote(*state, LANG_UNSPEC, 4);
    const Sentence *both[] = {vote, lang_not(*state, LANG_UNSPEC, vote)};
    const Sentence *s = lang_request(*state, 1, 2, lang_and(*state, LANG_UNSPEC, 2, both));

    assert_writes(s, "Agent[01] REQUEST Agent[02] (AND (VOTE Agent[04]) (NOT (VOTE Agent[04])))");
    assert_int_equal(s->child->child->next->child->subject, 2);
    assert_int_equal(vote->subject, LANG_UNSPEC); /* the content given is not changed */
}

static void builders_refuse_what_is_no_sentence(void **state)
{
    const Sentence *vote = lang_vote(*state, 1, 2);
    char little[64];
    Arena small = arena_over(little, sizeof(little));

    assert_null(lang_vote(*state, -2, 1));
    assert_null(lang_vote(*state, 1, -2));
    assert_null(lang_estimate(*state, 1, 2, ROLE_COUNT));
    assert_null(lang_divined(*state, 1, 2, (Species)7));
    assert_null(lang_agree(*state, 1, LANG_TALK_NONE, 1, 1));
    assert_null(lang_not(*state, 1, lang_not(*state, 1, NULL)));
    assert_null(lang_xor(*state, 1, vote, NULL));
    assert_null(lang_xor(&small, 1, vote, vote));
    assert_int_equal(small.used, 0);
    assert_writes(lang_vote(*state, LANG_UNSPEC, LANG_UNSPEC), "VOTE ANY");

    vote = lang_skip();
    for (int i = 0; i < LANG_DEPTH_MAX; i++)
        vote = lang_not(*state, LANG_UNSPEC, vote);
    assert_non_null(vote);
    assert_int_equal(vote->height, LANG_DEPTH_MAX);
    assert_null(lang_not(*state, LANG_UNSPEC, vote));
}

static void a_copy_says_the_speaker_where_nobody_was_named(void **state)
{
    const Sentence *s = read_ok(state, "BECAUSE (VOTED ANY) (REQUEST Agent[2] (VOTE Agent[3]))");

    assert_writes(lang_copy(*state, s, 4),
                  "Agent[04] BECAUSE (VOTED ANY) (REQUEST Agent[02] (VOTE Agent[03]))");
    assert_true(lang_equal(s, lang_copy(*state, s, LANG_UNSPEC)));
}

static void equality_is_equality_of_canonical_text(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        bool equal;
    } pairs[] = {
        {"REQUEST Agent[02] (VOTE Agent[3])", "REQUEST (Agent[2] VOTE Agent[3])", true},
        {"NOT (Skip)", "NOT ( Skip ) (Over)", true},
        {"Agent[0] VOTE ANY", "ANY VOTE Agent[00]", true},
        {"VOTE Agent[01]", "Agent[03] VOTE Agent[01]", false},
        {"NOT (NOT (VOTE ANY))", "VOTE ANY", false},
        {"AND (VOTE Agent[1]) (VOTE Agent[2])", "AND (VOTE Agent[2]) (VOTE Agent[1])", false},
        {"AND (AND (Skip)) (Over)", "AND (AND (Skip) (Over))", false},
        {"DIVINED ANY HUMAN", "DIVINED ANY ANY", false},
        {"AGREE TALK day1 ID:1", "AGREE WHISPER day1 ID:1", false},
        {"DAY 1 (Skip)", "DAY 2 (Skip)", false},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        assert_int_equal(lang_equal(read_ok(state, pairs[i].a), read_ok(state, pairs[i].b)),
                         pairs[i].equal);
}

static void strict_is_letter_by_letter(void **state)
{
    assert_true(lang_is_strict(STR("VOTE Agent[01]"), read_ok(state, "VOTE Agent[01]")));
    assert_false(lang_is_strict(STR("VOTE Agent[1]"), read_ok(state, "VOTE Agent[1]")));
    assert_false(lang_is_strict(STR("Skip "), read_ok(state, "Skip ")));
    assert_false(lang_is_strict(STR("AND ((Skip)"), read_ok(state, "AND ((Skip)")));
}

static void writing_into_little_room_cuts_and_tells_the_length(void **state)
{
    const char *text =
        "Agent[2147483647] REQUEST ANY (AND (AGREE WHISPER day2147483647 ID:2147483647)"
        " (DIVINED Agent[12345] WEREWOLF))";
    const Sentence *s = read_ok(state, text);
    size_t len = strlen(text);

    assert_int_equal(lang_write(s, NULL, 0), len);
    for (size_t room = 1; room < len + 8; room++) {
        char *out = mem_new(room); /* of the exact size, so that sanitizers see a byte too many */
        size_t kept = room - 1 < len ? room - 1 : len;

        assert_int_equal(lang_write(s, out, room), len);
        assert_int_equal(strlen(out), kept);
        assert_memory_equal(out, text, kept);
        mem_free(out);
    }
}

/* ---- errors and limits ---- */

static void a_reason_says_where_and_what_was_expected(void **state)
{
    static const struct {
        const char *text;
        unsigned column;
        const char *reason;
    } cases[] = {
        {"VOTE Agent1", 6, "expected an agent such as Agent[01] or ANY, found 'Agent1'"},
        {"VOTE Agent[1", 13, "expected ']' behind the agent's number, found the end"},
        {"vote Agent[01]", 1,
         "expected a sentence such as VOTE Agent[01], Skip or Over, found 'vote'"},
        {"ANY vote", 5, "expected a verb such as VOTE or an operator such as AND, found 'vote'"},
        {"", 1, "expected a sentence such as VOTE Agent[01], Skip or Over, found the end"},
        {"VOTE Agent[01] Agent[02]", 16, "expected the end of the sentence, found 'Agent[02]'"},
        {"VOTE\xC2\xA0 ANY", 5, "expected a blank, found '\\u00a0'"},
        {"VOTE \tx\ty\x01", 7, "expected an agent such as Agent[01] or ANY, found 'x'"},
        {"VOTE x\x01y", 6, "expected an agent such as Agent[01] or ANY, found 'x\\u0001y'"},
        {"VOTE \xFF", 6, "expected an agent such as Agent[01] or ANY, found '\\ufffd'"},
        {"DAY 2147483648 (Skip)", 5, "expected a number from 0 to 2147483647, found '2147483648'"},
        {"ESTIMATE ANY UNC", 14, "expected a role such as SEER or ANY, found 'UNC'"},
        {"DIVINED ANY SEER", 13, "expected HUMAN, WEREWOLF or ANY, found 'SEER'"},
        {"AGREE day1 ID:3", 7, "expected TALK or WHISPER, found 'day1'"},
        {"AGREE TALK 1 3", 12, "expected 'day' and a number such as day1, found '1'"},
        {"AGREE TALK day1 3", 17, "expected 'ID:' and a number such as ID:3, found '3'"},
        {"NOT VOTE ANY", 5, "expected a sentence in parentheses, found 'VOTE'"},
        {"REQUEST x", 9,
         "expected an agent such as Agent[01] or a sentence in parentheses, found 'x'"},
        {"NOT (VOTE ANY", 14, "expected ')' as the last character, found the end"},
        {"NOT (VOTE ANY x)", 15, "expected ')' here, at the end of the inner sentence, found 'x'"},
        {"NOT (NOT (Skip) x)", 17,
         "expected ')' here, at the end of the inner sentence, found 'x'"},
        {"XOR (Skip)", 11, "expected one more sentence in parentheses, found the end"},
        {"NOT ((Skip)", 5, "expected a ')' for this parenthesis, which is never closed, found '('"},
        {"AND (Skip) \n (Over)", 12, "expected no line break inside parentheses, found '\\n'"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const Sentence *sentence = NULL;
        Err err = {0};

        assert_int_equal(lang_parse(str_of(cases[i].text), *state, &sentence, &err), ERR_SYNTAX);
        assert_string_equal(err.msg, cases[i].reason);
        assert_int_equal(err.column, cases[i].column);
        assert_null(sentence);
        assert_int_equal(lang_parse(str_of(cases[i].text), *state, &sentence, NULL), ERR_SYNTAX);
    }
}

static void a_text_of_8192_bytes_is_read_and_one_more_is_refused(void **state)
{
    char text[LANG_BYTES_MAX + 1];
    const Sentence *sentence;
    Err err = {0};

    memset(text, ' ', sizeof(text));
    memcpy(text, "VOTE Agent[01]", 14);
    assert_int_equal(lang_parse((Str){text, LANG_BYTES_MAX}, *state, &sentence, &err), 0);
    assert_int_equal(lang_parse((Str){text, LANG_BYTES_MAX + 1}, *state, &sentence, &err),
                     ERR_LIMIT);
    assert_string_equal(err.msg, "expected at most 8192 bytes, found 8193");
}

/* NOT (NOT ( ... (Skip)...)) */
static Buf nested(const char *head, unsigned levels)
{
    Buf text = {0};

    for (unsigned i = 0; i < levels; i++)
        buf_printf(&text, "%s (", head);
    buf_printf(&text, "Skip");
    for (unsigned i = 0; i < levels; i++)
        buf_add_char(&text, ')');
    return text;
}

static void two_hundred_fifty_six_levels_are_read_and_one_more_is_refused(void **state)
{
    CLEANUP(buf_done) Buf most = nested("NOT", LANG_DEPTH_MAX);
    CLEANUP(buf_done) Buf more = nested("NOT", LANG_DEPTH_MAX + 1);
    CLEANUP(buf_done) Buf english = {0};
    char text[LANG_TEXT_MAX];
    const Sentence *sentence;
    Err err = {0};

    assert_string_equal(canonical_of(buf_str(&most), *state, text), buf_cstr(&most));
    assert_int_equal(read_ok(state, buf_cstr(&most))->height, LANG_DEPTH_MAX);
    lang_explain(read_ok(state, buf_cstr(&most)), 1, &english);
    lang_json(read_ok(state, buf_cstr(&most)), 1, &english);
    assert_int_equal(lang_parse(buf_str(&more), *state, &sentence, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "expected at most 256 sentences inside each other");
    assert_int_equal(err.column, 257 * 5);
    assert_int_equal(lang_parse(buf_str(&more), *state, &sentence, NULL), ERR_LIMIT);
}

/* The texts with the most sentences for their length. */
static void the_stated_arena_always_suffices(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 3; way++) {
        CLEANUP(buf_done) Buf text = {0};
        if (way == 0)
            text = nested("OR", LANG_DEPTH_MAX);
        buf_printf(&text, "%s", way == 1 ? "OR (Skip)" : way == 2 ? "NOT (Skip)" : "");
        while (way && text.len + 6 <= LANG_BYTES_MAX)
            buf_printf(&text, "(Over)");

        CLEANUP(arena_done) Arena exact = arena_new(LANG_ARENA_BYTES(text.len));
        CLEANUP(arena_done) Arena tight = arena_new(LANG_ARENA_BYTES(text.len) / 3);
        const Sentence *sentence;
        Err err = {0};
        assert_int_equal(lang_parse(buf_str(&text), &exact, &sentence, &err), 0);
        assert_int_equal(lang_parse(buf_str(&text), &tight, &sentence, &err), ERR_MEMORY);
        assert_int_equal(tight.used, 0);
    }
}

static void nothing_is_taken_from_the_arena_by_a_text_that_is_not_valid(void **state)
{
    Arena *arena = *state;
    const Sentence *sentence;

    read_ok(state, "Agent[01] VOTE ANY");
    size_t used = arena->used;
    assert_int_equal(lang_parse(STR("AND (Skip) (NOT (VOTE x))"), arena, &sentence, NULL),
                     ERR_SYNTAX);
    assert_int_equal(arena->used, used);
}

static void canonical_text_fits_the_stated_room(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    char out[LANG_TEXT_MAX];

    buf_printf(&text, "AND ");
    while (text.len + 16 <= LANG_BYTES_MAX)
        buf_printf(&text, "(REQUEST (Skip))"); /* gains the most: a blank, ANY and a blank */
    assert_non_null(canonical_of(buf_str(&text), *state, out));
    assert_in_range(strlen(out), text.len + 512, LANG_TEXT_MAX - 1);
}

/* ---- properties ---- */

#define TREE_BYTES (256u << 10)

static const Sentence *random_tree(Rng *rng, Arena *arena, unsigned levels)
{
    Parts parts = {.kind = (LangKind)rng_below(rng, levels ? LANG_KIND_COUNT : LANG_REQUEST),
                   .talk = rng_below(rng, 2) ? LANG_TALK : LANG_WHISPER,
                   .subject = (LangAgent)rng_below(rng, 5) - 1,
                   .target = (LangAgent)rng_below(rng, 5) - 1,
                   .role = (Role)rng_below(rng, ROLE_COUNT),
                   .species = (Species)rng_below(rng, 3),
                   .day = rng_below(rng, 9) ? (int32_t)rng_below(rng, 20) : INT32_MAX,
                   .id = (int32_t)rng_below(rng, 300),
                   .count = 1 + rng_below(rng, 4)};

    for (size_t i = 0; i < 4 && lang_is_operator(parts.kind); i++)
        parts.contents[i] = random_tree(rng, arena, levels - 1);
    return build(arena, &parts);
}

static bool what_is_built_reads_back_the_same(Rng *rng, unsigned size)
{
    CLEANUP(arena_done) Arena arena = arena_new(TREE_BYTES);
    CLEANUP(buf_done) Buf said = {0};
    char text[LANG_TEXT_MAX];
    const Sentence *built = random_tree(rng, &arena, size);
    const Sentence *read;

    if (!built || lang_write(built, text, sizeof(text)) > LANG_BYTES_MAX)
        return built != NULL;
    lang_explain(built, 1, &said);
    lang_json(built, 1, &said);
    return lang_parse(str_of(text), &arena, &read, NULL) == 0 && lang_equal(built, read) &&
           lang_is_strict(str_of(text), read) && read->height == built->height &&
           !buf_failed(&said);
}

static void random_trees_read_back_the_same(void **state)
{
    (void)state;
    prop_check(what_is_built_reads_back_the_same, 3000, 4);
}

/* `size` random bytes of a valid sentence changed. */
static bool edits_do_no_harm(Rng *rng, unsigned size)
{
    CLEANUP(arena_done) Arena arena = arena_new(TREE_BYTES);
    char text[LANG_TEXT_MAX];
    char again[LANG_TEXT_MAX];
    const Sentence *built = random_tree(rng, &arena, 3);
    size_t len = built ? lang_write(built, text, sizeof(text)) : 0;

    if (len == 0 || len > LANG_BYTES_MAX)
        return built != NULL;
    for (unsigned i = 0; i < size; i++)
        text[rng_below(rng, (uint32_t)len)] = (char)rng_next(rng);
    char *exact = mem_new(len);
    memcpy(exact, text, len);
    const char *canonical = canonical_of((Str){exact, len}, &arena, again);
    mem_free(exact);
    if (!canonical || canonical[strlen(canonical) - 1] == ' ' || strstr(canonical, " )"))
        return true; /* not valid, or "AND " somewhere, which can't be read back */
    canonical = canonical_of(str_of(canonical), &arena, text);
    return canonical && strcmp(canonical, again) == 0;
}

static void random_edits_do_no_harm(void **state)
{
    (void)state;
    prop_check(edits_do_no_harm, 5000, 6);
}

static void every_cut_of_a_sentence_is_read_or_refused(void **state)
{
    static const char whole[] =
        " Agent[01] AND (Agent[2] REQUEST (DISAGREE WHISPER day1 ID:2)),(BECAUSE (DIVINED ANY "
        "HUMAN) "
        "(DAY 3 (INQUIRE Agent[4] (ESTIMATE Agent[5] SEER))) x)(Skip)\xE2\x80\xA8";
    char out[LANG_TEXT_MAX];
    unsigned valid = 0;

    for (size_t from = 0; from < sizeof(whole); from++)
        for (size_t to = from; to < sizeof(whole); to++) {
            char *exact = mem_new(to - from + 1);
            Err err = {0};
            const Sentence *sentence;

            memcpy(exact + 1, whole + from, to - from);
            Str part = {exact + 1, to - from};
            arena_clear(*state);
            valid += canonical_of(part, *state, out) != NULL;
            if (lang_parse(part, *state, &sentence, &err) != 0)
                assert_in_range(err.column, 1, part.len + 1);
            mem_free(exact);
        }
    assert_in_range(valid, 2, 200);
}

/* ---- time ---- */

static double seconds_of(Str text, Arena *arena)
{
    double best = 1e9;

    for (int round = 0; round < 20; round++) {
        struct timespec from;
        struct timespec to;

        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        for (int i = 0; i < 20; i++) {
            const Sentence *sentence;
            arena_clear(arena);
            lang_parse(text, arena, &sentence, NULL);
        }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        double took = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
        if (took < best)
            best = took;
    }
    return best;
}

/* Sixteen times the text may take at most sixty-four times as long: four times the sixteen of a
 * linear reader, a quarter of what a quadratic one takes. The best of many rounds of CPU time. */
static void hostile_texts_take_linear_time(void **state)
{
    static const struct {
        const char *head;
        const char *repeat;
        const char *tail;
    } shapes[] = {
        {"AND ", "(", ")"},
        {"AND ", "()", ")"},
        {"AND (Skip)", ")", ")"},
        {"AND ", "(Skip)", "(Skip)"},
        {"AND ", "(Skip)) (", ")"},
        {"AND (", ")(", ")"},
        {"AND (Skip)", ")((Skip)", "(Skip)"},
        {"AND (Skip)", " \xC2", "(Skip)"},
        {"NOT (VOTE Agent[", "0", "1])"},
        {"", "(", ""},
        {"", " ", ""},
        {"", "A", ""},
        {"NOT ", "(NOT ", ")"},
        {"NOT (AND (Skip)", "x", "(Skip))"},
    };

    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        double took[2];

        for (int large = 0; large < 2; large++) {
            CLEANUP(buf_done) Buf text = {0};
            size_t size = large ? LANG_BYTES_MAX : LANG_BYTES_MAX / 16;
            size_t tail = strlen(shapes[i].tail);

            buf_printf(&text, "%s", shapes[i].head);
            while (text.len + strlen(shapes[i].repeat) + tail <= size)
                buf_printf(&text, "%s", shapes[i].repeat);
            buf_printf(&text, "%s", shapes[i].tail);
            took[large] = seconds_of(buf_str(&text), *state);
        }
        if (took[1] > 64 * took[0] + 1e-4)
            fail_msg("%s%s...%s: %g s, and %g s for 16 times as much", shapes[i].head,
                     shapes[i].repeat, shapes[i].tail, took[0], took[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_vector_reads_as_the_java_library_reads_it, empty_arena),
        cmocka_unit_test_setup(what_makes_the_java_library_throw_is_not_valid, empty_arena),
        cmocka_unit_test_setup(canonical_text_of_the_corpus_is_stable, empty_arena),
        cmocka_unit_test_setup(every_builder_writes_what_the_java_builder_writes, empty_arena),
        cmocka_unit_test(the_first_character_of_two_halves_is_escaped_and_read_back),
        cmocka_unit_test_setup(a_sentence_holds_what_was_said, empty_arena),
        cmocka_unit_test_setup(a_content_without_a_subject_takes_the_outer_subject_or_the_target,
                               empty_arena),
        cmocka_unit_test_setup(a_content_alone_is_written_with_its_resolved_subject, empty_arena),
        cmocka_unit_test_setup(surplus_groups_are_counted_but_left_out, empty_arena),
        cmocka_unit_test_setup(builders_resolve_subjects_from_the_outside_in, empty_arena),
        cmocka_unit_test_setup(builders_refuse_what_is_no_sentence, empty_arena),
        cmocka_unit_test_setup(a_copy_says_the_speaker_where_nobody_was_named, empty_arena),
        cmocka_unit_test_setup(equality_is_equality_of_canonical_text, empty_arena),
        cmocka_unit_test_setup(strict_is_letter_by_letter, empty_arena),
        cmocka_unit_test_setup(writing_into_little_room_cuts_and_tells_the_length, empty_arena),
        cmocka_unit_test_setup(a_reason_says_where_and_what_was_expected, empty_arena),
        cmocka_unit_test_setup(a_text_of_8192_bytes_is_read_and_one_more_is_refused, empty_arena),
        cmocka_unit_test_setup(two_hundred_fifty_six_levels_are_read_and_one_more_is_refused,
                               empty_arena),
        cmocka_unit_test_setup(the_stated_arena_always_suffices, empty_arena),
        cmocka_unit_test_setup(nothing_is_taken_from_the_arena_by_a_text_that_is_not_valid,
                               empty_arena),
        cmocka_unit_test_setup(canonical_text_fits_the_stated_room, empty_arena),
        cmocka_unit_test_setup(random_trees_read_back_the_same, empty_arena),
        cmocka_unit_test_setup(random_edits_do_no_harm, empty_arena),
        cmocka_unit_test_setup(every_cut_of_a_sentence_is_read_or_refused, empty_arena),
        cmocka_unit_test_setup(hostile_texts_take_linear_time, empty_arena),
    };

    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
