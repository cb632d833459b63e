/* stage_chance.h - what the key of a stage is made of beside its secret: lots of its agents, a
 * public value of a later moment; and that its programs are fixed before anybody can know the key.
 *
 * For:    contest_run, before a stage; out_folder, which reads what was told before.
 * Memory: what is kept of a journal goes into the plan's texts.
 * Thread: the caller's.
 * Source: docs/spec/contest-operations.md 11.1.
 *
 *   entries of the lots, what the beacon will be      in the plan, so in the journal's first line
 *   -> digests of the programs                        {"record":"freeze",...}
 *   -> lots are opened, the beacon's moment comes     the contest file is completed, --resume
 *   -> lots and beacon                                {"record":"lots",...}
 *   -> the stage is played; its secret is published   {"record":"key",...}
 *
 * Whoever holds the secret can't compute the key while programs can still be changed, for he does
 * not know the lots; whoever knows the lots does not know the secret.
 */
#ifndef WARG_CONTEST_STAGE_CHANCE_H
#define WARG_CONTEST_STAGE_CHANCE_H

#include "contest/out_folder.h"

/* Lots that are opened before the programs of their stage are fixed: ERR_USAGE. Asked before the
 * first game. */
int stage_chance_check(const OutFolder *folder, const Plan *plan, Err *err);

/* Does the next of these steps for a stage without lots and beacon: nothing. `agents` play in it.
 * `ret_wait` gets a sentence when the stage can't be played yet. `folder` is NULL where nothing is
 * kept: then all has to be known.
 * Errors: ERR_USAGE when a program has changed since it was fixed, or lots were opened before;
 * those of the journal and of reading programs. */
int stage_chance_settle(OutFolder *folder, Plan *plan, uint32_t stage, const PlanAgent *agents,
                        uint32_t count, Buf *ret_wait, Err *err);

/* The lots and the beacon of a journal, for a plan that was read from its first line. Errors:
 * ERR_USAGE for others than those of their entries; ERR_SYNTAX, ERR_LIMIT. */
int stage_chance_take(Plan *plan, const JournalLots *told, Err *err);

/* What the journal tells. Errors: ERR_USAGE when the plan has another lot or beacon; ERR_SYNTAX,
 * ERR_LIMIT. */
int stage_chance_read(OutFolder *folder, Plan *plan, const JournalLots *told, Err *err);

#endif
