/* manner.h - how a division speaks with one participant: what is sent, and what an answer is.
 *
 * For:    seat/chair.h, which knows when somebody is asked and how long that may take, and no
 *         division. One constant a division: seat/aiwolf_manner.h, seat/nlp_manner.h.
 * Memory: `self` is what the division keeps for one participant, the caller's.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 1.4, 2, 6.3; docs/spec/nlp-division.md 3, 6.2.
 */
#ifndef WARG_SEAT_MANNER_H
#define WARG_SEAT_MANNER_H

#include "base/buf.h"
#include "game/game.h"

typedef enum Reading {
    READ_ANSWER,
    READ_MALFORMED, /* counted as a fault, and played as what was read */
    READ_STRAY,     /* it is no answer to this: one waits on */
} Reading;

typedef struct Manner {
    /* Each appends one packet to `out`. `request`: the division's own number of what is told. */
    void (*write_ask)(void *self, const Ask *ask, const View *view, Buf *out);
    void (*write_tell)(void *self, int request, const View *view, Buf *out);
    void (*write_probe)(void *self, Buf *out); /* are you there, and who are you? */
    /* "TALK", "NAME"; constants, for faults. */
    const char *(*ask_name)(AskKind kind);
    const char *probe_name;
    bool (*is_probe_answer)(void *self, Str text);
    /* `ret_answer` is overwritten; its text borrows `text` or `self`. */
    Reading (*read_answer)(void *self, AskKind kind, Str text, Answer *ret_answer);
    bool probes;      /* who does not answer in time is asked whether it is there */
    bool strays_fail; /* a message that answers nothing is a fault, and not dropped */
} Manner;

#endif
