/* version_unpack.c - a file that was handed in becomes a tree: in a cell, and looked at outside of
 * it. */
#include "archive/tree_writer.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cell/profile.h"
#include "disk/folder.h"
#include "disk/regular_file.h"
#include "runner/unpack_inside.h"
#include "runner/version_work_own.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define UNPACK_MEMORY  (UINT64_C(512) << 20)
#define UNPACK_SECONDS 60
#define SLOW_MACHINE   5 /* times as much by the clock on the wall, when others are in the way */
#define WARNINGS_MAX   50
#define SENTENCE_CHARS 500 /* that an unpacker says, with names of at most 120 */

/* Whether a cell shows it anyway. */
static bool is_shown(const char *path)
{
    return str_starts(str_of(path), STR("/usr/")) || str_starts(str_of(path), STR("/bin/"));
}

/* Where warg's own program is. Errors: ERR_IO. */
static int find_program(const WorkPlace *place, char ret_path[static PATH_MAX], Err *err)
{
    if (place->program ? realpath(place->program, ret_path) != NULL
                       : realpath("/proc/self/exe", ret_path) != NULL)
        return 0;
    return err_set(err, ERR_IO, "the program of warg is not there: %s", strerror(errno));
}

/* The name of a dll that is handed in by itself; the class for java. */
static void add_name(const VersionWork *work, Buf *command)
{
    CLEANUP(buf_done) Buf name = {0};
    const Str entry = buf_str(&work->entry), dll = STR(".dll");

    if (str_eq(buf_str(&work->language), STR("dotnet")) &&
        !(entry.len > dll.len && str_eq(str_part(entry, entry.len - dll.len, dll.len), dll)))
        buf_printf(&name, "%s.dll", buf_cstr(&work->team));
    else
        buf_add(&name, entry);
    cell_profile_word(buf_cstr(&name), command);
}

static void write_command(const VersionWork *work, const char *program, const char *folder,
                          Buf *command)
{
    const char *const words[] = {program, UNPACK_VERB, buf_cstr(&work->language), folder};

    buf_add(command, STR("exec"));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        buf_add_char(command, ' ');
        cell_profile_word(words[i], command);
    }
    buf_printf(command, " %" PRIu64 " %" PRIu64 " ", work->terms.entries, work->terms.tree_bytes);
    add_name(work, command);
    if (work->terms.java_lib.len)
        buf_add(command, STR(" strip"));
}

/* Takes what the unpacker said. False when it says what is not to be expected. */
static bool read_said(Str output, VersionWork *work, Buf *why, Buf *ours)
{
    const Str first = str_cut(&output, '\n');
    size_t warnings = 0;

    if (str_starts(first, STR("refused ")))
        utf8_add_printable(str_part(first, 8, first.len), SENTENCE_CHARS, why);
    else if (str_starts(first, STR("failed ")))
        utf8_add_printable(str_part(first, 7, first.len), SENTENCE_CHARS, ours);
    else if (!str_eq(first, STR("unpacked")))
        return false;
    while (output.len) {
        const Str line = str_cut(&output, '\n');
        if (!str_starts(line, STR("warning ")) || warnings++ == WARNINGS_MAX)
            continue;
        utf8_add_printable(str_part(line, 8, line.len), SENTENCE_CHARS, &work->warnings);
        buf_add_char(&work->warnings, '\n');
    }
    return true;
}

/* Runs the unpacker; `why` is what the team has to change. */
static int run_unpacker(const WorkPlace *place, const char *file, const char *folder,
                        VersionWork *work, Buf *why, Err *err)
{
    CLEANUP(workshop_end_done) WorkshopEnd end = {0};
    CLEANUP(buf_done) Buf command = {0};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf ours = {0};
    char program[PATH_MAX];
    const char *const environment[] = {"ASAN_OPTIONS=detect_leaks=0", NULL};
    const WorkRemarks remarks = {REMARK_UNPACK_LATE, REMARK_UNPACK_KILLED, REMARK_UNPACK_FAILED};
    Workshop shop = {.own_verb = place->own_verb,
                     .folder = folder,
                     .input = file,
                     .environment = environment,
                     .seconds = UNPACK_SECONDS * SLOW_MACHINE};
    int rc = find_program(place, program, err);

    if (rc == 0)
        rc = regular_file_check(file, err);
    if (rc == 0)
        rc = work_path(place->scratch, "unpack.log", &log, err);
    if (rc)
        return rc;
    shop.wish = cell_wish_default();
    shop.wish.level = work->terms.cell.level;
    shop.wish.memory_bytes = UNPACK_MEMORY;
    shop.wish.cpu_seconds = UNPACK_SECONDS;
    shop.wish.write = folder;
    shop.wish.write_bytes = work->terms.tree_bytes + (UINT64_C(1) << 20);
    if (!is_shown(program))
        shop.wish.read[shop.wish.read_count++] = program;
    write_command(work, program, folder, &command);
    shop.command = buf_cstr(&command);
    shop.log = buf_cstr(&log);
    if (buf_failed(&command))
        return err_set(err, ERR_MEMORY, "version: out of memory");
    rc = workshop_run(&shop, &end, err);
    if (rc || work_failed(&shop, &end, &remarks, why))
        return rc;
    /* What it printed is kept by us, so a disk that fails takes it away. */
    if (!read_said(buf_str(&end.output), work, why, &ours))
        buf_add(&ours, STR("it ended without a word"));
    return ours.len ? err_set(err, ERR_IO, "unpacking: %s", buf_cstr(&ours)) : 0;
}

/* What an unpacker left is none of ours before it was looked at. */
static int settle_tree(const char *folder, const VersionWork *work, ArchiveReport *report, Buf *why,
                       Err *err)
{
    const ArchiveLimits limits = version_terms_limits(&work->terms);
    Err own = {0};
    int rc = tree_settle(folder, &limits, report, &own);

    if (rc == ERR_RULE || rc == ERR_LIMIT) {
        buf_add(why, str_of(own.msg));
        return 0;
    }
    return rc ? err_set(err, (ErrCode)rc, "%s", own.msg) : 0;
}

int version_work_unpack(const WorkPlace *place, const char *file, VersionWork *work, Err *err)
{
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf why = {0};
    CLEANUP(buf_done) Buf figures = {0};
    const TimeUs began = place->now();
    int rc = work_folder(place->scratch, "tree", 0777, &folder, err);

    if (rc == 0)
        rc = run_unpacker(place, file, buf_cstr(&folder), work, &why, err);
    if (rc == 0 && !why.len)
        rc = settle_tree(buf_cstr(&folder), work, &report, &why, err);
    if (rc == 0 && !why.len)
        rc = work_keep_tree(place, buf_cstr(&folder), work, err);
    else
        folder_remove(buf_cstr(&folder), NULL);
    if (rc)
        return rc;
    buf_printf(&figures, "\"files\":%" PRIu64 ",\"bytes\":%" PRIu64, report.files, report.bytes);
    work_add_step(place, work, "archive", began, why.len ? (Str){0} : buf_str(&figures),
                  buf_str(&why), (Str){0});
    return why.len ? work_write_report(work, NULL, err) : 0;
}
