/* The document of models' decisions: sums, anchors, costs, prompts; records that are damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <string.h>

#include "web/mind_doc.h"

static const char document[] =
    "{\"format\":\"warg-game\",\"version\":1,\"id\":\"s.2\",\"began_ms\":1767225605000,"
    "\"seats\":[{\"seat\":1,\"name\":\"Ann\"},{\"seat\":2,\"name\":\"Bo\"},"
    "{\"seat\":3,\"name\":\"Cy\"}],\"events\":["
    "{\"a\":\"d1t0\",\"kind\":\"talk\",\"seat\":2,\"text\":\"hello\"},"
    "{\"a\":\"d1t1\",\"kind\":\"talk\",\"seat\":1,\"text\":\"hello\"},"
    "{\"a\":\"d1s0\",\"kind\":\"standing\",\"seat\":1,\"target\":2},"
    "{\"a\":\"d1t2\",\"kind\":\"talk\",\"seat\":1,\"text\":\"hello\"}]}";

#define DECISION(t, name, rest)                                                                    \
    "{\"t_ms\":" t ",\"event\":\"decision\",\"jid\":\"p01@maw.localhost\",\"name\":\"" name        \
    "\",\"decision\":{\"type\":\"decision\"," rest "}}\n"

static const char record[] =
    "{\"seq\":0,\"t_ms\":0,\"event\":\"session\",\"began\":\"2026-01-01T00:00:00.000Z\"}\n"
    "{\"t_ms\":2,\"event\":\"seat\",\"jid\":\"p01@maw.localhost\",\"name\":\"Ann\","
    "\"kind\":\"model\",\"model\":\"m8\"}\n"
    "{\"seq\":1,\"t_ms\":3,\"event\":\"start_game\"}\n"
    /* of the round before: not of this document */
    DECISION(
        "1000", "Ann",
        "\"source\":\"model\",\"action\":\"listen\",\"prompt_tokens\":99") "{\"seq\":2,\"t_ms\":"
                                                                           "4000,\"event\":\"end_"
                                                                           "game\"}\n"
                                                                           "{\"seq\":3,\"t_ms\":"
                                                                           "5000,\"event\":\"start_"
                                                                           "game\"}\n"
                                                                           "{\"seq\":4,\"t_ms\":"
                                                                           "5001,\"event\":"
                                                                           "\"message\","
                                                                           "\"decision\":\"no\"}"
                                                                           "\n" DECISION(
                                                                               "6000", "Ann",
                                                                               "\"source\":"
                                                                               "\"model\","
                                                                               "\"action\":"
                                                                               "\"speak\","
                                                                               "\"message\":"
                                                                               "\"hello\","
                                                                               "\"thought\":\"hm\","
                                                                               "\"latency_ms\":300,"
                                                                               "\"prompt_tokens\":"
                                                                               "1000,\"answer_"
                                                                               "tokens\":50,"
                                                                               "\"prompt\":4")
                                                                               DECISION(
                                                                                   "6500", "Ann",
                                                                                   "\"source\""
                                                                                   ":\"repaire"
                                                                                   "d\","
                                                                                   "\"action\""
                                                                                   ":\"vote\","
                                                                                   "\"target\""
                                                                                   ":\"Bo\","
                                                                                   "\"latency_"
                                                                                   "ms\":100,"
                                                                                   "\"prompt_"
                                                                                   "tokens\":"
                                                                                   "2000,"
                                                                                   "\"answer_"
                                                                                   "tokens\":"
                                                                                   "50") DECISION("7000",
                                                                                                  "Ann",
                                                                                                  "\"source\":"
                                                                                                  "\"fallback"
                                                                                                  "\","
                                                                                                  "\"action\":"
                                                                                                  "\"listen\","
                                                                                                  "\"why\":"
                                                                                                  "\"no "
                                                                                                  "time\"")
                                                                                   DECISION(
                                                                                       "7500",
                                                                                       "Ann",
                                                                                       "\"sourc"
                                                                                       "e\":"
                                                                                       "\"model"
                                                                                       "\","
                                                                                       "\"actio"
                                                                                       "n\":"
                                                                                       "\"liste"
                                                                                       "n\","
                                                                                       "\"suppr"
                                                                                       "esse"
                                                                                       "d\":"
                                                                                       "\"leak"
                                                                                       "\","
                                                                                       "\"laten"
                                                                                       "cy_"
                                                                                       "ms\":"
                                                                                       "200")
                                                                                       DECISION(
                                                                                           "800"
                                                                                           "0",
                                                                                           "An"
                                                                                           "n",
                                                                                           "\"s"
                                                                                           "our"
                                                                                           "c"
                                                                                           "e\""
                                                                                           ":"
                                                                                           "\"m"
                                                                                           "ode"
                                                                                           "l"
                                                                                           "\","
                                                                                           "\"a"
                                                                                           "cti"
                                                                                           "o"
                                                                                           "n\""
                                                                                           ":"
                                                                                           "\"s"
                                                                                           "pea"
                                                                                           "k"
                                                                                           "\","
                                                                                           "\"m"
                                                                                           "ess"
                                                                                           "a"
                                                                                           "ge"
                                                                                           "\":"
                                                                                           "\"h"
                                                                                           "ell"
                                                                                           "o"
                                                                                           "\"")
                                                                                           DECISION(
                                                                                               "810"
                                                                                               "0",
                                                                                               "Nob"
                                                                                               "od"
                                                                                               "y",
                                                                                               "\"s"
                                                                                               "our"
                                                                                               "ce"
                                                                                               "\":"
                                                                                               "\"m"
                                                                                               "ode"
                                                                                               "l\""
                                                                                               ",\""
                                                                                               "act"
                                                                                               "ion"
                                                                                               "\":"
                                                                                               "\"l"
                                                                                               "ist"
                                                                                               "en"
                                                                                               "\"") "{\"t_ms\":9000,\"event\":\"deci"; /* its writer is at it */

