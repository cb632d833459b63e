/* store_copy.h - all rows of a site's store in another one, of either kind of database.
 *
 * For:    backups of a store on PostgreSQL, which are SQLite files; restoring them.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 16.3.
 */
#ifndef WARG_SITE_STORE_COPY_H
#define WARG_SITE_STORE_COPY_H

#include "store/db.h"

/* Fills `to`, which site_store_open has made and nobody has used, with the rows of `from` as they
 * are at one moment. One of both is a file. Errors: ERR_RULE when `to` has rows, or the schemas
 * differ; those of the store. */
int store_copy(Db *from, Db *to, Err *err);

#endif
