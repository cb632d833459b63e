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

/* Hears what stands behind `place`, at most `games_max` games and acts (0 = all), for which there
 * is work to do, and the lines between them, and moves it behind that: while a line is heard it is
 * where that begins. `ret_more`: more was there. A journal that is not there has nothing. Errors:
 * ERR_SYNTAX, with the line, also for one that is shorter than the place; those of journal_read and
 * of the listener: the place is as it was then. */
int journal_read_more(const char *dir, const JournalListener *listener, uint64_t games_max,
                      JournalPlace *place, bool *ret_more, Err *err);

/* The line that begins at byte `at`, appended to `line` without its newline. Errors: ERR_IO,
 * ERR_LIMIT, ERR_MEMORY; ERR_SYNTAX when none begins there, ERR_RULE when its end is not there. */
int journal_read_at(const char *dir, uint64_t at, Buf *line, Err *err);

#endif
