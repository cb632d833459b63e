#include "web/live_site.h"

#include "base/mem.h"

struct LiveSite {
    LiveSiteSetup setup;
    LiveTables *tables;
    LiveSink sink;
    FeedWeb *web;
    WebSite *site;
    WebLive live;
};

/* ---- routes ---- */

static void on_feed(void *user, const WebVisit *visit)
{
    const LiveSite *live = user;

    if (live->web)
        feed_web_socket(live->web, visit);
    else
        visit_error(visit, 503, "busy", "The server is about to end.");
}

static void on_stream(void *user, const WebVisit *visit)
{
    const LiveSite *live = user;

    if (live->web)
        feed_web_stream(live->web, visit, visit->parts[0]);
    else
        visit_error(visit, 503, "busy", "The server is about to end.");
}

static const WebRoute routes[] = {
    {"api/feed", "GET", VISIT_ALL, on_feed},
    {"api/games/*/feed", "GET", VISIT_ALL, on_stream},
};

/* ---- what the site asks ---- */

static bool answer_doc(void *user, const WebVisit *visit, Str id)
{
    const LiveSite *live = user;

    return live->web && feed_web_doc(live->web, visit, id);
}

/* Its log must not be told of. */
static bool knows_game(void *user, Str id)
{
    const LiveSite *live = user;

    return live_tables_withholds(live->tables, id);
}

static bool sees_all(void *user, Str secret, TimeUs now)
{
    const LiveSite *live = user;

    return live->setup.sees_all && live->setup.sees_all(live->setup.sees_all_user, secret, now);
}

static void put_home(void *user, const WebVisit *visit, Json *json)
{
    const LiveSite *live = user;
    const FeedHooks *hooks = &live->setup.hooks;

    json_key(json, STR("live"));
    live_tables_put(live->tables, visit->sees_all, json);
    if (hooks->home)
        hooks->home(hooks->user, visit->is_operator, json);
}

/* ---- what the feed asks ---- */

static bool is_operator(void *user, Str secret, TimeUs now)
{
    const LiveSite *live = user;
    const FeedHooks *hooks = &live->setup.hooks;

    if (hooks->is_operator && hooks->is_operator(hooks->user, secret, now))
        return true;
    return (live->site && web_site_is_operator(live->site, secret)) || sees_all(user, secret, now);
}

static bool wrong_secret(void *user, Str address, Str secret, TimeUs now)
{
    const LiveSite *live = user;

    return !live->site || web_site_may_try(live->site, address, secret, now);
}

static bool has_seat(void *user, const FeedReader *reader, Str game, SeatNo seat)
{
    const LiveSite *live = user;
    const FeedHooks *hooks = &live->setup.hooks;

    return hooks->sits && hooks->sits(hooks->user, reader, game, seat);
}

static bool hear_message(void *user, FeedReader *reader, Str type, const json_t *message,
                         TimeUs now)
{
    const LiveSite *live = user;
    const FeedHooks *hooks = &live->setup.hooks;

    return hooks->heard && hooks->heard(hooks->user, reader, type, message, now);
}

static void reader_left(void *user, const FeedReader *reader)
{
    const LiveSite *live = user;
    const FeedHooks *hooks = &live->setup.hooks;

    if (hooks->left)
        hooks->left(hooks->user, reader);
}

static void add_home(void *user, bool is_operator_too, Json *json)
{
    const LiveSite *live = user;
    const FeedHooks *hooks = &live->setup.hooks;

    if (hooks->home)
        hooks->home(hooks->user, is_operator_too, json);
}

static bool keeps_game(void *user, Str game, bool is_operator_too, TimeUs now)
{
    const LiveSite *live = user;

    return live->site && web_site_keeps(live->site, is_operator_too, game, now);
}

static void one_is_over(void *user)
{
    const LiveSite *live = user;

    if (live->site)
        web_site_game_over(live->site);
}

/* ---- life ---- */

static int open_parts(LiveSite *live, Err *err)
{
    const LiveSiteSetup *setup = &live->setup;
    int rc = live_tables_new(
        &(LiveTablesSetup){
            .names = setup->names, .delay = setup->delay, .over = one_is_over, .over_user = live},
        &live->tables, err);

    if (rc)
        return rc;
    live->sink = live_tables_sink(live->tables);
    return feed_web_new(setup->loop,
                        &(FeedWebSetup){.tables = live->tables,
                                        .hooks = {.is_operator = is_operator,
                                                  .wrong = wrong_secret,
                                                  .sits = has_seat,
                                                  .heard = hear_message,
                                                  .left = reader_left,
                                                  .home = add_home,
                                                  .keeps = keeps_game,
                                                  .user = live},
                                        .opened = setup->opened,
                                        .sits = setup->sits,
                                        .readers = setup->readers,
                                        .closed = setup->closed,
                                        .date_of = setup->date_of,
                                        .user = setup->user},
                        &live->web, err);
}

int live_site_open(const LiveSiteSetup *setup, LiveSite **ret_live, Err *err)
{
    LiveSite *live = mem_new(sizeof(*live));

    if (!live)
        return err_set(err, ERR_MEMORY, "live tables: out of memory");
    live->setup = *setup;
    int rc = open_parts(live, err);
    if (rc) {
        live_site_free(live);
        return rc;
    }
    *ret_live = live;
    return 0;
}

void live_site_close(LiveSite *live)
{
    live->web = feed_web_free(live->web);
}

LiveSite *live_site_free(LiveSite *live)
{
    if (!live)
        return NULL;
    feed_web_free(live->web);
    live_tables_free(live->tables);
    return mem_free(live);
}

void live_site_join(LiveSite *live, WebSite *site)
{
    live->site = site;
    live->live = (WebLive){.doc = answer_doc,
                           .knows = knows_game,
                           .sees_all = sees_all,
                           .home = put_home,
                           .delay = live->setup.delay,
                           .user = live};
    web_site_add_routes(site, routes, sizeof(routes) / sizeof(routes[0]), live);
    web_site_set_live(site, &live->live);
}

const LiveSink *live_site_sink(const LiveSite *live)
{
    return &live->sink;
}

FeedWeb *live_site_feed(const LiveSite *live)
{
    return live->web;
}
