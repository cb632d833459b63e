#include "site/blob.h"

#include "base/id_source.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "store/db_row.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

struct BlobSink {
    Buf data; /* the data folder */
    Buf path; /* under way */
    Sha256 *hash;
    uint64_t bytes, limit;
    int fd; /* -1 = closed */
};

/* ---- places ---- */

static void incoming_path(const char *data, const char *name, Buf *out)
{
    buf_printf(out, "%s/incoming%s%s", data, *name ? "/" : "", name);
}

void blob_path(const char *data, Str sha256, Buf *out)
{
    const Str folder = str_part(sha256, 0, 2);

    buf_printf(out, "%s/blobs/%.*s/%.*s", data, STR_ARG(folder), STR_ARG(sha256));
}

/* ---- an upload ---- */

/* Closes and frees; the file is as it is. */
static void free_sink(BlobSink *sink)
{
    char ignored[SHA256_HEX_BYTES];

    if (sink->fd >= 0)
        (void)disk_close(sink->fd);
    if (sink->hash)
        sha256_end(sink->hash, ignored);
    buf_done(&sink->data);
    buf_done(&sink->path);
    mem_free(sink);
}

static int open_incoming(BlobSink *sink, const char *data, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    IdSource ids = {0};
    char id[ID_HEX_BYTES];
    int rc = id_source_hex(&ids, id, err);

    if (rc)
        return rc;
    incoming_path(data, "", &folder);
    incoming_path(data, id, &sink->path);
    buf_add(&sink->data, str_of(data));
    sink->hash = sha256_new();
    if (buf_failed(&folder) || buf_failed(&sink->path) || buf_failed(&sink->data) || !sink->hash)
        return err_set(err, ERR_MEMORY, "upload: out of memory");
    rc = folder_make(buf_str(&folder), err);
    if (rc)
        return rc;
    sink->fd = disk_open(buf_cstr(&sink->path), O_WRONLY | O_CREAT | O_EXCL, 0600);
    return sink->fd < 0 ? disk_error(err, "make the file", buf_cstr(&sink->path)) : 0;
}

int blob_begin(const char *data, uint64_t limit, BlobSink **ret_sink, Err *err)
{
    BlobSink *sink = mem_new(sizeof(*sink));

    if (!sink)
        return err_set(err, ERR_MEMORY, "upload: out of memory");
    sink->fd = -1;
    sink->limit = limit;
    int rc = open_incoming(sink, data, err);
    if (rc)
        free_sink(sink);
    else
        *ret_sink = sink;
    return rc;
}

int blob_write(BlobSink *sink, Str bytes, Err *err)
{
    if (bytes.len > sink->limit - sink->bytes)
        return err_set(err, ERR_LIMIT, "the file has more than %llu bytes",
                       (unsigned long long)sink->limit);
    if (disk_write(sink->fd, bytes))
        return disk_error(err, "write", buf_cstr(&sink->path));
    sha256_add(sink->hash, bytes);
    sink->bytes += bytes.len;
    return 0;
}

BlobSink *blob_drop(BlobSink *sink)
{
    if (!sink)
        return NULL;
    (void)disk_remove(buf_cstr(&sink->path));
    free_sink(sink);
    return NULL;
}

void blob_dropp(BlobSink **sink)
{
    *sink = blob_drop(*sink);
}

/* Everything of it is on disk, and nobody changes it any more. */
static int close_file(BlobSink *sink, Err *err)
{
    const int failed = disk_set_mode(sink->fd, 0400) || disk_sync(sink->fd);
    int rc = failed ? disk_error(err, "write to disk", buf_cstr(&sink->path)) : 0;

    if (disk_close(sink->fd) && rc == 0)
        rc = disk_error(err, "write", buf_cstr(&sink->path));
    sink->fd = -1;
    return rc;
}

/* To its name, in a folder that is on disk, too. One that is there already has the same bytes. */
static int name_blob(const BlobSink *sink, const char *sha256, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf above = {0};

    blob_path(buf_cstr(&sink->data), str_of(sha256), &path);
    buf_printf(&above, "%s/blobs", buf_cstr(&sink->data));
    buf_printf(&folder, "%s/%.2s", buf_cstr(&above), sha256);
    if (buf_failed(&path) || buf_failed(&folder) || buf_failed(&above))
        return err_set(err, ERR_MEMORY, "upload: out of memory");
    int rc = folder_make(buf_str(&folder), err);
    if (rc == 0 && disk_rename(buf_cstr(&sink->path), buf_cstr(&path)))
        rc = disk_error(err, "name", buf_cstr(&path));
    if (rc == 0)
        rc = disk_sync_path(buf_cstr(&folder), err);
    return rc ? rc : disk_sync_path(buf_cstr(&above), err);
}

int blob_end(BlobSink *take_sink, char ret_sha256[static SHA256_HEX_BYTES], uint64_t *ret_bytes,
             Err *err)
{
    BlobSink *sink = take_sink;
    char sha256[SHA256_HEX_BYTES];
    const uint64_t bytes = sink->bytes;

    sha256_end(TAKE(sink->hash), sha256);
    int rc = close_file(sink, err);
    if (rc == 0)
        rc = name_blob(sink, sha256, err);
    if (rc) {
        blob_drop(sink);
        return rc;
    }
    free_sink(sink);
    memcpy(ret_sha256, sha256, sizeof(sha256));
    *ret_bytes = bytes;
    return 0;
}

/* ---- who has them ---- */

int blob_list_unused(Db *db, Str digests, Buf *ret_unused, Err *err)
{
    int rc = 0;

    while (digests.len && rc == 0) {
        const Str digest = str_cut(&digests, '\n');
        int64_t used = 0;
        rc = db_ask(db, 0, &used, err,
                    "SELECT 1 WHERE EXISTS(SELECT 1 FROM version WHERE blob = ?1) OR"
                    " EXISTS(SELECT 1 FROM document WHERE blob = ?1)",
                    "t", digest);
        if (rc || used)
            continue;
        buf_add(ret_unused, digest);
        buf_add_char(ret_unused, '\n');
    }
    return rc;
}

/* ---- starting ---- */

int blob_sweep(const char *data, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    const struct dirent *entry;

    incoming_path(data, "", &path);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "uploads: out of memory");
    DIR *folder = opendir(buf_cstr(&path));
    if (!folder)
        return errno == ENOENT ? 0 : disk_error(err, "open the folder", buf_cstr(&path));
    int rc = 0;
    while (rc == 0 && (entry = readdir(folder)))
        if (entry->d_name[0] != '.' && disk_remove_in(dirfd(folder), entry->d_name, 0))
            rc = disk_error(err, "remove", entry->d_name);
    closedir(folder);
    return rc;
}
