/* thinking.h - models that think before they answer: how much they may, how servers are told, and
 *              what of a reply is the answer.
 *
 * For:    llm/endpoint_text.c, options that name models.
 * Memory: plain values; texts are borrowed.
 * Thread: pure.
 * Source: docs/spec/models.md 1.3.
 *
 * Thinking has tokens of its own, on top of the answer's. A model of which nobody said that it
 * thinks gets them when a reply shows it: it ended for its length, and the answer was not there.
 */
#ifndef WARG_LLM_THINKING_H
#define WARG_LLM_THINKING_H

#include "base/json.h"

typedef enum LlmThinkLevel {
    THINK_UNSAID, /* the server is told nothing */
    THINK_OFF,
    THINK_LOW,
    THINK_MEDIUM,
    THINK_HIGH,
} LlmThinkLevel;

typedef struct LlmThink {
    LlmThinkLevel level;
    uint32_t tokens; /* 0: as usual for the level */
} LlmThink;

#define LLM_THINK_TOKENS_MAX 200000

/* "off", "low", "medium", "high", or a number of tokens. */
bool llm_think_read(Str text, LlmThink *ret);
const char *llm_think_name(LlmThinkLevel level); /* "medium"; "" for THINK_UNSAID */
/* The tokens for thinking; `raised`: they were not enough. */
uint32_t llm_think_tokens(const LlmThink *think, bool raised);

/* The keys of a request of an OpenAI-compatible server, or of Ollama. `templates`: also what chat
 * templates take to be quiet. */
void llm_think_write(const LlmThink *think, bool ollama, bool templates, Json *json);

/* What stands behind the thoughts; empty when a reply has only those. */
Str llm_think_answer(Str content);
/* The thoughts before it, without their marks; empty when there are none. */
Str llm_think_thoughts(Str content);

#endif
