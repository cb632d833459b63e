/* journal_read.c - a journal's file as records: cut into lines, each handed to journal_line. */
#include "disk/regular_file.h"
#include "journal/journal_line.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)256 * 1024)

/* Cuts bytes, which may come cut anywhere, into lines. */
typedef struct Cutter {
    JournalLineFn *hear;
    void *user;
    JournalEnd end;
    Buf partial; /* the beginning of a line whose end has not come */
} Cutter;

static void cutter_done(Cutter *cutter)
{
    buf_done(&cutter->partial);
}

static unsigned next_number(const Cutter *cutter)
{
    return cutter->end.lines < UINT32_MAX ? (unsigned)cutter->end.lines + 1 : UINT32_MAX;
}

static int hear_line(Cutter *cutter, Str line, Err *err)
{
    int rc = cutter->hear(cutter->user, line, next_number(cutter), err);

    if (rc == 0) {
        cutter->end.lines++;
        cutter->end.bytes += line.len + 1;
    }
    return rc;
}

/* Keeps `part` until the rest of its line comes. */
static int keep_part(Cutter *cutter, Str part, Err *err)
{
    if (part.len > JOURNAL_LINE_MAX - cutter->partial.len)
        return err_set_at(err, ERR_LIMIT, next_number(cutter), 0, "a line of more than %zu bytes",
                          JOURNAL_LINE_MAX);
    buf_add(&cutter->partial, part);
    return buf_failed(&cutter->partial) ? err_set(err, ERR_MEMORY, "out of memory") : 0;
}

static int feed_bytes(Cutter *cutter, Str bytes, Err *err)
{
    int rc = 0;

    while (rc == 0 && bytes.len) {
        size_t before = bytes.len;
        Str line = str_cut(&bytes, '\n');
        bool whole = line.len < before;
        if (whole && cutter->partial.len == 0) {
            rc = hear_line(cutter, line, err);
            continue;
        }
        rc = keep_part(cutter, line, err);
        if (rc == 0 && whole) {
            rc = hear_line(cutter, buf_str(&cutter->partial), err);
            buf_clear(&cutter->partial);
        }
    }
    return rc;
}

static void finish_read(Cutter *cutter, JournalEnd *ret_end)
{
    cutter->end.torn = cutter->partial.len > 0;
    if (ret_end)
        *ret_end = cutter->end;
}

int journal_lines_of(int fd, JournalLineFn *hear, void *user, JournalEnd *ret_end, Err *err)
{
    CLEANUP(cutter_done) Cutter cutter = {.hear = hear, .user = user};
    CLEANUP(mem_freep) char *bytes = mem_new(CHUNK);
    int rc = bytes ? 0 : err_set(err, ERR_MEMORY, "out of memory");

    while (rc == 0) {
        ssize_t n = read(fd, bytes, CHUNK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, ERR_IO, "%s", strerror(errno));
        if (n == 0)
            break;
        rc = feed_bytes(&cutter, (Str){bytes, (size_t)n}, err);
    }
    if (rc == 0)
        finish_read(&cutter, ret_end);
    return rc;
}

/* ---- lines as records ---- */

typedef struct Records {
    const JournalListener *listener;
    GameRecord *scratch;
} Records;

static int hear_record(void *user, Str line, unsigned number, Err *err)
{
    const Records *records = user;

    return journal_line_hear(line, number, records->listener, records->scratch, err);
}

int journal_read_text(Str text, const JournalListener *listener, JournalEnd *ret_end, Err *err)
{
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    Records records = {listener, scratch};
    CLEANUP(cutter_done) Cutter cutter = {.hear = hear_record, .user = &records};
    int rc = scratch ? 0 : err_set(err, ERR_MEMORY, "out of memory");

    if (rc == 0)
        rc = feed_bytes(&cutter, text, err);
    if (rc == 0)
        finish_read(&cutter, ret_end);
    return rc;
}

/* Opens the file, or that of the folder. */
static int open_journal(const char *path, Buf *ret_name, Err *err)
{
    struct stat about;

    if (stat(path, &about) != 0)
        return err_set(err, ERR_IO, "open journal '%s': %s", path, strerror(errno));
    buf_printf(ret_name, "%s%s", path, S_ISDIR(about.st_mode) ? "/" JOURNAL_FILE : "");
    if (buf_failed(ret_name))
        return err_set(err, ERR_MEMORY, "open journal: out of memory");
    int fd = -1;
    int rc = regular_file_open(buf_cstr(ret_name), &fd, err);
    if (rc == 0)
        return fd;
    err_wrap(err, "journal: ");
    return rc;
}

int journal_read(const char *path, const JournalListener *listener, JournalEnd *ret_end, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    Records records = {listener, scratch};
    Err own = {0};

    if (!scratch)
        return err_set(err, ERR_MEMORY, "read journal: out of memory");
    int fd = open_journal(path, &name, err);
    if (fd < 0)
        return fd;
    int rc = journal_lines_of(fd, hear_record, &records, ret_end, &own);
    close(fd);
    if (rc == 0)
        return 0;
    err_wrap(&own, "journal '%s': ", buf_cstr(&name));
    return err_set_at(err, (ErrCode)rc, own.line, own.column, "%s", own.msg);
}
