#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* newlocale */
#endif
#include "archive/archive_reader.h"

#include "base/mem.h"
#include "disk/regular_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)64 * 1024)

void archive_report_done(ArchiveReport *report)
{
    buf_done(&report->warnings);
    *report = (ArchiveReport){0};
}

/* A reading under way. */
typedef struct Reading {
    struct archive *archive;
    const ArchiveLimits *limits;
    const ArchiveEars *ears;
    ArchiveReport *report;
    ArchivePaths paths;
    uint64_t packed; /* bytes of the archive */
    uint64_t entries;
    uint64_t caches; /* files of __pycache__, which are left out */
    char *piece;
} Reading;

/* ---- what is said ---- */

static int refuse_entry(Str name, RemarkCode remark, Err *err)
{
    return archive_name_refuse(name, ERR_RULE, remark, (Str){0}, err);
}

static int refuse_more(uint64_t limit, RemarkCode remark, Err *err)
{
    char number[REMARK_NUMBER];

    return remark_set(err, ERR_LIMIT, remark, remark_number(limit, number));
}

/* libarchive's sentence, as it may be shown. */
static int damage_error(const Reading *reading, Str name, Err *err)
{
    CLEANUP(buf_done) Buf what = {0};
    const char *said = archive_error_string(reading->archive);

    archive_name_show(str_of(said ? said : "it can't be read"), &what);
    if (!name.len)
        return remark_set(err, ERR_SYNTAX, REMARK_ARCHIVE_DAMAGED, buf_str(&what));
    return archive_name_refuse(name, ERR_SYNTAX, REMARK_DAMAGED, buf_str(&what), err);
}

/* ---- an entry ---- */

/* What it is called; empty when that is no text. */
static Str entry_name(struct archive_entry *entry)
{
    Str name = str_of(archive_entry_pathname(entry));

    /* As "tar -c ." writes it. */
    while (name.len > 2 && str_starts(name, STR("./")))
        name = str_part(name, 2, name.len);
    return name;
}

static int judge_kind(struct archive_entry *entry, Str name, Err *err)
{
    const mode_t kind = archive_entry_filetype(entry);

    if (archive_entry_hardlink(entry))
        return refuse_entry(name, REMARK_HARD_LINK, err);
    if (kind == AE_IFLNK || archive_entry_symlink(entry))
        return refuse_entry(name, REMARK_SYMBOLIC_LINK, err);
    if (kind != AE_IFREG && kind != AE_IFDIR)
        return refuse_entry(name, REMARK_DEVICE, err);
    return 0;
}

static int judge_entry(Reading *reading, struct archive_entry *entry, Str name, int header,
                       Err *err)
{
    char number[REMARK_NUMBER];

    if (!name.len && !archive_entry_pathname(entry))
        return remark_set(err, ERR_RULE, REMARK_NUMBER_UTF8,
                          remark_number(reading->entries, number));
    if (archive_entry_is_encrypted(entry))
        return refuse_entry(name, REMARK_ENCRYPTED, err);
    if (header != ARCHIVE_OK)
        return damage_error(reading, name, err);
    int rc = judge_kind(entry, name, err);
    if (rc)
        return rc;
    Str path = name;
    if (archive_entry_filetype(entry) == AE_IFDIR && path.len && path.bytes[path.len - 1] == '/')
        path.len--;
    return archive_name_judge(path, err);
}

/* ---- its bytes ---- */

static int count_bytes(Reading *reading, Str name, size_t more, Err *err)
{
    ArchiveReport *report = reading->report;

    char number[REMARK_NUMBER];

    report->bytes += more;
    if (report->bytes > reading->limits->bytes)
        return refuse_more(reading->limits->bytes, REMARK_BYTES, err);
    if (report->bytes > ARCHIVE_RATIO_FREE && report->bytes / ARCHIVE_RATIO > reading->packed)
        return archive_name_refuse(name, ERR_LIMIT, REMARK_RATIO,
                                   remark_number(ARCHIVE_RATIO, number), err);
    return 0;
}

static bool begins_as_program(const char *bytes, size_t count)
{
    return (count >= 4 && memcmp(bytes,
                                 "\x7f"
                                 "ELF",
                                 4) == 0) ||
           (count >= 2 && memcmp(bytes, "#!", 2) == 0);
}

/* As much as there is room for; less at the end only. -1: damaged. */
static ssize_t read_piece(const Reading *reading)
{
    size_t used = 0;

    while (used < PIECE_BYTES) {
        const la_ssize_t n =
            archive_read_data(reading->archive, reading->piece + used, PIECE_BYTES - used);
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        used += (size_t)n;
    }
    return (ssize_t)used;
}

static int hear_file(const Reading *reading, Str path, bool may_run, Err *err)
{
    return reading->ears->file ? reading->ears->file(reading->ears->user, path, may_run, err) : 0;
}

static int hear_bytes(const Reading *reading, Str piece, Err *err)
{
    return reading->ears->bytes && piece.len ? reading->ears->bytes(reading->ears->user, piece, err)
                                             : 0;
}

static int read_file(Reading *reading, Str path, bool marked, Err *err)
{
    bool first = true;
    ssize_t n = (ssize_t)PIECE_BYTES;

    while (n == (ssize_t)PIECE_BYTES) {
        n = read_piece(reading);
        if (n < 0)
            return damage_error(reading, path, err);
        int rc = count_bytes(reading, path, (size_t)n, err);
        if (rc == 0 && first)
            rc = hear_file(reading, path, marked || begins_as_program(reading->piece, (size_t)n),
                           err);
        if (rc == 0)
            rc = hear_bytes(reading, (Str){reading->piece, (size_t)n}, err);
        if (rc)
            return rc;
        first = false;
    }
    reading->report->files++;
    return reading->ears->end ? reading->ears->end(reading->ears->user, err) : 0;
}

