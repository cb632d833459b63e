/* finding_watch.h - what becomes of findings while games are played: they go into the journal, and
 *                   the first of each rule and agent is told.
 *
 * For:    contest_run and the protocol division's server.
 * Memory: a FindingWatch remembers who was told of; finding_watch_done frees it. Zero it first.
 * Thread: one: the hall's.
 * Source: docs/spec/contest-operations.md 6.6.
 */
#ifndef WARG_CONTEST_FINDING_WATCH_H
#define WARG_CONTEST_FINDING_WATCH_H

#include "cell/cell.h"
#include "journal/journal.h"

typedef struct FindingWatch {
    Buf told; /* rule and agent, a line each */
} FindingWatch;

void finding_watch_done(FindingWatch *watch); /* also for CLEANUP */

/* Into the journal (NULL = none); a journal that can't be written says so at the next game. Appends
 * to `ret_line` what is to be told: "set 3, game 17: agent bob tried what is forbidden: connect
 * 8.8.8.8:53 (network)"; nothing when it is not the first of its kind. */
void finding_watch_add(FindingWatch *watch, Journal *journal, int64_t at_ms,
                       const FindingNote *note, Buf *ret_line);

/* A journal's line of what programs run in; `cell` NULL = in none. Errors: those of the journal. */
int finding_watch_cell(Journal *journal, const Cell *cell, Err *err);

#endif
