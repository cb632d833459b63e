/* llm_arg.h - model players as options name them: "demo", or "URL,model=M,persona=...".
 *
 * For:    `warg maw --llm-url`, `warg join --llm`, `--agent llm:...`.
 * Memory: an LlmModels owns endpoints, one for each server, model and way of being asked.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 5.4, 5.8; seed 002 table 17 ("base_url, api_key, model").
 *
 *     URL[,model=NAME][,api=openai|ollama|anthropic][,json=schema|object|none][,persona=TEXT]
 *        [,key-env=VARIABLE][,key-file=FILE]
 *        [,header=NAME:VALUE][,header-env=NAME:VARIABLE][,header-file=NAME:FILE]
 *        [,max-tokens=N][,think=off|low|medium|high|TOKENS]
 *        [,temperature=T][,top-p=P][,seed=N][,stop=TEXT]
 *        [,context=TOKENS][,num-ctx=TOKENS]
 *        [,budget=MONEY|TOKENSt][,prices=FILE]
 *        [,parallel=N][,rpm=N][,tpm=N][,timeout=TIME][,connect=TIME][,ca=FILE][,proxy=URL]
 *        [,filters=on|off|tell][,ask=TIME|TIME-TIME][,opinions=off|day|line]
 *
 * header parts and stop= may stand several times. What is secret in a header comes from the
 * environment or a file: others can list the arguments of programs.
 * A persona is the last part: it may hold commas.
 */
#ifndef WARG_LLM_LLM_ARG_H
#define WARG_LLM_LLM_ARG_H

#include "llm/seat.h"
#include "llm/spend.h"

#define LLM_SPEC_STOPS   4
#define LLM_SPEC_HEADERS 6

typedef struct LlmSpecHeader {
    char name[64];
    char value[256]; /* itself; or the name of a variable, of a file */
    enum { HEADER_PLAIN, HEADER_ENV, HEADER_FILE } from;
} LlmSpecHeader;

typedef struct LlmSpec {
    bool demo; /* the built-in phrase model, no endpoint */
    char url[512];
    char model[128];
    char persona[256];
    char key_env[128];  /* both empty: OPENAI_API_KEY (anthropic: ANTHROPIC_API_KEY), if that is set
                         * and goes to nobody else */
    char key_file[512]; /* its first line */
    LlmApi api;
    LlmJson json;
    uint32_t parallel;
    uint32_t num_ctx;
    uint32_t max_tokens; /* of an answer, without what is thought before; 0: the usual */
    double temperature;  /* < 0: the server's own */
    double top_p;        /* 0: the server's own */
    bool seeded;
    uint32_t sampling_seed; /* only if `seeded` */
    char stops[LLM_SPEC_STOPS][64];
    uint32_t stop_count;
    LlmThink think;
    uint32_t context;                /* tokens that the model can read; 0: the server is asked */
    uint32_t rpm, tpm;               /* requests, tokens a minute; 0: no limit of ours */
    uint32_t timeout_ms, connect_ms; /* 0: the usual */
    char ca_file[512];
    char proxy[256];
    char budget[32];  /* of the session, all models together; empty: none */
    char prices[512]; /* file; empty: none */
    LlmSpecHeader headers[LLM_SPEC_HEADERS];
    uint32_t header_count;
    LlmManner manner;
} LlmSpec;

/* Reads a spec, with or without "llm:" in front. Errors: ERR_USAGE that says what was expected. */
int llm_spec_read(Str text, LlmSpec *ret_spec, Err *err);

typedef struct LlmModels LlmModels;

/* `loop` may be NULL where they are mute. Errors: ERR_MEMORY. */
int llm_models_new(Loop *loop, LlmModels **ret_models, Err *err);
LlmModels *llm_models_free(LlmModels *models);

/* What all of them may spend together, before the first endpoint: see llm/spend.h, whose errors
 * these are. A spec's own `budget` is that of all, unless there is one already. `tell` (may be
 * NULL) gets a line when it comes near its end, and when it is spent. */
int llm_models_budget(LlmModels *models, const char *budget, const char *prices,
                      void (*tell)(void *user, Str line), void *user, Err *err);

/* No request is ever sent, and no key looked for: their answers are there already. Before the first
 * endpoint. */
void llm_models_mute(LlmModels *models);

/* The endpoint of a spec, shared by all that name the same; those of one server with one key share
 * its limits, which the first of them sets; NULL in *ret_endpoint for the demo
 * model. Errors: ERR_USAGE, ERR_MEMORY, ERR_IO. */
int llm_models_endpoint(LlmModels *models, const LlmSpec *spec, LlmEndpoint **ret_endpoint,
                        Err *err);

#endif
