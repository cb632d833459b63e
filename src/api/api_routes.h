/* api_routes.h - every route of the API in one table.
 *
 * For:    the door; tests, which walk it.
 * Memory: constant.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 13.2; docs/contest-api.md.
 *
 * To add a route: a handler in api_ROOM.c, declared in api_handlers.h; a row in api_routes.c; a row
 * in docs/contest-api.md (tests/api/test_routes.c compares both).
 */
#ifndef WARG_API_API_ROUTES_H
#define WARG_API_API_ROUTES_H

#include "api/api_visit.h"

/* All of them; `ret_count` how many. */
const ApiRoute *api_routes(size_t *ret_count);

/* The route of a path below /api/v1/, with its words; NULL when there is none for this method.
 * `ret_methods` (may be NULL) gets those that the path has: "GET, POST". */
const ApiRoute *api_route_find(Str method, Str path, Str ret_words[static API_WORDS_MAX],
                               Buf *ret_methods);

#endif
