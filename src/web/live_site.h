/* live_site.h - live tables on a site: their routes, what home says of them, their sink.
 *
 * For:    servers that play games and have pages (serve/).
 * Memory: a LiveSite owns tables and feed. Free it before the web servers with its sockets, behind
 *         all that tells its sink; its site first.
 * Thread: the loop's.
 * Source: docs/spec/web.md 5.
 */
#ifndef WARG_WEB_LIVE_SITE_H
#define WARG_WEB_LIVE_SITE_H

#include "web/feed_web.h"
#include "web/site.h"

typedef struct LiveSite LiveSite;

typedef struct LiveSiteSetup {
    Loop *loop;
    LiveNames names;
    TimeUs delay;
    uint32_t readers; /* at most; 0 = FEED_READERS_MAX */
    bool closed;      /* as in FeedSetup */
    DateOf *date_of;
    /* Of the feed, but for `is_operator` and `wrong`, which are the site's; the first unless it is
     * set. `hooks.home` adds to what home is over HTTP, too. */
    FeedHooks hooks;
    void (*opened)(void *user, FeedReader *reader, const WebRequest *request);
    bool (*sits)(void *user, const WebRequest *request, Str game, SeatNo seat);
    /* Whether this secret, which is no operator's, opens all views; may be NULL. */
    bool (*sees_all)(void *sees_all_user, Str secret, TimeUs now);
    void *sees_all_user;
    void *user;
} LiveSiteSetup;

/* Errors: ERR_MEMORY. */
int live_site_open(const LiveSiteSetup *setup, LiveSite **ret_live, Err *err);
/* Nobody reads any more; no connection is touched. Games may be told still. */
void live_site_close(LiveSite *live);
LiveSite *live_site_free(LiveSite *live); /* takes NULL */

/* Gives a site its routes: below /web/api/. Of one site. */
void live_site_join(LiveSite *live, WebSite *site);

/* What tells of games; valid as long as the LiveSite. */
const LiveSink *live_site_sink(const LiveSite *live);
FeedWeb *live_site_feed(const LiveSite *live); /* NULL: closed */

#endif
