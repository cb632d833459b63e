/* room_chairs.h - who sits in a room's game of the AIWolf divisions: people in browsers first, bots
 *                 and models on the seats that are left. Each is a thinker.
 *
 * For:    serve/room_nlp.c, serve/room_aiwolf.c.
 * Memory: a RoomChairs is a part of its game; room_chairs_done frees what is in it.
 * Thread: the loop's.
 * Source: docs/spec/web.md 6.1, 6.4.
 */
#ifndef WARG_SERVE_ROOM_CHAIRS_H
#define WARG_SERVE_ROOM_CHAIRS_H

#include "base/key.h"
#include "seat/web_seat.h"
#include "serve/room_games.h"
#include "thinker/model_bots.h"

#define ROOM_AGENT_BYTES 64 /* of the name that records have */

typedef struct RoomChairs RoomChairs;

typedef struct RoomChair {
    RoomChairs *chairs;
    uint32_t number; /* from 0 */
    WebSeat *web;    /* a person, or a bot */
    ModelAgent *model;
    char name[ROOM_AGENT_BYTES];
} RoomChair;

struct RoomChairs {
    RoomGameEvents events;
    uint32_t people, count;
    RoomChair items[ROOM_PLAYERS_MAX];
    uint8_t order[ROOM_PLAYERS_MAX]; /* shuffled: in which they come to the table */
    bool has_models;
    ModelBots models;
    /* An answer of a chair; its text is borrowed. */
    void (*answer)(void *user, uint32_t chair, const Ask *ask, const Answer *answer);
    void *user;
};

/* `chairs` is zero but for `answer` and `user`. All chance comes from `key`.
 * Errors: those of model_bots_open; ERR_MEMORY. room_chairs_done is due either way. */
int room_chairs_make(RoomChairs *chairs, const RoomGamesSetup *setup, const RoomGamePlan *plan,
                     const Key *key, Err *err);
void room_chairs_done(RoomChairs *chairs);

const Thinker *room_chair_thinker(const RoomChair *chair, void **ret_user);
/* The game has begun under this id. */
void room_chairs_begin(RoomChairs *chairs, Str game_id, TimeUs now);

/* Of people only. */
void room_chairs_hear(RoomChairs *chairs, uint32_t chair, const json_t *message, TimeUs now,
                      Buf *reply);
void room_chairs_greet(const RoomChairs *chairs, uint32_t chair, TimeUs now,
                       void (*say)(void *user, Str json), void *user);
void room_chairs_set_away(RoomChairs *chairs, uint32_t chair, bool away, TimeUs now);

#endif
