/* llm_trouble.h - what stands in the way of a model: its name, and what to do about it.
 *
 * For:    `warg llm check`.
 * Memory: constant texts.
 * Thread: pure.
 * Source: docs/spec/models.md 5, L1.
 */
#ifndef WARG_LLM_LLM_TROUBLE_H
#define WARG_LLM_LLM_TROUBLE_H

#include "llm/endpoint.h"

/* "no-model": for programs. */
const char *llm_trouble_key(LlmTrouble trouble);
/* What it is, a part of a sentence; empty for TROUBLE_NONE. */
const char *llm_trouble_name(LlmTrouble trouble, bool japanese);
/* The next step, a sentence; empty for TROUBLE_NONE. */
const char *llm_trouble_advice(LlmTrouble trouble, LlmApi api, bool japanese);

#endif
