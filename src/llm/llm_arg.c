#include "llm/llm_arg.h"

#include "base/duration_text.h"
#include "disk/secret.h"
#include "llm/llm_key.h"

#define ENDPOINTS_MAX 64

/* ---- specs ---- */

static int copy_value(Str key, Str value, char *to, size_t room, Err *err)
{
    if (value.len == 0 || value.len >= room)
        return err_set(err, ERR_USAGE, "llm: '%.*s' needs 1 to %zu characters", STR_ARG(key),
                       room - 1);
    memcpy(to, value.bytes, value.len);
    to[value.len] = '\0';
    return 0;
}

static int read_number(Str key, Str value, uint64_t max, uint32_t *ret, Err *err)
{
    uint64_t number;

    if (!str_to_uint(value, max, &number) || number == 0)
        return err_set(err, ERR_USAGE, "llm: '%.*s' needs a number from 1 to %llu, not '%.*s'",
                       STR_ARG(key), (unsigned long long)max, STR_ARG(str_part(value, 0, 40)));
    *ret = (uint32_t)number;
    return 0;
}

static int read_word(Str key, Str value, const char *const words[], unsigned *ret, Err *err)
{
    for (unsigned i = 0; words[i]; i++)
        if (str_eq(value, str_of(words[i]))) {
            *ret = i;
            return 0;
        }
    return err_set(err, ERR_USAGE, "llm: '%.*s' is not a value of '%.*s'; it can be %s, %s or %s",
                   STR_ARG(str_part(value, 0, 40)), STR_ARG(key), words[0], words[1], words[2]);
}

/* "0.7": 0 to `most`, at most two digits behind the point. */
static int read_fraction(Str key, Str value, unsigned most, double *ret, Err *err)
{
    Str rest = value, whole = str_cut(&rest, '.');
    uint64_t ones, parts = 0;
    bool point = whole.len < value.len;
    bool good = str_to_uint(whole, most, &ones) &&
                (!point || (rest.len >= 1 && rest.len <= 2 && str_to_uint(rest, 99, &parts)));
    double number = good ? (double)ones + (double)parts / (rest.len == 1 ? 10 : 100) : most + 1;

    if (number > most)
        return err_set(err, ERR_USAGE, "llm: '%.*s' needs a number from 0 to %u as 0.7, not '%.*s'",
                       STR_ARG(key), most, STR_ARG(str_part(value, 0, 40)));
    *ret = number;
    return 0;
}

static int read_top_p(Str key, Str value, double *ret, Err *err)
{
    int rc = read_fraction(key, value, 1, ret, err);

    if (rc == 0 && *ret <= 0)
        rc = err_set(err, ERR_USAGE, "llm: 'top-p' is more than 0 and at most 1");
    return rc;
}

static int read_seed(Str value, LlmSpec *spec, Err *err)
{
    uint64_t number;

    if (!str_to_uint(value, INT32_MAX, &number))
        return err_set(err, ERR_USAGE, "llm: 'seed' needs a number from 0 to %d, not '%.*s'",
                       INT32_MAX, STR_ARG(str_part(value, 0, 40)));
    spec->seeded = true;
    spec->sampling_seed = (uint32_t)number;
    return 0;
}

static int read_stop(Str key, Str value, LlmSpec *spec, Err *err)
{
    if (spec->stop_count == LLM_SPEC_STOPS)
        return err_set(err, ERR_USAGE, "llm: more than %d texts at which to stop", LLM_SPEC_STOPS);
    return copy_value(key, value, spec->stops[spec->stop_count++], sizeof(spec->stops[0]), err);
}

static int read_time(Str key, Str value, uint32_t *ret_ms, Err *err)
{
    uint64_t ms;

    if (!duration_text_read(value, &ms) || ms < 100 || ms > 3600000)
        return err_set(err, ERR_USAGE, "llm: '%.*s' needs a time from 100ms to 1h, not '%.*s'",
                       STR_ARG(key), STR_ARG(str_part(value, 0, 40)));
    *ret_ms = (uint32_t)ms;
    return 0;
}

