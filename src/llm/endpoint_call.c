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
#include "llm/endpoint_call.h"

#include <assert.h>

#define RETRIES_MAX  3
#define FAILURES_MAX 5 /* in a row: the circuit opens */

/* ---- calls ---- */

static void call_stop(LlmCall *call)
{
    if (!call->http)
        return;
    call->endpoint->http.cancel(call->http);
    call->http = NULL;
    llm_pace_end(call->endpoint->pace, call->number, 0);
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

/* With an empty `why` it is the reply's, and so is the trouble. */
static void call_done(LlmCall *call, LlmOutcome outcome, Str why)
{
    call_stop(call);
    call->state = CALL_DONE;
    call->outcome = outcome;
    call->trouble = call->reply.trouble;
    if (why.len) {
        buf_clear(&call->reply.why);
        buf_add(&call->reply.why, why);
    }
}

/* ---- the circuit ---- */

static void close_way(LlmEndpoint *endpoint, LlmOutcome as, LlmTrouble trouble, Str why, TimeUs now)
{
    endpoint->closed_for = trouble;
    endpoint->closed_until = now + (TimeUs)endpoint->setup.circuit_ms * 1000;
    endpoint->closed_as = as;
    buf_clear(&endpoint->closed_why);
    buf_add(&endpoint->closed_why, why);
}

static void count_failure(LlmEndpoint *endpoint, LlmTrouble trouble, Str why, TimeUs now)
{
    if (++endpoint->failures < FAILURES_MAX)
        return;
    endpoint->failures = FAILURES_MAX; /* after the pause one more opens it again */
    CLEANUP(buf_done) Buf text = {0};
    buf_printf(&text, "not asked, for it failed %d times in a row: %.*s", FAILURES_MAX,
               STR_ARG(why));
    close_way(endpoint, LLM_UNREACHABLE, trouble, buf_str(&text), now);
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

    if (call->spare) { /* an opinion more or less closes no way, and is not worth another try */
        call_done(call, otherwise, (Str){0});
        return;
    }
    count_failure(endpoint, call->reply.trouble, buf_str(&call->reply.why), now);
    if (again < llm_pace_held_until(endpoint->pace))
        again = llm_pace_held_until(endpoint->pace);
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
        llm_pace_refused(endpoint->pace, call->number, (TimeUs)answer->retry_after_s * 1000000,
                         answer->at);
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
        close_way(endpoint, LLM_DENIED, call->reply.trouble, why, answer->at);
        call_done(call, LLM_DENIED, (Str){0});
        return;
    case VERDICT_ANSWER:
        call->latency = answer->at - call->asked;
        if (buf_failed(&call->reply.text))
            call_done(call, LLM_BROKEN, STR("out of memory"));
        else
            call_done(call, LLM_ANSWERED, (Str){0});
        llm_pace_good(endpoint->pace);
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

static LlmTrouble trouble_of(HttpFailure failure)
{
    static const LlmTrouble troubles[] = {
        [HTTP_NO_FAILURE] = TROUBLE_NONE,
        [HTTP_NO_NAME] = TROUBLE_NO_NAME,
        [HTTP_NO_CONNECTION] = TROUBLE_NO_CONNECTION,
        [HTTP_NO_TLS] = TROUBLE_NO_TLS,
        [HTTP_SLOW] = TROUBLE_SLOW,
        [HTTP_CUT] = TROUBLE_CUT,
        [HTTP_OTHER] = TROUBLE_NOT_JSON,
    };
    return troubles[failure];
}

/* The reply was of no use, and another one has come. */
static void add_lost(LlmCall *call)
{
    call->lost.prompt += call->reply.prompt_tokens;
    call->lost.cached += call->reply.cached_tokens;
    call->lost.answer += call->reply.answer_tokens;
    call->lost.reasoning += call->reply.reasoning_tokens;
}

#define TOKEN_BYTES 4

/* What limits and budgets count. A server that tells nothing of an answer is taken to have used
 * what texts of this length take: no limit would ever be reached otherwise. */
static LlmTokens used_tokens(const LlmCall *call)
{
    const LlmReply *reply = &call->reply;
    const size_t said = reply->text.len + reply->reasoning.len;
    LlmTokens used = {.prompt = reply->prompt_tokens,
                      .cached = reply->cached_tokens,
                      .answer = reply->answer_tokens};

    if (said && !used.prompt)
        used.prompt = (uint32_t)((call->messages.len + call->schema.len) / TOKEN_BYTES) + 1;
    if (said && !used.answer)
        used.answer = (uint32_t)(said / TOKEN_BYTES) + 1;
    return used;
}

static void count_reply(const LlmCall *call)
{
    LlmEndpoint *endpoint = call->endpoint;
    const LlmReply *reply = &call->reply;
    const LlmTokens used = used_tokens(call);

    llm_pace_end(endpoint->pace, call->number, used.prompt + used.answer);
    if (endpoint->setup.budget)
        llm_budget_add(endpoint->setup.budget, buf_str(&endpoint->model), used.prompt, used.cached,
                       used.answer);
    if (!reply->model.len)
        return;
    buf_clear(&endpoint->served_model);
    buf_add(&endpoint->served_model, buf_str(&reply->model));
}

/* Whether the server has got nothing of the request. */
static bool never_came(HttpFailure failure)
{
    return failure == HTTP_NO_NAME || failure == HTTP_NO_CONNECTION || failure == HTTP_NO_TLS;
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
        llm_reply_read(answer->status, answer->body, &call->sent, endpoint->secrets,
                       &endpoint->dialect, &call->reply);
        count_reply(call);
        take_reply(call, answer);
    } else {
        count_reply(call);
        call->tries -= never_came(answer->failure);
        buf_add(&call->reply.why, answer->why);
        call->reply.trouble = trouble_of(answer->failure);
        try_again(call, LLM_UNREACHABLE, 0, answer->at);
    }
    alarm_soon(&endpoint->alarm);
}

/* ---- asking ---- */

/* As a server counts them that limits the tokens of a minute: with the most of the answer. */
static uint32_t tokens_of(const LlmCall *call)
{
    size_t read = (call->messages.len + call->schema.len) / 4;

    return (uint32_t)(read < 100000000 ? read : 100000000) +
           llm_request_tokens(&call->endpoint->setup, &call->endpoint->dialect);
}

static void call_ask(LlmCall *call, TimeUs now)
{
    LlmEndpoint *endpoint = call->endpoint;
    CLEANUP(buf_done) Buf body = {0};
    const char *headers[LLM_HEADERS_MAX + 4];
    const LlmAsk asked = {.messages = buf_str(&call->messages),
                          .schema = buf_str(&call->schema),
                          .stable = call->stable};
    Err err = {0};

    call->sent = endpoint->dialect;
    llm_request_write(&endpoint->setup, &call->sent, &asked, &body);
    llm_headers_list(endpoint, headers);
    HttpAsk ask = llm_request_of(endpoint, headers, buf_str(&body), call->deadline - now);
    call->asked = now;
    if (buf_failed(&body)) {
        call_done(call, LLM_UNREACHABLE, STR("out of memory"));
    } else if (endpoint->http.call(endpoint->http.user, &ask, on_http, call, &call->http, &err)) {
        call_done(call, LLM_UNREACHABLE, str_of(err.msg));
    } else {
        call->state = CALL_ASKING;
        call->tries++;
        call->number = llm_pace_begin(endpoint->pace, tokens_of(call), now);
    }
}

/* ---- turns ---- */

static int rank_of(const LlmCall *call)
{
    return call->urgent ? 2 : call->spare ? 0 : 1;
}

/* Whose turn it is: a vote before talk, that before an opinion, then the oldest. */
static LlmCall *next_waiting(const LlmEndpoint *endpoint)
{
    LlmCall *best = NULL;

    for (LlmCall *call = endpoint->calls; call; call = call->next)
        if (call->state == CALL_WAITING && (!best || rank_of(call) > rank_of(best)))
            best = call;
    return best;
}

/* Gives up one that is not needed, so that another one has its place; false: there is none. */
static bool give_up_spare(LlmEndpoint *endpoint)
{
    for (LlmCall *call = endpoint->calls; call; call = call->next)
        if (call->spare && call->state == CALL_ASKING) {
            call_done(call, LLM_BUSY, STR("given up: its place was needed"));
            return true;
        }
    return false;
}

static bool is_asking(const LlmEndpoint *endpoint)
{
    for (const LlmCall *call = endpoint->calls; call; call = call->next)
        if (call->state == CALL_ASKING)
            return true;
    return false;
}

/* Whether what is not needed would keep others waiting, this one counted. */
static bool is_loaded(const LlmEndpoint *endpoint)
{
    uint32_t open = 0;

    for (const LlmCall *call = endpoint->calls; call; call = call->next)
        open += call->state != CALL_DONE;
    return open > llm_pace_parallel(endpoint->pace) || endpoint->failures >= FAILURES_MAX ||
           (endpoint->setup.budget && llm_budget_state(endpoint->setup.budget) != BUDGET_FREE);
}

static void start_waiting(LlmEndpoint *endpoint, TimeUs now)
{
    LlmCall *call;

    endpoint->paced_until = TIME_US_NEVER;
    if (endpoint->about_due)
        llm_about_ask(endpoint);
    if (endpoint->about && endpoint->setup.api == LLM_OLLAMA)
        return; /* a model is not to be loaded twice, for another context */
    while ((call = next_waiting(endpoint))) {
        /* After the circuit was open one request alone shows whether the server is back. */
        if (endpoint->failures >= FAILURES_MAX && is_asking(endpoint))
            return;
        TimeUs when = llm_pace_when(endpoint->pace, tokens_of(call), now);
        if (call->spare && (when > now || llm_pace_is_scarce(endpoint->pace, now))) {
            call_done(call, LLM_BUSY, STR("not asked: the server is busy"));
            continue;
        }
        if (when > now && !call->spare && give_up_spare(endpoint))
            continue;
        if (when > now) {
            endpoint->paced_until = when;
            return;
        }
        call_ask(call, now);
    }
}

/* ---- the budget ---- */

static void spare_call(LlmCall *call)
{
    const LlmBudget *budget = call->endpoint->setup.budget;
    CLEANUP(buf_done) Buf why = {0};
    bool spent = llm_budget_state(budget) == BUDGET_SPENT;

    buf_add(&why, spent ? STR("the budget is spent: ") : STR("not asked, near the budget's end: "));
    llm_budget_write(budget, &why);
    call_done(call, LLM_SPENT, buf_str(&why));
    call->trouble = TROUBLE_SPENT;
}

/* Near its end every second question about what to say is asked, and all about votes. */
static void keep_budget(LlmEndpoint *endpoint)
{
    LlmBudgetState state = llm_budget_state(endpoint->setup.budget);

    for (LlmCall *call = endpoint->calls; call; call = call->next) {
        bool waits = call->state == CALL_WAITING || call->state == CALL_PAUSED;
        bool fresh = waits && !call->weighed;
        call->weighed = true;
        if ((waits && state == BUDGET_SPENT) ||
            (fresh && state == BUDGET_NEAR && !call->urgent && endpoint->spared++ % 2 == 0))
            spare_call(call);
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
    bool was_asking = call->state == CALL_ASKING || endpoint->about;
    Str why = str_of(whys[was_asking ? CALL_ASKING : call->state]);

    call_done(call, LLM_UNREACHABLE, why);
    if (was_asking) {
        call->trouble = TROUBLE_SLOW;
        if (!call->spare)
            count_failure(endpoint, TROUBLE_SLOW, why, now);
    }
}

/* The server wants to be left alone for longer than they can wait. */
static void hold_calls(LlmEndpoint *endpoint, TimeUs now)
{
    TimeUs held = llm_pace_held_until(endpoint->pace);

    for (LlmCall *call = endpoint->calls; held > now && call; call = call->next) {
        if (call->state != CALL_WAITING || call->deadline > held)
            continue;
        CLEANUP(buf_done) Buf why = {0};
        buf_printf(&why, "the server has asked for a pause, %lld s more of it",
                   (long long)((held - now + 999999) / 1000000));
        call_done(call, LLM_BUSY, buf_str(&why));
        call->trouble = TROUBLE_BUSY;
    }
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
    if (endpoint->setup.budget)
        keep_budget(endpoint);
    hold_calls(endpoint, now);
    if (endpoint->closed_until <= now)
        return;
    for (LlmCall *call = endpoint->calls; call; call = call->next)
        if (call->state == CALL_WAITING || call->state == CALL_PAUSED) {
            call_done(call, endpoint->closed_as, buf_str(&endpoint->closed_why));
            call->trouble = endpoint->closed_for;
        }
}

static TimeUs next_time(const LlmEndpoint *endpoint)
{
    TimeUs next = TIME_US_NEVER;

    if (next_waiting(endpoint))
        next = endpoint->paced_until;
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
                        .trouble = call->trouble,
                        .model = buf_str(&call->reply.model),
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
                        .sent = call->tries,
                        .latency = call->latency};

    if (call->outcome != LLM_ANSWERED)
        answer.text = (Str){"", 0};
    call->telling = true;
    call->answered(call->user, &answer, now); /* the endpoint may be gone now */
    call_free(call);
}

void llm_calls_serve(void *user, TimeUs now)
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

void llm_calls_free(LlmEndpoint *endpoint)
{
    while (endpoint->calls) {
        LlmCall *call = endpoint->calls;
        endpoint->calls = call->next;
        call_free(call);
    }
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
    call->spare = ask->spare;
    call->stable = ask->stable;
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
    if (ask->spare && is_loaded(endpoint))
        call_done(call, LLM_BUSY, STR("not asked: the server is busy"));
    alarm_soon(&endpoint->alarm);
    *ret_call = call;
    return 0;
}

uint32_t llm_call_sent(const LlmCall *call)
{
    return call ? call->tries : 0;
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
