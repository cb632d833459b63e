/* rooms.h - rooms: a link, seats for people, bots on the others, a game, and the next one by the
 *           same link. No socket, no clock: frames, requests and time come in.
 *
 * For:    web/room_routes.h (requests), web/feed.h (sockets); what is played is behind a RoomStage.
 * Memory: a Rooms owns rooms, guests and games; a RoomSocket is the feed's until
 *         rooms_socket_closed. The setup is copied, what it points to borrowed.
 * Thread: the loop's. Time is an argument (base/alarms.h).
 * Source: docs/spec/web.md 6.4, 11.
 *
 *   OPEN --all seats, or the time, or by hand--> READY --3 s--> PLAYING --the game's end--> OVER
 *     ^  <--------one too few, or hold----------   |                                          |
 *     +-----------------------------------20 s, or next---------------------------------------+
 *
 * Guests are known by a cookie of 128 bits, of which only the SHA-256 is kept. Before a game who is
 * gone (no socket) for 60 s gives the seat up; in a game a bot decides for it then, until it is
 * back. Who has played has to take a seat for the next game; who waits comes first. Other rooms and
 * other guests can't be found out: codes and cookies are drawn by the kernel, and an address that
 * tries many is told so.
 */
#ifndef WARG_WEB_ROOMS_H
#define WARG_WEB_ROOMS_H

#include "base/id_source.h"
#include "base/json.h"
#include "web/room_stage.h"

#define ROOMS_MAX          100
#define ROOM_CODE_BYTES    7 /* 6 letters and the NUL */
#define ROOM_GUESTS_MAX    200
#define ROOM_COOKIE_BYTES  33 /* 32 hexadecimal digits and the NUL */
#define ROOM_NAME_CHARS    40
#define ROOM_READY_US      ((TimeUs)3000000)
#define ROOM_OVER_US       ((TimeUs)20000000)
#define ROOM_GONE_US       ((TimeUs)60000000)
#define ROOM_HERE_US       ((TimeUs)30000000)  /* to say "here" */
#define ROOM_EMPTY_US      ((TimeUs)600000000) /* until an empty room is gone */
#define ROOM_JOINS         6                   /* a minute and cookie */
#define ROOM_ADDRESS_JOINS 120                 /* a minute and address */
#define ROOM_ADDRESS_TRIES 60                  /* codes that are none, a minute and address */

typedef struct Rooms Rooms;
typedef struct RoomSocket RoomSocket;

typedef enum RoomState { ROOM_OPEN, ROOM_READY, ROOM_PLAYING, ROOM_OVER } RoomState;

typedef struct RoomsSetup {
    Alarms *alarms;
    RoomStage stage;
    IdSource ids; /* {0} but in tests */
    /* A frame to a socket of the feed. */
    void (*send)(void *user, void *reader, Str json);
    /* A socket may not go on: its guest was sent away, and it may hold views of its seat. Not from
     * inside rooms_socket_heard. May be NULL. */
    void (*drop)(void *user, void *reader, const char *why);
    /* The seat of a game is no longer a guest's: views of it are for nobody. May be NULL. */
    void (*left)(void *user, Str game, SeatNo seat);
    /* The list of rooms is another. May be NULL, as the next. */
    void (*changed)(void *user);
    void (*note)(void *user, Str line); /* for the operator; without secrets */
    void *user;
} RoomsSetup;

int rooms_new(const RoomsSetup *setup, Rooms **ret_rooms, Err *err); /* ERR_MEMORY */
Rooms *rooms_free(Rooms *rooms);                                     /* takes NULL */

/* A new room. `options` are read, and checked here.
 * Errors: ERR_LIMIT, ERR_RULE, ERR_IO (no chance), ERR_MEMORY. */
int rooms_make(Rooms *rooms, const RoomOptions *options, TimeUs now,
               char ret_code[static ROOM_CODE_BYTES], Err *err);
/* No further game begins; games under way are stopped when `now_too`. */
void rooms_drain(Rooms *rooms, bool now_too, TimeUs now);
bool rooms_idle(const Rooms *rooms); /* no game is played */
uint32_t rooms_count(const Rooms *rooms);

/* ---- requests ---- */

typedef struct RoomCaller {
    Str cookie;  /* as it came; empty = none */
    Str address; /* without a port */
    bool is_operator;
    TimeUs now;
} RoomCaller;

/* Zero it first; room_reply_done. */
typedef struct RoomReply {
    unsigned status;
    const char *code; /* NULL: fine, and `body` is JSON */
    char text[200];   /* a sentence, with `code` */
    Buf body;
    char cookie[ROOM_COOKIE_BYTES]; /* a new one for the caller; empty = none */
} RoomReply;
void room_reply_done(RoomReply *reply);

/* join leave start hold next kick close; `body` is an object or NULL. join: "name"; kick: "id";
 * hold: "on". */
void rooms_act(Rooms *rooms, Str code, Str act, const json_t *body, const RoomCaller *caller,
               RoomReply *reply);
/* The room, with the caller's place in it. */
void rooms_look(Rooms *rooms, Str code, const RoomCaller *caller, RoomReply *reply);
/* The room in which the caller has a seat, or waits, or was last. */
void rooms_look_own(Rooms *rooms, const RoomCaller *caller, RoomReply *reply);
/* An array of rooms: the listed ones, for an operator all. */
void rooms_write_list(const Rooms *rooms, bool all, Json *json);

/* ---- sockets of the feed ---- */

/* One has come from this address (without a port), with this cookie. `reader` is handed to `send`.
 * What is asked at its seat is sent by rooms_socket_greet, when the feed is ready for it. Errors:
 * ERR_MEMORY. */
int rooms_socket_opened(Rooms *rooms, void *reader, Str cookie, Str address, TimeUs now,
                        RoomSocket **ret_socket, Err *err);
void rooms_socket_greet(Rooms *rooms, RoomSocket *socket, TimeUs now);
/* It is gone; takes NULL. */
void rooms_socket_closed(Rooms *rooms, RoomSocket *socket);
/* A frame: {"type":"watch","room":CODE}, "unwatch", "answer", "here". False: it is none of ours.
 * Replies are sent. */
bool rooms_socket_heard(Rooms *rooms, RoomSocket *socket, const json_t *frame, TimeUs now);
/* Whether it may see what this seat sees in this game. */
bool rooms_socket_may_see(const Rooms *rooms, const RoomSocket *socket, Str game_id, SeatNo seat);
/* The same for a request with this cookie. */
bool rooms_cookie_may_see(const Rooms *rooms, Str cookie, Str game_id, SeatNo seat);

#endif
