/* hall.h - the natural-language division's waiting room and its games, without any I/O but logs:
 *         connections, messages and time come in, messages and closes go out.
 *
 * For:    serve/server.c, which puts WebSockets on it; tests and the soak, which put a simulated
 *         network and clock on it.
 * Memory: a NlpHall owns its agents and tables. An agent handed out by nlp_hall_opened is valid
 *         until nlp_hall_closed was called for it, or its peer's `close` was.
 * Thread: one. Time is an argument everywhere (TimeUs of net/loop.h): no clock is read here.
 * Source: docs/spec/nlp-division.md 1.2 to 1.6, 2, 6; docs/nlp.md.
 */
#ifndef WARG_NLP_HALL_H
#define WARG_NLP_HALL_H

#include "base/id_source.h"
#include "base/key.h"
#include "journal/operator_act.h"
#include "net/loop.h"
#include "nlp/config.h"
#include "nlp/history.h"
#include "nlp/result_journal.h"
#include "nlp/team_health.h"
#include "record/live_sink.h"

/* Benches beside the hall's own. */
#define HALL_BENCHES_MAX 64

typedef struct NlpHall NlpHall;
typedef struct NlpAgent NlpAgent;
typedef struct News News; /* bench.h */
typedef struct Task Task;

/* Close codes: RFC 6455 7.4.1, and 4000 to 4999 of ours. */
typedef enum NlpClose {
    CLOSE_NORMAL = 1000,       /* "game over" */
    CLOSE_GOING_AWAY = 1001,   /* "server is shutting down" */
    CLOSE_BAD_TOKEN = 1008,    /* "token: ..." */
    CLOSE_LATER = 1013,        /* the team has had its self matches of this hour */
    CLOSE_UNKNOWN_TEAM = 4001, /* the schedule knows enough other teams */
    CLOSE_NAME_IN_USE = 4002,  /* taken over by a newer connection of the same name */
    CLOSE_NO_NAME = 4003,      /* no answer to NAME in time, or a name that can't be used */
    CLOSE_NO_ANSWER = 4004,    /* no answer to the health check in time */
    CLOSE_BY_OPERATOR = 4005,  /* "disconnected by the operator" */
} NlpClose;

/* What the hall does to the world. `peer` is what nlp_hall_opened was given. None may call back
 * into the hall. */
struct NlpGame;

typedef struct NlpHallOut {
    void (*send)(void *peer, Str text);
    void (*close)(void *peer, NlpClose code, const char *reason);
    /* A line for the server's log: key=value text, one line. */
    void (*note)(void *user, Str line);
    /* A broadcast packet of a game (empty = told before), and what the village is told now (empty =
     * nothing). */
    void (*broadcast)(void *user, Str game_id, Str packet, Str masked);
    /* A game began, or is over. */
    void (*game)(void *user, Str game_id, bool over);
    /* An utterance of a game, but Skip and Over; `speaker` may be NULL. True when the game has to
     * wait for nlp_hall_go_on: speech output. May be NULL. */
    bool (*utterance)(void *user, Str game_id, const ConfigProfile *speaker, Str text);
    /* Characters are wanted for a match of `count` seats: nlp_hall_characters has to be called
     * later with this number. False: there are none, the configuration's are taken. May be NULL. */
    bool (*characters)(void *user, uint32_t number, SeatNo count);
    /* --fill: so many agents are wanted, of this team, or each of a team of its own when it is
     * empty. They come as all others do. NULL: built-in bots take the seats. */
    void (*guests)(void *user, Str team, SeatNo count);
    /* Fills in what is known of who plays at a seat of a game that is over: a model, its decisions.
     * May be NULL. */
    void (*seat)(void *user, const struct NlpGame *game, SeatNo seat, SeatRecord *own);
    /* A game is over: what is kept of it, also of one that has no result. May be NULL. */
    void (*record)(void *user, const GameRecord *record);
    /* Something for the notifier: which, and a sentence for people. */
    void (*notice)(void *user, ConfigNotice what, Str text);
    /* Something has to go to another bench: nlp_hall_move is to be called soon, and not in an event
     * of a connection. NULL where there are no others. */
    void (*moves)(void *user);
    /* Has another bench do something. With TASK_TAKE and TASK_REJOIN the connections go along. */
    void (*task)(void *user, unsigned bench, const Task *task);
    void *user;
} NlpHallOut;

