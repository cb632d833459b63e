/* Files that were handed in, unpacked, built and tried in cells, as jobs of a server do it; the
 * same at home. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "cell/cell.h"
#include "cell/cell_tally.h"
#include "disk/folder.h"
#include "net/loop.h"
#include "runner/runner.h"
#include "runner/unpack_inside.h"
#include "runner/version_work.h"
#include "runner/workshop.h"
#include "show/version_report.h"
#include "spool/spool_cells.h"
#include "wire/json_read.h"

#include "archive/zip_maker.h"
#include "disk_faults.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* PLACE/{blob,trees,work}, which nobody else may look into. */
static char place_folder[64], blob[96], trees[96], scratch[96];
static bool has_cells;

static int set_up(void **state)
{
    (void)state;
    snprintf(place_folder, sizeof(place_folder), "/tmp/warg-work-XXXXXX");
    if (!mkdtemp(place_folder))
        return -1;
    snprintf(blob, sizeof(blob), "%s/blob", place_folder);
    snprintf(trees, sizeof(trees), "%s/trees", place_folder);
    snprintf(scratch, sizeof(scratch), "%s/work", place_folder);
    return mkdir(scratch, 0700);
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(place_folder, NULL);
}

static void need_cells(void)
{
    if (!has_cells) {
        fprintf(stderr, "skipped: no strict cells on this machine (warg cell probe)\n");
        skip();
    }
}

static WorkPlace work_place(void)
{
    return (WorkPlace){
        .trees = trees, .scratch = scratch, .umask = 022, .date = loop_date_ms, .now = loop_now};
}

static void write_blob(Str bytes)
{
    (void)unlink(blob);
    FILE *file = fopen(blob, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.bytes, 1, bytes.len, file), bytes.len);
    fclose(file);
    assert_int_equal(chmod(blob, 0400), 0); /* as blobs are */
}

static void zip_blob(const ZipEntry *entries, size_t count)
{
    CLEANUP(buf_done) Buf bytes = {0};

    zip_make(entries, count, &bytes);
    write_blob(buf_str(&bytes));
}

static void begin(const char *language, const char *entry, VersionWork *work)
{
    version_terms_init(&work->terms);
    work->terms.games = 1;
    work->number = 7;
    buf_add(&work->team, STR("foo"));
    buf_add(&work->language, str_of(language));
    buf_add(&work->entry, str_of(entry));
}

static void good(int rc, const Err *err)
{
    if (rc)
        fail_msg("%s", err->msg);
}

static void unpack(VersionWork *work)
{
    const WorkPlace place = work_place();
    Err err = {0};

    good(version_work_unpack(&place, blob, work, &err), &err);
}

static size_t names_in(const char *path)
{
    size_t count = 0;
    DIR *folder = opendir(path);

    if (!folder)
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static void has(const Buf *text, const char *part)
{
    if (!strstr(buf_cstr(text), part))
        fail_msg("no '%s' in '%s'", part, buf_cstr(text));
}

/* ---- unpacking ---- */

static void a_file_becomes_a_tree_by_its_digest_that_others_can_only_read(void **state)
{
    const ZipEntry entries[] = {{.name = STR("foo/start.py"), .data = STR("print()")},
                                {.name = STR("foo/run"), .data = STR("#!/bin/true\n")}};
    CLEANUP(version_work_done) VersionWork work = {0};
    CLEANUP(version_work_done) VersionWork again = {0};
    char path[256];
    struct stat info;

    (void)state;
    need_cells();
    zip_blob(entries, 2);
    begin("python", "start.py", &work);
    unpack(&work);
    assert_int_equal(work.refused.len, 0);
    assert_int_equal(work.tree.len, 64);
    has(&work.steps, "\"step\":\"archive\",\"verdict\":\"ok\",\"ok\":true");
    has(&work.steps, "\"files\":2,\"bytes\":19");
    snprintf(path, sizeof(path), "%s/%s/foo/run", trees, buf_cstr(&work.tree));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0555);
    assert_int_equal(info.st_uid, geteuid());
    assert_int_equal(info.st_mtime, 315532800);
    begin("python", "start.py", &again); /* the same once more is the same tree */
    unpack(&again);
    assert_string_equal(buf_cstr(&again.tree), buf_cstr(&work.tree));
    assert_int_equal(names_in(trees), 1);
    assert_int_equal(names_in(scratch), 1); /* what the last unpacker said */
    FILE *file = fopen(path, "ae");         /* somebody has spoilt it */
    if (file) {
        fputs("more", file);
        fclose(file);
    }
    version_work_done(&again);
    begin("python", "start.py", &again);
    unpack(&again);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 12);
    assert_int_equal(names_in(trees), 1);
}

