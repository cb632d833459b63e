/* table_state.h - the inside of a table, for the files that make it up.
 *
 * For:    table.c (asks, replies, clocks, who fails), table_tell.c (packets, logs, sessions at any
 *         time), table_make.c (making and looking).
 * Memory: see table.h.
 * Thread: the hall's.
 * Source: docs/spec/nlp-division.md 3 to 6, 8, 10; the states of a chair are drawn in seat/chair.h.
 */
#ifndef WARG_NLP_TABLE_STATE_H
#define WARG_NLP_TABLE_STATE_H

#include "nlp/table.h"
#include "record/game_recorder.h"
#include "record/nlp_files.h"
#include "seat/fate.h"
#include "seat/nlp_manner.h"

/* One seat of the table. */
typedef struct NlpPlace {
    Table *table;
    SeatNo seat;
    Chair chair;
    NlpSpeaker speaker;
    void *peer; /* NULL: a bot, or nobody there */
    const BotKind *kind;
    Bot *bot;
    TimeUs bot_at;       /* when a bot wants its next word in an open session */
    uint32_t ask_number; /* 1 + number of the ask that was put last */
    TimeUs said_at;      /* its last utterance in an open session */
    bool died_before;    /* its character was dead when the connection was lost */
    Buf request;         /* the packet that waits for its reply */
} NlpPlace;

struct Table {
    const Config *config;
    Str setting;
    TableOut out;
    Game *game;
    SeatNo count;
    char id[32];
    Buf stem;
    bool named; /* by `stem` */
    Buf names;  /* what `seats` points to: original names */
    NlpSeat seats[SEAT_MAX + 1];
    const ConfigProfile *profiles[SEAT_MAX + 1];
    NlpPlace *places; /* places[1..count] */
    Patience patience;
    Fate fate;
    Role fixed[SEAT_MAX + 1];
    Chance chance;
    Rng bot_pauses;
    KeyRoot bots;

    TimeUs began;
    const int64_t *unix_ms_at_zero; /* NULL: began_unix_ms and what has passed since */
    int64_t began_unix_ms;
    TimeUs now;
    bool told_game; /* INITIALIZE was sent */
    bool over;
    bool aborted;
    bool held; /* speech output is going on */
    bool log_failed;

    bool room; /* a speak-anytime session is open */
    bool room_whispers;
    SeatSet room_seats; /* its participants */

    GameResult result; /* so far, but names and roles */
    EndReason reason;
    ResultDays days;

    NlpLogWriter writer;
    NlpLogWriter masked_writer;
    LineFile *game_log;
    JsonLog *json_log;
    size_t unflushed; /* bytes that the logs were given, about */
    TimeUs flush_at;  /* when they have to be in their files */
    TableScratch *scratch;
};

static inline TimeMs game_ms(const Table *table, TimeUs at)
{
    return (at - table->began) / 1000;
}

/* table_tell.c */

/* A line for the server's log about a seat; `why` may be NULL. */
void table_note(const Table *table, const char *what, SeatNo seat, const char *why);
/* Tells of what the seat did wrong. */
void table_fault(Table *table, SeatNo seat, const Fault *fault);
/* A log can't be written: the game is no evidence and ends. */
void table_log_trouble(Table *table, const Err *err);
void table_log_entry(Table *table, Str agent, Str request, TimeUs asked_at, Str response,
                     const char *error);
/* Writes what was logged, if that is due; false when that ended the game. */
bool table_flush_logs(Table *table);
/* Writes a packet for this seat into `out`, which is cleared before. */
void table_put_packet(Table *table, SeatNo seat, NlpRequest request, const Talk *news, Buf *out);
/* Somebody takes this place; NULL = nobody. */
void table_seat_peer(NlpPlace *place, void *peer);
/* A packet without reply, sent and logged. */
void table_tell(Table *table, SeatNo seat, NlpRequest request);
void table_tell_all(Table *table, NlpRequest request);
/* A packet of a speak-anytime session to its participants. */
void table_tell_room(Table *table, NlpRequest request, const Talk *news);
AskKind table_room_ask(const Table *table);
/* When a bot wants to say something again. */
TimeUs table_bot_pause(Table *table);
/* An event: logged, broadcast, told. */
void table_hear(Table *table, const Event *event);
/* All events that there are now. */
void table_drain(Table *table);

/* table.c: the game goes on as far as it can without a reply or time. */
void table_run(Table *table);

#endif
