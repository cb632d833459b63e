#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* pipe2, environ, O_PATH */
#endif
#include "cell/cell.h"

#include "cell/cell_filter.h"
#include "cell/cell_start.h"
#include "cell/strict_order.h"
#include "cell/strict_rules.h"
#include "net/fd_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM       "warg-cell"
#define WHY_BYTES     512
#define MASK_BYTES    24
#define LAYERS_BYTES  160
#define PROGRAM_BYTES 32
#define NUMBERS_BYTES 48 /* of a folder: --hide=DEVICE:INODE: */
#define WORDS_MAX     (CELL_HIDDEN_MAX + 5)
#define PATIENCE_MS   20000 /* for a probe, which takes some milliseconds */
#define FIRST_FREE    10    /* descriptor: a child's own ones are put below it */

/* A folder that is hidden. The descriptor keeps its number its own. */
typedef struct Hidden {
    int folder;
    char path[PATH_MAX];
    char argument[NUMBERS_BYTES + PATH_MAX];
} Hidden;

/* What differs by the program. */
typedef enum CellFilterKind {
    FILTER_USUAL,
    FILTER_THREADLESS, /* threads are refused */
    FILTER_ROUTES,     /* the network's addresses may be asked for */
    CELL_FILTERS,
} CellFilterKind;

struct Cell {
    char program[PROGRAM_BYTES]; /* by descriptor; empty = not found */
    int file;                    /* -1 = `program` is no warg-cell */
    const char *own_verb;        /* NULL = `program` is warg-cell */
    char mask[MASK_BYTES];
    Hidden hidden[CELL_HIDDEN_MAX];
    size_t hidden_count;
    const char *words[WORDS_MAX + 1]; /* of `front` */
    ChildFront front;
    bool plain;
    char why[WHY_BYTES];

    CellLevel level; /* of a strict one; else LIGHT */
    Cell *light;     /* of a strict one: for programs that are ours */
    CellWish wish;
    CellProbe probe;
    int filters[CELL_FILTERS]; /* of strict ones; -1 = none */
    char layers[LAYERS_BYTES];
};

/* ---- the program ---- */

/* It is opened once and started by its descriptor: a program that another one has put in its place
 * meanwhile is never run. */
static bool take_program(Cell *cell, Str folder, const char *below)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof(path), "%.*s/%s" PROGRAM, STR_ARG(folder), below);

    if (n <= 0 || (size_t)n >= sizeof(path) || access(path, X_OK))
        return false;
    int file = open(path, O_PATH | O_CLOEXEC);
    cell->file = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, FIRST_FREE);
    if (file >= 0)
        close(file);
    if (cell->file >= 0)
        snprintf(cell->program, sizeof(cell->program), "/proc/self/fd/%d", cell->file);
    return cell->file >= 0;
}

static void find_program(Cell *cell, const char *own_verb)
{
    char own[PATH_MAX];
    ssize_t bytes = readlink("/proc/self/exe", own, sizeof(own));
    Str folder = {own, bytes > 0 && (size_t)bytes < sizeof(own) ? (size_t)bytes : 0};
    size_t slash;

    if (!str_find_last(folder, '/', &slash))
        return;
    folder = str_part(folder, 0, slash);
    if (take_program(cell, folder, "") || take_program(cell, folder, "../libexec/") || !own_verb)
        return;
    /* Not its path: another program may stand there by now. */
    snprintf(cell->program, sizeof(cell->program), "/proc/self/exe");
    cell->own_verb = own_verb;
}

/* ---- what is hidden ---- */

