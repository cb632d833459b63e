/* guide.h - the guiding prompt: what a model is told, built from the scene alone, in two parts.
 *
 * For:    llm/seat.c. English and Japanese.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.2; seed 002 1.3, 3.5 (Algorithm 1's g).
 */
#ifndef WARG_LLM_GUIDE_H
#define WARG_LLM_GUIDE_H

#include "llm/scene.h"

/* Appends what is the same for a whole round, so that servers need not read it again: rules, form
 * of answers, limits, style, who you are. Of the scene only language, speech, maw, wolves, me,
 * persona, role, side, mates, notes and the order of seats count. */
void llm_guide_write(const LlmScene *scene, Buf *out);
/* Appends what is told anew each time, in a request's last message: state, task, targets. */
void llm_guide_now(const LlmScene *scene, Buf *out);
/* What is said to who is asked and has heard nothing since the last time; constant. */
Str llm_guide_asked(const LlmScene *scene);
/* What a model is told whose line, or else the reason of whose vote, a filter held back: for "leak"
 * or "repeat"; constant. */
Str llm_guide_held_back(const LlmScene *scene, bool is_line, Str found);

#endif
