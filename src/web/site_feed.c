#include "web/site_feed.h"

static void on_socket(void *user, const WebVisit *visit)
{
    feed_web_socket(user, visit->conn, visit->request, visit->is_operator);
}

static void on_stream(void *user, const WebVisit *visit)
{
    feed_web_stream(user, visit->conn, visit->request, visit->parts[0], visit->is_operator);
}

static const WebRoute feed_routes[] = {
    {"api/feed", "GET", VISIT_ALL, on_socket},
    {"api/games/*/feed", "GET", VISIT_ALL, on_stream},
};

static bool answer_live_doc(void *user, const WebVisit *visit, Str id)
{
    return feed_web_doc(user, visit->conn, visit->request, id, visit->is_operator);
}

static bool live_is_known(void *user, Str id)
{
    return live_tables_withholds(feed_web_tables(user), id);
}

static void put_live_tables(void *user, const WebVisit *visit, Json *json)
{
    json_key(json, STR("live"));
    live_tables_put(feed_web_tables(user), visit->is_operator, json);
}

WebLive site_feed_live(FeedWeb *feed)
{
    return (WebLive){
        .doc = answer_live_doc, .knows = live_is_known, .home = put_live_tables, .user = feed};
}

void site_feed_use(WebSite *site, FeedWeb *feed)
{
    const WebLive live = site_feed_live(feed);

    web_site_add_routes(site, feed_routes, sizeof(feed_routes) / sizeof(feed_routes[0]), feed);
    web_site_set_live(site, &live);
}
