/* starter_lib.h - the Java libraries of an old starter's configuration.
 *
 * For:    contest/starter_file.h.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: the old starter took every jar under `lib`, however deep. `java -cp` with a star behind a
 *         folder takes those of this one folder.
 */
#ifndef WARG_CONTEST_STARTER_LIB_H
#define WARG_CONTEST_STARTER_LIB_H

#include "base/buf.h"
#include "base/err.h"

#define STARTER_LIB_PATH_MAX 3000 /* bytes of a class path: a command has room for 4,096 */

/* Appends a class path: all jars of `lib`, and, as seen from `folder` ("" = the current one), of
 * every folder under it that holds one, upper ones first and in the order of their names' bytes.
 * Folders that begin with a dot and symbolic links are passed over, and so are folders that can't
 * be read. Errors: ERR_LIMIT beyond STARTER_LIB_PATH_MAX or 16 folders of depth; ERR_MEMORY. */
int starter_lib_find(const char *folder, Str lib, Buf *out, Err *err);

/* Appends the jars of this one folder. */
void starter_lib_add(Str lib, Buf *out);

#endif
