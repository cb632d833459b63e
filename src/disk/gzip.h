/* gzip.h - gzip in memory: texts packed, and what is packed read piece by piece.
 *
 * For:    log files, and answers of web servers. zlib is behind it.
 * Memory: appends to the caller's Buf; a Gunzip owns its state.
 * Thread: any, each with its own.
 * Source: RFC 1952. The same text always gives the same bytes: no time, no name.
 */
#ifndef WARG_DISK_GZIP_H
#define WARG_DISK_GZIP_H

#include "base/buf.h"
#include "base/err.h"

/* Levels of zlib: an exchange record of 15 players takes 2.6 ms and 5.1 KB when it is to be small,
 * or 0.35 ms and 6.5. */
typedef enum GzipLevel {
    GZIP_QUICK = 4,
    GZIP_USUAL = 6,
    GZIP_SMALL = 9,
} GzipLevel;

/* Errors: ERR_LIMIT (4 GiB), ERR_MEMORY. */
int gzip_pack(Str text, GzipLevel level, Buf *out, Err *err);

/* Whether bytes begin as gzip does. */
bool gzip_is(Str bytes);

typedef struct Gunzip Gunzip;
/* `out` gets at most `bytes_max` bytes in all; `what` is named in errors ("read 'x.gz'"). NULL
 * without memory. */
Gunzip *gunzip_new(const char *what, size_t bytes_max, Buf *out);
Gunzip *gunzip_free(Gunzip *gunzip); /* takes NULL, returns NULL */
/* The next bytes. A file may have several members. Errors: ERR_SYNTAX for damaged data, ERR_LIMIT,
 * ERR_MEMORY. */
int gunzip_feed(Gunzip *gunzip, Str bytes, Err *err);
/* No bytes follow. Errors: ERR_SYNTAX when they stop in the middle. */
int gunzip_end(const Gunzip *gunzip, Err *err);

/* All at once. Errors: as above. */
int gunzip_text(Str packed, const char *what, size_t bytes_max, Buf *out, Err *err);

#endif
