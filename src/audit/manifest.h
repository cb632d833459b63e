/* manifest.h - the list of a bundle's files: what each of them was when it was published.
 *
 * For:    bundle.c, which writes it; audit.c.
 * Memory: appends to the caller's Buf.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.5.
 *
 *     {"bundle":1,"contest":"cup","files":[
 *     {"path":"journal.jsonl","bytes":4711,"sha256":"3f1c..."},
 *     ...]}
 *
 * Files in the byte order of their paths, one a line; the manifest itself is not among them. Of a
 * contest site ("bundle":2) neither are its ledger and checkpoints, which are signed: the ledger's
 * last entry has the digest of the manifest.
 */
#ifndef WARG_AUDIT_MANIFEST_H
#define WARG_AUDIT_MANIFEST_H

#include "audit/audit.h"
#include "base/buf.h"

#define MANIFEST_FILE "manifest.json"

typedef enum ManifestForm {
    MANIFEST_ALL = 1,
    MANIFEST_SITE = 2, /* without ledger.jsonl, checkpoint and checkpoints/ */
} ManifestForm;

/* Appends the manifest of the files that the folder holds now. Errors: ERR_IO, ERR_RULE for what is
 * no file or folder, ERR_LIMIT, ERR_MEMORY. */
int manifest_write(const char *dir, ManifestForm form, Str contest, Buf *out, Err *err);

/* Whether the folder is as its manifest says; AUDIT_ABSENT without one.
 * Errors: ERR_MEMORY. */
int manifest_check(const char *dir, AuditVerdict *verdict, Err *err);

/* The contest that a manifest begins with, as it stands there; false for what begins otherwise. */
bool manifest_contest(Str text, ManifestForm *ret_form, Str *ret_contest);
/* The first line in which what is told and what is there now differ; nothing when none does. */
void manifest_compare(Str told, Str now, AuditVerdict *verdict);

#endif
