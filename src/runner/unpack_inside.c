#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* O_PATH */
#endif
#include "runner/unpack_inside.h"

#include "archive/tree_writer.h"
#include "base/exit_status.h"
#include "base/mem.h"
#include "contest/version_form.h"
#include "disk/disk_call.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define CLASS_HEAD  8  /* bytes of a class file up to its version */
#define CLASS_JAVA  44 /* version of a class file, less that of its Java */
#define PIECE_BYTES ((size_t)64 * 1024)

/* What is asked for. */
typedef struct Asked {
    Str language;
    const char *folder, *name;
    ArchiveLimits limits;
    bool strip;
    Buf warnings;
} Asked;

/* ---- a file by itself ---- */

/* The file as it is, under this name in the folder. */
static int keep_file(const Asked *asked, const char *name, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(mem_freep) char *piece = mem_new(PIECE_BYTES);
    int rc = 0;

    buf_printf(&path, "%s/%s", asked->folder, name);
    if (buf_failed(&path) || !piece)
        return err_set(err, ERR_MEMORY, "archive: out of memory");
    int to = disk_open(buf_cstr(&path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0444);
    if (to < 0 || lseek(STDIN_FILENO, 0, SEEK_SET))
        rc = disk_error(err, "make the file", name);
    for (ssize_t n = 1; rc == 0 && n > 0;) {
        n = read(STDIN_FILENO, piece, PIECE_BYTES);
        if ((n < 0 && errno != EINTR) || (n > 0 && disk_write(to, (Str){piece, (size_t)n})))
            rc = disk_error(err, "copy", name);
        n = n < 0 ? 1 : n;
    }
    if (to >= 0 && disk_close(to) && rc == 0)
        rc = disk_error(err, "write", name);
    return rc;
}

/* ---- a jar ---- */

/* What is found in a jar. */
typedef struct Jar {
    Asked *asked;
    Buf player; /* path of the player's class in it */
    bool has_player;
    bool at_player; /* the file that is read now */
    unsigned char head[CLASS_HEAD];
    size_t head_bytes;
    int library; /* jar inside that is written now; -1 = none */
    Buf library_name;
} Jar;

static int warn(Asked *asked, RemarkCode remark, Str name)
{
    CLEANUP(buf_done) Buf shown = {0};

    archive_name_show(name, &shown);
    const Str values[REMARK_VALUES] = {buf_str(&shown)};
    remark_write(remark, values, &asked->warnings);
    buf_add_char(&asked->warnings, '\n');
    return 0;
}

static bool has_ending(Str name, Str ending)
{
    return name.len > ending.len &&
           str_eq(str_part(name, name.len - ending.len, ending.len), ending);
}

/* Its own name in lib/: the path with '_' for '/'. */
static int begin_library(Jar *jar, Str path, Err *err)
{
    buf_clear(&jar->library_name);
    buf_printf(&jar->library_name, "%s/" VERSION_LIBRARIES "/", jar->asked->folder);
    for (size_t i = 0; i < path.len; i++)
        buf_add_char(&jar->library_name, path.bytes[i] == '/' ? '_' : path.bytes[i]);
    if (buf_failed(&jar->library_name))
        return err_set(err, ERR_MEMORY, "archive: out of memory");
    jar->library =
        disk_open(buf_cstr(&jar->library_name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0444);
    if (jar->library < 0 && errno == EEXIST)
        return remark_set(err, ERR_RULE, REMARK_SAME_JARS, (Str){0});
    return jar->library < 0 ? disk_error(err, "make the file", buf_cstr(&jar->library_name)) : 0;
}

static int on_file(void *user, Str path, bool may_run, Err *err)
{
    Jar *jar = user;

    (void)may_run;
    jar->at_player = str_eq(path, buf_str(&jar->player));
    jar->has_player |= jar->at_player;
    if (!has_ending(path, STR(".jar")))
        return 0;
    if (jar->asked->strip && version_form_is_platform_jar(path))
        return warn(jar->asked, REMARK_PLATFORM_JAR, path);
    return begin_library(jar, path, err);
}

static int on_bytes(void *user, Str piece, Err *err)
{
    Jar *jar = user;

    if (jar->at_player) {
        const size_t room = CLASS_HEAD - jar->head_bytes;
        const size_t more = piece.len < room ? piece.len : room;
        memcpy(jar->head + jar->head_bytes, piece.bytes, more);
        jar->head_bytes += more;
    }
    if (jar->library >= 0 && disk_write(jar->library, piece))
        return disk_error(err, "write", buf_cstr(&jar->library_name));
    return 0;
}

static int on_end(void *user, Err *err)
{
    Jar *jar = user;
    const int library = jar->library;

    jar->library = -1;
    return library >= 0 && disk_close(library)
               ? disk_error(err, "write", buf_cstr(&jar->library_name))
               : 0;
}

/* Which Java runs here, by the file that each has beside itself; 0 = not known. */
static unsigned own_java(void)
{
    char path[PATH_MAX], text[4096] = "";
    uint64_t version = 0;

    if (!realpath("/usr/bin/java", path))
        return 0;
    char *bin = strstr(path, "/bin/java");
    if (!bin || (size_t)(bin - path) + sizeof("/release") > sizeof(path))
        return 0;
    memcpy(bin, "/release", sizeof("/release"));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, "JAVA_VERSION=\"");
    if (!at)
        return 0;
    at += strlen("JAVA_VERSION=\"");
    return str_to_uint((Str){at, strspn(at, "0123456789")}, 1000, &version) ? (unsigned)version : 0;
}

static int judge_player(const Jar *jar, Err *err)
{
    const char *player = jar->asked->name;
    char theirs[REMARK_NUMBER], ours[REMARK_NUMBER];

    if (!jar->has_player)
        return remark_set(err, ERR_RULE, REMARK_PLAYER_MISSING, str_of(player),
                          buf_str(&jar->player));
    if (jar->head_bytes < CLASS_HEAD || memcmp(jar->head, "\xca\xfe\xba\xbe", 4) != 0)
        return remark_set(err, ERR_RULE, REMARK_NO_CLASS, buf_str(&jar->player));
    const unsigned version = (unsigned)jar->head[6] << 8 | jar->head[7], here = own_java();
    if (here && version > CLASS_JAVA + here)
        return remark_set(err, ERR_RULE, REMARK_JAVA, str_of(player),
                          remark_number(version - CLASS_JAVA, theirs), remark_number(here, ours));
    return 0;
}

static int unpack_jar(Asked *asked, ArchiveReport *report, Err *err)
{
    CLEANUP(buf_done) Buf libraries = {0};
    Jar jar = {.asked = asked, .library = -1};
    const ArchiveEars ears = {NULL, on_file, on_bytes, on_end, &jar};

    for (const char *c = asked->name; *c; c++)
        buf_add_char(&jar.player, *c == '.' ? '/' : *c);
    buf_add(&jar.player, STR(".class"));
    buf_printf(&libraries, "%s/" VERSION_LIBRARIES, asked->folder);
    int rc = disk_make_folder(buf_cstr(&libraries), 0755)
                 ? disk_error(err, "make the folder", buf_cstr(&libraries))
                 : archive_reader_run_fd(STDIN_FILENO, &asked->limits, &ears, report, err);
    if (jar.library >= 0)
        (void)disk_close(jar.library);
    if (rc == 0)
        rc = judge_player(&jar, err);
    if (rc == 0)
        rc = keep_file(asked, VERSION_JAR, err);
    if (rc == 0) /* of no use when it is empty */
        (void)disk_remove_in(AT_FDCWD, buf_cstr(&libraries), AT_REMOVEDIR);
    buf_done(&jar.player);
    buf_done(&jar.library_name);
    return rc;
}

/* ---- the rest ---- */

static bool begins_with(Str magic)
{
    char head[8];

    return pread(STDIN_FILENO, head, magic.len, 0) == (ssize_t)magic.len &&
           memcmp(head, magic.bytes, magic.len) == 0;
}

static int unpack_asked(Asked *asked, ArchiveReport *report, Err *err)
{
    if (str_eq(asked->language, STR("java")))
        return unpack_jar(asked, report, err);
    if (str_eq(asked->language, STR("dotnet")) && begins_with(STR("MZ")))
        return keep_file(asked, asked->name, err);
    return tree_unpack_fd(STDIN_FILENO, asked->folder, &asked->limits, report, err);
}

static void print_lines(const char *word, Str lines)
{
    while (lines.len) {
        const Str line = str_cut(&lines, '\n');
        printf("%s %.*s\n", word, STR_ARG(line));
    }
}

int unpack_inside(int argc, char **argv)
{
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    Asked asked = {0};
    Err err = {0};

    if (argc < 5 || !str_to_uint(str_of(argv[2]), UINT64_MAX, &asked.limits.entries) ||
        !str_to_uint(str_of(argv[3]), UINT64_MAX, &asked.limits.bytes)) {
        printf("failed arguments\n");
        return (int)EXIT_USAGE;
    }
    asked.language = str_of(argv[0]);
    asked.folder = argv[1];
    asked.name = argv[4];
    asked.strip = argc > 5;
    const int rc = unpack_asked(&asked, &report, &err);
    const bool theirs = rc == ERR_RULE || rc == ERR_LIMIT || rc == ERR_SYNTAX;
    if (rc)
        printf("%s %s\n", theirs ? "refused" : "failed", err.msg);
    else
        printf("unpacked\n");
    print_lines("warning", buf_str(&asked.warnings));
    print_lines("warning", buf_str(&report.warnings));
    buf_done(&asked.warnings);
    fflush(stdout);
    return 0;
}
