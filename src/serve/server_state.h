/* server_state.h - the inside of a server, for the files that make it up.
 *
 * For:    server.c (life, hall, agents), server_guest.c (connections that stay), server_loops.c
 *         (the other loops), server_web.c (requests), server_events.c (event streams).
 * Memory: see server.h. A ServedGuest is freed by guest_free, or when `closed` was called for it.
 * Thread: the loop's; a ServedGuest is touched by the thread of its place, and by nobody else.
 * Source: docs/spec/nlp-division.md 1.
 */
#ifndef WARG_SERVE_SERVER_STATE_H
#define WARG_SERVE_SERVER_STATE_H

#include "base/buf.h"
#include "net/web_gate.h"
#include "serve/event_stream.h"
#include "serve/operator_desk.h"
#include "serve/realtime.h"
#include "serve/refusals.h"
#include "serve/server.h"
#include "serve/server_extras.h"
#include "serve/server_loops.h"
#include "stats/team_metrics.h"

#define GAME_BUCKETS 512

typedef enum ServerState { SERVER_OPEN, SERVER_CLOSING, SERVER_OVER } ServerState;

/* A running game, as far as the server has to do with it. */
typedef struct ServedGame {
    struct ServedGame *next; /* of its bucket */
    char id[32];
    RealtimeGame *realtime; /* NULL: off, or its files can't be written */
    EventStreams readers;
} ServedGame;

typedef struct ServedGuest ServedGuest;

/* Those on one loop. */
typedef struct GuestList {
    ServedGuest *first;
    ServedGuest *gone; /* closed by the hall; freed when its call has returned */
} GuestList;

/* A connection that stays: an agent's WebSocket or an event stream. What web.h calls `socket`. */
struct ServedGuest {
    Server *server;
    ServerLoop *place; /* where its game is played; NULL = the server's own loop */
    GuestList *list;   /* NULL: on no loop */
    WebConn *conn;
    ServedGuest *before;
    ServedGuest *after;
    TimeUs pinged_at;
    NlpAgent *agent;     /* of an agent that the hall knows */
    uint32_t number;     /* of an agent's connection, from 1 */
    uint32_t own;        /* it is this model of the server's; 0: somebody else */
    bool refused;        /* for its token */
    EventStream *reader; /* of a stream */
    bool known;          /* it has said something: a whole message may be long from now on */
    bool gone;           /* in the list of those */
};

/* What the hall said while it was called; it may not be called back then. */
typedef struct Told {
    bool over; /* the game is over; else a packet */
    size_t id;
    size_t packet;
    size_t masked;
} Told; /* lengths of the texts, which stand one behind the other in `told_text` */

struct Server {
    ServerSetup setup;
    Loop *loop;
    NlpHall *hall;
    WebServer *web;
    Realtime *realtime; /* NULL = off */
    Extras *extras;
    OperatorDesk *desk;
    TeamMetrics *teams; /* of games that are over */
    Timer *timer;       /* for the deadlines of hall and realtime files */
    Timer *chores;      /* once a second */
    ServerState state;
    bool aborted;
    TimeUs now;      /* the latest time that the hall was told */
    int64_t zero_ms; /* unix time of TimeUs 0 */
    int64_t began_ms;
    TimeUs closing_at;
    GuestList guests;
    uint32_t came;      /* agents' connections */
    ServerLoops *loops; /* NULL: games are played on the server's own */
    uint32_t reader_count;
    ServedGame *games[GAME_BUCKETS];
    Told *told;
    size_t told_count;
    size_t told_room;
    Buf told_text;
    Buf body;
    Buf value;
    Buf platform;         /* the Server header */
    WebHeader headers[1]; /* of every response */
    WebGate gate;
    char own_name[256];
    Refusals refusals;
};

/* server.c */
int64_t server_unix_ms(const Server *server); /* at server->now */
/* What came into the hall, and when: server->now. */
void server_moved(const Server *server, HallMove move);
void server_note(const Server *server, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Asks for /ws: upgrades it. */
void server_take_agent(Server *server, WebConn *conn, const WebRequest *request);
/* The running game of this id, made known when it was not; NULL when none runs. */
ServedGame *server_game(Server *server, Str id);

/* server_guest.c */

/* A new guest, on the server's own loop; NULL without memory. */
ServedGuest *guest_new(Server *server, WebConn *conn);
void guest_free(ServedGuest *guest);
void guest_link(ServedGuest *guest, GuestList *list);
void guest_unlink(ServedGuest *guest);
/* For NlpHallOut and BenchOut. */
void guest_send(void *peer, Str text);
void guest_close(void *peer, NlpClose code, const char *reason);
void guests_free_gone(GuestList *list);
/* Once a second: pings, and who does not read. `lost` is called for agents that are closed. */
void guests_look_after(const GuestList *list, TimeUs now,
                       void (*lost)(void *user, uint32_t number, NlpAgent *agent), void *user);

/* server_web.c */
/* Where operators act. */
int server_open_desk(Server *server, Err *err);
/* WebEvents.request. */
void server_request(void *user, WebConn *conn, const WebRequest *request);

/* server_events.c */
void events_begin(Server *server, WebConn *conn, ServedGame *game, bool masked);
void events_packet(const Server *server, const ServedGame *game, Str packet, Str masked);
/* The game is over: its streams end. */
void events_end(const Server *server, const ServedGame *game);

#endif
