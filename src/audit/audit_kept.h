/* audit_kept.h - a ledger beside what others have kept of it: its key, checkpoints.
 *
 * For:    audit.c.
 * Memory: none that is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.3, 11.5: consistency with checkpoints from elsewhere.
 */
#ifndef WARG_AUDIT_AUDIT_KEPT_H
#define WARG_AUDIT_AUDIT_KEPT_H

#include "audit/audit.h"

#define CHECKPOINTS_FOLDER "checkpoints" /* of a bundle: those that were signed on the way */

/* Compares the ledger of setup->dir, which holds, with setup->key, the files that the setup names
 * and those of DIR/checkpoints. What it finds goes into `verdict`. Errors: ERR_MEMORY. */
int audit_kept_check(const AuditSetup *setup, AuditVerdict *verdict, Err *err);

#endif
