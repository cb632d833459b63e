/* endpoint.h - a model's server: OpenAI-compatible, Ollama's own interface, Anthropic's Messages.
 *
 * For:    llm/seat.c, `warg llm check`.
 * Memory: owns its calls; answers are borrowed for the call.
 * Thread: one at a time. Never blocks; time is an argument (base/alarms.h).
 * Source: docs/spec/maw.md 5.4.
 *
 * At most `parallel` requests at a time (see pace.h); others queue by urgency (a vote before talk),
 * then by age.
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
#include "llm/budget.h"
#include "llm/pace.h"
#include "llm/thinking.h"
#include "net/http_client.h"

typedef struct LlmEndpoint LlmEndpoint;
typedef struct LlmCall LlmCall;

typedef enum LlmApi {
    LLM_OPENAI,    /* /chat/completions, as most servers have it */
    LLM_OLLAMA,    /* /api/chat */
    LLM_ANTHROPIC, /* /v1/messages */
} LlmApi;

typedef enum LlmJson {
    LLM_JSON_SCHEMA,
    LLM_JSON_OBJECT,
    LLM_JSON_NONE,
} LlmJson;

typedef struct LlmEndpointSetup {
    const char *url; /* "http://localhost:11434/v1" (openai), "http://localhost:11434" (ollama) */
    const char *called; /* what records and people are told in place of `url`; borrowed; or NULL */
    const char *model;
    const char *key; /* NULL = none. From the environment or a file, never logged */
    LlmApi api;
    LlmJson json;      /* where to begin */
    uint32_t parallel; /* 2; this and the next two unless there is a `pace` */
    uint32_t rpm;      /* requests a minute; 0 = as many as it takes */
    uint32_t tpm;      /* tokens a minute */
    LlmPace *pace;     /* of the server, shared with its other endpoints; borrowed, or NULL */
    LlmBudget *budget; /* of the session; borrowed, or NULL */
    uint32_t num_ctx;  /* ollama; 0 = what the server tells of the model, else 8192 */
    uint32_t context;  /* what the model can read; 0 = what the server tells */
    bool ask_about;    /* the server is asked about the model before anything else */
    uint32_t max_answer_tokens; /* 0 = 300 */
    double temperature;         /* < 0: not sent */
    double top_p;               /* 0: not sent */
    bool seeded;                /* `sampling_seed` is sent */
    uint32_t sampling_seed;
    const char *const *stops;   /* at which a model ends, NULL-terminated, or NULL; borrowed as long
                                 * as the endpoint is there, as are the next four */
    const char *const *headers; /* more of them: "Name: value" */
    const char *const *secrets; /* parts of headers that nobody may be told, beside the key */
    const char *ca_file;        /* or NULL; see HttpAsk */
    const char *proxy;
    uint32_t timeout_ms; /* of one request; 0 = 60000 */
    uint32_t connect_ms; /* of its connection; 0 = 2000 */
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
    bool spare; /* an opinion: LLM_BUSY, and not asked, unless the server has time for it now */
    TimeUs deadline; /* the answer is of no use later */
} LlmAsk;

typedef enum LlmOutcome {
    LLM_ANSWERED,
    LLM_UNREACHABLE, /* no connection, circuit open, no time left */
    LLM_BUSY,        /* 429, 503 to the end */
    LLM_DENIED,      /* 401, 403, 404: it is not tried again */
    LLM_TOO_LONG,    /* the context does not fit */
    LLM_BROKEN,      /* the answer was none */
    LLM_SPENT,       /* the budget is spent, or near its end: it was not asked */
} LlmOutcome;

