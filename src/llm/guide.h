/* guide.h - the guiding prompt: what a model is told each time, built from the scene alone.
 *
 * For:    llm/seat.c. English and Japanese.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.2; seed 002 1.3, 3.5 (Algorithm 1's g).
 */
#ifndef WARG_LLM_GUIDE_H
#define WARG_LLM_GUIDE_H

#include "llm/scene.h"

/* Appends it: who you are, rules, state, task, decisions and JSON form, limits, style. */
void llm_guide_write(const LlmScene *scene, Buf *out);

#endif
