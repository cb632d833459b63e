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
#include "record/nlp_files.h"
#include "seat/nlp_manner.h"
#include "table/table.h"

/* What this division keeps of a seat, beside what each has (table/table.h). */
typedef struct NlpPlace {
    NlpTable *table;
    SeatNo seat;
    NlpSpeaker speaker;
    void *peer;     /* NULL: a bot, or nobody there */
    TimeUs bot_at;  /* when a bot wants its next word in an open session */
    TimeUs said_at; /* its last utterance in an open session */
    Buf request;    /* the packet that waits for its reply */
} NlpPlace;

struct NlpTable {
    Table core; /* held: speech output is going on */
    const Config *config;
    Str setting;
    TableOut out;
    char id[32];
    Buf stem;
    bool named; /* by `stem` */
    Buf names;  /* what `seats` points to: original names */
    NlpSeat seats[SEAT_MAX + 1];
    const ConfigProfile *profiles[SEAT_MAX + 1];
    NlpPlace *places; /* places[1..core.count] */
    Patience patience;
    Role fixed[SEAT_MAX + 1];
    Chance chance;
    Rng bot_pauses;
    KeyRoot bots;

    TimeUs began;
    const int64_t *unix_ms_at_zero; /* NULL: began_unix_ms and what has passed since */
    int64_t began_unix_ms;
    bool over; /* FINISH was sent, the logs are closed */
    bool log_failed;
    bool told_paused;

    bool room; /* a speak-anytime session is open */
    bool room_whispers;
    SeatSet room_seats; /* its participants */

    NlpLogWriter writer;
    NlpLogWriter masked_writer;
    LineFile *game_log;
    JsonLog *json_log;
    size_t unflushed; /* bytes that the logs were given, about */
    TimeUs flush_at;  /* when they have to be in their files */
    TableScratch *scratch;
};

static inline TimeMs game_ms(const NlpTable *table, TimeUs at)
{
    return (at - table->began) / 1000;
}

/* table_tell.c */

/* A line for the server's log about a seat; `why` may be NULL. */
void nlp_table_note(const NlpTable *table, const char *what, SeatNo seat, const char *why);
/* A log can't be written: the game is no evidence and ends. */
void nlp_table_log_trouble(NlpTable *table, const Err *err);
void nlp_table_log_entry(NlpTable *table, Str agent, Str request, TimeUs asked_at, Str response,
                         const char *error);
/* Writes what was logged, if that is due; false when that ended the game. */
bool nlp_table_flush_logs(NlpTable *table);
/* Writes a packet for this seat into `out`, which is cleared before. */
void nlp_table_put_packet(NlpTable *table, SeatNo seat, NlpRequest request, const Talk *news,
                          Buf *out);
/* Somebody takes this place; NULL = nobody. */
void nlp_table_seat_peer(NlpPlace *place, void *peer);
/* A packet without reply, sent and logged. */
void nlp_table_tell(NlpTable *table, SeatNo seat, NlpRequest request);
/* A packet of a speak-anytime session to its participants. */
void nlp_table_tell_room(NlpTable *table, NlpRequest request, const Talk *news);
AskKind nlp_table_room_ask(const NlpTable *table);
/* When a bot wants to say something again. */
TimeUs nlp_table_bot_pause(NlpTable *table);
/* Of nlp_division: an event is logged and broadcast, sessions open and close; a seat is told; a
 * fault is told. */
void nlp_table_on_event(void *user, const Event *event);
void nlp_table_on_tell(void *user, SeatNo seat, Tell what);
void nlp_table_on_asked(void *user, const Ask *ask);
void nlp_table_on_fault(void *user, SeatNo seat, const Fault *fault);

/* table.c */

/* The game goes on as far as it can without a reply or time. */
void nlp_table_run(NlpTable *table);
extern const TableDivision nlp_division;

#endif
