/* An endpoint: its setup, and what is known of its server. */
#include "llm/endpoint_call.h"

#define ANTHROPIC_WINDOW 200000 /* of all its models, unless it tells another */
#define KEY_BYTES        4096

/* ---- what others call ---- */

static int copy_key(LlmEndpoint *endpoint, Str key, Err *err)
{
    const char *const *more = endpoint->setup.secrets;
    size_t count = 0;

    for (size_t i = 0; i < key.len; i++)
        if ((unsigned char)key.bytes[i] <= ' ' || key.len > KEY_BYTES)
            return err_set(err, ERR_USAGE,
                           "the key of the model's server is none: it has blanks "
                           "or line ends, or is too long");
    buf_add(&endpoint->key, key);
    if (key.len) {
        llm_key_header_write(endpoint->setup.api, key, &endpoint->authorization);
        endpoint->secrets[count++] = buf_cstr(&endpoint->key);
    }
    for (size_t i = 0; more && more[i] && i < LLM_HEADERS_MAX; i++)
        endpoint->secrets[count++] = more[i];
    return 0;
}

static int copy_urls(LlmEndpoint *endpoint, const LlmEndpointSetup *setup, Err *err)
{
    Str url = str_of(setup->url);
    int rc = llm_url_write(setup->api, url, LLM_PATH_CHAT, &endpoint->url, err);

    if (rc == 0)
        rc = llm_url_write(setup->api, url, LLM_PATH_ABOUT, &endpoint->about_url, err);
    endpoint->direct = llm_url_is_local(buf_str(&endpoint->url));
    return rc;
}

static int copy_setup(LlmEndpoint *endpoint, const LlmEndpointSetup *setup, Err *err)
{
    endpoint->setup = *setup;
    if (!setup->model || !setup->model[0])
        return err_set(err, ERR_USAGE, "a model's server was named without the model");
    int rc = copy_key(endpoint, str_of(setup->key), err);
    if (rc == 0)
        rc = copy_urls(endpoint, setup, err);
    if (rc)
        return rc;
    buf_add(&endpoint->model, str_of(setup->model));
    if (buf_failed(&endpoint->url) || buf_failed(&endpoint->about_url) ||
        buf_failed(&endpoint->model) || buf_failed(&endpoint->key) ||
        buf_failed(&endpoint->authorization))
        return err_set(err, ERR_MEMORY, "a model's server: out of memory");
    endpoint->setup.url = NULL;
    endpoint->setup.key = NULL;
    endpoint->setup.model = buf_cstr(&endpoint->model);
    endpoint->setup.retry_ms = setup->retry_ms ? setup->retry_ms : 1000;
    endpoint->setup.circuit_ms = setup->circuit_ms ? setup->circuit_ms : 30000;
    return 0;
}

static void wake_endpoint(void *user)
{
    alarm_soon(&((LlmEndpoint *)user)->alarm);
}

static int open_pace(LlmEndpoint *endpoint, Err *err)
{
    const LlmPaceSetup setup = {.parallel = endpoint->setup.parallel,
                                .rpm = endpoint->setup.rpm,
                                .tpm = endpoint->setup.tpm,
                                .pause_ms = (endpoint->setup.retry_ms + 3) / 4};
    int rc = 0;

    if (!endpoint->setup.pace)
        rc = llm_pace_new(&setup, &endpoint->own_pace, err);
    if (rc)
        return rc;
    endpoint->pace = endpoint->own_pace ? endpoint->own_pace : endpoint->setup.pace;
    endpoint->waker.wake = wake_endpoint;
    endpoint->waker.user = endpoint;
    llm_pace_join(endpoint->pace, &endpoint->waker);
    return 0;
}

