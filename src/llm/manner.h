/* manner.h - how a model is dealt with at a table: how often it is asked, what is done with its
 * lines.
 *
 * For:    llm/llm_arg.h, MAW's tables, model agents of both AIWolf divisions.
 * Memory: plain value.
 * Thread: pure.
 * Source: docs/spec/models.md 1.8, 3.
 *
 * As parts of a spec: filters=on|off|tell, ask=TIME or ask=TIME-TIME, opinions=off|day|line.
 */
#ifndef WARG_LLM_MANNER_H
#define WARG_LLM_MANNER_H

#include "base/err.h"
#include "base/str.h"

/* What is done with lines that give their speaker away or quote the guide (the leak guard), and
 * with those that say something again. */
typedef enum LlmFilters {
    FILTERS_ON,   /* they are not said, and the model is told why */
    FILTERS_OFF,  /* nobody looks */
    FILTERS_TELL, /* they are said; record and figures tell of them */
} LlmFilters;

/* When it is asked beside the game whom it would vote for, and how sure it is. */
typedef enum LlmOpinions {
    OPINIONS_OFF,
    OPINIONS_DAY,  /* once a day, when a line of somebody else was heard */
    OPINIONS_LINE, /* between lines, when it has nothing else to do */
} LlmOpinions;

typedef struct LlmManner {
    LlmFilters filters;
    LlmOpinions opinions;
    uint32_t ask_min_ms, ask_max_ms; /* between two questions in talk at any time; 0: the usual */
} LlmManner;

const char *llm_filters_name(LlmFilters filters);
/* "off", "day", "line". */
const char *llm_opinions_name(LlmOpinions opinions);

/* Whether a part of a spec is of this; then it is read. *ret_rc: ERR_USAGE that says what was
 * expected. */
bool llm_manner_read(Str key, Str value, LlmManner *manner, int *ret_rc, Err *err);

#endif
