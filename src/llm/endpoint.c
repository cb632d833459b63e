/* A call goes through these states; the endpoint's one alarm looks after all of them (`serve`):
 *
 *   WAITING --a slot is free--> ASKING --answer--> DONE --told--> freed
 *      ^                          |
 *      |                          +-- worth another try --> PAUSED --+
 *      +------------------------------- the wait is over ------------+
 *   any --deadline, open circuit--> DONE
 *
 * In ASKING: `http` is set. `answered` is called by `serve` only, for one call at a time and last
 * of all, so that it may begin and cancel calls and free the endpoint.
 */
#include "llm/endpoint.h"

#include "base/rng.h"
#include "llm/endpoint_text.h"

#include <assert.h>

#define REQUEST_US   60000000 /* the longest that one request may take */
#define CONNECT_MS   2000
#define ANSWER_BYTES ((size_t)1 << 20)
#define RETRIES_MAX  3
#define FAILURES_MAX 5 /* in a row: the circuit opens */
#define KEY_BYTES    4096

typedef enum CallState {
    CALL_WAITING,
    CALL_ASKING,
    CALL_PAUSED,
    CALL_DONE,
} CallState;

struct LlmCall {
    LlmEndpoint *endpoint;
    LlmCall *next; /* by age */
    CallState state;
    bool urgent;
    bool telling; /* `answered` runs */
    TimeUs deadline;
    TimeUs again; /* PAUSED: until then */
    TimeUs asked; /* ASKING: since then */
    HttpCall *http;
    LlmDialect sent; /* of the request under way */
    Buf messages;
    Buf schema;
    LlmOutcome outcome;
    LlmReply reply;
    LlmTokens lost; /* by replies before this one */
    uint32_t retries;
    TimeUs latency;
    void (*answered)(void *user, const LlmAnswer *answer, TimeUs now);
    void *user;
};

struct LlmEndpoint {
    LlmEndpointSetup setup; /* its texts are those below */
    Buf url;
    Buf model;
    Buf key;
    Buf authorization; /* "Authorization: Bearer KEY"; empty without a key */
    bool direct;
    LlmDialect dialect;
    HttpCarrier http;
    Alarm alarm;
    LlmCall *calls; /* all that were not told, by age */
    Rng rng;
    uint32_t failures;    /* in a row */
    TimeUs closed_until;  /* no request before */
    LlmOutcome closed_as; /* and that is what is told: LLM_UNREACHABLE, LLM_DENIED */
    Buf closed_why;
};

/* ---- calls ---- */

static void call_stop(LlmCall *call)
{
    if (call->http)
        call->endpoint->http.cancel(call->http);
    call->http = NULL;
}

static void call_unlink(LlmCall *call)
{
    LlmCall **place = &call->endpoint->calls;

    while (*place && *place != call)
        place = &(*place)->next;
    if (*place)
        *place = call->next;
}

static void call_free(LlmCall *call)
{
    call_stop(call);
    llm_reply_done(&call->reply);
    buf_done(&call->messages);
    buf_done(&call->schema);
    mem_free(call);
}

static void call_done(LlmCall *call, LlmOutcome outcome, Str why)
{
    call_stop(call);
    call->state = CALL_DONE;
    call->outcome = outcome;
    if (why.len) {
        buf_clear(&call->reply.why);
        buf_add(&call->reply.why, why);
    }
}

/* ---- the circuit ---- */

static void close_way(LlmEndpoint *endpoint, LlmOutcome as, Str why, TimeUs now)
{
    endpoint->closed_until = now + (TimeUs)endpoint->setup.circuit_ms * 1000;
    endpoint->closed_as = as;
    buf_clear(&endpoint->closed_why);
    buf_add(&endpoint->closed_why, why);
}

static void count_failure(LlmEndpoint *endpoint, Str why, TimeUs now)
{
    if (++endpoint->failures < FAILURES_MAX)
        return;
    endpoint->failures = FAILURES_MAX; /* after the pause one more opens it again */
    CLEANUP(buf_done) Buf text = {0};
    buf_printf(&text, "not asked, for it failed %d times in a row: %.*s", FAILURES_MAX,
               STR_ARG(why));
    close_way(endpoint, LLM_UNREACHABLE, buf_str(&text), now);
}

/* ---- answers ---- */

