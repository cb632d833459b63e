/* room_desk.h - the rooms of a server: what they play, their routes, and the invitation to one.
 *
 * For:    servers with pages (serve/live_pages.h) and rooms: `--room`.
 * Memory: a RoomDesk owns rooms and what they play; the setup's texts are borrowed.
 * Thread: the loop's.
 * Source: docs/spec/web.md 6.4.
 *
 *   room_desk_new (hooks for the feed) -> the feed -> the site -> room_desk_begin -> ...
 *   ... -> room_desk_end -> the site and the feed are freed -> room_desk_free
 */
#ifndef WARG_SERVE_ROOM_DESK_H
#define WARG_SERVE_ROOM_DESK_H

#include "serve/room_games.h"
#include "web/room_web.h"

typedef struct RoomDesk RoomDesk;

typedef struct RoomDeskSetup {
    Loop *loop;
    const Config *nlp; /* as in RoomGamesSetup, as the next two */
    const char *logs;
    const char *model;
    const char *host; /* where the pages are, as it was given */
    uint16_t port;
    bool tls;
    int64_t delay_ms;
    DateMs *date;
    DateOf *date_of;
    void (*note)(void *user, Str line); /* may be NULL */
    void *user;
} RoomDeskSetup;

int room_desk_new(RoomDesk **ret_desk, Err *err); /* ERR_MEMORY */
/* Whose hooks the feed is to have. */
RoomWeb *room_desk_web(const RoomDesk *desk);

/* Before the first request. `live` may be NULL. Errors: ERR_MEMORY. */
int room_desk_begin(RoomDesk *desk, const RoomDeskSetup *setup, WebSite *site, const LiveSink *live,
                    Err *err);
/* A room of these words (room_options_read_words) that is kept when it is empty.
 * Errors: ERR_USAGE, those of rooms_make. */
int room_desk_make(RoomDesk *desk, const char *words, TimeUs now,
                   char ret_code[static ROOM_CODE_BYTES], Err *err);
/* Appends what people at this machine's screen are told: the room's link with the words that it was
 * made of, which tell rooms apart, as a QR code too, and how others reach it when they can't. */
void room_desk_invite(RoomDesk *desk, const char *code, const char *words, bool terminal, Buf *out);

/* Games are given up, rooms are gone; takes NULL, as the next. */
void room_desk_end(RoomDesk *desk);
RoomDesk *room_desk_free(RoomDesk *desk);

#endif
