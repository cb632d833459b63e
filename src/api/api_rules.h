/* api_rules.h - contest files, read once and not at each request; what of a contest is shown.
 *
 * For:    the API's handlers.
 * Memory: an ApiRules owns what it has read; what api_rules_of gives is borrowed until the visit
 *         ends.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 3.2 (`publish`), 16.4.
 */
#ifndef WARG_API_API_RULES_H
#define WARG_API_API_RULES_H

#include "api/api_visit.h"
#include "site/contest_home.h"
#include "site/contest_rules.h"

ApiRules *api_rules_new(void);             /* NULL without memory */
ApiRules *api_rules_free(ApiRules *rules); /* takes NULL, returns NULL */

/* The contest file in force of the visit's contest. Errors: those of contest_rules_read, store. */
int api_rules_of(ApiVisit *visit, const SiteRules **ret_rules, Err *err);
/* The same of any contest, by its number. */
int api_rules_get(ApiSite *site, int64_t contest, const SiteRules **ret_rules, Err *err);

/* Whether the visit's contest is in the natural-language division, and so on: words of its file. */
const char *api_rules_division(const SiteRules *rules);

/* Where the visit's contest is. */
ContestHome api_home(const ApiVisit *visit);

/* ---- what is shown of a contest ---- */

bool api_is_organiser(const ApiVisit *visit);
/* PUBLISHED, or behind it. */
bool api_is_published(const ApiVisit *visit);
bool api_shows_standings(const ApiVisit *visit, const SiteRules *rules);
/* Lists of games; of its own team somebody sees them always. */
bool api_shows_games(const ApiVisit *visit, const SiteRules *rules);
/* The log of the visit's game (visit->team: an own seat in it). */
bool api_shows_log(const ApiVisit *visit, const SiteRules *rules);

#endif
