#include "llm/endpoint_text.h"

#include "base/json.h"
#include "base/localhost.h"
#include "base/utf8.h"

#include <jansson.h>

#define WHY_CHARS    300
#define FINISH_BYTES 40
#define LOW_BYTES    4000 /* of a refusal, to be searched */

void llm_reply_done(LlmReply *reply)
{
    buf_done(&reply->text);
    buf_done(&reply->reasoning);
    buf_done(&reply->finish);
    buf_done(&reply->why);
}

/* ---- addresses ---- */

static Str host_of(Str url)
{
    const char *end = url.len ? strstr(url.bytes, "://") : NULL;

    if (!end)
        return (Str){"", 0};
    Str rest = str_part(url, (size_t)(end - url.bytes) + 3, SIZE_MAX);
    return str_cut(&rest, '/');
}

bool llm_url_is_local(Str url)
{
    Str host = host_of(url);

    if (str_starts(host, STR("[::1]")) || str_starts(host, STR("127.")))
        return true;
    return localhost_names(str_cut(&host, ':'));
}

static bool cut_end(Str *text, const char *end)
{
    size_t len = strlen(end);

    if (text->len < len || memcmp(text->bytes + text->len - len, end, len) != 0)
        return false;
    text->len -= len;
    return true;
}

static void cut_slashes(Str *text)
{
    while (cut_end(text, "/"))
        ;
}

int llm_url_write(LlmApi api, Str base, LlmPath path, Buf *out, Err *err)
{
    static const char *const paths[][2] = {
        [LLM_OPENAI] = {"/chat/completions", "/models"},
        [LLM_OLLAMA] = {"/api/chat", "/api/show"},
    };

    if (!str_starts(base, STR("http://")) && !str_starts(base, STR("https://")))
        return err_set(err, ERR_USAGE,
                       "the URL of a model's server begins with http:// or https://, as "
                       "http://localhost:11434/v1");
    if (host_of(base).len == 0 || base.len > 2000)
        return err_set(err, ERR_USAGE, "the URL of a model's server names no host");
    for (size_t i = 0; i < base.len; i++)
        if ((unsigned char)base.bytes[i] <= ' ' || strchr("?#@", base.bytes[i]))
            return err_set(err, ERR_USAGE,
                           "the URL of a model's server can't have blanks, '?', '#' or '@'; a key "
                           "comes from the environment or a file");
    cut_slashes(&base);
    if (cut_end(&base, paths[api][0]))
        cut_slashes(&base);
    if (api == LLM_OLLAMA && (cut_end(&base, "/v1") || cut_end(&base, "/api")))
        cut_slashes(&base);
    buf_add(out, base);
    buf_add(out, str_of(paths[api][path]));
    return 0;
}

/* ---- requests ---- */

static Str text_of(const json_t *value)
{
    return (Str){json_is_string(value) ? json_string_value(value) : "", json_string_length(value)};
}

static void write_response_format(Json *json, const LlmDialect *dialect, Str schema)
{
    json_key(json, STR("response_format"));
    json_open(json, '{');
    json_add_str(json, "type",
                 dialect->form == FORM_SCHEMA ? STR("json_schema") : STR("json_object"));
    if (dialect->form == FORM_SCHEMA) {
        json_key(json, STR("json_schema"));
        json_open(json, '{');
        json_add_str(json, "name", STR("decision"));
        json_add_bool(json, "strict", dialect->strict);
    }
    if (dialect->form != FORM_OBJECT) {
        json_key(json, STR("schema"));
        json_put_raw(json, schema);
    }
    if (dialect->form == FORM_SCHEMA)
        json_close(json);
    json_close(json);
}

uint32_t llm_request_tokens(const LlmEndpointSetup *setup, const LlmDialect *dialect)
{
    uint32_t answer = setup->max_answer_tokens ? setup->max_answer_tokens : LLM_ANSWER_TOKENS;

    return answer + llm_think_tokens(&setup->think, dialect->raised);
}

