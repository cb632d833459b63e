/* hall_state.h - what a hall is inside: guests, tables, the places of agents that are started.
 *
 * For:    hall.c (its life, what tables report), hall_guests.c (who comes by itself),
 *         hall_matching.c (who sits where), hall_places.c (who is started), in this order from
 *         below; hall_acts.c (what operators do) above them: guests and places know no table's
 *         course.
 * Memory: hall.h.
 * Thread: hall.h. `now` is the time of what the hall was told last.
 * Source: docs/spec/protocol-division.md 1.1, 1.3, 8.1.
 */
#ifndef WARG_MATCH_HALL_STATE_H
#define WARG_MATCH_HALL_STATE_H

#include "match/hall.h"
#include "match/table.h"
#include "seat/started_agent.h"

typedef enum GuestState {
    GUEST_NAMING,  /* has connected and is asked for its name */
    GUEST_WAITING, /* for a table; when it has one, it is no guest any more */
} GuestState;

/* Somebody who has come by itself. */
typedef struct HallGuest {
    Hall *hall;
    AiwolfAgent *agent;
    GuestState state;
    PlanAgent plan; /* its name, when it has come */
    struct HallGuest *next;
} HallGuest;

/* The way of one outside agent to its seat. */
typedef struct Place {
    struct HallTable *at;
    SeatNo seat;
    PlanAgent plan;
    StartedAgent *started;          /* NULL: it comes by itself */
    uint64_t found[FINDING_RULES];  /* in this set, or since it was gone on with */
    uint32_t listed[FINDING_RULES]; /* of these, one by one */
} Place;

/* A table with what the hall has opened for it. */
typedef struct HallTable {
    Hall *hall;
    SetTable *table; /* NULL when its set is over and programs are still to end */
    uint64_t set;
    Place places[SEAT_MAX + 1];
    bool started;
    bool over;   /* nobody was told yet: its model players are still to tell of their decisions */
    bool played; /* its last game was handed on */
    bool found;  /* some finding was told */
    bool ended;  /* by an operator: another set is played in its place */
    Buf live;    /* what the game under way is called by who watches; empty = none is */
    struct HallTable *next;
} HallTable;

struct Hall {
    const HallPlan *plan;
    HallDoors doors;
    const StageRun *run; /* NULL: not open yet */
    TimeUs now;
    Alarm progress;
    Alarm names; /* when a guest's name is overdue */
    HallTable *tables;
    HallGuest *guests; /* in the order in which they came */
    uint32_t open_tables;
    uint32_t most_tables;
    TimeUs room_at; /* when one may look again whether there is room for a further table */
    uint64_t next_set;
    uint64_t sets_over;
    uint64_t games_done;
    uint64_t asks;
    Patience limits;
    Buf scratch;
    bool hinted; /* which variables agents don't get was said */
    bool stopping;
    bool ended; /* that is told from the alarm */
    Err err;
};

/* ---- hall_live.c: for who watches; nothing happens where nobody does ---- */

void hall_live_begins(HallTable *at, uint64_t game, TimeUs now);
void hall_live_heard(const HallTable *at, const Event *event, TimeUs now);
void hall_live_fault(const HallTable *at, const Fault *fault, TimeUs now);
void hall_live_asked(const HallTable *at, SeatNo seat, TimeUs now);
/* Nothing, when no game is under way. */
void hall_live_ends(HallTable *at, bool aborted, TimeUs now);

/* ---- hall.c ---- */

/* The first error ends everything; so does an interrupt, without one. */
void hall_fail(Hall *hall, const Err *err);
void hall_say(const Hall *hall, const Buf *text);
/* Of the stage; at->set counts from the first of the tables of this size. */
uint64_t hall_set_number(const HallTable *at);
/* A table for a set, with `agents` by seat. */
int hall_add_table(Hall *hall, uint64_t set, const PlanAgent *const agents[], HallTable **ret_table,
                   Err *err);
/* Begins its games, or goes on with them, when nobody is missing. */
void hall_start_when_complete(HallTable *at);
/* Ends the hall when everything was played and everybody has gone. */
void hall_stop_when_done(Hall *hall);
/* Its games and its programs are over. */
void hall_leave_table(HallTable *at);

/* ---- hall_places.c ---- */

/* Starts the agents of a table that don't come by themselves, and its games when that is all. */
int hall_start_programs(HallTable *at, Err *err);
bool place_runs(const Place *place);
/* None of its programs runs any more, and its games were played: what was found of them is told. */
void hall_tell_findings_over(HallTable *at);

/* ---- hall_guests.c ---- */

/* An operator holds: no further game begins. */
bool hall_is_held(const Hall *hall);
/* An operator has left it out: no set begins with it. */
bool hall_is_left_out(const Hall *hall, const PlanAgent *agent);

/* Its agent is somebody else's now, or freed. */
void hall_remove_guest(HallGuest *gone);
/* A name stands in logs and tables: one line of printable text without commas. */
void guest_clean_name(Str name, PlanAgent *agent);
/* Alarm: those whose names are overdue go. */
void hall_names_due(void *user, TimeUs now);

/* ---- hall_matching.c ---- */

/* Sets are opened while there are agents and room for them. */
void hall_open_tables(Hall *hall);
/* A guest that has said its name: it takes a seat that waits for it, or waits. */
void hall_match_guest(Hall *hall, HallGuest *guest);
/* Tables for the sets that were begun before and not played to their end: their agents are expected
 * back, by name; built-in bots sit down at once. */
int hall_expect_back(Hall *hall, Err *err);

#endif
