/* pages_thread.h - pages of games that are played elsewhere in the process: a loop and a thread of
 *                  their own.
 *
 * For:    `warg run`, whose stages come and go with loops of their own.
 * Memory: a PagesThread owns its loop and pages; what the setup points to is borrowed.
 * Thread: all here is the caller's; the sink too: one thread at a time. `note` is called on the
 *         thread of the pages.
 * Source: docs/spec/web.md 3; docs/architecture.md, "Loops".
 */
#ifndef WARG_SERVE_PAGES_THREAD_H
#define WARG_SERVE_PAGES_THREAD_H

#include "serve/live_pages.h"

typedef struct PagesThread PagesThread;

/* Listens, and makes `folder`, which is shown too (NULL = none; borrowed). Errors: those of
 * live_pages_open and live_pages_begin, ERR_IO. */
int pages_thread_open(const LivePagesSetup *setup, const char *folder, TimeUs now,
                      PagesThread **ret_thread, Err *err);
/* What was told is sent before. Takes NULL. */
PagesThread *pages_thread_free(PagesThread *thread);

/* What it is told travels as letters. */
const LiveSink *pages_thread_sink(const PagesThread *thread);
/* As live_pages_write_address. */
void pages_thread_write_address(const PagesThread *thread, bool token_is_kept, Buf *out);

#endif
