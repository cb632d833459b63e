/* table.h - one table: its agents play the games of a set, one after another.
 *
 * For:    the hall, which seats agents at tables and hears of what comes of it.
 * Memory: a SetTable owns its game and the agents that were seated at it.
 * Thread: one at a time. Tables share nothing. No loop, no socket, no clock: agents and alarms
 *         bring messages and time.
 * Source: docs/spec/protocol-division.md 1.5 (sets on one connection), 6.3 (fault policy), 8.1.
 *
 *   OPEN --set_table_seat, set_table_fail_seat for every outside seat; set_table_start--> PLAYING
 * --> OVER
 *
 *   PLAYING --a game is over, programs are started anew (restart)--> WAITING --set_table_play_on-->
 * PLAYING
 *   PLAYING --a game is over, none may begin (holds)--> HELD --set_table_release--> PLAYING
 *
 *   A seat whose agent has failed is played on by the rules' substitute: a lapse for every ask,
 *   which is Over, a random vote, no action, no attack vote.
 */
#ifndef WARG_MATCH_TABLE_H
#define WARG_MATCH_TABLE_H

#include "base/alarms.h"
#include "match/stage_run.h"
#include "seat/aiwolf_agent.h"

typedef struct SetTable SetTable;

/* What a table reports; none of these may free the table but `over`, which is always called from
 * an alarm. Records, logs and faults are borrowed for the call. */
typedef struct TableEvents {
    /* A game is over. An error ends the table. */
    int (*finished)(void *user, SetTable *table, const GameRecord *record, Str log, Err *err);
    /* Just before: what a model at the seat tells of its decisions in the game, into `own`. May be
     * NULL. */
    void (*decided)(void *user, SeatNo seat, SeatRecord *own);
    void (*fault)(void *user, SetTable *table, uint64_t game, const Fault *fault);
    /* For who watches: a game begins, and each of its events, in order. Both may be NULL; a game
     * that is given up has no end. */
    void (*begins)(void *user, SetTable *table, uint64_t game);
    void (*heard)(void *user, SetTable *table, uint64_t game, const Event *event);
    /* An outside agent is asked this. May be NULL. */
    void (*asked)(void *user, SetTable *table, const Ask *ask);
    /* For who judges answers: what an outside agent says, before the rules make anything of it, and
     * what it knew then. Both borrowed. May be NULL. */
    void (*answered)(void *user, SetTable *table, uint64_t game, SeatNo seat, const Answer *answer,
                     const View *view);
    /* With ON_FAULT_RESTART, between two games: the seat's agent has failed and its program is to
     * be started anew. True: the seat is missing then, and set_table_seat or set_table_fail_seat
     * will follow, and set_table_play_on when nobody is missing. May be NULL. */
    bool (*restart)(void *user, SetTable *table, SeatNo seat);
    /* Whether no further game may begin now: the next one waits for set_table_release. May be NULL.
     */
    bool (*holds)(void *user);
    /* No game will follow; `err` holds an error or is empty. */
    void (*over)(void *user, SetTable *table, const Err *err);
} TableEvents;

/* A table for set number `set` of the stage. agents[1..players] sit there: built-in bots at once,
 * of outside agents only the names are taken. What `run` says was played is not played again, and
 * seats that had failed by then are failed.
 * Errors: as referee_new. */
int set_table_new(Alarms *alarms, const StageRun *run, uint64_t set,
                  const PlanAgent *const agents[], const TableEvents *events, void *user,
                  SetTable **ret_table, Err *err);
SetTable *set_table_free(SetTable *table);

/* Seats that wait for their agents. */
SeatSet set_table_missing(const SetTable *table);

/* An agent that has given its name takes its seat. */
void set_table_seat(SetTable *table, SeatNo seat, AiwolfAgent *take_agent);

/* Nobody will come to this seat, or its agent's process is gone. `fault` says why. */
void set_table_fail_seat(SetTable *table, SeatNo seat, const Fault *fault, TimeUs now);

/* What the seat's program was found at counts in the game that is played, or else in the next one;
 * *ret_day is that of the game, 0 when none is under way. False: no game follows, and it counts in
 * none. */
bool set_table_found(SetTable *table, SeatNo seat, const Finding *finding, uint64_t *ret_game,
                     uint16_t *ret_day);

/* Plays; when nobody is missing. */
void set_table_start(SetTable *table, TimeUs now);

/* Plays the game for which programs were started anew; when nobody is missing. Nothing happens when
 * none waits. */
void set_table_play_on(SetTable *table, TimeUs now);

/* The game that waits because of `holds` begins; nothing happens when none waits. */
void set_table_release(SetTable *table, TimeUs now);

/* Whether an agent has this seat; its connection is closed, as if it had been lost. */
bool set_table_has_agent(const SetTable *table, SeatNo seat);
void set_table_disconnect(SetTable *table, SeatNo seat, TimeUs now);

/* The game under way is given up and does not count; `over` is called soon. */
void set_table_stop(SetTable *table);

SeatNo set_table_seat_count(const SetTable *table);
/* The time of what it reports now. */
TimeUs set_table_now(const SetTable *table);
Str set_table_name(const SetTable *table, SeatNo seat);
/* Asks answered so far. */
uint64_t set_table_asks(const SetTable *table);

#endif