static void what_is_refused_leaves_no_tree_and_has_a_report(void **state)
{
    const ZipEntry up = {.name = STR("../../evil"), .data = STR("x")};
    CLEANUP(version_work_done) VersionWork work = {0};

    (void)state;
    need_cells();
    zip_blob(&up, 1);
    begin("python", "start.py", &work);
    unpack(&work);
    assert_string_equal(buf_cstr(&work.refused), "entry '../../evil': its path has a part '..'");
    assert_int_equal(names_in(trees), 0);
    assert_int_equal(names_in(place_folder), 2);
    assert_false(version_report_passed(buf_str(&work.report)));
    has(&work.report, "\"version\":7,\"team\":\"foo\"");
    has(&work.report, "\"step\":\"archive\",\"verdict\":\"fail\"");
    has(&work.report, "its path has a part '..'");
    has(&work.report, "\"advice_ja\":\"「../../evil」: パスに「..」があります\","
                      "\"advice_code\":\"part-up\",\"advice_values\":{\"name\":\"../../evil\"}");
    has(&work.report, "\"warnings_ja\":[]");
    CLEANUP(buf_done) Buf text = {0};
    assert_int_equal(version_report_write_text(buf_str(&work.report), &text, NULL), 0);
    has(&text, "foo, version 7: refused\narchive    fail");
}

static void more_than_the_contests_limits_is_refused(void **state)
{
    CLEANUP(version_work_done) VersionWork work = {0};
    const ZipEntry entries[] = {{.name = STR("a"), .data = STR("0123456789")},
                                {.name = STR("b"), .data = STR("0")}};

    (void)state;
    need_cells();
    zip_blob(entries, 2);
    begin("python", "a", &work);
    work.terms.tree_bytes = 10;
    unpack(&work);
    assert_string_equal(buf_cstr(&work.refused), "unpacked it has more than 10 bytes");
}

/* However long the name is: why it is refused stands behind it. */
static void why_a_long_name_is_refused_is_said_whole(void **state)
{
    CLEANUP(version_work_done) VersionWork work = {0};
    char name[600];
    const ZipEntry long_name = {.name = {name, sizeof(name)}, .data = STR("x")};

    (void)state;
    need_cells();
    memset(name, 'n', sizeof(name));
    zip_blob(&long_name, 1);
    begin("python", "a", &work);
    unpack(&work);
    has(&work.refused, "': a name in its path has more than 255 bytes");
}

/* The disk takes nothing of what the unpacker says: nobody is refused for that. */
static void what_the_unpacker_said_is_lost_by_our_fault(void **state)
{
    const ZipEntry entries[] = {{.name = STR("start.py"), .data = STR("print()")}};
    CLEANUP(version_work_done) VersionWork work = {0};
    const WorkPlace place = work_place();
    Err err = {0};

    (void)state;
    need_cells();
    zip_blob(entries, 1);
    begin("python", "start.py", &work);
    disk_fault_only("unpack.log");
    disk_fault_set((DiskFault){DISK_WRITE, 1, true, ENOSPC});
    int rc = version_work_unpack(&place, blob, &work, &err);
    assert_true(faulty_disk.failed > 0);
    disk_fault_set((DiskFault){0});
    disk_fault_only(NULL);
    assert_int_equal(rc, ERR_IO);
    assert_string_equal(err.msg, "unpacking: it ended without a word");
    assert_int_equal(work.refused.len, 0);
}

static void a_file_that_is_not_there_is_our_fault(void **state)
{
    CLEANUP(version_work_done) VersionWork work = {0};
    const WorkPlace place = work_place();
    Err err = {0};

    (void)state;
    begin("python", "a", &work);
    assert_int_equal(version_work_unpack(&place, "/no/such/blob", &work, &err), ERR_IO);
    assert_int_equal(work.refused.len, 0);
    assert_int_equal(work.report.len, 0);
}

/* ---- a workshop ---- */