static void write_openai(const LlmEndpointSetup *setup, const LlmDialect *dialect, Str schema,
                         Json *json)
{
    json_key(json, dialect->new_limit ? STR("max_completion_tokens") : STR("max_tokens"));
    json_put_uint(json, llm_request_tokens(setup, dialect));
    if (!dialect->no_think)
        llm_think_write(&setup->think, false, !dialect->no_template, json);
    if (setup->temperature >= 0 && !dialect->no_temperature) {
        json_key(json, STR("temperature"));
        json_put_real(json, setup->temperature, 2);
    }
    if (schema.len && dialect->form != FORM_NONE)
        write_response_format(json, dialect, schema);
}

/* "truncate" makes of dropping what does not fit, without a word, an error that can be acted on. */
static void write_ollama(const LlmEndpointSetup *setup, const LlmDialect *dialect, Str schema,
                         Json *json)
{
    if (schema.len && dialect->form != FORM_NONE) {
        json_key(json, STR("format"));
        if (dialect->form == FORM_SCHEMA)
            json_put_raw(json, schema);
        else
            json_put_str(json, STR("json"));
    }
    if (!dialect->no_think)
        llm_think_write(&setup->think, true, false, json);
    json_add_bool(json, "truncate", false);
    json_add_str(json, "keep_alive", STR("10m"));
    json_key(json, STR("options"));
    json_open(json, '{');
    json_add_uint(json, "num_ctx", setup->num_ctx ? setup->num_ctx : LLM_NUM_CTX);
    json_add_uint(json, "num_predict", llm_request_tokens(setup, dialect));
    if (setup->temperature >= 0) {
        json_key(json, STR("temperature"));
        json_put_real(json, setup->temperature, 2);
    }
    json_close(json);
}

void llm_entry_write(Json *json, Str role, Str content)
{
    json_open(json, '{');
    json_add_str(json, "role", role);
    json_add_str(json, "content", content);
    json_close(json);
}

/* For chat templates without a system role: its text goes to the front of the first user's. */
static void write_without_system(Str messages, Json *json)
{
    json_t *all = json_loadb(messages.bytes, messages.len, JSON_ALLOW_NUL, NULL);
    CLEANUP(buf_done) Buf system = {0};

    json_open(json, '[');
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *entry = json_array_get(all, i);
        Str role = text_of(json_object_get(entry, "role"));
        buf_printf(&system, "%s%.*s", system.len ? "\n\n" : "",
                   STR_ARG(text_of(json_object_get(entry, "content"))));
        if (str_eq(role, STR("system")))
            continue;
        llm_entry_write(json, role, buf_str(&system));
        buf_clear(&system);
    }
    json_close(json);
    json_decref(all);
}

void llm_request_write(const LlmEndpointSetup *setup, const LlmDialect *dialect, Str messages,
                       Str schema, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "model", str_of(setup->model));
    json_key(&json, STR("messages"));
    if (dialect->no_system)
        write_without_system(messages, &json);
    else
        json_put_raw(&json, messages);
    json_add_bool(&json, "stream", false);
    if (dialect->api == LLM_OLLAMA)
        write_ollama(setup, dialect, schema, &json);
    else
        write_openai(setup, dialect, schema, &json);
    json_close(&json);
}

/* ---- refusals ---- */

static void add_word(Buf *out, Str word)
{
    if (word.len)
        buf_printf(out, "%s%.*s", out->len ? " " : "", STR_ARG(word));
}

/* {"error": {"message", "code", "type", "param"}}, {"error": "text"}, {"message": "text"} */
static void add_error(const json_t *error, Buf *message, Buf *words)
{
    static const char *const names[] = {"code", "type", "param"};

    if (json_is_string(error))
        add_word(message, text_of(error));
    else
        add_word(message, text_of(json_object_get(error, "message")));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        add_word(words, text_of(json_object_get(error, names[i])));
}

/* {"detail": "text"} or {"detail": [{"loc": ["body", "response_format"], "msg": "text"}]}, without
 * what they repeat of the request. */
