/* document.h - what finalists hand in beside a version: their source, a description, a licence;
 * who is reminded, who is out.
 *
 * For:    the API's documents, the clock at REVISION, bundles.
 * Memory: none is kept.
 * Thread: the store's. All in the caller's transaction.
 * Source: docs/spec/contest-operations.md 5.3, O28; R21 3.3.
 */
#ifndef WARG_SITE_DOCUMENT_H
#define WARG_SITE_DOCUMENT_H

#include "base/json.h"
#include "store/db.h"

#define DOCUMENT_DESCRIPTION_BYTES ((int64_t)20 * 1024 * 1024)

typedef enum DocumentKind {
    DOCUMENT_SOURCE,      /* an archive: listed, never run */
    DOCUMENT_DESCRIPTION, /* PDF, Markdown or plain text */
    DOCUMENT_KINDS,
} DocumentKind;

/* "source", "description"; DOCUMENT_KINDS for any other word. */
DocumentKind document_kind_of(Str word);

typedef struct DocumentSetup {
    int64_t team;
    DocumentKind kind;
    Str blob;    /* digest of the upload */
    Str media;   /* its media type */
    Str licence; /* SPDX or words, at most 100 bytes; may be empty */
    int64_t bytes;
} DocumentSetup;

#define DOCUMENT_KEEP 5 /* of a kind: a team must not fill the disk of all */

/* Another one of the kind takes the place of the one before; the newest DOCUMENT_KEEP are kept.
 * `ret_drops` gets, a line each, the digests of files that nobody needs any more. Errors: ERR_RULE
 * with the field. */
int document_put(Db *db, const DocumentSetup *setup, int64_t now_ms, int64_t *ret_number,
                 Buf *ret_drops, Err *err);

/* Which of `required` (1 << DocumentKind, or-ed) the team has not handed in. */
int documents_missing(Db *db, int64_t team, unsigned required, unsigned *ret_missing, Err *err);

/* Tells each of these teams that lacks something, once at 7 days, 1 day and 1 hour before the
 * deadline. */
int documents_remind(Db *db, int64_t contest, const int64_t *teams, size_t count, unsigned required,
                     int64_t deadline_ms, int64_t now_ms, Err *err);
/* Behind the deadline: who lacks something is out, and the ledger says so. `ret_out`: how many. */
int documents_enforce(Db *db, int64_t contest, const int64_t *teams, size_t count,
                      unsigned required, int64_t now_ms, uint32_t *ret_out, Err *err);

/* An array of {"kind","number","blob","media","licence","at"}. */
int documents_write(Db *db, int64_t team, Json *json, Err *err);

#endif