/* A name and a password in it would stand in lists of processes. */
static int read_proxy(Str key, Str value, LlmSpec *spec, Err *err)
{
    size_t at;

    if (str_find(value, STR("@"), &at))
        return err_set(err, ERR_USAGE,
                       "llm: 'proxy' can't have a password in it; the variables http_proxy and "
                       "https_proxy can");
    return copy_value(key, value, spec->proxy, sizeof(spec->proxy), err);
}

/* ---- headers ---- */

static bool has_low(Str text, const char *const *words)
{
    CLEANUP(buf_done) Buf low = {0};

    for (size_t i = 0; i < text.len; i++)
        buf_add_char(&low, str_lower_char(text.bytes[i]));
    for (; *words; words++)
        if (strstr(buf_cstr(&low), *words))
            return true;
    return false;
}

static bool is_header_name(Str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = str_lower_char(name.bytes[i]);
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-' && c != '_')
            return false;
    }
    return name.len > 0;
}

static int check_header(Str name, Str value, bool plain, Err *err)
{
    static const char *const secret[] = {"auth", "key", "token", "secret", "cookie", NULL};
    static const char *const ours[] = {"content-", "host", "transfer-", "connection", NULL};

    if (!is_header_name(name) || has_low(name, ours))
        return err_set(err, ERR_USAGE,
                       "llm: '%.*s' can't be the name of a header; expected NAME:VALUE",
                       STR_ARG(str_part(name, 0, 40)));
    if (plain && has_low(name, secret)) /* without its value */
        return err_set(
            err, ERR_USAGE,
            "llm: the header %.*s is a secret: name a variable or a file that has it, as "
            "header-env=%.*s:VARIABLE",
            STR_ARG(name), STR_ARG(name));
    for (size_t i = 0; i < value.len; i++)
        if ((unsigned char)value.bytes[i] < ' ')
            return err_set(err, ERR_USAGE, "llm: the value of the header %.*s has a line end",
                           STR_ARG(name));
    return 0;
}

static int read_header(Str key, Str value, LlmSpec *spec, Err *err)
{
    Str rest = value, name = str_trim(str_cut(&rest, ':'));
    LlmSpecHeader *header = &spec->headers[spec->header_count];
    bool plain = str_eq(key, STR("header"));
    int rc = check_header(name, rest, plain, err);

    if (rc)
        return rc;
    if (spec->header_count == LLM_SPEC_HEADERS)
        return err_set(err, ERR_USAGE, "llm: more than %d headers", LLM_SPEC_HEADERS);
    header->from = plain ? HEADER_PLAIN : str_eq(key, STR("header-env")) ? HEADER_ENV : HEADER_FILE;
    rc = copy_value(key, name, header->name, sizeof(header->name), err);
    if (rc == 0)
        rc = copy_value(key, str_trim(rest), header->value, sizeof(header->value), err);
    spec->header_count += rc == 0;
    return rc;
}

/* ---- parts ---- */

static int read_think(Str value, LlmThink *ret, Err *err)
{
    if (llm_think_read(value, ret))
        return 0;
    return err_set(err, ERR_USAGE,
                   "llm: 'think' is off, low, medium, high or a number of tokens up to %d, not "
                   "'%.*s'",
                   LLM_THINK_TOKENS_MAX, STR_ARG(str_part(value, 0, 40)));
}