static void add_detail(const json_t *detail, Buf *message, Buf *words)
{
    add_word(message, text_of(detail));
    for (size_t i = 0; i < json_array_size(detail); i++) {
        const json_t *item = json_array_get(detail, i);
        const json_t *place = json_object_get(item, "loc");
        add_word(message, text_of(json_object_get(item, "msg")));
        for (size_t k = 0; k < json_array_size(place); k++)
            add_word(words, text_of(json_array_get(place, k)));
    }
}

/* What a refusal says, and the names in it; else its beginning as it is. */
static void read_refusal(const json_t *root, Str body, Buf *message, Buf *words)
{
    const json_t *error = json_object_get(root, "error");

    add_error(error ? error : root, message, words);
    add_detail(json_object_get(root, "detail"), message, words);
    if (!message->len)
        buf_add(message, str_trim(str_part(body, 0, LOW_BYTES)));
}

static bool has_word(const Buf *low, const char *word)
{
    return strstr(buf_cstr(low), word);
}

static bool has_any(const Buf *low, const char *const *words)
{
    for (; *words; words++)
        if (has_word(low, *words))
            return true;
    return false;
}

static bool is_too_long(const Buf *low)
{
    static const char *const sizes[] = {"exceed", "length",  "long",  "maximum",
                                        "larger", "too big", "limit", NULL};

    return has_word(low, "context_length_exceeded") || has_word(low, "exceed_context_size") ||
           (has_word(low, "context") && has_any(low, sizes)) ||
           has_word(low, "prompt is too long") || has_word(low, "prompt too long");
}

static bool is_about_form(LlmApi api, const Buf *low)
{
    static const char *const words[] = {"response_format", "response format", "json_schema",
                                        "json_object",     "json mode",       "schema",
                                        "grammar",         "structured",      NULL};

    return has_any(low, words) || (api == LLM_OLLAMA && has_word(low, "format"));
}

static void drop_form(LlmDialect *dialect, const LlmDialect *sent)
{
    LlmForm next = (LlmForm)(sent->form + 1);

    if (next == FORM_SCHEMA_BESIDE && sent->api == LLM_OLLAMA)
        next = FORM_OBJECT;
    if (dialect->form < next)
        dialect->form = next;
}

/* Whether a 4xx or 5xx is about the form of the request, and can be helped. */
static bool adapt_dialect(const Buf *low, const LlmDialect *sent, LlmDialect *dialect)
{
    if (has_word(low, "max_completion_tokens") && !sent->new_limit) {
        dialect->new_limit = true;
        return true;
    }
    if (has_word(low, "temperature") && !sent->no_temperature) {
        dialect->no_temperature = true;
        return true;
    }
    if (has_word(low, "chat_template_kwargs") && !sent->no_template)
        return dialect->no_template = true;
    if ((has_word(low, "reasoning") || has_word(low, "think")) && !sent->no_think)
        return dialect->no_think = true;
    if (has_word(low, "system") && (has_word(low, "role") || has_word(low, "support")) &&
        !sent->no_system)
        return dialect->no_system = true;
    if (is_about_form(sent->api, low) && sent->form != FORM_NONE) {
        drop_form(dialect, sent);
        return true;
    }
    return false;
}

static LlmVerdict judge_reply(unsigned status, const Buf *low, const LlmDialect *sent,
                              LlmDialect *dialect)
{
    if (status == 429 || status == 503)
        return VERDICT_BUSY;
    if (status == 401 || status == 403 || status == 404)
        return VERDICT_DENIED;
    if (status == 413 || is_too_long(low)) /* older llama.cpp says it with 500 */
        return VERDICT_TOO_LONG;
    if ((status == 400 || status == 422 || status == 500 || status == 501) &&
        adapt_dialect(low, sent, dialect))
        return VERDICT_DIALECT;
    if (status == 408 || status >= 500 || status == 200)
        return VERDICT_AGAIN;
    return VERDICT_REFUSED;
}

/* The key must not be told, though servers like to quote it. */
static void add_without(Str text, Str key, Buf *out)
{
    while (text.len) {
        if (key.len >= 4 && str_starts(text, key)) {
            buf_add(out, STR("***"));
            text = str_part(text, key.len, SIZE_MAX);
        } else {
            buf_add_char(out, text.bytes[0]);
            text = str_part(text, 1, SIZE_MAX);
        }
    }
}