/* 1, 2, 4 s +- 25 %, unless the server said when. */
static TimeUs wait_of(LlmEndpoint *endpoint, const LlmCall *call, uint32_t retry_after_s)
{
    uint32_t wait_ms = endpoint->setup.retry_ms << call->retries;

    if (retry_after_s)
        return (TimeUs)retry_after_s * 1000000;
    return (TimeUs)(wait_ms - wait_ms / 4 + rng_below(&endpoint->rng, wait_ms / 2 + 1)) * 1000;
}

/* It failed in a way that may pass: another try, if there is time for one. */
static void try_again(LlmCall *call, LlmOutcome otherwise, uint32_t retry_after_s, TimeUs now)
{
    LlmEndpoint *endpoint = call->endpoint;
    TimeUs again = now + wait_of(endpoint, call, retry_after_s);

    count_failure(endpoint, buf_str(&call->reply.why), now);
    if (call->retries >= RETRIES_MAX || again >= call->deadline) {
        call_done(call, otherwise, (Str){0});
        return;
    }
    call->retries++;
    call->again = again;
    call->state = CALL_PAUSED;
}

static void take_reply(LlmCall *call, const HttpAnswer *answer)
{
    LlmEndpoint *endpoint = call->endpoint;
    Str why = buf_str(&call->reply.why);

    switch (call->reply.verdict) {
    case VERDICT_BUSY:
        try_again(call, LLM_BUSY, answer->retry_after_s, answer->at);
        return;
    case VERDICT_AGAIN:
        try_again(call, answer->status / 100 == 2 ? LLM_BROKEN : LLM_UNREACHABLE,
                  answer->retry_after_s, answer->at);
        return;
    case VERDICT_DIALECT:
        call->state = CALL_WAITING;
        return;
    case VERDICT_DENIED:
        close_way(endpoint, LLM_DENIED, why, answer->at);
        call_done(call, LLM_DENIED, (Str){0});
        return;
    case VERDICT_ANSWER:
        call->latency = answer->at - call->asked;
        if (buf_failed(&call->reply.text))
            call_done(call, LLM_BROKEN, STR("out of memory"));
        else
            call_done(call, LLM_ANSWERED, (Str){0});
        break;
    case VERDICT_TOO_LONG:
        call_done(call, LLM_TOO_LONG, (Str){0});
        break;
    case VERDICT_REFUSED:
        call_done(call, LLM_BROKEN, (Str){0});
        break;
    }
    endpoint->failures = 0; /* it is there, and works */
}

/* The reply was of no use, and another one has come. */
static void add_lost(LlmCall *call)
{
    call->lost.prompt += call->reply.prompt_tokens;
    call->lost.cached += call->reply.cached_tokens;
    call->lost.answer += call->reply.answer_tokens;
    call->lost.reasoning += call->reply.reasoning_tokens;
}

static void on_http(void *user, const HttpAnswer *answer)
{
    LlmCall *call = user;
    LlmEndpoint *endpoint = call->endpoint;

    call->http = NULL;
    add_lost(call);
    llm_reply_done(&call->reply);
    call->reply = (LlmReply){0};
    if (answer->status) {
        llm_reply_read(answer->status, answer->body, &call->sent, buf_str(&endpoint->key),
                       &endpoint->dialect, &call->reply);
        take_reply(call, answer);
    } else {
        buf_add(&call->reply.why, answer->why);
        try_again(call, LLM_UNREACHABLE, 0, answer->at);
    }
    alarm_soon(&endpoint->alarm);
}

/* ---- requests ---- */

static void call_ask(LlmCall *call, TimeUs now)
{
    LlmEndpoint *endpoint = call->endpoint;
    CLEANUP(buf_done) Buf body = {0};
    const char *const headers[] = {
        "Content-Type: application/json",
        endpoint->authorization.len ? buf_cstr(&endpoint->authorization) : NULL, NULL};
    TimeUs left = call->deadline - now < REQUEST_US ? call->deadline - now : REQUEST_US;
    HttpAsk ask = {.method = "POST",
                   .url = buf_cstr(&endpoint->url),
                   .headers = headers,
                   .timeout_ms = (uint32_t)(left / 1000 + 1),
                   .connect_ms = CONNECT_MS,
                   .direct = endpoint->direct,
                   .answer_bytes = ANSWER_BYTES};
    Err err = {0};

    call->sent = endpoint->dialect;
    llm_request_write(&endpoint->setup, &call->sent, buf_str(&call->messages),
                      buf_str(&call->schema), &body);
    ask.body = buf_str(&body);
    call->asked = now;
    if (buf_failed(&body))
        call_done(call, LLM_UNREACHABLE, STR("out of memory"));
    else if (endpoint->http.call(endpoint->http.user, &ask, on_http, call, &call->http, &err))
        call_done(call, LLM_UNREACHABLE, str_of(err.msg));
    else
        call->state = CALL_ASKING;
}

