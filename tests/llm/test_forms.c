/* test_forms.c - the forms that models' servers have: Anthropic's Messages, calls of tools,
 * streams, versions in the URL; what is refused, and what is left out then; and no form tells a
 * secret.
 *
 * Source: docs/spec/models.md 1.3, 1.4, 1.7; the published interfaces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "llm/endpoint_text.h"

#include <jansson.h>

#define MESSAGES                                                                                   \
    "[{\"role\":\"system\",\"content\":\"Rules.\"},{\"role\":\"user\",\"content\":\"One\"},"       \
    "{\"role\":\"assistant\",\"content\":\"Two\"},{\"role\":\"user\",\"content\":\"Three\"}]"

static const LlmDialect openai = {.api = LLM_OPENAI, .form = FORM_NONE};
static const LlmDialect ollama = {.api = LLM_OLLAMA, .form = FORM_NONE};
static const LlmDialect anthropic = {.api = LLM_ANTHROPIC, .form = FORM_SCHEMA};

static void assert_body(const LlmEndpointSetup *setup, const LlmDialect *dialect, uint32_t stable,
                        const char *schema, const char *wanted)
{
    CLEANUP(buf_done) Buf body = {0};
    const LlmAsk ask = {.messages = STR(MESSAGES), .schema = str_of(schema), .stable = stable};

    llm_request_write(setup, dialect, &ask, &body);
    json_t *json = json_loadb(body.bytes, body.len, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    json_decref(json);
    assert_string_equal(buf_cstr(&body), wanted);
}

static void anthropic_gets_its_own_form(void **state)
{
    static const char *const stops[] = {"END", NULL};
    LlmEndpointSetup setup = {.model = "m", .temperature = 1.5, .top_p = 0.9, .stops = stops};

    (void)state;
    assert_body(&setup, &anthropic, 2, "{\"type\":\"object\"}",
                "{\"model\":\"m\",\"max_tokens\":300,\"system\":[{\"type\":\"text\",\"text\":"
                "\"Rules.\",\"cache_control\":{\"type\":\"ephemeral\"}}],\"messages\":[{\"role\":"
                "\"user\",\"content\":[{\"type\":\"text\",\"text\":\"One\",\"cache_control\":{"
                "\"type\":\"ephemeral\"}}]},{\"role\":\"assistant\",\"content\":\"Two\"},{\"role\":"
                "\"user\",\"content\":\"Three\"}],\"stream\":false,\"temperature\":1.00,\"top_p\":"
                "0.90,\"stop_sequences\":[\"END\"],\"tools\":[{\"name\":\"decision\","
                "\"description\":\"Gives your decision to the game.\",\"input_schema\":{\"type\":"
                "\"object\"}}],\"tool_choice\":{\"type\":\"tool\",\"name\":\"decision\"}}");
    /* who thinks takes neither tools that must be called nor a temperature */
    assert_true(llm_think_read(STR("low"), &setup.think));
    setup.stops = NULL;
    assert_body(&setup, &anthropic, 0, "{\"type\":\"object\"}",
                "{\"model\":\"m\",\"max_tokens\":1324,\"system\":[{\"type\":\"text\",\"text\":"
                "\"Rules.\"}],\"messages\":[{\"role\":\"user\",\"content\":\"One\"},{\"role\":"
                "\"assistant\",\"content\":\"Two\"},{\"role\":\"user\",\"content\":\"Three\"}],"
                "\"stream\":false,\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024}}");
    LlmDialect newer = anthropic;
    newer.adaptive = true;
    assert_body(&setup, &newer, 0, "",
                "{\"model\":\"m\",\"max_tokens\":1324,\"system\":[{\"type\":\"text\",\"text\":"
                "\"Rules.\"}],\"messages\":[{\"role\":\"user\",\"content\":\"One\"},{\"role\":"
                "\"assistant\",\"content\":\"Two\"},{\"role\":\"user\",\"content\":\"Three\"}],"
                "\"stream\":false,\"thinking\":{\"type\":\"adaptive\"},\"output_config\":{"
                "\"effort\":\"low\"}}");
}

