/* Logs that somebody brings, and sentences that somebody types: read, answered, forgotten. */
#include "base/arena.h"
#include "base/mem.h"
#include "disk/gzip.h"
#include "lang/lang.h"
#include "record/aiwolf_log.h"
#include "web/game_file.h"
#include "web/site_own.h"
#include "wire/json_read.h"

#define OPEN_AT_ONCE 4
#define TEXT_MAX     ((size_t)8192)
#define TEXTS_MAX    20
#define ARENA_BYTES  ((size_t)1024 * 1024)

/* ---- open ---- */

typedef struct OpenJob {
    WorkJob job;
    WebSite *site;
    WebVisit visit; /* its request is gone */
    Buf name;
    Buf text;
    Buf out;
    int rc;
    Err err;
} OpenJob;

static void open_job_free(OpenJob *own)
{
    own->site->opening--;
    buf_done(&own->name);
    buf_done(&own->text);
    buf_done(&own->out);
    mem_free(own);
}

static int unpack_text(OpenJob *own, Err *err)
{
    CLEANUP(buf_done) Buf plain = {0};

    if (!gzip_is(buf_str(&own->text)))
        return 0;
    int rc = gunzip_text(buf_str(&own->text), "this file", LOG_TEXT_BYTES_MAX, &plain, err);
    buf_done(&own->text);
    own->text = plain;
    plain = (Buf){0};
    return rc;
}

static int add_round(OpenJob *own, uint32_t round, Err *err)
{
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    const DocView view = {.kind = DOC_VIEW_ALL, .names = true};
    int rc = game_doc_read(buf_str(&own->text), buf_str(&own->name), round, &doc, err);

    if (rc)
        return rc;
    if (round > 0)
        buf_add_char(&own->out, ',');
    rc = game_file_write(doc, &view, &own->out, err);
    if (rc == 0 && own->out.len > GAME_DOC_BYTES_MAX)
        rc = err_set(err, ERR_LIMIT, "the documents of its rounds have more than %zu MiB",
                     GAME_DOC_BYTES_MAX >> 20);
    return rc;
}

static void run_open(WorkJob *job)
{
    OpenJob *own = (OpenJob *)job;

    own->rc = unpack_text(own, &own->err);
    if (own->rc)
        return;
    uint32_t rounds = game_doc_rounds(buf_str(&own->text));
    buf_add(&own->out, STR("{\"documents\":["));
    for (uint32_t i = 0; own->rc == 0 && (i == 0 || i < rounds); i++)
        own->rc = add_round(own, i, &own->err);
    buf_add(&own->out, STR("]}"));
}

static void on_open_done(WorkJob *job, TimeUs now)
{
    OpenJob *own = (OpenJob *)job;
    CLEANUP(buf_done) Buf why = {0};

    (void)now;
    if (own->rc == ERR_MEMORY || buf_failed(&own->out)) {
        visit_error(&own->visit, 503, "memory", "The server has no memory for this log.");
    } else if (own->rc) {
        if (own->err.line && !strstr(own->err.msg, "line "))
            buf_printf(&why, "line %u: ", own->err.line);
        buf_printf(&why, "%s", own->err.msg);
        visit_error(&own->visit, own->rc == ERR_LIMIT ? 413 : 422,
                    own->rc == ERR_LIMIT ? "too-large" : "not-a-log", buf_cstr(&why));
    } else {
        visit_json(&own->visit, &own->out, VISIT_NEVER);
    }
    open_job_free(own);
}

static void on_open_drop(WorkJob *job)
{
    open_job_free((OpenJob *)job);
}

/* The last name of what may be a path, for people. */
static void read_name(const WebVisit *visit, Buf *out)
{
    CLEANUP(buf_done) Buf given = {0};
    Str name = web_query(visit->request, "name", &given);
    size_t slash;

    if (str_find_last(name, '/', &slash) || str_find_last(name, '\\', &slash))
        name = str_part(name, slash + 1, name.len);
    buf_add(out, name.len ? str_part(name, 0, 255) : STR("log"));
}

void site_open_log(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    OpenJob *own = site->opening < OPEN_AT_ONCE ? mem_new(sizeof(*own)) : NULL;

    if (!own) {
        visit_error(visit, 503, "busy", "Other logs are being read: try again in two seconds.");
        return;
    }
    site->opening++;
    own->job = (WorkJob){.run = run_open, .done = on_open_done, .drop = on_open_drop};
    own->site = site;
    own->visit = *visit;
    own->visit.request = NULL;
    read_name(visit, &own->name);
    buf_add(&own->text, visit->request->body);
    if (own->text.len == 0)
        visit_error(visit, 422, "not-a-log", "The log is empty.");
    else if (buf_failed(&own->text) || !work_add(site->work, &own->job))
        visit_error(visit, 503, "busy", "The server is busy: try again in two seconds.");
    else
        return;
    open_job_free(own);
}

/* ---- lang ---- */

static void put_sentence(Str text, Arena *arena, Json *json)
{
    CLEANUP(buf_done) Buf plain = {0};
    char canonical[LANG_TEXT_MAX];
    const Sentence *sentence;
    Err why = {0};
    bool valid = lang_parse(text, arena, &sentence, &why) == 0;

    json_open(json, '{');
    json_add_bool(json, "valid", valid);
    if (valid) {
        json_add_str(json, "canonical",
                     (Str){canonical, lang_write(sentence, canonical, sizeof(canonical))});
        json_key(json, STR("plain"));
        json_open(json, '{');
        lang_plain(sentence, LANG_UNSPEC, LANG_ENGLISH, &plain);
        json_add_str(json, "en", buf_str(&plain));
        buf_clear(&plain);
        lang_plain(sentence, LANG_UNSPEC, LANG_JAPANESE, &plain);
        json_add_str(json, "ja", buf_str(&plain));
        json_close(json);
    } else {
        json_add_str(json, "error", str_of(why.msg));
        if (why.column)
            json_add_uint(json, "column", why.column);
    }
    json_close(json);
}

/* False for a body that is not {"texts":[...]} within the limits. */
static bool put_sentences(const json_t *texts, Json *json)
{
    Arena arena = arena_new(ARENA_BYTES);
    bool good = json_is_list(texts) && json_count(texts) <= TEXTS_MAX;

    json_open(json, '{');
    json_key(json, STR("texts"));
    json_open(json, '[');
    for (size_t i = 0; good && i < json_count(texts); i++) {
        Str text;
        arena_clear(&arena);
        good = json_as_str(json_at(texts, i), &text) && text.len <= TEXT_MAX;
        if (good)
            put_sentence(text, &arena, json);
    }
    json_close(json);
    json_close(json);
    arena_done(&arena);
    return good;
}

void site_lang(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    json_t *body = NULL;

    buf_clear(&site->body);
    Json json = json_over(&site->body);
    bool good = json_read(visit->request->body, visit->request->body.len, &body, NULL) == 0 &&
                put_sentences(json_get(body, "texts"), &json);
    json_done(body);
    if (good)
        visit_json(visit, &site->body, VISIT_NEVER);
    else
        visit_error(visit, 400, "texts",
                    "The body is {\"texts\":[...]} with up to 20 texts of 8192 bytes.");
}
