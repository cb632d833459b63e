#include "llm/endpoint_parts.h"

#include "base/utf8.h"
#include "llm/event_stream.h"

#define FINISH_BYTES 40
#define MODEL_CHARS  120
#define WHY_CHARS    300

/* ---- answers ---- */

/* A text, or a list of parts that have one. */
static void add_content(const json_t *content, Buf *out)
{
    buf_add(out, llm_json_text(content));
    for (size_t i = 0; i < json_count(content); i++)
        buf_add(out, llm_json_text(json_get(json_at(content, i), "text")));
}

/* Under the names that servers have for it; some tell it twice, as `reasoning` and again as
 * `reasoning_content`. */
static void add_thoughts(const json_t *message, Buf *out)
{
    static const char *const fields[] = {"reasoning_content", "reasoning", "thinking"};

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]) && !out->len; i++)
        buf_add(out, llm_json_text(json_get(message, fields[i])));
}

/* A call of a tool is an answer too, where there is no text: {"function": {"arguments": "{...}"}},
 * which Ollama has as an object. */
static void add_call(const json_t *message, Buf *out)
{
    const json_t *call = json_at(json_get(message, "tool_calls"), 0);
    const json_t *function = json_get(call, "function");
    const json_t *arguments;

    if (!function)
        function = json_get(message, "function_call");
    arguments = json_get(function, "arguments");
    buf_add(out, llm_json_text(arguments));
    if (json_is_map(arguments))
        llm_json_dump(arguments, out);
}

/* Thoughts are no part of the answer. */
static void keep_answer(LlmReply *reply)
{
    CLEANUP(buf_done) Buf whole = reply->text;
    Str thoughts = llm_think_thoughts(buf_str(&whole));

    reply->text = (Buf){0};
    buf_add(&reply->text, llm_think_answer(buf_str(&whole)));
    if (reply->reasoning.len && thoughts.len)
        buf_add(&reply->reasoning, STR("\n"));
    buf_add(&reply->reasoning, thoughts);
}

static void read_finish(const json_t *finish, LlmReply *reply)
{
    buf_add(&reply->finish, str_part(llm_json_text(finish), 0, FINISH_BYTES));
    reply->cut = str_eq(buf_str(&reply->finish), STR("length")) ||
                 str_eq(buf_str(&reply->finish), STR("max_tokens"));
}

static bool has_thought(const LlmReply *reply)
{
    return reply->reasoning.len || reply->reasoning_tokens;
}

static void read_message(const json_t *message, LlmReply *reply)
{
    add_content(json_get(message, "content"), &reply->text);
    if (!str_trim(buf_str(&reply->text)).len) {
        buf_clear(&reply->text);
        add_call(message, &reply->text);
        reply->called = reply->text.len > 0;
    }
    add_thoughts(message, &reply->reasoning);
}

static void read_openai(const json_t *root, LlmReply *reply)
{
    const json_t *choice = json_at(json_get(root, "choices"), 0);
    const json_t *usage = json_get(root, "usage");

    read_message(json_get(choice, "message"), reply);
    if (!reply->text.len)
        buf_add(&reply->text, llm_json_text(json_get(choice, "text")));
    read_finish(json_get(choice, "finish_reason"), reply);
    reply->prompt_tokens = llm_json_count(usage, "prompt_tokens");
    reply->cached_tokens =
        llm_json_count(json_get(usage, "prompt_tokens_details"), "cached_tokens");
    reply->answer_tokens = llm_json_count(usage, "completion_tokens");
    reply->reasoning_tokens =
        llm_json_count(json_get(usage, "completion_tokens_details"), "reasoning_tokens");
}

static void read_ollama(const json_t *root, LlmReply *reply)
{
    read_message(json_get(root, "message"), reply);
    read_finish(json_get(root, "done_reason"), reply);
    reply->prompt_tokens = llm_json_count(root, "prompt_eval_count");
    reply->answer_tokens = llm_json_count(root, "eval_count");
}

static void read_answer(const json_t *root, LlmApi api, LlmReply *reply)
{
    switch (api) {
    case LLM_OPENAI:
        read_openai(root, reply);
        break;
    case LLM_OLLAMA:
        read_ollama(root, reply);
        break;
    case LLM_ANTHROPIC:
        llm_anthropic_read(root, reply);
        read_finish(json_get(root, "stop_reason"), reply);
        break;
    }
    keep_answer(reply);
    utf8_add_printable(llm_json_text(json_get(root, "model")), MODEL_CHARS, &reply->model);
}

