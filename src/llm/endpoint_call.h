/* endpoint_call.h - the inside of an endpoint: its calls, and what they need of it.
 *
 * For:    endpoint.c, endpoint_call.c, endpoint_request.c. Nobody else.
 * Memory: a call is the endpoint's until it was told or cancelled.
 * Thread: the loop's.
 * Source: docs/spec/models.md 1.4.
 */
#ifndef WARG_LLM_ENDPOINT_CALL_H
#define WARG_LLM_ENDPOINT_CALL_H

#include "base/rng.h"
#include "llm/endpoint.h"
#include "llm/endpoint_text.h"

#define LLM_HEADERS_MAX 16

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
    bool spare;
    bool weighed; /* against the budget */
    bool telling; /* `answered` runs */
    TimeUs deadline;
    TimeUs again; /* PAUSED: until then */
    TimeUs asked; /* ASKING: since then */
    HttpCall *http;
    uint64_t number; /* of the request under way, by the pace */
    LlmDialect sent; /* of it */
    uint32_t stable;
    Buf messages;
    Buf schema;
    LlmOutcome outcome;
    LlmTrouble trouble;
    LlmReply reply;
    LlmTokens lost; /* by replies before this one */
    uint32_t retries;
    uint32_t tries; /* that reached the server */
    TimeUs latency;
    void (*answered)(void *user, const LlmAnswer *answer, TimeUs now);
    void *user;
};

struct LlmEndpoint {
    LlmEndpointSetup setup; /* its texts are those below */
    Buf url;
    Buf about_url;
    Buf model;
    Buf key;
    Buf authorization;                        /* the header with the key; empty without one */
    const char *secrets[LLM_HEADERS_MAX + 2]; /* what nobody may be told */
    bool direct;
    LlmPace *pace;
    LlmPace *own_pace; /* the same, unless others share it */
    LlmPaceUser waker;
    TimeUs paced_until; /* who waits may begin then; TIME_US_NEVER: woken by the pace */
    HttpCall *about;    /* the server is being asked what it tells of the model */
    bool about_due;     /* or has yet to be */
    LlmAbout told;
    Buf served_model;
    uint32_t spared; /* questions that were not asked, near the budget's end */
    LlmDialect dialect;
    HttpCarrier http;
    Alarm alarm;
    LlmCall *calls; /* all that were not told, by age */
    Rng rng;
    uint32_t failures;    /* in a row */
    TimeUs closed_until;  /* no request before */
    LlmOutcome closed_as; /* and that is what is told: LLM_UNREACHABLE, LLM_DENIED */
    LlmTrouble closed_for;
    Buf closed_why;
};

/* The headers of every request; NULL-terminated, borrowed. */
void llm_headers_list(const LlmEndpoint *endpoint, const char *ret[LLM_HEADERS_MAX + 4]);
/* A request with that body and at most that long; all in it is borrowed. */
HttpAsk llm_request_of(const LlmEndpoint *endpoint, const char *const *headers, Str body,
                       TimeUs left);
/* Asks the server what it tells of the model. Nothing hangs on it: one that does not tell is no
 * worse. */
void llm_about_ask(LlmEndpoint *endpoint);

/* The alarm's: everything that is due, then one answer. `user` is the endpoint, which may be gone
 * behind it. */
void llm_calls_serve(void *user, TimeUs now);
/* Ends all calls; nobody is told. */
void llm_calls_free(LlmEndpoint *endpoint);

#endif