/* What stood in the way, as far as `warg llm check` can say what to do about it. */
typedef enum LlmTrouble {
    TROUBLE_NONE,
    TROUBLE_NO_NAME,       /* nobody knows the host */
    TROUBLE_NO_CONNECTION, /* nobody listens */
    TROUBLE_NO_TLS,
    TROUBLE_SLOW, /* no answer in time */
    TROUBLE_CUT,  /* the answer ended in the middle, or is shorter than was said */
    TROUBLE_REDIRECT,
    TROUBLE_NO_KEY,     /* 401 */
    TROUBLE_FORBIDDEN,  /* 403 */
    TROUBLE_NO_MODEL,   /* it has no model of this name */
    TROUBLE_NO_PATH,    /* 404, 405 */
    TROUBLE_QUOTA,      /* money or quota is used up */
    TROUBLE_BUSY,       /* 429: too many requests */
    TROUBLE_OVERLOADED, /* 503, 529 */
    TROUBLE_FAILED,     /* any other 5xx */
    TROUBLE_NOT_JSON,
    TROUBLE_NO_ANSWER, /* JSON, but not a model's answer */
    TROUBLE_TOO_LONG,
    TROUBLE_REQUEST,  /* it does not take the request, and not for a reason that can be helped */
    TROUBLE_SILENT,   /* an answer without a word */
    TROUBLE_THOUGHT,  /* its tokens went into thoughts */
    TROUBLE_REFUSAL,  /* the model does not want to */
    TROUBLE_FILTERED, /* a filter of the server's held the answer back */
    TROUBLE_ORDERS,   /* its answers hold orders to other models, or marks of a chat template */
    TROUBLE_NONSENSE, /* answers, but no decisions */
    TROUBLE_LATE,     /* answers that come too late for a table */
    TROUBLE_SPENT,    /* the budget */
    TROUBLE_COUNT
} LlmTrouble;

/* What a request cost; each 0 where the server does not tell. */
typedef struct LlmTokens {
    uint32_t prompt;
    uint32_t cached;    /* of the prompt's: those that the server knew already */
    uint32_t answer;    /* all that was written */
    uint32_t reasoning; /* of these: thoughts */
} LlmTokens;

typedef struct LlmAnswer {
    LlmOutcome outcome;
    LlmTrouble trouble;
    Str text;                  /* what the model said */
    Str model;                 /* as the server calls the one that has answered */
    Str why;                   /* for people; never holds the key */
    Str reasoning;             /* what it thought before, where the server shows it */
    Str finish;                /* why it ended, in the server's word: "stop", "length" */
    uint32_t prompt_tokens;    /* 0 = not told */
    uint32_t cached_tokens;    /* of the prompt's: those that the server knew already */
    uint32_t answer_tokens;    /* all that it wrote */
    uint32_t reasoning_tokens; /* of these: thoughts */
    LlmTokens lost;            /* by tries before it, which were of no use and cost too */
    uint32_t retries;
    uint32_t sent;  /* requests that reached the server, as far as one can know */
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
/* Its requests that have reached the server by now; 0 for NULL. */
uint32_t llm_call_sent(const LlmCall *call);
void llm_call_cancel(LlmCall *call); /* `answered` is not called any more; takes NULL */

/* As it was asked for; its key is not to be told. */
const LlmEndpointSetup *llm_endpoint_setup(const LlmEndpoint *endpoint);
const char *llm_endpoint_model(const LlmEndpoint *endpoint);
/* As the server calls what has answered last; empty before that, or when it does not tell. */
const char *llm_endpoint_served_model(const LlmEndpoint *endpoint);
/* How many tokens the model can read: as it was set up, or as the server tells; 0 = not known. */
uint32_t llm_endpoint_window(const LlmEndpoint *endpoint);
/* What it tells of the model, all empty when it does not; NULL while it is being asked. */
const struct LlmAbout *llm_endpoint_about(const LlmEndpoint *endpoint);
/* What the server does not take, or wants otherwise, as was found out; `count` of them at most,
 * each a constant text for people. Returns how many there are. */
size_t llm_endpoint_habits(const LlmEndpoint *endpoint, bool japanese, const char **ret_texts,
                           size_t count);
const char *llm_endpoint_url(const LlmEndpoint *endpoint); /* it holds no key */
bool llm_endpoint_strict(const LlmEndpoint *endpoint);     /* SCHEMA_STRICT is to be asked for */
/* A schema stands in front of what its models read: one that changes has all of it read anew. */
bool llm_endpoint_reads_schema(const LlmEndpoint *endpoint);
uint32_t llm_endpoint_answer_tokens(const LlmEndpoint *endpoint); /* the most, with thinking */
LlmJson llm_endpoint_json(const LlmEndpoint *endpoint);           /* the level that works now */

#endif