static void sampling_is_said_in_each_form(void **state)
{
    static const char *const stops[] = {"A", "B", NULL};
    const LlmEndpointSetup setup = {.model = "m",
                                    .temperature = 0.7,
                                    .top_p = 0.9,
                                    .seeded = true,
                                    .sampling_seed = 7,
                                    .stops = stops,
                                    .num_ctx = 4096};
    LlmDialect less = openai;

    (void)state;
    assert_body(&setup, &openai, 0, "",
                "{\"model\":\"m\",\"messages\":" MESSAGES ",\"stream\":false,\"max_tokens\":300,"
                "\"temperature\":0.70,\"top_p\":0.90,\"seed\":7,\"stop\":[\"A\",\"B\"]}");
    assert_body(&setup, &ollama, 0, "",
                "{\"model\":\"m\",\"messages\":" MESSAGES ",\"stream\":false,\"truncate\":false,"
                "\"keep_alive\":\"10m\",\"options\":{\"num_ctx\":4096,\"num_predict\":300,"
                "\"temperature\":0.70,\"top_p\":0.90,\"seed\":7,\"stop\":[\"A\",\"B\"]}}");
    less.no_temperature = less.no_top_p = less.no_seed = less.no_stop = true;
    less.most = 100;
    assert_body(&setup, &less, 0, "",
                "{\"model\":\"m\",\"messages\":" MESSAGES ",\"stream\":false,\"max_tokens\":100}");
}

/* ---- answers ---- */

typedef struct Reply {
    LlmReply read;
    LlmDialect dialect;
} Reply;

static void reply_read(unsigned status, const char *body, const LlmDialect *sent, Reply *reply)
{
    *reply = (Reply){.dialect = *sent};
    llm_reply_read(status, str_of(body), sent, NULL, &reply->dialect, &reply->read);
}

static void assert_answer(const LlmDialect *sent, const char *body, const char *text,
                          const char *thoughts, const char *finish)
{
    Reply reply;

    reply_read(200, body, sent, &reply);
    if (reply.read.verdict != VERDICT_ANSWER)
        fail_msg("%s: %s", body, buf_cstr(&reply.read.why));
    assert_string_equal(buf_cstr(&reply.read.text), text);
    assert_string_equal(buf_cstr(&reply.read.reasoning), thoughts);
    assert_string_equal(buf_cstr(&reply.read.finish), finish);
    llm_reply_done(&reply.read);
}

static void answers_of_each_form_are_understood(void **state)
{
    (void)state;
    assert_answer(&anthropic,
                  "{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"},{\"type\":\"text\","
                  "\"text\":\"yes\"}],\"stop_reason\":\"end_turn\"}",
                  "yes", "hm", "end_turn");
    assert_answer(&anthropic,
                  "{\"content\":[{\"type\":\"text\",\"text\":\"I call:\"},{\"type\":\"tool_use\","
                  "\"name\":\"decision\",\"input\":{\"action\":\"listen\"}}],\"stop_reason\":"
                  "\"tool_use\"}",
                  "{\"action\":\"listen\"}", "", "tool_use");
    assert_answer(&openai,
                  "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"function\":{"
                  "\"name\":\"decision\",\"arguments\":\"{\\\"a\\\":1}\"}}]},\"finish_reason\":"
                  "\"tool_calls\"}]}",
                  "{\"a\":1}", "", "tool_calls");
    assert_answer(&openai,
                  "{\"choices\":[{\"message\":{\"content\":\"\",\"function_call\":{\"arguments\":"
                  "\"{\\\"a\\\":1}\"}},\"finish_reason\":\"function_call\"}]}",
                  "{\"a\":1}", "", "function_call");
    assert_answer(&ollama,
                  "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"arguments\":{"
                  "\"a\":1}}}]},\"done_reason\":\"stop\"}",
                  "{\"a\":1}", "", "stop");
}

