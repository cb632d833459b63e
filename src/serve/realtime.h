/* realtime.h - the files that a viewer polls: games.json, and one .jsonl of broadcast packets for
 *              each game; the same without roles under masked/.
 *
 * For:    servers of all divisions: server.c, live.c.
 * Memory: a Realtime owns its games; a RealtimeGame is valid until realtime_end.
 * Thread: one at a time. Time is an argument; the clock is never read.
 * Source: docs/spec/nlp-division.md 8.4, targets: the delay works, no line is ever half there, a
 *         finished game stays listed for a while.
 *
 *     BEGUN --first line--> LISTED --realtime_end, last line--> LEAVING --30 s--> gone
 *
 *   BEGUN:   its files are there, empty; no list names it.
 *   LISTED:  in games.json (and masked/games.json from the first masked line on).
 *   LEAVING: its files are closed, its lines all there.
 */
#ifndef WARG_SERVE_REALTIME_H
#define WARG_SERVE_REALTIME_H

#include "net/loop.h"
#include "nlp/config.h"

/* A finished game stays listed: the viewer needs a moment to fetch its last lines. */
#define REALTIME_LEAVING_US ((TimeUs)30 * 1000 * 1000)
/* At hundreds of games a second the first of them go earlier. */
#define REALTIME_LEAVING_MAX 1000
/* games.json is written at most this often, however many games run. */
#define REALTIME_LIST_US ((TimeUs)200 * 1000)
/* For each game in them later by so much: with thousands, lists are most of what is written. */
#define REALTIME_LIST_GAME_US ((TimeUs)100)
/* Lines that waited appear at most this often: a game's lines are few writes then. For each game
 * that had some, later by so much, up to a second in all: a viewer asks once a second, and of a
 * hundred games that are played as fast as they go, a kilobyte in large writes costs a third. */
#define REALTIME_TAKE_US      ((TimeUs)200 * 1000)
#define REALTIME_TAKE_GAME_US ((TimeUs)4 * 1000)
#define REALTIME_TAKE_MAX_US  ((TimeUs)1000 * 1000)
/* Lines that wait for `delay`, all games together, in a file; what does not fit is left out, and
 * reported. */
#define REALTIME_QUEUE_BYTES ((size_t)1024 * 1024 * 1024)

typedef struct Realtime Realtime;
typedef struct RealtimeGame RealtimeGame;

typedef struct RealtimeSetup {
    const char *dir; /* made; empty = where we are */
    TimeUs delay;
    bool masked; /* there are files below masked/, too */
} RealtimeSetup;

/* Makes the directories and empties the lists. Errors: ERR_IO, ERR_MEMORY. */
int realtime_open(const RealtimeSetup *setup, Realtime **ret_realtime, Err *err);
/* As the realtime keys of `config` say. */
int realtime_new(const Config *config, Realtime **ret_realtime, Err *err);
/* What waits is written, then the lists are emptied: nothing runs any more. Takes NULL. */
Realtime *realtime_free(Realtime *realtime);

/* A game begins: its files are made. `stem` names them, without a suffix, and `id` the masked one,
 * because stems have teams in them; both are copied.
 * Errors: ERR_IO, ERR_MEMORY. */
int realtime_begin(Realtime *realtime, Str id, Str stem, RealtimeGame **ret_game, Err *err);
/* A packet, and the same masked (either may be empty: not for that stream): they appear `delay`
 * later. */
void realtime_add(Realtime *realtime, RealtimeGame *game, Str packet, Str masked, TimeUs now,
                  int64_t unix_ms);
/* The game is over; `game` is invalid from here on. */
void realtime_end(Realtime *realtime, RealtimeGame *game, TimeUs now);

/* What is due at `now` appears; then when to call again. `unix_ms` is the same moment for people.
 */
void realtime_tick(Realtime *realtime, TimeUs now, int64_t unix_ms);
TimeUs realtime_deadline(const Realtime *realtime);

/* Another limit than REALTIME_QUEUE_BYTES. */
void realtime_limit_queue(Realtime *realtime, size_t bytes);

/* True when something went wrong since the last call (a full disk; lines that did not fit): the
 * first of it. A game whose file can't be written to has no further lines. */
bool realtime_trouble(Realtime *realtime, Err *ret_err);

#endif
