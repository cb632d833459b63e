/* secret.h - the secrets of a contest's stages: drawn and committed to when it opens, told when
 * their stage is over.
 *
 * For:    the clock's transitions; who plays reads the files (spool jobs name no secret).
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 11.1.
 *
 *     DATA/secrets/CONTEST/STAGE      32 bytes, 0600 in folders of 0700
 */
#ifndef WARG_SITE_SECRET_H
#define WARG_SITE_SECRET_H

#include "base/key.h"
#include "site/contest_home.h"
#include "store/db.h"

#define SECRET_TESTING    "testing"    /* of testing rounds */
#define SECRET_EVALUATION "evaluation" /* which games are judged, by whom */

/* Draws what is not drawn yet and adds an entry `commit` with stage and value for each of these
 * stages, testing and evaluation; those that are committed to stay as they are. In the caller's
 * transaction, behind site_ledger_begin. Errors: ERR_RULE for a name that is no file's; ERR_IO;
 * those of the ledger. */
int site_secret_commit(Db *db, const ContestHome *place, const Str *stages, size_t count,
                       int64_t now_ms, Err *err);

/* Whether the ledger has an entry `commit` of this stage. */
bool site_secret_is_committed(Db *db, int64_t contest, Str stage);

/* The secret of a stage. Errors: ERR_IO when there is none, ERR_SYNTAX when it is no secret. */
int site_secret_read(const char *data, Str contest, Str stage, Key *ret_secret, Err *err);

/* Adds an entry `reveal` with stage and value, once; nothing may be played with it any more. In the
 * caller's transaction. Errors: ERR_RULE when it is not the one that was committed to; as above. */
int site_secret_reveal(Db *db, const ContestHome *place, Str stage, int64_t now_ms, Err *err);
bool site_secret_is_revealed(Db *db, int64_t contest, Str stage);

/* The secret of testing round `round`: HMAC(secret of testing, "round" be64(round)). */
Key site_secret_of_round(const Key *testing, uint64_t round);

#endif
