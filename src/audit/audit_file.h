/* audit_file.h - the contest file of a site's bundle, as it held at some moment.
 *
 * For:    audit_judging, audit_site; the site, which puts them there.
 * Memory: none that is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.3, 11.5.
 *
 *     DIR/contest.yml            the one that held last
 *     DIR/amended/DIGEST.yml     those before it, by their SHA-256
 *
 * The ledger's entries `contest` and `amend` have the digest of the file that holds from then on.
 */
#ifndef WARG_AUDIT_AUDIT_FILE_H
#define WARG_AUDIT_AUDIT_FILE_H

#include "audit/audit.h"
#include "base/buf.h"

#define BUNDLE_CONTEST "contest.yml"
#define BUNDLE_AMENDED "amended"

/* Appends the contest file of this digest, and in `name` what it is called in DIR. One that is not
 * there, or is another, is a contradiction. Errors: ERR_MEMORY. */
int audit_file_read(const char *dir, Str digest, Buf *text, Buf *name, AuditVerdict *verdict,
                    Err *err);

#endif
