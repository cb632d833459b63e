#include "journal/journal_more.h"

#include "base/mem.h"
#include "disk/regular_file.h"
#include "journal/journal_line.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK      ((size_t)256 * 1024)
#define LINE_CHUNK ((size_t)4 * 1024) /* most lines are shorter */

typedef struct Piece {
    const JournalListener *listener;
    GameRecord *scratch;
    uint64_t games;     /* and acts: one makes games void */
    uint64_t games_max; /* 0 = all */
    JournalPlace *place;
} Piece;

static bool is_full(const Piece *piece)
{
    return piece->games_max && piece->games >= piece->games_max;
}

static int hear_line(Piece *piece, Str line, Err *err)
{
    const uint64_t number = piece->place->lines + 1;
    int rc = journal_line_hear(line, number < UINT32_MAX ? (unsigned)number : UINT32_MAX,
                               piece->listener, piece->scratch, err);

    if (rc)
        return rc;
    piece->games += str_starts(line, STR("{\"record\":\"game\"")) ||
                    str_starts(line, STR("{\"record\":\"act\""));
    journal_line_get_lengths(line, &piece->place->beside);
    piece->place->lines++;
    piece->place->bytes += line.len + 1;
    return 0;
}

/* Whole lines of `text`; what is left of it has no end yet, or the piece is full. */
static int hear_lines(Piece *piece, Str *text, Err *err)
{
    int rc = 0;

    while (rc == 0 && text->len && !is_full(piece)) {
        Str rest = *text, line = str_cut(&rest, '\n');
        if (line.len == text->len)
            break;
        rc = hear_line(piece, line, err);
        *text = rest;
    }
    return rc;
}

/* At most `most` next bytes of the file behind what waits in `text`; false at its end. */
static int read_on(int fd, size_t most, Buf *text, bool *ret_read, Err *err)
{
    ssize_t bytes;

    if (text->len > JOURNAL_LINE_MAX)
        return err_set(err, ERR_LIMIT, "a line of more than %zu bytes", JOURNAL_LINE_MAX);
    if (!buf_reserve(text, most))
        return err_set(err, ERR_MEMORY, "out of memory");
    do
        bytes = read(fd, text->bytes + text->len, most);
    while (bytes < 0 && errno == EINTR);
    if (bytes < 0)
        return err_set(err, ERR_IO, "%s", strerror(errno));
    text->len += (size_t)bytes;
    text->bytes[text->len] = '\0';
    *ret_read = bytes > 0;
    return 0;
}

static int hear_file(int fd, Piece *piece, bool *ret_more, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    struct stat about;
    bool read = true;
    int rc = 0;

    if (fstat(fd, &about) != 0 || lseek(fd, (off_t)piece->place->bytes, SEEK_SET) < 0)
        return err_set(err, ERR_IO, "%s", strerror(errno));
    if ((uint64_t)about.st_size < piece->place->bytes)
        return err_set(err, ERR_SYNTAX, "it is shorter than it was: %llu bytes were read before",
                       (unsigned long long)piece->place->bytes);
    while (rc == 0 && read && !is_full(piece)) {
        rc = read_on(fd, CHUNK, &text, &read, err);
        Str rest = buf_str(&text);
        if (rc == 0)
            rc = hear_lines(piece, &rest, err);
        if (rest.len && rest.len < text.len)
            memmove(text.bytes, rest.bytes, rest.len);
        buf_cut(&text, rest.len);
    }
    *ret_more = is_full(piece) && (uint64_t)about.st_size > piece->place->bytes;
    return rc;
}

static int tell_error(int rc, Err *own, const Buf *path, Err *err)
{
    err_wrap(own, "journal '%s': ", buf_cstr(path));
    return err_set_at(err, (ErrCode)rc, own->line, own->column, "%s", own->msg);
}

int journal_read_more(const char *dir, const JournalListener *listener, uint64_t games_max,
                      JournalPlace *place, bool *ret_more, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    const JournalPlace before = *place;
    Piece piece = {
        .listener = listener, .scratch = scratch, .games_max = games_max, .place = place};
    struct stat about;
    Err own = {0};
    int fd = -1;

    *ret_more = false;
    buf_printf(&path, "%s/" JOURNAL_FILE, dir);
    if (!scratch || buf_failed(&path))
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    if (stat(buf_cstr(&path), &about) != 0 && errno == ENOENT)
        return 0;
    int rc = regular_file_open(buf_cstr(&path), &fd, &own);
    if (rc == 0) {
        rc = hear_file(fd, &piece, ret_more, &own);
        close(fd);
    }
    if (rc == 0)
        return 0;
    *place = before;
    return tell_error(rc, &own, &path, err);
}

/* ---- one line ---- */

/* From `at`, or the byte before, to the end of a line, appended. */
static int read_line(int fd, uint64_t at, Buf *text, Err *err)
{
    bool read = true;
    size_t end = 0;
    int rc = 0;

    if (lseek(fd, (off_t)(at ? at - 1 : 0), SEEK_SET) < 0)
        return err_set(err, ERR_IO, "%s", strerror(errno));
    while (rc == 0 && read &&
           !str_find(str_part(buf_str(text), at ? 1 : 0, text->len), STR("\n"), &end))
        rc = read_on(fd, LINE_CHUNK, text, &read, err);
    if (rc == 0 && at && (!text->len || text->bytes[0] != '\n'))
        rc = err_set(err, ERR_SYNTAX, "no line begins at byte %llu", (unsigned long long)at);
    if (rc == 0 && !read)
        rc =
            err_set(err, ERR_RULE, "no whole line stands behind byte %llu", (unsigned long long)at);
    return rc;
}

int journal_read_at(const char *dir, uint64_t at, Buf *line, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    Err own = {0};
    int fd = -1;

    buf_printf(&path, "%s/" JOURNAL_FILE, dir);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    int rc = regular_file_open(buf_cstr(&path), &fd, &own);
    if (rc == 0) {
        rc = read_line(fd, at, &text, &own);
        close(fd);
    }
    if (rc)
        return tell_error(rc, &own, &path, err);
    Str rest = str_part(buf_str(&text), at ? 1 : 0, text.len);
    buf_add(line, str_cut(&rest, '\n'));
    return buf_failed(line) ? err_set(err, ERR_MEMORY, "journal: out of memory") : 0;
}
