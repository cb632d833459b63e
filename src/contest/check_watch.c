#define _XOPEN_SOURCE 700 /* nanoseconds of files */

#include "contest/check_watch.h"

#include "base/mem.h"
#include "disk/regular_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX  20000
#define DEPTH_MAX  16
#define KEPT_BYTES ((size_t)2 << 20) /* read of what it has printed */

/* ---- the door ---- */

/* A program that is looked at. */
typedef struct WatchedProgram {
    CheckWatch *watch;
    void *inner;
    const ProgramEars *ears;
    void *user;
} WatchedProgram;

static AiwolfAgent *on_called(void *user, const ProgramCall *call, TimeUs now)
{
    const WatchedProgram *program = user;

    return program->ears->called(program->user, call, now);
}

static void on_found(void *user, const Finding *finding, TimeUs now)
{
    const WatchedProgram *program = user;

    program->watch->found(program->watch->user, finding);
    if (program->ears->found)
        program->ears->found(program->user, finding, now);
}

static void on_used(void *user, const CellUse *use)
{
    const WatchedProgram *program = user;

    program->watch->used(program->watch->user, use);
}

static void on_broken(void *user, Str why, TimeUs now)
{
    const WatchedProgram *program = user;

    if (program->ears->broken)
        program->ears->broken(program->user, why, now);
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    const WatchedProgram *program = user;
    const CheckWatch *watch = program->watch;

    watch->ended(watch->user, how, watch->inner.kind->last_lines(program->inner));
    program->ears->ended(program->user, how, now);
}

static const ProgramEars watch_ears = {.called = on_called,
                                       .found = on_found,
                                       .broken = on_broken,
                                       .used = on_used,
                                       .ended = on_ended};

static int watch_start(void *door, const ProgramPlan *plan, const ProgramEars *ears, void *user,
                       void **ret_program, Err *err)
{
    CheckWatch *watch = door;
    WatchedProgram *program = mem_new(sizeof(*program));

    if (!program)
        return err_set(err, ERR_MEMORY, "out of memory");
    *program = (WatchedProgram){.watch = watch, .ears = ears, .user = user};
    int rc = watch->inner.kind->start(watch->inner.door, plan, &watch_ears, program,
                                      &program->inner, err);
    if (rc) {
        mem_free(program);
        return rc;
    }
    process_watch_aim(watch->eyes, child_program_pid(program->inner),
                      child_program_port(program->inner));
    *ret_program = program;
    return 0;
}

static const ProgramKind *kind_within(const WatchedProgram *program)
{
    return program->watch->inner.kind;
}

static void watch_shut(void *own)
{
    const WatchedProgram *program = own;

    kind_within(program)->shut(program->inner);
}

static void watch_stop(void *own)
{
    const WatchedProgram *program = own;

    kind_within(program)->stop(program->inner);
}

static void watch_watch(void *own)
{
    const WatchedProgram *program = own;

    kind_within(program)->watch(program->inner);
}

static bool watch_look(void *own, RunQueueLook *ret_look)
{
    const WatchedProgram *program = own;

    return kind_within(program)->look(program->inner, ret_look);
}

static Str watch_last_lines(const void *own)
{
    const WatchedProgram *program = own;

    return kind_within(program)->last_lines(program->inner);
}

static void watch_free(void *own)
{
    WatchedProgram *program = own;

    process_watch_aim(program->watch->eyes, 0, 0);
    kind_within(program)->free(program->inner);
    mem_free(program);
}

ProgramDoor check_watch_door(CheckWatch *watch)
{
    static const ProgramKind kind = {.start = watch_start,
                                     .shut = watch_shut,
                                     .stop = watch_stop,
                                     .watch = watch_watch,
                                     .look = watch_look,
                                     .last_lines = watch_last_lines,
                                     .free = watch_free};

    return (ProgramDoor){&kind, watch};
}

/* ---- what it uses ---- */

void check_watch_place(const CheckWatch *watch, uint64_t game, uint16_t day)
{
    process_watch_mark(watch->eyes, game << 16 | day);
}

/* Whose sights are told. */
typedef struct Telling {
    AgentCheck *check;
    CheckPlay play;
} Telling;

static void on_seen(void *user, ProcessSight what, Str text, uint64_t mark)
{
    static const CheckRule rules[] = {[SIGHT_PROCESS] = RULE_PROCESS,
                                      [SIGHT_THREAD] = RULE_THREAD,
                                      [SIGHT_WRITES] = RULE_WRITE,
                                      [SIGHT_NETWORK] = RULE_NETWORK};
    static const char *const words[] = {[SIGHT_PROCESS] = "runs another process, ",
                                        [SIGHT_THREAD] = "has another thread, ",
                                        [SIGHT_WRITES] = "has open for writing: ",
                                        [SIGHT_NETWORK] = "is connected elsewhere: "};
    const Telling *telling = user;
    CLEANUP(buf_done) Buf line = {0};

    if (telling->check->strict || (what == SIGHT_THREAD && !telling->check->limits.one_thread))
        return; /* a strict cell sees all of it, and not now and then */
    buf_printf(&line, "%s%.*s", words[what], STR_ARG(text));
    agent_check_finding(telling->check, rules[what], buf_str(&line), telling->play, mark >> 16,
                        (uint16_t)mark);
}

