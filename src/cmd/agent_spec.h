/* agent_spec.h - the values of --agent and --roles: who plays, and as what.
 *
 * For:    `warg run`.
 * Memory: fills the caller's plan.
 * Thread: any.
 * Source: man/warg-run.1.scd.
 *
 *     SPECS = SPEC [" " SPEC ...]        several in one value, as in 'bot:sample*14 bot:random'
 *     SPEC  = "bot:" KIND ["*" COPIES] ["," "name=" NAME]
 *             a star may also stand behind the settings: bot:sample,name=alice*3
 */
#ifndef WARG_CMD_AGENT_SPEC_H
#define WARG_CMD_AGENT_SPEC_H

#include "match/set.h"

/* Adds the agents of one --agent value to plan->agents; *count is how many there are.
 * Errors: ERR_USAGE that quotes the part it can't read, or says that SEAT_MAX is exceeded. */
int agent_spec_add(SetPlan *plan, uint32_t *count, Str specs, Err *err);

/* "alice=SEER" fixes the role of every agent named alice. `count` agents are in the plan.
 * Errors: ERR_USAGE for an unknown name or role. */
int agent_spec_fix_role(SetPlan *plan, uint32_t count, Str text, Err *err);

#endif
