/* maw_chair.h - a person in a browser drives a MAW player: what may be done now are standing asks,
 *               answers are acts. While nobody is there a bot drives it.
 *
 * For:    serve/room_maw.c: what person/maw_person.h is for a terminal, and maw/driver.h for bots.
 * Memory: a MawChair owns its desk and its driver; the player is borrowed.
 * Thread: one at a time. Time is an argument, by alarms.
 * Source: docs/spec/web.md 6; docs/spec/maw.md 6.1, 7.2, 7.3.
 *
 * A new phase ends all that was asked: what was typed for the village is not said at night.
 */
#ifndef WARG_SERVE_MAW_CHAIR_H
#define WARG_SERVE_MAW_CHAIR_H

#include "base/alarms.h"
#include "maw/driver.h"
#include "seat/web_desk.h"

typedef struct MawChair MawChair;

typedef struct MawChairSetup {
    bool whispers; /* players may whisper to each other, while they are awake */
    bool always;   /* and asleep */
    MawBot bot;    /* who drives while nobody is there */
    LlmLanguage language;
    MawPace pace;
    uint64_t seed;
    uint32_t asked_before; /* as in WebSeatSetup */
    void (*tell)(void *user, Str json);
    void (*acted)(void *user); /* something was sent to the game master */
    void (*silent)(void *user, TimeUs now);
    void *user;
} MawChairSetup;

/* `alarms` is borrowed. Errors: ERR_MEMORY. */
int maw_chair_new(Alarms *alarms, const MawChairSetup *setup, MawChair **ret_chair, Err *err);
MawChair *maw_chair_free(MawChair *chair); /* takes NULL */
/* The player that it drives; before anything else. */
void maw_chair_take(MawChair *chair, MawPlayer *player);
/* MawPlayerOut.news goes here. */
void maw_chair_news(MawChair *chair, const MawNews *news, TimeUs now);

/* A round has begun: its id, and the names by seat, names[1..count], copied. Returns the seat of
 * this address in it. */
SeatNo maw_chair_round(MawChair *chair, Str game_id, SeatNo count, const Str *jids,
                       const Str *names);

void maw_chair_set_away(MawChair *chair, bool away, TimeUs now);
/* As web_desk_hear and web_desk_greet. */
void maw_chair_hear(MawChair *chair, const json_t *message, TimeUs now, Buf *reply);
void maw_chair_greet(const MawChair *chair, TimeUs now, void (*say)(void *user, Str json),
                     void *user);

#endif
