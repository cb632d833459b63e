/* api_events.h - what happens in a contest, told to pages that stay open: an event stream each.
 *
 * For:    GET contests/C/events; the server looks each second.
 * Memory: an ApiEvents owns its streams. Free it before the web servers whose connections it has.
 * Thread: the loop's.
 * Source: docs/contest-api.md; WHATWG HTML, "Server-sent events".
 *
 *     event: state     data: {"state":"OPEN","paused":false}
 *     event: round     data: {"games":4100}
 *     event: notice    data: {"id":"12"}     of the contest's announcements
 *
 * Each stream begins with the first two as they are.
 */
#ifndef WARG_API_API_EVENTS_H
#define WARG_API_API_EVENTS_H

#include "api/api_visit.h"

#define API_STREAMS_MAX  1000 /* at once; more get 503 */
#define API_STREAMS_EACH 50   /* of an address */

ApiEvents *api_events_new(void);               /* NULL without memory */
ApiEvents *api_events_free(ApiEvents *events); /* takes NULL, returns NULL */

/* Tells what is new; a comment now and then, so that proxies keep them. */
int api_events_look(ApiEvents *events, Db *db, TimeUs now, Err *err);

unsigned api_events_count(const ApiEvents *events);

#endif
