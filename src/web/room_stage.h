/* room_stage.h - what a room needs of a game: chairs for people, asks and answers as messages, and
 *                an end. A struct of functions, for each division its own (serve/room_games.h).
 *
 * For:    web/rooms.h, which knows guests and no game.
 * Memory: a RoomGame is the stage's; the room frees it. What a plan points to is borrowed for the
 *         game's life.
 * Thread: the loop's. Time is an argument.
 * Source: docs/spec/web.md 6.
 *
 * Chairs are numbered from 0; which seat in the game a chair has is told when it is known. Nothing
 * that the others in the game hear or see differs between a chair and a bot.
 */
#ifndef WARG_WEB_ROOM_STAGE_H
#define WARG_WEB_ROOM_STAGE_H

#include "base/alarms.h"
#include "web/room_options.h"

typedef struct RoomGame RoomGame;

/* What a game tells its room. None may be called from inside a function of the stage but `tell` and
 * `begun`. */
typedef struct RoomGameEvents {
    /* A game has begun under this id: with MAW, each round. */
    void (*begun)(void *user, Str game_id, TimeUs now);
    /* The chair has this seat in the game that has begun last. */
    void (*seated)(void *user, uint32_t chair, SeatNo seat);
    /* A message for who sits there. */
    void (*tell)(void *user, uint32_t chair, Str json);
    /* Nobody has answered there twice in a row. */
    void (*silent)(void *user, uint32_t chair, TimeUs now);
    /* It is over, from an alarm: the game may be freed. `why` is empty when it was played to its
     * end. */
    void (*over)(void *user, Str why, TimeUs now);
    void *user;
} RoomGameEvents;

#define ROOM_GAME_ASKS 100000 /* more than a game has for one chair */

typedef struct RoomGamePlan {
    const RoomOptions *options;
    const char *code; /* of the room */
    uint32_t number;  /* of the room's game, from 1; asks have numbers behind this times
                         ROOM_GAME_ASKS: an answer to an earlier game is none to this one */
    uint32_t people;  /* chairs */
    const Str *names; /* of people, by chair: for records, when the game is over; copied */
    RoomGameEvents events;
} RoomGamePlan;

typedef struct RoomStage {
    /* Whether it can be played, before a room is made. Errors: ERR_RULE. */
    int (*check)(void *user, const RoomOptions *options, Err *err);
    int (*begin)(void *user, const RoomGamePlan *plan, TimeUs now, RoomGame **ret_game, Err *err);
    /* An answer from a chair; `reply` is for who has sent it, empty = all there are told. */
    void (*hear)(RoomGame *game, uint32_t chair, const json_t *message, TimeUs now, Buf *reply);
    /* Who has come (back) is told what is asked now. */
    void (*greet)(RoomGame *game, uint32_t chair, TimeUs now, void (*say)(void *user, Str json),
                  void *user);
    void (*set_away)(RoomGame *game, uint32_t chair, bool away, TimeUs now);
    /* Ends it without a winner: `over` follows soon. */
    void (*stop)(RoomGame *game, TimeUs now);
    RoomGame *(*free)(RoomGame *game); /* takes NULL */
    void *user;                        /* of check and begin */
} RoomStage;

#endif
