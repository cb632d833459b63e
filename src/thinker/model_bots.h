/* model_bots.h - the model players of one command: their spec, their endpoint, their figures.
 *
 * For:    cmd_bot.c, bot_nlp.c.
 * Memory: a ModelBots is the caller's struct, which model_bots_done frees; the agents are freed by
 *         who made them, before it.
 * Thread: the loop's.
 * Source: llm/llm_arg.h for the spec.
 */
#ifndef WARG_THINKER_MODEL_BOTS_H
#define WARG_THINKER_MODEL_BOTS_H

#include "thinker/model_agent.h"

/* Of the option --language. */
#define MODEL_LANGUAGES "auto|en|ja"

typedef struct ModelBots {
    Loop *loop;
    LlmSpec spec;
    LlmModels *models;
    ModelAgentSetup setup; /* the parts that all of them share */
} ModelBots;

/* Errors: those of llm_spec_read and llm_models_endpoint. */
int model_bots_open(Loop *loop, const char *spec, ModelBots *bots, Err *err);
void model_bots_done(ModelBots *bots);
/* One player; `answer` and `user` as in ModelAgentSetup. */
int model_bots_add(const ModelBots *bots, uint64_t seed,
                   void (*answer)(void *user, const Ask *ask, const Answer *answer), void *user,
                   ModelAgent **ret_agent, Err *err);

#endif
