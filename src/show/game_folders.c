#include "show/game_folders.h"

#include "journal/journal.h"
#include "results/results.h"

#include <string.h>
#include <sys/stat.h>

typedef struct Hearing {
    GameList *list;
    const GameFolders *folders;
} Hearing;

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Hearing *hearing = user;

    return game_list_add(hearing->list, record, err);
}

static int on_log(void *user, const char *path, const GameRecord *record, Err *err)
{
    (void)path;
    return on_game(user, record, err);
}

static void on_left_out(void *user, Str why)
{
    Hearing *hearing = user;

    hearing->list->left_out++;
    hearing->folders->left_out(hearing->folders->user, why);
}

/* Whether both lead to the same folder. */
static bool same_folder(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static int hear_folder(Hearing *hearing, const char *dir, Err *err)
{
    const JournalListener listener = {.game = on_game, .user = hearing};
    const LogFolderListener logs = {on_log, on_left_out, hearing, &hearing->list->prints};
    struct stat about;
    uint64_t games;

    hearing->list->dir = dir;
    if (journal_exists(dir))
        return journal_read(dir, &listener, NULL, err);
    if (stat(dir, &about) == 0 && S_ISDIR(about.st_mode) &&
        log_folder_read(dir, &logs, &games, NULL) == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "'%s' holds no " JOURNAL_FILE
                   ", which tells who played, and no logs; the folder "
                   "of 'warg run --out' does",
                   dir);
}

/* The folder of a journal or a database that was named itself; the path is cut there. */
static char *folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    if (strcmp(name, JOURNAL_FILE) != 0 && strcmp(name, RESULTS_FILE) != 0)
        return path;
    if (!slash)
        path[0] = '.';
    path[!slash || slash == path ? 1 : slash - path] = '\0';
    return path;
}

int game_folders_hear(GameList *list, char **paths, size_t count, const GameFolders *folders,
                      Err *err)
{
    Hearing hearing = {list, folders};
    int rc = 0;

    list->several = count > 1;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        bool before = false;
        paths[i] = folder_of(paths[i]);
        for (size_t k = 0; k < i; k++)
            before = before || same_folder(paths[k], paths[i]);
        if (!before)
            rc = hear_folder(&hearing, paths[i], err);
    }
    return rc;
}
