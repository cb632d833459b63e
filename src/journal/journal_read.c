/* journal_read.c - a journal's file as records: cut into lines, each handed to journal_line. */
#include "disk/regular_file.h"
#include "journal/journal_line.h"
#include "journal/journal_voids.h"

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

/* The first `most` bytes of what is left of a file; *ret_read: how many there were. */
static int lines_within(int fd, uint64_t most, Cutter *cutter, uint64_t *ret_read, Err *err)
{
    CLEANUP(mem_freep) char *bytes = mem_new(CHUNK);
    int rc = bytes ? 0 : err_set(err, ERR_MEMORY, "out of memory");

    *ret_read = 0;
    while (rc == 0 && *ret_read < most) {
        const uint64_t left = most - *ret_read;
        ssize_t n = read(fd, bytes, left < CHUNK ? (size_t)left : CHUNK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, ERR_IO, "%s", strerror(errno));
        if (n == 0)
            break;
        *ret_read += (uint64_t)n;
        rc = feed_bytes(cutter, (Str){bytes, (size_t)n}, err);
    }
    return rc;
}

int journal_lines_of(int fd, JournalLineFn *hear, void *user, JournalEnd *ret_end, Err *err)
{
    CLEANUP(cutter_done) Cutter cutter = {.hear = hear, .user = user};
    uint64_t bytes;
    int rc = lines_within(fd, UINT64_MAX, &cutter, &bytes, err);

    if (rc == 0)
        finish_read(&cutter, ret_end);
    return rc;
}

/* ---- lines as records ---- */

typedef struct Records {
    const JournalListener *listener; /* the caller's */
    JournalListener own;             /* which marks void games first */
    JournalVoids voids;
    GameRecord *scratch;
    Str only; /* what a line must have in it; empty = nothing */
} Records;

static void records_done(Records *records)
{
    journal_voids_done(&records->voids);
    mem_free(records->scratch);
}

static int mark_game(void *user, const GameRecord *record, Err *err)
{
    const Records *records = user;

    (void)record; /* it is the scratch */
    journal_voids_mark(&records->voids, records->scratch);
    return records->listener->game(records->listener->user, records->scratch, err);
}

static int hear_record(void *user, Str line, unsigned number, Err *err)
{
    const Records *records = user;
    size_t at;

    if (records->only.len && !str_find(line, records->only, &at))
        return 0;
    const bool game = records->voids.count && str_starts(line, STR("{\"record\":\"game\""));

    return journal_line_hear(line, number, game ? &records->own : records->listener,
                             records->scratch, err);
}

static int note_void(void *user, const OperatorAct *act, Err *err)
{
    Records *records = user;

    return journal_voids_add(&records->voids, act, err);
}

/* What is wrong with a line is told when all are heard. */
static int look_for_act(void *user, Str line, unsigned number, Err *err)
{
    Records *records = user;
    const JournalListener listener = {.act = note_void, .user = records};

    if (!str_starts(line, STR("{\"record\":\"act\"")))
        return 0;
    int rc = journal_line_hear(line, number, &listener, records->scratch, err);
    return rc == ERR_MEMORY ? rc : 0;
}

static int begin_records(Records *records, const JournalListener *listener, Err *err)
{
    *records = (Records){.listener = listener, .scratch = mem_new(sizeof(*records->scratch))};
    records->own = (JournalListener){.game = listener->game ? mark_game : NULL, .user = records};
    return records->scratch ? 0 : err_set(err, ERR_MEMORY, "out of memory");
}

int journal_read_text(Str text, const JournalListener *listener, JournalEnd *ret_end, Err *err)
{
    CLEANUP(records_done) Records records;
    CLEANUP(cutter_done) Cutter acts = {.hear = look_for_act, .user = &records};
    CLEANUP(cutter_done) Cutter cutter = {.hear = hear_record, .user = &records};
    int rc = begin_records(&records, listener, err);

    if (rc == 0 && feed_bytes(&acts, text, err) == ERR_MEMORY)
        rc = ERR_MEMORY;
    journal_voids_sort(&records.voids);
    if (rc == 0)
        rc = feed_bytes(&cutter, text, err);
    if (rc == 0)
        finish_read(&cutter, ret_end);
    return rc;
}

/* Twice: a game may be void by a line behind it. What is written meanwhile is left for the next
 * reading. */
static int read_records(int fd, Records *records, JournalEnd *ret_end, Err *err)
{
    CLEANUP(cutter_done) Cutter acts = {.hear = look_for_act, .user = records};
    CLEANUP(cutter_done) Cutter cutter = {.hear = hear_record, .user = records};
    uint64_t most = UINT64_MAX;
    uint64_t bytes;
    int rc = lines_within(fd, most, &acts, &bytes, NULL);

    if (rc == 0)
        most = bytes;
    if (lseek(fd, 0, SEEK_SET) < 0)
        return err_set(err, ERR_IO, "%s", strerror(errno));
    journal_voids_sort(&records->voids);
    rc = lines_within(fd, most, &cutter, &bytes, err);
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

/* Only lines with `only` in them, if that is not empty. */
static int read_file(const char *path, Str only, const JournalListener *listener,
                     JournalEnd *ret_end, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(records_done) Records records;
    Err own = {0};
    int rc = begin_records(&records, listener, err);

    records.only = only;
    if (rc)
        return rc;
    int fd = open_journal(path, &name, err);
    if (fd < 0)
        return fd;
    rc = read_records(fd, &records, ret_end, &own);
    close(fd);
    if (rc == 0)
        return 0;
    err_wrap(&own, "journal '%s': ", buf_cstr(&name));
    return err_set_at(err, (ErrCode)rc, own.line, own.column, "%s", own.msg);
}

int journal_read(const char *path, const JournalListener *listener, JournalEnd *ret_end, Err *err)
{
    return read_file(path, STR(""), listener, ret_end, err);
}

/* What was found is looked at once more: an agent may bear such a name. */
typedef struct Wanted {
    Str id;
    const JournalListener *listener;
} Wanted;

static int hear_wanted(void *user, const GameRecord *record, Err *err)
{
    const Wanted *wanted = user;

    return str_eq(str_of(record->id), wanted->id)
               ? wanted->listener->game(wanted->listener->user, record, err)
               : 0;
}

int journal_read_game(const char *path, Str id, const JournalListener *listener, Err *err)
{
    Wanted wanted = {id, listener};
    const JournalListener own = {.game = hear_wanted, .user = &wanted};

    return id.len ? read_file(path, id, &own, NULL, err) : 0;
}
