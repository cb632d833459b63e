/* game_folders.h - the folders whose games a list has.
 *
 * For:    `warg log list`.
 * Memory: paths are the caller's, and may be cut.
 * Thread: one at a time.
 * Source: journal/journal.h, results/log_folder.h.
 */
#ifndef WARG_SHOW_GAME_FOLDERS_H
#define WARG_SHOW_GAME_FOLDERS_H

#include "show/game_list.h"

typedef struct GameFolders {
    /* A log that is not counted: "PATH: line 3: why". */
    void (*left_out)(void *user, Str why);
    void *user;
} GameFolders;

/* Gives the games of all of them to the list: folders with a journal or with logs, or the journals
 * and databases in them; a folder that was named before adds nothing. Errors: ERR_USAGE for one
 * that holds neither; those of journal_read and game_list_add. */
int game_folders_hear(GameList *list, char **paths, size_t count, const GameFolders *folders,
                      Err *err);

#endif
