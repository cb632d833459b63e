/* web_client.h - a WebSocket connection to a server: ws:// and wss://.
 *
 * For:    `warg bot nlp`, benches, tests.
 * Memory: a WebClient is freed by web_client_free, before its loop is; it is closed then. An open
 *         one costs about 5 KiB without TLS.
 * Thread: the loop's.
 * Source: RFC 6455 4.1, 5.3; docs/spec/nlp-division.md 1.2, 1.3.
 */
#ifndef WARG_NET_WEB_CLIENT_H
#define WARG_NET_WEB_CLIENT_H

#include "net/web.h"

typedef struct WebClient WebClient;

typedef struct WebClientEvents {
    void (*opened)(void *user);
    void (*message)(void *user, Str text, TimeUs at);
    /* At most once: refused (`status` is the HTTP status, 0 = no connection), or ended later. The
     * client may be freed in it. `why` says it for people. */
    void (*ended)(void *user, unsigned status, uint16_t code, Str why);
} WebClientEvents;

/* Connects to `url`; `token` (may be NULL) goes into the Authorization header.
 * Errors: ERR_USAGE for a URL that is none, ERR_IO when the host has no address. */
int web_client_open(Loop *loop, const char *url, const char *token, const WebClientEvents *events,
                    void *user, WebClient **ret_client, Err *err);
/* The same for wss:// with certificates that many clients share; borrowed for the client's life.
 * web_client_open reads the system's certificates anew for each. */
int web_client_open_trusting(Loop *loop, const char *url, const char *token, TlsTrust *trust,
                             const WebClientEvents *events, void *user, WebClient **ret_client,
                             Err *err);
/* One text message, when it is open. Never calls back. */
void web_client_send(WebClient *client, Str text);
/* Closes with code and reason; what is queued is sent first. No event comes any more. */
void web_client_close(WebClient *client, uint16_t code, const char *reason);
WebClient *web_client_free(WebClient *client); /* takes NULL, returns NULL */

#endif
