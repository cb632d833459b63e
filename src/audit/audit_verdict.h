/* audit_verdict.h - how a step of an audit says what it found.
 *
 * For:    the files of this room.
 * Memory: plain values.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.5: each step's first contradiction with file and line.
 */
#ifndef WARG_AUDIT_AUDIT_VERDICT_H
#define WARG_AUDIT_AUDIT_VERDICT_H

#include "audit/audit.h"

/* The first contradiction stays. `line` 0 = none. */
__attribute__((format(printf, 4, 5))) void audit_contradict(AuditVerdict *verdict, const char *file,
                                                            unsigned line, const char *format, ...);

#endif
