/* nlp_call.h - a built-in bot that calls a server of the natural-language division: connects, plays
 *              a game, and calls again.
 *
 * For:    `warg bot nlp`: any number of them on one loop.
 * Memory: an NlpCall owns its connection and its bot; nlp_call_free closes it. What the plan points
 *         to is borrowed for its life.
 * Thread: the loop's.
 * Source: docs/spec/nlp-division.md 1.2 to 1.6, 10.6, 12.4: one connection plays one game; who is
 *         refused tries again every 15 s.
 *
 *   CALLING --opened--> PLAYING --the connection ends behind FINISH--> CALLING, or OVER
 *      |                   |
 *      +----refused--------+--ends otherwise--> WAITING, or OVER without `reconnect`
 *                                                  |
 *   WAITING --`again` has passed--> CALLING <------+
 *
 *   OVER: nothing of it is on the loop any more; nlp_call_result tells how it went.
 */
#ifndef WARG_SEAT_NLP_CALL_H
#define WARG_SEAT_NLP_CALL_H

#include "net/web_client.h"
#include "seat/nlp_bot.h"

typedef struct NlpCall NlpCall;

/* What a bot does wrong at some requests, to test servers. */
typedef enum NlpFault {
    NLP_FAULT_NONE,
    NLP_FAULT_SILENT,  /* gives no reply */
    NLP_FAULT_LATE,    /* replies after `late` */
    NLP_FAULT_GARBAGE, /* replies with a text that is none */
    NLP_FAULT_DROP,    /* breaks the connection off */
} NlpFault;

typedef struct NlpCallEvents {
    /* Connected. May be NULL, as the others. */
    void (*opened)(void *user, NlpCall *call);
    /* A packet is about to be taken. */
    void (*hears)(void *user, NlpCall *call, TimeUs at);
    /* A game is over: look at nlp_call_bot. */
    void (*played)(void *user, NlpCall *call);
    /* Refused, or ended before the game was over; `again`: it will call again. */
    void (*failed)(void *user, NlpCall *call, const char *why, bool again);
} NlpCallEvents;

typedef struct NlpCallPlan {
    NlpBotPlan bot;
    const char *url;
    const char *token; /* NULL = none */
    TlsTrust *trust;   /* for wss://; NULL = the system's certificates */
    uint64_t games;    /* OVER after so many; 0 = no end */
    bool reconnect;    /* a failure is no end */
    TimeUs again;      /* from a failure to the next call */
    TimeUs think;      /* longest pause between two thoughts of a speak-anytime session */
    NlpFault fault;
    unsigned fault_percent; /* of the requests with a reply, NAME left out */
    TimeUs late;
    NlpCallEvents events;
    void *user;
} NlpCallPlan;

typedef enum NlpCallState {
    NLP_CALL_CALLING,
    NLP_CALL_PLAYING,
    NLP_CALL_WAITING,
    NLP_CALL_OVER,
} NlpCallState;

/* Starts to call. Errors: those of web_client_open, ERR_MEMORY. */
int nlp_call_new(Loop *loop, const NlpCallPlan *plan, NlpCall **ret_call, Err *err);
NlpCall *nlp_call_free(NlpCall *call);

/* The answer of a thinker to what it was asked last; dropped when the connection is gone. */
void nlp_call_answer(NlpCall *call, const Ask *ask, const Answer *answer);

/* Ends it now, in order; no event comes any more. */
void nlp_call_hang_up(NlpCall *call);

NlpCallState nlp_call_state(const NlpCall *call);
/* How it went, once OVER. Errors: ERR_IO for a server that refuses or ends the connection before
 * the game is over; those of nlp_bot_packet. */
int nlp_call_result(const NlpCall *call, Err *err);

/* Borrowed from the call. */
const NlpBot *nlp_call_bot(const NlpCall *call);
const char *nlp_call_name(const NlpCall *call);

#endif
