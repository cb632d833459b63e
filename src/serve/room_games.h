/* room_games.h - what rooms play: a game of each division in this process, with people in browsers,
 *                bots and models on its seats. A RoomStage.
 *
 * For:    servers with rooms.
 * Memory: a RoomGames outlives its rooms; what the setup points to is borrowed.
 * Thread: the loop's. Time is an argument, by alarms.
 * Source: docs/spec/web.md 6.1.
 *
 *   natural language  a hall of its own (nlp/hall.h) with as many peers as seats
 *   protocol          a hall of its own (match/hall.h) with as many callers as seats
 *   MAW               a table of its own (maw/maw_table.h)
 *
 * Clocks, rules, faults and logs are those of the divisions' servers. Bots answer after a pause, as
 * people do; nothing that the others see differs between the two.
 */
#ifndef WARG_SERVE_ROOM_GAMES_H
#define WARG_SERVE_ROOM_GAMES_H

#include "net/loop.h"
#include "nlp/config.h"
#include "record/live_sink.h"
#include "web/room_stage.h"

typedef struct RoomGames RoomGames;

typedef struct RoomGamesSetup {
    Loop *loop;           /* NULL in tests: no models */
    Alarms *alarms;       /* the loop's */
    const Config *nlp;    /* what natural-language rooms follow; NULL = the ruleset alone */
    const LiveSink *live; /* who watches; NULL = nobody */
    const char *logs;     /* folder; NULL = the logs of games are not kept */
    const char *model;    /* "llm:..." that rooms may have beside bots; NULL = none */
    int64_t delay_ms;     /* the server's, of what is seen */
    DateMs *date;
    int64_t unix_ms_at_zero;
    void (*note)(void *user, Str line); /* may be NULL */
    void *user;
} RoomGamesSetup;

/* Errors: ERR_MEMORY. */
int room_games_new(const RoomGamesSetup *setup, RoomGames **ret_games, Err *err);
RoomGames *room_games_free(RoomGames *games); /* takes NULL */
RoomStage room_games_stage(RoomGames *games);

#endif