/* Whose turn it is: a vote before talk, then the oldest. */
static LlmCall *next_waiting(const LlmEndpoint *endpoint)
{
    LlmCall *best = NULL;

    for (LlmCall *call = endpoint->calls; call; call = call->next)
        if (call->state == CALL_WAITING && (!best || (call->urgent && !best->urgent)))
            best = call;
    return best;
}

static uint32_t calls_asking(const LlmEndpoint *endpoint)
{
    uint32_t count = 0;

    for (const LlmCall *call = endpoint->calls; call; call = call->next)
        count += call->state == CALL_ASKING;
    return count;
}

static void start_waiting(LlmEndpoint *endpoint, TimeUs now)
{
    /* After the circuit was open one request alone shows whether the server is back. */
    uint32_t most = endpoint->failures >= FAILURES_MAX ? 1 : endpoint->setup.parallel;
    uint32_t running = calls_asking(endpoint);
    LlmCall *call;

    while (running < most && (call = next_waiting(endpoint))) {
        call_ask(call, now);
        running += call->state == CALL_ASKING;
    }
}

/* ---- time ---- */

static void expire_call(LlmEndpoint *endpoint, LlmCall *call, TimeUs now)
{
    static const char *const whys[] = {
        [CALL_WAITING] = "no time left: other requests wait for this server",
        [CALL_ASKING] = "no answer in time",
        [CALL_PAUSED] = "no time left to try again",
        [CALL_DONE] = "",
    };
    bool was_asking = call->state == CALL_ASKING;
    Str why = str_of(whys[call->state]);

    call_done(call, LLM_UNREACHABLE, why);
    if (was_asking)
        count_failure(endpoint, why, now);
}

/* What the clock does to the calls. */
static void look_after(LlmEndpoint *endpoint, TimeUs now)
{
    for (LlmCall *call = endpoint->calls; call; call = call->next) {
        if (call->state == CALL_PAUSED && call->again <= now)
            call->state = CALL_WAITING;
        if (call->state != CALL_DONE && call->deadline <= now)
            expire_call(endpoint, call, now);
    }
    if (endpoint->closed_until <= now)
        return;
    for (LlmCall *call = endpoint->calls; call; call = call->next)
        if (call->state == CALL_WAITING || call->state == CALL_PAUSED)
            call_done(call, endpoint->closed_as, buf_str(&endpoint->closed_why));
}

static TimeUs next_time(const LlmEndpoint *endpoint)
{
    TimeUs next = TIME_US_NEVER;

    for (const LlmCall *call = endpoint->calls; call; call = call->next) {
        TimeUs due = call->state == CALL_DONE     ? 0
                     : call->state == CALL_PAUSED ? call->again
                                                  : call->deadline;
        next = due < next ? due : next;
    }
    return next;
}

static LlmCall *take_done(LlmEndpoint *endpoint)
{
    for (LlmCall *call = endpoint->calls; call; call = call->next) {
        if (call->state == CALL_DONE) {
            call_unlink(call);
            return call;
        }
    }
    return NULL;
}

static void tell_call(LlmCall *call, TimeUs now)
{
    LlmAnswer answer = {.outcome = call->outcome,
                        .text = buf_str(&call->reply.text),
                        .why = buf_str(&call->reply.why),
                        .reasoning = buf_str(&call->reply.reasoning),
                        .finish = buf_str(&call->reply.finish),
                        .prompt_tokens = call->reply.prompt_tokens,
                        .cached_tokens = call->reply.cached_tokens,
                        .answer_tokens = call->reply.answer_tokens,
                        .reasoning_tokens = call->reply.reasoning_tokens,
                        .lost = call->lost,
                        .retries = call->retries,
                        .latency = call->latency};

    if (call->outcome != LLM_ANSWERED)
        answer.text = (Str){"", 0};
    call->telling = true;
    call->answered(call->user, &answer, now); /* the endpoint may be gone now */
    call_free(call);
}

