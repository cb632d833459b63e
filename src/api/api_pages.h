/* api_pages.h - the pages of games below /web/, for contests that are published.
 *
 * For:    api_server.c.
 * Memory: an ApiPages owns the site of pages that it has open.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 16.4, docs/spec/web.md.
 *
 * While a contest goes on its games are had by the API alone, which knows whose they are; others'
 * output and timing are told only when it is published, and these pages tell both.
 */
#ifndef WARG_API_API_PAGES_H
#define WARG_API_API_PAGES_H

#include "api/api_site.h"
#include "net/web.h"

typedef struct ApiPages ApiPages;

typedef struct ApiPagesSetup {
    Loop *loop;
    const ApiSettings *settings;
    const char *assets; /* as in ApiServerSetup */
    const char *host;   /* where the server listens */
    DateOf *date_of;
} ApiPagesSetup;

/* The setup is copied, its texts are borrowed. NULL without memory. */
ApiPages *api_pages_new(const ApiPagesSetup *setup);
ApiPages *api_pages_free(ApiPages *pages); /* takes NULL, returns NULL */

/* Which contests are published by now; what has changed is opened. Errors: those of the store and
 * of web_site_open. */
int api_pages_look(ApiPages *pages, Db *db, TimeUs now, Err *err);

/* True when it was a request below /web/ and there are such pages. */
bool api_pages_request(ApiPages *pages, WebConn *conn, const WebRequest *request);

#endif
