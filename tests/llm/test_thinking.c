/* test_thinking.c - models that think: their tokens, what servers are told, what is the answer; and
 * messages whose roles alternate.
 *
 * Source: docs/spec/models.md 1.1, 1.3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "llm/context.h"
#include "llm/endpoint_text.h"

#include <jansson.h>

static const LlmDialect openai = {.api = LLM_OPENAI, .form = FORM_NONE};
static const LlmDialect ollama = {.api = LLM_OLLAMA, .form = FORM_NONE};

/* The body of a request with these messages. */
static json_t *request_of(const char *think, uint32_t answer, const LlmDialect *dialect,
                          const char *messages)
{
    CLEANUP(buf_done) Buf body = {0};
    LlmEndpointSetup setup = {.model = "m", .max_answer_tokens = answer, .temperature = 0.7};

    assert_true(!think || llm_think_read(str_of(think), &setup.think));
    const LlmAsk ask = {.messages = str_of(messages)};
    llm_request_write(&setup, dialect, &ask, &body);
    json_t *json = json_loadb(body.bytes, body.len, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    return json;
}

static void assert_request(const char *think, uint32_t answer, const LlmDialect *dialect,
                           const char *parts)
{
    json_t *json = request_of(think, answer, dialect, "[]");
    json_t *wanted = json_loads(parts, 0, NULL);
    const char *key;
    json_t *value;

    assert_non_null(wanted);
    json_object_foreach (wanted, key, value) {
        const json_t *found = json_object_get(json, key);
        if (json_is_null(value) ? found != NULL : !json_equal(found, value))
            fail_msg("%s: '%s' is another one", think ? think : "nothing said", key);
    }
    json_decref(wanted);
    json_decref(json);
}

static void thinking_has_tokens_on_top_of_the_answers(void **state)
{
    LlmDialect raised = openai, newer = openai;

    (void)state;
    raised.raised = true;
    newer.new_limit = true;
    assert_request(NULL, 0, &openai, "{\"max_tokens\": 300, \"reasoning_effort\": null}");
    assert_request("off", 200, &openai,
                   "{\"max_tokens\": 200, \"reasoning_effort\": \"none\","
                   " \"chat_template_kwargs\": {\"enable_thinking\": false}}");
    assert_request("low", 200, &openai,
                   "{\"max_tokens\": 1224, \"reasoning_effort\": \"low\","
                   " \"chat_template_kwargs\": null, \"max_completion_tokens\": null}");
    assert_request("high", 0, &newer,
                   "{\"max_completion_tokens\": 16684, \"reasoning_effort\": \"high\","
                   " \"max_tokens\": null}");
    assert_request("5000", 100, &openai,
                   "{\"max_tokens\": 5100, \"reasoning_effort\": \"medium\"}");
    assert_request(NULL, 0, &raised, "{\"max_tokens\": 4396}");
    assert_request("low", 300, &raised, "{\"max_tokens\": 2348}");
    assert_request("off", 0, &ollama, "{\"think\": false}");
    assert_request("medium", 0, &ollama, "{\"think\": \"medium\", \"reasoning_effort\": null}");
    assert_request("100", 0, &ollama, "{\"think\": true}");
    assert_request(NULL, 0, &ollama, "{\"think\": null}");
}

static void thinking_is_said_in_words_or_tokens(void **state)
{
    static const char *const bad[] = {"", "on", "0", "-1", "200001", "high ", "1k"};
    LlmThink think = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(llm_think_read(str_of(bad[i]), &think));
    assert_true(llm_think_read(STR("200000"), &think));
    assert_int_equal(llm_think_tokens(&think, false), 200000);
}

typedef struct Reply {
    LlmVerdict verdict;
    char text[64];
    char why[160];
    char reasoning[64];
    char finish[16];
    uint32_t cached, reasoning_tokens;
    LlmDialect dialect;
} Reply;

static Reply reply_to(unsigned status, const char *body, const LlmDialect *sent)
{
    Reply reply = {.dialect = *sent};
    LlmReply read = {0};

    llm_reply_read(status, str_of(body), sent, NULL, &reply.dialect, &read);
    reply.verdict = read.verdict;
    snprintf(reply.text, sizeof(reply.text), "%s", buf_cstr(&read.text));
    snprintf(reply.why, sizeof(reply.why), "%s", buf_cstr(&read.why));
    snprintf(reply.reasoning, sizeof(reply.reasoning), "%s", buf_cstr(&read.reasoning));
    snprintf(reply.finish, sizeof(reply.finish), "%s", buf_cstr(&read.finish));
    reply.cached = read.cached_tokens;
    reply.reasoning_tokens = read.reasoning_tokens;
    llm_reply_done(&read);
    return reply;
}

#define CHOICE(message, finish)                                                                    \
    "{\"choices\":[{\"message\":{" message "},\"finish_reason\":\"" finish "\"}]}"

static void thoughts_are_no_part_of_the_answer(void **state)
{
    static const struct {
        const LlmDialect *sent;
        const char *body, *text, *thoughts;
    } rows[] = {
        {&openai, CHOICE("\"content\":\"<think>a\\nb</think>\\n\\n{\\\"x\\\":1}\"", "stop"),
         "{\"x\":1}", "a\nb"},
        {&openai, CHOICE("\"content\":\"a b</think> yes\"", "stop"), "yes", "a b"},
        {&openai, CHOICE("\"content\":\"yes\",\"reasoning_content\":\"hm\"", "stop"), "yes", "hm"},
        {&openai, CHOICE("\"content\":\"yes\",\"reasoning\":\"hm\"", "stop"), "yes", "hm"},
        {&openai,
         CHOICE("\"content\":\"yes\",\"reasoning\":\"hm\",\"reasoning_content\":\"hm\"", "stop"),
         "yes", "hm"}, /* some tell it under two names */
        {&openai, CHOICE("\"content\":\"{\\\"x\\\":\\\"</think>\\\"}\"", "stop"),
         "{\"x\":\"</think>\"}", ""},
        {&openai, CHOICE("\"content\":\" yes \"", "stop"), "yes", ""},
        {&ollama,
         "{\"message\":{\"content\":\"yes\",\"thinking\":\"hm\"},\"done_reason\":\"stop\"}", "yes",
         "hm"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Reply reply = reply_to(200, rows[i].body, rows[i].sent);
        assert_int_equal(reply.verdict, VERDICT_ANSWER);
        assert_string_equal(reply.text, rows[i].text);
        assert_string_equal(reply.reasoning, rows[i].thoughts);
        assert_string_equal(reply.finish, "stop");
        assert_false(reply.dialect.raised);
    }
}

static void tokens_of_thoughts_and_of_a_known_prompt_are_told(void **state)
{
    Reply reply =
        reply_to(200,
                 "{\"choices\":[{\"message\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}],"
                 "\"usage\":{\"prompt_tokens\":900,\"completion_tokens\":80,"
                 "\"prompt_tokens_details\":{\"cached_tokens\":768},"
                 "\"completion_tokens_details\":{\"reasoning_tokens\":64}}}",
                 &openai);

    (void)state;
    assert_int_equal(reply.cached, 768);
    assert_int_equal(reply.reasoning_tokens, 64);
}

/* An answer that thinking has eaten gets more room, once; then it is told. */
static void an_answer_that_thinking_has_eaten_is_asked_for_once_more(void **state)
{
    static const struct {
        const LlmDialect *sent;
        const char *body;
    } rows[] = {
        {&openai, CHOICE("\"content\":\"\",\"reasoning_content\":\"hm\"", "length")},
        {&openai, CHOICE("\"content\":null,\"reasoning\":\"hm\"", "length")},
        {&openai, CHOICE("\"content\":\"<think>let me see\"", "length")},
        {&ollama,
         "{\"message\":{\"content\":\"\",\"thinking\":\"hm\"},\"done_reason\":\"length\"}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Reply first = reply_to(200, rows[i].body, rows[i].sent);
        assert_int_equal(first.verdict, VERDICT_DIALECT);
        assert_true(first.dialect.raised);
        Reply second = reply_to(200, rows[i].body, &first.dialect);
        assert_int_equal(second.verdict, VERDICT_REFUSED);
        assert_string_equal(second.finish, "length");
        assert_true(second.reasoning[0]);
        assert_string_equal(second.why, "the model said nothing: its tokens were used up by "
                                        "thinking (finish_reason: length)");
    }
    Reply cut = reply_to(200, CHOICE("\"content\":\"no end\"", "length"), &openai);
    assert_int_equal(cut.verdict, VERDICT_ANSWER); /* it is repaired, as before */
    Reply silent = reply_to(200, CHOICE("\"content\":\"\",\"reasoning\":\"hm\"", "stop"), &openai);
    assert_string_equal(silent.why, "the model said nothing: it only thought");
}

static void what_a_server_refuses_is_left_out(void **state)
{
    static const struct {
        const char *message;
        size_t flag;
    } rows[] = {
        {"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
         offsetof(LlmDialect, new_limit)},
        {"'temperature' does not support 0.7 with this model",
         offsetof(LlmDialect, no_temperature)},
        {"Unrecognized request argument supplied: chat_template_kwargs",
         offsetof(LlmDialect, no_template)},
        {"Unrecognized request argument supplied: reasoning_effort",
         offsetof(LlmDialect, no_think)},
        {"\\\"llama3\\\" does not support thinking", offsetof(LlmDialect, no_think)},
        {"System role not supported", offsetof(LlmDialect, no_system)},
    };
    char body[200];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(body, sizeof(body), "{\"error\":{\"message\":\"%s\"}}", rows[i].message);
        Reply first = reply_to(400, body, &openai);
        assert_int_equal(first.verdict, VERDICT_DIALECT);
        assert_true(((const bool *)&first.dialect)[rows[i].flag]);
        assert_int_equal(reply_to(400, body, &first.dialect).verdict, VERDICT_REFUSED);
    }
}

static void without_a_system_role_its_text_begins_the_users(void **state)
{
    LlmDialect dialect = openai;

    (void)state;
    dialect.no_system = true;
    json_t *json = request_of(NULL, 0, &dialect,
                              "[{\"role\":\"system\",\"content\":\"Rules.\"},"
                              "{\"role\":\"user\",\"content\":\"Hi\"},"
                              "{\"role\":\"assistant\",\"content\":\"Yes\"},"
                              "{\"role\":\"user\",\"content\":\"So?\"}]");
    const json_t *messages = json_object_get(json, "messages");
    assert_int_equal(json_array_size(messages), 3);
    const json_t *first = json_array_get(messages, 0);
    assert_string_equal(json_string_value(json_object_get(first, "role")), "user");
    assert_string_equal(json_string_value(json_object_get(first, "content")), "Rules.\n\nHi");
    json_decref(json);
}

/* What strict chat templates ask for: system, then user and assistant in turn, and the user last.
 */
static void assert_alternates(const LlmContext *context, const char *news)
{
    CLEANUP(buf_done) Buf text = {0};

    llm_context_write((LlmContext *)(uintptr_t)context, STR("GUIDE"), str_of(news), STR(""), &text);
    json_t *all = json_loadb(text.bytes, text.len, 0, NULL);
    size_t count = json_array_size(all);
    assert_true(count >= 2 && count % 2 == 0);
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(all, i);
        const char *wanted = i == 0 ? "system" : i % 2 ? "user" : "assistant";
        assert_string_equal(json_string_value(json_object_get(entry, "role")), wanted);
        assert_true(json_string_length(json_object_get(entry, "content")) > 0);
    }
    json_decref(all);
}

static void roles_alternate_whatever_is_remembered(void **state)
{
    Rng rng = rng_new(1);
    LlmContext *context = NULL;

    (void)state;
    for (unsigned run = 0; run < 60; run++) {
        assert_int_equal(llm_context_new(&context, NULL), 0);
        for (unsigned i = 0; i < 20; i++) {
            LlmRole role = (LlmRole)rng_below(&rng, 3);
            LlmEntryKind kind = rng_below(&rng, 2) ? ENTRY_TALK : ENTRY_FACT;
            assert_int_equal(
                llm_context_add(context, role, kind, i % 7 ? STR("word") : STR(""), 1, i, 0, NULL),
                0);
            assert_alternates(context, i % 2 ? "news" : "");
            if (rng_below(&rng, 8) == 0)
                llm_context_truncate(context, 20, STR("Bo"));
            if (rng_below(&rng, 12) == 0)
                assert_int_equal(llm_context_new_round(context, STR("Round 1: won."), NULL), 0);
            assert_alternates(context, "");
        }
        context = llm_context_free(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thinking_has_tokens_on_top_of_the_answers),
        cmocka_unit_test(thinking_is_said_in_words_or_tokens),
        cmocka_unit_test(thoughts_are_no_part_of_the_answer),
        cmocka_unit_test(tokens_of_thoughts_and_of_a_known_prompt_are_told),
        cmocka_unit_test(an_answer_that_thinking_has_eaten_is_asked_for_once_more),
        cmocka_unit_test(what_a_server_refuses_is_left_out),
        cmocka_unit_test(without_a_system_role_its_text_begins_the_users),
        cmocka_unit_test(roles_alternate_whatever_is_remembered),
    };

    return cmocka_run_group_tests_name("models that think", tests, NULL, NULL);
}
