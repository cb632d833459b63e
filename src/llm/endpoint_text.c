#include "llm/endpoint_parts.h"

#include "base/localhost.h"

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

/* A query may say which version of an interface is meant; a key has no place in it. */
static int check_query(Str query, Err *err)
{
    static const char *const secret[] = {"key", "token", "secret", "sig", "pass", "auth", NULL};

    while (query.len) {
        Str part = str_cut(&query, '&'), name = str_cut(&part, '=');
        CLEANUP(buf_done) Buf low = {0};
        for (size_t i = 0; i < name.len; i++)
            buf_add_char(&low, (char)(name.bytes[i] | 0x20));
        for (size_t i = 0; secret[i]; i++)
            if (strstr(buf_cstr(&low), secret[i]))
                return err_set(err, ERR_USAGE,
                               "the URL of a model's server has what looks like a key in it; that "
                               "comes from the environment or a file");
    }
    return 0;
}

static int check_base(Str base, Err *err)
{
    if (!str_starts(base, STR("http://")) && !str_starts(base, STR("https://")))
        return err_set(err, ERR_USAGE,
                       "the URL of a model's server begins with http:// or https://, as "
                       "http://localhost:11434/v1");
    if (host_of(base).len == 0 || base.len > 2000)
        return err_set(err, ERR_USAGE, "the URL of a model's server names no host");
    for (size_t i = 0; i < base.len; i++)
        if ((unsigned char)base.bytes[i] <= ' ' || strchr("#@", base.bytes[i]))
            return err_set(err, ERR_USAGE,
                           "the URL of a model's server can't have blanks, '#' or '@'; a key comes "
                           "from the environment or a file");
    return 0;
}

int llm_url_write(LlmApi api, Str base, LlmPath path, Buf *out, Err *err)
{
    static const char *const paths[][2] = {
        [LLM_OPENAI] = {"/chat/completions", "/models"},
        [LLM_OLLAMA] = {"/api/chat", "/api/show"},
        [LLM_ANTHROPIC] = {"/v1/messages", "/v1/models"},
    };
    int rc = check_base(base, err);
    Str query = base;

    base = str_cut(&query, '?');
    if (rc == 0)
        rc = check_query(query, err);
    if (rc)
        return rc;
    cut_slashes(&base);
    if (cut_end(&base, paths[api][0]))
        cut_slashes(&base);
    if (api == LLM_OLLAMA && (cut_end(&base, "/v1") || cut_end(&base, "/api")))
        cut_slashes(&base);
    if (api == LLM_ANTHROPIC && cut_end(&base, "/v1"))
        cut_slashes(&base);
    buf_add(out, base);
    buf_add(out, str_of(paths[api][path]));
    if (query.len)
        buf_printf(out, "?%.*s", STR_ARG(query));
    return 0;
}

void llm_key_header_write(LlmApi api, Str key, Buf *out)
{
    buf_printf(out, api == LLM_ANTHROPIC ? "x-api-key: %.*s" : "Authorization: Bearer %.*s",
               STR_ARG(key));
}

/* ---- requests ---- */

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

/* What every server knows under these names. */
static void write_sampling(const LlmEndpointSetup *setup, const LlmDialect *dialect, Json *json)
{
    if (setup->temperature >= 0 && !dialect->no_temperature) {
        json_key(json, STR("temperature"));
        json_put_real(json, setup->temperature, 2);
    }
    if (setup->top_p > 0 && !dialect->no_top_p) {
        json_key(json, STR("top_p"));
        json_put_real(json, setup->top_p, 2);
    }
    if (setup->seeded && !dialect->no_seed)
        json_add_uint(json, "seed", setup->sampling_seed);
    if (setup->stops && setup->stops[0] && !dialect->no_stop)
        llm_stops_write(setup->stops, "stop", json);
}

static void write_openai(const LlmEndpointSetup *setup, const LlmDialect *dialect, Str schema,
                         Json *json)
{
    json_key(json, dialect->new_limit ? STR("max_completion_tokens") : STR("max_tokens"));
    json_put_uint(json, llm_request_tokens(setup, dialect));
    if (!dialect->no_think)
        llm_think_write(&setup->think, false, !dialect->no_template, json);
    write_sampling(setup, dialect, json);
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
    write_sampling(setup, dialect, json);
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
    json_t *all = llm_json_load(messages);
    CLEANUP(buf_done) Buf system = {0};

    json_open(json, '[');
    for (size_t i = 0; i < json_count(all); i++) {
        const json_t *entry = json_at(all, i);
        Str role = llm_json_text(json_get(entry, "role"));
        buf_printf(&system, "%s%.*s", system.len ? "\n\n" : "",
                   STR_ARG(llm_json_text(json_get(entry, "content"))));
        if (str_eq(role, STR("system")))
            continue;
        llm_entry_write(json, role, buf_str(&system));
        buf_clear(&system);
    }
    json_close(json);
    json_done(all);
}

void llm_request_write(const LlmEndpointSetup *setup, const LlmDialect *dialect, const LlmAsk *ask,
                       Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "model", str_of(setup->model));
    if (dialect->api == LLM_ANTHROPIC) {
        llm_anthropic_write(setup, dialect, ask, &json);
        json_close(&json);
        return;
    }
    json_key(&json, STR("messages"));
    if (dialect->no_system)
        write_without_system(ask->messages, &json);
    else
        json_put_raw(&json, ask->messages);
    json_add_bool(&json, "stream", false);
    if (dialect->api == LLM_OLLAMA)
        write_ollama(setup, dialect, ask->schema, &json);
    else
        write_openai(setup, dialect, ask->schema, &json);
    json_close(&json);
}