static void anthropics_tokens_are_counted_with_what_was_kept(void **state)
{
    Reply reply;

    (void)state;
    reply_read(200,
               "{\"model\":\"m-2026\",\"content\":[{\"type\":\"text\",\"text\":\"yes\"}],"
               "\"usage\":{\"input_tokens\":10,\"cache_read_input_tokens\":800,"
               "\"cache_creation_input_tokens\":90,\"output_tokens\":5}}",
               &anthropic, &reply);
    assert_int_equal(reply.read.prompt_tokens, 900);
    assert_int_equal(reply.read.cached_tokens, 800);
    assert_int_equal(reply.read.answer_tokens, 5);
    assert_string_equal(buf_cstr(&reply.read.model), "m-2026");
    llm_reply_done(&reply.read);
}

#define CHUNK(delta) "data: {\"choices\":[{\"delta\":{" delta "}}]}\n\n"

static void streams_that_nobody_asked_for_are_put_together(void **state)
{
    (void)state;
    assert_answer(
        &openai,
        ": hello\n\n" CHUNK("\"role\":\"assistant\",\"content\":\"\"") CHUNK(
            "\"reasoning_content\":\"h\"") CHUNK("\"reasoning_content\":\"m\"")
            CHUNK("\"content\":\"{\\\"a\\\"\"") CHUNK(
                "\"content\":\":1}\"") "data: "
                                       "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}"
                                       "\n\n"
                                       "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9}}\n\n"
                                       "data: [DONE]\n\n",
        "{\"a\":1}", "hm", "stop");
    assert_answer(&openai,
                  CHUNK("\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"a\\\":\"}}"
                        "]") CHUNK("\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}"
                                   "\"}}]") "data: "
                                            "{\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_"
                                            "calls\"}]}",
                  "{\"a\":1}", "", "tool_calls");
    assert_answer(&ollama,
                  "{\"message\":{\"content\":\"y\"},\"done\":false}\r\n"
                  "{\"message\":{\"content\":\"es\",\"thinking\":\"hm\"},\"done\":false}\n"
                  "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\","
                  "\"prompt_eval_count\":9,\"eval_count\":2}\n",
                  "yes", "hm", "stop");
    assert_answer(
        &anthropic,
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{"
        "\"input_tokens\":9}}}\n\n"
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":"
        "\"thinking_delta\",\"thinking\":\"hm\"}}\n\n"
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":"
        "\"ye\"}}\n\n"
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":"
        "\"s\"}}\n\n"
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{"
        "\"output_tokens\":3}}\n\n"
        "data: {\"type\":\"message_stop\"}\n\n",
        "yes", "hm", "end_turn");
}

static void a_stream_without_its_end_is_cut(void **state)
{
    Reply reply;

    (void)state;
    reply_read(200, CHUNK("\"content\":\"half of\""), &openai, &reply);
    assert_int_equal(reply.read.verdict, VERDICT_AGAIN);
    assert_int_equal(reply.read.trouble, TROUBLE_CUT);
    llm_reply_done(&reply.read);
    reply_read(200, CHUNK("\"content\":\"x\"") "data: {\"error\":{\"message\":\"it broke\"}}\n\n",
               &openai, &reply);
    assert_int_equal(reply.read.verdict, VERDICT_AGAIN);
    assert_non_null(strstr(buf_cstr(&reply.read.why), "it broke"));
    llm_reply_done(&reply.read);
}

/* However a stream is cut into lines and pieces, it is an answer, cut, or none; never half of one.
 */
static void no_part_of_a_stream_is_an_answer(void **state)
{
    static const char whole[] = CHUNK("\"content\":\"one \"")
        CHUNK("\"content\":\"two\"") "data: "
                                     "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}"
                                     "\n\ndata: [DONE]\n\n";
    size_t end = (size_t)(strstr(whole, "\"stop\"") - whole) + strlen("\"stop\"}]}");

    (void)state;
    for (size_t n = 0; n < sizeof(whole) - 1; n++) {
        LlmDialect dialect = openai;
        LlmReply read = {0};
        llm_reply_read(200, (Str){whole, n}, &openai, NULL, &dialect, &read);
        if (n < end)
            assert_int_not_equal(read.verdict, VERDICT_ANSWER);
        else
            assert_string_equal(buf_cstr(&read.text), "one two");
        llm_reply_done(&read);
    }
}

/* ---- refusals ---- */

typedef struct Refusal {
    const LlmDialect *sent;
    unsigned status;
    const char *body;
    LlmVerdict verdict;
    LlmTrouble trouble;
} Refusal;

/* Bodies as the servers send them. */
static const Refusal refusals[] = {
    {&openai, 401,
     "{\"error\":{\"message\":\"Incorrect API key provided: sk-***.\",\"type\":"
     "\"invalid_request_error\",\"param\":null,\"code\":\"invalid_api_key\"}}",
     VERDICT_DENIED, TROUBLE_NO_KEY},
    {&openai, 403,
     "{\"error\":{\"message\":\"Project does not have access to model\",\"code\":"
     "\"model_not_found\"}}",
     VERDICT_DENIED, TROUBLE_FORBIDDEN},
    {&openai, 404,
     "{\"error\":{\"message\":\"The model `m` does not exist or you do not have access to it.\","
     "\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"model_not_found\"}}",
     VERDICT_DENIED, TROUBLE_NO_MODEL},
    {&ollama, 404, "{\"error\":\"model 'm' not found\"}", VERDICT_DENIED, TROUBLE_NO_MODEL},
    {&anthropic, 404,
     "{\"type\":\"error\",\"error\":{\"type\":\"not_found_error\",\"message\":\"model: m\"}}",
     VERDICT_DENIED, TROUBLE_NO_MODEL},
    {&openai, 404, "404 page not found", VERDICT_DENIED, TROUBLE_NO_PATH},
    {&openai, 405, "{\"detail\":\"Method Not Allowed\"}", VERDICT_DENIED, TROUBLE_NO_PATH},
    {&openai, 429,
     "{\"error\":{\"message\":\"You exceeded your current quota, please check your plan and "
     "billing "
     "details.\",\"type\":\"insufficient_quota\",\"param\":null,\"code\":\"insufficient_quota\"}}",
     VERDICT_DENIED, TROUBLE_QUOTA},
    {&openai, 402, "{\"error\":{\"message\":\"Insufficient credits\",\"code\":402}}",
     VERDICT_DENIED, TROUBLE_QUOTA},
    {&anthropic, 400,
     "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Your credit "
     "balance is too low to access the Anthropic API.\"}}",
     VERDICT_DENIED, TROUBLE_QUOTA},
    {&openai, 429,
     "{\"error\":{\"message\":\"Rate limit reached for requests\",\"code\":"
     "\"rate_limit_exceeded\"}}",
     VERDICT_BUSY, TROUBLE_BUSY},
    {&openai, 200, "{\"error\":{\"message\":\"Rate limited\",\"code\":429}}", VERDICT_BUSY,
     TROUBLE_BUSY},
    {&anthropic, 529,
     "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
     VERDICT_BUSY, TROUBLE_OVERLOADED},
    {&ollama, 503, "{\"error\":\"server busy, please try again.\"}", VERDICT_BUSY,
     TROUBLE_OVERLOADED},
    {&openai, 500, "{\"error\":{\"message\":\"The server had an error\"}}", VERDICT_AGAIN,
     TROUBLE_FAILED},
    {&openai, 502, "<html>Bad Gateway</html>", VERDICT_AGAIN, TROUBLE_FAILED},
    {&anthropic, 413,
     "{\"type\":\"error\",\"error\":{\"type\":\"request_too_large\",\"message\":\"too large\"}}",
     VERDICT_TOO_LONG, TROUBLE_TOO_LONG},
    {&anthropic, 400,
     "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is "
     "too "
     "long: 215000 tokens > 200000 maximum\"}}",
     VERDICT_TOO_LONG, TROUBLE_TOO_LONG},
    {&openai, 400,
     "{\"error\":{\"message\":\"This model's maximum context length is 4096 tokens. However, you "
     "requested 5000 tokens\",\"code\":\"context_length_exceeded\"}}",
     VERDICT_TOO_LONG, TROUBLE_TOO_LONG},
    {&openai, 302, "", VERDICT_REFUSED, TROUBLE_REDIRECT},
    {&openai, 418, "{}", VERDICT_REFUSED, TROUBLE_REQUEST},
    {&openai, 200, "<!doctype html>", VERDICT_AGAIN, TROUBLE_NOT_JSON},
    {&openai, 200, "{\"ok\":true}", VERDICT_AGAIN, TROUBLE_NO_ANSWER},
    {&openai, 200,
     "{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"I can't do that.\"},"
     "\"finish_reason\":\"stop\"}]}",
     VERDICT_REFUSED, TROUBLE_REFUSAL},
    {&anthropic, 200, "{\"content\":[],\"stop_reason\":\"refusal\"}", VERDICT_REFUSED,
     TROUBLE_REFUSAL},
    {&openai, 200,
     "{\"choices\":[{\"message\":{\"content\":\"\"},\"finish_reason\":\"content_filter\"}]}",
     VERDICT_REFUSED, TROUBLE_FILTERED},
    {&openai, 200, "{\"choices\":[{\"message\":{\"content\":\" \"},\"finish_reason\":\"stop\"}]}",
     VERDICT_REFUSED, TROUBLE_SILENT},
};

static void what_stands_in_the_way_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        Reply reply;
        reply_read(refusals[i].status, refusals[i].body, refusals[i].sent, &reply);
        if (reply.read.verdict != refusals[i].verdict || reply.read.trouble != refusals[i].trouble)
            fail_msg("%u %s: verdict %d, trouble %d", refusals[i].status, refusals[i].body,
                     (int)reply.read.verdict, (int)reply.read.trouble);
        assert_true(reply.read.why.len > 0);
        llm_reply_done(&reply.read);
    }
}

