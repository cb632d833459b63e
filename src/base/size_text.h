/* size_text.h - sizes as people write them: 4096, 512KiB, 1GiB.
 *
 * For:    configuration files.
 * Memory: none.
 * Thread: any.
 * Source: IEC 80000-13: KiB is 1024 bytes, and so on.
 */
#ifndef WARG_BASE_SIZE_TEXT_H
#define WARG_BASE_SIZE_TEXT_H

#include "base/buf.h"

/* A whole number, and behind it nothing or one of KiB, MiB, GiB, TiB, without a blank between: true
 * and its bytes. False for any other text, and for what is more than INT64_MAX bytes. */
bool size_text_read(Str text, uint64_t *ret_bytes);

/* Appends it as short as it is exact: "1GiB", "1536MiB", "1000". */
void size_text_write(uint64_t bytes, Buf *out);

#endif
