/* model_figures.h - what a model player's decisions took, counted.
 *
 * For:    records of games, sheets of decisions, results.
 * Memory: plain values.
 * Thread: pure.
 * Source: docs/spec/models.md 3 ("Table per model").
 */
#ifndef WARG_BASE_MODEL_FIGURES_H
#define WARG_BASE_MODEL_FIGURES_H

#include "base/str.h"

#define OPINION_BANDS 10 /* of ten percent each */

typedef enum ModelFigure {
    FIGURE_REQUESTS,  /* that its server got, those that failed included */
    FIGURE_REPAIRED,  /* decisions whose first answer was none */
    FIGURE_REFUSED,   /* that the game did not take */
    FIGURE_LEAKS,     /* lines that would have told what the role must hide */
    FIGURE_PROMPT,    /* tokens, as far as servers tell */
    FIGURE_CACHED,    /* of these: from the server's cache */
    FIGURE_REASONING, /* of the answers': thought before them */
    FIGURE_ANSWER,    /* tokens */
    /* Of opinions, of which nobody learns (stats/opinion_score.h): how far off they were, and, by
     * how sure they said to be, how many there were and how many were on wolves. */
    FIGURE_OPINION_OFF,
    FIGURE_SAID,
    FIGURE_SAID_WOLVES = FIGURE_SAID + OPINION_BANDS,
    FIGURE_COUNT = FIGURE_SAID_WOLVES + OPINION_BANDS,
} ModelFigure;

typedef struct ModelFigures {
    uint64_t of[FIGURE_COUNT];
} ModelFigures;

/* "requests", "repaired", "refused", "leaks", "prompt_tokens", "cached_tokens",
 * "reasoning_tokens", "answer_tokens", "opinion_off", "said_0" ... "said_90", "wolves_0" ...
 * "wolves_90": a member of journals, a column of results. */
const char *model_figure_name(ModelFigure figure);
/* FIGURE_COUNT when it is none. */
ModelFigure model_figure_of(Str name);

void model_figures_add(ModelFigures *figures, const ModelFigures *more);
/* What is in `whole` beyond `part`; nothing where that has more. */
ModelFigures model_figures_beyond(const ModelFigures *whole, const ModelFigures *part);

#endif
