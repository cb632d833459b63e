#include "disk/log_file.h"

#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/gzip.h"
#include "disk/regular_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK   ((size_t)64 * 1024)
#define SESSION "session.jsonl"

static void close_fdp(int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

/* ---- reading ---- */

/* Bytes as they are, or inflated. */
typedef struct Reader {
    const char *path;
    size_t bytes_max;
    size_t start; /* length of `out` before */
    Buf *out;
    Buf what;       /* "read 'PATH'" */
    Gunzip *gunzip; /* NULL: as they are */
} Reader;

static int take_bytes(Reader *reader, Str bytes, Err *err)
{
    if (bytes.len > reader->bytes_max - (reader->out->len - reader->start))
        return err_set(err, ERR_LIMIT, "read '%s': more than %zu bytes", reader->path,
                       reader->bytes_max);
    buf_add(reader->out, bytes);
    if (buf_failed(reader->out))
        return err_set(err, ERR_MEMORY, "read '%s': out of memory", reader->path);
    return 0;
}

static int begin_gunzip(Reader *reader, Err *err)
{
    buf_printf(&reader->what, "read '%s'", reader->path);
    if (!buf_failed(&reader->what))
        reader->gunzip = gunzip_new(buf_cstr(&reader->what), reader->bytes_max, reader->out);
    return reader->gunzip ? 0 : err_set(err, ERR_MEMORY, "read '%s': out of memory", reader->path);
}

static int read_chunks(Reader *reader, int fd, Err *err)
{
    char bytes[CHUNK];
    bool first = true;

    while (true) {
        ssize_t n = read(fd, bytes, sizeof(bytes));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return disk_error(err, "read", reader->path);
        if (n == 0)
            break;
        Str piece = {bytes, (size_t)n};
        int rc = first && gzip_is(piece) ? begin_gunzip(reader, err) : 0;
        first = false;
        if (rc == 0)
            rc = reader->gunzip ? gunzip_feed(reader->gunzip, piece, err)
                                : take_bytes(reader, piece, err);
        if (rc)
            return rc;
    }
    return reader->gunzip ? gunzip_end(reader->gunzip, err) : 0;
}

int log_file_read_from(int fd, const char *path, size_t bytes_max, Buf *out, Err *err)
{
    Reader reader = {.path = path, .bytes_max = bytes_max, .start = out->len, .out = out};
    int rc = read_chunks(&reader, fd, err);

    gunzip_free(reader.gunzip);
    buf_done(&reader.what);
    if (rc && out->bytes) {
        out->len = reader.start;
        out->bytes[out->len] = '\0';
    }
    return rc;
}

int log_file_read(const char *path, size_t bytes_max, Buf *out, Err *err)
{
    CLEANUP(close_fdp) int fd = -1;
    int rc = regular_file_open(path, &fd, err);

    return rc ? rc : log_file_read_from(fd, path, bytes_max, out, err);
}

/* ---- writing ---- */

static bool name_ends(const char *text, const char *ending)
{
    size_t n = strlen(text), e = strlen(ending);

    return n >= e && memcmp(text + n - e, ending, e) == 0;
}

int log_file_pack(Str text, Buf *out, Err *err)
{
    return gzip_pack(text, GZIP_SMALL, out, err);
}

static int write_file(const char *path, Str text, GzipLevel level, Err *err)
{
    CLEANUP(buf_done) Buf packed = {0};

    if (name_ends(path, ".gz") && !gzip_is(text)) {
        int rc = gzip_pack(text, level, &packed, err);
        if (rc)
            return rc;
        text = buf_str(&packed);
    }
    return file_replace(path, text, false, err);
}

int log_file_write(const char *path, Str text, Err *err)
{
    return write_file(path, text, GZIP_SMALL, err);
}

int log_file_write_quick(const char *path, Str text, Err *err)
{
    return write_file(path, text, GZIP_QUICK, err);
}

/* ---- listing ---- */

void log_list_done(LogList *list)
{
    for (size_t i = 0; i < list->count; i++)
        mem_free(list->paths[i]);
    list->paths = mem_free(list->paths);
    list->count = list->room = 0;
}

static int list_take(LogList *list, const char *path, Err *err)
{
    if (list->count >= LOG_FILES_MAX)
        return err_set(err, ERR_LIMIT, "more than %zu log files", LOG_FILES_MAX);
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 64;
        char **paths = mem_resize(list->paths, room, sizeof(*paths));
        if (!paths)
            return err_set(err, ERR_MEMORY, "list logs: out of memory");
        list->paths = paths;
        list->room = room;
    }
    size_t bytes = strlen(path) + 1;
    char *copy = mem_new(bytes);
    if (!copy)
        return err_set(err, ERR_MEMORY, "list logs: out of memory");
    memcpy(copy, path, bytes);
    list->paths[list->count++] = copy;
    return 0;
}

static int wanted_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* strcmp and not alphasort, which goes by the locale. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_listed(const LogList *list, const char *name)
{
    if (list->lines)
        return name_ends(name, ".jsonl");
    return name_ends(name, ".log") || name_ends(name, ".log.gz") || strcmp(name, SESSION) == 0 ||
           (list->json && (name_ends(name, ".json") || name_ends(name, ".json.gz")));
}

static int list_directory(LogList *list, const char *path, unsigned depth, Err *err);

static int list_entry(LogList *list, const char *directory, const char *name, unsigned depth,
                      Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;

    buf_printf(&path, "%s%s%s", directory, name_ends(directory, "/") ? "" : "/", name);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "list logs: out of memory");
    if (lstat(buf_cstr(&path), &about) == 0 && S_ISDIR(about.st_mode))
        return list_directory(list, buf_cstr(&path), depth + 1, err);
    /* A pipe or device of such a name is no log; a link that leads nowhere is one that can't be
     * read, and whoever reads it will say so. */
    bool special = stat(buf_cstr(&path), &about) == 0 && !S_ISREG(about.st_mode);
    if (!special && is_listed(list, name))
        return list_take(list, buf_cstr(&path), err);
    return 0;
}

static int list_directory(LogList *list, const char *path, unsigned depth, Err *err)
{
    struct dirent **entries = NULL;
    int rc = 0;

    if (depth > LOG_DEPTH_MAX)
        return err_set(err, ERR_LIMIT, "'%s': more than %d directories inside each other", path,
                       LOG_DEPTH_MAX);
    int count = scandir(path, &entries, wanted_entry, by_bytes);
    if (count < 0)
        return disk_error(err, "list", path);
    for (int i = 0; i < count; i++) {
        if (rc == 0)
            rc = list_entry(list, path, entries[i]->d_name, depth, err);
        mem_free(entries[i]);
    }
    mem_free(entries);
    return rc;
}

int log_list_add(LogList *list, const char *path, Err *err)
{
    struct stat about;
    size_t before = list->count;

    if (stat(path, &about) != 0)
        return disk_error(err, "open", path);
    if (!S_ISDIR(about.st_mode))
        return list_take(list, path, err);
    int rc = list_directory(list, path, 0, err);
    if (rc == 0 && list->count == before)
        return err_set(err, ERR_IO, "'%s' holds no %s", path,
                       list->lines ? "*.jsonl" : "*.log, *.log.gz or " SESSION);
    return rc;
}
