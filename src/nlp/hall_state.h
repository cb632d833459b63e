/* hall_state.h - the inside of a hall, for hall.c, matching.c and hall_look.c.
 *
 * For:    those three: who comes and goes, who plays with whom, what can be seen.
 * Memory: see hall.h.
 * Thread: the hall's.
 * Source: docs/spec/nlp-division.md 2.
 */
#ifndef WARG_NLP_HALL_STATE_H
#define WARG_NLP_HALL_STATE_H

#include "base/digest.h"
#include "nlp/hall_chance.h"
#include "nlp/table.h"

/* Finished games that can still be looked at. */
#define HALL_REMEMBERED 1000

/* After a log could not be written, or without memory, no game begins for so long. */
#define HALL_HOLD_US 10000000

/* MATCHED: its match waits for characters. */
typedef enum AgentState { AGENT_NAMING, AGENT_WAITING, AGENT_MATCHED, AGENT_SEATED } AgentState;

typedef struct Running Running;

/* One connection. */
struct NlpAgent {
    NlpHall *hall;
    void *peer;
    NlpAgent *next; /* NAMING, WAITING: in the order in which they came */
    NlpAgent *prev;
    char *name; /* from WAITING on */
    char *token;
    char *address;
    Str team;           /* a part of `name` */
    int32_t team_index; /* in the schedule */
    TimeUs since;
    bool called_guests; /* waits for them */
    AgentState state;
    SeatNo seat; /* SEATED */
    Running *running;
};

/* Who is to play. */
typedef struct Party {
    SeatNo count;
    NlpAgent *agents[SEAT_MAX + 1]; /* NULL: a bot */
    Role roles[SEAT_MAX + 1];       /* ROLE_NONE: dealt */
    bool scheduled;
    HistoryMatch match;
    uint64_t number; /* of its key */
} Party;

/* A party that waits for its characters. */
typedef struct Matched {
    struct Matched *next;
    uint32_t number;
    Party party;
} Matched;

typedef struct AgentList {
    NlpAgent *first;
    NlpAgent *last;
    uint32_t count;
} AgentList;

/* A game that is going on. */
struct Running {
    NlpHall *hall;
    Running *next;
    Running *prev;
    Table *table;
    SeatNo count;
    char id[ID_ULID_BYTES];
    uint32_t number;
    uint64_t result; /* its number in the journal */
    bool scheduled;
    HistoryMatch match;
    char *tokens[SEAT_MAX + 1]; /* what who comes back must have; NULL for bots */
    char *lost[SEAT_MAX + 1];   /* the address of the connection that was lost; NULL = none was */
    TimeUs deadline;
    size_t heap_at;
    Buf last; /* broadcast packets for who subscribes late */
    Buf last_masked;
};

struct NlpHall {
    NlpHallSetup setup;
    Config own_config; /* setup.config with the roles of the schedule, when they differ */
    Buf setting;
    TableScratch scratch; /* of all tables */
    HallChance chance;
    uint64_t drawn; /* parties: the number of the last game's key */
    AgentList naming;
    AgentList waiting;
    Matched *matched;
    uint32_t matched_number; /* of the last one */
    Running *running;        /* newest first */
    Running **heap;
    size_t heap_count;
    size_t heap_room;
    History *history;
    int history_lock; /* -1 = none */
    TeamHealth *health;
    NlpCounts counts;
    TimeUs hold_until; /* 0 = games may begin */
    TimeUs filled_at;
    bool unsaved; /* the schedule's file is older than what was played */
    bool draining;
    bool matching;     /* hall_match is at work */
    TimeUs matched_at; /* its time */
    bool held_back;    /* matches may be waiting that nobody looked for */
    bool told_complete;
    NlpGame **remembered; /* a ring of HALL_REMEMBERED, each with the seats it has */
    uint32_t remembered_count;
    uint32_t remembered_next;
};

/* hall.c */
void hall_note(const NlpHall *hall, Str line);
bool hall_heap_add(NlpHall *hall, Running *running);
void hall_heap_drop(NlpHall *hall, Running *running);
NlpAgent *hall_free_agent(NlpAgent *agent);
/* Frees the agent of a seat whose connection is lost; who takes the seat back is held against it.
 */
void hall_lose_agent(NlpAgent *agent);
void hall_touch(NlpHall *hall, Running *running, TimeUs now);
void hall_unqueue(NlpHall *hall, NlpAgent *agent); /* takes it out of the waiting room */
Running *running_free(Running *running);

void hall_queue(NlpHall *hall, NlpAgent *agent);   /* puts it there */
void hall_save_history(NlpHall *hall, TimeUs now); /* sets `unsaved` when it can't */

/* matching.c: begins every game that can begin now. */
void hall_match(NlpHall *hall, TimeUs now);
/* An agent of a party that waits for characters is gone, or (NULL) all are given up: the others go
 * back to the waiting room. */
void hall_unmatch(NlpHall *hall, const NlpAgent *gone);

/* hall_look.c */
void hall_remember(NlpHall *hall, const Running *running, int64_t ended_unix_ms);
void hall_forget(NlpHall *hall);

#endif