int llm_endpoint_new(Alarms *alarms, HttpCarrier http, const LlmEndpointSetup *setup,
                     LlmEndpoint **ret_endpoint, Err *err)
{
    static const LlmForm forms[] = {
        [LLM_JSON_SCHEMA] = FORM_SCHEMA,
        [LLM_JSON_OBJECT] = FORM_OBJECT,
        [LLM_JSON_NONE] = FORM_NONE,
    };
    LlmEndpoint *endpoint = mem_new(sizeof(*endpoint));

    if (!endpoint)
        return err_set(err, ERR_MEMORY, "a model's server: out of memory");
    endpoint->http = http;
    alarm_init(&endpoint->alarm, alarms, llm_calls_serve, endpoint);
    endpoint->rng = rng_new(setup->seed);
    endpoint->closed_until = INT64_MIN;
    endpoint->paced_until = TIME_US_NEVER;
    endpoint->about_due = setup->ask_about;
    endpoint->dialect =
        (LlmDialect){.api = setup->api, .form = forms[setup->json], .strict = setup->strict_schema};
    int rc = copy_setup(endpoint, setup, err);
    if (rc == 0)
        rc = open_pace(endpoint, err);
    if (rc) {
        llm_endpoint_free(endpoint);
        return rc;
    }
    if (endpoint->about_due)
        alarm_soon(&endpoint->alarm);
    *ret_endpoint = endpoint;
    return 0;
}

LlmEndpoint *llm_endpoint_free(LlmEndpoint *endpoint)
{
    if (!endpoint)
        return NULL;
    llm_calls_free(endpoint);
    if (endpoint->about)
        endpoint->http.cancel(endpoint->about);
    if (endpoint->pace)
        llm_pace_leave(endpoint->pace, &endpoint->waker);
    llm_pace_free(endpoint->own_pace);
    alarm_stop(&endpoint->alarm);
    llm_about_done(&endpoint->told);
    buf_done(&endpoint->served_model);
    buf_done(&endpoint->about_url);
    buf_done(&endpoint->url);
    buf_done(&endpoint->model);
    if (endpoint->key.bytes)
        explicit_bzero(endpoint->key.bytes, endpoint->key.len);
    buf_done(&endpoint->key);
    if (endpoint->authorization.bytes)
        explicit_bzero(endpoint->authorization.bytes, endpoint->authorization.len);
    buf_done(&endpoint->authorization);
    buf_done(&endpoint->closed_why);
    return mem_free(endpoint);
}

const LlmEndpointSetup *llm_endpoint_setup(const LlmEndpoint *endpoint)
{
    return &endpoint->setup;
}

const char *llm_endpoint_model(const LlmEndpoint *endpoint)
{
    return endpoint->setup.model;
}

const char *llm_endpoint_url(const LlmEndpoint *endpoint)
{
    return endpoint->setup.called ? endpoint->setup.called : buf_cstr(&endpoint->url);
}

bool llm_endpoint_reads_schema(const LlmEndpoint *endpoint)
{
    return endpoint->dialect.strict || endpoint->setup.api == LLM_ANTHROPIC;
}

bool llm_endpoint_strict(const LlmEndpoint *endpoint)
{
    return endpoint->dialect.strict;
}

uint32_t llm_endpoint_answer_tokens(const LlmEndpoint *endpoint)
{
    return llm_request_tokens(&endpoint->setup, &endpoint->dialect);
}

LlmJson llm_endpoint_json(const LlmEndpoint *endpoint)
{
    static const LlmJson levels[] = {
        [FORM_SCHEMA] = LLM_JSON_SCHEMA,
        [FORM_SCHEMA_BESIDE] = LLM_JSON_SCHEMA,
        [FORM_OBJECT] = LLM_JSON_OBJECT,
        [FORM_NONE] = LLM_JSON_NONE,
    };
    return levels[endpoint->dialect.form];
}

const char *llm_endpoint_served_model(const LlmEndpoint *endpoint)
{
    return buf_cstr(&endpoint->served_model);
}

uint32_t llm_endpoint_window(const LlmEndpoint *endpoint)
{
    const LlmEndpointSetup *setup = &endpoint->setup;
    uint32_t told = setup->context ? setup->context : endpoint->told.context;

    if (setup->api == LLM_OLLAMA) { /* it reads no more than it was asked to */
        uint32_t asked = setup->num_ctx ? setup->num_ctx : LLM_NUM_CTX;
        return told && told < asked ? told : asked;
    }
    return told || setup->api != LLM_ANTHROPIC ? told : ANTHROPIC_WINDOW;
}

const struct LlmAbout *llm_endpoint_about(const LlmEndpoint *endpoint)
{
    return endpoint->about || endpoint->about_due ? NULL : &endpoint->told;
}

size_t llm_endpoint_habits(const LlmEndpoint *endpoint, bool japanese, const char **ret_texts,
                           size_t count)
{
    return llm_dialect_habits(&endpoint->dialect, japanese, ret_texts, count);
}
