#include "api/api_visit.h"

#include "base/date_text.h"
#include "base/mem.h"
#include "base/utf8.h"

int64_t api_site_now_ms(const ApiSite *site)
{
    const ApiSettings *settings = site->settings;

    return settings->now_ms(settings->now_user);
}

void api_visit_done(ApiVisit *visit)
{
    Buf *const texts[] = {&visit->path,          &visit->query,      &visit->cookie,
                          &visit->token,         &visit->out,        &visit->contest_name,
                          &visit->refused_field, &visit->set_cookie, &visit->disposition,
                          &visit->refused_text,  &visit->detail,     &visit->drops};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        buf_done(texts[i]);
    json_done(visit->body);
    visit->body = NULL;
}

ApiVisit *api_visit_keep(ApiVisit *visit)
{
    ApiVisit *kept = mem_new(sizeof(*kept));

    if (!kept)
        return NULL;
    *kept = *visit;
    kept->kept = true;
    kept->request = NULL;
    *visit = (ApiVisit){.site = kept->site, .route = kept->route, .answered = true};
    return kept;
}

int api_refuse(ApiVisit *visit, ApiRefusal refusal, const char *field, const char *text)
{
    visit->refusal = refusal;
    buf_clear(&visit->refused_text);
    buf_clear(&visit->refused_field);
    buf_add(&visit->refused_text, str_of(text));
    buf_add(&visit->refused_field, str_of(field));
    return ERR_RULE;
}

/* ---- reading ---- */

int api_body_text(ApiVisit *visit, const char *key, Str *ret_text, Err *err)
{
    const json_t *value = visit->body ? json_get(visit->body, key) : NULL;

    (void)err;
    *ret_text = (Str){"", 0};
    if (value && !json_as_str(value, ret_text))
        return api_refuse(visit, REFUSE_FIELD, key, NULL);
    if (ret_text->len && memchr(ret_text->bytes, '\0', ret_text->len)) /* no database takes it */
        return api_refuse(visit, REFUSE_FIELD, key, NULL);
    return 0;
}

int api_body_need(ApiVisit *visit, const char *key, Str *ret_text, Err *err)
{
    int rc = api_body_text(visit, key, ret_text, err);

    if (rc == 0 && !ret_text->len)
        rc = api_refuse(visit, REFUSE_MISSING, key, NULL);
    return rc;
}

Str api_query(const ApiVisit *visit, const char *name, Buf *out)
{
    const WebRequest request = {.query = buf_str(&visit->query)};
    Str value = web_query(&request, name, out);

    bool good = utf8_valid(value) && !(value.len && memchr(value.bytes, '\0', value.len));
    return good ? value : (Str){"", 0}; /* no database takes another */
}

int64_t api_query_number(const ApiVisit *visit, const char *name, int64_t none)
{
    CLEANUP(buf_done) Buf text = {0};
    int64_t value = none;

    return str_to_int(api_query(visit, name, &text), INT64_MIN, INT64_MAX, &value) ? value : none;
}

int64_t api_word_number(const ApiVisit *visit, unsigned word)
{
    int64_t value = 0;

    return str_to_int(visit->words[word], 1, INT64_MAX, &value) ? value : 0;
}

bool api_may(const ApiVisit *visit, SiteVerb verb)
{
    return site_may(verb, visit->relations, visit->scopes);
}

/* ---- writing ---- */

void api_add_date(Json *json, const char *key, int64_t ms)
{
    char room[DATE_TEXT_ROOM];

    json_key(json, str_of(key));
    if (ms > 0 && ms <= DATE_MAX_MS)
        json_put_str(json, date_text_write(ms, room));
    else
        json_put_null(json);
}

void api_add_id(Json *json, const char *key, int64_t id)
{
    char text[24];

    snprintf(text, sizeof(text), "%lld", (long long)id);
    json_add_str(json, key, str_of(text));
}

void api_add_some(Json *json, const char *key, Str text)
{
    if (text.len)
        json_add_str(json, key, text);
}
