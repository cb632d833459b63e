#include "disk/gzip.h"

#include "base/mem.h"

#include <limits.h>
#define ZLIB_CONST /* inputs are const */
#include <zlib.h>

#define CHUNK ((size_t)64 * 1024)

/* zlib writes a header without time and name of its own accord; only its system byte differs
 * from machine to machine, and inflate ignores it: 255 means unknown. */
int gzip_pack(Str text, GzipLevel level, Buf *out, Err *err)
{
    z_stream z = {0};
    gz_header header = {.os = 255};
    char packed[CHUNK];
    int got;

    if (text.len > UINT_MAX)
        return err_set(err, ERR_LIMIT, "compress a log: more than 4 GiB");
    if (deflateInit2(&z, (int)level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return err_set(err, ERR_MEMORY, "compress a log: out of memory");
    deflateSetHeader(&z, &header);
    z.next_in = (const unsigned char *)text.bytes;
    z.avail_in = (unsigned)text.len;
    do {
        z.next_out = (unsigned char *)packed;
        z.avail_out = sizeof(packed);
        got = deflate(&z, Z_FINISH);
        buf_add(out, (Str){packed, sizeof(packed) - z.avail_out});
    } while (got == Z_OK);
    deflateEnd(&z);
    return got == Z_STREAM_END && !buf_failed(out)
               ? 0
               : err_set(err, ERR_MEMORY, "compress a log: out of memory");
}

bool gzip_is(Str bytes)
{
    return str_starts(bytes, STR("\x1F\x8B"));
}

struct Gunzip {
    const char *what;
    size_t bytes_max;
    size_t start; /* length of `out` before */
    Buf *out;
    bool ended; /* the member is complete */
    z_stream stream;
};

Gunzip *gunzip_new(const char *what, size_t bytes_max, Buf *out)
{
    Gunzip *gunzip = mem_new(sizeof(*gunzip));

    if (!gunzip)
        return NULL;
    gunzip->what = what;
    gunzip->bytes_max = bytes_max;
    gunzip->start = out->len;
    gunzip->out = out;
    if (inflateInit2(&gunzip->stream, 15 + 16) != Z_OK) /* 16: gzip only */
        return mem_free(gunzip);
    return gunzip;
}

Gunzip *gunzip_free(Gunzip *gunzip)
{
    if (gunzip)
        inflateEnd(&gunzip->stream);
    return mem_free(gunzip);
}

static int take_plain(Gunzip *gunzip, Str bytes, Err *err)
{
    if (bytes.len > gunzip->bytes_max - (gunzip->out->len - gunzip->start))
        return err_set(err, ERR_LIMIT, "%s: more than %zu bytes", gunzip->what, gunzip->bytes_max);
    buf_add(gunzip->out, bytes);
    if (buf_failed(gunzip->out))
        return err_set(err, ERR_MEMORY, "%s: out of memory", gunzip->what);
    return 0;
}

/* Up to the end of a member, or of the input. */
static int inflate_member(Gunzip *gunzip, Err *err)
{
    char plain[CHUNK];
    z_stream *z = &gunzip->stream;

    if (gunzip->ended && inflateReset(z) != Z_OK)
        return err_set(err, ERR_MEMORY, "%s: out of memory", gunzip->what);
    gunzip->ended = false;
    do {
        z->next_out = (unsigned char *)plain;
        z->avail_out = sizeof(plain);
        int got = inflate(z, Z_NO_FLUSH);
        if (got != Z_OK && got != Z_STREAM_END && got != Z_BUF_ERROR)
            return err_set(err, ERR_SYNTAX, "%s: damaged gzip data%s%s", gunzip->what,
                           z->msg ? ": " : "", z->msg ? z->msg : "");
        int rc = take_plain(gunzip, (Str){plain, sizeof(plain) - z->avail_out}, err);
        if (rc)
            return rc;
        gunzip->ended = got == Z_STREAM_END;
    } while (!gunzip->ended && z->avail_out == 0);
    return 0;
}

/* A gzip file may consist of several members, one behind the other (RFC 1952 2.2). */
int gunzip_feed(Gunzip *gunzip, Str bytes, Err *err)
{
    z_stream *z = &gunzip->stream;
    int rc = 0;

    while (rc == 0 && (bytes.len > 0 || z->avail_in > 0)) {
        if (z->avail_in == 0) {
            size_t n = bytes.len < CHUNK ? bytes.len : CHUNK;
            z->next_in = (const unsigned char *)bytes.bytes;
            z->avail_in = (unsigned)n;
            bytes = str_part(bytes, n, bytes.len);
        }
        rc = inflate_member(gunzip, err);
    }
    return rc;
}

int gunzip_end(const Gunzip *gunzip, Err *err)
{
    if (gunzip->ended)
        return 0;
    return err_set(err, ERR_SYNTAX, "%s: the gzip data stops in the middle", gunzip->what);
}

int gunzip_text(Str packed, const char *what, size_t bytes_max, Buf *out, Err *err)
{
    Gunzip *gunzip = gunzip_new(what, bytes_max, out);

    if (!gunzip)
        return err_set(err, ERR_MEMORY, "%s: out of memory", what);
    int rc = gunzip_feed(gunzip, packed, err);
    if (rc == 0)
        rc = gunzip_end(gunzip, err);
    gunzip_free(gunzip);
    return rc;
}
