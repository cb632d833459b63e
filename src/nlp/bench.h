/* bench.h - tables that are being played on one loop: messages to their seats, the earliest
 * deadline first. What the hall must hear is told as news.
 *
 * For:    hall.c: each hall has a bench of its own, on which games begin and end; and serve/, which
 *         may have further ones, each on a loop and thread of its own (docs/architecture.md,
 *         "Loops").
 * Memory: a Bench owns its heap and what its tables write into; games are the hall's.
 * Thread: its own. A game is touched by the thread of the bench on which it is, and by nobody else;
 *         the hall looks at what the bench has shown of it (hall_state.h, Shown).
 * Source: docs/architecture.md, "Loops"; docs/spec/nlp-division.md 6.
 */
#ifndef WARG_NLP_BENCH_H
#define WARG_NLP_BENCH_H

#include "nlp/hall.h"
#include "record/game_record.h"

typedef struct Bench Bench;
typedef struct Running Running; /* a game that is going on; hall_state.h */

typedef enum NewsKind {
    NEWS_NOTE,      /* `text`: a line for the server's log */
    NEWS_BROADCAST, /* `text`, `masked`: a packet, of which one may be empty */
    NEWS_UTTERANCE, /* `text` of `seat` */
    NEWS_FAULT,     /* `fault` */
    NEWS_LIVE,      /* `text`: what a live sink is to be told, as a letter (record/live_letter.h) */
    NEWS_LOST,      /* the connection of `agent` is gone, or closed by the bench */
    NEWS_AWAY,      /* a seat waits for somebody to come back */
    NEWS_BACK,      /* `seat` has its participant again */
    NEWS_REFUSED,   /* `agent` came back too late: its seat or its game is over */
    NEWS_OVER,      /* the game is over, and on no bench any more */
} NewsKind;

/* What a bench tells its hall, in the order in which it happened. */
typedef struct News {
    NewsKind kind;
    Running *running;
    NlpAgent *agent; /* LOST, REFUSED */
    SeatNo seat;     /* UTTERANCE, BACK */
    Fault fault;
    TimeUs at;
    Str text; /* borrowed */
    Str masked;
} News;

typedef enum TaskKind {
    TASK_TAKE,   /* plays `running` from now on */
    TASK_REJOIN, /* `agent` has `seat` again */
    TASK_GO_ON,  /* the speech output of its last utterance is over */
    TASK_ABORT,  /* ends it now, without a winner */
    TASK_CLOSE,  /* closes the connection of `seat`, which may come back, if somebody is there */
    TASK_CLOCK,  /* the wall clock was set */
} TaskKind;

/* What a hall has a bench do. A game that has ended meanwhile is none of the bench's any more. */
typedef struct Task {
    TaskKind kind;
    Running *running;
    NlpAgent *agent;
    SeatNo seat;
    int64_t unix_ms_at_zero;
} Task;

/* What a bench does to the world, on its own thread; `peer` as in NlpHallOut. */
typedef struct BenchOut {
    void (*send)(void *peer, Str text);
    void (*close)(void *peer, NlpClose code, const char *reason);
    /* For an utterance: whether the game has to wait for TASK_GO_ON. */
    bool (*tell)(void *user, const News *news);
    void *user;
} BenchOut;

int bench_new(const BenchOut *out, int64_t unix_ms_at_zero, Bench **ret_bench, Err *err);
Bench *bench_free(Bench *bench); /* takes NULL */

/* A message of an agent that has a seat at one of its games; its connection is gone: `agent` is the
 * hall's then. */
void bench_message(NlpAgent *agent, Str text, TimeUs now);
void bench_lost(NlpAgent *agent, TimeUs now);
void bench_do(Bench *bench, const Task *task, TimeUs now);

void bench_tick(Bench *bench, TimeUs now);
TimeUs bench_deadline(const Bench *bench);

/* Whose connections go where the game goes: those of its seats. NULL: a bot, or nobody is there. */
SeatNo bench_seat_count(const Running *running);
NlpAgent *bench_seated(const Running *running, SeatNo seat);
/* What nlp_hall_opened was given. */
void *bench_peer(const NlpAgent *agent);

#endif
