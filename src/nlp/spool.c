#define _GNU_SOURCE /* fallocate, O_TMPFILE */
#include "nlp/spool.h"

#include "base/mem.h"
#include "disk/disk_call.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* What is written at once, from a multiple of it on: so the kernel takes it in one piece and not
 * page by page, which costs half as much. */
#define PENDING_BYTES ((size_t)64 * 1024)
/* The front of the file is given back in such steps. */
#define HOLE_BYTES ((off_t)8 * 1024 * 1024)

struct Spool {
    int fd;
    off_t first;   /* of what waits */
    off_t written; /* behind what the file has; `pending` comes there */
    off_t hole;    /* before this the file has no blocks any more */
    Buf pending;
};

static int spool_error(Err *err, const char *what)
{
    return err_set(err, ERR_IO, "%s what waits for the broadcast: %s", what, strerror(errno));
}

/* Not every file system has files without names from the start. */
static int open_unnamed(const char *dir, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int fd = disk_open(dir, O_TMPFILE | O_RDWR, 0600);

    if (fd >= 0)
        return fd;
    buf_printf(&path, "%s/.waiting-%ld", dir, (long)getpid());
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "realtime: out of memory");
    fd = disk_open(buf_cstr(&path), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return disk_error(err, "write", buf_cstr(&path));
    (void)disk_remove(buf_cstr(&path));
    return fd;
}

int spool_new(const char *dir, Spool **ret_spool, Err *err)
{
    Spool *spool = mem_new(sizeof(*spool));

    if (!spool)
        return err_set(err, ERR_MEMORY, "realtime: out of memory");
    spool->fd = open_unnamed(dir, err);
    if (spool->fd < 0) {
        int rc = spool->fd;
        mem_free(spool);
        return rc;
    }
    *ret_spool = spool;
    return 0;
}

Spool *spool_free(Spool *spool)
{
    if (!spool)
        return NULL;
    close(spool->fd);
    buf_done(&spool->pending);
    return mem_free(spool);
}

/* Up to where the next piece begins. */
static int write_pending(Spool *spool, Err *err)
{
    size_t over = (size_t)(spool->written + (off_t)spool->pending.len) % PENDING_BYTES;
    const Str piece = str_part(buf_str(&spool->pending), 0, spool->pending.len - over);

    if (disk_write_at(spool->fd, piece, spool->written))
        return spool_error(err, "write");
    spool->written += (off_t)piece.len;
    memmove(spool->pending.bytes, piece.bytes + piece.len, over);
    buf_cut(&spool->pending, over);
    return 0;
}

int spool_add(Spool *spool, const Str *parts, size_t count, Err *err)
{
    size_t before = spool->pending.len;
    int rc = 0;

    for (size_t i = 0; i < count; i++)
        buf_add(&spool->pending, parts[i]);
    if (buf_failed(&spool->pending))
        rc = err_set(err, ERR_MEMORY, "realtime: out of memory");
    else if (spool->pending.len >= PENDING_BYTES)
        rc = write_pending(spool, err);
    if (rc)
        buf_cut(&spool->pending, before);
    return rc;
}

/* A file system that knows no holes keeps the blocks until nothing waits. */
static void give_back(Spool *spool)
{
    if (spool->first == spool->written && spool->pending.len == 0) {
        if (spool->written > HOLE_BYTES && disk_cut(spool->fd, 0) == 0)
            spool->first = spool->written = spool->hole = 0;
    } else if (spool->first - spool->hole >= HOLE_BYTES) {
        off_t end = spool->first - spool->first % HOLE_BYTES;
        fallocate(spool->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, spool->hole,
                  end - spool->hole);
        spool->hole = end;
    }
}

static int read_file(Spool *spool, size_t bytes, Buf *out, Err *err)
{
    off_t at = spool->first;

    if (!buf_reserve(out, bytes))
        return err_set(err, ERR_MEMORY, "realtime: out of memory");
    while (bytes > 0) {
        ssize_t n = pread(spool->fd, out->bytes + out->len, bytes, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return spool_error(err, "read");
        out->len += (size_t)n;
        bytes -= (size_t)n;
        at += n;
    }
    out->bytes[out->len] = '\0';
    return 0;
}

int spool_take(Spool *spool, size_t bytes, Buf *out, Err *err)
{
    size_t filed = (size_t)(spool->written - spool->first);
    size_t from_file = bytes < filed ? bytes : filed;
    size_t rest = bytes - from_file;

    assert(rest <= spool->pending.len);
    buf_clear(out);
    int rc = from_file ? read_file(spool, from_file, out, err) : 0;
    if (rest > 0) { /* never written: its place in the file stays a hole */
        Buf *pending = &spool->pending;
        buf_add(out, (Str){pending->bytes, rest});
        pending->len -= rest;
        memmove(pending->bytes, pending->bytes + rest, pending->len);
        spool->written += (off_t)rest;
    }
    spool->first += (off_t)bytes;
    give_back(spool);
    if (rc == 0 && buf_failed(out))
        rc = err_set(err, ERR_MEMORY, "realtime: out of memory");
    return rc;
}
