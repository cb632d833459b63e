#include "llm/endpoint_parts.h"

#include <jansson.h>

/* ---- JSON ---- */

json_t *llm_json_load(Str text)
{
    return json_loadb(text.bytes ? text.bytes : "", text.len, JSON_ALLOW_NUL, NULL);
}

void llm_json_dump(const json_t *json, Buf *out)
{
    char *text = json_dumps(json, JSON_COMPACT);

    buf_add(out, str_of(text));
    free(text);
}

Str llm_json_text(const json_t *value)
{
    Str text = {"", 0};

    json_as_str(value, &text);
    return text;
}

uint32_t llm_json_count(const json_t *object, const char *name)
{
    int64_t value = json_number(object, name);

    return value > 0 && value < UINT32_MAX ? (uint32_t)value : 0;
}

/* ---- requests and replies ---- */

void llm_reply_done(LlmReply *reply)
{
    buf_done(&reply->text);
    buf_done(&reply->reasoning);
    buf_done(&reply->finish);
    buf_done(&reply->model);
    buf_done(&reply->why);
}

uint32_t llm_request_tokens(const LlmEndpointSetup *setup, const LlmDialect *dialect)
{
    uint32_t answer = setup->max_answer_tokens ? setup->max_answer_tokens : LLM_ANSWER_TOKENS;
    uint32_t tokens = answer + llm_think_tokens(&setup->think, dialect->raised);

    return dialect->most && tokens > dialect->most ? dialect->most : tokens;
}

void llm_stops_write(const char *const *stops, const char *name, Json *json)
{
    json_key(json, str_of(name));
    json_open(json, '[');
    for (; *stops; stops++)
        json_put_str(json, str_of(*stops));
    json_close(json);
}

/* ---- secrets ---- */

static void hide_secret(Buf *text, Str secret)
{
    CLEANUP(buf_done) Buf clean = {0};
    Str rest = buf_str(text);
    size_t at;

    if (secret.len < 4 || !str_find(rest, secret, &at))
        return;
    while (str_find(rest, secret, &at)) {
        buf_add(&clean, str_part(rest, 0, at));
        buf_add(&clean, STR("***"));
        rest = str_part(rest, at + secret.len, SIZE_MAX);
    }
    buf_add(&clean, rest);
    buf_clear(text);
    buf_add(text, buf_str(&clean));
}

void llm_secrets_hide(Buf *text, const char *const *secrets)
{
    for (; secrets && *secrets; secrets++)
        hide_secret(text, str_of(*secrets));
}
