/* audit_output.h - the verdicts of an audit for people, in two languages, and as JSON.
 *
 * For:    `warg audit`, `warg bundle`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.5: a line a step.
 */
#ifndef WARG_AUDIT_AUDIT_OUTPUT_H
#define WARG_AUDIT_AUDIT_OUTPUT_H

#include "audit/audit.h"
#include "audit/rerun.h"
#include "base/buf.h"

void audit_write(const AuditReport *report, bool japanese, Buf *out);
/* With the verdicts on programs that were asked again, if any were. */
void audit_write_json(const AuditReport *report, const RerunVerdict reruns[], uint32_t rerun_count,
                      Buf *out);

#endif
