/* clock_proof.h - what of a contest's proof goes on by itself: its journal into the ledger and
 * among findings, rulings into the journal, evidence to appeals, the bundle.
 *
 * For:    site/clock_follow.c.
 * Memory: plain.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 8.5, 8.6, 11.3, 11.5.
 */
#ifndef WARG_SITE_CLOCK_PROOF_H
#define WARG_SITE_CLOCK_PROOF_H

#include "site/clock_turn.h"

/* Lines of the journal that one tick takes. */
#define CLOCK_PROOF_LINES 400

/* From the first stage to the end of appeals. Errors: those of play_follow, rulings_apply,
 * appeal_gather. */
int clock_proof_follow(const ClockTurn *turn, Err *err);

/* While appeals are open: asks for the bundle as soon as nothing else is awaited. */
int clock_proof_publish(const ClockTurn *turn, Err *err);

/* When it is published: the bundle once more, with the ledger to its end. */
int clock_proof_close(const ClockTurn *turn, Err *err);

#endif
