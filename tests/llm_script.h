/* llm_script.h - a models' server that isn't there: its answers come by a script, at simulated
 * times.
 *
 * For:    tests of models that play in simulated time. No socket, no process, no clock.
 * Memory: a LlmScript is the test's and outlives the endpoint; llm_script_done at its end.
 * Thread: the test's.
 *
 *     LlmScript script = {.alarms = &alarms, .answer = answer, .seed = 1};
 *     llm_endpoint_new(&alarms, llm_script_carrier(&script), &setup, &endpoint, NULL);
 */
#ifndef WARG_TESTS_LLM_SCRIPT_H
#define WARG_TESTS_LLM_SCRIPT_H

#include "base/alarms.h"
#include "base/json.h"
#include "base/rng.h"
#include "net/http_client.h"

#include <stdio.h>
#include <string.h>

typedef struct LlmScriptAnswer {
    unsigned status; /* 0 = 200 */
    uint32_t retry_after_s;
    TimeUs after; /* so long after the request */
    char say[1000];
} LlmScriptAnswer;

typedef struct LlmScript {
    Alarms *alarms;
    /* The answer to request `number`, counted from 0. */
    void (*answer)(struct LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret);
    Rng rng; /* for `answer` */
    size_t asked;
    size_t open;
    TimeUs last_asked; /* when the last request came */
    TimeUs times[16];  /* when the first ones came */
} LlmScript;

struct HttpCall {
    LlmScript *script;
    Alarm alarm;
    bool arrived;
    Buf body; /* the request's, then the answer's */
    LlmScriptAnswer answer;
    void (*answered)(void *user, const HttpAnswer *answer);
    void *user;
};

static inline void llm_script_cancel(HttpCall *call)
{
    call->script->open--;
    alarm_stop(&call->alarm);
    buf_done(&call->body);
    mem_free(call);
}

/* As an OpenAI-compatible server says it. */
static inline void llm_script_write(const LlmScriptAnswer *answer, Buf *out)
{
    buf_clear(out);
    buf_add(out, STR("{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":"));
    json_quote(out, str_of(answer->say), false);
    buf_add(out, STR("}}],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20}}"));
}

static inline void llm_script_ring(void *user, TimeUs now)
{
    HttpCall *call = user;
    LlmScript *script = call->script;

    if (!call->arrived) { /* it has come to the server: what it says, and when */
        call->arrived = true;
        if (script->asked < sizeof(script->times) / sizeof(script->times[0]))
            script->times[script->asked] = now;
        script->last_asked = now;
        script->answer(script, buf_cstr(&call->body), script->asked++, &call->answer);
        alarm_at(&call->alarm, now + call->answer.after, false);
        return;
    }
    llm_script_write(&call->answer, &call->body);
    const HttpAnswer answer = {.status = call->answer.status ? call->answer.status : 200,
                               .retry_after_s = call->answer.retry_after_s,
                               .body = buf_str(&call->body),
                               .at = now};
    call->answered(call->user, &answer);
    llm_script_cancel(call);
}

static inline int llm_script_call(void *user, const HttpAsk *ask,
                                  void (*answered)(void *user, const HttpAnswer *answer),
                                  void *answered_user, HttpCall **ret_call, Err *err)
{
    LlmScript *script = user;
    HttpCall *call = mem_new(sizeof(*call));

    (void)err;
    call->script = script;
    call->answered = answered;
    call->user = answered_user;
    buf_add(&call->body, ask->body);
    alarm_init(&call->alarm, script->alarms, llm_script_ring, call);
    alarm_soon(&call->alarm);
    script->open++;
    *ret_call = call;
    return 0;
}

static inline HttpCarrier llm_script_carrier(LlmScript *script)
{
    return (HttpCarrier){.call = llm_script_call, .cancel = llm_script_cancel, .user = script};
}

/* One of the names that the request's schema allows as a target; empty: none is. */
static inline Str llm_script_target(LlmScript *script, const char *body)
{
    static const char start[] = "\"target\":{\"type\":\"string\",\"enum\":[\"";
    Str names[32];
    uint32_t count = 0;
    const char *at = strstr(body, start);

    while (at && count < 32) {
        at = at + (count ? 3 : strlen(start)); /* the first, or behind `","` */
        const char *end = strchr(at, '"');
        names[count++] = (Str){at, (size_t)(end - at)};
        at = end[1] == ',' ? end : NULL;
    }
    return count ? names[rng_below(&script->rng, count)] : (Str){0};
}

#endif
