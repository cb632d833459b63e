/* llm_check_output.h - what is printed of a model's server that was tried.
 *
 * For:    `warg llm check`.
 * Memory: none kept; JSON is appended to the caller's Buf.
 * Thread: main thread.
 * Source: docs/spec/maw.md 5.4.
 */
#ifndef WARG_SHOW_LLM_CHECK_OUTPUT_H
#define WARG_SHOW_LLM_CHECK_OUTPUT_H

#include "llm/llm_check.h"

/* As results come in, to stdout: a model may need a minute for each. For LlmCheck.tell. */
void llm_check_tell_text(const LlmCheck *check, void *user);
/* What it came to, to stdout. */
void llm_check_print_end(const LlmCheck *check);
/* One object and a line end. */
void llm_check_write_json(const LlmCheck *check, Buf *out);

#endif
