/* api_upload.h - a file that comes with a request: streamed to disk, named by its digest.
 *
 * For:    handlers of versions and documents (routes with ROUTE_FILE).
 * Memory: an upload holds one piece of the file at a time.
 * Thread: the loop's; what brings the file to disk is a worker.
 * Source: docs/spec/contest-operations.md 5.2, 13.3; O11.
 */
#ifndef WARG_API_API_UPLOAD_H
#define WARG_API_API_UPLOAD_H

#include "api/api_visit.h"

#define API_UPLOADS_EACH 4 /* of a team at once: what comes slowly keeps its place on the disk */

/* Behind the head of the request: takes its body, at most `limit` bytes, and calls `then` with
 * `upload` when it is on disk as a blob. Too long is 413, too slow 408, a disk below its reserve
 * 507; what was broken off leaves nothing. API_LATER, or refused. */
int api_upload_take(ApiVisit *visit, uint64_t limit, ApiHandler *then, Err *err);

/* Removes these files, digests one a line, which nobody needs, behind the commit. While another
 * upload gets its name they stay, for it may be one of them. */
void api_upload_drop(const ApiVisit *visit, Str digests);

/* What was taken and then refused: no file is left that nobody has. */
void api_upload_refused(const ApiVisit *visit);

/* Whether a file that came whole gets its name now: it may have no row yet. */
bool api_upload_is_ending(const ApiSite *site);

/* Whether the disk has more left than its reserve. */
bool api_upload_has_room(const ApiSite *site);

#endif
