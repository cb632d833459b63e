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

/* Rows of a command's options (cli/options.h), some of them beside the one that names models. */
#define MODEL_RECORD_ROW(beside)                                                                   \
    {                                                                                              \
        "record-minds", 0, OPTION_TEXT, "DIR",                                                     \
            "with " beside ": keep there, in NAME.jsonl, what each model decided and its server "  \
            "answered; only you can read it",                                                      \
            NULL, 0, 0                                                                             \
    }
#define MODEL_PROMPTS_ROW                                                                          \
    {                                                                                              \
        "record-prompts", 0, OPTION_FLAG, NULL,                                                    \
            "with --record-minds: every request as it was sent, too, in prompts/NAME.jsonl", NULL, \
            0, 0                                                                                   \
    }
#define MODEL_BUDGET_ROW(beside)                                                                   \
    {                                                                                              \
        "llm-budget", 0, OPTION_TEXT, "MONEY|TOKENSt",                                             \
            "with " beside ": what the models may cost together: 2.50 in the currency of "         \
            "--llm-prices, or 200000t; near its end they are asked less, behind it rules decide",  \
            NULL, 0, 0                                                                             \
    }
#define MODEL_PRICES_ROW                                                                           \
    {                                                                                              \
        "llm-prices", 0, OPTION_TEXT, "FILE", "with --llm-budget: prices.yml", NULL, 0, 0          \
    }
/* Where sets of games are played. */
#define MODEL_SET_PROMPTS_ROW                                                                      \
    {                                                                                              \
        "record-prompts", 0, OPTION_FLAG, NULL,                                                    \
            "with --out: every request to a language model as it was sent, too, beside what it "   \
            "decided in minds/",                                                                   \
            NULL, 0, 0                                                                             \
    }
#define MODEL_OPINIONS_ROW(beside)                                                                 \
    {                                                                                              \
        "opinions", 0, OPTION_CHOICE, "off|day|line",                                              \
            "with " beside                                                                         \
            ": while a model waits it is asked whom it would vote for and how sure "               \
            "it is, once a day or between lines; nobody at the table learns of it",                \
            NULL, 0, 0                                                                             \
    }
#define MODEL_ANSWERS_ROW(beside)                                                                  \
    {                                                                                              \
        "answers-from", 0, OPTION_TEXT, "DIR",                                                     \
            "with " beside ": the answers in this folder of --record-minds again; no request is "  \
            "sent",                                                                                \
            NULL, 0, 0                                                                             \
    }

typedef struct ModelBots {
    Loop *loop; /* NULL with `answers`: who adds them has their moves, and no alarm rings */
    Alarms silent;
    LlmSpec spec;
    LlmModels *models;
    /* A folder that keeps what each player decides, in NAME.jsonl, and with `record_prompts` what
     * it is sent, in prompts/NAME.jsonl; "-": all into descriptor 0, where that is a file to be
     * written.
     * NULL = nothing is kept. Set before model_bots_open, as is all that comes before `setup`. */
    const char *record;
    bool record_prompts;
    /* Such a folder: its answers are given again, and no request is sent; "-": descriptor 0. */
    const char *answers;
    LlmOpinions opinions; /* where the spec has none */
    /* What all of them may cost together, as llm_models_budget has it; NULL = no limit but that of
     * the spec. `tell` (may be NULL) gets a line near its end, and when it is spent. */
    const char *budget, *prices;
    void (*tell)(void *user, Str line);
    void *tell_user;
    ModelAgentSetup setup; /* the parts that all of them share */
} ModelBots;

/* Errors: those of llm_spec_read and llm_models_endpoint. */
int model_bots_open(Loop *loop, const char *spec, ModelBots *bots, Err *err);
void model_bots_done(ModelBots *bots);
/* One player, and what it is called; `answer` and `user` as in ModelAgentSetup. */
int model_bots_add(ModelBots *bots, const char *name, uint64_t seed,
                   void (*answer)(void *user, const Ask *ask, const Answer *answer), void *user,
                   ModelAgent **ret_agent, Err *err);

#endif