void check_watch_find(const Finding *finding, AgentCheck *check, CheckPlay play, uint64_t game,
                      uint16_t day)
{
    static const CheckRule rules[FINDING_RULES] = {
        [FINDING_NETWORK] = RULE_NETWORK, [FINDING_WRITE] = RULE_WRITE,
        [FINDING_PROCESS] = RULE_PROCESS, [FINDING_THREAD] = RULE_THREAD,
        [FINDING_MEMORY] = RULE_MEMORY,   [FINDING_OUTPUT] = RULE_OUTPUT};

    if (finding->text.len) /* those beyond are of the same kind */
        agent_check_finding(check, rules[finding->rule], finding->text, play, game, day);
}

void check_watch_tell(const CheckWatch *watch, AgentCheck *check, CheckPlay play)
{
    Telling telling = {check, play};
    const ProcessUse use = process_watch_use(watch->eyes);

    if (use.pid)
        agent_check_use(check, play, &use);
    process_watch_tell(watch->eyes, on_seen, &telling);
}

/* ---- files ---- */

struct FolderFile {
    char *path;
    struct stat status;
};

void folder_files_done(FolderFiles *files)
{
    for (size_t i = 0; i < files->count; i++)
        mem_free(files->files[i].path);
    files->files = mem_free(files->files);
    files->count = files->room = 0;
}

static bool add_file(FolderFiles *files, Str path, const struct stat *status)
{
    if (files->count == FILES_MAX)
        return false;
    if (files->count == files->room) {
        const size_t room = files->room ? 2 * files->room : 64;
        struct FolderFile *more = mem_resize(files->files, room, sizeof(*more));
        if (!more)
            return false;
        files->files = more;
        files->room = room;
    }
    char *copy = mem_new(path.len + 1);
    if (!copy)
        return false;
    memcpy(copy, path.bytes, path.len);
    files->files[files->count++] = (struct FolderFile){copy, *status};
    return true;
}

static bool read_folder(Buf *path, unsigned depth, FolderFiles *files);

/* A contest starts Python with -B, which makes none of these. */
static bool is_passed_over(const char *name)
{
    static const char *const names[] = {".", "..", ".git", "__pycache__"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return str_starts(str_of(name), STR(CHECK_FOLDER)); /* where temporary files are here */
}

/* `path` is that of an entry. */
static bool read_entry(Buf *path, const char *name, unsigned depth, FolderFiles *files)
{
    struct stat status;

    if (is_passed_over(name) || lstat(buf_cstr(path), &status))
        return true;
    if (S_ISDIR(status.st_mode))
        return depth < DEPTH_MAX && read_folder(path, depth + 1, files);
    return add_file(files, buf_str(path), &status);
}

static bool read_folder(Buf *path, unsigned depth, FolderFiles *files)
{
    DIR *folder = opendir(buf_cstr(path));
    const struct dirent *entry;
    const size_t len = path->len;
    bool whole = true;

    while (whole && folder && (entry = readdir(folder))) {
        buf_printf(path, "/%s", entry->d_name);
        whole = !buf_failed(path) && read_entry(path, entry->d_name, depth, files);
        buf_cut(path, len);
    }
    if (folder)
        closedir(folder);
    return whole;
}

static int compare_paths(const void *a, const void *b)
{
    const struct FolderFile *first = a, *second = b;

    return strcmp(first->path, second->path);
}

void folder_files_read(const char *folder, FolderFiles *ret_files)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s", folder);
    ret_files->whole = read_folder(&path, 0, ret_files);
    if (ret_files->count)
        qsort(ret_files->files, ret_files->count, sizeof(*ret_files->files), compare_paths);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool was_there(const FolderFiles *before, const struct FolderFile *file)
{
    const struct FolderFile *found =
        before->count ? bsearch(file, before->files, before->count, sizeof(*file), compare_paths)
                      : NULL;

    return found && is_same(&found->status, &file->status);
}

/* Our own stdout or stderr. */
static bool is_ours(const struct stat *status)
{
    struct stat own;

    for (int fd = 1; fd <= 2; fd++)
        if (fstat(fd, &own) == 0 && own.st_dev == status->st_dev && own.st_ino == status->st_ino)
            return true;
    return false;
}

void folder_files_compare(const FolderFiles *before, const FolderFiles *after,
                          void (*left)(void *user, Str path), void *user)
{
    if (!before->whole || !after->whole)
        return;
    for (size_t i = 0; i < after->count; i++)
        if (!was_there(before, &after->files[i]) && !is_ours(&after->files[i].status))
            left(user, str_of(after->files[i].path));
}

/* ---- what it printed ---- */

static void read_output(const char *path, AgentCheck *check, CheckPlay play)
{
    CLEANUP(buf_done) Buf text = {0};
    struct stat status = {0};
    int fd = -1;

    if (regular_file_open(path, &fd, NULL))
        return;
    ssize_t bytes = fstat(fd, &status) == 0 && buf_reserve(&text, KEPT_BYTES)
                        ? read(fd, text.bytes, KEPT_BYTES)
                        : -1;
    close(fd);
    if (bytes >= 0)
        agent_check_output(check, play, (uint64_t)status.st_size, (Str){text.bytes, (size_t)bytes});
}

void check_watch_output(const char *folder, AgentCheck *check, CheckPlay play)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(folder_files_done) FolderFiles files = {0};

    buf_printf(&path, "%s/agents", folder);
    folder_files_read(buf_cstr(&path), &files);
    for (size_t i = 0; i < files.count; i++)
        read_output(files.files[i].path, check, play);
}
