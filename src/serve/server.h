/* server.h - one server of the natural-language division: a hall on a web server, with its API,
 *            event streams and realtime files.
 *
 * For:    `warg serve nlp`, benches, tests. Several servers may share a loop.
 * Memory: a Server owns its hall, web server, realtime files and timers; the setup's configuration
 *         and TLS are borrowed for its life.
 * Thread: the loop's.
 * Source: docs/spec/nlp-division.md 1; docs/nlp.md.
 *
 *   OPEN --the hall is done--> CLOSING --close frames are out, or a second--> OVER
 *
 *   OPEN:    takes agents (503 while it drains), plays.
 *   CLOSING: agents and streams are told why they are closed.
 *   OVER:    HTTP still answers, and the realtime files go on to the last games' ends, until
 *            server_free.
 */
#ifndef WARG_SERVE_SERVER_H
#define WARG_SERVE_SERVER_H

#include "net/web.h"
#include "nlp/hall.h"
#include "nlp/hall_moves.h"
#include "serve/live_pages.h"

typedef struct Server Server;

typedef struct ServerSetup {
    const Config *config;
    TlsServer *tls; /* NULL = none */
    /* Who sends it is an operator (visitor.h); borrowed for the server's life; empty = none. */
    Str operator_token;
    bool fill; /* as in NlpHallSetup */
    TimeUs fill_after;
    uint32_t self_per_hour; /* as there */
    /* As in NlpHallOut; from the loop, may open connections to this server. */
    void (*guests)(void *user, Str team, SeatNo count, TimeUs now);
    /* As in NlpHallOut. */
    void (*seat)(void *user, const NlpGame *game, SeatNo seat, SeatRecord *own);
    Key key;      /* as in NlpHallSetup */
    DateOf *date; /* of its logs and of what is asked */
    TimeUs now;   /* when it is opened */
    uint64_t games;
    ResultJournal *results; /* as in NlpHallSetup; or it comes from `listening` */
    /* The port is open: from here on there may be files. May be NULL. */
    int (*listening)(void *user, ResultJournal **ret_results, Err *err);
    uint32_t connections; /* open at once; 0 = the web server's default */
    unsigned loops;       /* that games are played on; 0 and 1: the server's own */
    /* What comes into its hall is kept there; borrowed; NULL = nowhere. Not with several loops. */
    HallMoves *moves;
    /* Which of the server's own models connects, from 1, by what it says of itself in its URL
     * (guest=); 0: somebody else. NULL without `moves`. */
    uint32_t (*guest_of)(void *user, Str words);
    LivePages *pages; /* are on its port, too, and told of its games; borrowed; NULL = none */
    /* A line for people, without a time. */
    void (*note)(void *user, Str line);
    /* It is OVER; server_free may be called later, not from here. */
    void (*over)(void *user);
    void *user;
} ServerSetup;

/* Listens on the configuration's host and port. Errors: those of nlp_hall_new, realtime_new and
 * web_listen. */
int server_open(Loop *loop, const ServerSetup *setup, Server **ret_server, Err *err);
/* Open connections are broken off, unless it is OVER; realtime files are completed. Takes NULL. */
Server *server_free(Server *server);

/* Games under way are played to their end, new agents are refused. */
void server_drain(Server *server, TimeUs now);
/* Games under way end now, without a winner. */
void server_abort(Server *server, TimeUs now);
/* The journal has written something: as nlp_hall_written. */
void server_written(Server *server, TimeUs now);

bool server_over(const Server *server);
bool server_complete(const Server *server); /* as nlp_hall_complete */
NlpCounts server_counts(const Server *server);
uint16_t server_port(const Server *server);
/* Speech output and other things of a game that was told to wait. */
NlpHall *server_hall(Server *server);
/* The time to call it with: never before one that it was told already. */
TimeUs server_time(Server *server, TimeUs at);
/* A line for the server's log. */
void server_say(const Server *server, Str line);
/* After every call of the hall from outside: what it said is passed on, timers are set. */
void server_heard(Server *server);

#endif
