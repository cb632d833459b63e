/* site.h - everything below /web/ of one server: pages, files, documents; who asks for what.
 *
 * For:    `warg web`, and the servers of serve/, which hand requests on.
 * Memory: a WebSite owns its catalogue and what it has built; what the setup points to is borrowed.
 * Thread: the loop's; documents are built by a worker.
 * Source: docs/spec/web.md 3, 5, 11.
 */
#ifndef WARG_WEB_SITE_H
#define WARG_WEB_SITE_H

#include "net/web.h"

typedef struct WebSite WebSite;

/* A request below /web/ that is being answered. */
typedef struct WebVisit {
    WebSite *site;
    WebConn *conn;
    const WebRequest *request;
    Str parts[3];     /* of the path: what its stars stand for */
    bool is_operator; /* who asks has shown the operator's secret */
    bool loopback;    /* asks from this machine, by no proxy */
} WebVisit;

/* True when the path is `/web` or below and the request was taken. */
bool web_site_request(WebSite *site, WebConn *conn, const WebRequest *request);

#endif
