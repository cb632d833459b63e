/* site_feed.h - games that run, on a site: their documents, their feed, the list of them.
 *
 * For:    servers that play.
 * Memory: both are borrowed; free the site before the feed.
 * Thread: the loop's.
 * Source: docs/spec/web.md 5.
 */
#ifndef WARG_WEB_SITE_FEED_H
#define WARG_WEB_SITE_FEED_H

#include "web/feed_web.h"
#include "web/site.h"

/* Before the first request. What runs is asked first, and is in no list of what is over; "live" of
 * home are its tables. web_site_set_live afterwards replaces that. */
void site_feed_use(WebSite *site, FeedWeb *feed);

/* The functions of that, for who adds to them. */
WebLive site_feed_live(FeedWeb *feed);

#endif