static void read_failure(unsigned status, const json_t *root, Str body, const LlmDialect *sent,
                         Str key, LlmDialect *dialect, LlmReply *reply)
{
    CLEANUP(buf_done) Buf message = {0};
    CLEANUP(buf_done) Buf clean = {0};
    CLEANUP(buf_done) Buf low = {0};

    read_refusal(root, body, &message, &low);
    add_word(&low, str_part(buf_str(&message), 0, LOW_BYTES));
    for (size_t i = 0; i < low.len; i++)
        if (low.bytes[i] >= 'A' && low.bytes[i] <= 'Z')
            low.bytes[i] = (char)(low.bytes[i] - 'A' + 'a');
        else if (low.bytes[i] == '\0')
            low.bytes[i] = ' ';
    for (size_t i = 0; i < message.len; i++)
        if ((unsigned char)message.bytes[i] < ' ')
            message.bytes[i] = ' ';
    reply->verdict = judge_reply(status, &low, sent, dialect);
    add_without(buf_str(&message), key, &clean);
    buf_printf(&reply->why, "status %u%s", status, clean.len ? ": " : "");
    utf8_add_printable(buf_str(&clean), WHY_CHARS, &reply->why);
}

/* ---- answers ---- */

static uint32_t count_of(const json_t *object, const char *name)
{
    json_int_t value = json_integer_value(json_object_get(object, name));

    return value > 0 && value < UINT32_MAX ? (uint32_t)value : 0;
}

/* A text, or a list of parts that have one. */
static void add_content(const json_t *content, Buf *out)
{
    buf_add(out, text_of(content));
    for (size_t i = 0; i < json_array_size(content); i++)
        buf_add(out, text_of(json_object_get(json_array_get(content, i), "text")));
}

/* Under the names that servers have for it; some tell it twice, as `reasoning` and again as
 * `reasoning_content`. */
static void add_thoughts(const json_t *message, Buf *out)
{
    static const char *const fields[] = {"reasoning_content", "reasoning", "thinking"};

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]) && !out->len; i++)
        buf_add(out, text_of(json_object_get(message, fields[i])));
}

/* Thoughts are no part of the answer. */
static void keep_answer(const json_t *message, const json_t *finish, LlmReply *reply)
{
    CLEANUP(buf_done) Buf whole = reply->text;
    Str thoughts = llm_think_thoughts(buf_str(&whole));

    reply->text = (Buf){0};
    buf_add(&reply->text, llm_think_answer(buf_str(&whole)));
    add_thoughts(message, &reply->reasoning);
    if (reply->reasoning.len && thoughts.len)
        buf_add(&reply->reasoning, STR("\n"));
    buf_add(&reply->reasoning, thoughts);
    buf_add(&reply->finish, str_part(text_of(finish), 0, FINISH_BYTES));
    reply->cut = str_eq(buf_str(&reply->finish), STR("length"));
}

static bool has_thought(const LlmReply *reply)
{
    return reply->reasoning.len || reply->reasoning_tokens;
}

static void read_openai(const json_t *root, LlmReply *reply)
{
    const json_t *choice = json_array_get(json_object_get(root, "choices"), 0);
    const json_t *usage = json_object_get(root, "usage");

    add_content(json_object_get(json_object_get(choice, "message"), "content"), &reply->text);
    if (!reply->text.len)
        buf_add(&reply->text, text_of(json_object_get(choice, "text")));
    keep_answer(json_object_get(choice, "message"), json_object_get(choice, "finish_reason"),
                reply);
    reply->prompt_tokens = count_of(usage, "prompt_tokens");
    reply->cached_tokens =
        count_of(json_object_get(usage, "prompt_tokens_details"), "cached_tokens");
    reply->answer_tokens = count_of(usage, "completion_tokens");
    reply->reasoning_tokens =
        count_of(json_object_get(usage, "completion_tokens_details"), "reasoning_tokens");
}

