#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* pipe2, environ, O_PATH */
#endif
#include "net/cell.h"

#include "net/cell_start.h"

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
static int run_program(const char *program, char *const *arguments, char text[static WHY_BYTES])
{
    posix_spawn_file_actions_t actions;
    int ends[2], pid, status = 0;
    size_t used = 0;
    ssize_t n;

    if (pipe2(ends, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int failed = posix_spawn(&pid, program, &actions, NULL, arguments, environ);
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

static void try_it(Cell *cell)
{
    char *arguments[CELL_ARGUMENTS_MAX + 1];
    char probe[] = "--probe";

    if (!cell->program[0]) {
        snprintf(cell->why, sizeof(cell->why), "the program " PROGRAM " is missing");
        cell->plain = true;
        return;
    }
    size_t count = cell_arguments(cell, arguments);
    arguments[count - 1] = probe; /* in place of the -- */
    arguments[count] = NULL;
    if (run_program(cell->program, arguments, cell->why) == 0)
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

const char *cell_program(const Cell *cell)
{
    return cell->program[0] ? cell->program : NULL;
}

/* Arguments of programs are not constant, though nobody changes these. */
static char *option_word(const char *text)
{
    union {
        const char *ours;
        char *theirs;
    } both = {.ours = text};

    return both.theirs;
}

size_t cell_arguments(const Cell *cell, char *ret_arguments[static CELL_ARGUMENTS_MAX])
{
    size_t count = 0;

    ret_arguments[count++] = option_word(PROGRAM);
    if (cell->own_verb)
        ret_arguments[count++] = option_word(cell->own_verb);
    ret_arguments[count++] = option_word(cell->mask);
    if (cell->plain)
        ret_arguments[count++] = option_word("--plain");
    for (size_t i = 0; i < cell->hidden_count; i++)
        ret_arguments[count++] = option_word(cell->hidden[i].argument);
    ret_arguments[count++] = option_word("--");
    return count;
}

void cell_guard_self(void)
{
    if (!CELL_SANITIZED)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
