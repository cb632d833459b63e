/* api_team_json.h - a team as its members see it, and a version.
 *
 * For:    api_team.c, api_version.c, api_organise.c.
 * Memory: see api_visit.h.
 * Thread: the loop's.
 * Source: docs/contest-api.md, GET contests/C/teams/T.
 */
#ifndef WARG_API_API_TEAM_JSON_H
#define WARG_API_API_TEAM_JSON_H

#include "api/api_rules.h"
#include "site/version.h"

/* Writes the visit's team into its answer. */
int api_team_write(ApiVisit *visit, const SiteRules *rules, Err *err);

/* A version, as an object. */
void api_version_put(const Version *version, Json *json);

/* An entry of the ledger that is about a team by its name alone: "team", "withdraw". Nothing before
 * the contest is open. */
int api_team_enter(ApiVisit *visit, const char *type, int64_t team, Err *err);

#endif
