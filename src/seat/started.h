/* started.h - one agent whose program we start: whether it has come, how long one waits for it, and
 *             when its program is told to end.
 *
 * For:    seat/started_io.h, which has its port and its process; tests. What happens and the time
 *         come in, what is to be done goes out: no socket, no process, no clock.
 * Memory: a plain value.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 1.1, 6.3; docs/spec/contest-operations.md 6.7.
 *
 *   OUT --begin--> AWAITED --its program connects--> NAMING --it says its name--> HERE
 *    ^                |                                |                           |
 *    |                +-- not in time, or it ended ----+---------- a fault --------+--> FAILED
 *    +-- its program has ended: `again` was called ----------------+-------------------+
 *
 *   AWAITED: its port is open. NAMING: nobody else can come. HERE: a table has it.
 *   FAILED:  it can't come any more. Who has closed its connection is most likely ending, and how
 *            that ends is worth knowing: so it has some time before it is told to. All others are
 *            told at once.
 *
 * The time to come is one for both, connecting and saying a name, and longer by what the program
 * had to wait for a processor (seat/answer_clock.h).
 */
#ifndef WARG_SEAT_STARTED_H
#define WARG_SEAT_STARTED_H

#include "seat/answer_clock.h"

typedef enum StartedState {
    STARTED_OUT,
    STARTED_AWAITED,
    STARTED_NAMING,
    STARTED_HERE,
    STARTED_FAILED,
} StartedState;

/* What is to be done, in this order: bits. */
typedef enum StartedAct {
    STARTED_TELL = 1,    /* of the stranger */
    STARTED_NOTE = 2,    /* how its program ended */
    STARTED_HINT = 4,    /* ... and what it was not given: it has never connected */
    STARTED_SHUT = 8,    /* its port; and the connection whose name is still to come */
    STARTED_STOP = 16,   /* its program */
    STARTED_OPEN = 32,   /* a port, and its program with it */
    STARTED_LOOK = 64,   /* from now on at what the threads of its program do */
    STARTED_LATE = 128,  /* it has failed: it did not come in time */
    STARTED_EARLY = 256, /* it has failed: its program ended before it came */
} StartedAct;

/* Open, for reading. */
typedef struct Started {
    StartedState state;
    bool runs;          /* its program; until its end was reported */
    bool again;         /* it is started anew when that has ended */
    bool dismissed;     /* its games are over: it may end as it likes */
    uint32_t strangers; /* who came to its port and were sent away */
    TimeUs stop_at;     /* when its program is told to end */
    AnswerClock clock;  /* until it is HERE */
} Started;

/* Each returns what is to be done. A program that can't be started is the caller's business. */

/* It is to be started, and has `startup` to come. */
unsigned started_begin(Started *started, TimeUs startup, TimeUs now);
/* Somebody has connected; `ours`: a process of its program, as far as can be told. When it is
 * NAMING then that connection is its own; else it is to be closed. */
unsigned started_called(Started *started, bool ours);
/* The name has come: whoever began it has the agent now. */
void started_named(Started *started);
/* It is at fault, wherever it is; `gone`: it has closed its connection. */
unsigned started_fail(Started *started, bool gone, TimeUs now);
/* Its program is wanted anew. */
unsigned started_again(Started *started, TimeUs startup, TimeUs now);
/* Its games are over. */
unsigned started_dismiss(Started *started, TimeUs now);
/* Its program has ended; `asked`: because it was told to. */
unsigned started_ended(Started *started, bool asked, TimeUs startup, TimeUs now);
/* What is due at `now`; `look`: what the threads of its program did since LOOK, NULL = not seen. */
unsigned started_due(Started *started, const RunQueueLook *look, TimeUs now);
TimeUs started_deadline(const Started *started);

#endif