static bool is_answer(const json_t *root, LlmApi api)
{
    if (json_get(root, "error"))
        return false; /* Ollama: in mid-stream, with status 200 */
    if (api == LLM_OLLAMA)
        return json_is_map(json_get(root, "message"));
    if (api == LLM_ANTHROPIC)
        return json_is_list(json_get(root, "content"));
    return json_is_map(json_at(json_get(root, "choices"), 0));
}

/* ---- what an answer is worth ---- */

/* OpenAI: a text beside the content; Anthropic: a reason to stop. */
static Str refusal_of(const json_t *root)
{
    const json_t *choice = json_at(json_get(root, "choices"), 0);

    return llm_json_text(json_get(json_get(choice, "message"), "refusal"));
}

static void tell_silence(Str refusal, LlmReply *reply)
{
    Str finish = buf_str(&reply->finish);

    if (refusal.len || str_eq(finish, STR("refusal"))) {
        reply->trouble = TROUBLE_REFUSAL;
        buf_printf(&reply->why, "the model refuses%s", refusal.len ? ": " : "");
        utf8_add_printable(refusal, WHY_CHARS, &reply->why);
    } else if (str_eq(finish, STR("content_filter"))) {
        reply->trouble = TROUBLE_FILTERED;
        buf_add(&reply->why, STR("the server's filter held the answer back (finish_reason: "
                                 "content_filter)"));
    } else if (reply->cut) {
        reply->trouble = has_thought(reply) ? TROUBLE_THOUGHT : TROUBLE_SILENT;
        buf_printf(&reply->why, "the model %s: its tokens were used up%s (finish_reason: length)",
                   reply->text.len ? "did not come to its end" : "said nothing",
                   has_thought(reply) ? " by thinking" : "");
    } else {
        reply->trouble = has_thought(reply) ? TROUBLE_THOUGHT : TROUBLE_SILENT;
        buf_printf(&reply->why, "the model said nothing%s",
                   has_thought(reply) ? ": it only thought" : "");
    }
}

/* An answer, or why there is none. */
static void judge_answer(const json_t *root, const LlmDialect *sent, LlmDialect *dialect,
                         LlmReply *reply)
{
    bool empty = str_trim(buf_str(&reply->text)).len == 0;

    reply->verdict = empty ? VERDICT_REFUSED : VERDICT_ANSWER;
    if (reply->cut && (empty || has_thought(reply)) && !sent->raised) {
        dialect->raised = true; /* more tokens from now on */
        reply->verdict = VERDICT_DIALECT;
    }
    if (reply->verdict != VERDICT_ANSWER)
        tell_silence(refusal_of(root), reply);
}

/* Neither an answer nor an error. */
static void tell_no_answer(const json_t *root, bool cut, LlmReply *reply)
{
    reply->verdict = VERDICT_AGAIN;
    reply->trouble = cut ? TROUBLE_CUT : root ? TROUBLE_NO_ANSWER : TROUBLE_NOT_JSON;
    buf_add(&reply->why, cut    ? STR("the answer's stream ended before the answer did")
                         : root ? STR("the answer is not that of a model")
                                : STR("the answer is not JSON"));
}

/* ---- all of it ---- */

static json_t *load_answer(Str body, LlmDialect *dialect, bool *ret_cut)
{
    json_t *root = llm_json_load(body);
    bool ended = true;

    *ret_cut = false;
    if (root)
        return root;
    CLEANUP(buf_done) Buf whole = {0};
    if (!llm_stream_join(dialect->api, body, &whole, &ended))
        return NULL;
    dialect->streams = true;
    root = llm_json_load(buf_str(&whole));
    *ret_cut = !ended && root;
    return root;
}

void llm_reply_read(unsigned status, Str body, const LlmDialect *sent, const char *const *secrets,
                    LlmDialect *dialect, LlmReply *reply)
{
    bool cut;
    json_t *root = load_answer(body, dialect, &cut);
    bool error = json_get(root, "error") != NULL;

    if (status / 100 == 2 && !cut && is_answer(root, sent->api)) {
        read_answer(root, sent->api, reply);
        dialect->calls |= reply->called;
        judge_answer(root, sent, dialect, reply);
    } else if (status / 100 == 2 && !error) {
        tell_no_answer(root, cut, reply);
    } else {
        llm_refusal_read(status, root, body, sent, secrets, dialect, reply);
    }
    json_done(root);
    llm_secrets_hide(&reply->text, secrets); /* a server may send back what it was sent */
    llm_secrets_hide(&reply->reasoning, secrets);
    llm_secrets_hide(&reply->finish, secrets);
    llm_secrets_hide(&reply->model, secrets);
    llm_secrets_hide(&reply->why, secrets);
}
