/* maw_table.h - one MAW session in this process: game master, house, and the seats that live here.
 *
 * For:    `warg maw`, tests.
 * Memory: a MawTable owns session, house, players, drivers, model seats and files, and copies
 *         rules and texts; alarms and endpoints are borrowed.
 * Thread: one.
 * Source: docs/spec/maw.md 8.1, 9, A39; seed 002 figures 1 and 2.
 *
 * Time is an argument: the table acts when its alarm rings, at the next deadline of session,
 * players and drivers. By the alarms of a loop it plays in real time (maw_table_begin), else in
 * simulated time, which jumps from alarm to alarm (maw_table_play); there the same seed gives the
 * same bytes, also with models whose answers come at the same times.
 *
 * To add a kind of seat: a maw_table_add_NAME that makes its seat with add_seat and gives it who
 * decides for it. Nothing of the rest asks what kind a seat is.
 */
#ifndef WARG_MAW_MAW_TABLE_H
#define WARG_MAW_MAW_TABLE_H

#include "maw/driver.h"
#include "maw/house.h"
#include "maw/maw_clock.h"
#include "stats/opinion_score.h"

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
    Str command; /* of command.json in `out`; borrowed for maw_table_new */
    bool resume; /* the session that `out` holds is gone on with: see below */
    /* A recorded session is played again: when what happened, borrowed for the table's life, and
     * the folder that has answers/, as `earlier`. `now` and `unix_ms` are those of the clock; NULL.
     */
    MawClock *clock;
    const char *answers;
    bool others; /* somebody else has a part in it, of which `out` keeps too little for that */
    bool record_prompts; /* requests to models are kept in `out`, as they were sent */
    MawPace pace;        /* of all seats here */
    MawBot fill;         /* who takes the seats that are still free when the lobby's time is over */
    Alarms *alarms;      /* of a loop; or those that the endpoints have too; NULL: its own */
    TimeUs now;          /* the beginning */
    int64_t unix_ms;     /* the same by the calendar; 0 in simulated time */
    const LlmPrices *prices; /* of models, for the leaderboard; borrowed; NULL = no costs */
    MawWatcher watcher;      /* of its rounds */
    /* The record's events, each after it is on disk; may be NULL. */
    void (*event)(void *user, Str json);
    void (*note)(void *user, Str line); /* for the operator; may be NULL */
    void *user;
} MawTableSetup;

int maw_table_new(const MawTableSetup *setup, MawTable **ret_table, Err *err);

/* With `resume` rules, options, id and chance are the record's. The seats are added as they were
 * the first time; then maw_table_resume does once more what the record says was done, and what is
 * told meanwhile to who lives here is what it may know: drivers note it, and nobody acts. Behind
 * the record the session goes on: what its last lines had begun is done and recorded, the journal
 * gets the rounds that it lacks. maw_table_continue then waits for those who played
 * (maw_session_continue). When the record is empty both do nothing, and the session begins.
 * Errors: ERR_SYNTAX, ERR_USAGE (other seats than the first time). */
int maw_table_resume(MawTable *table, Err *err);
void maw_table_continue(MawTable *table, TimeMs wait_ms);
/* The round in which the record ends, and who watches need not be shown those before it; 0: nothing
 * is gone on with. */
uint32_t maw_table_resumes_at(const MawTable *table);
MawTable *maw_table_free(MawTable *table);
void maw_table_freep(MawTable **table);

/* Seats: their JIDs are numbers in a shuffled order, names are drawn from one list for all kinds.
 * Errors: ERR_LIMIT (no more seats), ERR_MEMORY. */
int maw_table_add_bot(MawTable *table, MawBot bot, Err *err);
/* A model at a table. */
typedef struct MawModel {
    LlmEndpoint *endpoint; /* borrowed; NULL: the demo model */
    LlmLanguage language;
    Str persona; /* copied */
    LlmManner manner;
} MawModel;

int maw_table_add_model(MawTable *table, const MawModel *model, Err *err);
/* A player here whose decisions an interface agent elsewhere makes, a person's or a model's. */
int maw_table_add_asked(MawTable *table, MawAsks kind, Str interface, Err *err);
/* A seat that the caller decides for: its news go to `news`. `name` empty: drawn. Whoever calls its
 * acts calls maw_table_stir then. */
int maw_table_add_player(MawTable *table, Str name,
                         void (*news)(void *user, const MawNews *news, TimeUs now), void *user,
                         MawPlayer **ret_player, Err *err);
/* A seat that a driver of the caller's decides for: taken, also when it fails. `kind` is borrowed
 * for the table's life. Whoever has it act calls maw_table_stir then. */
int maw_table_add_driver(MawTable *table, const char *kind, MawDriver *take_driver,
                         MawPlayer **ret_player, Err *err);
/* For the record: who decides for this player has failed ("timeout") at this ("TALK"). It is
 * written when the table acts next, and that is soon; the texts are borrowed until then. */
void maw_table_record_fault(MawTable *table, const MawPlayer *player, const char *fault,
                            const char *at);

/* Plays to the session's end in simulated time. Errors: ERR_RULE (nothing more can happen),
 * ERR_INTERRUPTED, ERR_IO (not all of the record is on disk). */
int maw_table_play(MawTable *table, Err *err);
/* The same in real time, by the alarms of a loop: `over` is called from it at the session's end,
 * and may not free the table. Then maw_table_end says how it ended, as maw_table_play does. */
void maw_table_begin(MawTable *table, void (*over)(void *user, TimeUs now), void *user);
int maw_table_end(MawTable *table, Err *err);
/* Something was sent, or came in: it is delivered soon. */
void maw_table_stir(MawTable *table);
/* No round begins any more: the session is over behind the one that is played, and that is no
 * error. */
void maw_table_drain(MawTable *table, TimeUs now);
/* Ends the session: that is over soon after, with ERR_INTERRUPTED. */
void maw_table_stop(MawTable *table, const char *why, TimeUs now);

MawSession *maw_table_session(const MawTable *table);
MawHouse *maw_table_house(const MawTable *table);
TimeUs maw_table_now(const MawTable *table); /* when it acted last */
/* What decides at this address: "bot:talker", "model", "agent:NAME", "player"; "guest" for who is
 * not ours. */
const char *maw_table_kind(const MawTable *table, Str jid);

/* The same for people: of a model "model:llama3.1 at localhost:11434". */
void maw_table_describe(const MawTable *table, Str jid, Buf *out);

/* The sum of the models' figures (no latencies); false without a model. */
bool maw_table_figures(const MawTable *table, LlmFigures *ret_sum);
/* What the opinions of the table's model `index`, from 0, were worth, of all its seats together;
 * `ret_model` is borrowed. For after the end: it says something of roles. False beyond the last. */
bool maw_table_opinions(const MawTable *table, size_t index, Str *ret_model,
                        OpinionScore *ret_score);
/* False when rules took more than a tenth of the decisions of one of the models. */
bool maw_table_models_decide(const MawTable *table);

/* Appends the leaderboard as a JSON object. */
void maw_table_leaderboard(const MawTable *table, Buf *out);

#endif
