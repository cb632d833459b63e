/* server_loops.h - further loops on which a server's games are played, each with a thread and a
 * bench of its own.
 *
 * For:    server.c, with --loops.
 * Memory: a ServerLoops belongs to its server, and owns loops, threads and benches.
 * Thread: the functions here are the main loop's. What is on one of the loops is touched by its
 *         thread only; a game and its connections change hands by letters (net/mailbox.h).
 * Source: docs/architecture.md, "Loops".
 *
 *   a game begins (hall) --TASK_TAKE, its connections--> is played there --NEWS_OVER, its
 *   connections--> ends (hall: journal, schedule, the connections are closed)
 */
#ifndef WARG_SERVE_SERVER_LOOPS_H
#define WARG_SERVE_SERVER_LOOPS_H

#include "net/web.h"
#include "nlp/bench.h"

typedef struct Server Server;
typedef struct ServerLoops ServerLoops;
typedef struct ServerLoop ServerLoop; /* one of them */

typedef struct ServerLoopsSetup {
    Server *server;          /* its guests come from it and go back to it */
    unsigned count;          /* up to HALL_BENCHES_MAX */
    const WebLimits *limits; /* of connections */
    /* On the main loop, with the server. For the hall: nlp_hall_hear, nlp_hall_move. */
    void (*hear)(void *user, const News *news);
    void (*move)(void *user);
    /* Behind what was heard. */
    void (*heard)(void *user);
    void (*note)(void *user, Str line);
} ServerLoopsSetup;

/* Starts the threads. Errors: ERR_IO, ERR_MEMORY. */
int server_loops_open(const ServerLoopsSetup *setup, ServerLoops **ret_loops, Err *err);
/* Ends the threads; what they told is heard, games that are not over are left as they are, and
 * connections that are there are broken off. The hall is freed behind it. Takes NULL. */
ServerLoops *server_loops_free(ServerLoops *loops);

/* For NlpHallOut; `user` is the server. */
void server_loops_moves(void *user);
void server_loops_task(void *user, unsigned bench, const Task *task);
/* A line of the server's log for each: what it has done. Takes NULL. */
void server_loops_say(const ServerLoops *loops);
/* What the hall wanted goes off: behind each call of the hall. Takes NULL. */
void server_loops_send(ServerLoops *loops);

#endif
