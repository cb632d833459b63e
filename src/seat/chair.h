/* chair.h - one participant at a table: whether it is there, asked, late or gone, its clock, its
 *           faults. The same for every division: what differs is a Patience and a Manner.
 *
 * For:    tables. A chair is asked one thing at a time. It knows no socket and no clock: messages
 *         and time come in, bytes go out by its link, and each call returns what came of it.
 * Memory: a Chair is the caller's, zero it first; it owns its link: chair_close closes it.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 1.3 to 1.5, 6.3; docs/spec/nlp-division.md 6.2, 6.3.
 *
 *   PROBED --its name--> IDLE --ask--> ASKED --answer--> IDLE      (PROBED: of chair_open)
 *                                        |
 *                       no answer in time, manner.probes
 *                                        +--> PROBED --its name--> IDLE
 *
 *   any --connection gone, no answer, a fault that ends it--> AWAY --patience.back over--> OUT
 *                                                               |
 *                                                               +--chair_return--> IDLE
 *
 *   IDLE:   what comes is a stray: a fault that ends it (manner.strays_fail), or the table's.
 *   ASKED:  a request is open.
 *   PROBED: it has been asked whether it is there. A request may be open.
 *   AWAY:   nothing is sent, its seat is kept. With patience.back = 0, or when it has come back
 *           too often, it is OUT at once.
 *   OUT:    nothing is sent, nothing comes, for good.
 */
#ifndef WARG_SEAT_CHAIR_H
#define WARG_SEAT_CHAIR_H

#include "record/game_record.h"
#include "seat/answer_clock.h"
#include "seat/link.h"
#include "seat/manner.h"

/* What is allowed. Times in microseconds. */
typedef struct Patience {
    TimeUs answer;           /* what the rules allow; more is an excess */
    TimeUs grace;            /* beyond it: an excess, not yet a fault */
    TimeUs first_game_grace; /* in its first game, if that is more: compilers are at work */
    TimeUs startup;   /* for its name and for the first answer of all: interpreters are loading */
    TimeUs probe;     /* to say that it is there */
    TimeUs back;      /* how long the seat of one that is gone is kept */
    uint32_t returns; /* how often it may come back without a word in between */
    bool forgives;    /* what it had to wait is added: for a processor, for this program */
} Patience;

typedef enum ChairState {
    CHAIR_IDLE,
    CHAIR_ASKED,
    CHAIR_PROBED,
    CHAIR_AWAY,
    CHAIR_OUT,
} ChairState;

/* What came of something. */
typedef enum ChairCame {
    CAME_NOTHING,
    CAME_STRAY,  /* a message that answers nothing */
    CAME_NAME,   /* it is there and has said who it is: IDLE */
    CAME_ANSWER, /* IDLE */
    CAME_LAPSE,  /* it is there, but said nothing: IDLE */
    CAME_AWAY,
    CAME_OUT,
} ChairCame;

/* `answer` is borrowed for as long as the message. */
typedef struct ChairReport {
    Answer answer; /* of CAME_ANSWER; a lapse, when the request is over by something else */
    bool asked;    /* a request was open: it is over */
    bool at_fault;
    Fault fault; /* its seat is 0 */
} ChairReport;

/* What it did since chair_forget. */
typedef struct ChairCounts {
    uint32_t sent;     /* packets of all kinds */
    uint32_t requests; /* with an answer awaited */
    uint32_t answers;  /* of those */
    uint32_t failures; /* of those, without an answer; the rest are still open */
    uint32_t strays;   /* messages that were thrown away */
    uint32_t returned;
    uint32_t excesses; /* requests that took longer than the rules allow. Where one can fail and its
                        * participant play on these count, too; else answers only */
    uint32_t excused;  /* of these: over limit and grace too, for what it had to wait */
    TimeUs waited;     /* in all: for a processor, or for this program (seat/answer_clock.h) */
    uint32_t faults[FAULT_COUNT];
} ChairCounts;

