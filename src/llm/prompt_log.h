/* prompt_log.h - the requests of one model player as they were sent, kept for who looks at how it
 * was played.
 *
 * For:    llm/seat.c, which adds; maw/maw_seats.c and thinker/model_bots.c, which open;
 *         web/mind_doc.h, which reads the lines.
 * Memory: a PromptLog owns its file and the request before.
 * Thread: one at a time.
 * Source: docs/spec/web.md 8; docs/spec/models.md 2. Headers, and so keys, are no part of it.
 *
 *     {"prompt":7,"t_ms":1795372145658,"model":"llama3.1","as":6,"same":5,"messages":[...]}
 *
 * In a file that has other lines, too, each begins with "type":"prompt".
 *
 * The guide and what was said before come again in each request: so a line begins with the first
 * `same` messages of the line of prompt `as`, and has only what is behind them.
 */
#ifndef WARG_LLM_PROMPT_LOG_H
#define WARG_LLM_PROMPT_LOG_H

#include "base/err.h"
#include "base/str.h"

#define PROMPT_NONE (-1)

typedef struct PromptLog PromptLog;

/* Appends to the file at `path`, which only its owner can read; what is there stays, and numbers go
 * on behind it. `model` is copied. Errors: ERR_IO, ERR_MEMORY. */
int prompt_log_open(const char *path, Str model, PromptLog **ret_log, Err *err);
/* The same by a descriptor that is open for appending, into a file that others write, too: taken,
 * also when it fails. Numbers begin with 0. Errors: ERR_MEMORY. */
int prompt_log_open_in(int take_file, Str model, PromptLog **ret_log, Err *err);
PromptLog *prompt_log_free(PromptLog *log); /* takes NULL, returns NULL */

/* Keeps a request: the JSON array of its messages. Returns its number, from 0, or PROMPT_NONE: the
 * disk or memory failed, and the file is given up, so that no line in it is half a line. */
int64_t prompt_log_add(PromptLog *log, Str messages, int64_t unix_ms);

#endif
