/* maw_told.h - what the record of a MAW session, and who watches it, say of faults and of an
 *              operator's acts.
 *
 * For:    maw_seats.c and session_record.c of maw, which tell it live; game_doc_maw.c, which reads.
 * Memory: plain values; texts are constants, or borrowed from the event.
 * Thread: pure.
 * Source: docs/spec/maw.md 9; docs/spec/web.md 4.1.
 *
 * A server's own words are no part of them: they name machines.
 */
#ifndef WARG_RECORD_MAW_TOLD_H
#define WARG_RECORD_MAW_TOLD_H

#include "record/fault.h"
#include "wire/json_read.h"

#define MAW_FAULTS_MAX 2 /* of one decision */

/* How many faults the object of a "decision" event tells of: a rule decided in the model's place,
 * something was not said. Their `bytes` say why, in a word. Seat and day are left 0. */
unsigned maw_fault_of_decision(const json_t *decision, Fault ret_faults[static MAW_FAULTS_MAX]);

/* The fault that a "fault" event tells of; false for a kind that is none. */
bool maw_fault_of_event(const json_t *event, Fault *ret_fault);

/* The sentence that everybody is told of an "operator" event's `act`; empty: nothing. */
Str maw_told_of_act(Str act);

#endif
