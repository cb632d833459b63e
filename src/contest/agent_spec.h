/* agent_spec.h - the values of --agent and --roles: who plays, and as what.
 *
 * For:    `warg run`, `warg serve`, `warg maw`.
 * Memory: fills the caller's plan.
 * Thread: any.
 * Source: man/warg-run.1.scd.
 *
 *     VALUE = BOTS | OUTSIDE | FILE.yml
 *     BOTS  = BOT [" " BOT ...]          several in one value, as in 'bot:sample*14 bot:random'
 *           | MODEL [" " BOT ...]        likewise; with a persona MODEL is the last
 *     MODEL = "llm:" SPEC                a language model; SPEC as in llm/llm_arg.h, and with
 *             "*" COPIES, "name=" NAME, "copies=" N before its persona
 *     BOT   = "bot:" KIND ["*" COPIES] ["," "name=" NAME]
 *             a star may also stand behind the settings: bot:sample,name=alice*3
 *     OUTSIDE = {SETTING ","} "cmd=" COMMAND   the command is all that follows, commas and blanks
 *                                             included
 *             | COMMAND                       one with {port} in it needs no cmd= in front
 *             | {SETTING ","} "entry=" FILE, with a profile: the command is made of both
 *     SETTING = "name=" NAME | "copies=" N | "folder=" DIR | "env=" VARIABLE | "profile=" RUNTIME
 *             | "entry=" FILE
 *     FILE.yml: a list of agents, see contest/contest_file.h
 */
#ifndef WARG_CONTEST_AGENT_SPEC_H
#define WARG_CONTEST_AGENT_SPEC_H

#include "base/buf.h"
#include "match/plan.h"

/* Adds the agents of one --agent value to the plan.
 * Errors: ERR_USAGE that quotes the part it can't read; those of plan_add_agent and of the file. */
int agent_spec_add(Plan *plan, Str value, Err *err);

/* What is known to go wrong is said before the first game. Errors: ERR_USAGE for an outside agent
 * of the plan that has no command, whose folder is not there, or that can't play these rules. */
int agent_spec_check_program(const Plan *plan, const PlanAgent *agent, Err *err);

/* What is allowed but hardly meant, as one line without its end; nothing when all is well. */
void agent_spec_warn(const Plan *plan, Buf *out);

/* "alice=SEER" fixes the role of every agent named alice.
 * Errors: ERR_USAGE for an unknown name or role. */
int agent_spec_fix_role(Plan *plan, Str text, Err *err);

#endif
