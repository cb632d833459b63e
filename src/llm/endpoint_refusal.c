/* What a server says when it does not answer: whether it passes, whether another form of request
 * helps, and what stands in the way. */
#include "llm/endpoint_parts.h"

#include "base/utf8.h"

#define WHY_CHARS 300
#define LOW_BYTES 4000 /* of a refusal, to be searched */

static void add_word(Buf *out, Str word)
{
    if (word.len)
        buf_printf(out, "%s%.*s", out->len ? " " : "", STR_ARG(word));
}

/* {"error": {"message", "code", "type", "param"}}, {"error": "text"}, {"message": "text"} */
static void add_error(const json_t *error, Buf *message, Buf *words)
{
    static const char *const names[] = {"code", "type", "param"};

    add_word(message, llm_json_text(error));
    add_word(message, json_text(error, "message"));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        add_word(words, llm_json_text(json_get(error, names[i])));
}

/* {"detail": "text"} or {"detail": [{"loc": ["body", "response_format"], "msg": "text"}]}, without
 * what they repeat of the request. */
static void add_detail(const json_t *detail, Buf *message, Buf *words)
{
    add_word(message, llm_json_text(detail));
    for (size_t i = 0; i < json_count(detail); i++) {
        const json_t *item = json_at(detail, i);
        const json_t *place = json_get(item, "loc");
        add_word(message, llm_json_text(json_get(item, "msg")));
        for (size_t k = 0; k < json_count(place); k++)
            add_word(words, llm_json_text(json_at(place, k)));
    }
}

/* What a refusal says, and the names in it; else its beginning as it is. */
static void read_refusal(const json_t *root, Str body, Buf *message, Buf *words)
{
    const json_t *error = json_get(root, "error");

    add_error(error ? error : root, message, words);
    add_detail(json_get(root, "detail"), message, words);
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
    if (sent->api == LLM_ANTHROPIC) /* a tool, or nothing */
        next = FORM_NONE;
    if (dialect->form < next)
        dialect->form = next;
}

/* ---- what can be helped ---- */

/* The number behind a word; 0 = none. */
static uint32_t number_behind(const Buf *low, const char *word)
{
    const char *at = strstr(buf_cstr(low), word);
    uint64_t number = 0;
    size_t digits = 0;

    if (!at)
        return 0;
    at += strlen(word);
    at += strspn(at, " `'\"");
    digits = strspn(at, "0123456789");
    return str_to_uint((Str){at, digits}, UINT32_MAX - 1, &number) ? (uint32_t)number : 0;
}

/* "max_tokens: 20000 > 8192, which is the maximum", "supports at most 16384 completion tokens" */
static bool find_most(const Buf *low, const LlmDialect *sent, LlmDialect *dialect)
{
    static const char *const before[] = {"at most", ">", "less than or equal to",
                                         "maximum value for `max_tokens` is"};
    uint32_t most = 0;

    if (sent->most || (!has_word(low, "max_tokens") && !has_word(low, "max_completion_tokens")))
        return false;
    for (size_t i = 0; !most && i < sizeof(before) / sizeof(before[0]); i++)
        most = number_behind(low, before[i]);
    if (!most)
        return false;
    dialect->most = most;
    return true;
}

/* A parameter that is named with one of the words: it is left out from now on. */
typedef struct Parameter {
    size_t flag; /* offset in LlmDialect */
    const char *words[5];
} Parameter;

static bool drop_parameter(const Buf *low, const LlmDialect *sent, LlmDialect *dialect)
{
    static const Parameter parameters[] = {
        {offsetof(LlmDialect, no_top_p), {"top_p"}},
        {offsetof(LlmDialect, no_temperature), {"temperature"}},
        {offsetof(LlmDialect, no_template), {"chat_template_kwargs"}},
        {offsetof(LlmDialect, no_seed), {"'seed'", "`seed`", "\"seed\"", "parameter: seed"}},
        {offsetof(LlmDialect, no_stop),
         {"'stop'", "`stop`", "\"stop\"", "stop_sequences", "parameter: stop"}},
    };

    for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
        bool *flag = (bool *)((char *)dialect + parameters[i].flag);
        if (*(const bool *)((const char *)sent + parameters[i].flag))
            continue;
        for (size_t k = 0; k < 5 && parameters[i].words[k]; k++)
            if (has_word(low, parameters[i].words[k]))
                return *flag = true;
    }
    return false;
}

static bool adapt_thinking(const Buf *low, const LlmDialect *sent, LlmDialect *dialect)
{
    if (!has_word(low, "reasoning") && !has_word(low, "think") && !has_word(low, "effort"))
        return false;
    if (sent->api == LLM_ANTHROPIC && !sent->adaptive && !sent->no_think &&
        (has_word(low, "adaptive") || has_word(low, "budget_tokens")))
        return dialect->adaptive = true;
    if (sent->no_think)
        return false;
    return dialect->no_think = true;
}

