/* version_report.h - the report of a version's check, for people: what the server and `warg contest
 *                    check` have as JSON.
 *
 * For:    `warg contest check`, `warg contest submit`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 7.
 *
 * A line a step, with what to change and what speaks against it below; then findings and warnings.
 * It may come from a server: what a terminal would obey is shown as U+FFFD.
 */
#ifndef WARG_SHOW_VERSION_REPORT_H
#define WARG_SHOW_VERSION_REPORT_H

#include "base/buf.h"
#include "base/err.h"

/* Errors: ERR_SYNTAX for what is no report, ERR_MEMORY. */
int version_report_write_text(Str report, Buf *out, Err *err);

/* Whether it says "passed"; false for what is no report. */
bool version_report_passed(Str report);

/* Appends why a version was refused or suspended, in this language: a sentence of
 * archive/remark.h, "check: STEP ..." with the steps that it failed, or somebody's words as they
 * are. */
void version_report_say_why(Str why, bool japanese, Buf *out);

#endif
