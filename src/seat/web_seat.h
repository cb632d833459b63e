/* web_seat.h - a person in a browser as a thinker: told by a View, answers an Ask. While nobody is
 *              there a bot decides.
 *
 * For:    rooms of both AIWolf divisions, behind seat/nlp_bot.h and seat/aiwolf_bot.h. Also bots of
 *         rooms, which are seats where nobody ever comes: nothing tells the one from the other.
 * Memory: a WebSeat owns its desk and its bot; the view is borrowed until the next call with one.
 * Thread: one at a time; time is an argument (base/alarms.h).
 * Source: docs/spec/web.md 6; docs/spec/protocol-division.md 1.4, docs/spec/nlp-division.md 6.
 *
 *   IDLE --ask--> ASKED --a browser's answer | its time is over | unask--> IDLE
 *                   |
 *                   +--away: the bot's answer, after a pause------> IDLE
 *
 * Away or back, it counts from the next ask on; who is back in time takes over what is still open.
 */
#ifndef WARG_SEAT_WEB_SEAT_H
#define WARG_SEAT_WEB_SEAT_H

#include "base/alarms.h"
#include "bot/bot.h"
#include "seat/thinker.h"
#include "seat/web_desk.h"

typedef struct WebSeat WebSeat;

typedef struct WebSeatSetup {
    bool protocol;      /* speech must be a sentence of the protocol language */
    const BotKind *bot; /* who decides while nobody is there */
    uint32_t
        asked_before; /* numbers of asks go on from there: those of earlier games stay refused */
    uint64_t seed;    /* of the bot, and of its pauses */
    TimeUs limit;     /* of an ask, where the server tells none; 0 = none */
    bool lapses;      /* over the limit it answers that it has no answer; else nothing */
    TimeUs pause_min, pause_max; /* before the bot answers */
    /* A message for all browsers of this seat. May be NULL: nobody ever comes. */
    void (*tell)(void *user, Str json);
    /* An answer; its text is borrowed for the call. Never from inside the thinker's `ask`. */
    void (*answer)(void *user, const Ask *ask, const Answer *answer);
    /* A game has begun, in which it is view->seat. May be NULL, as the next two. */
    void (*begun)(void *user, const View *view);
    /* The game is over. */
    void (*over)(void *user);
    /* Two asks in a row were not answered by anybody. */
    void (*silent)(void *user, TimeUs now);
    void *user;
} WebSeatSetup;

/* `alarms` is borrowed. Errors: ERR_MEMORY. */
int web_seat_new(Alarms *alarms, const WebSeatSetup *setup, WebSeat **ret_seat, Err *err);
WebSeat *web_seat_free(WebSeat *seat); /* takes NULL */

/* Its `user` is the WebSeat. */
const Thinker *web_seat_thinker(void);

/* The id of the game in messages: before it begins, or as soon as it is known. */
void web_seat_game(WebSeat *seat, Str id);
void web_seat_set_away(WebSeat *seat, bool away, TimeUs now);

/* As web_desk_hear and web_desk_greet. */
void web_seat_hear(WebSeat *seat, const json_t *message, TimeUs now, Buf *reply);
void web_seat_greet(const WebSeat *seat, TimeUs now, void (*say)(void *user, Str json), void *user);

/* Number of the open ask; 0 = none. */
uint32_t web_seat_asked(const WebSeat *seat);

#endif
