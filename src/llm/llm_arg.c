#include "llm/llm_arg.h"

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
    return err_set(err, ERR_USAGE, "llm: '%.*s' is not a value of '%.*s'; it can be %s or %s",
                   STR_ARG(str_part(value, 0, 40)), STR_ARG(key), words[0], words[1]);
}

/* "0.7": 0 to 2, at most two digits behind the point. */
static int read_temperature(Str value, double *ret, Err *err)
{
    Str rest = value, whole = str_cut(&rest, '.');
    uint64_t ones, parts = 0;
    bool point = whole.len < value.len;
    bool good = str_to_uint(whole, 2, &ones) &&
                (!point || (rest.len >= 1 && rest.len <= 2 && str_to_uint(rest, 99, &parts)));
    double number = good ? (double)ones + (double)parts / (rest.len == 1 ? 10 : 100) : 3;

    if (number > 2)
        return err_set(err, ERR_USAGE,
                       "llm: 'temperature' needs a number from 0 to 2 as 0.7, not '%.*s'",
                       STR_ARG(str_part(value, 0, 40)));
    *ret = number;
    return 0;
}

static int read_think(Str value, LlmThink *ret, Err *err)
{
    if (llm_think_read(value, ret))
        return 0;
    return err_set(err, ERR_USAGE,
                   "llm: 'think' is off, low, medium, high or a number of tokens up to %d, not "
                   "'%.*s'",
                   LLM_THINK_TOKENS_MAX, STR_ARG(str_part(value, 0, 40)));
}

static int read_part(Str key, Str value, LlmSpec *spec, Err *err)
{
    static const char *const apis[] = {"openai", "ollama", NULL};
    static const char *const levels[] = {"schema", "object", "none", NULL};
    unsigned word = 0;
    int rc;

    if (str_eq(key, STR("model")))
        return copy_value(key, value, spec->model, sizeof(spec->model), err);
    if (str_eq(key, STR("key-env")))
        return copy_value(key, value, spec->key_env, sizeof(spec->key_env), err);
    if (str_eq(key, STR("key-file")))
        return copy_value(key, value, spec->key_file, sizeof(spec->key_file), err);
    if (str_eq(key, STR("parallel")))
        return read_number(key, value, 64, &spec->parallel, err);
    if (str_eq(key, STR("num-ctx")))
        return read_number(key, value, 10000000, &spec->num_ctx, err);
    if (str_eq(key, STR("max-tokens")))
        return read_number(key, value, 100000, &spec->max_tokens, err);
    if (str_eq(key, STR("temperature")))
        return read_temperature(value, &spec->temperature, err);
    if (str_eq(key, STR("think")))
        return read_think(value, &spec->think, err);
    if (str_eq(key, STR("api"))) {
        rc = read_word(key, value, apis, &word, err);
        spec->api = (LlmApi)word;
        return rc;
    }
    if (str_eq(key, STR("json"))) {
        rc = read_word(key, value, levels, &word, err);
        spec->json = (LlmJson)word;
        return rc;
    }
    return err_set(err, ERR_USAGE,
                   "llm: unknown part '%.*s'; there are model, api, persona, key-env, key-file, "
                   "parallel, num-ctx, json, max-tokens, temperature, think",
                   STR_ARG(str_part(key, 0, 40)));
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
    Buf key; /* never told */
} Shared;

struct LlmModels {
    Loop *loop;
    HttpClient *http;
    Shared shared[ENDPOINTS_MAX];
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

LlmModels *llm_models_free(LlmModels *models)
{
    if (!models)
        return NULL;
    for (size_t i = 0; i < models->count; i++)
        llm_endpoint_free(models->shared[i].endpoint);
    for (size_t i = 0; i < ENDPOINTS_MAX; i++)
        buf_done(&models->shared[i].key);
    http_client_free(models->http);
    return mem_free(models);
}

/* The same server, model, key and way of being asked: whoever else names them shares its limit of
 * requests. */
static bool is_same(const LlmSpec *a, const LlmSpec *b)
{
    return strcmp(a->url, b->url) == 0 && strcmp(a->model, b->model) == 0 && a->api == b->api &&
           strcmp(a->key_env, b->key_env) == 0 && strcmp(a->key_file, b->key_file) == 0 &&
           a->max_tokens == b->max_tokens && a->think.level == b->think.level &&
           a->think.tokens == b->think.tokens && !(a->temperature < b->temperature) &&
           !(a->temperature > b->temperature);
}

int llm_models_endpoint(LlmModels *models, const LlmSpec *spec, LlmEndpoint **ret_endpoint,
                        Err *err)
{
    int rc = 0;

    *ret_endpoint = NULL;
    if (spec->demo)
        return 0;
    for (size_t i = 0; i < models->count; i++)
        if (is_same(&models->shared[i].spec, spec)) {
            *ret_endpoint = models->shared[i].endpoint;
            return 0;
        }
    if (models->count == ENDPOINTS_MAX)
        return err_set(err, ERR_LIMIT, "llm: more than %d models at one table", ENDPOINTS_MAX);
    if (!models->http)
        rc = http_client_new(models->loop, &models->http, err);
    Shared *shared = &models->shared[models->count];
    buf_clear(&shared->key);
    if (rc == 0)
        rc = llm_key_find(spec->key_env[0] ? spec->key_env : NULL,
                          spec->key_file[0] ? spec->key_file : NULL, spec->url, &shared->key, err);
    if (rc)
        return rc;
    LlmEndpointSetup setup = {.url = spec->url,
                              .model = spec->model,
                              .key = shared->key.len ? buf_cstr(&shared->key) : NULL,
                              .api = spec->api,
                              .json = spec->json,
                              .parallel = spec->parallel,
                              .num_ctx = spec->num_ctx,
                              .max_answer_tokens = spec->max_tokens,
                              .temperature = spec->temperature,
                              .think = spec->think,
                              .seed = models->count + 1};
    rc = llm_endpoint_new(loop_alarms(models->loop), http_client_carrier(models->http), &setup,
                          &shared->endpoint, err);
    if (rc)
        return rc;
    shared->spec = *spec;
    models->count++;
    *ret_endpoint = shared->endpoint;
    return 0;
}
