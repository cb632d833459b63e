/* fate.h - what a chair that is OUT leads to. The same question for every division; the answer is
 *          data.
 *
 * For:    tables: match/table.c reads one from `on_fault` of a plan, nlp/table_make.c from a
 *         configuration.
 * Memory: a plain value.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 6.3; docs/spec/nlp-division.md 6.3.
 */
#ifndef WARG_SEAT_FATE_H
#define WARG_SEAT_FATE_H

#include <stdbool.h>
#include <stdint.h>

#define FATE_NEVER INT32_MAX

typedef struct Fate {
    int32_t aborts_at;   /* with so many OUT the game is over at once, without a winner */
    int32_t ends_at;     /* with so many it is over behind its phase */
    bool needs_somebody; /* with nobody there any more it is over at once, too */
    bool spares_dead;    /* whose character was dead before it went does not count */
    bool substitutes;    /* a lapse answers each of its asks; else its character is away */
    bool ends_set;       /* no game of these participants follows */
    bool renews;         /* for the next game a program is started anew */
} Fate;

typedef enum FateEnd {
    FATE_PLAY_ON, /* a substitute has the seat, or nobody */
    FATE_END_BEHIND_PHASE,
    FATE_ABORT,
} FateEnd;

/* When a chair has become OUT, the last of `out` that count; `somebody` is still there. */
static inline FateEnd fate_of(const Fate *fate, int32_t out, bool somebody)
{
    if (out >= fate->aborts_at || (fate->needs_somebody && !somebody))
        return FATE_ABORT;
    return out >= fate->ends_at ? FATE_END_BEHIND_PHASE : FATE_PLAY_ON;
}

#endif
