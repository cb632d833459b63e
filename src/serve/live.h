/* live.h - games of the protocol division and rounds of MAW while they are played: the list of
 * games and server-sent events over HTTP, at the paths that the natural-language division has for
 *          them, and realtime files.
 *
 * For:    serve/aiwolf_door.c and maw_door.c, which tell what happens.
 * Memory: a Live owns its web server, its games, their readers and files; what the setup points to
 *         is borrowed.
 * Thread: the loop's. A game never waits for a reader.
 * Source: docs/spec/web.md 4.2 (rules 3, 5 and 7); docs/nlp.md, "API".
 *
 * Who has no token sees what the village was told: no roles, no whispers, no act of the night,
 * votes and deaths when they are told. It never sees who sits where: agents keep their seats for a
 * whole set, so that a game that is over would tell it of the next. All of it comes `delay` later.
 *
 *   /api/v1/healthz                      it serves
 *   /api/v1/games[?state=...]            the list
 *   /api/v1/games/ID                     one of it
 *   /api/v1/games/ID/events[?masked=1]   its stream
 *   /api/v1/operator/...                 operator_desk.h
 *   /metrics                             for operators
 */
#ifndef WARG_SERVE_LIVE_H
#define WARG_SERVE_LIVE_H

#include "base/buf.h"
#include "game/game.h"
#include "net/loop.h"
#include "serve/operator_desk.h"

/* So many that are over are remembered. */
#define LIVE_FINISHED_MAX 100
/* Open at once; agents need the rest of the files that the system allows. */
#define LIVE_CONNECTIONS 256

typedef struct Live Live;

typedef struct LiveSetup {
    const char *host; /* NULL = no HTTP */
    uint16_t port;    /* 0 = any free one */
    const Str *names; /* further names of this server, as WebGate.hosts */
    uint32_t name_count;
    Str operator_token;   /* who sends it sees all */
    TimeUs delay;         /* for all others, and for the files */
    const char *realtime; /* folder of realtime files; NULL = none */
    DateOf *date_of;      /* of all that happens */
    OperatorDesk *desk;   /* where operators act; borrowed; NULL = nowhere */
    /* Appends what operators may read at /metrics; NULL: there is nothing. */
    void (*metrics)(void *user, Buf *out);
    bool rooms; /* MAW: what is said in the village is told when its phase is over */
    /* A line for people: who was refused. */
    void (*note)(void *user, Str line);
    void *user;
} LiveSetup;

/* Listens. Errors: those of web_listen and realtime_open. */
int live_open(Loop *loop, const LiveSetup *setup, Live **ret_live, Err *err);
Live *live_free(Live *live); /* takes NULL */
uint16_t live_port(const Live *live);
/* Appends where it can be watched, for people; with the operator's token unless that is kept. */
void live_write_address(const Live *live, bool token_is_kept, Buf *out);

/* A game begins; its number is its ID, six digits, as of its log. By seat: who plays, and how that
 * is called in the game (NULL = Agent[01] and so on); copied. Without memory it is not shown. */
void live_begins(Live *live, uint64_t number, SeatNo count, const Str *agents, const Str *names,
                 TimeUs now);
void live_heard(Live *live, uint64_t number, const Event *event, TimeUs now);
/* It is over: its streams end. */
void live_ends(Live *live, uint64_t number, bool aborted, TimeUs now);
/* An operator has made these games void, `count` from `first` on; those that run end. */
void live_make_void(Live *live, uint64_t first, uint64_t count, TimeUs now);
/* All that are still shown as running are given up. */
void live_ends_all(Live *live, TimeUs now);

#endif
