/* endpoint.h - a model's server: OpenAI-compatible or Ollama's own interface.
 *
 * For:    llm/seat.c, `warg llm check`.
 * Memory: owns its calls; answers are borrowed for the call.
 * Thread: one at a time. Never blocks; time is an argument (base/alarms.h).
 * Source: docs/spec/maw.md 5.4.
 *
 * At most `parallel` requests at a time; others queue by urgency (a vote before talk), then by age.
 * 408, 429, 5xx and broken connections are tried again after Retry-After, else 1, 2, 4 s +- 25 %,
 * as long as the deadline allows, at most 3 times; five failures in a row open the circuit for
 * 30 s, and one request alone closes it. 401, 403 and 404 are told to all for as long. A 400 about
 * response_format takes one level off (schema, json, none) for good; what else a server can't take
 * (a temperature, a system message, how to think) is left out from then on. A model that used its
 * tokens up without an answer gets more, once and from then on.
 */
#ifndef WARG_LLM_ENDPOINT_H
#define WARG_LLM_ENDPOINT_H

#include "base/alarms.h"
#include "llm/thinking.h"
#include "net/http_client.h"

typedef struct LlmEndpoint LlmEndpoint;
typedef struct LlmCall LlmCall;

typedef enum LlmApi {
    LLM_OPENAI,
    LLM_OLLAMA,
} LlmApi;

typedef enum LlmJson {
    LLM_JSON_SCHEMA,
    LLM_JSON_OBJECT,
    LLM_JSON_NONE,
} LlmJson;

typedef struct LlmEndpointSetup {
    const char *url; /* "http://localhost:11434/v1" (openai), "http://localhost:11434" (ollama) */
    const char *model;
    const char *key; /* NULL = none. From the environment or a file, never logged */
    LlmApi api;
    LlmJson json;               /* where to begin */
    uint32_t parallel;          /* 2 */
    uint32_t num_ctx;           /* ollama; 0 = 8192 */
    uint32_t max_answer_tokens; /* 0 = 300 */
    double temperature;         /* < 0: not sent */
    LlmThink think;
    bool strict_schema;  /* schemas are in strict mode: see llm_endpoint_strict */
    uint32_t retry_ms;   /* the first wait; 0 = 1000 */
    uint32_t circuit_ms; /* how long the circuit stays open; 0 = 30000 */
    uint64_t seed;       /* of the waits */
} LlmEndpointSetup;

typedef struct LlmAsk {
    Str messages;    /* JSON array; copied */
    Str schema;      /* JSON; copied; empty: none */
    uint32_t stable; /* so many messages from the first will stand in the next request too; 0 = not
                      * known. For servers that want to be told what to keep */
    bool urgent;     /* a vote */
    TimeUs deadline; /* the answer is of no use later */
} LlmAsk;

typedef enum LlmOutcome {
    LLM_ANSWERED,
    LLM_UNREACHABLE, /* no connection, circuit open, no time left */
    LLM_BUSY,        /* 429, 503 to the end */
    LLM_DENIED,      /* 401, 403, 404: it is not tried again */
    LLM_TOO_LONG,    /* the context does not fit */
    LLM_BROKEN,      /* the answer was none */
} LlmOutcome;

/* What a request cost; each 0 where the server does not tell. */
typedef struct LlmTokens {
    uint32_t prompt;
    uint32_t cached;    /* of the prompt's: those that the server knew already */
    uint32_t answer;    /* all that was written */
    uint32_t reasoning; /* of these: thoughts */
} LlmTokens;

typedef struct LlmAnswer {
    LlmOutcome outcome;
    Str text;                  /* what the model said */
    Str why;                   /* for people; never holds the key */
    Str reasoning;             /* what it thought before, where the server shows it */
    Str finish;                /* why it ended, in the server's word: "stop", "length" */
    uint32_t prompt_tokens;    /* 0 = not told */
    uint32_t cached_tokens;    /* of the prompt's: those that the server knew already */
    uint32_t answer_tokens;    /* all that it wrote */
    uint32_t reasoning_tokens; /* of these: thoughts */
    LlmTokens lost;            /* by tries before it, which were of no use and cost too */
    uint32_t retries;
    TimeUs latency; /* of the request that was answered */
} LlmAnswer;

/* `alarms` is borrowed; what carries the requests is to be there as long as the endpoint. */
int llm_endpoint_new(Alarms *alarms, HttpCarrier http, const LlmEndpointSetup *setup,
                     LlmEndpoint **ret_endpoint, Err *err);
LlmEndpoint *llm_endpoint_free(LlmEndpoint *endpoint); /* calls are given up without a word */

/* `answered` comes once, from an alarm, never from inside, at the deadline at the latest. */
int llm_ask(LlmEndpoint *endpoint, const LlmAsk *ask,
            void (*answered)(void *user, const LlmAnswer *answer, TimeUs now), void *user,
            LlmCall **ret_call, Err *err);
void llm_call_cancel(LlmCall *call); /* `answered` is not called any more; takes NULL */

/* As it was asked for; its key is not to be told. */
const LlmEndpointSetup *llm_endpoint_setup(const LlmEndpoint *endpoint);
const char *llm_endpoint_model(const LlmEndpoint *endpoint);
const char *llm_endpoint_url(const LlmEndpoint *endpoint); /* it holds no key */
bool llm_endpoint_strict(const LlmEndpoint *endpoint);     /* SCHEMA_STRICT is to be asked for */
uint32_t llm_endpoint_answer_tokens(const LlmEndpoint *endpoint); /* the most, with thinking */
LlmJson llm_endpoint_json(const LlmEndpoint *endpoint);           /* the level that works now */

#endif
