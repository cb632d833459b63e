#include "api/api_server.h"

#include "api/api_door.h"
#include "api/api_environment.h"
#include "api/api_events.h"
#include "api/api_metrics.h"
#include "api/api_page.h"
#include "api/api_pages.h"
#include "api/api_rules.h"
#include "api/api_turn.h"
#include "api/api_upload.h"
#include "base/key.h"
#include "base/mem.h"
#include "disk/key_file.h"
#include "site/blob.h"
#include "site/disk_state.h"
#include "site/notice_sender.h"
#include "site/site_store.h"
#include "spool/spool_status.h"

#include <unistd.h>

#define CONNECTIONS 4096
#define WORKERS     2 /* passwords at once; as many more for what may take long */
#define TURN_US     ((TimeUs)1000000)
#define SOON_US     ((TimeUs)20000)
#define GLANCE_US   ((TimeUs)100000)
#define LEAP_MS     60000 /* of the date: it was set, or somebody rehearses */

struct ApiServer {
    const ApiServerSetup *setup;
    ApiSite site;
    WebServer *tcp;   /* for everybody */
    WebServer *local; /* for the admin */
    Assets *assets;
    ApiPages *pages;
    WebLimits limits;
    WebHeader headers[3];
    HttpClient *http;
    NoticeSender *sender;
    SpoolWatch watch; /* of the runner, for /ready */
    Timer *turn;      /* each second */
    Timer *glance;    /* whether there is something to do before that */
    int64_t done_ns;  /* spool_done_changed behind the last turn */
    int64_t turn_ms;  /* the date of the last turn */
    bool told_broken; /* that a turn went wrong was said */
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
    } else if (!api_pages_request(server->pages, conn, request)) {
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
    if (server->setup->body_time)
        server->limits.body_time = server->setup->body_time;
    buf_printf(&path, "%s/admin.sock", server->setup->settings.data);
    WebSetup local = setup;
    local.unix_socket = buf_cstr(&path);
    local.tls = NULL;
    int rc = web_listen(loop, &local, &server->local, err); /* first: a second server stops here */
    setup.events = &events;
    return rc == 0 ? web_listen(loop, &setup, &server->tcp, err) : rc;
}

/* ---- each second ---- */

static void note_line(const ApiServer *server, const char *what, const Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "%s: %s", what, err->msg);
    if (server->setup->note)
        server->setup->note(server->setup->user, buf_str(&line));
}

/* Whatever goes wrong is tried again in a second: it is said once. */
static void on_turn(void *user, TimeUs now)
{
    ApiServer *server = user;
    ApiSite *site = &server->site;
    Err err = {0};
    int rc = api_turn(site, now, &err);

    if (api_pages_look(server->pages, site->db, now, &err) && !rc)
        rc = (int)err.code;
    if (notice_sender_tick(server->sender, api_site_now_ms(site), &err) && !rc)
        rc = (int)err.code;
    if (rc && !server->told_broken)
        note_line(server, "contest site", &err);
    server->told_broken = rc != 0;
    server->done_ns = spool_done_changed(site->spool);
    server->turn_ms = api_site_now_ms(site);
    timer_in(server->turn, TURN_US);
}

/* A job that is done is taken over at once, and so is a date that comes all of a sudden: who hands
 * in waits for three jobs, one behind the other. */
static void on_glance(void *user, TimeUs now)
{
    ApiServer *server = user;

    if (spool_done_changed(server->site.spool) != server->done_ns ||
        api_site_now_ms(&server->site) - server->turn_ms > LEAP_MS)
        on_turn(server, now);
    timer_in(server->glance, GLANCE_US);
}