/* The alarm's: everything that is due, then one answer. */
static void serve_calls(void *user, TimeUs now)
{
    LlmEndpoint *endpoint = user;

    look_after(endpoint, now);
    if (endpoint->closed_until <= now)
        start_waiting(endpoint, now);
    LlmCall *done = take_done(endpoint);
    alarm_at(&endpoint->alarm, next_time(endpoint), false);
    if (done)
        tell_call(done, now);
}

/* ---- what others call ---- */

static int copy_setup(LlmEndpoint *endpoint, const LlmEndpointSetup *setup, Err *err)
{
    Str key = str_of(setup->key);

    endpoint->setup = *setup;
    if (!setup->model || !setup->model[0])
        return err_set(err, ERR_USAGE, "a model's server was named without the model");
    for (size_t i = 0; i < key.len; i++)
        if ((unsigned char)key.bytes[i] <= ' ' || key.len > KEY_BYTES)
            return err_set(err, ERR_USAGE,
                           "the key of the model's server is none: it has blanks "
                           "or line ends, or is too long");
    int rc = llm_url_write(setup->api, str_of(setup->url), LLM_PATH_CHAT, &endpoint->url, err);
    if (rc)
        return rc;
    endpoint->direct = llm_url_is_local(buf_str(&endpoint->url));
    buf_add(&endpoint->model, str_of(setup->model));
    buf_add(&endpoint->key, key);
    if (key.len)
        buf_printf(&endpoint->authorization, "Authorization: Bearer %s", setup->key);
    if (buf_failed(&endpoint->url) || buf_failed(&endpoint->model) || buf_failed(&endpoint->key) ||
        buf_failed(&endpoint->authorization))
        return err_set(err, ERR_MEMORY, "a model's server: out of memory");
    endpoint->setup.url = NULL;
    endpoint->setup.key = NULL;
    endpoint->setup.model = buf_cstr(&endpoint->model);
    endpoint->setup.parallel = setup->parallel ? setup->parallel : 2;
    endpoint->setup.retry_ms = setup->retry_ms ? setup->retry_ms : 1000;
    endpoint->setup.circuit_ms = setup->circuit_ms ? setup->circuit_ms : 30000;
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
    alarm_init(&endpoint->alarm, alarms, serve_calls, endpoint);
    endpoint->rng = rng_new(setup->seed);
    endpoint->closed_until = INT64_MIN;
    endpoint->dialect =
        (LlmDialect){.api = setup->api, .form = forms[setup->json], .strict = setup->strict_schema};
    int rc = copy_setup(endpoint, setup, err);
    if (rc) {
        llm_endpoint_free(endpoint);
        return rc;
    }
    *ret_endpoint = endpoint;
    return 0;
}

LlmEndpoint *llm_endpoint_free(LlmEndpoint *endpoint)
{
    if (!endpoint)
        return NULL;
    while (endpoint->calls) {
        LlmCall *call = endpoint->calls;
        endpoint->calls = call->next;
        call_free(call);
    }
    alarm_stop(&endpoint->alarm);
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

int llm_ask(LlmEndpoint *endpoint, const LlmAsk *ask,
            void (*answered)(void *user, const LlmAnswer *answer, TimeUs now), void *user,
            LlmCall **ret_call, Err *err)
{
    LlmCall *call = mem_new(sizeof(*call));
    LlmCall **last = &endpoint->calls;

    if (!call)
        return err_set(err, ERR_MEMORY, "a question to a model: out of memory");
    call->endpoint = endpoint;
    call->urgent = ask->urgent;
    call->deadline = ask->deadline;
    call->answered = answered;
    call->user = user;
    buf_add(&call->messages, ask->messages);
    buf_add(&call->schema, ask->schema);
    if (buf_failed(&call->messages) || buf_failed(&call->schema)) {
        call_free(call);
        return err_set(err, ERR_MEMORY, "a question to a model: out of memory");
    }
    while (*last)
        last = &(*last)->next;
    *last = call;
    alarm_soon(&endpoint->alarm);
    *ret_call = call;
    return 0;
}

void llm_call_cancel(LlmCall *call)
{
    if (!call || call->telling)
        return;
    LlmEndpoint *endpoint = call->endpoint;

    call_unlink(call);
    call_free(call);
    alarm_soon(&endpoint->alarm); /* its slot is free */
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
    return buf_cstr(&endpoint->url);
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
