/* test_interpret.c - what sentences mean: English, JSON, ANY, and what AGREE is about. */
#include "lang_data.h"

static const Sentence *read_ok(Arena *arena, const char *text)
{
    const Sentence *sentence = NULL;
    Err err = {0};

    if (lang_parse(str_of(text), arena, &sentence, &err) != 0)
        fail_msg("'%s': column %u: %s", text, err.column, err.msg);
    return sentence;
}

/* ---- English and JSON ---- */

static void a_tree_has_a_line_for_each_part_with_its_subject(void **state)
{
    static const struct {
        LangAgent speaker;
        const char *text;
        const char *tree;
    } cases[] = {
        {1, "Skip", "Skip\n"},
        {1, "Over", "Over\n"},
        {1, "VOTE Agent[03]", "Agent[01] VOTE Agent[03]\n"},
        {LANG_UNSPEC, "VOTE ANY", "(speaker) VOTE ANY\n"},
        {1, "ANY VOTED Agent[02]", "ANY VOTED Agent[02]\n"},
        {1, "Agent[04] ESTIMATE Agent[05] SEER", "Agent[04] ESTIMATE Agent[05] SEER\n"},
        {1, "COMINGOUT Agent[01] ANY", "Agent[01] COMINGOUT Agent[01] ANY\n"},
        {1, "DIVINED Agent[02] HUMAN", "Agent[01] DIVINED Agent[02] HUMAN\n"},
        {1, "IDENTIFIED Agent[02] ANY", "Agent[01] IDENTIFIED Agent[02] ANY\n"},
        {1, "AGREE TALK day2 ID:7", "Agent[01] AGREE TALK day2 ID:7\n"},
        {1, "DISAGREE WHISPER day3 ID:0", "Agent[01] DISAGREE WHISPER day3 ID:0\n"},
        {1, "DAY 4 (VOTED Agent[02])", "Agent[01] DAY 4\n  Agent[01] VOTED Agent[02]\n"},
        {1, "INQUIRE Agent[02] (VOTE ANY)", "Agent[01] INQUIRE Agent[02]\n  Agent[02] VOTE ANY\n"},
        {1, "BECAUSE (NOT (GUARDED Agent[02])) (XOR (VOTE Agent[03]) (VOTE Agent[04]))",
         "Agent[01] BECAUSE\n  Agent[01] NOT\n    Agent[01] GUARDED Agent[02]\n"
         "  Agent[01] XOR\n    Agent[01] VOTE Agent[03]\n    Agent[01] VOTE Agent[04]\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        Arena arena = arena_new(LANG_ARENA_BYTES(1000));
        lang_tree(read_ok(&arena, cases[i].text), cases[i].speaker, &out);
        assert_string_equal(buf_cstr(&out), cases[i].tree);
        arena_done(&arena);
    }
}

static void english_says_who_does_what(void **state)
{
    static const struct {
        LangAgent speaker;
        const char *text;
        const char *english;
    } cases[] = {
        {1, "REQUEST Agent[02] (VOTE Agent[03])",
         "Agent[01] asks Agent[02] to vote for Agent[03]."},
        {LANG_UNSPEC, "VOTE Agent[03]", "The speaker will vote for Agent[03]."},
        {LANG_UNSPEC, "ANY VOTED ANY", "Some agent voted for some agent."},
        {4, "COMINGOUT Agent[04] SEER", "Agent[04] declares itself to be the seer."},
        {4, "COMINGOUT Agent[05] SEER", "Agent[04] declares that Agent[05] is the seer."},
        {4, "COMINGOUT ANY SEER", "Agent[04] declares that some agent is the seer."},
        {4, "ANY COMINGOUT ANY SEER", "Some agent declares that some agent is the seer."},
        {LANG_UNSPEC, "COMINGOUT ANY SEER", "The speaker declares that some agent is the seer."},
        {4, "ESTIMATE Agent[123] ANY", "Agent[04] thinks that Agent[123] is of some role."},
        {4, "DIVINED Agent[05] WEREWOLF", "Agent[04] divined Agent[05] and found a werewolf."},
        {4, "IDENTIFIED Agent[05] HUMAN", "Agent[04] identified Agent[05] as a human."},
        {4, "DIVINED Agent[05] ANY", "Agent[04] divined Agent[05] with some result."},
        {4, "DISAGREE WHISPER day1 ID:3", "Agent[04] disagrees with whisper 3 of day 1."},
        {4, "Skip", "Agent[04] has nothing to say now."},
        {4, "Over", "Agent[04] has nothing more to say."},
        {1, "REQUEST ANY (Agent[02] VOTE Agent[03])",
         "Agent[01] asks some agent to see to it that Agent[02] will vote for Agent[03]."},
        {1, "REQUEST Agent[02] (NOT (VOTE Agent[03]))",
         "Agent[01] asks Agent[02] not to vote for Agent[03]."},
        {1, "REQUEST Agent[02] (DIVINED Agent[03] WEREWOLF)",
         "Agent[01] asks Agent[02] to act as if it had divined Agent[03] and found a werewolf."},
        {1, "REQUEST Agent[02] (REQUEST Agent[03] (VOTE Agent[04]))",
         "Agent[01] asks Agent[02] to ask Agent[03] to vote for Agent[04]."},
        {1, "INQUIRE Agent[02] (VOTED Agent[03])",
         "Agent[01] asks Agent[02] whether Agent[02] voted for Agent[03]."},
        {1, "INQUIRE Agent[02] (VOTE ANY)",
         "Agent[01] asks Agent[02] what stands for ANY in: Agent[02] will vote for ANY."},
        {1, "INQUIRE ANY (VOTED Agent[03])",
         "Agent[01] asks some agent whether that agent voted for Agent[03]."},
        {1, "INQUIRE ANY (COMINGOUT ANY SEER)",
         "Agent[01] asks some agent what stands for ANY in: that agent declares that ANY is the "
         "seer."},
        {1, "BECAUSE (DIVINED Agent[03] WEREWOLF) (VOTE Agent[03])",
         "Because Agent[01] divined Agent[03] and found a werewolf, Agent[01] will vote for "
         "Agent[03]."},
        {1, "DAY 2 (ATTACKED Agent[03])", "On day 2 Agent[01] attacked Agent[03]."},
        {1, "NOT (OR (VOTE Agent[02]) (VOTE Agent[03]))",
         "It is not true that (Agent[01] will vote for Agent[02] or Agent[01] will vote for "
         "Agent[03])."},
        {1, "Agent[04] XOR (GUARD Agent[02]) (NOT (GUARDED Agent[03]))",
         "According to Agent[04], either Agent[04] will guard Agent[02] or (it is not true that "
         "Agent[04] guarded Agent[03]), but not both."},
        {1, "Agent[01] AND (VOTE Agent[02]) (Agent[03] AGREE TALK day1 ID:0)",
         "Agent[01] will vote for Agent[02] and Agent[03] agrees with talk 0 of day 1."},
        {1, "AND ((Skip)", "Nothing is said."},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        lang_explain(read_ok(*state, cases[i].text), cases[i].speaker, &out);
        assert_string_equal(buf_cstr(&out), cases[i].english);
    }
}

static void json_holds_the_whole_tree(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    lang_json(read_ok(*state, "REQUEST (AND (DIVINED ANY HUMAN) (DAY 3 (ESTIMATE Agent[2] FOX)))"),
              4, &out);
    assert_string_equal(
        buf_cstr(&out),
        "{\"kind\":\"REQUEST\",\"subject\":4,\"target\":\"ANY\",\"contents\":["
        "{\"kind\":\"AND\",\"subject\":\"ANY\",\"contents\":["
        "{\"kind\":\"DIVINED\",\"subject\":\"ANY\",\"target\":\"ANY\",\"species\":\"HUMAN\"},"
        "{\"kind\":\"DAY\",\"subject\":\"ANY\",\"day\":3,\"contents\":["
        "{\"kind\":\"ESTIMATE\",\"subject\":\"ANY\",\"target\":2,\"role\":\"FOX\"}]}]}]}");

    buf_clear(&out);
    lang_json(read_ok(*state, "NOT (AGREE TALK day1 ID:2)"), LANG_UNSPEC, &out);
    assert_string_equal(buf_cstr(&out),
                        "{\"kind\":\"NOT\",\"subject\":null,\"contents\":[{\"kind\":\"AGREE\","
                        "\"subject\":null,\"talk\":{\"type\":\"TALK\",\"day\":1,\"id\":2}}]}");
    buf_clear(&out);
    lang_json(read_ok(*state, "OR ((Skip)"), 1, &out);
    assert_string_equal(buf_cstr(&out), "{\"kind\":\"OR\",\"subject\":1,\"contents\":[]}");
}

/* ---- ANY ---- */

static const LangWorld three = {.seats = 0xE, .roles = 1u << ROLE_SEER | 1u << ROLE_WEREWOLF};

static void any_becomes_the_or_of_all_values(void **state)
{
    static const struct {
        const char *text;
        const char *expanded;
    } cases[] = {
        {"VOTED ANY", "OR (VOTED Agent[01]) (VOTED Agent[02]) (VOTED Agent[03])"},
        {"Agent[02] VOTED ANY",
         "Agent[02] OR (VOTED Agent[01]) (VOTED Agent[02]) (VOTED Agent[03])"},
        {"ANY VOTED Agent[01]", "OR (Agent[01] VOTED Agent[01]) (Agent[02] VOTED Agent[01]) "
                                "(Agent[03] VOTED Agent[01])"},
        {"ESTIMATE Agent[01] ANY", "OR (ESTIMATE Agent[01] SEER) (ESTIMATE Agent[01] WEREWOLF)"},
        {"DIVINED Agent[01] ANY", "OR (DIVINED Agent[01] HUMAN) (DIVINED Agent[01] WEREWOLF)"},
        {"REQUEST ANY (VOTE Agent[01])",
         "OR (REQUEST Agent[01] (VOTE Agent[01])) (REQUEST Agent[02] (VOTE Agent[01])) "
         "(REQUEST Agent[03] (VOTE Agent[01]))"},
        {"REQUEST ANY (Agent[02] VOTE Agent[01])",
         "OR (REQUEST Agent[01] (Agent[02] VOTE Agent[01])) "
         "(REQUEST Agent[02] (VOTE Agent[01])) "
         "(REQUEST Agent[03] (Agent[02] VOTE Agent[01]))"},
        {"NOT (VOTED ANY)", "NOT (OR (VOTED Agent[01]) (VOTED Agent[02]) (VOTED Agent[03]))"},
        {"ANY AND (VOTE Agent[01]) (VOTE Agent[02])",
         "OR (Agent[01] AND (VOTE Agent[01]) (VOTE Agent[02])) "
         "(Agent[02] AND (VOTE Agent[01]) (VOTE Agent[02])) "
         "(Agent[03] AND (VOTE Agent[01]) (VOTE Agent[02]))"},
        {"INQUIRE Agent[01] (VOTE ANY)", "INQUIRE Agent[01] (VOTE ANY)"},
        {"INQUIRE ANY (VOTE ANY)",
         "OR (INQUIRE Agent[01] (VOTE ANY)) (INQUIRE Agent[02] (VOTE ANY)) "
         "(INQUIRE Agent[03] (VOTE ANY))"},
        {"NOT (Skip)", "NOT (Skip)"},
        {"VOTE Agent[09]", "VOTE Agent[09]"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[LANG_TEXT_MAX];
        const Sentence *expanded = NULL;

        assert_int_equal(lang_expand(read_ok(*state, cases[i].text), LANG_UNSPEC, &three, *state,
                                     1000, &expanded, NULL),
                         0);
        lang_write(expanded, text, sizeof(text));
        assert_string_equal(text, cases[i].expanded);
        /* It is a sentence like any other. */
        assert_true(lang_equal(expanded, read_ok(*state, text)));
    }
}

static void expanding_fills_in_the_speaker(void **state)
{
    char text[LANG_TEXT_MAX];
    const Sentence *expanded = NULL;

    assert_int_equal(lang_expand(read_ok(*state, "NOT (ESTIMATE Agent[02] ANY)"), 3, &three, *state,
                                 1000, &expanded, NULL),
                     0);
    lang_write(expanded, text, sizeof(text));
    assert_string_equal(
        text, "Agent[03] NOT (OR (ESTIMATE Agent[02] SEER) (ESTIMATE Agent[02] WEREWOLF))");
}

static void several_anys_multiply(void **state)
{
    const Sentence *expanded = NULL;

    assert_int_equal(lang_expand(read_ok(*state, "ANY ESTIMATE ANY ANY"), LANG_UNSPEC, &three,
                                 *state, 19, &expanded, NULL),
                     0);
    assert_int_equal(expanded->child_count, 3 * 3 * 2);
    assert_int_equal(expanded->height, 1);
}

static void expanding_stops_at_the_stated_limit(void **state)
{
    CLEANUP(arena_done) Arena small = arena_new(200);
    const Sentence *s = read_ok(*state, "ANY ESTIMATE ANY ANY");
    const Sentence *expanded = NULL;
    Err err = {0};

    assert_int_equal(lang_expand(s, 1, &three, *state, 18, &expanded, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "ANY stands for too many sentences");
    err = (Err){0};
    assert_int_equal(lang_expand(s, 1, &three, &small, 100, &expanded, &err), ERR_MEMORY);
    assert_int_equal(small.used, 0);
    err = (Err){0};
    assert_int_equal(lang_expand(s, 1, &(LangWorld){0}, *state, 100, &expanded, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "there is nothing that ANY could stand for");
    assert_null(expanded);

    /* Three to the power of forty: refused soon, not computed. */
    CLEANUP(buf_done) Buf text = {0};
    for (int i = 0; i < 40; i++)
        buf_printf(&text, "REQUEST ANY (");
    buf_printf(&text, "Skip");
    for (int i = 0; i < 40; i++)
        buf_add_char(&text, ')');
    s = read_ok(*state, buf_cstr(&text));
    assert_int_equal(lang_expand(s, 1, &three, *state, 10000, &expanded, NULL), ERR_LIMIT);
}

static void an_expansion_deeper_than_the_limit_is_refused(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    const LangWorld one = {.seats = 2};
    const Sentence *expanded = NULL;

    for (int i = 0; i < 200; i++)
        buf_printf(&text, "REQUEST ANY (");
    buf_printf(&text, "Skip");
    for (int i = 0; i < 200; i++)
        buf_add_char(&text, ')');
    assert_int_equal(
        lang_expand(read_ok(*state, buf_cstr(&text)), 1, &one, *state, 10000, &expanded, NULL),
        ERR_LIMIT);
}

static void any_is_found_wherever_it_stands(void **state)
{
    static const char *const with[] = {"ANY VOTE Agent[1]", "NOT (VOTE ANY)",
                                       "ESTIMATE Agent[1] ANY", "AND (Skip) (DIVINED Agent[1] ANY)",
                                       "REQUEST (Skip)"};
    static const char *const without[] = {"Skip", "AND (VOTE Agent[1]) (AGREE TALK day1 ID:1)",
                                          "REQUEST Agent[1] (VOTE Agent[2])"};

    for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
        assert_true(lang_has_any(read_ok(*state, with[i])));
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
        assert_false(lang_has_any(read_ok(*state, without[i])));
    assert_true(lang_asks_which(read_ok(*state, "INQUIRE Agent[1] (VOTE ANY)")));
    assert_true(lang_asks_which(read_ok(*state, "INQUIRE Agent[1] (ANY VOTE Agent[2])")));
    assert_false(lang_asks_which(read_ok(*state, "INQUIRE ANY (VOTE Agent[2])")));
    assert_false(lang_asks_which(read_ok(*state, "INQUIRE ANY (NOT (VOTE Agent[2]))")));
}

/* ---- AGREE ---- */

/* An archive where utterance `id` of day 1 is said[id], by agent id + 1. */
typedef struct Said {
    LangArchive archive;
    const Sentence *said[32];
} Said;

static bool find_said(const LangArchive *archive, LangTalk talk, int32_t day, int32_t id,
                      LangSpoken *ret_spoken)
{
    const Said *said = (const Said *)archive;

    if (talk != LANG_TALK || day != 1 || id < 0 || id >= 32 || !said->said[id])
        return false;
    *ret_spoken = (LangSpoken){said->said[id], id + 1};
    return true;
}

static void agreeing_leads_to_what_was_said(void **state)
{
    Said said = {.archive = {find_said}};
    LangSpoken about;
    bool agrees;

    said.said[0] = read_ok(*state, "VOTE Agent[03]");
    said.said[1] = read_ok(*state, "DISAGREE TALK day1 ID:0");
    said.said[2] = read_ok(*state, "DISAGREE TALK day1 ID:1");
    LangSpoken last = {read_ok(*state, "AGREE TALK day1 ID:1"), 9};
    assert_int_equal(lang_referred(last, &said.archive, &about, &agrees, NULL), 0);
    assert_ptr_equal(about.sentence, said.said[0]);
    assert_int_equal(about.speaker, 1);
    assert_false(agrees);

    last.sentence = said.said[2];
    assert_int_equal(lang_referred(last, &said.archive, &about, &agrees, NULL), 0);
    assert_true(agrees);

    last.sentence = said.said[0];
    assert_int_equal(lang_referred(last, &said.archive, &about, &agrees, NULL), 0);
    assert_int_equal(about.speaker, 9);
    assert_true(agrees);
}

static void agreeing_with_nothing_is_an_error(void **state)
{
    Said said = {.archive = {find_said}};
    LangSpoken about = {0};
    bool agrees;
    Err err = {0};
    LangSpoken last = {read_ok(*state, "AGREE WHISPER day2 ID:7"), 9};

    assert_int_equal(lang_referred(last, &said.archive, &about, &agrees, &err), ERR_RULE);
    assert_string_equal(err.msg, "there is no WHISPER day2 ID:7 to agree or disagree with");
    assert_null(about.sentence);
}

static void a_circle_of_agreement_ends(void **state)
{
    Said said = {.archive = {find_said}};
    LangSpoken about;
    bool agrees;
    Err err = {0};

    said.said[0] = read_ok(*state, "AGREE TALK day1 ID:1");
    said.said[1] = read_ok(*state, "AGREE TALK day1 ID:0");
    assert_int_equal(
        lang_referred((LangSpoken){said.said[0], 1}, &said.archive, &about, &agrees, &err),
        ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_tree_has_a_line_for_each_part_with_its_subject, empty_arena),
        cmocka_unit_test_setup(english_says_who_does_what, empty_arena),
        cmocka_unit_test_setup(json_holds_the_whole_tree, empty_arena),
        cmocka_unit_test_setup(any_becomes_the_or_of_all_values, empty_arena),
        cmocka_unit_test_setup(expanding_fills_in_the_speaker, empty_arena),
        cmocka_unit_test_setup(several_anys_multiply, empty_arena),
        cmocka_unit_test_setup(expanding_stops_at_the_stated_limit, empty_arena),
        cmocka_unit_test_setup(an_expansion_deeper_than_the_limit_is_refused, empty_arena),
        cmocka_unit_test_setup(any_is_found_wherever_it_stands, empty_arena),
        cmocka_unit_test_setup(agreeing_leads_to_what_was_said, empty_arena),
        cmocka_unit_test_setup(agreeing_with_nothing_is_an_error, empty_arena),
        cmocka_unit_test_setup(a_circle_of_agreement_ends, empty_arena),
    };

    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