static void what_a_server_does_not_take_is_left_out(void **state)
{
    static const struct {
        const LlmDialect *sent;
        const char *message;
        size_t flag;
    } rows[] = {
        {&openai, "Unsupported parameter: 'top_p' is not supported with this model.",
         offsetof(LlmDialect, no_top_p)},
        {&openai, "Unsupported parameter: 'stop' is not supported with this model.",
         offsetof(LlmDialect, no_stop)},
        {&openai, "Unrecognized request argument supplied: 'seed'", offsetof(LlmDialect, no_seed)},
        {&openai,
         "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
         offsetof(LlmDialect, no_system)},
        {&openai, "Unsupported value: 'reasoning_effort' does not support 'none' with this model.",
         offsetof(LlmDialect, no_think)},
        {&anthropic, "`temperature` and `top_p` cannot both be specified for this model.",
         offsetof(LlmDialect, no_top_p)},
        {&anthropic, "thinking.type.enabled is not supported; use thinking.type.adaptive",
         offsetof(LlmDialect, adaptive)},
    };
    char body[300];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Reply first;
        snprintf(body, sizeof(body), "{\"error\":{\"message\":\"%s\"}}", rows[i].message);
        reply_read(400, body, rows[i].sent, &first);
        if (first.read.verdict != VERDICT_DIALECT || !((const bool *)&first.dialect)[rows[i].flag])
            fail_msg("%s: verdict %d", rows[i].message, (int)first.read.verdict);
        llm_reply_done(&first.read);
    }
}