/* Parts that are a whole number. */
static uint32_t *number_part(Str key, LlmSpec *spec, uint64_t *ret_max)
{
    const struct {
        const char *name;
        uint64_t max;
        uint32_t *number;
    } parts[] = {
        {"parallel", 64, &spec->parallel},
        {"num-ctx", 10000000, &spec->num_ctx},
        {"max-tokens", 100000, &spec->max_tokens},
        {"context", 10000000, &spec->context},
        {"rpm", 100000, &spec->rpm},
        {"tpm", 1000000000, &spec->tpm},
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (str_eq(key, str_of(parts[i].name))) {
            *ret_max = parts[i].max;
            return parts[i].number;
        }
    return NULL;
}

/* Parts that are a text as it stands. */
static char *text_part(Str key, LlmSpec *spec, size_t *ret_room)
{
    const struct {
        const char *name;
        char *text;
        size_t room;
    } parts[] = {
        {"model", spec->model, sizeof(spec->model)},
        {"key-env", spec->key_env, sizeof(spec->key_env)},
        {"key-file", spec->key_file, sizeof(spec->key_file)},
        {"ca", spec->ca_file, sizeof(spec->ca_file)},
        {"budget", spec->budget, sizeof(spec->budget)},
        {"prices", spec->prices, sizeof(spec->prices)},
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (str_eq(key, str_of(parts[i].name))) {
            *ret_room = parts[i].room;
            return parts[i].text;
        }
    return NULL;
}

static int read_choice(Str key, Str value, LlmSpec *spec, Err *err)
{
    static const char *const apis[] = {"openai", "ollama", "anthropic", NULL};
    static const char *const levels[] = {"schema", "object", "none", NULL};
    bool api = str_eq(key, STR("api"));
    unsigned word = 0;
    int rc = read_word(key, value, api ? apis : levels, &word, err);

    if (api)
        spec->api = (LlmApi)word;
    else
        spec->json = (LlmJson)word;
    return rc;
}

static int read_part(Str key, Str value, LlmSpec *spec, Err *err)
{
    uint64_t max = 0;
    size_t room = 0;
    uint32_t *number = number_part(key, spec, &max);
    char *text = text_part(key, spec, &room);
    int rc = 0;

    if (llm_manner_read(key, value, &spec->manner, &rc, err))
        return rc;
    if (number)
        return read_number(key, value, max, number, err);
    if (text)
        return copy_value(key, value, text, room, err);
    if (str_eq(key, STR("api")) || str_eq(key, STR("json")))
        return read_choice(key, value, spec, err);
    if (str_eq(key, STR("temperature")))
        return read_fraction(key, value, 2, &spec->temperature, err);
    if (str_eq(key, STR("top-p")))
        return read_top_p(key, value, &spec->top_p, err);
    if (str_eq(key, STR("seed")))
        return read_seed(value, spec, err);
    if (str_eq(key, STR("stop")))
        return read_stop(key, value, spec, err);
    if (str_eq(key, STR("think")))
        return read_think(value, &spec->think, err);
    if (str_eq(key, STR("timeout")))
        return read_time(key, value, &spec->timeout_ms, err);
    if (str_eq(key, STR("connect")))
        return read_time(key, value, &spec->connect_ms, err);
    if (str_eq(key, STR("proxy")))
        return read_proxy(key, value, spec, err);
    if (str_starts(key, STR("header")) &&
        (key.len == 6 || str_eq(key, STR("header-env")) || str_eq(key, STR("header-file"))))
        return read_header(key, value, spec, err);
    return err_set(err, ERR_USAGE,
                   "llm: unknown part '%.*s'; there are model, api, json, persona, key-env, "
                   "key-file, header, header-env, header-file, max-tokens, think, temperature, "
                   "top-p, seed, stop, context, num-ctx, parallel, rpm, tpm, timeout, connect, ca, "
                   "proxy, budget, prices, filters, ask, opinions",
                   STR_ARG(str_part(key, 0, 40)));
}

/* "user:password@host" */
static bool has_user(Str url)
{
    size_t scheme = 0, path = 0;

    if (!str_find(url, STR("://"), &scheme))
        return false;
    Str rest = str_part(url, scheme + 3, url.len);
    if (str_find(rest, STR("/"), &path))
        rest = str_part(rest, 0, path);
    return memchr(rest.bytes, '@', rest.len) != NULL;
}

/* "?key=..."; "?api-version=..." is none. */
static bool has_secret_query(Str url)
{
    static const char *const secret[] = {"auth", "key", "token", "secret", "sig", "password", NULL};
    size_t at = 0;

    if (!str_find(url, STR("?"), &at))
        return false;
    for (Str rest = str_part(url, at + 1, url.len); rest.len;) {
        Str part = str_cut(&rest, '&'), name = str_cut(&part, '=');
        if (has_low(name, secret))
            return true;
    }
    return false;
}

/* A spec stands in arguments and records; nothing of a secret is repeated. */
static int check_url(Str url, Err *err)
{
    if (!has_user(url) && !has_secret_query(url))
        return 0;
    return err_set(err, ERR_USAGE,
                   "llm: there is a secret in the URL, which records and lists of processes show: "
                   "name a variable or a file that has it, as key-env=VARIABLE or "
                   "header-env=NAME:VARIABLE");
}

int llm_spec_read(Str text, LlmSpec *ret_spec, Err *err)
{
    LlmSpec spec = {.parallel = 2, .temperature = -1};
    int rc = 0;

    if (str_starts(text, STR("llm:")))
        text = str_part(text, 4, text.len);
    Str url = str_cut(&text, ',');
    spec.demo = str_eq(url, STR("demo"));
    if (!spec.demo && !str_starts(url, STR("http://")) && !str_starts(url, STR("https://")))
        return err_set(err, ERR_USAGE,
                       "llm: expected demo or a URL such as http://localhost:11434/v1, but got "
                       "'%.*s'",
                       STR_ARG(str_part(url, 0, 60)));
    rc = check_url(url, err);
    if (rc == 0)
        rc = copy_value(STR("URL"), url, spec.url, sizeof(spec.url), err);
    while (rc == 0 && text.len) {
        Str whole = text, part = str_cut(&text, ','), key = str_cut(&part, '=');
        if (str_eq(key, STR("persona"))) {
            Str rest = str_part(whole, strlen("persona="), whole.len);
            rc = copy_value(key, rest, spec.persona, sizeof(spec.persona), err);
            break;
        }
        rc = read_part(key, part, &spec, err);
    }
    if (rc == 0 && !spec.demo && !spec.model[0])
        rc = err_set(err, ERR_USAGE, "llm: say which model: %s,model=NAME", spec.url);
    if (rc == 0)
        *ret_spec = spec;
    return rc;
}

/* ---- endpoints ---- */

typedef struct Shared {
    LlmSpec spec;
    LlmEndpoint *endpoint;
    LlmPace *pace; /* own, or an earlier one's of the same server */
    bool paces;    /* it is own */
    Buf key;       /* never told, nor are these */
    Buf values[LLM_SPEC_HEADERS];
    Buf lines[LLM_SPEC_HEADERS];
    const char *headers[LLM_SPEC_HEADERS + 1];
    const char *secrets[LLM_SPEC_HEADERS + 1];
    const char *stops[LLM_SPEC_STOPS + 1];
} Shared;

struct LlmModels {
    Loop *loop;
    HttpClient *http;
    LlmSpend spend;
    bool mute;
    Alarms silence; /* of mute endpoints: nobody rings them */
    Shared *shared[ENDPOINTS_MAX];
    size_t count;
};

int llm_models_new(Loop *loop, LlmModels **ret_models, Err *err)
{
    LlmModels *models = mem_new(sizeof(*models));

    if (!models)
        return err_set(err, ERR_MEMORY, "models: out of memory");
    models->loop = loop;
    *ret_models = models;
    return 0;
}

static void wipe_text(Buf *text)
{
    if (text->bytes)
        explicit_bzero(text->bytes, text->len);
    buf_done(text);
}

static void shared_free(Shared *shared)
{
    llm_endpoint_free(shared->endpoint);
    if (shared->paces)
        llm_pace_free(shared->pace);
    wipe_text(&shared->key);
    for (size_t i = 0; i < LLM_SPEC_HEADERS; i++) {
        wipe_text(&shared->values[i]);
        wipe_text(&shared->lines[i]);
    }
    mem_free(shared);
}

LlmModels *llm_models_free(LlmModels *models)
{
    if (!models)
        return NULL;
    /* the first one's pace is used by those behind it */
    for (size_t i = models->count; i > 0; i--)
        shared_free(models->shared[i - 1]);
    http_client_free(models->http);
    llm_spend_done(&models->spend);
    return mem_free(models);
}

void llm_models_mute(LlmModels *models)
{
    models->mute = true;
}

int llm_models_budget(LlmModels *models, const char *budget, const char *prices,
                      void (*tell)(void *user, Str line), void *user, Err *err)
{
    models->spend.tell = tell;
    models->spend.user = user;
    return llm_spend_open(&models->spend, budget, prices, err);
}

static bool same_texts(const LlmSpec *a, const LlmSpec *b)
{
    bool same = strcmp(a->url, b->url) == 0 && strcmp(a->model, b->model) == 0 &&
                strcmp(a->key_env, b->key_env) == 0 && strcmp(a->key_file, b->key_file) == 0 &&
                strcmp(a->ca_file, b->ca_file) == 0 && strcmp(a->proxy, b->proxy) == 0;

    for (size_t i = 0; i < LLM_SPEC_STOPS; i++)
        same = same && strcmp(a->stops[i], b->stops[i]) == 0;
    for (size_t i = 0; i < LLM_SPEC_HEADERS; i++)
        same = same && strcmp(a->headers[i].name, b->headers[i].name) == 0 &&
               strcmp(a->headers[i].value, b->headers[i].value) == 0 &&
               a->headers[i].from == b->headers[i].from;
    return same;
}

static bool same_numbers(const LlmSpec *a, const LlmSpec *b)
{
    return a->api == b->api && a->json == b->json && a->max_tokens == b->max_tokens &&
           a->num_ctx == b->num_ctx && a->context == b->context && a->timeout_ms == b->timeout_ms &&
           a->connect_ms == b->connect_ms && a->seeded == b->seeded &&
           a->sampling_seed == b->sampling_seed && a->think.level == b->think.level &&
           a->think.tokens == b->think.tokens && !(a->temperature < b->temperature) &&
           !(a->temperature > b->temperature) && !(a->top_p < b->top_p) && !(a->top_p > b->top_p);
}

/* The same server, model, key and way of being asked: everything but the character, and limits. */
static bool is_same(const LlmSpec *a, const LlmSpec *b)
{
    return same_texts(a, b) && same_numbers(a, b);
}

/* "http://localhost:11434" */
static Str origin_of(const char *url)
{
    Str all = str_of(url);
    size_t scheme = 0, path = 0;

    if (!str_find(all, STR("://"), &scheme))
        return all;
    Str rest = str_part(all, scheme + 3, SIZE_MAX);
    return str_find(rest, STR("/"), &path) ? str_part(all, 0, scheme + 3 + path) : all;
}

static LlmPace *pace_of_server(const LlmModels *models, const LlmSpec *spec)
{
    for (size_t i = 0; i < models->count; i++) {
        const LlmSpec *other = &models->shared[i]->spec;
        if (str_eq(origin_of(other->url), origin_of(spec->url)) &&
            strcmp(other->key_env, spec->key_env) == 0 &&
            strcmp(other->key_file, spec->key_file) == 0)
            return models->shared[i]->pace;
    }
    return NULL;
}

static int share_pace(const LlmModels *models, Shared *shared, Err *err)
{
    const LlmPaceSetup setup = {
        .parallel = shared->spec.parallel, .rpm = shared->spec.rpm, .tpm = shared->spec.tpm};

    shared->pace = pace_of_server(models, &shared->spec);
    shared->paces = !shared->pace;
    return shared->pace ? 0 : llm_pace_new(&setup, &shared->pace, err);
}

static int read_headers(Shared *shared, Err *err)
{
    const LlmSpec *spec = &shared->spec;
    size_t secrets = 0;
    int rc = 0;

    for (uint32_t i = 0; i < spec->header_count && rc == 0; i++) {
        const LlmSpecHeader *header = &spec->headers[i];
        Buf *value = &shared->values[i];
        if (header->from == HEADER_PLAIN)
            buf_add(value, str_of(header->value));
        else
            rc = secret_find(header->from == HEADER_FILE ? header->value : NULL,
                             header->from == HEADER_ENV ? header->value : NULL, "a header's value",
                             "a value in a file", value, err);
        if (rc == 0)
            rc = check_header(str_of(header->name), buf_str(value), false, err);
        buf_printf(&shared->lines[i], "%s: %s", header->name, buf_cstr(value));
        shared->headers[i] = buf_cstr(&shared->lines[i]);
        if (header->from != HEADER_PLAIN)
            shared->secrets[secrets++] = buf_cstr(value);
    }
    return rc;
}

/* Who sends a secret header needs no key that nobody spoke of. */
static int find_key(Shared *shared, Err *err)
{
    const LlmSpec *spec = &shared->spec;

    if (shared->secrets[0] && !spec->key_env[0] && !spec->key_file[0])
        return 0;
    return llm_key_find(spec->api, spec->key_env[0] ? spec->key_env : NULL,
                        spec->key_file[0] ? spec->key_file : NULL, spec->url, &shared->key, err);
}

static LlmEndpointSetup setup_of(const LlmModels *models, Shared *shared)
{
    const LlmSpec *spec = &shared->spec;

    for (uint32_t i = 0; i < spec->stop_count; i++)
        shared->stops[i] = spec->stops[i];
    return (LlmEndpointSetup){.url = spec->url,
                              .model = spec->model,
                              .key = shared->key.len ? buf_cstr(&shared->key) : NULL,
                              .api = spec->api,
                              .json = spec->json,
                              .pace = shared->pace,
                              .budget = models->spend.budget,
                              .num_ctx = spec->num_ctx,
                              .context = spec->context,
                              .ask_about = !models->mute,
                              .max_answer_tokens = spec->max_tokens,
                              .temperature = spec->temperature,
                              .top_p = spec->top_p,
                              .seeded = spec->seeded,
                              .sampling_seed = spec->sampling_seed,
                              .stops = shared->stops,
                              .headers = shared->headers,
                              .secrets = shared->secrets,
                              .ca_file = spec->ca_file[0] ? spec->ca_file : NULL,
                              .proxy = spec->proxy[0] ? spec->proxy : NULL,
                              .timeout_ms = spec->timeout_ms,
                              .connect_ms = spec->connect_ms,
                              .think = spec->think,
                              .seed = models->count + 1};
}

/* Who never asks has no need of a key, nor of a connection. */
static int open_mute(LlmModels *models, Shared *shared, Err *err)
{
    int rc = share_pace(models, shared, err);
    const LlmEndpointSetup setup = setup_of(models, shared);

    return rc ? rc
              : llm_endpoint_new(&models->silence, (HttpCarrier){0}, &setup, &shared->endpoint,
                                 err);
}

static int open_shared(LlmModels *models, const LlmSpec *spec, Shared *shared, Err *err)
{
    int rc = 0;

    shared->spec = *spec;
    if (models->mute)
        return open_mute(models, shared, err);
    if (!models->http)
        rc = http_client_new(models->loop, &models->http, err);
    if (rc == 0 && spec->budget[0] && !models->spend.budget)
        rc = llm_spend_open(&models->spend, spec->budget, spec->prices[0] ? spec->prices : NULL,
                            err);
    if (rc == 0 && models->spend.budget)
        rc = llm_budget_admits(models->spend.budget, str_of(spec->model), err);
    if (rc == 0)
        rc = read_headers(shared, err);
    if (rc == 0)
        rc = find_key(shared, err);
    if (rc == 0)
        rc = share_pace(models, shared, err);
    if (rc)
        return rc;
    LlmEndpointSetup setup = setup_of(models, shared);
    return llm_endpoint_new(loop_alarms(models->loop), http_client_carrier(models->http), &setup,
                            &shared->endpoint, err);
}

int llm_models_endpoint(LlmModels *models, const LlmSpec *spec, LlmEndpoint **ret_endpoint,
                        Err *err)
{
    *ret_endpoint = NULL;
    if (spec->demo)
        return 0;
    for (size_t i = 0; i < models->count; i++)
        if (is_same(&models->shared[i]->spec, spec)) {
            *ret_endpoint = models->shared[i]->endpoint;
            return 0;
        }
    if (models->count == ENDPOINTS_MAX)
        return err_set(err, ERR_LIMIT, "llm: more than %d models at one table", ENDPOINTS_MAX);
    Shared *shared = mem_new(sizeof(*shared));
    if (!shared)
        return err_set(err, ERR_MEMORY, "models: out of memory");
    int rc = open_shared(models, spec, shared, err);
    if (rc) {
        shared_free(shared);
        return rc;
    }
    models->shared[models->count++] = shared;
    *ret_endpoint = shared->endpoint;
    return 0;
}