static int run_shop(const char *command, uint32_t seconds, WorkshopEnd *end, Err *err)
{
    char log[128];
    const Workshop shop = {.wish = {.level = CELL_STRICT,
                                    .memory_bytes = UINT64_C(64) << 20,
                                    .threads = 8,
                                    .files = 64,
                                    .cpu_seconds = 5},
                           .folder = "/usr",
                           .command = command,
                           .log = log,
                           .environment = (const char *const[]){NULL},
                           .seconds = seconds};

    snprintf(log, sizeof(log), "%s/log", scratch);
    return workshop_run(&shop, end, err);
}

/* One more has started and come to this end since `before`, which becomes what there is now. */
static void is_counted(CellTally *before, CellFate fate)
{
    before->started++;
    before->ended[fate]++;
    const CellTally now = cell_tally();
    assert_memory_equal(&now, before, sizeof(now));
}

static void a_command_ends_late_killed_or_by_itself(void **state)
{
    CLEANUP(workshop_end_done) WorkshopEnd end = {0};
    CellTally tally = cell_tally();
    Err err = {0};

    (void)state;
    need_cells();
    good(run_shop("echo hello; exit 3", 60, &end, &err), &err);
    assert_int_equal(end.how.status, 3);
    assert_false(end.late);
    assert_string_equal(buf_cstr(&end.output), "hello\n");
    is_counted(&tally, CELL_PROGRAM_FAILED);
    workshop_end_done(&end);
    good(run_shop("while true; do :; done", 600, &end, &err), &err);
    assert_int_not_equal(end.how.signal_number, 0);
    assert_false(end.late);
    is_counted(&tally, CELL_PROGRAM_FAILED);
    workshop_end_done(&end);
    good(run_shop("exec sleep 1000", 1, &end, &err), &err);
    assert_true(end.late);
    is_counted(&tally, CELL_ENDED);
}

static void a_cell_that_cannot_be_made_is_our_fault(void **state)
{
    char log[128];
    CLEANUP(workshop_end_done) WorkshopEnd end = {0};
    Workshop shop = {.wish = {.level = CELL_STRICT, .write = "/no/such/folder"},
                     .folder = "/usr",
                     .command = "true",
                     .log = log,
                     .environment = (const char *const[]){NULL},
                     .seconds = 60};
    CellTally tally = cell_tally();
    Err err = {0};

    (void)state;
    need_cells();
    snprintf(log, sizeof(log), "%s/log", scratch);
    shop.wish.memory_bytes = UINT64_C(64) << 20;
    assert_int_equal(workshop_run(&shop, &end, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "a cell could not be made"));
    is_counted(&tally, CELL_NOT_MADE);
}

/* ---- between jobs ---- */

static void json_freep(json_t **json)
{
    json_done(*json);
}

static void what_a_job_gives_the_next_one_takes(void **state)
{
    CLEANUP(version_work_done) VersionWork work = {0};
    CLEANUP(version_work_done) VersionWork next = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(json_freep) json_t *json = NULL;
    Json out = json_over(&text);
    Err err = {0};

    (void)state;
    begin("java", "org.example.Player", &work);
    buf_add(&work.tree, STR("ab"));
    buf_add(&work.steps, STR("{\"step\":\"archive\"}"));
    buf_add(&work.warnings, STR("one\ntwo\n"));
    buf_add(&work.terms.java_lib, STR("/srv/platform"));
    work.terms.cell.level = CELL_NAMESPACES;
    work.terms.cell.memory_bytes = 12345678;
    work.terms.name_refuses = true;
    json_open(&out, '{');
    version_work_write(&work, &out);
    json_key(&out, STR("terms"));
    version_terms_write(&work.terms, &out);
    json_close(&out);
    good(json_read(buf_str(&text), 1 << 20, &json, &err), &err);
    good(version_work_read(json, &next, &err), &err);
    assert_string_equal(buf_cstr(&next.entry), "org.example.Player");
    assert_string_equal(buf_cstr(&next.steps), "{\"step\":\"archive\"}");
    assert_string_equal(buf_cstr(&next.warnings), "one\ntwo\n");
    assert_string_equal(buf_cstr(&next.terms.java_lib), "/srv/platform");
    assert_int_equal(next.terms.cell.level, CELL_NAMESPACES);
    assert_int_equal(next.terms.cell.memory_bytes, 12345678);
    assert_int_equal(next.terms.games, 1);
    assert_true(next.terms.name_refuses);
    assert_int_equal(next.number, 7);
}