/* Open, for reading. */
typedef struct Chair {
    /* set by the owner; all borrowed */
    const Manner *manner;
    void *self;
    const Patience *patience;
    Buf *request; /* the packet of the last ask is built here, and left */
    Buf *scratch; /* all others; may be the same */

    bool bids; /* it takes BID; of who does not, and all others do not, no bid is asked */

    Link link; /* leads nowhere for who is gone */
    ChairState state;
    TimeUs deadline;  /* of ASKED, PROBED, AWAY: when chair_due has to be called */
    bool asked;       /* a request is open */
    AskKind kind;     /* of it */
    uint16_t day;     /* of the last packet */
    const char *what; /* name of the request that is open */
    AnswerClock clock;
    bool early;          /* bytes came before the open request: they answer nothing */
    uint64_t asked_turn; /* of the link, in which the request went out */
    bool last_look;      /* the time was up, but bytes were there: one look more */
    bool shut;           /* it has ended its side: it can't answer any more, but may read */
    bool awake;          /* has answered: the interpreter behind it is loaded */
    uint32_t games;      /* begun */
    uint32_t returns;    /* times that it came back since it said anything */
    ChairCounts counts;
    Durations times;                /* of its answers */
    AnswerTimes answers[ASK_COUNT]; /* the same by what was asked, but for probes */
} Chair;

static inline bool chair_is_gone(const Chair *chair)
{
    return chair->state == CHAIR_AWAY || chair->state == CHAIR_OUT;
}

/* A participant of whom nothing is known yet: it is probed, and has patience.startup to say its
 * name. */
void chair_open(Chair *chair, Link take_link, TimeUs now);
/* One that is known. */
void chair_seat(Chair *chair, Link take_link);
/* Takes over what `from` knows of its participant, link and state; counts and times of the game
 * under way stay. `from` is empty then. */
void chair_take(Chair *chair, Chair *from);
/* Closes the link. Changes nothing else. */
void chair_close(Chair *chair);

/* Before the first packet of a game. */
void chair_begin_game(Chair *chair);
/* Behind a game, once its record is made: counts, faults, times. */
void chair_forget(Chair *chair);
/* What it did in this game. All else of the record stays. */
void chair_record(const Chair *chair, SeatRecord *ret_record);

/* Sends a request. Must be IDLE, or gone: then nothing happens, and the caller answers for it.
 * Bytes that came before it are a fault where strays are, which comes of chair_due. */
void chair_ask(Chair *chair, const Ask *ask, const View *view, TimeUs now);
/* The same with a packet that somebody else has written: of a game that was played before. */
void chair_ask_again(Chair *chair, AskKind kind, uint16_t day, Str packet, TimeUs now);
/* Writes a packet that has no answer into `scratch`, and sends it to who is there. */
void chair_tell(Chair *chair, int request, const View *view);
/* Sends what somebody else has written. */
void chair_send(Chair *chair, Str packet);

/* A message of it. Where nothing is forgiven the caller has called chair_due before. */
ChairCame chair_hear(Chair *chair, Str text, TimeUs at, TimeUs now, ChairReport *ret_report);
/* It has ended its side. In a game that is no fault until it is asked: it may have given its last
 * answer. */
ChairCame chair_shut(Chair *chair, TimeUs now, ChairReport *ret_report);
/* Its connection, or its program, is gone; `kind`: what that is called. */
ChairCame chair_lose(Chair *chair, FaultKind kind, Str bytes, TimeUs now, ChairReport *ret_report);
/* What is due at `now` happens. */
ChairCame chair_due(Chair *chair, TimeUs now, ChairReport *ret_report);
/* Nobody will come to it, for what `kind` says; it is OUT. */
void chair_give_up(Chair *chair, FaultKind kind);

/* It is back: AWAY becomes IDLE. Its link comes by chair_seat. */
void chair_return(Chair *chair);

/* When chair_due has to be called; TIME_US_NEVER when nothing is due. */
TimeUs chair_deadline(const Chair *chair);

/* Asserts what holds in each state. */
void chair_check(const Chair *chair);

#endif
