/* api_door.h - from a request to its handler: who asks, how often, whether it may be.
 *
 * For:    the server (api_server.c).
 * Memory: see api_visit.h.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 4, 13; O8, O9, O10.
 *
 *   route -> language -> rate of calls -> cookie, token or socket -> is the change ours (Origin,
 *   X-Warg-Token, type) -> the object and the relations to it -> site_may -> transaction { handler,
 *   trail } -> answer
 */
#ifndef WARG_API_API_DOOR_H
#define WARG_API_API_DOOR_H

#include "api/api_visit.h"

#define API_PREFIX "/api/v1/"

/* Takes every request below API_PREFIX. `local`: it came over the socket of the data folder, from a
 * user who may be the admin. */
void api_door_request(ApiSite *site, WebConn *conn, const WebRequest *request, bool local);
/* Takes the head of a request whose body is a file; false for all others. */
bool api_door_head(ApiSite *site, WebConn *conn, const WebRequest *head, bool local);
/* How long a body may be, of a request to the API. */
size_t api_door_body_bytes(const WebRequest *head);

/* Goes on with a visit that was kept, and frees it: ApiSite.go_on. */
void api_door_go_on(ApiVisit *take_visit);

#endif