/* DATA/blobs/ab/ab00... becomes what is in the archive. */
static void put_blob_of_job(Buf *ret_digest)
{
    const ZipEntry entry = {.name = STR("foo/start.py"), .data = STR("print()")};
    CLEANUP(buf_done) Buf path = {0};

    zip_blob(&entry, 1);
    buf_printf(ret_digest, "ab%062d", 0);
    buf_printf(&path, "%s/blobs/ab", place_folder);
    assert_int_equal(folder_make(buf_str(&path), NULL), 0);
    buf_printf(&path, "/%s", buf_cstr(ret_digest));
    assert_int_equal(rename(blob, buf_cstr(&path)), 0);
}

/* The runner adds up what jobs tell in their folder. */
static void a_job_tells_of_its_cells(void **state)
{
    CLEANUP(version_work_done) VersionWork work = {0};
    CLEANUP(buf_done) Buf digest = {0};
    CLEANUP(buf_done) Buf text = {0};
    const CellTally before = cell_tally();
    const JobPlace place = {.data = place_folder,
                            .id = "J1",
                            .folder = scratch,
                            .tables = 1,
                            .umask = 022,
                            .date = loop_date_ms,
                            .now = loop_now};
    SpoolCells cells;
    Json job = json_over(&text);
    Err err = {0};

    (void)state;
    need_cells();
    put_blob_of_job(&digest);
    begin("python", "start.py", &work);
    json_open(&job, '{');
    json_add_str(&job, "job", STR("J1"));
    json_add_str(&job, "kind", STR("unpack"));
    json_add_str(&job, "blob", buf_str(&digest));
    version_work_write(&work, &job);
    json_key(&job, STR("terms"));
    version_terms_write(&work.terms, &job);
    json_close(&job);
    good(runner_do_job(&place, buf_str(&text), &err), &err);
    assert_int_equal(unsetenv("TMPDIR"), 0); /* which the job has set for its own process */
    good(spool_cells_look(scratch, &cells, &err), &err);
    assert_int_equal(cells.started, before.started + 1);
    assert_int_equal(cells.ended, cells.started);
    assert_int_equal(cells.failed, before.ended[CELL_PROGRAM_FAILED]);
    spool_cells_forget(scratch);
    cell_tally_start(); /* nobody hears it behind its job */
    cell_tally_end(CELL_ENDED);
    assert_int_equal(spool_cells_look(scratch, &cells, NULL), ERR_IO);
}

static void terms_ask_for_strict_cells_or_are_refused(void **state)
{
    static const char *const bad[] = {"{\"terms\":{\"level\":\"none\"}}",
                                      "{\"terms\":{\"level\":\"light\"}}",
                                      "{\"terms\":{\"games\":0}}", "{\"terms\":[]}"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CLEANUP(version_work_done) VersionWork work = {0};
        CLEANUP(json_freep) json_t *json = NULL;
        assert_int_equal(json_read(str_of(bad[i]), 1000, &json, NULL), 0);
        assert_int_not_equal(version_work_read(json, &work, NULL), 0);
    }
}

static void a_tree_that_is_no_digest_is_no_path(void **state)
{
    CLEANUP(version_work_done) VersionWork work = {0};
    const WorkPlace place = work_place();

    (void)state;
    begin("python", "a", &work);
    buf_add(&work.tree, STR("../../etc"));
    assert_int_equal(version_work_build(&place, &work, NULL), ERR_SYNTAX);
    assert_int_equal(version_work_check(&place, &work, NULL), ERR_SYNTAX);
}

/* ---- the whole ---- */

/* Cuts from the first `from` to the next `to` behind it, or the end. */
static void drop_part(Buf *text, Str from, Str to)
{
    size_t start, end;

    if (!str_find(buf_str(text), from, &start))
        return;
    const Str rest = str_part(buf_str(text), start, text->len);
    const size_t bytes = str_find(rest, to, &end) ? end : rest.len;
    memmove(text->bytes + start, text->bytes + start + bytes, text->len - start - bytes);
    buf_cut(text, text->len - bytes);
}

/* Every number, and what is said of times: those differ, and so do figures that follow from them.
 */
static void drop_numbers(Buf *text)
{
    size_t to = 0;

    drop_part(text, STR("{\"step\":\"time\""), STR("{\"step\":\"conduct\""));
    drop_part(text, STR("\"warnings\""), STR("}\n"));
    for (size_t i = 0; i < text->len; i++)
        if (!strchr("0123456789.", text->bytes[i]))
            text->bytes[to++] = text->bytes[i];
    buf_cut(text, to);
}

