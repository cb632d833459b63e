#include "api/api_server.h"

#include "api/api_door.h"
#include "api/api_page.h"
#include "base/key.h"
#include "base/mem.h"
#include "disk/key_file.h"
#include "site/site_store.h"

#include <unistd.h>

#define CONNECTIONS 4096
#define WORKERS     2 /* passwords at once */

struct ApiServer {
    const ApiServerSetup *setup;
    ApiSite site;
    WebServer *tcp;   /* for everybody */
    WebServer *local; /* for the admin */
    Assets *assets;
    WebLimits limits;
    WebHeader headers[3];
};

/* ---- requests ---- */

/* The three paths that programs which watch servers expect at the top. */
static bool is_watched(Str path)
{
    return str_eq(path, STR("/health")) || str_eq(path, STR("/ready")) ||
           str_eq(path, STR("/metrics"));
}

static void answer_request(ApiServer *server, WebConn *conn, const WebRequest *request, bool local)
{
    if (str_starts(request->path, STR(API_PREFIX))) {
        api_door_request(&server->site, conn, request, local);
    } else if (is_watched(request->path)) {
        CLEANUP(buf_done) Buf path = {0};
        WebRequest moved = *request;
        buf_printf(&path, API_PREFIX "%.*s", STR_ARG(str_part(request->path, 1, SIZE_MAX)));
        moved.path = buf_str(&path);
        api_door_request(&server->site, conn, &moved, local);
    } else {
        api_page_answer(server->assets, conn, request);
    }
}

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    answer_request(user, conn, request, false);
}

/* Who may be the admin by the socket: the user whom the server runs as, and root. */
static bool is_admin(const WebConn *conn)
{
    uint32_t who;

    return web_peer_user(conn, &who) && (who == (uint32_t)geteuid() || who == 0);
}

static void on_local_request(void *user, WebConn *conn, const WebRequest *request)
{
    answer_request(user, conn, request, is_admin(conn));
}

static bool on_head(void *user, WebConn *conn, const WebRequest *head)
{
    ApiServer *server = user;

    return api_door_head(&server->site, conn, head, false);
}

static bool on_local_head(void *user, WebConn *conn, const WebRequest *head)
{
    ApiServer *server = user;

    return api_door_head(&server->site, conn, head, is_admin(conn));
}

static size_t on_body_bytes(void *user, const WebRequest *head)
{
    (void)user;
    return api_door_body_bytes(head);
}

static void on_message(void *user, Str text, TimeUs at)
{
    (void)user, (void)text, (void)at; /* nothing here is a WebSocket */
}

static void on_closed(void *user, WebEnd how, uint16_t code, TimeUs now)
{
    (void)user, (void)how, (void)code, (void)now;
}

static const WebEvents events = {.request = on_request,
                                 .message = on_message,
                                 .closed = on_closed,
                                 .body_bytes = on_body_bytes,
                                 .head = on_head};
static const WebEvents local_events = {.request = on_local_request,
                                       .message = on_message,
                                       .closed = on_closed,
                                       .body_bytes = on_body_bytes,
                                       .head = on_local_head};

/* ---- opening ---- */

static uint32_t add_headers(ApiServer *server)
{
    uint32_t count = 0;

    server->headers[count++] = (WebHeader){STR("X-Content-Type-Options"), STR("nosniff")};
    server->headers[count++] = (WebHeader){STR("X-Frame-Options"), STR("DENY")};
    if (str_starts(server->setup->settings.public_url, STR("https://")))
        server->headers[count++] =
            (WebHeader){STR("Strict-Transport-Security"), STR("max-age=31536000")};
    return count;
}

static int open_ports(Loop *loop, ApiServer *server, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    WebSetup setup = {.host = server->setup->host,
                      .port = server->setup->port,
                      .tls = server->setup->tls,
                      .limits = &server->limits,
                      .headers = server->headers,
                      .header_count = add_headers(server),
                      .events = &local_events,
                      .user = server};

    server->limits = web_default_limits;
    server->limits.connections = CONNECTIONS;
    buf_printf(&path, "%s/admin.sock", server->setup->settings.data);
    WebSetup local = setup;
    local.unix_socket = buf_cstr(&path);
    local.tls = NULL;
    int rc = web_listen(loop, &local, &server->local, err); /* first: a second server stops here */
    setup.events = &events;
    return rc == 0 ? web_listen(loop, &setup, &server->tcp, err) : rc;
}

static int open_rates(ApiServer *server, Err *err)
{
    Key secret;
    uint64_t number;
    int rc = key_draw(&secret, err);

    if (rc)
        return rc;
    memcpy(&number, secret.bytes, sizeof(number));
    server->site.rates = api_rates_new(server->setup->settings.calls_a_minute, number);
    return server->site.rates ? 0 : err_set(err, ERR_MEMORY, "server: out of memory");
}

int api_server_open(Loop *loop, const ApiServerSetup *setup, ApiServer **ret_server, Err *err)
{
    CLEANUP(api_server_freep) ApiServer *server = mem_new(sizeof(*server));

    if (!server)
        return err_set(err, ERR_MEMORY, "server: out of memory");
    server->setup = setup;
    server->site = (ApiSite){.settings = &setup->settings, .loop = loop, .go_on = api_door_go_on};
    int rc = assets_open(setup->assets, &server->assets, err);
    if (rc == 0)
        rc = open_rates(server, err);
    if (rc == 0)
        rc = site_store_open(setup->store, &server->site.db, err);
    if (rc == 0)
        rc = work_open(loop, WORKERS, &server->site.work, err);
    if (rc == 0)
        rc = open_ports(loop, server, err);
    if (rc == 0)
        *ret_server = TAKE(server);
    return rc;
}

uint16_t api_server_port(const ApiServer *server)
{
    return web_port(server->tcp);
}

ApiSite *api_server_site(ApiServer *server)
{
    return &server->site;
}

void api_server_stop(ApiServer *server)
{
    web_stop_listening(server->tcp);
    web_stop_listening(server->local);
}

ApiServer *api_server_free(ApiServer *server)
{
    if (!server)
        return NULL;
    work_free(server->site.work); /* visits that it has hold connections */
    web_free(server->tcp);
    web_free(server->local);
    api_rates_free(server->site.rates);
    assets_free(server->assets);
    db_close(server->site.db);
    return mem_free(server);
}

void api_server_freep(ApiServer **server)
{
    *server = api_server_free(*server);
}