/* By name and by number: a name can be given to another folder by whoever may write above it. */
static int hide_folder(Cell *cell, const char *folder, Err *err)
{
    Hidden *hidden = &cell->hidden[cell->hidden_count];
    char path[PATH_MAX];
    struct stat info;

    if (cell_hides(cell, folder)) /* it would not be found in there */
        return 0;
    if (cell->hidden_count == CELL_HIDDEN_MAX)
        return err_set(err, ERR_LIMIT, "more than %d folders to hide from agents", CELL_HIDDEN_MAX);
    if (!realpath(folder, path) ||
        (hidden->folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
        return err_set(err, ERR_IO, "folder '%s': %s", folder, strerror(errno));
    memcpy(hidden->path, path, sizeof(path));
    cell->hidden_count++;
    if (fstat(hidden->folder, &info))
        return err_set(err, ERR_IO, "folder '%s': %s", folder, strerror(errno));
    snprintf(hidden->argument, sizeof(hidden->argument), "--hide=%llu:%llu:%s",
             (unsigned long long)info.st_dev, (unsigned long long)info.st_ino, path);
    return 0;
}

bool cell_hides(const Cell *cell, const char *path)
{
    char whole[PATH_MAX];

    if (cell->plain || !realpath(path, whole))
        return false;
    for (size_t i = 0; i < cell->hidden_count; i++) {
        Str hidden = str_of(cell->hidden[i].path);
        if (str_starts(str_of(whole), hidden) &&
            (whole[hidden.len] == '/' || whole[hidden.len] == '\0' || hidden.len == 1))
            return true;
    }
    return false;
}

/* ---- trying it ---- */

/* Reads all that is printed, up to what there is room for, and to the end. False when nothing came
 * for so long that nothing will. */
static bool read_words(int from, char text[static WHY_BYTES])
{
    char beyond[64] = "";
    size_t used = 0;
    ssize_t n = 1;
    struct pollfd wanted = {.fd = from, .events = POLLIN};

    while (n != 0) {
        const int ready = poll(&wanted, 1, PATIENCE_MS);
        if (ready == 0)
            return false;
        const bool full = used == WHY_BYTES - 1;
        n = ready < 0 ? -1
                      : read(from, full ? beyond : text + used,
                             full ? sizeof(beyond) : WHY_BYTES - 1 - used);
        if (n < 0 && errno != EINTR)
            break;
        used += n > 0 && !full ? (size_t)n : 0;
    }
    text[used] = '\0';
    return true;
}

/* 0 or an error of errno. */
static int spawn_program(const char *program, const char *const *words, const int files[2],
                         int output, pid_t *ret_pid)
{
    union {
        const char *const *ours;
        char *const *theirs; /* nobody changes them */
    } arguments;
    posix_spawn_file_actions_t actions;

    arguments.ours = words;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    for (int i = 0; files && i < 2; i++)
        posix_spawn_file_actions_adddup2(&actions, files[i], CHILD_LIFELINE + i);
    const int failed = posix_spawn(ret_pid, program, &actions, NULL, arguments.theirs, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* Runs the program with `words` and reads what it prints. `files`: its descriptors 3 and 4, above
 * those; NULL = none. Its exit status, -1 = not started, or not ended in good time. */
static int run_program(const char *program, const char *const *words, const int files[2],
                       char text[static WHY_BYTES])
{
    int ends[2], status = 0;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC))
        return -1;
    const int failed = spawn_program(program, words, files, ends[1], &pid);
    close(ends[1]);
    if (!failed && !read_words(ends[0], text)) {
        snprintf(text, WHY_BYTES, PROGRAM " did not end");
        kill(pid, SIGKILL);
    }
    close(ends[0]);
    if (failed)
        return -1;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The words in front of a program; `last` is the one behind which it stands. */
static void write_words(Cell *cell, const char *last)
{
    size_t count = 0;

    cell->words[count++] = PROGRAM;
    if (cell->own_verb)
        cell->words[count++] = cell->own_verb;
    cell->words[count++] = cell->mask;
    if (cell->plain)
        cell->words[count++] = "--plain";
    for (size_t i = 0; i < cell->hidden_count; i++)
        cell->words[count++] = cell->hidden[i].argument;
    cell->words[count++] = last;
    cell->words[count] = NULL;
    cell->front = (ChildFront){.program = cell->program, .words = cell->words, .file = -1};
}

static void try_it(Cell *cell)
{

    if (!cell->program[0]) {
        snprintf(cell->why, sizeof(cell->why), "the program " PROGRAM " is missing");
        cell->plain = true;
        return;
    }
    write_words(cell, "--probe");
    if (run_program(cell->program, cell->words, NULL, cell->why) == 0)
        return;
    cell->why[str_trim(str_of(cell->why)).len] = '\0';
    if (!cell->why[0])
        snprintf(cell->why, sizeof(cell->why), PROGRAM " could not be run");
    cell->plain = true;
}

/* ---- public ---- */

/* NULL without memory. */
static Cell *new_cell(void)
{
    Cell *cell = mem_new(sizeof(*cell));

    if (cell)
        cell->file = cell->filters[FILTER_USUAL] = cell->filters[FILTER_THREADLESS] =
            cell->filters[FILTER_ROUTES] = -1;
    return cell;
}

int cell_new(const char *const *hidden, unsigned mask, const char *own_verb, Cell **ret_cell,
             Err *err)
{
    Cell *cell = new_cell();
    int rc = 0;

    if (!cell)
        return err_set(err, ERR_MEMORY, "cells: out of memory");
    snprintf(cell->mask, sizeof(cell->mask), "--umask=%03o", mask & 0777U);
    for (size_t i = 0; hidden[i] && rc == 0; i++)
        rc = hide_folder(cell, hidden[i], err);
    if (rc) {
        cell_free(cell);
        return rc;
    }
    find_program(cell, own_verb);
    try_it(cell);
    write_words(cell, "--");
    *ret_cell = cell;
    return 0;
}

Cell *cell_free(Cell *cell)
{
    if (!cell)
        return NULL;
    for (size_t i = 0; i < cell->hidden_count; i++)
        close(cell->hidden[i].folder);
    cell_free(cell->light);
    group_places_sweep(&cell->probe.groups);
    for (int i = 0; i < CELL_FILTERS; i++)
        if (cell->filters[i] >= 0)
            close(cell->filters[i]);
    if (cell->file >= 0)
        close(cell->file);
    return mem_free(cell);
}

void cell_freep(Cell **cell)
{
    *cell = cell_free(*cell);
}

Str cell_lack(const Cell *cell)
{
    return str_of(cell->plain ? cell->why : "");
}

const ChildFront *cell_front(const Cell *cell)
{
    return cell->program[0] ? &cell->front : NULL;
}

void cell_guard_self(void)
{
    if (!CELL_SANITIZED)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* ---- strict ---- */

CellLevel cell_level(const Cell *cell)
{
    return cell->plain ? CELL_NONE : cell->level;
}

uint64_t cell_memory(const Cell *cell)
{
    return cell->wish.memory_bytes;
}

Str cell_layers(const Cell *cell)
{
    return str_of(cell->layers);
}

/* Above the numbers that a program in front gets. */
static int move_up(int take_file)
{
    const int moved = fcntl(take_file, F_DUPFD_CLOEXEC, FIRST_FREE);

    close(take_file);
    return moved;
}

static int make_filter(const CellFilterPlan *plan, int *ret_file, Err *err)
{
    int file = -1, rc = cell_filter_make(plan, &file, err);

    if (rc)
        return rc;
    file = move_up(file);
    if (file < 0)
        return err_set(err, ERR_IO, "filter of system calls: %s", strerror(errno));
    *ret_file = file;
    return 0;
}

/* The words of an order, one behind the other, in a text. */
static void add_word(void *user, const char *text)
{
    Buf *out = user;

    buf_add(out, str_of(text));
    buf_add_char(out, '\0');
}

/* All words in front of a command. Errors: ERR_MEMORY. */
static int write_order(const Cell *cell, const StrictOrder *order, CellFront *ret_front, Err *err)
{
    CellFront made = {.front = {.program = cell->program, .talks = true, .file = -1}};
    size_t count = 0, at = 0;

    add_word(&made.text, PROGRAM);
    if (cell->own_verb)
        add_word(&made.text, cell->own_verb);
    strict_order_write(order, add_word, &made.text);
    for (size_t i = 0; i < made.text.len; i++)
        count += made.text.bytes[i] == '\0';
    made.words = buf_failed(&made.text) ? NULL : mem_new((count + 1) * sizeof(*made.words));
    if (!made.words) {
        cell_front_done(&made);
        return err_set(err, ERR_MEMORY, "cells: out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        made.words[i] = made.text.bytes + at;
        at += strlen(made.words[i]) + 1;
    }
    made.front.words = made.words;
    *ret_front = made;
    return 0;
}

/* Tries a level whole, but for a program. */
static int try_level(const Cell *cell, bool filter_level, LevelProbe *ret, Err *err)
{
    const StrictOrder order = {.filter = filter_level,
                               .probe = true,
                               .folder = "/usr",
                               .root = cell->wish.root,
                               .port = ORDER_PORT,
                               .threads = 64};
    CLEANUP(cell_front_done) CellFront front = {0};
    char text[WHY_BYTES] = "";
    int files[2] = {-1, -1}, ends[2] = {-1, -1};
    int rc = make_filter(&(CellFilterPlan){.filter_level = filter_level}, &files[1], err);

    if (rc == 0)
        rc = write_order(cell, &order, &front, err);
    if (rc == 0 && fd_socket_pair(ends)) {
        files[0] = move_up(ends[1]);
        ret->works = run_program(cell->program, front.front.words, files, text) == 0;
        close(ends[0]);
        close(files[0]);
    }
    if (files[1] >= 0)
        close(files[1]);
    Str rest = str_of(text), why = str_cut(&rest, '\n');
    snprintf(ret->why, sizeof(ret->why), "%.*s", STR_ARG(why));
    if (!ret->works && !ret->why[0])
        snprintf(ret->why, sizeof(ret->why), PROGRAM " could not be run");
    return rc;
}

/* Fills in what there is, and the program that makes cells. Of the levels those that are wanted:
 * each takes some milliseconds. LEVELS = both. */
static int probe_cell(Cell *cell, const char *own_verb, CellLevel wanted, Err *err)
{
    CellProbe *probe = &cell->probe;

    find_program(cell, own_verb);
    if (!cell->program[0])
        return err_set(err, ERR_IO,
                       "strict cells need the program " PROGRAM ", which is not beside warg or in "
                       "../libexec");
    group_places_find(&probe->groups);
    probe->landlock = strict_rules_version();
    probe->user_spaces = geteuid() != 0;
    int rc = wanted == CELL_FILTER ? 0 : try_level(cell, false, &probe->namespaces, err);
    const bool enough =
        wanted == CELL_NAMESPACES || (wanted == CELL_STRICT && probe->namespaces.works);
    return rc || enough ? rc : try_level(cell, true, &probe->filter, err);
}

int cell_try_levels(const char *own_verb, CellProbe *ret_probe, Err *err)
{
    Cell *cell = new_cell();
    int rc = cell ? probe_cell(cell, own_verb, CELL_LEVELS, err)
                  : err_set(err, ERR_MEMORY, "cells: out of memory");

    if (rc == 0)
        *ret_probe = cell->probe;
    cell_free(cell);
    return rc;
}

static void write_layers(Cell *cell)
{
    const GroupPlaces *groups = &cell->probe.groups;
    const char *version = groups->one ? "v2" : "v1";
    char memory[48], threads[48];

    snprintf(memory, sizeof(memory), groups->memory[0] ? "by group (%s)" : "by looking", version);
    snprintf(threads, sizeof(threads), groups->processes[0] ? "by group (%s)" : "by looking",
             version);
    snprintf(cell->layers, sizeof(cell->layers), "memory %s, threads %s", memory, threads);
}

static int no_level(const Cell *cell, CellLevel level, Err *err)
{
    const CellProbe *probe = &cell->probe;

    if (level == CELL_STRICT)
        return err_set(err, ERR_IO,
                       "strict cells can't be had here: no namespaces (%s), no filter (%s); 'warg "
                       "cell probe' says more",
                       probe->namespaces.why, probe->filter.why);
    return err_set(err, ERR_IO,
                   "cells of the level '%s' can't be had here: %s; 'warg cell probe' "
                   "says more",
                   cell_level_name(level),
                   level == CELL_FILTER ? probe->filter.why : probe->namespaces.why);
}

static int make_strict(Cell *cell, const char *own_verb, Err *err)
{
    const CellLevel wanted = cell->wish.level;
    int rc = probe_cell(cell, own_verb, wanted, err);

    if (rc)
        return rc;
    if (!cell_probe_has(&cell->probe, wanted, &cell->level))
        return no_level(cell, wanted, err);
    if (cell->level == CELL_FILTER && (cell->wish.writable_bytes || cell->wish.root))
        return err_set(err, ERR_USAGE,
                       "a cell of the level 'filter' has no files of its own: leave 'writable' and "
                       "'root' out");
    for (int i = 0; i < CELL_FILTERS && rc == 0; i++) {
        const CellFilterPlan filter = {.filter_level = cell->level == CELL_FILTER,
                                       .forbid_threads = i == FILTER_THREADLESS,
                                       .routes =
                                           i == FILTER_ROUTES && cell->level == CELL_NAMESPACES,
                                       .counts_memory = !cell->probe.groups.memory[0],
                                       .fills = cell->wish.write != NULL,
                                       .see_threads = true};
        if (i != FILTER_THREADLESS || cell->wish.forbid_threads)
            rc = make_filter(&filter, &cell->filters[i], err);
    }
    write_layers(cell);
    return rc;
}

int cell_new_strict(const CellWish *wish, const char *own_verb, Cell *take_light, Cell **ret_cell,
                    Err *err)
{
    Cell *cell = new_cell();

    if (!cell) {
        cell_free(take_light);
        return err_set(err, ERR_MEMORY, "cells: out of memory");
    }
    cell->wish = *wish;
    cell->light = take_light;
    int rc = make_strict(cell, own_verb, err);
    if (rc) {
        cell_free(cell);
        return rc;
    }
    *ret_cell = cell;
    return 0;
}

const Cell *cell_for_own(const Cell *cell)
{
    return cell_level_is_strict(cell->level) ? cell->light : cell;
}

static size_t copy_list(const char *const *list, const char **ret_list)
{
    size_t count = 0;

    for (; count < ORDER_LISTED_MAX && list[count]; count++)
        ret_list[count] = list[count];
    return count;
}

static StrictOrder order_for(const Cell *cell, const CellTenant *tenant, const char *folder)
{
    const CellWish *wish = &cell->wish;
    const GroupPlaces *groups = &cell->probe.groups;
    StrictOrder order = {.filter = cell->level == CELL_FILTER,
                         .folder = folder,
                         .root = wish->root,
                         .memory_group = groups->memory[0] ? groups->memory : NULL,
                         .process_group = groups->processes[0] ? groups->processes : NULL,
                         .one_group = groups->one,
                         .memory_bytes = wish->memory_bytes,
                         .writable_bytes = wish->writable_bytes,
                         .threads = wish->threads,
                         .files = wish->files,
                         .cpu_seconds = wish->cpu_seconds,
                         .port = cell->level == CELL_FILTER ? tenant->port : ORDER_PORT,
                         .one_thread = tenant->profile->one_thread,
                         .forbid_threads = wish->forbid_threads && tenant->profile->one_thread,
                         .write = wish->write,
                         .write_bytes = wish->write_bytes,
                         .read_count = wish->read_count};

    for (uint32_t i = 0; i < wish->read_count; i++)
        order.read[i] = wish->read[i];
    order.noise_count = copy_list(tenant->profile->noise, order.noise);
    order.usual_count = copy_list(tenant->profile->usual, order.usual);
    return order;
}

int cell_front_for(const Cell *cell, const CellTenant *tenant, CellFront *ret_front, Err *err)
{
    char folder[PATH_MAX];

    if (!cell_level_is_strict(cell->level)) {
        *ret_front = (CellFront){.front = cell->front};
        if (!cell->program[0])
            ret_front->front.program = NULL;
        return 0;
    }
    if (!realpath(tenant->folder ? tenant->folder : ".", folder))
        return err_set(err, ERR_IO, "folder '%s': %s", tenant->folder ? tenant->folder : ".",
                       strerror(errno));
    const StrictOrder order = order_for(cell, tenant, folder);
    int rc = write_order(cell, &order, ret_front, err);
    if (rc == 0)
        ret_front->front.file = cell->filters[order.forbid_threads           ? FILTER_THREADLESS
                                              : tenant->profile->asks_routes ? FILTER_ROUTES
                                                                             : FILTER_USUAL];
    return rc;
}

void cell_front_done(CellFront *front)
{
    buf_done(&front->text);
    front->words = mem_free(front->words);
}
