/* api_page.h - the pages of a contest site: a shell that loads site.js, and the files it needs.
 *
 * For:    the server (api_server.c).
 * Memory: borrows the assets.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 13.1 (a policy without code inside of pages),
 *         docs/spec/web.md 11.3.
 */
#ifndef WARG_API_API_PAGE_H
#define WARG_API_API_PAGE_H

#include "net/web.h"
#include "web/assets.h"

/* Answers a path that is none of the API's: a file of the pages, or the shell of a page; 404 with
 * the shell for what can be no page, 405 for what is no GET. */
void api_page_answer(const Assets *assets, WebConn *conn, const WebRequest *request);

/* Whether a path is one that a page of the site may have. Pure. */
bool api_page_is(Str path);

#endif
