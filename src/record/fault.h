/* fault.h - what an agent did wrong at the table, one record each.
 *
 * For:    the seats that notice faults, the fault policy, faults.jsonl, the journal's counts.
 * Memory: plain values; `bytes` is borrowed for the call that hands a fault out.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 6.3.
 */
#ifndef WARG_RECORD_FAULT_H
#define WARG_RECORD_FAULT_H

#include "base/buf.h"
#include "game/role.h"

typedef enum FaultKind {
    FAULT_TIMEOUT,    /* no answer within limit + grace */
    FAULT_DISCONNECT, /* the connection ended, by the agent or its crash */
    FAULT_MALFORMED,  /* a line over the limit; a target line without a target (counted only) */
    FAULT_EARLY,      /* a line that answers no request */
    FAULT_VIOLATION,  /* a sentence outside the protocol language (counted only) */
    FAULT_COUNT,
    /* Told in documents of MAW, and counted nowhere: a rule decided in a model's place; what a
     * model said was not said. */
    FAULT_FALLBACK,
    FAULT_SUPPRESSED,
} FaultKind;

typedef struct Fault {
    FaultKind kind;
    bool fatal; /* the seat is failed from here on */
    SeatNo seat;
    uint16_t day;
    const char *request; /* "TALK"; "" = none was open */
    int64_t elapsed_us;  /* since the request; 0 when none was open */
    int64_t waited_us;   /* of these: not its own, as far as was seen (seat/answer_clock.h) */
    Str bytes;           /* what came, cut to FAULT_BYTES_MAX */
} Fault;

#define FAULT_BYTES_MAX 256

/* "timeout", "disconnect", "malformed", "early", "violation", "fallback", "suppressed"; "" for
 * FAULT_COUNT. */
const char *fault_kind_name(FaultKind kind);

/* The kind of this name, of those that are counted; FAULT_COUNT for any other text. */
FaultKind fault_kind_of(Str name);

/* Appends "timeout at TALK after 201.4 ms, 'what came'" for people; what came is made printable. */
void fault_print(const Fault *fault, Buf *out);

#endif
