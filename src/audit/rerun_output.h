/* rerun_output.h - what came of asking programs again, for people, in two languages, and as JSON.
 *
 * For:    `warg audit --rerun`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 8.5: programs that use chance or clocks are told so.
 */
#ifndef WARG_AUDIT_RERUN_OUTPUT_H
#define WARG_AUDIT_RERUN_OUTPUT_H

#include "audit/rerun.h"
#include "base/json.h"

/* A line for each, with more below it where something differs. */
void rerun_write(const RerunVerdict verdicts[], uint32_t count, bool japanese, Buf *out);
/* A list of objects, as the next value. */
void rerun_write_json(const RerunVerdict verdicts[], uint32_t count, Json *json);

#endif
