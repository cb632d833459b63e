/* hall_state.h - the inside of a hall, for the files that make it up.
 *
 * For:    from below: hall_agents.c (connections, lists, tasks), hall_schedule.c (the schedule),
 *         matching.c (who plays with whom), hall_acts.c (what operators do), hall_names.c (who
 *         comes in), hall_end.c (the end of a game), hall_news.c (what benches tell), hall.c (its
 *         life and its time); beside them bench.c (what is played) and hall_look.c (what can be
 *         seen).
 * Memory: see hall.h.
 * Thread: the hall's, but where it says: the bench's. Which that is, is in bench.h.
 * Source: docs/spec/nlp-division.md 2.
 */
#ifndef WARG_NLP_HALL_STATE_H
#define WARG_NLP_HALL_STATE_H

#include "nlp/bench.h"
#include "nlp/hall_chance.h"
#include "nlp/history_recover.h"
#include "nlp/self_quota.h"
#include "nlp/table.h"

#include <stdatomic.h>

/* Finished games that can still be looked at. */
#define HALL_REMEMBERED 1000

/* After a log could not be written, or without memory, no game begins for so long. */
#define HALL_HOLD_US 10000000

/* LEFT_OUT: it waits, and its team is left out. MATCHED: its match waits for characters. RETURNING:
 * on its way to a seat on another bench. */
typedef enum AgentState {
    AGENT_NAMING,
    AGENT_WAITING,
    AGENT_LEFT_OUT,
    AGENT_MATCHED,
    AGENT_RETURNING,
    AGENT_SEATED
} AgentState;

/* One connection. */
struct NlpAgent {
    NlpHall *hall;
    void *peer;
    NlpAgent *next; /* NAMING, WAITING, LEFT_OUT, RETURNING: in the order in which they came */
    NlpAgent *prev;
    char *name; /* from WAITING on */
    char *token;
    char *address;
    Str team;           /* a part of `name` */
    int32_t team_index; /* in the schedule */
    TimeUs since;
    bool called_guests; /* waits for them */
    bool bids;          /* takes BID */
    AgentState state;
    SeatNo seat; /* RETURNING, SEATED; its bench reads this and the next */
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

/* What the bench of a game shows of it: written behind everything that happens, read at any time.
 */
typedef struct Shown {
    _Atomic SeatSet away;
    _Atomic SeatSet errored;
    _Atomic SeatSet alive;
    _Atomic SeatSet told_alive;
    _Atomic uint16_t day;
    _Atomic bool aborted;
    _Atomic uint64_t requests;
    _Atomic uint64_t replies;
    _Atomic uint64_t failures;
    _Atomic uint64_t late;
} Shown;

/* A game that is going on. */
struct Running {
    NlpHall *hall;
    Running *next;
    Running *prev;
    SeatNo count;
    char id[ID_ULID_BYTES];
    uint32_t number;
    uint64_t result; /* its number in the journal */
    uint64_t ticket; /* says whether the journal has it; over games only */
    Running *next_unwritten;
    bool scheduled;
    bool ended_by_operator;
    HistoryMatch match;
    char *tokens[SEAT_MAX + 1]; /* what who comes back must have; NULL for bots */
    char *lost[SEAT_MAX + 1];   /* the address of the connection that was lost; NULL = none was */
    Buf last;                   /* broadcast packets for who subscribes late */
    Buf last_masked;
    NlpGame look;      /* as it began; its texts are the table's, and stay */
    int away_at;       /* the bench that it was handed to; -1 = the hall's own */
    bool moving;       /* it will be, in the loop's next turn */
    SeatSet returning; /* seats to which somebody is on the way */
    Shown shown;

