/* import_place.h - how far the journal of a contest's folder was taken over into the store.
 *
 * For:    import.h, which moves it, and whatever has to wait for that.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 12, O5.
 */
#ifndef WARG_SITE_IMPORT_PLACE_H
#define WARG_SITE_IMPORT_PLACE_H

#include "journal/journal.h"
#include "site/contest_home.h"
#include "store/db.h"

typedef struct ImportFolder {
    ContestHome home;
    const char *folder; /* below contests/NAME: "play", "testing/000007" */
    uint32_t round;     /* of testing; else 0 */
    Str job;            /* that plays there; may be empty */
} ImportFolder;

/* Whether all whole lines of the folder are in the store. Errors: those of the store. */
int import_is_whole(Db *db, const ImportFolder *folder, bool *ret_whole, Err *err);

/* How far the folder's journal was read. Errors: those of the store. */
int import_place(Db *db, const ImportFolder *folder, JournalPlace *ret_place, Err *err);

#endif
