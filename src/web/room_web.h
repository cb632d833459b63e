/* room_web.h - rooms on a site: their routes, the cookie of a seat, and what the feed's sockets say
 *              to them.
 *
 * For:    serve/live_pages.h. What is played comes from above (web/room_stage.h).
 * Memory: a RoomWeb owns its rooms; the setup is copied, what it points to borrowed. Free it behind
 *         the feed whose hooks it has.
 * Thread: the loop's.
 * Source: docs/spec/web.md 5, 6.4, 11.
 *
 *   GET  rooms                 list; for operators with what can be chosen
 *   POST rooms                 operators: a new room
 *   GET  rooms/CODE            the room, with the caller's place
 *   POST rooms/CODE/ACT        join leave; operators: start hold next kick close
 *   GET  seat                  the room in which this browser has a seat
 */
#ifndef WARG_WEB_ROOM_WEB_H
#define WARG_WEB_ROOM_WEB_H

#include "web/feed.h"
#include "web/rooms.h"
#include "web/site.h"

typedef struct RoomWeb RoomWeb;

typedef struct RoomWebSetup {
    Alarms *alarms;
    RoomStage stage;
    uint16_t port;        /* in the cookie's name: cookies know no ports */
    bool tls;             /* the cookie goes by TLS only */
    const char *address;  /* of the server for other machines, "http://192.0.2.5:8090", borrowed;
                             NULL: as the caller has it */
    const char *model;    /* who may fill seats beside bots; NULL = nobody */
    const char *nlp;      /* name of the configuration of natural-language rooms; NULL = none */
    int64_t delay_ms;     /* of what is seen */
    const LiveSink *live; /* is told who left a game; may be NULL */
    void (*note)(void *user, Str line); /* may be NULL */
    void *user;
} RoomWebSetup;

/* What is set later is in room_web_begin. Errors: ERR_MEMORY. */
int room_web_new(RoomWeb **ret_web, Err *err);
/* Rooms can be made from here on; before the first request. Errors: ERR_MEMORY. */
int room_web_begin(RoomWeb *web, const RoomWebSetup *setup, WebSite *site, Err *err);
/* Rooms are gone; requests and sockets find none. */
void room_web_end(RoomWeb *web);
RoomWeb *room_web_free(RoomWeb *web); /* takes NULL */

Rooms *room_web_rooms(const RoomWeb *web); /* NULL before it has begun */
/* Appends the address at which a room is joined. */
void room_web_write_link(const RoomWeb *web, const char *code, const char *address, Buf *out);

/* ---- for the feed; `user` is the RoomWeb ---- */

FeedHooks room_web_hooks(RoomWeb *web);
/* A socket has come: FeedWebSetup.opened. */
void room_web_opened(void *user, FeedReader *reader, const WebRequest *request);
/* Whether who asks by HTTP has this seat: FeedWebSetup.sits. */
bool room_web_sits(void *user, const WebRequest *request, Str game, SeatNo seat);

#endif
