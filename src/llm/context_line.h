/* context_line.h - an entry of a context as one line of JSON, and back.
 *
 * For:    context.c.
 * Memory: an entry owns its content.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.5 ({role, content, round, phase_no, t}, JSON Lines).
 */
#ifndef WARG_LLM_CONTEXT_LINE_H
#define WARG_LLM_CONTEXT_LINE_H

#include "llm/context.h"

#define CONTENT_BYTES_MAX ((size_t)256 * 1024)
#define LINE_BYTES_MAX    (CONTENT_BYTES_MAX * 6 + 256) /* each byte may be written \u00xx */

/* What an entry is beside talk and fact. */
typedef enum EntryMark {
    MARK_NONE,
    MARK_EARLIER, /* stands for what was cut; never in a file */
    MARK_ROUND,   /* a round ended: its one line */
} EntryMark;

typedef struct Entry {
    LlmRole role;
    LlmEntryKind kind;
    EntryMark mark;
    uint32_t round;
    uint32_t phase_no;
    int64_t unix_ms;
    char *content; /* not terminated; mem_free */
    size_t len;
} Entry;

const char *entry_role_name(LlmRole role); /* "system", "user", "assistant" */

/* Appends the line with its end. */
void entry_write(const Entry *entry, Buf *out);
/* Errors: ERR_SYNTAX, ERR_LIMIT, ERR_MEMORY. The entry's content is the caller's to free. */
int entry_read(Str line, Entry *ret_entry, Err *err);

#endif
