/* scene_copy.h - a scene with texts of its own.
 *
 * For:    llm/seat.c: a question outlives the call that asked it.
 * Memory: the copy borrows from `bytes`, which is filled anew and must stay as it is.
 * Thread: pure.
 * Source: style guide, "Memory": what outlives a call is copied out.
 */
#ifndef WARG_LLM_SCENE_COPY_H
#define WARG_LLM_SCENE_COPY_H

#include "base/err.h"
#include "llm/scene.h"

/* Errors: ERR_MEMORY. */
int llm_scene_copy(const LlmScene *scene, Buf *bytes, LlmScene *ret_scene, Err *err);

#endif