/* Something was changed: what follows from it need not wait for the second to end. */
static void on_changed(void *user)
{
    ApiServer *server = user;

    timer_in(server->turn, SOON_US);
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

/* "contest.example.org" of "https://contest.example.org:8443/x". */
static Str url_host(Str url)
{
    size_t at;

    if (str_find(url, STR("://"), &at))
        url = str_part(url, at + 3, SIZE_MAX);
    Str host = str_cut(&url, '/');
    return host.len && host.bytes[0] == '[' ? host : str_cut(&host, ':');
}

/* What stands beside the store: spool, ledgers, clock. */
static int open_site(ApiServer *server, Err *err)
{
    ApiSite *site = &server->site;
    const ApiSettings *settings = site->settings;
    int rc = blob_sweep(settings->data, err);

    db_pace(site->db, loop_now);
    site->rules = api_rules_new();
    site->events = api_events_new();
    if (rc == 0 && (!site->rules || !site->events))
        rc = err_set(err, ERR_MEMORY, "server: out of memory");
    if (rc == 0)
        rc = spool_open(settings->data, &site->spool, err);
    if (rc == 0)
        rc = site_ledger_open(site->db, settings->data, &site->ledger, err);
    site->disk = (DiskRoom){.data = settings->data,
                            .reserve_bytes = settings->disk_reserve_bytes,
                            .reserve_permil = (uint32_t)settings->disk_reserve_permil};
    if (rc == 0) /* a server that starts anew goes on no sooner */
        rc = disk_state_read(site->db, &site->disk_told, err);
    site->disk.low = site->disk_told;
    const ClockSetup setup = {.db = site->db,
                              .data = settings->data,
                              .folder = settings->folder,
                              .host = url_host(settings->public_url),
                              .listen_host = str_of(server->setup->host),
                              .listen_port = server->setup->port,
                              .cell_require = settings->cell_require,
                              .spool = site->spool,
                              .ledger = site->ledger,
                              .now = loop_now,
                              .room = &site->disk};
    return rc == 0 ? site_clock_new(&setup, &site->clock, err) : rc;
}

static int open_sender(ApiServer *server, Err *err)
{
    const ApiServerSetup *setup = server->setup;
    ApiSite *site = &server->site;
    int rc = http_client_new(site->loop, &server->http, err);
    const NoticeSenderSetup sender = {.db = site->db,
                                      .loop = site->loop,
                                      .http = server->http,
                                      .data = setup->settings.data,
                                      .host = url_host(setup->settings.public_url),
                                      .mail_command =
                                          setup->mail_command ? setup->mail_command : "",
                                      .mail_from = setup->mail_from ? setup->mail_from : "",
                                      .hook_url = setup->hook_url ? setup->hook_url : "",
                                      .hook_secret = setup->hook_secret ? setup->hook_secret : "",
                                      .any_hook = setup->any_hook};

    return rc == 0 ? notice_sender_new(&sender, &server->sender, err) : rc;
}

static int open_pages(ApiServer *server, Err *err)
{
    const ApiPagesSetup setup = {.loop = server->site.loop,
                                 .settings = &server->setup->settings,
                                 .assets = server->setup->assets,
                                 .host = server->setup->host,
                                 .date_of = server->setup->date_of};

    server->pages = api_pages_new(&setup);
    return server->pages ? 0 : err_set(err, ERR_MEMORY, "server: out of memory");
}

/* ---- whether it is fit ---- */

static void add_unfit(void *user, Json *reasons)
{
    ApiServer *server = user;
    const ApiSettings *settings = &server->setup->settings;
    SpoolRunner runner = {0};

    if (spool_runner_look(&server->watch, settings->data, api_site_now_ms(&server->site), &runner,
                          NULL) ||
        !runner.alive)
        json_put_str(reasons, STR("runner"));
    spool_runner_done(&runner);
    if (!api_upload_has_room(&server->site))
        json_put_str(reasons, STR("disk"));
    if (server->told_broken)
        json_put_str(reasons, STR("turn"));
}

static void add_measures(void *user, Buf *lines)
{
    const ApiServer *server = user;
    const NoticeSenderCounts counts = notice_sender_counts(server->sender);

    api_metric(lines, "notices_sent_total", METRIC_COUNTER,
               "Mails and webhooks that have gone since the server started.", counts.sent);
    api_metric(lines, "notices_failed_total", METRIC_COUNTER,
               "Tries to send one that failed since the server started.", counts.failed);
    api_metric(lines, "connections", METRIC_GAUGE, "Connections that are open.",
               web_open_count(server->tcp));
    api_metric(lines, "event_streams", METRIC_GAUGE, "Event streams that are open.",
               api_events_count(server->site.events));
    api_metric(lines, "turn_failing", METRIC_GAUGE,
               "1 while something fails that the server does each second.", server->told_broken);
}

int api_server_open(Loop *loop, const ApiServerSetup *setup, ApiServer **ret_server, Err *err)
{
    CLEANUP(api_server_freep) ApiServer *server = mem_new(sizeof(*server));

    if (!server)
        return err_set(err, ERR_MEMORY, "server: out of memory");
    server->setup = setup;
    server->site = (ApiSite){
        .settings = &setup->settings, .store = setup->store, .loop = loop, .go_on = api_door_go_on};
    int rc = assets_open(setup->assets, &server->assets, err);
    if (rc == 0)
        rc = open_rates(server, err);
    if (rc == 0)
        rc = site_store_open(setup->store, &server->site.db, err);
    if (rc == 0)
        rc = open_site(server, err);
    if (rc == 0)
        rc = open_sender(server, err);
    if (rc == 0)
        rc = api_runtimes_ask(loop, &server->site.runtimes, err);
    if (rc == 0)
        rc = open_pages(server, err);
    if (rc == 0)
        rc = work_open(loop, WORKERS, &server->site.work, err);
    if (rc == 0)
        rc = open_ports(loop, server, err);
    if (rc == 0)
        rc = timer_new(loop, on_turn, server, &server->turn, err);
    if (rc == 0)
        rc = timer_new(loop, on_glance, server, &server->glance, err);
    if (rc == 0) {
        server->site.changed = on_changed;
        server->site.changed_user = server;
        server->site.unfit = add_unfit;
        server->site.measure = add_measures;
        timer_in(server->turn, 0);
        timer_in(server->glance, GLANCE_US);
        *ret_server = TAKE(server);
    }
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
    ApiSite *site = &server->site;
    timer_free(server->turn);
    work_free(site->work); /* visits that it has hold connections */
    api_events_free(site->events);
    api_pages_free(server->pages);
    api_runtimes_free(site->runtimes);
    web_free(server->tcp);
    web_free(server->local);
    notice_sender_free(server->sender);
    http_client_free(server->http);
    site_clock_free(site->clock);
    site_ledger_close(site->ledger, site->db, api_site_now_ms(site), NULL);
    spool_close(site->spool);
    api_rules_free(site->rules);
    api_rates_free(site->rates);
    assets_free(server->assets);
    db_close(site->db);
    return mem_free(server);
}

void api_server_freep(ApiServer **server)
{
    *server = api_server_free(*server);
}
