/* import.h - games of a contest's folder in the store: what the journal says, once.
 *
 * For:    the server, behind each job that plays and while one is under way.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 12, O5, O6.
 *
 *   contests/NAME/play/journal.jsonl       -> run, game, seat -> score (what standings are made of)
 *   contests/NAME/testing/000007/journal.jsonl
 *
 * The journal stays the truth. How far it was read stands in the same transaction as what was read,
 * and a game has one row (run, game): twice, or in pieces of any size, gives equal tables. A run is
 * one size of tables of a stage, of an extra round, or of a testing round. What an act makes void
 * counts no more, in scores too. Where a game's line stands is kept, and lines that are asked for
 * again (kept_lines.h).
 */
#ifndef WARG_SITE_IMPORT_H
#define WARG_SITE_IMPORT_H

#include "site/import_place.h"

/* In game.void_by: a line of the journal made it void. */
#define VOID_BY_DESK (-1)
/* ... and ruled so of a game that was over: it stands in score.ruled_void. */
#define VOID_BY_RULING (-2)

/* So many in one turn of the loop. */
#define IMPORT_GAMES 200

/* Takes over at most `games_max` games more, in a transaction of its own. `ret_more`: there are
 * more already. Errors: ERR_SYNTAX for a journal that is damaged or shorter than it was; those of
 * the store. */
int import_folder(Db *db, const ImportFolder *folder, uint32_t games_max, bool *ret_more, Err *err);

/* All that is there now. For tests and commands; a server goes in pieces. */
int import_all(Db *db, const ImportFolder *folder, Err *err);

#endif
