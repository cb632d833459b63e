/* api_track_json.h - what a team's answers have of natural-language tracks.
 *
 * For:    api_team.c, api_team_json.c.
 * Memory: see api_visit.h.
 * Thread: the loop's.
 * Source: docs/contest-api.md; site/track_view.h.
 */
#ifndef WARG_API_API_TRACK_JSON_H
#define WARG_API_API_TRACK_JSON_H

#include "api/api_rules.h"

/* Members of the open object: "tracks", in a contest that has some. */
int api_track_put_team(ApiVisit *visit, const SiteRules *rules, Json *json, Err *err);

/* Answers with a token of the visit's team for a track. */
int api_track_make_token(ApiVisit *visit, Str track, Err *err);

#endif
