/* api_shared.h - what several files of handlers need: who acts, how a contest file is refused.
 *
 * For:    api_contest.c, api_organise.c, api_team.c.
 * Memory: see api_visit.h.
 * Thread: the loop's.
 * Source: docs/contest-api.md.
 */
#ifndef WARG_API_API_SHARED_H
#define WARG_API_API_SHARED_H

#include "api/api_visit.h"
#include "site/contest.h"

/* Who asks, as the domain has it. Borrowed from the visit. */
ContestActor api_actor(const ApiVisit *visit, Str reason);

/* A contest file that is none: line and column, and the field "text". Errors that are ours stay. */
int api_refuse_text(ApiVisit *visit, const Err *err);

#endif
