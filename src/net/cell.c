#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* pipe2, environ */
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

#define PROGRAM    "warg-cell"
#define WHY_BYTES  512
#define MASK_BYTES 24

struct Cell {
    char program[PATH_MAX]; /* empty = not found */
    const char *own_verb;   /* NULL = `program` is warg-cell */
    char mask[MASK_BYTES];
    char hidden[CELL_HIDDEN_MAX][PATH_MAX + sizeof("--hide=")];
    size_t hidden_count;
    bool plain;
    char why[WHY_BYTES];
};

/* ---- the program ---- */

static bool take_program(Cell *cell, Str folder, const char *below)
{
    int n =
        snprintf(cell->program, sizeof(cell->program), "%.*s/%s" PROGRAM, STR_ARG(folder), below);

    if (n > 0 && (size_t)n < sizeof(cell->program) && access(cell->program, X_OK) == 0)
        return true;
    cell->program[0] = '\0';
    return false;
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

static int hide(Cell *cell, const char *folder, Err *err)
{
    char path[PATH_MAX];

    if (cell->hidden_count == CELL_HIDDEN_MAX)
        return err_set(err, ERR_LIMIT, "more than %d folders to hide from agents", CELL_HIDDEN_MAX);
    if (!realpath(folder, path))
        return err_set(err, ERR_IO, "folder '%s': %s", folder, strerror(errno));
    snprintf(cell->hidden[cell->hidden_count++], sizeof(cell->hidden[0]), "--hide=%s", path);
    return 0;
}

static const char *hidden_path(const Cell *cell, size_t number)
{
    return cell->hidden[number] + strlen("--hide=");
}

bool cell_hides(const Cell *cell, const char *path)
{
    char whole[PATH_MAX];

    if (cell->plain || !realpath(path, whole))
        return false;
    for (size_t i = 0; i < cell->hidden_count; i++) {
        Str hidden = str_of(hidden_path(cell, i));
        if (str_starts(str_of(whole), hidden) &&
            (whole[hidden.len] == '/' || whole[hidden.len] == '\0' || hidden.len == 1))
            return true;
    }
    return false;
}

/* ---- trying it ---- */

/* Runs the program with `arguments` and reads what it prints. Its exit status, -1 = not started. */
static int run(const char *program, char *const *arguments, char text[static WHY_BYTES])
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
    if (run(cell->program, arguments, cell->why) == 0)
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
    snprintf(cell->mask, sizeof(cell->mask), "--umask=%03o", mask & 0777U);
    for (size_t i = 0; hidden[i] && rc == 0; i++)
        rc = hide(cell, hidden[i], err);
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
static char *word(const char *text)
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

    ret_arguments[count++] = word(PROGRAM);
    if (cell->own_verb)
        ret_arguments[count++] = word(cell->own_verb);
    ret_arguments[count++] = word(cell->mask);
    if (cell->plain)
        ret_arguments[count++] = word("--plain");
    for (size_t i = 0; i < cell->hidden_count; i++)
        ret_arguments[count++] = word(cell->hidden[i]);
    ret_arguments[count++] = word("--");
    return count;
}

void cell_guard_self(void)
{
    if (!CELL_SANITIZED)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
