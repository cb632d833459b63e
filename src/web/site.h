/* site.h - everything below /web/ of one server: pages, files, documents; who asks for what.
 *
 * For:    `warg web`, and the servers of serve/, which hand requests on.
 * Memory: a WebSite owns its catalogue, its workers and what it has built; what the setup points to
 *         is borrowed. Free it before the web server whose requests it has, and before the loop.
 * Thread: the loop's; documents are built by workers.
 * Source: docs/spec/web.md 3, 5, 11.
 *
 * A piece of its own (live tables, rooms, contest pages) gives a table of routes.
 */
#ifndef WARG_WEB_SITE_H
#define WARG_WEB_SITE_H

#include "base/json.h"
#include "base/time_us.h"
#include "llm/prices.h"
#include "net/loop.h"
#include "web/catalogue.h"
#include "web/doc_shelf.h"
#include "web/visit.h"

typedef struct WebSiteSetup {
    Loop *loop;
    CatalogueSetup paths;    /* what is served; may be none */
    const char *assets;      /* a folder with the pages' files; NULL = those in the program */
    const char *host;        /* where it listens, as it was given */
    const Str *public_hosts; /* other names of this server, as behind a proxy */
    uint32_t public_host_count;
    Str operator_token;      /* empty = nobody is an operator */
    Str embed;               /* an origin whose pages may hold ours in a frame; empty = none */
    const LlmPrices *prices; /* of models; NULL = costs are not told */
    bool names_hidden;       /* who played is told to operators alone */
    bool closed; /* games and what came of them are for who may see all (WebLive.sees_all) */
    /* Who sat where in a game, too: the contest goes on, and agents keep their seats in it. */
    bool seats_hidden;
    DateOf *date_of;
    TimeUs now; /* when it is opened */
    /* A line for people. */
    void (*note)(void *user, Str line);
    void *user;
} WebSiteSetup;

/* What is known of games that run here. All functions may be NULL. */
typedef struct WebLive {
    /* The document of a game that runs, or ended a short time ago: true when it was answered. */
    bool (*doc)(void *user, const WebVisit *visit, Str id);
    /* Whether everybody may see all of this game only later. */
    bool (*knows)(void *user, Str id);
    /* Whether this secret, which is no operator's, opens all views. */
    bool (*sees_all)(void *user, Str secret, TimeUs now);
    /* Adds keys to what home is: "live", "rooms". */
    void (*home)(void *user, const WebVisit *visit, Json *json);
    TimeUs delay; /* so much later everybody but operators is told */
    void *user;
} WebLive;

/* Looks through all paths before it returns. Errors: those of catalogue_check, assets_open,
 * work_open; ERR_USAGE for a name or an origin that is none; ERR_MEMORY. */
int web_site_open(const WebSiteSetup *setup, WebSite **ret_site, Err *err);
/* Who waits for a document gets no answer. Takes NULL, returns NULL. */
WebSite *web_site_free(WebSite *site);

/* Before the first request. The table and what `live` points to are borrowed. */
void web_site_add_routes(WebSite *site, const WebRoute *routes, size_t count, void *user);
void web_site_set_live(WebSite *site, const WebLive *live);

/* A game has ended, whose log is in the folders: who asks for lists then has it in them. */
void web_site_game_over(WebSite *site);
/* Whether this game is over, its log is here, and who asks may know of it. */
bool web_site_keeps(const WebSite *site, bool sees_all, Str id, TimeUs now);

/* True when the path is `/`, `/web` or below, and the request was taken. */
bool web_site_request(WebSite *site, WebConn *conn, const WebRequest *request);
/* For WebEvents.body_bytes: how long a body may be. 0 for paths that are none of ours. */
size_t web_site_body_bytes(WebSite *site, const WebRequest *head);

/* For routes of others: what is served, now, until the next request; its workers; the rest. */
SharedCatalogue *web_site_catalogue(const WebSite *site);
Work *web_site_work(const WebSite *site);
const DocShelf *web_site_shelf(const WebSite *site);
bool web_site_names_hidden(const WebSite *site);
int64_t web_site_date_ms(const WebSite *site, TimeUs at);
/* Whether this is the operator's secret. */
bool web_site_is_operator(const WebSite *site, Str secret);
/* An address has shown a secret that is none: it is counted, each once, and false when there were
 * too many. */
bool web_site_may_try(WebSite *site, Str address, Str secret, TimeUs now);

#endif