/* What the server needs to know beside the configuration. */
typedef struct NlpHallSetup {
    const Config *config;
    NlpHallOut out;
    int64_t unix_ms_at_zero; /* wall-clock time of TimeUs 0 */
    Key key;                 /* of all chance: matching, seats, roles (nlp/hall_chance.h) */
    IdSource ids;            /* of games; {0} but in tests */
    bool fill;               /* built-in bots, or guests, take empty seats */
    TimeUs fill_after;       /* when the first of a match has waited so long */
    uint64_t games;          /* stop after so many decided games; 0 = no end */
    uint32_t self_per_hour;  /* self matches of a team that begin in an hour; 0 = no end */
    ResultJournal *results;  /* gets every game; borrowed for the hall's life; NULL = none. Where
                                somebody is told of what it has written, so must the hall be */
    unsigned benches;        /* beside the hall's own, up to HALL_BENCHES_MAX */
    const LiveSink *live;    /* who watches games, told on the hall's thread; NULL = nobody */
    /* Seats in the order of their names' bytes, which is that of packets: an agent in this process
     * and its game have the same numbers then. */
    bool seats_by_name;
} NlpHallSetup;

/* Reads the history file when there is one. Errors: ERR_IO, those of history_load, ERR_MEMORY. */
int nlp_hall_new(const NlpHallSetup *setup, NlpHall **ret_hall, Err *err);
NlpHall *nlp_hall_free(NlpHall *hall);

/* The wall clock was set: the time of TimeUs 0 is another one from now on, in running games too. */
void nlp_hall_set_clock(NlpHall *hall, int64_t unix_ms_at_zero);

/* A connection has come; NAME is sent. `token` is copied; `address` too, for people.
 * Errors: ERR_MEMORY, ERR_LIMIT. */
int nlp_hall_opened(NlpHall *hall, void *peer, Str token, const char *address, TimeUs now,
                    NlpAgent **ret_agent, Err *err);
/* It takes BID, and so is asked for bids where talk goes by them. */
void nlp_hall_takes_bids(NlpAgent *agent);
/* A message of it. */
void nlp_hall_message(NlpHall *hall, NlpAgent *agent, Str text, TimeUs now);
/* Its connection is gone; `agent` is invalid from here on. */
void nlp_hall_closed(NlpHall *hall, NlpAgent *agent, TimeUs now);
/* What is due at `now` happens; call it when nlp_hall_deadline says, and not later than that. */
void nlp_hall_tick(NlpHall *hall, TimeUs now);
TimeUs nlp_hall_deadline(const NlpHall *hall);

/* The characters asked for: `profiles[0..count-1]`, borrowed until the game `*ret_id` is over (as
 * told by out->game); NULL = those of the configuration. An empty id: the match was given up
 * meanwhile, and nothing is borrowed. */
void nlp_hall_characters(NlpHall *hall, uint32_t number, const ConfigProfile *profiles, TimeUs now,
                         char ret_id[static ID_ULID_BYTES]);

/* The speech output of a game's last utterance is over. */
void nlp_hall_go_on(NlpHall *hall, Str game_id, TimeUs now);

/* ---- games on other benches ---- */

/* Games that have begun, and who comes back, go to their benches now. */
void nlp_hall_move(NlpHall *hall, TimeUs now);
/* What another bench told. With NEWS_REFUSED and NEWS_OVER the connections are back. */
void nlp_hall_hear(NlpHall *hall, const News *news, TimeUs now);

/* The journal has written something: games that are over and on disk now are told of. */
void nlp_hall_written(NlpHall *hall, TimeUs now);

/* No further game begins; nlp_hall_done is true once those under way are over. */
void nlp_hall_drain(NlpHall *hall, TimeUs now);
/* Ends all games now, without a winner, with FINISH and complete logs. */
void nlp_hall_abort(NlpHall *hall, TimeUs now);
bool nlp_hall_draining(const NlpHall *hall);
/* A running game waits for somebody to come back: let agents in, also while it drains. */
bool nlp_hall_has_away(const NlpHall *hall);
/* Drained and empty, or the schedule (or `games`) is complete and no game is running. */
bool nlp_hall_done(const NlpHall *hall);
/* All scheduled matches have ended. */
bool nlp_hall_complete(const NlpHall *hall);
/* Whether only the disk is waited for until nlp_hall_done: who comes now comes too late. */
bool nlp_hall_ending(const NlpHall *hall);

