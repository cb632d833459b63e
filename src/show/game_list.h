/* game_list.h - the games of folders of results or logs: which are asked for, and a row or a line
 * of JSON for each.
 *
 * For:    `warg log list`.
 * Memory: the caller's struct; game_list_done frees.
 * Thread: one at a time.
 * Source: journal/journal.h: the journal knows who sat where, who won and what went wrong.
 */
#ifndef WARG_SHOW_GAME_LIST_H
#define WARG_SHOW_GAME_LIST_H

#include "base/suggest.h"
#include "record/game_record.h"
#include "results/log_folder.h"
#include "show/text_table.h"

/* What is asked for, and what came of it. Zeroed at first; the first lines are the caller's. */
typedef struct GameList {
    Str agent; /* empty = any */
    Role role; /* ROLE_NONE = any */
    bool won, lost, faults, json, japanese;
    const char *dir;   /* whose games are heard */
    uint64_t left_out; /* logs */
    TextTable table;
    Buf out; /* JSON */
    Suggest near;
    Buf best;     /* the nearest name; the journal's are borrowed for a call */
    bool known;   /* the agent played somewhere */
    bool several; /* folders */
    uint64_t games;
    uint64_t shown;
    LogPrints prints;
    Buf ids; /* of natural-language games that were heard, each with a newline on both sides */
} GameList;

/* Once it is known what is asked for. */
void game_list_begin(GameList *list);
/* A game of `list->dir`. Errors: ERR_MEMORY. */
int game_list_add(GameList *list, const GameRecord *record, Err *err);
/* Errors: ERR_USAGE when the agent that is asked for played in none of the games. */
int game_list_check_agent(const GameList *list, Err *err);
/* The table goes into `list->out`, where JSON is already. Errors: ERR_MEMORY. */
int game_list_write(GameList *list, Err *err);
void game_list_done(GameList *list);

#endif
