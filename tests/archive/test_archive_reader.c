#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/tree_writer.h"

#include "base/mem.h"
#include "disk/tree_digest.h"

#include "archive/zip_maker.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* PLACE/archive is unpacked to PLACE/in/tree; what lies beside it is guarded. */
static char place[64];
static const ArchiveLimits limits = {.entries = 100, .bytes = UINT64_C(64) << 20, .tar = true};

static int set_up(void **state)
{
    char path[96];

    (void)state;
    snprintf(place, sizeof(place), "/tmp/warg-archive-XXXXXX");
    if (!mkdtemp(place))
        return -1;
    snprintf(path, sizeof(path), "%s/in", place);
    if (mkdir(path, 0700))
        return -1;
    snprintf(path, sizeof(path), "%s/in/tree", place);
    return mkdir(path, 0700);
}

static int tear_down(void **state)
{
    char command[96];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", place);
    return system(command);
}

static void write_archive(const Buf *bytes)
{
    char path[96];

    snprintf(path, sizeof(path), "%s/archive", place);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(buf_cstr(bytes), 1, bytes->len, file), bytes->len);
    assert_int_equal(fclose(file), 0);
}

/* Names in a folder of the place. */
static size_t names_in(const char *name)
{
    char path[160];
    size_t count = 0;

    snprintf(path, sizeof(path), "%s/%s", place, name);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static int unpack(const Buf *bytes, const ArchiveLimits *with, ArchiveReport *report, Err *err)
{
    char archive[96], tree[96];

    write_archive(bytes);
    snprintf(archive, sizeof(archive), "%s/archive", place);
    snprintf(tree, sizeof(tree), "%s/in/tree", place);
    return tree_unpack(archive, tree, with, report, err);
}

/* Begins anew, unpacks, and expects the sentence; outside of the folder nothing has changed. */
static void refused(const Buf *bytes, const ArchiveLimits *with, ErrCode code, const char *sentence)
{
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    char command[200];
    FileRemark remark;
    Err err = {0};

    snprintf(command, sizeof(command), "rm -rf '%s/in/tree' && mkdir '%s/in/tree'", place, place);
    assert_int_equal(system(command), 0);
    const int rc = unpack(bytes, with, &report, &err);
    if (rc != (int)code || strcmp(err.msg, sentence) != 0)
        fail_msg("%d '%s', expected %d '%s'", rc, err.msg, (int)code, sentence);
    if (!remark_read(str_of(err.msg), &remark))
        fail_msg("'%s' has no code", err.msg);
    assert_int_equal(names_in("."), 2);
    assert_int_equal(names_in("in"), 1);
}

static void zip_is_refused(const ZipEntry *entries, size_t count, ErrCode code,
                           const char *sentence)
{
    CLEANUP(buf_done) Buf bytes = {0};

    zip_make(entries, count, &bytes);
    refused(&bytes, &limits, code, sentence);
}

static void name_is_refused(Str name, const char *sentence)
{
    const ZipEntry entry = {.name = name, .data = STR("x")};
    CLEANUP(buf_done) Buf bytes = {0};
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    Err err = {0};

    zip_make(&entry, 1, &bytes);
    if (!unpack(&bytes, &limits, &report, &err))
        fail_msg("'%.*s' is taken", STR_ARG(name));
    if (strcmp(err.msg, sentence) != 0)
        fail_msg("'%s', expected '%s'", err.msg, sentence);
    assert_int_equal(names_in("."), 2);
    assert_int_equal(names_in("in"), 1);
}

static void check_mode(const char *name, unsigned mode)
{
    char path[160];
    struct stat info;

    snprintf(path, sizeof(path), "%s/in/tree/%s", place, name);
    if (lstat(path, &info))
        fail_msg("'%s' is not there", name);
    assert_int_equal(info.st_mode & 07777, mode);
    assert_true(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

static void names_that_lead_elsewhere_are_refused_with_their_name(void **state)
{
    CLEANUP(buf_done) Buf long_part = {0};
    CLEANUP(buf_done) Buf deep = {0};
    CLEANUP(buf_done) Buf long_path = {0};

    (void)state;
    name_is_refused(STR("../evil"), "entry '../evil': its path has a part '..'");
    name_is_refused(STR("a/../../evil"), "entry 'a/../../evil': its path has a part '..'");
    /* libarchive makes '/' of '\' */
    name_is_refused(STR("a\\..\\..\\evil"), "entry 'a/../../evil': its path has a part '..'");
    name_is_refused(STR("/etc/cron.d/x"), "entry '/etc/cron.d/x': its path is absolute");
    name_is_refused(STR("a//b"), "entry 'a//b': a part of its path is empty");
    name_is_refused(STR("a/./b"), "entry 'a/./b': its path has a part '.'");
    name_is_refused(STR("a\nb"), "entry 'a\xef\xbf\xbd"
                                 "b': its name has a control character");
    name_is_refused(STR("\x1b[2Ja"), "entry '\xef\xbf\xbd[2Ja': its name has a control character");
    name_is_refused(STR("a\xff"
                        "b"),
                    "entry 'a\xef\xbf\xbd"
                    "b': its name is not UTF-8");
    for (int i = 0; i < 256; i++)
        buf_add_char(&long_part, 'n');
    for (int i = 0; i < 33; i++)
        buf_printf(&deep, "%sd", i ? "/" : "");
    for (int i = 0; i < 30; i++)
        buf_printf(&long_path, "%s0123456789012345678901234567890123456789", i ? "/" : "");
    CLEANUP(buf_done) Buf sentence = {0};
    buf_printf(&sentence, "entry '%.120s...': a name in its path has more than 255 bytes",
               buf_cstr(&long_part));
    name_is_refused(buf_str(&long_part), buf_cstr(&sentence));
    buf_clear(&sentence);
    buf_printf(&sentence, "entry '%s': its path is more than 32 folders deep", buf_cstr(&deep));
    name_is_refused(buf_str(&deep), buf_cstr(&sentence));
    buf_clear(&sentence);
    buf_printf(&sentence, "entry '%.120s...': its path has more than 1024 bytes",
               buf_cstr(&long_path));
    name_is_refused(buf_str(&long_path), buf_cstr(&sentence));
}

static void names_that_say_they_are_utf8_and_are_not_are_refused(void **state)
{
    const ZipEntry entry = {.name = STR("a\xff"
                                        "b"),
                            .data = STR("x"),
                            .flags = 0x800};

    (void)state;
    zip_is_refused(&entry, 1, ERR_RULE, "entry 1: its name is not UTF-8");
}

static void two_entries_of_a_name_are_refused(void **state)
{
    const ZipEntry twice[] = {{.name = STR("a/b"), .data = STR("1")},
                              {.name = STR("a/b"), .data = STR("2")}};
    const ZipEntry both[] = {{.name = STR("a"), .data = STR("1")},
                             {.name = STR("a/b"), .data = STR("2")}};
    const ZipEntry turned[] = {{.name = STR("a/b"), .data = STR("1")},
                               {.name = STR("a"), .data = STR("2")}};

    (void)state;
    zip_is_refused(twice, 2, ERR_RULE, "entry 'a/b': is there twice");
    zip_is_refused(both, 2, ERR_RULE, "entry 'a': is a file and a folder");
    zip_is_refused(turned, 2, ERR_RULE, "entry 'a': is a file and a folder");
}

static void links_are_refused_and_nothing_is_written_through_them(void **state)
{
    const ZipEntry link[] = {
        {.name = STR("out"), .data = STR("../.."), .mode = ZIP_LINK},
        {.name = STR("out/evil"), .data = STR("x")},
    };
    CLEANUP(buf_done) Buf tar = {0};

    (void)state;
    zip_is_refused(link, 2, ERR_RULE,
                   "entry 'out': is a link; files themselves are wanted ('zip -r', not 'zip -y')");
    tar_entry("out", '2', "/etc", (Str){0}, &tar);
    tar_end(&tar);
    refused(&tar, &limits, ERR_RULE,
            "entry 'out': is a link; files themselves are wanted ('zip -r', not 'zip -y')");
    buf_clear(&tar);
    tar_entry("a", '0', "", STR("x"), &tar);
    tar_entry("b", '1', "a", (Str){0}, &tar);
    tar_end(&tar);
    refused(&tar, &limits, ERR_RULE,
            "entry 'b': is a link; files themselves are wanted ('tar --hard-dereference')");
}

static void devices_and_pipes_are_refused(void **state)
{
    const char kinds[] = {'3', '4', '6'};
    const ZipEntry pipe_in_zip = {.name = STR("p"), .mode = 0010644};
    CLEANUP(buf_done) Buf zip = {0};
    CLEANUP(archive_report_done) ArchiveReport report = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(kinds); i++) {
        CLEANUP(buf_done) Buf tar = {0};
        tar_entry("dev", kinds[i], "", (Str){0}, &tar);
        tar_end(&tar);
        refused(&tar, &limits, ERR_RULE, "entry 'dev': is a device, a pipe or a socket");
    }
    /* libarchive's zip has files, folders and links only: it becomes a file */
    zip_make(&pipe_in_zip, 1, &zip);
    assert_int_equal(unpack(&zip, &limits, &report, NULL), 0);
    check_mode("p", 0444);
}

static void what_is_encrypted_is_refused(void **state)
{
    const ZipEntry entry = {.name = STR("a"), .data = STR("0123456789ab"), .flags = 1};

    (void)state;
    zip_is_refused(&entry, 1, ERR_RULE, "entry 'a': is encrypted");
}

static void more_than_the_limits_is_refused(void **state)
{
    const ArchiveLimits small = {.entries = 3, .bytes = 10};
    const ZipEntry many[] = {{.name = STR("a/b/c/d"), .data = STR("x")}};
    const ZipEntry large[] = {{.name = STR("a"), .data = STR("12345")},
                              {.name = STR("b"), .data = STR("123456")}};
    CLEANUP(buf_done) Buf bytes = {0};

    (void)state;
    zip_make(many, 1, &bytes);
    refused(&bytes, &small, ERR_LIMIT, "it has more than 3 files and folders");
    buf_clear(&bytes);
    zip_make(large, 2, &bytes);
    refused(&bytes, &small, ERR_LIMIT, "unpacked it has more than 10 bytes");
}

static void a_bomb_is_refused_at_200_times_its_size(void **state)
{
    CLEANUP(buf_done) Buf zeros = {0};
    CLEANUP(buf_done) Buf bytes = {0};

    (void)state;
    for (int i = 0; i < 20 << 20; i++)
        buf_add_char(&zeros, '\0');
    const ZipEntry bomb = {.name = STR("zeros"), .data = buf_str(&zeros), .packed = true};
    zip_make(&bomb, 1, &bytes);
    refused(&bytes, &limits, ERR_LIMIT,
            "entry 'zeros': unpacked the archive has more than 200 times its own size");
}

static void entries_that_share_their_bytes_come_once(void **state)
{
    ZipEntry entries[50] = {{.name = STR("a"), .data = STR("0123456789")}};
    CLEANUP(buf_done) Buf bytes = {0};
    CLEANUP(archive_report_done) ArchiveReport report = {0};

    (void)state;
    for (int i = 1; i < 50; i++)
        entries[i] = (ZipEntry){.name = STR("b"), .data = entries[0].data, .same_as = 1};
    zip_make(entries, 50, &bytes);
    Err err = {0};
    const int rc = unpack(&bytes, &limits, &report, &err);
    assert_true(rc || report.bytes == 10);
}

static void damage_is_named(void **state)
{
    const ZipEntry entry = {.name = STR("a"), .data = STR("0123456789"), .packed = true};
    CLEANUP(buf_done) Buf whole = {0};
    CLEANUP(buf_done) Buf cut = {0};

    (void)state;
    zip_make(&entry, 1, &whole);
    buf_add(&cut, str_part(buf_str(&whole), 0, whole.len - 30));
    refused(&cut, &limits, ERR_SYNTAX, "it is no zip, jar or tar file, or its end is missing");
    refused(&(Buf){0}, &limits, ERR_SYNTAX, "it is no zip, jar or tar file, or its end is missing");
    whole.bytes[14] = (char)(whole.bytes[14] ^ 1); /* its sum */
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    Err err = {0};
    assert_int_equal(unpack(&whole, &limits, &report, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "entry 'a': is damaged ("));
}

static void a_tar_is_taken_only_where_it_is_wanted(void **state)
{
    const ArchiveLimits zip_only = {.entries = 10, .bytes = 1000};
    CLEANUP(buf_done) Buf tar = {0};
    CLEANUP(archive_report_done) ArchiveReport report = {0};

    (void)state;
    tar_entry("./", '5', "", (Str){0}, &tar);
    tar_entry("./a", '0', "", STR("x"), &tar);
    tar_end(&tar);
    refused(&tar, &zip_only, ERR_SYNTAX, "it is no zip or jar file, or its end is missing");
    assert_int_equal(unpack(&tar, &limits, &report, NULL), 0);
    assert_int_equal(report.files, 1);
    assert_int_equal(names_in("in/tree"), 1);
}

static void an_archive_without_files_is_refused(void **state)
{
    const ZipEntry folder = {.name = STR("a/"), .mode = 0040755};
    CLEANUP(buf_done) Buf bytes = {0};

    (void)state;
    zip_make(&folder, 1, &bytes);
    refused(&bytes, &limits, ERR_RULE, "there is no file in it");
}

/* ---- what is well ---- */

static void files_are_to_be_read_and_programs_to_be_run(void **state)
{
    const ZipEntry entries[] = {
        {.name = STR("team/"), .mode = 0040700},
        {.name = STR("team/start.py"), .data = STR("print()"), .mode = 0104777},
        {.name = STR("team/\xe4\xba\xba.txt"), .data = STR("x"), .mode = 0100000, .flags = 0x800},
        {.name = STR("run"), .data = STR("#!/bin/true\n")},
        {.name = STR("prog"),
         .data = STR("\x7f"
                     "ELF...")},
        {.name = STR("empty"), .packed = true},
    };
    CLEANUP(buf_done) Buf bytes = {0};
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    CLEANUP(archive_report_done) ArchiveReport again = {0};
    char tree[96], path[128], hex[KEY_HEX_BYTES];
    struct stat info;
    Key digest, other;
    Err err = {0};

    (void)state;
    zip_make(entries, 6, &bytes);
    if (unpack(&bytes, &limits, &report, &err))
        fail_msg("%s", err.msg);
    snprintf(tree, sizeof(tree), "%s/in/tree", place);
    assert_int_equal(tree_digest(tree, &other, NULL), 0);
    if (tree_settle(tree, &limits, &again, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(report.files, 5);
    assert_int_equal(again.files, 5);
    assert_int_equal(report.bytes, again.bytes);
    assert_int_equal(report.warnings.len, 0);
    check_mode("team", 0755);
    snprintf(path, sizeof(path), "%s/team/start.py", tree);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mtime, 315532800);
    check_mode("team/start.py", 0555);
    check_mode("team/\xe4\xba\xba.txt", 0444);
    check_mode("run", 0555);
    check_mode("prog", 0555);
    check_mode("empty", 0444);
    assert_int_equal(tree_digest(tree, &digest, NULL), 0);
    assert_memory_equal(&digest, &other, sizeof(digest));
    key_to_hex(&digest, hex);
    /* python3: sha256 of b"".join(path NUL mode NUL size NUL sha256 LF) */
    assert_string_equal(hex, "ddcdf29cf13c934c4c5a8276b386833ab1f8cfd17625042c981226fc68df8bda");
}

static void names_that_differ_by_case_are_warned_of_and_caches_left_out(void **state)
{
    const ZipEntry entries[] = {
        {.name = STR("Model.npz"), .data = STR("1")},
        {.name = STR("model.npz"), .data = STR("2")},
        {.name = STR("__pycache__/start.cpython-311.pyc"), .data = STR("3")},
    };
    CLEANUP(buf_done) Buf bytes = {0};
    CLEANUP(archive_report_done) ArchiveReport report = {0};

    (void)state;
    zip_make(entries, 3, &bytes);
    assert_int_equal(unpack(&bytes, &limits, &report, NULL), 0);
    assert_string_equal(
        buf_cstr(&report.warnings),
        "Model.npz and model.npz differ by case only: on some systems they are one file\n"
        "1 files of __pycache__ are left out: interpreters make their own\n");
    assert_int_equal(names_in("in/tree"), 2);
}

/* ---- what an unpacker may have been made to do ---- */

static void a_folder_with_anything_else_in_it_does_not_settle(void **state)
{
    static const char *const doings[] = {
        "ln -s /etc/passwd link",
        "mkfifo pipe",
        "ln file other",
        "mkdir __pycache__",
        "touch \"$(printf 'a\\nb')\"",
        "mkdir -p a/b && ln -s .. a/b/up",
    };
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    char command[400], tree[96];

    (void)state;
    snprintf(tree, sizeof(tree), "%s/in/tree", place);
    for (size_t i = 0; i < sizeof(doings) / sizeof(doings[0]); i++) {
        snprintf(command, sizeof(command), "rm -rf %s && mkdir %s && cd %s && touch file && %s",
                 tree, tree, tree, doings[i]);
        assert_int_equal(system(command), 0);
        assert_int_not_equal(tree_settle(tree, &limits, &report, NULL), 0);
    }
    snprintf(command, sizeof(command), "rm -rf %s && mkdir %s && cd %s && touch file", tree, tree,
             tree);
    assert_int_equal(system(command), 0);
    assert_int_equal(tree_settle(tree, &limits, &report, NULL), 0);
}

int main(void)
{
#define IN_PLACE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_PLACE(names_that_lead_elsewhere_are_refused_with_their_name),
        IN_PLACE(names_that_say_they_are_utf8_and_are_not_are_refused),
        IN_PLACE(two_entries_of_a_name_are_refused),
        IN_PLACE(links_are_refused_and_nothing_is_written_through_them),
        IN_PLACE(devices_and_pipes_are_refused),
        IN_PLACE(what_is_encrypted_is_refused),
        IN_PLACE(more_than_the_limits_is_refused),
        IN_PLACE(a_bomb_is_refused_at_200_times_its_size),
        IN_PLACE(entries_that_share_their_bytes_come_once),
        IN_PLACE(damage_is_named),
        IN_PLACE(a_tar_is_taken_only_where_it_is_wanted),
        IN_PLACE(an_archive_without_files_is_refused),
        IN_PLACE(files_are_to_be_read_and_programs_to_be_run),
        IN_PLACE(names_that_differ_by_case_are_warned_of_and_caches_left_out),
        IN_PLACE(a_folder_with_anything_else_in_it_does_not_settle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
