/* agent_check_output.h - the report of an agent that was tried, as text and as JSON.
 *
 * For:    `warg agent check`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 7.
 */
#ifndef WARG_SHOW_AGENT_CHECK_OUTPUT_H
#define WARG_SHOW_AGENT_CHECK_OUTPUT_H

#include "base/json.h"
#include "contest/agent_check.h"

/* One that was judged. */
void agent_check_write_text(const AgentCheck *check, bool japanese, Buf *out);
/* One object and a line end; the advice in this language, all else is the same in each. */
void agent_check_write_json(const AgentCheck *check, bool japanese, Buf *out);

/* For a report that has more than that: its steps and warnings into an open list, its findings as a
 * member of an open object. */
void agent_check_put_steps(Json *json, const AgentCheck *check, bool japanese);
void agent_check_put_warnings(Json *json, const AgentCheck *check, bool japanese);
void agent_check_put_findings(Json *json, const AgentCheck *check);

#endif
