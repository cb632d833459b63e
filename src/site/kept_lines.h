/* kept_lines.h - lines of a contest's journals that are asked for again, and where games stand, so
 * that nobody reads a long journal for one of them.
 *
 * For:    import.h, which keeps them; appeals, rulings, what becomes void.
 * Memory: appends to the caller's Buf.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 12.
 *
 * Kept are the plan, freezes, lots, keys, acts and rulings: few, however many games there are. A
 * game's row says at which byte of the journal its line begins (game.place).
 */
#ifndef WARG_SITE_KEPT_LINES_H
#define WARG_SITE_KEPT_LINES_H

#include "journal/journal.h"
#include "journal/journal_voids.h"
#include "site/contest_home.h"
#include "store/db.h"

/* Keeps the line that begins at byte `at` of the journal in a folder, if it is of such a kind;
 * twice changes nothing. In the caller's transaction. */
int kept_lines_add(Db *db, int64_t contest, Str folder, uint64_t at, Str line, Err *err);

/* Those that begin before byte `before`, in their order, each with its newline. `kind`: "act", ...;
 * NULL = all. Errors: those of the store, ERR_MEMORY. */
int kept_lines_read(Db *db, int64_t contest, Str folder, const char *kind, uint64_t before,
                    Buf *lines, Err *err);

/* What acts before byte `before` have made void, sorted. Errors: ERR_SYNTAX besides. */
int kept_lines_voids(Db *db, int64_t contest, Str folder, uint64_t before, JournalVoids *voids,
                     Err *err);

/* Hears the game whose line begins at byte `at`. `scratch` is room for it. Errors: those of
 * journal_read_at; ERR_SYNTAX when another line stands there. */
int kept_lines_hear_game(const ContestHome *home, Str folder, uint64_t at,
                         const JournalListener *listener, GameRecord *scratch, Err *err);

#endif
