/* bot_call.h - a built-in bot that calls a server: connects, plays, and calls again.
 *
 * For:    `warg bot aiwolf`: any number of them on one loop.
 * Memory: a BotCall owns its connection and its bot; bot_call_free closes it. The texts of the plan
 *         are borrowed for its life.
 * Thread: the loop's.
 * Source: docs/spec/protocol-division.md 1.1, 1.5, 6.3 (point 8).
 *
 *   CALLING --opened--> PLAYING --connection ends--> OVER, or CALLING with `repeat`
 *      |                   |
 *      |                   +--line that is no packet--> OVER
 *      +--nobody answers for `wait`--> OVER
 *
 *   CALLING: a connection is being made, or a timer says when to try again.
 *   OVER:    nothing of it is on the loop any more; bot_call_result tells how it went.
 */
#ifndef WARG_SEAT_BOT_CALL_H
#define WARG_SEAT_BOT_CALL_H

#include "net/tcp.h"
#include "seat/aiwolf_bot.h"

typedef struct BotCall BotCall;

typedef struct BotCallPlan {
    AiwolfBotPlan bot;
    const char *host;
    uint16_t port;
    TimeUs wait; /* how long to go on calling a server that does not answer */
    /* Nobody answered the first call: it is made again and again. May be NULL. */
    void (*waiting)(void *user);
    void *user;
    /* Call again whenever the connection ends, in order or not, until nobody answers for `wait`:
     * for the next set, or a server that is started again. */
    bool repeat;
} BotCallPlan;

/* Starts to call. Errors: ERR_IO when the host can't be found, ERR_MEMORY. */
int bot_call_new(Loop *loop, const BotCallPlan *plan, TimeUs now, BotCall **ret_call, Err *err);
BotCall *bot_call_free(BotCall *call);

/* How it went, once OVER: 0 when the last connection ended behind a FINISH.
 * Errors: ERR_IO for a server that does not answer, or that ended the connection before the game
 * was over; those of aiwolf_bot_line; ERR_MEMORY. */
int bot_call_result(const BotCall *call, Err *err);

/* The answer of a thinker to what it was asked last; dropped when the connection is gone. */
void bot_call_answer(BotCall *call, const Answer *answer);

/* Borrowed from the call. */
const AiwolfBot *bot_call_bot(const BotCall *call);

#endif
