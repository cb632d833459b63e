/* minds_show.h - what language models decided in a game, for reading in a terminal.
 *
 * For:    `warg log minds`.
 * Memory: a MindsShow is the caller's struct; `out` grows.
 * Thread: one at a time.
 * Source: docs/spec/models.md 2; docs/logs.md: decisions of records of MAW (session.jsonl), of
 *         folders of --out (minds/NAME/SET-SEAT.jsonl), and of --record-minds (NAME.jsonl).
 */
#ifndef WARG_SHOW_MINDS_SHOW_H
#define WARG_SHOW_MINDS_SHOW_H

#include "base/buf.h"
#include "base/err.h"

typedef struct MindsShow {
    const char *name; /* of a player, or of a part of the path; NULL = all */
    uint64_t game;    /* a round of MAW, a game of a set, from 1; 0 = all */
    bool all;         /* thoughts and answers as they came, too */
    bool json;        /* one object a line, as it is kept */
    Buf out;
    uint64_t decisions; /* that were shown */
} MindsShow;

/* Appends those of one file; nothing for a file that has none. Errors: those of log_file_read;
 * ERR_SYNTAX with the line for a decision that is none; ERR_MEMORY. */
int minds_show_file(MindsShow *show, const char *path, Err *err);

#endif
