/* agent_profile.h - agents that say which runtime they need and what it starts, in place of a
 *                   command.
 *
 * For:    agent specs (contest/agent_spec.h) and contest files.
 * Memory: fills the caller's agent; texts are the plan's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 5.4.
 */
#ifndef WARG_CONTEST_AGENT_PROFILE_H
#define WARG_CONTEST_AGENT_PROFILE_H

#include "match/plan.h"

/* What runtime the agent needs: "java", "python", "native", "mono", "dotnet". Errors: ERR_USAGE
 * with the nearest. */
int agent_profile_read(PlanAgent *agent, Str word, Err *err);

/* What of its folder is started: a file, or a class of java's. Errors: ERR_USAGE for a path that
 * leads out of the folder; ERR_LIMIT. */
int agent_profile_entry(Plan *plan, PlanAgent *agent, Str text, Err *err);

/* Once all of an agent is read: who has an entry and no command gets one. Errors: ERR_USAGE. */
int agent_profile_finish(Plan *plan, PlanAgent *agent, Err *err);

#endif
