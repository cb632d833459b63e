#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* pipe2, environ, O_PATH */
#endif
#include "cell/cell.h"

#include "cell/cell_start.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM       "warg-cell"
#define WHY_BYTES     512
#define MASK_BYTES    24
#define PROGRAM_BYTES 32
#define NUMBERS_BYTES 48 /* of a folder: --hide=DEVICE:INODE: */
#define WORDS_MAX     (CELL_HIDDEN_MAX + 5)
#define FIRST_FREE    10 /* descriptor: a child's own ones are put below it */

/* A folder that is hidden. The descriptor keeps its number its own. */
typedef struct Hidden {
    int folder;
    char path[PATH_MAX];
    char argument[NUMBERS_BYTES + PATH_MAX];
} Hidden;

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

/* Runs the program with `arguments` and reads what it prints. Its exit status, -1 = not started. */
static int run_program(const char *program, const char *const *words, char text[static WHY_BYTES])
{
    const union {
        const char *const *ours;
        char *const *theirs; /* nobody changes them */
    } arguments = {.ours = words};
    posix_spawn_file_actions_t actions;
    int ends[2], pid, status = 0;
    size_t used = 0;
    ssize_t n;

    if (pipe2(ends, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int failed = posix_spawn(&pid, program, &actions, NULL, arguments.theirs, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (
        !failed && used < WHY_BYTES - 1 &&
        ((n = read(ends[0], text + used, WHY_BYTES - 1 - used)) > 0 || (n < 0 && errno == EINTR)))
        used += n > 0 ? (size_t)n : 0;
    text[used] = '\0';
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
    if (run_program(cell->program, cell->words, cell->why) == 0)
        return;
    cell->why[str_trim(str_of(cell->why)).len] = '\0';
    if (!cell->why[0])
        snprintf(cell->why, sizeof(cell->why), PROGRAM " could not be run");
    cell->plain = true;
}

/* ---- public ---- */

int cell_new(const char *const *hidden, unsigned mask, const char *own_verb, Cell **ret_cell,
             Err *err)
{
    Cell *cell = mem_new(sizeof(*cell));
    int rc = 0;

    if (!cell)
        return err_set(err, ERR_MEMORY, "cells: out of memory");
    cell->file = -1;
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
