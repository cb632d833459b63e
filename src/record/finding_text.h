/* finding_text.h - a finding in words.
 *
 * For:    files of findings, and who is told of one.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.6.
 */
#ifndef WARG_RECORD_FINDING_TEXT_H
#define WARG_RECORD_FINDING_TEXT_H

#include "base/buf.h"
#include "record/finding.h"

/* Appends the text as it is kept: printable, whole characters, at most FINDING_TEXT_MAX bytes. */
void finding_add_text(Str text, Buf *out);

/* Appends for people: "agent bob tried what is forbidden: connect 8.8.8.8:53 (network)". */
void finding_print(Str agent, const Finding *finding, Buf *out);

#endif
