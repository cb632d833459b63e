/* api_server.h - the server of a contest site: its API and pages on a loop, with its store.
 *
 * For:    `warg contest serve` (src/cli/contest_serve.c).
 * Memory: an ApiServer owns store, ports and all that was opened; the setup is borrowed for its
 *         life.
 * Thread: the loop's; passwords are hashed by workers.
 * Source: docs/spec/contest-operations.md 13, 16.1.
 *
 * One thread has the store and writes. What takes long goes to workers or into the spool, or is cut
 * into pieces, one a turn of the loop.
 */
#ifndef WARG_API_API_SERVER_H
#define WARG_API_API_SERVER_H

#include "api/api_site.h"
#include "net/tls.h"

typedef struct ApiServer ApiServer;

typedef struct ApiServerSetup {
    ApiSettings settings;
    const char *store;                    /* place for site_store_open */
    const char *host;                     /* "" = every address */
    uint16_t port;                        /* 0 = a free one */
    TlsServer *tls;                       /* may be NULL */
    TimeUs body_time;                     /* WebLimits.body_time; 0 = 30 s */
    const char *mail_command, *mail_from; /* "" = no mail is sent */
    const char *hook_url, *hook_secret;   /* of the organisers' webhook; "" = none */
    bool any_hook;      /* webhooks of teams may lead to addresses that are not public */
    DateOf *date_of;    /* the date of a time of the loop, for pages of games */
    const char *assets; /* a folder with the pages' files; NULL = those in the program */
    /* A line for the log; may be NULL. */
    void (*note)(void *user, Str line);
    void *user;
} ApiServerSetup;

/* Opens the store, the port and data/admin.sock. Errors: those of site_store_open, web_listen,
 * assets_open; ERR_MEMORY. */
int api_server_open(Loop *loop, const ApiServerSetup *setup, ApiServer **ret_server, Err *err);
uint16_t api_server_port(const ApiServer *server);
/* No further connections; those that are open are answered. */
void api_server_stop(ApiServer *server);
/* Who waits for an answer gets none. Takes NULL, returns NULL. */
ApiServer *api_server_free(ApiServer *server);
void api_server_freep(ApiServer **server);

/* Its store and what the API works with; for who runs beside it. */
ApiSite *api_server_site(ApiServer *server);

#endif
