/* version_build.c - what requirements.txt of a Python version asks for, put beside it as .deps. */
#include "archive/tree_writer.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cell/profile.h"
#include "disk/disk_call.h"
#include "disk/file_inside.h"
#include "disk/folder.h"
#include "disk/tree_digest.h"
#include "runner/version_work_own.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUILD_MEMORY  (UINT64_C(1) << 30)
#define BUILD_SECONDS 300
#define SLOW_MACHINE  3
#define ERROR_LINES   4

/* The folder of the requirements below the tree: "" or the team's. False: there are none. */
static bool find_requirements(const char *tree, const VersionWork *work, Buf *ret_folder)
{
    for (int i = 0; i < 2; i++) {
        CLEANUP(buf_done) Buf path = {0};
        int fd = -1;
        buf_clear(ret_folder);
        if (i == 0)
            buf_add(ret_folder, buf_str(&work->team));
        buf_printf(&path, "%s%s" VERSION_REQUIREMENTS, buf_cstr(ret_folder),
                   ret_folder->len ? "/" : "");
        if (file_inside_open(tree, buf_cstr(&path), &fd, NULL) == 0) {
            close(fd);
            return true;
        }
    }
    return false;
}

static void write_command(const VersionWork *work, const char *below, const char *deps, Buf *out)
{
    if (*below) {
        buf_add(out, STR("cd "));
        cell_profile_word(below, out);
        buf_add(out, STR(" && "));
    }
    buf_add(out, STR("exec python3 -B -X utf8 -m pip install --no-index"));
    if (work->terms.python_wheels.len) {
        buf_add(out, STR(" --find-links "));
        cell_profile_word(buf_cstr(&work->terms.python_wheels), out);
    }
    buf_add(out, STR(" --find-links wheels --only-binary :all: --no-compile --no-cache-dir"
                     " --no-input --disable-pip-version-check --no-warn-script-location"
                     " --root-user-action ignore --no-color --target "));
    cell_profile_word(deps, out);
    buf_add(out, STR(" -r " VERSION_REQUIREMENTS));
}

/* What pip says is wrong: lines that begin with ERROR. Its own words stay as they are. */
static void say_errors(const WorkshopEnd *end, Buf *why)
{
    CLEANUP(buf_done) Buf errors = {0};
    Str output = buf_str(&end->output);
    size_t lines = 0;

    while (output.len && lines < ERROR_LINES) {
        const Str line = str_cut(&output, '\n');
        if (!str_starts(line, STR("ERROR: ")))
            continue;
        buf_add(&errors, lines++ ? STR("; ") : (Str){0});
        utf8_add_printable(str_part(line, 7, line.len), 200, &errors);
    }
    if (!errors.len || end->late || end->how.signal_number)
        return;
    buf_clear(why);
    remark_write(REMARK_BUILD_ERRORS, (const Str[REMARK_VALUES]){buf_str(&errors)}, why);
}

/* What pip reads of the system; where it may not, it ends instead of going on without. */
static void show_release(CellWish *wish)
{
    static const char *const files[] = {"/etc/debian_version", "/etc/os-release",
                                        "/etc/lsb-release", "/etc/redhat-release",
                                        "/etc/mime.types"};

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (access(files[i], R_OK) == 0)
            wish->read[wish->read_count++] = files[i];
}

static int run_pip(const WorkPlace *place, const char *tree, const char *below, const char *shop_at,
                   VersionWork *work, Buf *why, Buf *output, Err *err)
{
    CLEANUP(workshop_end_done) WorkshopEnd end = {0};
    CLEANUP(buf_done) Buf command = {0};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf deps = {0};
    CLEANUP(buf_done) Buf temporary = {0};
    int rc = work_path(place->scratch, "build.log", &log, err);

    buf_printf(&deps, "%s/deps", shop_at);
    buf_printf(&temporary, "TMPDIR=%s/tmp", shop_at);
    write_command(work, below, buf_cstr(&deps), &command);
    if (rc == 0 && (buf_failed(&command) || buf_failed(&deps) || buf_failed(&temporary)))
        rc = err_set(err, ERR_MEMORY, "version: out of memory");
    if (rc)
        return rc;
    const char *const environment[] = {buf_cstr(&temporary), "PIP_CONFIG_FILE=/dev/null",
                                       "PYTHONDONTWRITEBYTECODE=1", NULL};
    const WorkRemarks remarks = {REMARK_BUILD_LATE, REMARK_BUILD_KILLED, REMARK_BUILD_FAILED};
    Workshop shop = {.own_verb = place->own_verb,
                     .wish = cell_wish_default(),
                     .folder = tree,
                     .command = buf_cstr(&command),
                     .log = buf_cstr(&log),
                     .environment = environment,
                     .seconds = BUILD_SECONDS * SLOW_MACHINE};
    shop.wish.level = work->terms.cell.level;
    shop.wish.memory_bytes = BUILD_MEMORY;
    shop.wish.cpu_seconds = BUILD_SECONDS;
    shop.wish.write = shop_at;
    shop.wish.write_bytes = work->terms.tree_bytes;
    show_release(&shop.wish);
    if (work->terms.python_wheels.len)
        shop.wish.read[shop.wish.read_count++] = buf_cstr(&work->terms.python_wheels);
    rc = workshop_run(&shop, &end, err);
    if (rc)
        return rc;
    if (work_failed(&shop, &end, &remarks, why))
        say_errors(&end, why);
    buf_add(output, buf_str(&end.output));
    return 0;
}

