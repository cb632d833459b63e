/* history_recover.h - what a killed server left behind, settled when the next one starts.
 *
 * For:    hall_schedule.c, once it holds the schedule's lock.
 * Memory: borrows what it is given.
 * Thread: one at a time. Reads and renames log files.
 * Source: docs/spec/nlp-division.md 2.5, 8.2, 8.3.
 *
 * A game is noted in the schedule's file before its logs are opened, and its outcome comes into the
 * file after they are closed. So a kill leaves games that the file calls under way:
 *
 *   the log has a winner      -> the match has ended; the log counts
 *   it has none, or no log    -> void: STEM.log, .json and .jsonl become STEM.log.void ..., which
 *                                no reader of logs takes for a game; the match is played again
 *
 * Where a journal is kept, it decides: its line comes behind the logs and before the schedule. A
 * game that it has, and not as a void one, has ended its match, also without a winner on the last
 * day; without a line no table would count what the schedule counts.
 *
 * Without a journal a log that ends with NONE is void too: only the server knew whether that was
 * the last day or a game that was broken off.
 */
#ifndef WARG_NLP_HISTORY_RECOVER_H
#define WARG_NLP_HISTORY_RECOVER_H

#include "nlp/history.h"
#include "nlp/result_journal.h"

/* Where games have their files; NULL: they have none of this kind. */
typedef struct HistoryLogs {
    const char *game;
    const char *json;
    const char *realtime;
    const ResultJournal *results; /* NULL = none */
} HistoryLogs;

/* Settles all games under way, tells each by a line, and returns how many there were: the file has
 * to be saved when it is not 0. A file that can't be read or renamed is told, and stays: its match
 * is played again. */
uint32_t history_recover(History *history, const HistoryLogs *logs,
                         void (*note)(void *user, Str line), void *user);

/* Of a game whose record could not be kept: the files become void where they tell a winner, since
 * its match is played again. `trouble` gets what could not be renamed. */
void history_void_decided(const HistoryLogs *logs, const char *stem, Buf *trouble);

#endif
