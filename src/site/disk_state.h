/* disk_state.h - whether contests stand still because the disk is nearly full, for those who ask
 * beside the server.
 *
 * For:    the server's turn, which decides it; `warg contest status` and `doctor`.
 * Memory: plain values.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 16.2, O43: it goes on above twice the reserve, so whoever
 *         looks between the two has to know what was before.
 */
#ifndef WARG_SITE_DISK_STATE_H
#define WARG_SITE_DISK_STATE_H

#include "disk/disk_room.h"
#include "store/db.h"

/* Notes that it is low, or no longer. Errors: those of the store. */
int disk_state_note(Db *db, bool low, Err *err);
/* What was noted last; also by a server before this one. Errors: those of the store. */
int disk_state_read(Db *db, bool *ret_low, Err *err);
/* Looks at the disk as the server does that noted this. `db` may be NULL. Errors: those of the
 * store, ERR_IO. */
int disk_state_look(Db *db, DiskRoom *room, Err *err);

#endif
