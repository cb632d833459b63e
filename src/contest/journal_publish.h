/* journal_publish.h - what of a journal's lines is published.
 *
 * For:    bundles, and the ledger, which is about what is published.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.5: without secrets, addresses and outputs.
 */
#ifndef WARG_CONTEST_JOURNAL_PUBLISH_H
#define WARG_CONTEST_JOURNAL_PUBLISH_H

#include "journal/journal_line.h"

/* Appends line `number` with its newline, as it is but for the commands in the plan; nothing for a
 * note of this machine. Of a published line it gives the same. Errors: ERR_SYNTAX with the line,
 * ERR_MEMORY. */
int journal_publish_line(Str line, unsigned number, GameRecord *scratch, Buf *out, Err *err);

#endif
