/* game_faults.h - what went wrong in one game of a contest, from faults.jsonl.
 *
 * For:    documents of games that a journal tells of.
 * Memory: the document is the caller's.
 * Thread: any.
 * Source: journal/journal.h (journal_add_fault says how a line looks).
 */
#ifndef WARG_WEB_GAME_FAULTS_H
#define WARG_WEB_GAME_FAULTS_H

#include "record/game_doc.h"

/* Adds the faults of this game to its document. `file` is faults.jsonl, read to its end; a line
 * that is none is passed over. Errors: ERR_IO, ERR_MEMORY. */
int game_faults_add(int file, uint32_t stage, uint64_t game, GameDoc *doc, Err *err);

#endif