static void read_ollama(const json_t *root, LlmReply *reply)
{
    add_content(json_object_get(json_object_get(root, "message"), "content"), &reply->text);
    keep_answer(json_object_get(root, "message"), json_object_get(root, "done_reason"), reply);
    reply->prompt_tokens = count_of(root, "prompt_eval_count");
    reply->answer_tokens = count_of(root, "eval_count");
}

static bool is_answer(const json_t *root, LlmApi api)
{
    if (json_object_get(root, "error") && !json_is_null(json_object_get(root, "error")))
        return false; /* Ollama: in mid-stream, with status 200 */
    if (api == LLM_OLLAMA)
        return json_is_object(json_object_get(root, "message"));
    return json_is_object(json_array_get(json_object_get(root, "choices"), 0));
}

/* An answer, or why there is none. */
static void judge_answer(const LlmDialect *sent, LlmDialect *dialect, LlmReply *reply)
{
    bool empty = str_trim(buf_str(&reply->text)).len == 0;

    reply->verdict = empty ? VERDICT_REFUSED : VERDICT_ANSWER;
    if (reply->cut && (empty || has_thought(reply)) && !sent->raised) {
        dialect->raised = true; /* more tokens from now on */
        reply->verdict = VERDICT_DIALECT;
    }
    if (reply->verdict == VERDICT_ANSWER)
        return;
    buf_add(&reply->why,
            empty ? STR("the model said nothing") : STR("the model did not come to its end"));
    if (reply->cut)
        buf_printf(&reply->why, ": its tokens were used up%s (finish_reason: length)",
                   has_thought(reply) ? " by thinking" : "");
    else if (has_thought(reply))
        buf_add(&reply->why, STR(": it only thought"));
}

void llm_reply_read(unsigned status, Str body, const LlmDialect *sent, Str key, LlmDialect *dialect,
                    LlmReply *reply)
{
    json_t *root = json_loadb(body.bytes ? body.bytes : "", body.len, JSON_ALLOW_NUL, NULL);

    if (status / 100 == 2 && is_answer(root, sent->api)) {
        if (sent->api == LLM_OLLAMA)
            read_ollama(root, reply);
        else
            read_openai(root, reply);
        judge_answer(sent, dialect, reply);
    } else if (status / 100 == 2 && !json_object_get(root, "error")) {
        reply->verdict = VERDICT_AGAIN;
        buf_add(&reply->why,
                root ? STR("the answer is not that of a model") : STR("the answer is not JSON"));
    } else {
        read_failure(status, root, body, sent, key, dialect, reply);
    }
    json_decref(root);
}

/* ---- what a server tells about a model ---- */

/* "llama.context_length" and the like: the name begins with the architecture. */
static uint32_t context_of_show(json_t *root)
{
    json_t *info = json_object_get(root, "model_info");

    for (void *at = json_object_iter(info); at; at = json_object_iter_next(info, at)) {
        Str name = str_of(json_object_iter_key(at));
        if (cut_end(&name, ".context_length"))
            return count_of(info, json_object_iter_key(at));
    }
    return 0;
}

static uint32_t context_of_models(const json_t *root, Str model)
{
    static const char *const names[] = {"max_model_len", "context_length", "context_window",
                                        "max_context_length"};
    const json_t *list = json_object_get(root, "data");

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const json_t *meta = json_object_get(item, "meta");
        if (!str_eq(text_of(json_object_get(item, "id")), model))
            continue;
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            if (count_of(item, names[k]))
                return count_of(item, names[k]);
        return count_of(meta, "n_ctx") ? count_of(meta, "n_ctx") : count_of(meta, "n_ctx_train");
    }
    return 0;
}

uint32_t llm_about_context(LlmApi api, Str body, Str model)
{
    json_t *root = json_loadb(body.bytes ? body.bytes : "", body.len, JSON_ALLOW_NUL, NULL);
    uint32_t tokens = api == LLM_OLLAMA ? context_of_show(root) : context_of_models(root, model);

    json_decref(root);
    return tokens;
}
