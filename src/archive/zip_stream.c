#include "archive/zip_stream.h"

#include "archive/tar_writer.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/regular_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIME_1980   315532800
#define PIECE_BYTES ((size_t)64 * 1024)

struct ZipStream {
    struct archive *zip;
    struct archive_entry *entry;
    Buf *out; /* of the call */
    bool is_open;
    int fd;        /* of the file under way; -1 = none */
    uint64_t left; /* of it */
    char room[PIECE_BYTES];
};

static la_ssize_t take_bytes(struct archive *zip, void *user, const void *bytes, size_t n)
{
    const ZipStream *stream = user;

    if (!stream->out) /* it ends before its end: what libarchive still had is nobody's */
        return (la_ssize_t)n;
    buf_add(stream->out, (Str){bytes, n});
    if (!buf_failed(stream->out))
        return (la_ssize_t)n;
    archive_set_error(zip, ENOMEM, "out of memory");
    return -1;
}

static int zip_error(const ZipStream *stream, Err *err)
{
    const char *why = archive_error_string(stream->zip);

    return err_set(err, ERR_IO, "zip: %s", why ? why : "libarchive refused");
}

ZipStream *zip_stream_new(void)
{
    ZipStream *stream = mem_new(sizeof(*stream));

    if (!stream)
        return NULL;
    stream->fd = -1;
    stream->zip = archive_write_new();
    stream->entry = archive_entry_new();
    if (stream->zip && stream->entry && archive_write_set_format_zip(stream->zip) == ARCHIVE_OK &&
        archive_write_set_options(stream->zip, "zip:compression-level=1") == ARCHIVE_OK &&
        archive_write_set_bytes_per_block(stream->zip, 0) == ARCHIVE_OK)
        return stream;
    return zip_stream_free(stream);
}

static void close_file(ZipStream *stream)
{
    if (stream->fd >= 0)
        close(stream->fd);
    stream->fd = -1;
}

ZipStream *zip_stream_free(ZipStream *stream)
{
    if (!stream)
        return NULL;
    close_file(stream);
    stream->out = NULL;
    archive_write_free(stream->zip);
    archive_entry_free(stream->entry);
    return mem_free(stream);
}

/* At the first file: libarchive may write already. */
static int open_archive(ZipStream *stream, Buf *out, Err *err)
{
    stream->out = out;
    if (!stream->is_open &&
        archive_write_open(stream->zip, stream, NULL, take_bytes, NULL) != ARCHIVE_OK)
        return zip_error(stream, err);
    stream->is_open = true;
    return 0;
}

static int begin_entry(ZipStream *stream)
{
    int rc = open_archive(stream, stream->out, NULL);

    return rc ? rc : archive_write_header(stream->zip, stream->entry);
}

int zip_stream_file(ZipStream *stream, const char *path, const char *file, Buf *out, Err *err)
{
    struct stat about;

    if (!archive_path_is_good(str_of(path)))
        return err_set(err, ERR_RULE, "'%.200s' can't be a path in an archive", path);
    int rc = regular_file_open(file, &stream->fd, err);
    if (rc)
        return rc;
    if (fstat(stream->fd, &about)) {
        rc = disk_error(err, "read", file);
        close_file(stream);
        return rc;
    }
    stream->left = (uint64_t)about.st_size;
    archive_entry_clear(stream->entry);
    archive_entry_set_pathname(stream->entry, path);
    archive_entry_set_filetype(stream->entry, AE_IFREG);
    archive_entry_set_perm(stream->entry, 0644);
    archive_entry_set_size(stream->entry, about.st_size);
    archive_entry_set_mtime(stream->entry, TIME_1980, 0);
    stream->out = out;
    if (begin_entry(stream) == 0)
        return 0;
    close_file(stream);
    const char *why = archive_error_string(stream->zip);
    return err_set(err, ERR_MEMORY, "zip: %s", why ? why : "libarchive refused");
}

/* Up to a piece of the file. */
static int read_piece(ZipStream *stream, size_t *ret_bytes, Err *err)
{
    const size_t want = stream->left < PIECE_BYTES ? (size_t)stream->left : PIECE_BYTES;
    ssize_t n;

    do {
        n = read(stream->fd, stream->room, want);
    } while (n < 0 && errno == EINTR);
    if (n <= 0 && want)
        return err_set(err, ERR_IO, "zip: a file became shorter, or can't be read");
    *ret_bytes = (size_t)n;
    return 0;
}

int zip_stream_more(ZipStream *stream, Buf *out, Err *err)
{
    size_t n = 0;
    int rc = read_piece(stream, &n, err);

    if (rc)
        return rc;
    stream->out = out;
    if (n && archive_write_data(stream->zip, stream->room, n) != (la_ssize_t)n)
        return zip_error(stream, err);
    stream->left -= n;
    if (stream->left)
        return 1;
    close_file(stream);
    return archive_write_finish_entry(stream->zip) == ARCHIVE_OK ? 0 : zip_error(stream, err);
}

int zip_stream_end(ZipStream *stream, Buf *out, Err *err)
{
    int rc = open_archive(stream, out, err);

    return rc == 0 && archive_write_close(stream->zip) != ARCHIVE_OK ? zip_error(stream, err) : rc;
}
