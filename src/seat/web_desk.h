/* web_desk.h - what one seat is asked in a browser: open asks with their numbers, the answers that
 *              come to them, the messages of both.
 *
 * For:    seat/web_seat.h (AIWolf divisions), web/maw_chair.h. It knows no game, socket or clock.
 * Memory: a WebDesk owns copies of what it was told; it is the caller's struct, web_desk_done frees
 *         what is in it.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/web.md 6.2.
 *
 *     web_desk_ask --> "ask" goes out --> an answer: "taken", or "refused" to who has sent it
 *                                     --> web_desk_unask: "unask" goes out
 *
 * Numbers of asks only grow, also from game to game. An answer to another number than that of an
 * open ask is refused and changes nothing: nothing is ever said at another occasion than it was
 * typed for. Who sends an answer again, by the key that it had, is told again what came of it.
 */
#ifndef WARG_SEAT_WEB_DESK_H
#define WARG_SEAT_WEB_DESK_H

#include "base/time_us.h"
#include "game/game.h"
#include "wire/json_read.h"

#define WEB_ASKS_MAX      8
#define WEB_KEYS_MAX      16 /* that are remembered */
#define WEB_KEY_BYTES     32
#define WEB_NO_LIMIT      (-1)
#define WEB_ANSWER_RATE   5 /* a second, and as many at once; more are refused */
#define WEB_GAME_ID_BYTES 64

typedef enum WebAskKind {
    WEB_TALK,
    WEB_WHISPER,
    WEB_VOTE,
    WEB_DIVINE,
    WEB_GUARD,
    WEB_ATTACK,
    WEB_ROLE_WISH,
    WEB_QUERY_ROLE,
    WEB_WHISPER_TO,
    WEB_ASK_COUNT,
} WebAskKind;

/* What is asked. Plain value; `length` is borrowed for the call. */
typedef struct WebAsk {
    WebAskKind kind;
    bool standing; /* stays open: answer as often as you like */
    bool revote;
    bool may_withdraw;         /* a vote may be for nobody */
    SeatSet targets;           /* of all kinds that name somebody */
    bool may_skip, may_over;   /* "Skip" and "Over" mean something */
    TimeUs until;              /* TIME_US_NEVER = no limit */
    const LengthRules *length; /* of speech; NULL = none */
    int32_t length_left;       /* of length->per_agent */
    int32_t max_chars;         /* more is refused; WEB_NO_LIMIT = none */
    int32_t turns_left;        /* WEB_NO_LIMIT: not limited */
    int32_t skips_left;
} WebAsk;

/* What was answered. `text` is on one line, borrowed for the call. */
typedef struct SeatAnswer {
    WebAskKind kind;
    uint32_t ask;
    SeatNo target; /* SEAT_NONE: withdrawn */
    Str text;
} SeatAnswer;

/* What becomes of an answer. */
typedef struct WebVerdict {
    const char *code;         /* NULL: taken; else a word: "no-sentence" */
    char error[ERR_TEXT_MAX]; /* for people */
    bool ends;                /* taken, and a standing ask is over, too */
    Buf text;                 /* as it is recorded; freed by the desk */
} WebVerdict;

typedef struct WebDeskOut {
    /* A message for all who sit here, borrowed for the call. */
    void (*tell)(void *user, Str json);
    /* What becomes of an answer that fits an open ask. May not call the desk. */
    void (*judge)(void *user, const SeatAnswer *answer, TimeUs now, WebVerdict *verdict);
    /* Does with a taken answer what is to be done, when that has been told. May call the desk, and
     * be asked the next thing. May be NULL. */
    void (*take)(void *user, const SeatAnswer *answer, TimeUs now);
    void *user;
} WebDeskOut;

typedef struct WebOpenAsk {
    uint32_t number; /* 0 = none */
    bool answered;
    bool has_length;
    WebAsk ask; /* its length is the one below */
    LengthRules length;
} WebOpenAsk;

/* What came of an answer with this key. */
typedef struct WebKey {
    char key[WEB_KEY_BYTES + 1];
    uint32_t ask;
    Buf reply; /* the message; empty = free */
} WebKey;

/* Open for embedding; zero but for `out`. */
typedef struct WebDesk {
    WebDeskOut out;
    char game[WEB_GAME_ID_BYTES + 1]; /* its id in messages */
    uint32_t last;                    /* number of the latest ask; may be set at the beginning */
    WebOpenAsk asks[WEB_ASKS_MAX];
    WebKey keys[WEB_KEYS_MAX];
    uint32_t next_key;
    uint32_t counted; /* answers since `counted_at` */
    TimeUs counted_at;
    uint32_t unheeded; /* asks in a row that were over without an answer from the browser */
    Buf text, scratch; /* of the message that is written, and of the one that was read */
} WebDesk;

void web_desk_done(WebDesk *desk);

/* The game that follows. What is open is over. */
void web_desk_game(WebDesk *desk, Str id);

/* Asks; returns the number, 0 when too much is open. */
uint32_t web_desk_ask(WebDesk *desk, const WebAsk *ask, TimeUs now);
/* The same ask with other targets, time or lengths: it is told again under its number. */
void web_desk_change(WebDesk *desk, uint32_t number, const WebAsk *ask, TimeUs now);
/* Over; nothing when it is not open. */
void web_desk_unask(WebDesk *desk, uint32_t number);
void web_desk_unask_all(WebDesk *desk);
/* The open ask of this number, or NULL. */
const WebOpenAsk *web_desk_open(const WebDesk *desk, uint32_t number);

/* A message "answer" of a browser, from anybody's hand. The reply for who has sent it is written
 * over *reply; empty when all who sit here are told. */
void web_desk_hear(WebDesk *desk, const json_t *message, TimeUs now, Buf *reply);

/* For a browser that has come, or is back: each open ask again, with its time as it is now. */
void web_desk_greet(const WebDesk *desk, TimeUs now, void (*say)(void *user, Str json), void *user);

const char *web_ask_name(WebAskKind kind); /* "talk" */

#endif
