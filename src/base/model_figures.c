#include "base/model_figures.h"

/* clang-format off */
#define BANDS(first, word)                                                                         \
    [(first)] = word "_0", [(first) + 1] = word "_10", [(first) + 2] = word "_20",                 \
    [(first) + 3] = word "_30", [(first) + 4] = word "_40", [(first) + 5] = word "_50",            \
    [(first) + 6] = word "_60", [(first) + 7] = word "_70", [(first) + 8] = word "_80",            \
    [(first) + 9] = word "_90"
/* clang-format on */

static const char *const names[FIGURE_COUNT] = {
    [FIGURE_REQUESTS] = "requests",
    [FIGURE_REPAIRED] = "repaired",
    [FIGURE_REFUSED] = "refused",
    [FIGURE_LEAKS] = "leaks",
    [FIGURE_PROMPT] = "prompt_tokens",
    [FIGURE_CACHED] = "cached_tokens",
    [FIGURE_REASONING] = "reasoning_tokens",
    [FIGURE_ANSWER] = "answer_tokens",
    [FIGURE_OPINION_OFF] = "opinion_off",
    BANDS(FIGURE_SAID, "said"),
    BANDS(FIGURE_SAID_WOLVES, "wolves"),
};

const char *model_figure_name(ModelFigure figure)
{
    return figure < FIGURE_COUNT ? names[figure] : "";
}

ModelFigure model_figure_of(Str name)
{
    ModelFigure figure = FIGURE_REQUESTS;

    while (figure < FIGURE_COUNT && !str_eq(name, str_of(names[figure])))
        figure++;
    return figure;
}

void model_figures_add(ModelFigures *figures, const ModelFigures *more)
{
    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++)
        figures->of[figure] += more->of[figure];
}

ModelFigures model_figures_beyond(const ModelFigures *whole, const ModelFigures *part)
{
    ModelFigures rest = {0};

    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++)
        if (whole->of[figure] > part->of[figure])
            rest.of[figure] = whole->of[figure] - part->of[figure];
    return rest;
}