/* Whether a 4xx or 5xx is about the form of the request, and can be helped. */
static bool adapt_dialect(const Buf *low, const LlmDialect *sent, LlmDialect *dialect)
{
    if (find_most(low, sent, dialect))
        return true;
    if (has_word(low, "max_completion_tokens") && !sent->new_limit)
        return dialect->new_limit = true;
    if (drop_parameter(low, sent, dialect) || adapt_thinking(low, sent, dialect))
        return true;
    if (has_word(low, "system") && (has_word(low, "role") || has_word(low, "support")) &&
        !sent->no_system && sent->api != LLM_ANTHROPIC)
        return dialect->no_system = true;
    if (is_about_form(sent->api, low) && sent->form != FORM_NONE) {
        drop_form(dialect, sent);
        return true;
    }
    return false;
}

/* ---- verdicts ---- */

static bool is_about_model(const Buf *low)
{
    static const char *const words[] = {"not found",     "not exist",         "does not exist",
                                        "invalid model", "unknown model",     "not_found",
                                        "no such model", "not a valid model", NULL};

    return has_word(low, "model") && has_any(low, words);
}

static bool is_about_money(const Buf *low)
{
    static const char *const words[] = {
        "insufficient_quota", "billing", "credit balance", "payment", "insufficient credits", NULL};

    return has_any(low, words);
}

static LlmTrouble trouble_of(unsigned status, const Buf *low)
{
    if (status == 402 || ((status == 400 || status == 403 || status == 429) && is_about_money(low)))
        return TROUBLE_QUOTA;
    if (status == 401)
        return TROUBLE_NO_KEY;
    if (status == 403)
        return TROUBLE_FORBIDDEN;
    if ((status == 400 || status == 404 || status == 422) && is_about_model(low))
        return TROUBLE_NO_MODEL;
    if (status == 404 || status == 405)
        return TROUBLE_NO_PATH;
    if (status == 429)
        return TROUBLE_BUSY;
    if (status == 503 || status == 529)
        return TROUBLE_OVERLOADED;
    if (status == 408)
        return TROUBLE_SLOW;
    if (status == 413 || is_too_long(low)) /* older llama.cpp says it with 500 */
        return TROUBLE_TOO_LONG;
    if (status >= 500 || status == 200)
        return TROUBLE_FAILED;
    return status / 100 == 3 ? TROUBLE_REDIRECT : TROUBLE_REQUEST;
}

static LlmVerdict verdict_of(LlmTrouble trouble)
{
    static const LlmVerdict verdicts[TROUBLE_COUNT] = {
        [TROUBLE_QUOTA] = VERDICT_DENIED,     [TROUBLE_NO_KEY] = VERDICT_DENIED,
        [TROUBLE_FORBIDDEN] = VERDICT_DENIED, [TROUBLE_NO_MODEL] = VERDICT_DENIED,
        [TROUBLE_NO_PATH] = VERDICT_DENIED,   [TROUBLE_BUSY] = VERDICT_BUSY,
        [TROUBLE_OVERLOADED] = VERDICT_BUSY,  [TROUBLE_SLOW] = VERDICT_AGAIN,
        [TROUBLE_FAILED] = VERDICT_AGAIN,     [TROUBLE_TOO_LONG] = VERDICT_TOO_LONG,
        [TROUBLE_REDIRECT] = VERDICT_REFUSED, [TROUBLE_REQUEST] = VERDICT_REFUSED,
    };
    return verdicts[trouble];
}

static void judge_refusal(unsigned status, const Buf *low, const LlmDialect *sent,
                          LlmDialect *dialect, LlmReply *reply)
{
    LlmTrouble trouble = trouble_of(status, low);

    reply->trouble = trouble;
    reply->verdict = verdict_of(trouble);
    if ((status == 400 || status == 422 || status == 500 || status == 501) &&
        (trouble == TROUBLE_REQUEST || trouble == TROUBLE_FAILED) &&
        adapt_dialect(low, sent, dialect))
        reply->verdict = VERDICT_DIALECT;
}

/* ---- texts ---- */

/* As people and the words above have it: small letters, no control characters. */
static void make_low(Buf *low, Buf *message)
{
    for (size_t i = 0; i < low->len; i++)
        low->bytes[i] = low->bytes[i] == '\0' ? ' ' : str_lower_char(low->bytes[i]);
    for (size_t i = 0; i < message->len; i++)
        if ((unsigned char)message->bytes[i] < ' ')
            message->bytes[i] = ' ';
}

/* Servers before others say with 200 what the one behind has said: {"error": {"code": 429}}. */
static unsigned real_status(unsigned status, const json_t *root)
{
    int64_t code = json_number(json_get(root, "error"), "code");

    return status / 100 == 2 && code >= 400 && code < 600 ? (unsigned)code : status;
}

void llm_refusal_read(unsigned status, const json_t *root, Str body, const LlmDialect *sent,
                      const char *const *secrets, LlmDialect *dialect, LlmReply *reply)
{
    CLEANUP(buf_done) Buf message = {0};
    CLEANUP(buf_done) Buf low = {0};

    status = real_status(status, root);
    read_refusal(root, body, &message, &low);
    add_word(&low, str_part(buf_str(&message), 0, LOW_BYTES));
    make_low(&low, &message);
    judge_refusal(status, &low, sent, dialect, reply);
    llm_secrets_hide(&message, secrets);
    buf_printf(&reply->why, "status %u%s", status, message.len ? ": " : "");
    utf8_add_printable(buf_str(&message), WHY_CHARS, &reply->why);
}
