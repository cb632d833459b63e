/* journal_more.h - a journal read in pieces, while somebody goes on writing it.
 *
 * For:    a contest site, which takes games over as they come (site/import.h).
 * Memory: none is kept.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 12, O5.
 *
 * Acts of operators behind a piece may make games of it void: each is told when its line comes, and
 * games are told as their own lines have them.
 */
#ifndef WARG_JOURNAL_JOURNAL_MORE_H
#define WARG_JOURNAL_JOURNAL_MORE_H

#include "journal/journal.h"

/* How far a journal was read: whole lines. {0}: nothing of it. */
typedef struct JournalPlace {
    uint64_t bytes;
    uint64_t lines;
} JournalPlace;

/* Hears what stands behind `place`, at most `games_max` games (0 = all) and the lines between them,
 * and moves it behind that. `ret_more`: more was there. A journal that is not there has nothing.
 * Errors: ERR_SYNTAX, with the line, also for one that is shorter than the place; those of
 * journal_read and of the listener: the place stays then. */
int journal_read_more(const char *dir, const JournalListener *listener, uint64_t games_max,
                      JournalPlace *place, bool *ret_more, Err *err);

#endif