/* ---- an operator acts (docs/nlp.md) ---- */

/* Whether the act can be done now, and what will come of it, as a sentence in `would`. VOID and END
 * name a game by its id; *ret_act is the act as it will be in the journal, of the same texts.
 * Errors: ERR_USAGE when there is no such game, team or agent, ERR_RULE when it can't be done as
 * things are; those of the journal. */
int nlp_hall_act_check(const NlpHall *hall, const OperatorAct *act, OperatorAct *ret_act,
                       Buf *would, Err *err);
/* Does it: it is in the journal, where there is one, before it takes effect. Errors: as above; it
 * was not done. */
int nlp_hall_act(NlpHall *hall, const OperatorAct *act, TimeUs now, Err *err);
/* What was done, here and in earlier runs with this journal. */
const OperatorActs *nlp_hall_acts(const NlpHall *hall);
/* Of games, as in NlpHallSetup. */
const ResultJournal *nlp_hall_results(const NlpHall *hall);

/* ---- looking, for the API and for metrics ---- */

typedef struct NlpCounts {
    uint64_t connections; /* since the start */
    uint64_t requests;    /* with and without replies */
    uint64_t replies;
    uint64_t request_errors; /* failed ones */
    uint64_t late_replies;   /* discarded */
    uint64_t rejoined;
    uint64_t games_begun;
    uint64_t games_won[3]; /* by Side; [SIDE_NONE]: day-limit draws */
    uint64_t games_aborted;
    uint64_t games_void; /* of those that ended before, by an operator */
    uint32_t open;       /* connections now */
    uint32_t waiting;    /* agents in the waiting room now */
    uint32_t left_out;   /* agents that wait, of teams that are left out */
    uint32_t games;      /* running now */
    uint32_t scheduled;  /* matches still to play; 0 without a schedule */
    uint32_t ended;
    uint32_t planned; /* scheduled + ended */
    uint32_t skipped; /* of those scheduled: a team of theirs is left out */
    bool unsaved;     /* the schedule on disk is not as it stands here: it could not be written */
} NlpCounts;
NlpCounts nlp_hall_counts(const NlpHall *hall);
/* The same without the requests and replies of games under way. */
NlpCounts nlp_hall_counts_ended(const NlpHall *hall);

typedef struct NlpWaiting {
    Str name;
    Str team;
    const char *address;
    int64_t since_unix_ms;
    bool left_out; /* its team is */
} NlpWaiting;
/* Who waits, oldest first, then who waits of teams that are left out; false beyond the last. */
bool nlp_hall_waiting_at(const NlpHall *hall, uint32_t index, NlpWaiting *ret);
/* The teams that have matches to play and are neither waiting nor playing; false beyond the last.
 */
bool nlp_hall_awaited_at(const NlpHall *hall, uint32_t index, Str *ret_team);

typedef struct NlpSeatStatus {
    Str team;
    Str original;
    Str name;
    Role role;
    bool alive;
    bool told_alive; /* as far as the village knows: who died in the night lives until dawn */
    bool errored;
} NlpSeatStatus;
typedef struct NlpGame {
    Str id;
    uint32_t number; /* from 1, in the order in which they began */
    uint16_t day;
    bool finished;
    bool aborted;
    bool made_void; /* by an operator, when it was over */
    Side winner;
    int64_t began_unix_ms;
    int64_t ended_unix_ms; /* 0 = running */
    Str stem;              /* of its files */
    SeatNo seat_count;
    NlpSeatStatus seats[SEAT_MAX + 1];
} NlpGame;
/* The running games, then the finished ones that are remembered (the last 1,000), newest first;
 * false beyond the last. Borrowed until the hall is called again. */
bool nlp_hall_game_at(const NlpHall *hall, uint32_t index, NlpGame *ret);
bool nlp_hall_game_find(const NlpHall *hall, Str id, NlpGame *ret);
/* The latest broadcast packet of a running game, for who subscribes late; empty = none. */
Str nlp_hall_last_broadcast(const NlpHall *hall, Str id, bool masked);

const TeamHealth *nlp_hall_health(const NlpHall *hall);
const History *nlp_hall_history(const NlpHall *hall); /* NULL without a schedule */

#endif