static void a_model_that_may_write_less_is_told_less(void **state)
{
    static const char *const messages[] = {
        "max_tokens is too large: 20000. This model supports at most 16384 completion tokens",
        "max_tokens: 20000 > 16384, which is the maximum allowed number of output tokens for m",
        "`max_tokens` must be less than or equal to `16384`, the maximum value for this model",
    };
    char body[300];

    (void)state;
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        Reply reply;
        snprintf(body, sizeof(body), "{\"error\":{\"message\":\"%s\"}}", messages[i]);
        reply_read(400, body, &openai, &reply);
        assert_int_equal(reply.read.verdict, VERDICT_DIALECT);
        assert_int_equal(reply.dialect.most, 16384);
        llm_reply_done(&reply.read);
    }
}

/* ---- addresses ---- */

static void versions_stay_in_the_address_and_keys_do_not(void **state)
{
    static const char *const bad[] = {"https://h/v1?api-key=1", "https://h?api_token=x",
                                      "https://h?a=b&Signature=1", "https://me:pw@h/v1"};
    CLEANUP(buf_done) Buf url = {0};
    Err err = {0};

    (void)state;
    assert_int_equal(llm_url_write(LLM_OPENAI, STR("https://h/openai/deployments/d/?api-version=2"),
                                   LLM_PATH_CHAT, &url, NULL),
                     0);
    assert_string_equal(buf_cstr(&url),
                        "https://h/openai/deployments/d/chat/completions?api-version=2");
    buf_clear(&url);
    assert_int_equal(
        llm_url_write(LLM_ANTHROPIC, STR("https://h/v1/messages"), LLM_PATH_ABOUT, &url, NULL), 0);
    assert_string_equal(buf_cstr(&url), "https://h/v1/models");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(llm_url_write(LLM_OPENAI, str_of(bad[i]), LLM_PATH_CHAT, &url, &err),
                         ERR_USAGE);
        assert_null(strstr(err.msg, "pw"));
    }
}

