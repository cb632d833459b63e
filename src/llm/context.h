/* context.h - what a model player remembers: entries, a token budget, a file.
 *
 * For:    llm/seat.c; never shared between seats.
 * Memory: owns its entries.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 5.5; seed 002 table 20 (save, load, truncate).
 */
#ifndef WARG_LLM_CONTEXT_H
#define WARG_LLM_CONTEXT_H

#include "base/buf.h"
#include "base/err.h"

typedef struct LlmContext LlmContext;

typedef enum LlmRole {
    LLM_SYSTEM,
    LLM_USER,
    LLM_ASSISTANT,
} LlmRole;

typedef enum LlmEntryKind {
    ENTRY_TALK, /* goes first when room is needed */
    ENTRY_FACT, /* role, deaths, own votes, results: stays */
} LlmEntryKind;

int llm_context_new(LlmContext **ret_context, Err *err);
LlmContext *llm_context_free(LlmContext *context);

/* Remembers it, and appends it to the file. Errors: ERR_LIMIT (content over 256 KiB), ERR_MEMORY;
 * ERR_IO: it is remembered, but the file is given up, so that no line in it is half a line. */
int llm_context_add(LlmContext *context, LlmRole role, LlmEntryKind kind, Str content,
                    uint32_t round, uint32_t phase_no, int64_t unix_ms, Err *err);
/* A new round: all goes but one line for each past round. The same line behind itself is one: a
 * session that is gone on with tells its last end again. */
int llm_context_new_round(LlmContext *context, Str past, Err *err);

/* Tokens it takes, estimated: bytes / 3 outside Latin, / 4 else, + 4 an entry; `told` corrects the
 * estimate by what a server counted. */
uint32_t llm_context_tokens(const LlmContext *context);
void llm_context_counted(LlmContext *context, uint32_t prompt_tokens);
/* Cuts the oldest talk until it takes at most `tokens`; it is replaced by one entry "earlier: ..."
 * with `summary` (may be empty). Returns how many entries went. */
uint32_t llm_context_truncate(LlmContext *context, uint32_t tokens, Str summary);

/* Appends the `messages` array of a request: guide, entries, and as the last user entry `news` with
 * `now` behind them. What it took by our estimate is kept for llm_context_counted. Returns how many
 * messages there are. All but the last one stand in the next request too, when news and answer have
 * been added; and of the last one the news. */
uint32_t llm_context_write(LlmContext *context, Str guide, Str news, Str now, Buf *out);

/* Entries are appended to this JSON Lines file from now on, at once. A damaged last line that is
 * there is cut off. What was loaded is not written again. Errors: ERR_IO. */
int llm_context_save(LlmContext *context, const char *path, Err *err);
/* Reads such a file, behind what is there; a damaged last line is dropped. On failure nothing is
 * changed. Errors: ERR_IO, ERR_SYNTAX with the line, ERR_LIMIT (over 64 MiB). */
int llm_context_load(LlmContext *context, const char *path, Err *err);

#endif
