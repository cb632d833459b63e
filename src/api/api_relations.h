/* api_relations.h - what who asks is to what is asked about.
 *
 * For:    the API's door, which then asks site_may alone.
 * Memory: fills a visit.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 4, 13.2; site/may.h.
 */
#ifndef WARG_API_API_RELATIONS_H
#define WARG_API_API_RELATIONS_H

#include "api/api_visit.h"

/* Finds the object that the path names and sets contest, team, object and relations of the visit.
 * Errors: REFUSE_NOT_FOUND for what there is not, or nobody may know of (a draft of others); those
 * of the store. */
int api_relations_find(ApiVisit *visit, Err *err);

/* Whether the object is one that this account may not even know of (a version, finding, appeal or
 * sheet of others): it hears what it hears of a number that nothing has. */
bool api_relations_hide(const ApiVisit *visit);

/* The relations to the whole server; for an account that was made just now. */
int api_relations_of_site(ApiVisit *visit, Err *err);

#endif
