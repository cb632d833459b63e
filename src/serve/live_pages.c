#include "serve/live_pages.h"

#include "base/mem.h"
#include "net/own_address.h"
#include "serve/connection_room.h"

struct LivePages {
    LivePagesSetup setup;
    Loop *loop;
    WebServer *server; /* NULL: no port of their own */
    WebSite *site;     /* NULL: not begun */
    LiveSite *live;
    OperatorDesk *desk; /* NULL: nobody acts */
    uint32_t readers;
    WebHeader headers[1];
};

/* ---- requests ---- */

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    const LivePages *pages = user;

    if (pages->desk && operator_desk_request(pages->desk, conn, request))
        return;
    if (!pages->site)
        web_reply(conn, 503, "text/plain; charset=utf-8",
                  STR("the pages are not open yet: come again\n"));
    else if (!web_site_request(pages->site, conn, request))
        web_reply(conn, 404, "text/plain; charset=utf-8",
                  STR("nothing is here; the pages are below /web/\n"));
}

static size_t on_body_bytes(void *user, const WebRequest *head)
{
    const LivePages *pages = user;

    return pages->site ? web_site_body_bytes(pages->site, head) : 0;
}

/* Who upgrades a connection hears it itself. */
static void on_message(void *socket, Str text, TimeUs at)
{
    (void)socket, (void)text, (void)at;
}

static void on_closed(void *socket, WebEnd how, uint16_t code, TimeUs now)
{
    (void)socket, (void)how, (void)code, (void)now;
}

/* ---- life ---- */

/* Where the system allows too few files, fewer may watch: else they keep agents out. */
static uint32_t readers_of(const LivePagesSetup *setup)
{
    uint64_t files = 0;
    const uint32_t wanted = setup->readers ? setup->readers : FEED_READERS_MAX;
    const uint32_t fit = connection_room_lines(wanted + LIVE_PAGES_FILES, &files);

    return fit > 2 * LIVE_PAGES_FILES ? fit - LIVE_PAGES_FILES : LIVE_PAGES_FILES;
}

static int listen_for_pages(LivePages *pages, Err *err)
{
    static const WebEvents events = {.request = on_request,
                                     .message = on_message,
                                     .closed = on_closed,
                                     .body_bytes = on_body_bytes};
    WebLimits limits = web_default_limits;

    limits.connections = pages->readers + LIVE_PAGES_FILES;
    pages->headers[0] = (WebHeader){STR("Server"), STR("warg/" WARG_VERSION)};
    return web_listen(pages->loop,
                      &(WebSetup){.host = pages->setup.host,
                                  .port = pages->setup.port,
                                  .limits = &limits,
                                  .headers = pages->headers,
                                  .header_count = 1,
                                  .events = &events,
                                  .user = pages},
                      &pages->server, err);
}

int live_pages_open(Loop *loop, const LivePagesSetup *setup, LivePages **ret_pages, Err *err)
{
    LivePages *pages = mem_new(sizeof(*pages));

    if (!pages)
        return err_set(err, ERR_MEMORY, "pages: out of memory");
    pages->setup = *setup;
    pages->loop = loop;
    pages->readers = readers_of(setup);
    LiveSiteSetup live = {.loop = loop,
                          .names = setup->who,
                          .delay = setup->delay,
                          .readers = pages->readers,
                          .closed = setup->closed,
                          .date_of = setup->date_of,
                          .sees_all = setup->sees_all,
                          .sees_all_user = setup->user};
    if (setup->rooms) {
        live.hooks = room_web_hooks(setup->rooms);
        live.opened = room_web_opened;
        live.sits = room_web_sits;
        live.user = setup->rooms;
    }
    int rc = setup->host ? listen_for_pages(pages, err) : 0;
    if (rc == 0)
        rc = live_site_open(&live, &pages->live, err);
    if (rc) {
        live_pages_free(pages);
        return rc;
    }
    *ret_pages = pages;
    return 0;
}

int live_pages_begin(LivePages *pages, const char *const *paths, size_t count, TimeUs now, Err *err)
{
    const LivePagesSetup *setup = &pages->setup;
    int rc = web_site_open(
        &(WebSiteSetup){.loop = pages->loop,
                        .paths = {paths, count},
                        .assets = setup->assets,
                        .prices = setup->prices,
                        .host = setup->host ? setup->host : setup->where,
                        .public_hosts = setup->names,
                        .public_host_count = setup->name_count,
                        .operator_token = setup->operator_token,
                        .names_hidden = setup->who == LIVE_NAMES_HIDDEN,
                        .closed = setup->closed,
                        .seats_hidden = setup->seats_stay && setup->who != LIVE_NAMES_SHOWN,
                        .date_of = setup->date_of,
                        .now = now,
                        .note = setup->note,
                        .user = setup->user},
        &pages->site, err);

    if (rc == 0)
        live_site_join(pages->live, pages->site);
    return rc;
}

void live_pages_flush(LivePages *pages, TimeUs now)
{
    if (pages && live_site_feed(pages->live))
        feed_tick(feed_web_feed(live_site_feed(pages->live)), now + FEED_COLLECT_US);
}

void live_pages_close(LivePages *pages)
{
    if (pages)
        live_site_close(pages->live);
}

LivePages *live_pages_free(LivePages *pages)
{
    if (!pages)
        return NULL;
    web_site_free(pages->site);
    live_site_free(pages->live);
    web_free(pages->server);
    return mem_free(pages);
}

void live_pages_set_desk(LivePages *pages, OperatorDesk *desk)
{
    if (pages)
        pages->desk = desk;
}

/* ---- looking ---- */

uint16_t live_pages_port(const LivePages *pages)
{
    return pages->server ? web_port(pages->server) : 0;
}

uint32_t live_pages_files(const LivePages *pages)
{
    return pages ? pages->readers + LIVE_PAGES_FILES : 0;
}

const LiveSink *live_pages_sink(const LivePages *pages)
{
    return pages ? live_site_sink(pages->live) : NULL;
}

WebSite *live_pages_site(const LivePages *pages)
{
    return pages ? pages->site : NULL;
}

LiveSite *live_pages_live(const LivePages *pages)
{
    return pages->live;
}

bool live_pages_delayed(const LivePages *pages)
{
    return pages && pages->setup.delay > 0;
}

bool live_pages_names_hidden(const LivePages *pages)
{
    return pages && pages->setup.who == LIVE_NAMES_HIDDEN;
}

static void write_place(const LivePages *pages, Buf *out)
{
    const bool any = own_address_is_any(pages->setup.host);
    const char *host = any ? "127.0.0.1" : pages->setup.host;
    const bool six = strchr(host, ':') != NULL;

    buf_printf(out, "http://%s%s%s:%u/web/", six ? "[" : "", host, six ? "]" : "",
               web_port(pages->server));
}

void live_pages_write_address(const LivePages *pages, bool token_is_kept, Buf *out)
{
    buf_add(out, STR("pages: "));
    write_place(pages, out);
    if (pages->setup.operator_token.len && !token_is_kept) {
        buf_add(out, STR("; for the operator, who sees all: "));
        write_place(pages, out);
        buf_printf(out, "login#k=%.*s", STR_ARG(pages->setup.operator_token));
    }
    if (pages->setup.who == LIVE_NAMES_SHOWN)
        buf_add(out, STR("; EVERYBODY is told which agent sits where while games run (--names)"));
}
