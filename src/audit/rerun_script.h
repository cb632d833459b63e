/* rerun_script.h - what one seat was sent in one game, packet by packet, and what it answered: made
 * from the exchange record and the key of the game.
 *
 * For:    rerun_play.h, which gives it to a program once more.
 * Memory: a RerunScript owns its texts; zero it first. Made anew for each game.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 11.4: what agents were sent follows from key, rules and
 *         answers, byte for byte.
 */
#ifndef WARG_AUDIT_RERUN_SCRIPT_H
#define WARG_AUDIT_RERUN_SCRIPT_H

#include "record/exchange_replay.h"

/* A packet. */
typedef struct RerunStep {
    size_t at; /* in the texts: the packet with its line end, then what came for it */
    size_t bytes;
    size_t answer_bytes;
    bool asks;     /* it has an answer; all below is of these */
    bool compared; /* what came is known: its answer, or bytes that came too late */
    AskKind kind;
    uint16_t day;
    unsigned line; /* of the record */
} RerunStep;

typedef struct RerunScript {
    Buf texts;
    Buf steps;   /* RerunStep each */
    bool absent; /* its agent had failed before this game: nothing was sent */
    bool breaks; /* its agent failed in this game; behind the last step a substitute played */
    bool closed; /* while it is made: nothing is added any more */
    SeatNo seat;
} RerunScript;

void rerun_script_done(RerunScript *script); /* also for CLEANUP */

/* `ret` is what is wrong with the record, if anything is: then there is no script.
 * Errors: as exchange_replay. */
int rerun_script_make(RerunScript *script, Str record, const Ruleset *rules, const GameKey *key,
                      SeatNo seat, ExchangeFinding *ret, Err *err);

/* Its steps, in order; NULL behind the last. Borrowed until the next is made, as are the texts. */
const RerunStep *rerun_script_step(const RerunScript *script, size_t number);
Str rerun_script_packet(const RerunScript *script, const RerunStep *step);
Str rerun_script_answer(const RerunScript *script, const RerunStep *step);

#endif
