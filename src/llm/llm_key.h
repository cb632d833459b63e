/* llm_key.h - the key of a model's server, from the environment or a file.
 *
 * For:    every command that asks language models.
 * Memory: appended to the caller's Buf.
 * Thread: main thread.
 * Source: docs/spec/maw.md 5.4: never from the command line, which others can list; never logged.
 */
#ifndef WARG_LLM_LLM_KEY_H
#define WARG_LLM_LLM_KEY_H

#include "base/buf.h"
#include "base/err.h"
#include "llm/endpoint.h"

#define LLM_KEY_VARIABLE           "OPENAI_API_KEY"
#define LLM_KEY_VARIABLE_ANTHROPIC "ANTHROPIC_API_KEY"

/* The first line of `file`, else the variable `variable`; else, when both are NULL, that of
 * OPENAI_API_KEY (of LLM_ANTHROPIC: ANTHROPIC_API_KEY) if it is set and `url` is https:// or on
 * this machine; else nothing. Errors: ERR_USAGE when `variable` isn't set, ERR_IO for a file that
 * can't be read, ERR_SYNTAX for one without a key. No error quotes the key. */
int llm_key_find(LlmApi api, const char *variable, const char *file, const char *url, Buf *key,
                 Err *err);

#endif
