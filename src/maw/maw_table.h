/* maw_table.h - one MAW session in this process: game master, house, and the seats that live here.
 *
 * For:    `warg maw`, tests.
 * Memory: a MawTable owns session, house, players, drivers, model seats and files, and copies
 *         rules and texts; a loop and endpoints are borrowed.
 * Thread: one; with a loop the loop's.
 * Source: docs/spec/maw.md 8.1, 9, A39; seed 002 figures 1 and 2.
 *
 * Without a loop time is simulated: it jumps to the next deadline of session, players and drivers,
 * and the same seed gives the same bytes. With a loop it is the clock's; the table has one timer.
 *
 * To add a kind of seat: a maw_table_add_NAME that makes its seat with add_seat and gives it who
 * decides for it. Nothing of the rest asks what kind a seat is.
 */
#ifndef WARG_MAW_MAW_TABLE_H
#define WARG_MAW_MAW_TABLE_H

#include "maw/driver.h"
#include "maw/house.h"

typedef struct MawTable MawTable;

typedef struct MawTableSetup {
    const Ruleset *rules;
    MawOptions options;
    Str id;           /* the session's name */
    Str domain;       /* of all who live here: "maw.localhost" */
    MawChance chance; /* of a key */
    const char *out;  /* folder for its files; NULL = none */
    /* The folder of an earlier session: its models' contexts are read; NULL = none. Borrowed until
     * all seats are taken, as `out` is. */
    const char *earlier;
    MawPace pace;    /* of all seats here */
    MawBot fill;     /* who takes the seats that are still free when the lobby's time is over */
    Loop *loop;      /* NULL: simulated time */
    int64_t unix_ms; /* at the beginning; 0 in simulated time */
    /* The record's events, each after it is on disk; may be NULL. */
    void (*event)(void *user, Str json);
    void (*note)(void *user, Str line); /* for the operator; may be NULL */
    void *user;
} MawTableSetup;

int maw_table_new(const MawTableSetup *setup, MawTable **ret_table, Err *err);
MawTable *maw_table_free(MawTable *table);
void maw_table_freep(MawTable **table);

/* Seats: their JIDs are numbers in a shuffled order, names are drawn from one list for all kinds.
 * Errors: ERR_LIMIT (no more seats), ERR_MEMORY. */
int maw_table_add_bot(MawTable *table, MawBot bot, Err *err);
/* `endpoint` NULL: the demo model. Needs a loop (ERR_RULE). */
int maw_table_add_model(MawTable *table, LlmEndpoint *endpoint, LlmLanguage language, Str persona,
                        Err *err);
/* A seat that the caller decides for: its news go to `news`. `name` empty: drawn. Whoever calls its
 * acts calls maw_table_stir then. */
int maw_table_add_player(MawTable *table, Str name,
                         void (*news)(void *user, const MawNews *news, TimeUs now), void *user,
                         MawPlayer **ret_player, Err *err);
/* A seat that a driver of the caller's decides for: taken, also when it fails. `kind` is borrowed
 * for the table's life. Whoever has it act calls maw_table_stir then. */
int maw_table_add_driver(MawTable *table, const char *kind, MawDriver *take_driver,
                         MawPlayer **ret_player, Err *err);
/* For the record: who decides for this player has failed ("timeout") at this ("TALK"). */
void maw_table_record_fault(MawTable *table, const MawPlayer *player, const char *fault,
                            const char *at);

/* Plays to the session's end. Errors: ERR_RULE (nothing more can happen), ERR_INTERRUPTED,
 * ERR_IO (not all of the record is on disk). */
int maw_table_run(MawTable *table, Err *err);
/* Something was sent, or came in: it is delivered soon. */
void maw_table_stir(MawTable *table);
/* Ends the session; maw_table_run returns ERR_INTERRUPTED soon after. */
void maw_table_stop(MawTable *table, const char *why);

MawSession *maw_table_session(const MawTable *table);
MawHouse *maw_table_house(const MawTable *table);
TimeUs maw_table_now(const MawTable *table);
/* What decides at this address: "bot:talker", "model", "agent:NAME", "player"; "guest" for who is
 * not ours. */
const char *maw_table_kind(const MawTable *table, Str jid);

/* The same for people: of a model "model:llama3.1 at localhost:11434". */
void maw_table_describe(const MawTable *table, Str jid, Buf *out);

/* The sum of the models' figures (no latencies); false without a model. */
bool maw_table_figures(const MawTable *table, LlmFigures *ret_sum);
/* False when rules took more than a tenth of the decisions of one of the models. */
bool maw_table_models_decide(const MawTable *table);

/* Appends the leaderboard as a JSON object. */
void maw_table_leaderboard(const MawTable *table, Buf *out);

#endif
