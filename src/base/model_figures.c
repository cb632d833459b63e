#include "base/model_figures.h"

static const char *const names[FIGURE_COUNT] = {
    [FIGURE_REQUESTS] = "requests",
    [FIGURE_REPAIRED] = "repaired",
    [FIGURE_REFUSED] = "refused",
    [FIGURE_LEAKS] = "leaks",
    [FIGURE_PROMPT] = "prompt_tokens",
    [FIGURE_CACHED] = "cached_tokens",
    [FIGURE_REASONING] = "reasoning_tokens",
    [FIGURE_ANSWER] = "answer_tokens",
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
