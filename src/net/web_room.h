/* web_room.h - how much a web server keeps for peers that do not read: a budget over all
 * connections, and one for each address.
 *
 * For:    net/web.c, net/web_reply.c.
 * Memory: a WebRoom keeps an entry for each address that holds some of it; web_room_done.
 * Thread: one at a time.
 * Source: measured: 150 readers of a log of 16 MB who did not read held 2.5 GB, and reading the
 *         file for each of them held up all games for 14 s. So files go out in blocks of
 *         WEB_BLOCK_BYTES, the next when the kernel has taken the last and there is room.
 */
#ifndef WARG_NET_WEB_ROOM_H
#define WARG_NET_WEB_ROOM_H

#include "base/str.h"

#define WEB_BLOCK_BYTES ((size_t)64 * 1024)
#define WEB_ROOM_LISTS  256

typedef struct WebRoomPlace WebRoomPlace;

/* Open, so that it can live inside a server; zero but for the two budgets. */
typedef struct WebRoom {
    size_t all;  /* bytes that may wait, all connections together */
    size_t each; /* those of one address */
    size_t used;
    WebRoomPlace *lists[WEB_ROOM_LISTS]; /* addresses that hold some, by hash */
} WebRoom;

/* The part of "10.0.0.1:40312" or "[::1]:40312" that names the machine. */
Str web_room_address(const char *peer);

/* Takes room for what an address is sent. False, and nothing is taken, when there is none or no
 * memory. */
bool web_room_take(WebRoom *room, Str address, size_t bytes);
/* Gives back some of what was taken for it. */
void web_room_give(WebRoom *room, Str address, size_t bytes);
void web_room_done(WebRoom *room);

#endif
