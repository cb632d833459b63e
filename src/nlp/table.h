/* table.h - one game of the natural-language division: its seats, their requests and clocks, its
 *           logs.
 *
 * For:    hall.c, which brings participants to it; the golden replays.
 * Memory: a Table owns its game, logs and copies of names; seats' peers are borrowed from the hall.
 * Thread: the hall's. Time is an argument.
 * Source: docs/spec/nlp-division.md 3 to 6, 8, 10.
 *
 * What a chair is, seat/chair.h says. Here:
 *   IDLE:   what comes is thrown away, but in a speak-anytime session, where it is an utterance.
 *   PROBED: what is not the name is a late reply, thrown away (6.2, target).
 *   AWAY:   not asked, and not counted as errored yet. The game waits for it only when nobody
 *           living is there.
 *   OUT:    errored. Not asked any more, alive and a valid target (4.5, target). Counts towards
 *           the abort threshold, unless its character was dead when the connection was lost (6.3).
 */
#ifndef WARG_NLP_TABLE_H
#define WARG_NLP_TABLE_H

#include "bot/bot.h"
#include "nlp/hall.h"
#include "record/game_record.h"
#include "record/nlp_log.h"
#include "seat/chair.h"

typedef struct Table Table;

/* Who takes a seat. */
typedef struct TableSeat {
    void *peer;                   /* for out->send; NULL for a bot */
    const BotKind *bot;           /* NULL for a participant */
    Str original;                 /* copied */
    Role role;                    /* as scheduled, or ROLE_NONE = dealt */
    const ConfigProfile *profile; /* borrowed for the table's life; NULL = none: Agent[01] */
} TableSeat;

/* What a table tells the hall. None may call back into the table. */
typedef struct TableOut {
    void (*send)(void *peer, Str text);
    /* A participant is out: its connection has to be closed with this code. */
    void (*drop)(void *peer, NlpClose code, const char *reason);
    void (*note)(void *user, Str line);
    /* A packet, and the same masked; either may be empty, when only one of them is told now. */
    void (*broadcast)(void *user, Table *table, Str packet, Str masked);
    /* An utterance was made; true when the game has to wait for table_go_on (speech output). */
    bool (*utterance)(void *user, Table *table, SeatNo seat, Str text);
    /* Somebody did not answer, or is gone. May be NULL. */
    void (*fault)(void *user, Table *table, const Fault *fault);
    void *user;
} TableOut;

/* What tables write into before it goes out: hundreds of them share one. Zeroed at first. */
typedef struct TableScratch {
    Buf packet; /* or a broadcast */
    Buf masked;
    Buf lines;
    Buf text;
} TableScratch;

void table_scratch_done(TableScratch *scratch);

typedef struct TableSetup {
    const Config *config;
    Str setting;            /* JSON, for INITIALIZE; borrowed for the table's life */
    const TableSeat *seats; /* seats[1..count] */
    SeatNo count;
    Str id; /* ULID; copied */
    Chance chance;
    Key bots; /* of the chance of all bots */
    TimeUs now;
    int64_t unix_ms; /* at `now` */
    /* Of TimeUs 0, borrowed: it changes when the clock is set. NULL: it never is. */
    const int64_t *unix_ms_at_zero;
    TableOut out;
    TableScratch *scratch; /* borrowed for the table's life */
} TableSetup;

/* A table whose game begins with table_begin. Opens its logs.
 * Errors: ERR_IO (a log), ERR_RULE (roles that do not fit), ERR_MEMORY. */
int nlp_table_new(const TableSetup *setup, Table **ret_table, Err *err);
void table_begin(Table *table, TimeUs now);
Table *nlp_table_free(Table *table);
/* From now on it writes into this and goes by this clock: it is played somewhere else. */
void table_settle(Table *table, TableScratch *scratch, const int64_t *unix_ms_at_zero);

/* A message of the participant in this seat; `text` is UTF-8. */
void table_message(Table *table, SeatNo seat, Str text, TimeUs now);
/* Its connection is gone. */
void table_gone(Table *table, SeatNo seat, TimeUs now);
/* A participant of the same name is back. False when the seat is not AWAY. */
bool table_rejoin(Table *table, SeatNo seat, void *peer, TimeUs now);
/* The seat that waits for a participant of this name; SEAT_NONE = none. */
SeatNo table_away_seat(const Table *table, Str original);
/* This seat waits for a participant of this name. */
bool table_is_away(const Table *table, SeatNo seat, Str original);
/* Whether any seat waits for somebody to come back. */
bool table_has_away(const Table *table);
void table_tick(Table *table, TimeUs now);
TimeUs table_deadline(const Table *table);
/* Speech output of the last utterance is over. */
void table_go_on(Table *table, TimeUs now);
/* Ends the game now, without a winner. */
void table_abort(Table *table, TimeUs now);
/* The game is over and FINISH was sent; the hall closes the connections. */
bool table_over(const Table *table);

/* ---- looking ---- */

/* Fills all but `number` and the end's time. Borrowed until the table changes. */
void table_look(const Table *table, NlpGame *ret);
bool table_aborted(const Table *table);   /* for errors, without a log, or by table_abort */
bool table_day_limit(const Table *table); /* over without a winner, but in order */
bool table_log_failed(const Table *table);
/* What the game came to, once it is over: all but its numbers and the time of its end. Names are
 * borrowed from the table. */
void nlp_table_record(const Table *table, GameRecord *ret);
/* Its record could not be kept: the same as for its log. */
void table_lose_record(Table *table, const Err *err);
const ConfigProfile *table_profile(const Table *table, SeatNo seat); /* NULL = none */
const Game *table_game(const Table *table);
void *table_peer(const Table *table, SeatNo seat); /* NULL = bot, away, errored */
const Chair *table_chair(const Table *table, SeatNo seat);

#endif
