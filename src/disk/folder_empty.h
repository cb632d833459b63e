/* folder_empty.h - empties a folder that others have written in, a few names at a time.
 *
 * For:    what of a site leaves the disk while its server goes on: site/output_sweep.h.
 * Memory: none is kept, however deep the folders are.
 * Thread: any; who writes there meanwhile only makes it take longer.
 * Source: docs/spec/web.md 11.7: no link is followed.
 *
 * Folders lie at most one in another: what is deeper is moved up first, so that no depth and no
 * length of a path that a program has made is more than can be opened.
 */
#ifndef WARG_DISK_FOLDER_EMPTY_H
#define WARG_DISK_FOLDER_EMPTY_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* Removes or moves up at most `*budget` names (2 or more) below the open folder `folder`, which
 * itself stays, and counts them down. `ret_empty`: nothing is left. A link is removed, and what it
 * leads to stays. Errors: ERR_IO for the first name that can't be removed; the others are all the
 * same. */
int folder_empty(int folder, uint32_t *budget, bool *ret_empty, Err *err);

#endif