/* ---- tree and requirements as one tree ---- */

typedef struct Linking {
    const char *from, *to; /* folders */
} Linking;

static int link_file(void *user, const TreeFile *file, Err *err)
{
    const Linking *linking = user;
    CLEANUP(buf_done) Buf from = {0};
    CLEANUP(buf_done) Buf to = {0};
    int rc = work_path(linking->from, file->path, &from, err);

    if (rc == 0)
        rc = work_path(linking->to, file->path, &to, err);
    if (rc == 0)
        rc = folder_make_for(buf_cstr(&to), err);
    if (rc == 0 && disk_link(buf_cstr(&from), buf_cstr(&to)))
        rc = disk_error(err, "link", buf_cstr(&to));
    return rc;
}

/* The files of the tree by other names, and `deps` moved beside them. */
static int join_trees(const char *tree, const char *deps, const char *joined, Err *err)
{
    CLEANUP(buf_done) Buf place = {0};
    Linking linking = {tree, joined};
    const mode_t before = umask(022); /* another user is to read it */
    int rc = tree_files(tree, link_file, &linking, err);

    umask(before);
    if (rc == 0)
        rc = work_path(joined, VERSION_DEPS, &place, err);
    if (rc == 0 && disk_rename(deps, buf_cstr(&place)))
        rc = disk_error(err, "name", buf_cstr(&place));
    return rc;
}

static int settle_deps(const char *deps, const VersionWork *work, Buf *why, Err *err)
{
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    const ArchiveLimits limits = version_terms_limits(&work->terms);
    Err own = {0};
    int rc = tree_settle(deps, &limits, &report, &own);

    if (rc != ERR_RULE && rc != ERR_LIMIT)
        return rc ? err_set(err, (ErrCode)rc, "%s", own.msg) : 0;
    remark_write(REMARK_NEEDS, (const Str[REMARK_VALUES]){str_of(own.msg)}, why);
    return 0;
}

/* The three folders of a build. */
static int make_folders(const WorkPlace *place, Buf *shop, Buf *deps, Buf *joined, Err *err)
{
    CLEANUP(buf_done) Buf temporary = {0};
    int rc = work_folder(place->scratch, "build", 0755, shop, err);

    if (rc == 0)
        rc = work_folder(buf_cstr(shop), "deps", 0777, deps, err);
    if (rc == 0)
        rc = work_folder(buf_cstr(shop), "tmp", 0777, &temporary, err);
    return rc ? rc : work_folder(place->scratch, "joined", 0755, joined, err);
}

static int build_python(const WorkPlace *place, const char *tree, const char *below,
                        VersionWork *work, Buf *why, Buf *output, Err *err)
{
    CLEANUP(buf_done) Buf shop = {0};
    CLEANUP(buf_done) Buf deps = {0};
    CLEANUP(buf_done) Buf joined = {0};
    int rc = make_folders(place, &shop, &deps, &joined, err);

    if (rc == 0)
        rc = run_pip(place, tree, below, buf_cstr(&shop), work, why, output, err);
    if (rc == 0 && !why->len)
        rc = settle_deps(buf_cstr(&deps), work, why, err);
    if (rc == 0 && !why->len)
        rc = join_trees(tree, buf_cstr(&deps), buf_cstr(&joined), err);
    if (rc == 0 && !why->len)
        rc = work_keep_tree(place, buf_cstr(&joined), work, err);
    folder_remove(buf_cstr(&shop), NULL);
    folder_remove(buf_cstr(&joined), NULL);
    return rc;
}

int version_work_build(const WorkPlace *place, VersionWork *work, Err *err)
{
    CLEANUP(buf_done) Buf tree = {0};
    CLEANUP(buf_done) Buf below = {0};
    CLEANUP(buf_done) Buf why = {0};
    CLEANUP(buf_done) Buf output = {0};
    const TimeUs began = place->now();
    int rc = work_tree(place, work, &tree, err);

    if (rc)
        return rc;
    if (str_eq(buf_str(&work->language), STR("python")) &&
        find_requirements(buf_cstr(&tree), work, &below))
        rc = build_python(place, buf_cstr(&tree), buf_cstr(&below), work, &why, &output, err);
    if (rc)
        return rc;
    work_add_step(place, work, "build", began, (Str){0}, buf_str(&why), buf_str(&output));
    return why.len ? work_write_report(work, NULL, err) : 0;
}
