/* live.h - games of the protocol division while they are played, over HTTP: the list of games and
 *          server-sent events, at the paths that the natural-language division has for them.
 *
 * For:    serve/aiwolf_door.c, which tells what happens.
 * Memory: a Live owns its web server, its games and their readers; the token is borrowed.
 * Thread: the loop's. A game never waits for a reader.
 * Source: docs/spec/web.md 4.2 (rules 3, 5 and 7); docs/nlp.md, "API".
 *
 * Who has no token sees what the village was told: no roles, no whispers, no act of the night,
 * votes and deaths when they are told. It never sees who sits where: agents keep their seats for a
 * whole set, so that a game that is over would tell it of the next.
 *
 *   /api/v1/healthz, /api/v1/games[?state=...], /api/v1/games/ID,
 * /api/v1/games/ID/events[?masked=1]
 */
#ifndef WARG_SERVE_LIVE_H
#define WARG_SERVE_LIVE_H

#include "game/game.h"
#include "net/loop.h"

/* So many that are over are remembered. */
#define LIVE_FINISHED_MAX 100
/* Open at once; agents need the rest of the files that the system allows. */
#define LIVE_CONNECTIONS 256

typedef struct Live Live;

typedef struct LiveSetup {
    const char *host;
    uint16_t port;      /* 0 = any free one */
    Str operator_token; /* who sends it sees all */
    /* A line for people: who was refused. */
    void (*note)(void *user, Str line);
    void *user;
} LiveSetup;

/* Listens. Errors: those of web_listen. */
int live_open(Loop *loop, const LiveSetup *setup, Live **ret_live, Err *err);
Live *live_free(Live *live); /* takes NULL */
uint16_t live_port(const Live *live);

/* A game begins; its number is its ID, six digits, as of its log. Names by seat are copied. Without
 * memory it is not shown. */
void live_begins(Live *live, uint64_t number, SeatNo count, const Str *names);
void live_heard(Live *live, uint64_t number, const Event *event);
/* It is over: its streams end. */
void live_ends(Live *live, uint64_t number, bool aborted);
/* All that are still shown as running are given up. */
void live_ends_all(Live *live);

#endif
