/* track_import.h - games of a natural-language track in the store, out of the journal of its
 *                  server.
 *
 * For:    site/track.c.
 * Memory: none is kept.
 * Thread: the store's; in the caller's transaction.
 * Source: docs/spec/contest-operations.md 9, 12, O5, O29.
 *
 * A track is a stage of its own name; part 0 are self matches of the connection check, which count
 * for nobody, part 1 the main matches. A game's winner is VILLAGER, WEREWOLF, NONE (the days were
 * over) or ABORTED; one that an operator made void has void_by = -1. Twice changes nothing.
 */
#ifndef WARG_SITE_TRACK_IMPORT_H
#define WARG_SITE_TRACK_IMPORT_H

#include "site/import.h"

#define TRACK_CHECK  0
#define TRACK_MAIN   1
#define GAME_ABORTED "ABORTED"

/* Takes over the next games, a few tens at once; `ret_more`: there are more already. A journal that
 * is not there, or as long as it was, is nothing. Errors: those of journal_read_more and the store.
 */
int track_import(Db *db, const ContestHome *home, Str track, int part, int64_t now_ms,
                 bool *ret_more, Err *err);

#endif