static void read_whole(const char *path, Buf *out)
{
    char piece[4096];
    size_t n;
    FILE *file = fopen(path, "re");

    assert_non_null(file);
    while ((n = fread(piece, 1, sizeof(piece), file)) > 0)
        buf_add(out, (Str){piece, n});
    fclose(file);
}

static void check_at_home(Buf *report)
{
    char command[512], path[96];

    snprintf(path, sizeof(path), "%s/home.json", place_folder);
    snprintf(command, sizeof(command),
             "'%s' contest check '%s' -q --json -l python -e start.py -t foo -g 1 >'%s'",
             getenv("WARG"), blob, path);
    int status = 1;
    for (int tries = 0; tries < 3 && status; tries++) /* as above */
        status = system(command);
    assert_int_equal(status, 0);
    read_whole(path, report);
}

static void the_check_at_home_is_that_of_the_server_but_for_times(void **state)
{
    CLEANUP(version_work_done) VersionWork work = {0};
    CLEANUP(buf_done) Buf agent = {0};
    CLEANUP(buf_done) Buf home = {0};
    CLEANUP(buf_done) Buf server = {0};
    const WorkPlace place = work_place();
    const CellTally before = cell_tally();
    char path[512];
    Err err = {0};

    (void)state;
    need_cells();
    if (!getenv("WARG") || !getenv("WARG_SOURCE")) {
        fprintf(stderr, "skipped: WARG and WARG_SOURCE are not set\n");
        skip();
    }
    snprintf(path, sizeof(path), "%s/tests/e2e/agents/checked_agent.py", getenv("WARG_SOURCE"));
    read_whole(path, &agent);
    const ZipEntry entry = {.name = STR("foo/start.py"), .data = buf_str(&agent)};
    zip_blob(&entry, 1);
    for (int tries = 0; tries < 3; tries++) { /* a busy machine may be late for somebody */
        version_work_done(&work);
        begin("python", "start.py", &work);
        work.number = 0;
        unpack(&work);
        good(version_work_build(&place, &work, &err), &err);
        good(version_work_check(&place, &work, &err), &err);
        if (!work.refused.len)
            break;
    }
    assert_true(version_report_passed(buf_str(&work.report)));
    const CellTally after = cell_tally(); /* the unpacker's, and those of agents */
    assert_true(after.started > before.started + 5);
    uint64_t ended = 0;
    for (CellFate fate = 0; fate < CELL_FATES; fate++)
        ended += after.ended[fate];
    assert_int_equal(ended, after.started);
    assert_int_equal(after.ended[CELL_NOT_MADE], before.ended[CELL_NOT_MADE]);
    check_at_home(&home);
    has(&home, buf_cstr(&work.tree));
    buf_add(&server, buf_str(&work.report));
    buf_add_char(&server, '\n');
    drop_numbers(&server);
    drop_numbers(&home);
    assert_string_equal(buf_cstr(&server), buf_cstr(&home));
}

static void probe_cells(void)
{
    CellProbe probe = {0};

    has_cells =
        cell_try_levels(NULL, &probe, NULL) == 0 && cell_probe_has(&probe, CELL_STRICT, NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], UNPACK_VERB) == 0) /* as main of warg */
        return unpack_inside(argc - 2, argv + 2);
    probe_cells();
#define IN_PLACE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_PLACE(a_file_becomes_a_tree_by_its_digest_that_others_can_only_read),
        IN_PLACE(what_is_refused_leaves_no_tree_and_has_a_report),
        IN_PLACE(more_than_the_contests_limits_is_refused),
        IN_PLACE(why_a_long_name_is_refused_is_said_whole),
        IN_PLACE(what_the_unpacker_said_is_lost_by_our_fault),
        IN_PLACE(a_file_that_is_not_there_is_our_fault),
        IN_PLACE(a_command_ends_late_killed_or_by_itself),
        IN_PLACE(a_cell_that_cannot_be_made_is_our_fault),
        IN_PLACE(what_a_job_gives_the_next_one_takes),
        IN_PLACE(a_job_tells_of_its_cells),
        IN_PLACE(terms_ask_for_strict_cells_or_are_refused),
        IN_PLACE(a_tree_that_is_no_digest_is_no_path),
        IN_PLACE(the_check_at_home_is_that_of_the_server_but_for_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
