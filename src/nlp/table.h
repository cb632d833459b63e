/* table.h - one game of the natural-language division: its seats, their requests and clocks, its
 *           logs.
 *
 * For:    hall.c, which brings participants to it; the golden replays.
 * Memory: an NlpTable owns its game, logs and copies of names; seats' peers are borrowed from
 *         the hall.
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

typedef struct NlpTable NlpTable;

/* Who takes a seat. */
typedef struct TableSeat {
    void *peer;                   /* for out->send; NULL for a bot */
    const BotKind *bot;           /* NULL for a participant */
    Str original;                 /* copied */
    bool bids;                    /* it takes BID */
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
    void (*broadcast)(void *user, NlpTable *table, Str packet, Str masked);
    /* An utterance was made; true when the game has to wait for nlp_table_go_on (speech output). */
    bool (*utterance)(void *user, NlpTable *table, SeatNo seat, Str text);
    /* Somebody did not answer, or is gone. May be NULL. */
    void (*fault)(void *user, NlpTable *table, const Fault *fault);
    /* For who watches: each event, in order, and who is asked to speak by day. May be NULL. */
    void (*heard)(void *user, const Event *event, TimeUs now);
    void (*asked)(void *user, SeatNo seat, TimeUs now);
    /* The game stands still (speech output, or nobody is there), or goes on; `until` is that of an
     * open session, TIME_US_NEVER without one. May be NULL. */
    void (*paused)(void *user, bool paused, Action action, TimeUs until, TimeUs now);
    void *user;
} TableOut;

/* What tables write into before it goes out: hundreds of them share one. Zeroed at first. */
typedef struct TableScratch {
    Buf packet; /* or a broadcast */
    Buf masked;
    Buf lines;
    Buf text;
} TableScratch;

void nlp_table_scratch_done(TableScratch *scratch);

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

/* A table whose game begins with nlp_table_begin. Opens its logs.
 * Errors: ERR_IO (a log), ERR_RULE (roles that do not fit), ERR_MEMORY. */
int nlp_table_new(const TableSetup *setup, NlpTable **ret_table, Err *err);
void nlp_table_begin(NlpTable *table, TimeUs now);
NlpTable *nlp_table_free(NlpTable *table);
/* From now on it writes into this and goes by this clock: it is played somewhere else. */
void nlp_table_settle(NlpTable *table, TableScratch *scratch, const int64_t *unix_ms_at_zero);

/* A message of the participant in this seat; `text` is UTF-8. */
void nlp_table_message(NlpTable *table, SeatNo seat, Str text, TimeUs now);
/* Its connection is gone. */
void nlp_table_gone(NlpTable *table, SeatNo seat, TimeUs now);
/* A participant of the same name is back. False when the seat is not AWAY. */
bool nlp_table_rejoin(NlpTable *table, SeatNo seat, void *peer, TimeUs now);
/* The seat that waits for a participant of this name; SEAT_NONE = none. */
SeatNo nlp_table_away_seat(const NlpTable *table, Str original);
/* This seat waits for a participant of this name. */
bool nlp_table_is_away(const NlpTable *table, SeatNo seat, Str original);
/* Whether any seat waits for somebody to come back. */
bool nlp_table_has_away(const NlpTable *table);
void nlp_table_tick(NlpTable *table, TimeUs now);
TimeUs nlp_table_deadline(const NlpTable *table);
/* Speech output of the last utterance is over. */
void nlp_table_go_on(NlpTable *table, TimeUs now);
/* Ends the game now, without a winner. */
void nlp_table_abort(NlpTable *table, TimeUs now);
/* The game is over and FINISH was sent; the hall closes the connections. */
bool nlp_table_over(const NlpTable *table);

/* ---- looking ---- */

/* Fills all but `number` and the end's time. Borrowed until the table changes. */
void nlp_table_look(const NlpTable *table, NlpGame *ret);
bool nlp_table_aborted(
    const NlpTable *table); /* for errors, without a log, or by nlp_table_abort */
bool nlp_table_day_limit(const NlpTable *table); /* over without a winner, but in order */
bool nlp_table_log_failed(const NlpTable *table);
/* What the game came to, once it is over: all but its numbers and the time of its end. Names are
 * borrowed from the table. */
void nlp_table_record(const NlpTable *table, GameRecord *ret);
/* Its record could not be kept: the same as for its log. */
void nlp_table_lose_record(NlpTable *table, const Err *err);
const ConfigProfile *nlp_table_profile(const NlpTable *table, SeatNo seat); /* NULL = none */
const Game *nlp_table_game(const NlpTable *table);
void *nlp_table_peer(const NlpTable *table, SeatNo seat); /* NULL = bot, away, errored */
const Chair *nlp_table_chair(const NlpTable *table, SeatNo seat);

#endif