    /* The bench's. */
    Bench *bench;
    NlpTable *table;
    TimeUs deadline;
    size_t heap_at;
};

struct NlpHall {
    NlpHallSetup setup;
    Config own_config; /* setup.config with the roles of the schedule, when they differ */
    Buf setting;
    Bench *bench; /* on which games begin and end, and are played where there is no other */
    uint32_t bench_seats[HALL_BENCHES_MAX]; /* at each of the others, now */
    uint64_t bench_all[HALL_BENCHES_MAX];   /* and ever */
    bool moves_due;                         /* something has to go to another bench */
    HallChance chance;
    uint64_t drawn; /* parties: the number of the last game's key */
    AgentList naming;
    AgentList waiting;
    AgentList left_out;
    AgentList returning;
    Matched *matched;
    uint32_t matched_number; /* of the last one */
    Running *running;        /* newest first */
    Running *unwritten;      /* of those: over, and not on disk; first the one that ended first */
    History *history;
    int history_lock; /* -1 = none */
    TeamHealth *health;
    SelfQuota *quota;
    const OperatorActs *acts; /* the journal's, or our own */
    OperatorActs *own_acts;   /* NULL where there is a journal */
    uint64_t acts_seen;       /* how many of them have taken effect here */
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

/* hall_agents.c */
int64_t hall_unix_ms(const NlpHall *hall, TimeUs at);
void hall_note(const NlpHall *hall, Str line);
void hall_notice(const NlpHall *hall, ConfigNotice what, Str text);
char *agent_text(Str text); /* a copy to be kept in an agent; NULL: no memory */
NlpAgent *hall_free_agent(NlpAgent *agent);
/* Frees the agent of a seat whose connection is lost; who takes the seat back is held against it.
 */
void hall_lose_agent(NlpAgent *agent);
void agent_list_add(AgentList *list, NlpAgent *agent);
void agent_list_drop(AgentList *list, NlpAgent *agent);
AgentList *hall_list_of(NlpHall *hall, const NlpAgent *agent); /* of one that has no seat */
/* Puts it into the waiting room, or to those that are left out. */
void hall_queue(NlpHall *hall, NlpAgent *agent);
void hall_unqueue(NlpHall *hall, NlpAgent *agent); /* takes it out of the waiting room again */
/* It is not on its way to a seat any more. */
void hall_take_off_way(NlpHall *hall, NlpAgent *agent);
/* Closes the connection of an agent that has no seat; the agent is gone. */
void hall_refuse(NlpHall *hall, NlpAgent *agent, NlpClose code, const char *reason);
/* Has the bench of a game do something. */
void hall_give_task(NlpHall *hall, const Task *task, TimeUs now);
/* Something has to go to another bench in the loop's next turn. */
void hall_call_moves(NlpHall *hall);
/* The game goes to another bench, if there is one. */
void hall_hand_over(NlpHall *hall, Running *running);
Running *running_free(Running *running);

/* hall_schedule.c */
/* Where the logs are that are evidence of a game. */
HistoryLogs hall_logs(const Config *config);
int hall_open_history(NlpHall *hall, Err *err);
void hall_save_history(NlpHall *hall, TimeUs now); /* sets `unsaved` when it can't */
/* The schedule goes on disk before anybody is told of the result. */
void hall_record_match(NlpHall *hall, const Running *running, TimeUs now);
void hall_tell_complete(NlpHall *hall); /* once, when it is */
/* The matches of teams that are left out are skipped. */
void hall_skip_matches(NlpHall *hall);
/* The match of a game that an act has made void is played again, its logs are set aside: once. */
void hall_replay_match(NlpHall *hall, const GameRecord *record, bool *ret_again);

/* hall_acts.c */
/* What was done by or for other servers that share the journal takes effect here, too. */
void hall_follow_acts(NlpHall *hall, TimeUs now);

/* hall_names.c */
void hall_take_name(NlpHall *hall, NlpAgent *agent, Str text, TimeUs now);
/* Who came back before the old connection was known to be lost and waits, takes its seat. */
void hall_take_back(NlpHall *hall, Running *running, TimeUs now);
void hall_send_back(NlpHall *hall, NlpAgent *agent, TimeUs now); /* to its seat */
/* It was on its way to a seat that is none any more: as if it had just said its name. */
void hall_readmit(NlpHall *hall, NlpAgent *agent, TimeUs now);

/* hall_end.c */
void hall_end_game(NlpHall *hall, Running *running, TimeUs now);

/* hall_news.c */
/* The hall's own bench: what it tells is heard at once. */
bool hall_hear_own(void *user, const News *news);

/* bench.c */
TableOut bench_table_out(Running *running);
TableScratch *bench_scratch(Bench *bench);
const int64_t *bench_clock(const Bench *bench);
bool bench_add(Bench *bench, Running *running); /* false: no memory */
void bench_drop(Running *running);
/* Something happened at this table. The game may be gone behind it. */
void bench_touch(Running *running, TimeUs now);

/* matching.c: begins every game that can begin now. */
void hall_match(NlpHall *hall, TimeUs now);
/* An agent of a party that waits for characters is gone, or (NULL) all are given up: the others go
 * back to the waiting room. */
void hall_unmatch(NlpHall *hall, const NlpAgent *gone);

/* hall_look.c */
/* An operator has made this one void; false when it is none of those that are remembered. */
bool hall_remember_void(NlpHall *hall, Str id);
void hall_remember(NlpHall *hall, const Running *running, int64_t ended_unix_ms);
void hall_forget(NlpHall *hall);

#endif
