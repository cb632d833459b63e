/* run_forecast.h - what a contest with language models will take, before it begins.
 *
 * For:    `warg run --dry-run`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: docs/spec/models.md 3 ("Cost forecast").
 *
 * What a seat takes in a game comes from games that were played: those of a folder, model by model
 * (a model that is not in it is reckoned as all of them together), or, without one, those of the
 * stand-in models of our tests, which answer briefly and think nothing.
 */
#ifndef WARG_SHOW_RUN_FORECAST_H
#define WARG_SHOW_RUN_FORECAST_H

#include "base/model_figures.h"
#include "llm/prices.h"
#include "match/plan.h"
#include "store/db.h"

#define SPENT_MODELS 64

/* What language models took in games that were played. Zero it before. */
typedef struct Spent {
    ModelFigures all;
    ModelFigures of[SPENT_MODELS];   /* by their number in `names` */
    const char *names[SPENT_MODELS]; /* of models; of the plan's texts */
    uint32_t count;
    uint64_t games; /* that were added */
} Spent;

/* Adds a game of the plan. Models beyond SPENT_MODELS are in `all` only. */
void run_spent_add(Spent *spent, const Plan *plan, const GameRecord *record);
/* Appends ", 1.20 M tokens and USD 0.4000 spent, about 1.80 M and 0.6000 left"; nothing before
 * anything was spent. `left` games follow, which take what those took on an average; `prices`: NULL
 * = no money. */
void run_spent_write(const Spent *spent, const LlmPrices *prices, uint64_t left, Buf *out);

/* Appends games, requests, tokens and costs of each model and in all. `like`: results of games that
 * were played, NULL = none. `prices`: NULL = no costs. Errors: ERR_IO, ERR_SYNTAX, ERR_MEMORY. */
int run_forecast_write(const Plan *plan, Db *like, const LlmPrices *prices, Buf *out, Err *err);

#endif
