/* rooms_state.h - the inside of a Rooms, for the files that make it up.
 *
 * For:    room_guests.c (who is there), room_text.c (what a room looks like), room_life.c (its
 *         states and its game), rooms.c (the rooms, requests, sockets).
 * Memory: see rooms.h.
 * Thread: the loop's.
 * Source: docs/spec/web.md 6.4.
 */
#ifndef WARG_WEB_ROOMS_STATE_H
#define WARG_WEB_ROOMS_STATE_H

#include "base/digest.h"
#include "base/mem.h"
#include "web/room_limits.h"
#include "web/rooms.h"

#define ROOM_KICKED_MAX 64
#define ROOM_NAME_BYTES (ROOM_NAME_CHARS * 4 + 1)
#define ROOM_NO_CHAIR   UINT32_MAX

/* SHA-256 of a cookie; all zero: none. */
typedef struct CookieHash {
    unsigned char bytes[SHA256_BYTES];
} CookieHash;

typedef enum RoomPlace {
    PLACE_NONE,  /* was here, and may come again */
    PLACE_QUEUE, /* waits for a seat */
    PLACE_SEAT,
} RoomPlace;

typedef struct RoomGuest {
    struct RoomGuest *next;
    CookieHash hash;
    uint32_t id; /* in this room, from 1 */
    char name[ROOM_NAME_BYTES];
    RoomPlace place;
    uint64_t since;    /* which it was of all who took this place */
    uint32_t sockets;  /* open now */
    TimeUs gone_at;    /* with none; TIME_US_NEVER: just now */
    uint32_t chair;    /* in the game that is played; ROOM_NO_CHAIR */
    SeatNo seat;       /* there, once it is known */
    bool away;         /* a bot decides */
    TimeUs here_until; /* "are you there?" was asked; TIME_US_NEVER */
    RoomRate joins;
} RoomGuest;

struct RoomSocket {
    RoomSocket *next, **link; /* of all */
    void *reader;
    CookieHash hash;
    uint32_t address;  /* its hash, for limits */
    struct Room *room; /* which it watches; NULL = none */
};

typedef struct Room {
    struct Room *next;
    Rooms *rooms;
    RoomOptions options;
    char code[ROOM_CODE_BYTES];
    RoomState state;
    bool held;      /* no game begins */
    bool start_now; /* an operator says so */
    bool closing;   /* gone behind the game */
    RoomGuest *guests;
    uint32_t guest_count;
    uint32_t last_id;
    uint64_t turns; /* of RoomGuest.since */
    CookieHash kicked[ROOM_KICKED_MAX];
    uint32_t kicked_count; /* the oldest make room */
    TimeUs seated_at;      /* when the first of those who sit sat down; TIME_US_NEVER */
    TimeUs due;            /* READY: the start; OVER: the end of that */
    TimeUs empty_at;       /* since when nobody is here */
    Alarm alarm;
    RoomGame *game; /* PLAYING */
    uint32_t chairs;
    char game_id[ROOM_TEXT_BYTES]; /* the latest; empty = none yet */
    uint32_t games;
    char trouble[200]; /* why the last game could not begin, or was ended */
    uint32_t watchers; /* sockets */
    uint64_t version;  /* of what can be seen */
    uint64_t told;     /* the version that watchers have */
    TimeUs told_at;
} Room;

struct Rooms {
    RoomsSetup setup;
    Room *first;
    uint32_t count;
    RoomSocket *sockets;
    RoomLimits limits;
    bool draining;
    Buf text; /* a frame */
};

/* ---- room_guests.c ---- */

CookieHash cookie_hash(Str cookie);
bool cookie_hash_equal(const CookieHash *a, const CookieHash *b);
RoomGuest *room_guest_of(const Room *room, const CookieHash *hash); /* NULL when it is none */
RoomGuest *room_guest_by_id(const Room *room, uint32_t id);
/* In the game that is played. */
RoomGuest *room_guest_at(const Room *room, uint32_t chair);
bool room_has_kicked(const Room *room, const CookieHash *hash);
void room_note_kicked(Room *room, const CookieHash *hash);
/* One who is to have this name; empty: "Guest 7". Errors: ERR_RULE, ERR_LIMIT, ERR_MEMORY. */
int room_add_guest(Room *room, const CookieHash *hash, Str name, TimeUs now, RoomGuest **ret_guest,
                   Err *err);
/* The same for one who is here. Errors: ERR_RULE. */
int room_rename_guest(Room *room, RoomGuest *guest, Str name, Err *err);
/* It waits, behind all others. */
void room_queue_guest(Room *room, RoomGuest *guest);
void room_drop_guest(Room *room, RoomGuest *guest);
uint32_t room_count_at(const Room *room, RoomPlace place);
/* The one of a place who has it longest; NULL. */
RoomGuest *room_first_at(const Room *room, RoomPlace place);
/* How many wait before it. */
uint32_t room_before(const Room *room, const RoomGuest *guest);

/* ---- room_text.c ---- */

/* The keys of a room, into an object that is open. `you`: NULL = nobody. */
void room_write(const Room *room, const RoomGuest *you, bool is_operator, TimeUs now, Json *json);
/* A frame "room". */
void room_write_frame(const Room *room, const RoomGuest *you, TimeUs now, Buf *out);

/* ---- room_life.c ---- */

/* Something has changed: seats are given, the next state begins, who watches is told. */
void room_settle(Room *room, TimeUs now);
/* The game is ended; `over` follows. */
void room_stop_game(Room *room, TimeUs now);
/* The guest leaves the game that is played: a bot has its chair. */
void room_leave_game(Room *room, RoomGuest *guest, TimeUs now);
void room_set_away(Room *room, RoomGuest *guest, bool away, TimeUs now);
/* Whether nothing of it is left to be done. */
bool room_is_gone(const Room *room, TimeUs now);
/* Sends to all sockets of a guest. */
void room_tell_guest(const Room *room, const RoomGuest *guest, Str json);

#endif
