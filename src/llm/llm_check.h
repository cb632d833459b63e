/* llm_check.h - tries a model's server: does it answer, how is JSON got, does it decide, how fast?
 *
 * For:    `warg llm check`.
 * Memory: an LlmCheck borrows its texts; llm_check_done frees the rest.
 * Thread: main thread; runs a loop of its own until it is over.
 * Source: docs/spec/maw.md 5.4, 5.7.
 */
#ifndef WARG_LLM_LLM_CHECK_H
#define WARG_LLM_LLM_CHECK_H

#include "llm/llm_arg.h"

#define LLM_CHECK_DECISIONS 3
#define LLM_CHECK_HABITS    12

/* What a JSON mode gave. */
typedef enum LlmCheckMode {
    MODE_NOT_TRIED,
    MODE_REFUSED,  /* the server does not take it */
    MODE_SILENT,   /* no answer */
    MODE_USELESS,  /* an answer that is no decision */
    MODE_DECISION, /* a decision as it is wanted */
} LlmCheckMode;

typedef struct LlmCheckDecision {
    LlmDecision decision;
    LlmSource source;
    TimeUs took;
} LlmCheckDecision;

typedef struct LlmCheck {
    LlmSpec spec; /* what is tried */
    LlmLanguage language;
    uint32_t limit_ms; /* of one question */
    /* Called as results come in; may be NULL. */
    void (*tell)(const struct LlmCheck *check, void *user);
    void *user;

    LlmCheckMode modes[LLM_JSON_NONE + 1];
    LlmOutcome outcome;                   /* of the plainest question: is it there? */
    LlmTrouble trouble;                   /* what stands in the way, or might */
    Buf why;                              /* when it is not there, or decides nothing */
    Buf names;                            /* of the models that the server has; may be long */
    Buf served;                           /* the model, as the server calls it */
    uint32_t context;                     /* tokens; 0 = not told */
    const char *habits[LLM_CHECK_HABITS]; /* what of the server is not as usual */
    uint32_t habit_count;
    LlmJson best;
    LlmCheckDecision decisions[LLM_CHECK_DECISIONS];
    uint32_t decision_count;
    uint32_t by_model;
    LlmFigures figures;
} LlmCheck;

/* Does all of it, from `now` on; what was found stands in `check`. Errors: ERR_USAGE for a URL that
 * is none, ERR_MEMORY, ERR_IO. A server that does not work is no error. */
int llm_check_run(LlmCheck *check, TimeUs now, Err *err);
void llm_check_done(LlmCheck *check);

/* It answers, and at least one decision was the model's. */
bool llm_check_usable(const LlmCheck *check);
/* What to do about it, a sentence; constant text, empty when all is well. */
const char *llm_check_advice(const LlmCheck *check);

#endif
