/* room_games_own.h - what the files of a RoomGames know of each other.
 *
 * For:    room_games.c (the stage), room_nlp.c, room_aiwolf.c, room_maw.c (a division each).
 * Memory: see room_games.h.
 * Thread: the loop's.
 * Source: house rule: what several files of a folder share is in a header of its own.
 */
#ifndef WARG_SERVE_ROOM_GAMES_OWN_H
#define WARG_SERVE_ROOM_GAMES_OWN_H

#include "base/key.h"
#include "base/mem.h"
#include "serve/room_games.h"

struct RoomGames {
    RoomGamesSetup setup;
};

/* What RoomStage has, of one division. */
typedef struct RoomGameKind {
    int (*check)(const RoomGames *games, const RoomOptions *options, Err *err);
    int (*begin)(RoomGames *games, const RoomGamePlan *plan, const Key *key, TimeUs now,
                 RoomGame **ret_game, Err *err);
    void (*hear)(RoomGame *game, uint32_t chair, const json_t *message, TimeUs now, Buf *reply);
    void (*greet)(RoomGame *game, uint32_t chair, TimeUs now, void (*say)(void *user, Str json),
                  void *user);
    void (*set_away)(RoomGame *game, uint32_t chair, bool away, TimeUs now);
    void (*stop)(RoomGame *game, TimeUs now);
    RoomGame *(*free)(RoomGame *game);
} RoomGameKind;

/* The first member of each division's own. */
struct RoomGame {
    const RoomGameKind *kind;
};

extern const RoomGameKind room_nlp_kind;
extern const RoomGameKind room_aiwolf_kind;
extern const RoomGameKind room_maw_kind;

#endif
