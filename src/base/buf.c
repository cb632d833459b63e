#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>

void buf_init(Buf *buf)
{
    *buf = (Buf){0};
}

void buf_done(Buf *buf)
{
    mem_free(buf->bytes);
    *buf = (Buf){0};
}

void buf_clear(Buf *buf)
{
    buf_cut(buf, 0);
}

void buf_cut(Buf *buf, size_t len)
{
    assert(len <= buf->len);
    buf->len = len;
    buf->failed = false;
    if (buf->bytes)
        buf->bytes[len] = '\0';
}

bool buf_reserve(Buf *buf, size_t more)
{
    if (buf->failed)
        return false;
    if (more < buf->room - buf->len && buf->room)
        return true;
    if (more > SIZE_MAX / 2 - buf->len - 1) {
        buf->failed = true;
        return false;
    }
    size_t want = buf->room ? buf->room : 64;
    while (want <= buf->len + more)
        want *= 2;
    char *bytes = mem_resize(buf->bytes, want, 1);
    if (!bytes) {
        buf->failed = true;
        return false;
    }
    buf->bytes = bytes;
    buf->room = want;
    return true;
}

void buf_add_grown(Buf *buf, Str text)
{
    if (!buf_reserve(buf, text.len))
        return;
    if (text.len)
        memcpy(buf->bytes + buf->len, text.bytes, text.len);
    buf->len += text.len;
    buf->bytes[buf->len] = '\0';
}

void buf_add_uint(Buf *buf, uint64_t value)
{
    if (value < 10) {
        buf_add_char(buf, (char)('0' + value));
        return;
    }
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    buf_add(buf, (Str){digits + at, sizeof(digits) - at});
}

void buf_add_int(Buf *buf, int64_t value)
{
    if (value < 0)
        buf_add_char(buf, '-');
    buf_add_uint(buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void buf_printf(Buf *buf, const char *format, ...)
{
    va_list args;
    va_list again;

    va_start(args, format);
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need < 0)
        buf->failed = true;
    else if (buf_reserve(buf, (size_t)need)) {
        vsnprintf(buf->bytes + buf->len, (size_t)need + 1, format, again);
        buf->len += (size_t)need;
    }
    va_end(again);
}

void buf_fail(Buf *buf)
{
    buf->failed = true;
}

bool buf_failed(const Buf *buf)
{
    return buf->failed;
}

Str buf_str(const Buf *buf)
{
    return (Str){buf->bytes ? buf->bytes : "", buf->len};
}

const char *buf_cstr(const Buf *buf)
{
    return buf->bytes ? buf->bytes : "";
}
