#define _GNU_SOURCE /* fallocate, O_TMPFILE */
#include "nlp/queue_file.h"

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

struct QueueFile {
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

int queue_file_new(const char *dir, QueueFile **ret_spool, Err *err)
{
    QueueFile *queue = mem_new(sizeof(*queue));

    if (!queue)
        return err_set(err, ERR_MEMORY, "realtime: out of memory");
    queue->fd = open_unnamed(dir, err);
    if (queue->fd < 0) {
        int rc = queue->fd;
        mem_free(queue);
        return rc;
    }
    *ret_spool = queue;
    return 0;
}

QueueFile *queue_file_free(QueueFile *queue)
{
    if (!queue)
        return NULL;
    close(queue->fd);
    buf_done(&queue->pending);
    return mem_free(queue);
}

/* Up to where the next piece begins. */
static int write_pending(QueueFile *queue, Err *err)
{
    size_t over = (size_t)(queue->written + (off_t)queue->pending.len) % PENDING_BYTES;
    const Str piece = str_part(buf_str(&queue->pending), 0, queue->pending.len - over);

    if (disk_write_at(queue->fd, piece, queue->written))
        return spool_error(err, "write");
    queue->written += (off_t)piece.len;
    memmove(queue->pending.bytes, piece.bytes + piece.len, over);
    buf_cut(&queue->pending, over);
    return 0;
}

int queue_file_add(QueueFile *queue, const Str *parts, size_t count, Err *err)
{
    size_t before = queue->pending.len;
    int rc = 0;

    for (size_t i = 0; i < count; i++)
        buf_add(&queue->pending, parts[i]);
    if (buf_failed(&queue->pending))
        rc = err_set(err, ERR_MEMORY, "realtime: out of memory");
    else if (queue->pending.len >= PENDING_BYTES)
        rc = write_pending(queue, err);
    if (rc)
        buf_cut(&queue->pending, before);
    return rc;
}

/* A file system that knows no holes keeps the blocks until nothing waits. */
static void give_back(QueueFile *queue)
{
    if (queue->first == queue->written && queue->pending.len == 0) {
        if (queue->written > HOLE_BYTES && disk_cut(queue->fd, 0) == 0)
            queue->first = queue->written = queue->hole = 0;
    } else if (queue->first - queue->hole >= HOLE_BYTES) {
        off_t end = queue->first - queue->first % HOLE_BYTES;
        fallocate(queue->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, queue->hole,
                  end - queue->hole);
        queue->hole = end;
    }
}

static int read_file(QueueFile *queue, size_t bytes, Buf *out, Err *err)
{
    off_t at = queue->first;

    if (!buf_reserve(out, bytes))
        return err_set(err, ERR_MEMORY, "realtime: out of memory");
    while (bytes > 0) {
        ssize_t n = pread(queue->fd, out->bytes + out->len, bytes, at);
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

int queue_file_take(QueueFile *queue, size_t bytes, Buf *out, Err *err)
{
    size_t filed = (size_t)(queue->written - queue->first);
    size_t from_file = bytes < filed ? bytes : filed;
    size_t rest = bytes - from_file;

    assert(rest <= queue->pending.len);
    buf_clear(out);
    int rc = from_file ? read_file(queue, from_file, out, err) : 0;
    if (rest > 0) { /* never written: its place in the file stays a hole */
        Buf *pending = &queue->pending;
        buf_add(out, (Str){pending->bytes, rest});
        pending->len -= rest;
        memmove(pending->bytes, pending->bytes + rest, pending->len);
        queue->written += (off_t)rest;
    }
    queue->first += (off_t)bytes;
    give_back(queue);
    if (rc == 0 && buf_failed(out))
        rc = err_set(err, ERR_MEMORY, "realtime: out of memory");
    return rc;
}
