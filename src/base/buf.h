/* buf.h - text that grows: append freely, ask once at the end whether memory ran out.
 *
 * For:    building log lines, JSON, messages.
 * Memory: the caller's struct; buf_done frees the bytes. buf_clear keeps them for reuse, so a
 *         buffer in a loop stops allocating after the first rounds.
 * Thread: one at a time.
 * Source: style guide, "Memory": growable buffers remember a failed allocation.
 */
#ifndef WARG_BASE_BUF_H
#define WARG_BASE_BUF_H

#include "base/mem.h"
#include "base/str.h"

/* Open for `bytes` and `len`; the bytes always end in a NUL that len does not count. */
typedef struct Buf {
    char *bytes; /* NULL until the first append */
    size_t len;
    size_t room;
    bool failed;
} Buf;

/* An empty buffer: Buf buf = {0} does the same. */
void buf_init(Buf *buf);
void buf_done(Buf *buf); /* also for CLEANUP(buf_done) */
void buf_clear(Buf *buf);
/* Back to its first `len` bytes, as they were before an append, also one that failed. */
void buf_cut(Buf *buf, size_t len);

/* Room for `more` bytes and the NUL behind what is there, for who writes them by hand; false when
 * there is no memory (buf_failed). */
bool buf_reserve(Buf *buf, size_t more);

/* Makes room first; buf_add is the way in. */
void buf_add_grown(Buf *buf, Str text);

static inline void buf_add(Buf *buf, Str text)
{
    if (buf->failed || text.len >= buf->room - buf->len) {
        buf_add_grown(buf, text);
        return;
    }
    if (text.len)
        memcpy(buf->bytes + buf->len, text.bytes, text.len);
    buf->len += text.len;
    buf->bytes[buf->len] = '\0';
}

static inline void buf_add_char(Buf *buf, char c)
{
    buf_add(buf, (Str){&c, 1});
}

void buf_add_uint(Buf *buf, uint64_t value);
void buf_add_int(Buf *buf, int64_t value);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* True when an append did not fit into memory: the text is incomplete then. */
bool buf_failed(const Buf *buf);

/* The same for who could not make a piece of it for another reason, such as memory of its own; as
 * if it had been written here. */
void buf_fail(Buf *buf);

/* What was written, borrowed until the next change. */
Str buf_str(const Buf *buf);

/* The same as a terminated C string; never NULL. */
const char *buf_cstr(const Buf *buf);

#endif
