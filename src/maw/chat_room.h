/* chat_room.h - MAW's ChatRoom: one room, its members, its log with the readers' cursors.
 *
 * For:    maw/session.c, which has three of them (a fourth with `graveyard`).
 * Memory: a ChatRoom owns its lines. Lines that were handed out are borrowed until the next change.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/maw.md 2.3 (figure 5), 2.4, A19 to A23, C12; seed 002 tables 10 to 12, 27.
 *
 *     SETUP --open--> OPEN --close--> CLOSED --open--> OPEN ...
 *
 *   CLOSED: refuses lines; members still get the last ones until the next opening.
 */
#ifndef WARG_MAW_CHAT_ROOM_H
#define WARG_MAW_CHAT_ROOM_H

#include "game/role.h"
#include "net/loop.h"
#include "wire/maw_message.h"

#define ROOM_LINES_MAX 2000
#define ROOM_FORGETS_US                                                                            \
    ((TimeUs)60 * 1000 * 1000) /* who has not asked for so long does not hold lines back */
#define ROOM_READERS_MAX 64

typedef struct ChatRoom ChatRoom;

int chat_room_new(const char *name, ChatRoom **ret_room, Err *err); /* "Village" */
ChatRoom *chat_room_free(ChatRoom *room);

const char *chat_room_name(const ChatRoom *room);
bool chat_room_is_open(const ChatRoom *room);

/* Opens with these writers, and readers (a set of player numbers 0..63; writers are readers).
 * False: it is open already. `round` and phase number name its archive. */
bool chat_room_open(ChatRoom *room, uint64_t writers, uint64_t readers, TimeUs now);
/* False: it is closed already. */
bool chat_room_close(ChatRoom *room);
/* A member who died or left writes no more; whether it still reads. */
void chat_room_silence(ChatRoom *room, unsigned player, bool still_reads);

bool chat_room_may_write(const ChatRoom *room, unsigned player);
bool chat_room_may_read(const ChatRoom *room, unsigned player);

/* Appends a line, from a member or (player < 0) the system, which may speak in a closed room too;
 * all texts are copied. Returns its index, absolute and from 0, never reset; negative: ERR_RULE
 * (the player may not write), ERR_MEMORY. More than ROOM_LINES_MAX: the oldest goes. */
int64_t chat_room_add(ChatRoom *room, int player, Str jid, Str name, Str text, Str time);

/* The lines from `index` on that are still there, oldest first, at most `max`; the first one's
 * index is in *ret_first (the next one to come when there is none). `index` says that the reader
 * has received all before it: what all have received is purged, except while the room is closed.
 * Waited for are the readers who asked in the last ROOM_FORGETS_US, the writers from the opening
 * on. Lines of an earlier opening are gone. Who may not read gets nothing. */
uint32_t chat_room_read(ChatRoom *room, unsigned player, int64_t index, TimeUs now,
                        MawLine *ret_lines, uint32_t max, int64_t *ret_first);
/* The next index: the number of lines since the session began. */
int64_t chat_room_next(const ChatRoom *room);
/* Lines in memory. */
uint32_t chat_room_kept(const ChatRoom *room);

#endif
