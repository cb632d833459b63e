/* llm_arg.h - model players as options name them: "demo", or "URL,model=M,persona=...".
 *
 * For:    `warg maw --llm-url`, `warg join --llm`, `--agent llm:...`.
 * Memory: an LlmModels owns endpoints, one for each server and model, and the texts of specs.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 5.4, 5.8; seed 002 table 17 ("base_url, api_key, model").
 *
 *     URL[,model=NAME][,api=openai|ollama][,persona=TEXT][,key-env=VARIABLE][,key-file=FILE][,parallel=N]
 *         [,num-ctx=N][,json=schema|object|none][,max-tokens=N][,temperature=T]
 *        [,think=off|low|medium|high|TOKENS]
 *
 * A persona is the last part: it may hold commas.
 */
#ifndef WARG_LLM_LLM_ARG_H
#define WARG_LLM_LLM_ARG_H

#include "llm/seat.h"

typedef struct LlmSpec {
    bool demo; /* the built-in phrase model, no endpoint */
    char url[512];
    char model[128];
    char persona[256];
    char key_env[128];  /* both empty: OPENAI_API_KEY, if that is set and goes to nobody else */
    char key_file[512]; /* its first line */
    LlmApi api;
    LlmJson json;
    uint32_t parallel;
    uint32_t num_ctx;
    uint32_t max_tokens; /* of an answer, without what is thought before; 0: the usual */
    double temperature;  /* < 0: the server's own */
    LlmThink think;
} LlmSpec;

/* Reads a spec, with or without "llm:" in front. Errors: ERR_USAGE that says what was expected. */
int llm_spec_read(Str text, LlmSpec *ret_spec, Err *err);

typedef struct LlmModels LlmModels;

int llm_models_new(Loop *loop, LlmModels **ret_models, Err *err);
LlmModels *llm_models_free(LlmModels *models);

/* The endpoint of a spec, shared by all that name the same; NULL in *ret_endpoint for the demo
 * model. Errors: ERR_USAGE, ERR_MEMORY, ERR_IO. */
int llm_models_endpoint(LlmModels *models, const LlmSpec *spec, LlmEndpoint **ret_endpoint,
                        Err *err);

#endif
