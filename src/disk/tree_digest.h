/* tree_digest.h - one number for all files of a folder: whether a program is still the one that it
 * was.
 *
 * For:    contest/stage_chance.h, which fixes programs before their chance is known.
 * Memory: none that is kept; a list of the names while it reads.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 5.2, "Tree digest".
 *
 * SHA-256 over `path NUL mode-octal NUL size NUL sha256-hex LF` of all files in the byte order of
 * their paths. The mode is 0555 for what may be executed, else 0444. A link counts as a file of
 * mode 120000 whose text is where it leads. What interpreters leave behind (__pycache__) does not
 * count.
 */
#ifndef WARG_DISK_TREE_DIGEST_H
#define WARG_DISK_TREE_DIGEST_H

#include "base/err.h"
#include "base/key.h"

#define TREE_FILES_MAX 200000u

/* One file, in the byte order of their paths. */
typedef struct TreeFile {
    const char *path; /* borrowed for the call */
    bool link;
    bool may_run;
    uint64_t bytes;
    Key sha256; /* of a link: of where it leads */
} TreeFile;

/* Hears each file. Errors: as tree_digest, and what `hear` returns. */
int tree_files(const char *folder, int (*hear)(void *user, const TreeFile *file, Err *err),
               void *user, Err *err);

/* Errors: ERR_IO that names the file, ERR_RULE for what is no file, folder or link, ERR_LIMIT,
 * ERR_MEMORY. */
int tree_digest(const char *folder, Key *ret_digest, Err *err);

#endif
