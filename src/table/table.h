/* table.h - one game, the same for every division: its chairs, what they are asked and told, who is
 *           gone, what that leads to, and what is kept of it.
 *
 * For:    tables of divisions (match/table.h, nlp/table.h), which add their logs, their patience
 *         and what a message without a request means. A TableDivision is all in which they differ.
 * Memory: a Table is a part of the division's table; table_done frees game, places and bots.
 * Thread: one at a time. No loop, no socket, no clock: messages and time come in.
 * Source: docs/spec/protocol-division.md 1.5, 6.3; docs/spec/nlp-division.md 4, 6.
 *
 *   table_new, chairs and bots are laid, table_begin; table_run plays on as far as that goes
 * without an answer or time, again after each table_hear and table_due, until it says that the game
 * is over.
 */
#ifndef WARG_TABLE_TABLE_H
#define WARG_TABLE_TABLE_H

#include "bot/bot.h"
#include "record/game_recorder.h"
#include "seat/chair.h"
#include "seat/fate.h"

typedef struct TablePlace {
    Chair chair;         /* IDLE for a bot */
    const BotKind *kind; /* NULL for a participant */
    Bot *bot;
    uint32_t ask_number; /* 1 + number of the ask that was put last */
    bool asked;          /* an ask of its chair is open */
    bool died_before;    /* its character was dead when it went */
} TablePlace;

/* What a seat is told without being asked. */
typedef enum Tell {
    TELL_GAME,  /* a game begins: roles are dealt */
    TELL_DAY,   /* a day begins */
    TELL_NIGHT, /* its second half begins */
    TELL_END,   /* the game is over and all roles are known */
} Tell;

/* A request of a seat that is over. */
typedef struct TableExchange {
    SeatNo seat;
    const Answer *answer; /* a lapse with an error */
    const char *error;    /* NULL: it was answered */
} TableExchange;

/* What a division makes of it. A constant of functions; `user` is the Table's. */
typedef struct TableDivision {
    /* An event, before anybody is told of it: logs, viewers. */
    void (*event)(void *user, const Event *event);
    void (*tell)(void *user, SeatNo seat, Tell what);
    /* A seat is asked; before anybody answers. May be NULL. */
    void (*asked)(void *user, const Ask *ask);
    /* Before the game gets the answer; of a bot in a standing ask not at all. May be NULL. */
    void (*exchange)(void *user, const TableExchange *exchange);
    /* What the game is to get; it may be changed. */
    void (*judge)(void *user, SeatNo seat, Answer *answer);
    /* Behind that, when a participant gave it. May be NULL. */
    void (*judged)(void *user, SeatNo seat, const Answer *answer);
    void (*fault)(void *user, SeatNo seat, const Fault *fault);
    /* Nobody is there any more; its chair is AWAY or OUT. */
    void (*left)(void *user, SeatNo seat, const char *why);
    /* Its chair is OUT. May be NULL. */
    void (*out)(void *user, SeatNo seat);
    /* A message without a request. May be NULL. */
    void (*stray)(void *user, SeatNo seat, Str text);
} TableDivision;

/* Open, for the division. */
typedef struct Table {
    const TableDivision *division;
    void *user;
    Fate fate;
    Game *game;
    SeatNo count;
    TablePlace *places; /* places[1..count] */
    TimeUs now;         /* of what was told it last */
    bool told_game;     /* seats know that it has begun */
    bool told_end;
    bool held;         /* nobody is asked for now */
    bool aborted;      /* it ends, or ended, without a winner */
    GameResult result; /* so far, but names */
    EndReason reason;
    ResultDays days;
    Err *err; /* borrowed; gets the first answer that the game refuses. NULL: it is thrown away */
} Table;

/* Makes the game and `count` empty places. `table` is zero but for division, user, fate, now, err.
 * Errors: as game_new. table_done is due either way. */
int table_new(Table *table, const Ruleset *rules, SeatNo count, Err *err);
void table_done(Table *table);
/* A bot takes this place. Errors: ERR_MEMORY. */
int table_seat_bot(Table *table, SeatNo seat, const BotKind *kind, Err *err);

/* A game begins; the division starts its bots then. Errors: as game_start. */
int table_begin(Table *table, const GameSetup *setup, Chance chance, Err *err);
/* Plays on until somebody has to answer; true when the game is over and all seats know. */
bool table_run(Table *table);
/* Events as far as the game gets without an answer. */
void table_follow(Table *table);
/* One event that the division has read itself. */
void table_event(Table *table, const Event *event);
/* With nobody there who could be asked the days would fly by, up to the last one there is: the
 * game waits for who may still come back. */
bool table_waits(const Table *table);
/* Ends the game now, without a winner. */
void table_abort(Table *table);

/* A message of a participant; the caller calls table_run then, as behind the next three. */
void table_hear(Table *table, SeatNo seat, Str text, TimeUs at);
/* What came of a chair that the caller has called itself. `text`: what it said; `why`: what is
 * logged of one that is gone. */
void table_came(Table *table, SeatNo seat, ChairCame came, const ChairReport *report, Str text,
                const char *why);
/* Its connection is gone. Nothing happens when it was before. */
void table_lose(Table *table, SeatNo seat, const char *why);
/* What is due of its chair at `now`; true when that ended its being there. */
bool table_due(Table *table, SeatNo seat, const char *why);
/* Somebody is back on a chair that was AWAY: the game goes on with it. */
void table_return(Table *table, SeatNo seat);
/* A bot decides now, if the game asks it `ask`. */
void table_ask_bot(Table *table, const Ask *ask);

/* When table_due has to be called for some seat. */
TimeUs table_deadline(const Table *table);
/* Whether somebody was asked and has not answered yet. */
bool table_has_open_asks(const Table *table);
/* Of a game that is over: reason, result but names, and of each participant what it did. */
void table_record(const Table *table, GameRecord *ret_record);

/* Asserts what holds between calls. */
void table_check(const Table *table);

#endif