/* ---- the archive ---- */

static int take_entry(Reading *reading, struct archive_entry *entry, int header, Err *err)
{
    const Str name = entry_name(entry);
    const bool folder = archive_entry_filetype(entry) == AE_IFDIR;

    reading->entries++;
    if (folder && header == ARCHIVE_OK && (str_eq(name, STR("./")) || str_eq(name, STR("."))))
        return 0; /* where the others are */
    int rc = judge_entry(reading, entry, name, header, err);
    if (rc)
        return rc;
    const Str path =
        folder && name.bytes[name.len - 1] == '/' ? str_part(name, 0, name.len - 1) : name;
    rc = archive_paths_add(&reading->paths, path, folder, err);
    if (rc == 0 && reading->paths.count > reading->limits->entries)
        rc = refuse_more(reading->limits->entries, REMARK_ENTRIES, err);
    if (rc)
        return rc;
    if (archive_name_is_cache(path)) {
        reading->caches += !folder;
        return 0;
    }
    if (folder)
        return reading->ears->folder ? reading->ears->folder(reading->ears->user, path, err) : 0;
    return read_file(reading, path, archive_entry_perm(entry) & 0111, err);
}

static int take_entries(Reading *reading, Err *err)
{
    struct archive_entry *entry = NULL;
    int header, rc = 0;

    while (rc == 0 &&
           (header = archive_read_next_header(reading->archive, &entry)) != ARCHIVE_EOF) {
        if (header != ARCHIVE_OK && header != ARCHIVE_WARN)
            return damage_error(reading, (Str){0}, err);
        rc = take_entry(reading, entry, header, err);
    }
    if (rc == 0 && archive_read_has_encrypted_entries(reading->archive) > 0)
        rc = remark_set(err, ERR_RULE, REMARK_ARCHIVE_ENCRYPTED, (Str){0});
    if (rc == 0 && !reading->report->files)
        rc = remark_set(err, ERR_RULE, REMARK_EMPTY, (Str){0});
    return rc;
}

static void warn_of_names(Reading *reading)
{
    Buf *out = &reading->report->warnings;
    char number[REMARK_NUMBER];
    const Str caches[REMARK_VALUES] = {remark_number(reading->caches, number)};

    buf_add(out, buf_str(&reading->paths.clashes));
    if (!reading->caches)
        return;
    remark_write(REMARK_CACHES, caches, out);
    buf_add_char(out, '\n');
}

static int open_archive(const Reading *reading, int fd, Err *err)
{
    struct archive *archive = reading->archive;

    archive_read_support_format_zip_seekable(archive);
    if (reading->limits->tar) {
        archive_read_support_format_tar(archive);
        archive_read_support_filter_gzip(archive);
    }
    if (archive_read_open_fd(archive, fd, PIECE_BYTES) == ARCHIVE_OK)
        return 0;
    return remark_set(err, ERR_SYNTAX, reading->limits->tar ? REMARK_NO_ARCHIVE : REMARK_NO_ZIP,
                      (Str){0});
}

/* libarchive converts names to the locale's characters, so it gets one that has all of them; of
 * this thread, for a moment. (locale_t)0 where the system has none: then such names are refused. */
static locale_t begin_utf8(locale_t *ret_before)
{
    const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);

    if (utf8)
        *ret_before = uselocale(utf8);
    return utf8;
}

static void end_utf8(locale_t utf8, locale_t before)
{
    if (!utf8)
        return;
    uselocale(before);
    freelocale(utf8);
}

static int read_archive(Reading *reading, int fd, Err *err)
{
    locale_t before = (locale_t)0;
    const locale_t utf8 = begin_utf8(&before);
    int rc = open_archive(reading, fd, err);

    if (rc == 0)
        rc = take_entries(reading, err);
    if (rc == 0)
        warn_of_names(reading);
    end_utf8(utf8, before);
    return rc;
}

int archive_reader_run_fd(int fd, const ArchiveLimits *limits, const ArchiveEars *ears,
                          ArchiveReport *ret_report, Err *err)
{
    Reading reading = {.limits = limits, .ears = ears, .report = ret_report};
    struct stat info;
    int rc = 0;

    archive_report_done(ret_report);
    reading.archive = archive_read_new();
    reading.piece = mem_new(PIECE_BYTES);
    if (fstat(fd, &info) || lseek(fd, 0, SEEK_SET))
        rc = err_set(err, ERR_IO, "look at the archive: %s", strerror(errno));
    else if (!reading.archive || !reading.piece)
        rc = err_set(err, ERR_MEMORY, "archive: out of memory");
    reading.packed = rc ? 0 : (uint64_t)info.st_size;
    if (rc == 0)
        rc = read_archive(&reading, fd, err);
    if (rc == 0 && buf_failed(&ret_report->warnings))
        rc = err_set(err, ERR_MEMORY, "archive: out of memory");
    archive_read_free(reading.archive);
    archive_paths_done(&reading.paths);
    mem_free(reading.piece);
    return rc;
}

int archive_reader_run(const char *path, const ArchiveLimits *limits, const ArchiveEars *ears,
                       ArchiveReport *ret_report, Err *err)
{
    int fd = -1;
    int rc = regular_file_open(path, &fd, err);

    if (rc)
        return rc;
    rc = archive_reader_run_fd(fd, limits, ears, ret_report, err);
    close(fd);
    return rc;
}
