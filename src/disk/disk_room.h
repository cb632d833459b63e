/* disk_room.h - how much a data folder's disk has left, and what is kept for bad times.
 *
 * For:    the server: uploads, rounds, stages; the runner: whether a job can be done at all.
 * Memory: plain value.
 * Thread: any, one at a time.
 * Source: docs/spec/contest-operations.md 16.2, O43.
 *
 *   free > reserve            all goes on
 *   free <= reserve           low: uploads and rounds are refused, stages pause behind their game,
 *                             organisers are told; until twice the reserve is free again
 *   free < DISK_ROOM_LAST     DATA/ballast is given away, so that the store can still write
 */
#ifndef WARG_DISK_DISK_ROOM_H
#define WARG_DISK_DISK_ROOM_H

#include "base/err.h"

#include <stdint.h>

#define DISK_ROOM_BALLAST ((uint64_t)16 * 1024 * 1024)
#define DISK_ROOM_LAST    ((uint64_t)8 * 1024 * 1024)
#define DISK_ROOM_FILE    "ballast"

/* Open. Set the first three, zero the rest. */
typedef struct DiskRoom {
    const char *data;
    uint64_t reserve_bytes;  /* at least so much stays free, and ... */
    uint32_t reserve_permil; /* ... so much of the whole disk */

    bool low;
    uint64_t free, reserve; /* bytes, as of the last look; 0 before, and ... */
    uint64_t whole;         /* ... where it fails */
} DiskRoom;

/* Looks. `ret_changed` (may be NULL): it has become low, or is no longer. Errors: ERR_IO; then it
 * is low. */
int disk_room_look(DiskRoom *room, bool *ret_changed, Err *err);

/* Behind a look: makes the ballast where there is enough room for it, gives it away where there is
 * nearly none. Errors: ERR_IO. */
int disk_room_keep(const DiskRoom *room, Err *err);

#endif
