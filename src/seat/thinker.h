/* thinker.h - who plays by View and Ask and needs time for an answer: a language model.
 *
 * For:    seat/aiwolf_bot.h and seat/nlp_bot.h, in place of a built-in bot, which answers at once.
 * Memory: a constant table; a view is borrowed until the next call with one.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 1.4, docs/spec/nlp-division.md 6.
 *
 *   IDLE --ask--> ASKED --its answer, unask, end, or the next ask--> IDLE
 *
 * The answer goes to bot_call_answer or nlp_call_answer, from an alarm, never from inside `ask`. A
 * standing ask stays open after an answer.
 */
#ifndef WARG_SEAT_THINKER_H
#define WARG_SEAT_THINKER_H

#include "base/time_us.h"
#include "game/game.h"

typedef struct Thinker {
    /* Of the next game: whom it is to play, as the server says; empty: nobody. May be NULL. */
    void (*profile)(void *user, Str text);
    /* Likewise: its id, as the server says; empty: it has none. May be NULL. */
    void (*game)(void *user, Str id);
    /* A game begins. */
    void (*begin)(void *user, const View *view);
    /* There is something new; what is asked stays asked. */
    void (*look)(void *user, const View *view);
    void (*ask)(void *user, const Ask *ask, const View *view, TimeUs now);
    /* Nothing is asked any more: an answer would be one to something else. */
    void (*unask)(void *user);
    /* The game is over; view->roles tells who was what. */
    void (*end)(void *user, const View *view, Side winner);
} Thinker;

#endif
