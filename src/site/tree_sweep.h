/* tree_sweep.h - unpacked versions that nothing can play any more leave the disk.
 *
 * For:    the server's turn, once an hour; each second while there is more.
 * Memory: plain values; everything is borrowed for the call.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 5.1 (`keep`), 5.2. A tree is kept while a version of its
 *         digest is neither refused nor beyond `keep` (whose file is gone), a game was played by
 *         it (`program`), or a stage or round that is not over is to be played by it. What a job is
 * about to be told of is not in the store yet: nothing is removed while a version is unpacked,
 * built or checked.
 */
#ifndef WARG_SITE_TREE_SWEEP_H
#define WARG_SITE_TREE_SWEEP_H

#include "store/db.h"

#include <stdbool.h>

/* Removes one tree of DATA/trees at most, as it may have many files. `ret_more`: there was one,
 * look again. Errors: those of the store, ERR_IO. */
int tree_sweep(Db *db, const char *data, bool *ret_more, Err *err);

#endif