static Str prompts_of(void *user, Str player)
{
    assert_true(str_eq(player, STR("p01")));
    return user ? *(const Str *)user : (Str){0};
}

static json_t *written(const MindSource *source)
{
    CLEANUP(buf_done) Buf out = {0};
    Err err = {0};

    if (mind_doc_write(source, &out, &err))
        fail_msg("%u: %s", err.line, err.msg);
    json_t *json = json_loadb(out.bytes, out.len, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    return json;
}

static json_int_t sum_of(const json_t *mind, const char *key)
{
    const json_t *value = json_object_get(json_array_get(json_object_get(mind, "seats"), 0), key);

    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static const char *anchor_of(const json_t *mind, size_t index)
{
    const json_t *decision = json_array_get(json_object_get(mind, "decisions"), index);

    assert_non_null(decision);
    return json_string_value(json_object_get(decision, "a"));
}

static void decisions_are_counted_and_have_their_moments(void **state)
{
    const MindSource source = {.record = str_of(record), .round = 1, .document = str_of(document)};
    json_t *mind = written(&source);

    (void)state;
    assert_int_equal(json_array_size(json_object_get(mind, "decisions")), 5);
    assert_int_equal(json_integer_value(json_object_get(mind, "players")), 3);
    assert_int_equal(json_array_size(json_object_get(mind, "seats")), 1);
    assert_int_equal(sum_of(mind, "seat"), 1);
    assert_int_equal(sum_of(mind, "decisions"), 5);
    assert_int_equal(sum_of(mind, "by_model"), 4);
    assert_int_equal(sum_of(mind, "repaired"), 1);
    assert_int_equal(sum_of(mind, "by_rule"), 1);
    assert_int_equal(sum_of(mind, "leaks"), 1);
    assert_int_equal(sum_of(mind, "prompt_tokens"), 3000);
    assert_int_equal(sum_of(mind, "answer_tokens"), 100);
    assert_int_equal(sum_of(mind, "latency_p50_ms"), 200);
    assert_int_equal(sum_of(mind, "latency_p95_ms"), 300);
    /* the same words of somebody else are not hers, and each of hers is spoken for once */
    assert_string_equal(anchor_of(mind, 0), "d1t1");
    assert_string_equal(anchor_of(mind, 1), "d1s0");
    assert_null(anchor_of(mind, 2));
    assert_null(anchor_of(mind, 3));
    assert_string_equal(anchor_of(mind, 4), "d1t2");
    const json_t *first = json_array_get(json_object_get(mind, "decisions"), 0);
    assert_int_equal(json_integer_value(json_object_get(first, "t_ms")), 1000);
    assert_int_equal(json_integer_value(json_object_get(first, "prompt")), 4);
    assert_null(json_object_get(json_array_get(json_object_get(mind, "seats"), 0), "cost"));
    json_decref(mind);
}

/* As records are now: tokens by kind, the answers as they came. */
static void what_came_of_an_answer_is_in_the_document(void **state)
{
    static const char now[] = "{\"seq\":1,\"t_ms\":3,\"event\":\"start_game\"}\n" DECISION(
        "10", "Ann",
        "\"source\":\"repaired\",\"action\":\"listen\",\"tries\":3,\"tokens\":{\"prompt\":70,"
        "\"cached\":60,\"reasoning\":9,\"answer\":12},\"suppressed\":\"repeat\",\"line\":\"hello\","
        "\"first\":{\"answer\":\"??\",\"wrong\":\"no object\"},\"finish\":\"stop\","
        "\"reasoning\":\"hm\",\"answer\":\"{}\"");
    static const char *const texts[][2] = {{"line", "hello"},   {"first_raw", "??"},
                                           {"raw", "{}"},       {"first_wrong", "no object"},
                                           {"reasoning", "hm"}, {"finish", "stop"}};
    static const struct {
        const char *key;
        json_int_t value;
    } numbers[] = {{"prompt_tokens", 70},
                   {"cached_tokens", 60},
                   {"reasoning_tokens", 9},
                   {"answer_tokens", 12},
                   {"tries", 3}};
    const MindSource source = {.record = str_of(now), .document = str_of(document)};
    json_t *mind = written(&source);
    const json_t *decision = json_array_get(json_object_get(mind, "decisions"), 0);

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_string_equal(json_string_value(json_object_get(decision, texts[i][0])), texts[i][1]);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        assert_int_equal(json_integer_value(json_object_get(decision, numbers[i].key)),
                         numbers[i].value);
    assert_int_equal(sum_of(mind, "prompt_tokens"), 70);
    assert_int_equal(sum_of(mind, "answer_tokens"), 12);
    json_decref(mind);
}

/* What the server knew already has a price of its own. */
static void what_was_cached_costs_less(void **state)
{
    static const char now[] =
        "{\"t_ms\":2,\"event\":\"seat\",\"jid\":\"p01@maw.localhost\",\"name\":\"Ann\","
        "\"kind\":\"model\",\"model\":\"m8\"}\n"
        "{\"seq\":1,\"t_ms\":3,\"event\":\"start_game\"}\n" DECISION(
            "10", "Ann",
            "\"source\":\"model\",\"action\":\"listen\",\"tokens\":{\"prompt\":70,\"cached\":60,"
            "\"answer\":12}");
    LlmPrices *prices = NULL;

    (void)state;
    assert_int_equal(
        llm_prices_read(STR("models: {m8: {in: 1, cached: 0.1, out: 10}}"), &prices, NULL), 0);
    const MindSource source = {
        .record = str_of(now), .document = str_of(document), .prices = prices};
    json_t *mind = written(&source);
    const json_t *cost = json_object_get(json_array_get(json_object_get(mind, "seats"), 0), "cost");
    /* 10 x 1 + 60 x 0.1 + 12 x 10 millionths */
    assert_true(json_real_value(cost) > 0.0001359 && json_real_value(cost) < 0.0001361);
    json_decref(mind);
    llm_prices_free(prices);
}

static void costs_come_of_prices_only(void **state)
{
    LlmPrices *prices = NULL;

    (void)state;
    assert_int_equal(llm_prices_read(STR("models: {m8: {in: 1, out: 10}}"), &prices, NULL), 0);
    const MindSource source = {
        .record = str_of(record), .round = 1, .document = str_of(document), .prices = prices};
    json_t *mind = written(&source);
    const json_t *cost = json_object_get(json_array_get(json_object_get(mind, "seats"), 0), "cost");
    assert_true(json_real_value(cost) > 0.0039999 && json_real_value(cost) < 0.0040001);
    assert_string_equal(json_string_value(json_object_get(mind, "currency")), "USD");
    json_decref(mind);
    llm_prices_free(prices);
}

static void whole_lines_of_prompts_are_shown(void **state)
{
    Str text =
        STR("{\"prompt\":0,\"messages\":[]}\n[1]\n{\"broken\n{\"prompt\":1}\n{\"prompt\":2}");
    const MindSource source = {.record = str_of(record),
                               .round = 1,
                               .document = str_of(document),
                               .prompts = prompts_of,
                               .user = &text};
    json_t *mind = written(&source);
    const json_t *lines =
        json_object_get(json_array_get(json_object_get(mind, "prompts"), 0), "lines");

    (void)state;
    assert_int_equal(json_array_size(lines), 2);
    json_decref(mind);
}

static void what_is_no_record_is_refused_with_its_line(void **state)
{
    const MindSource broken = {.record = STR("{\"event\":\"session\"}\n{nonsense}\n"),
                               .document = str_of(document)};
    const MindSource no_document = {.record = str_of(record), .document = STR("[]]")};
    CLEANUP(buf_done) Buf out = {0};
    Err err = {0};

    (void)state;
    assert_int_equal(mind_doc_write(&broken, &out, &err), ERR_SYNTAX);
    assert_int_equal(err.line, 2);
    assert_int_equal(out.len, 0);
    assert_int_equal(mind_doc_write(&no_document, &out, NULL), ERR_SYNTAX);
}

/* An opinion stands behind the last event before it was asked for: it took three seconds. */
static void opinions_have_the_moment_when_they_were_asked_for(void **state)
{
    static const char told[] =
        "{\"format\":\"warg-game\",\"version\":1,\"id\":\"s.1\",\"began_ms\":1767225600000,"
        "\"seats\":[{\"seat\":1,\"name\":\"Ann\"},{\"seat\":2,\"name\":\"Bo\"}],\"events\":["
        "{\"a\":\"d1t0\",\"t_ms\":1000,\"kind\":\"talk\",\"seat\":2,\"text\":\"hello\"},"
        "{\"a\":\"d1t1\",\"t_ms\":5000,\"kind\":\"talk\",\"seat\":2,\"text\":\"you\"}]}";
    static const char lines[] =
        "{\"t_ms\":0,\"event\":\"session\",\"began\":\"2026-01-01T00:00:00.000Z\"}\n"
        "{\"t_ms\":3,\"event\":\"start_game\"}\n"
        "{\"t_ms\":6000,\"event\":\"opinion\",\"name\":\"Ann\",\"decision\":{\"task\":\"opinion\","
        "\"target\":\"Bo\",\"sure\":70,\"lines_said\":1,\"took_ms\":3000}}\n"
        "{\"t_ms\":8000,\"event\":\"opinion\",\"name\":\"Ann\",\"decision\":{\"task\":\"opinion\","
        "\"target\":\"Bo\",\"lines_said\":2,\"why\":\"not in time\"}}\n"
        "{\"t_ms\":8000,\"event\":\"opinion\",\"name\":\"Ann\",\"decision\":{\"task\":\"opinion\","
        "\"target\":\"Cy\",\"sure\":1}}\n"
        "{\"t_ms\":9000,\"event\":\"opinion\",\"name\":\"Bo\",\"decision\":{\"task\":\"opinion\","
        "\"target\":\"Ann\",\"sure\":0,\"lines_said\":2}}\n"
        "{\"t_ms\":9500,\"event\":\"end_game\"}\n"
        "{\"t_ms\":9600,\"event\":\"opinion\",\"name\":\"Bo\",\"decision\":{\"task\":\"opinion\","
        "\"target\":\"Ann\",\"sure\":9}}\n";
    const MindSource source = {.record = str_of(lines), .document = str_of(told)};
    json_t *mind = written(&source);
    json_t *wanted = json_loads(
        "[{\"seat\":1,\"t_ms\":3000,\"a\":\"d1t0\",\"target\":2,\"sure\":70,\"lines\":1},"
        "{\"seat\":2,\"t_ms\":9000,\"a\":\"d1t1\",\"target\":1,\"sure\":0,\"lines\":2}]",
        0, NULL);
    (void)state;

    assert_true(json_equal(json_object_get(mind, "opinions"), wanted));
    assert_int_equal(json_array_size(json_object_get(mind, "decisions")), 0);
    json_decref(wanted);
    json_decref(mind);
}

static void file_of_agent(void *user, SeatNo seat, bool prompts, Buf *out)
{
    (void)user;
    if (seat == 1 && !prompts)
        buf_add(out, STR("{\"type\":\"seat\",\"model\":\"m8\"}\n"
                         "{\"type\":\"decision\",\"round\":1,\"name\":\"Ann\",\"task\":\"opinion\","
                         "\"target\":\"Bo\",\"sure\":9,\"lines_said\":1}\n"
                         "{\"type\":\"decision\",\"round\":2,\"name\":\"Ann\",\"task\":\"opinion\","
                         "\"target\":\"Bo\",\"sure\":70,\"lines_said\":1}\n"
                         "{\"type\":\"decision\",\"round\":2,\"name\":\"Ann\",\"task\":\"talk\","
                         "\"source\":\"model\",\"action\":\"listen\"}\n"
                         "{\"type\":\"decision\",\"round\":2,\"name\":\"Ann\",\"task\":\"opinion\","
                         "\"target\":\"Bo\",\"sure\":80,\"lines_said\":2}\n"));
}

static uint64_t second_game(void *user, SeatNo seat)
{
    (void)user, (void)seat;
    return 2;
}

/* In the AIWolf divisions no time is kept: they stand behind the lines that their model had heard,
 * and are no decisions. */
static void opinions_of_agents_stand_behind_what_they_heard(void **state)
{
    static const char told[] =
        "{\"format\":\"warg-game\",\"version\":1,\"id\":\"001\","
        "\"seats\":[{\"seat\":1,\"name\":\"Ann\"},{\"seat\":2,\"name\":\"Bo\"}],\"events\":["
        "{\"a\":\"d1t0\",\"kind\":\"talk\",\"seat\":2,\"text\":\"hello\"},"
        "{\"a\":\"d1t1\",\"kind\":\"talk\",\"seat\":1,\"text\":\"Skip\",\"quiet\":\"skip\"},"
        "{\"a\":\"d1t2\",\"kind\":\"talk\",\"seat\":2,\"text\":\"you\"}]}";
    const MindSource source = {
        .document = str_of(told), .file = file_of_agent, .part = second_game};
    json_t *mind = written(&source);
    json_t *wanted = json_loads("[{\"seat\":1,\"a\":\"d1t0\",\"target\":2,\"sure\":70,\"lines\":1},"
                                "{\"seat\":1,\"a\":\"d1t2\",\"target\":2,\"sure\":80,\"lines\":2}]",
                                0, NULL);
    (void)state;

    assert_true(json_equal(json_object_get(mind, "opinions"), wanted));
    assert_int_equal(json_array_size(json_object_get(mind, "decisions")), 1);
    json_decref(wanted);
    json_decref(mind);
}

/* Games in natural language go side by side, and anybody may call an agent of theirs as a model is
 * called: only what stands below the id of the game is shown, and never what one that still runs
 * has below its own. */
static void file_of_several_games(void *user, SeatNo seat, bool prompts, Buf *out)
{
    (void)user;
    if (seat == 1 && !prompts)
        buf_add(out, STR("{\"type\":\"seat\",\"model\":\"m8\"}\n"
                         "{\"type\":\"game\",\"id\":\"G2\"}\n"
                         "{\"type\":\"decision\",\"round\":1,\"name\":\"Ann\",\"task\":\"talk\","
                         "\"source\":\"model\",\"thought\":\"I am the wolf of G2\"}\n"
                         "{\"type\":\"game\",\"id\":\"G1\"}\n"
                         "{\"type\":\"decision\",\"round\":2,\"name\":\"Ann\",\"task\":\"talk\","
                         "\"source\":\"model\",\"thought\":\"this is G1\"}\n"
                         "{\"type\":\"seat\",\"model\":\"m8\"}\n"
                         "{\"type\":\"decision\",\"round\":1,\"name\":\"Ann\",\"task\":\"talk\","
                         "\"source\":\"model\",\"thought\":\"of no game\"}\n"));
}

static size_t decisions_of(const char *id, const char **ret_thought)
{
    static char thought[100];
    static const char told[] = "{\"format\":\"warg-game\",\"version\":1,\"id\":\"g\","
                               "\"seats\":[{\"seat\":1,\"name\":\"Ann\"}],\"events\":[]}";
    const MindSource source = {.document = str_of(told),
                               .file = file_of_several_games,
                               .part = second_game,
                               .game = str_of(id)};
    json_t *mind = written(&source);
    const json_t *decisions = json_object_get(mind, "decisions");
    const size_t count = json_array_size(decisions);
    const char *first = json_string_value(json_object_get(json_array_get(decisions, 0), "thought"));

    snprintf(thought, sizeof(thought), "%s", first ? first : "");
    *ret_thought = thought;
    json_decref(mind);
    return count;
}

static void a_game_of_natural_language_shows_its_own_lines_alone(void **state)
{
    const char *thought;
    (void)state;

    assert_int_equal(decisions_of("G1", &thought), 1);
    assert_string_equal(thought, "this is G1");
    assert_int_equal(decisions_of("G2", &thought), 1);
    assert_string_equal(thought, "I am the wolf of G2");
    assert_int_equal(decisions_of("G3", &thought), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_are_counted_and_have_their_moments),
        cmocka_unit_test(a_game_of_natural_language_shows_its_own_lines_alone),
        cmocka_unit_test(what_came_of_an_answer_is_in_the_document),
        cmocka_unit_test(costs_come_of_prices_only),
        cmocka_unit_test(what_was_cached_costs_less),
        cmocka_unit_test(whole_lines_of_prompts_are_shown),
        cmocka_unit_test(what_is_no_record_is_refused_with_its_line),
        cmocka_unit_test(opinions_have_the_moment_when_they_were_asked_for),
        cmocka_unit_test(opinions_of_agents_stand_behind_what_they_heard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