/* ---- secrets ---- */

/* A server that sends back what it was sent, wherever it can. */
static void no_text_has_a_secret(void **state)
{
    static const char *const secrets[] = {"sk-1234567890", "Zugang-42", NULL};
    static const struct {
        unsigned status;
        const char *body;
    } rows[] = {
        {200, "{\"model\":\"sk-1234567890\",\"choices\":[{\"message\":{\"content\":\"your key is "
              "sk-1234567890\",\"reasoning\":\"Zugang-42 sk-1234567890\"},\"finish_reason\":"
              "\"sk-1234567890\"}]}"},
        {200,
         "data: {\"choices\":[{\"delta\":{\"content\":\"sk-1234\"}}]}\n\n"
         "data: {\"choices\":[{\"delta\":{\"content\":\"567890\"},\"finish_reason\":\"stop\"}]}"},
        {200, "{\"choices\":[{\"message\":{\"content\":\"\\u0073k-1234567890\"}}]}"},
        {400, "{\"error\":{\"message\":\"no: Bearer sk-1234567890, Zugang-42\"}}"},
        {500, "sk-1234567890 sk-1234567890"},
        {200, "{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"sk-1234567890\"}}]}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        LlmDialect dialect = openai;
        LlmReply read = {0};
        llm_reply_read(rows[i].status, str_of(rows[i].body), &openai, secrets, &dialect, &read);
        const Buf *texts[] = {&read.text, &read.reasoning, &read.finish, &read.model, &read.why};
        for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
            assert_null(strstr(buf_cstr(texts[k]), "1234567890"));
            assert_null(strstr(buf_cstr(texts[k]), "Zugang"));
        }
        llm_reply_done(&read);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anthropic_gets_its_own_form),
        cmocka_unit_test(sampling_is_said_in_each_form),
        cmocka_unit_test(answers_of_each_form_are_understood),
        cmocka_unit_test(anthropics_tokens_are_counted_with_what_was_kept),
        cmocka_unit_test(streams_that_nobody_asked_for_are_put_together),
        cmocka_unit_test(a_stream_without_its_end_is_cut),
        cmocka_unit_test(no_part_of_a_stream_is_an_answer),
        cmocka_unit_test(what_stands_in_the_way_is_named),
        cmocka_unit_test(what_a_server_does_not_take_is_left_out),
        cmocka_unit_test(a_model_that_may_write_less_is_told_less),
        cmocka_unit_test(versions_stay_in_the_address_and_keys_do_not),
        cmocka_unit_test(no_text_has_a_secret),
    };

    return cmocka_run_group_tests_name("forms of models' servers", tests, NULL, NULL);
}
