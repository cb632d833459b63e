#include "serve/web_door.h"

#include "base/mem.h"
#include "serve/operator_token.h"

#include <inttypes.h>
#include <signal.h>

struct WebDoor {
    WebDoorSetup setup;
    WebSite *site;
    WebServer *server;
    WebHeader headers[1];
};

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    WebDoor *door = user;

    if (!web_site_request(door->site, conn, request))
        web_reply(conn, 404, "text/plain; charset=utf-8",
                  STR("nothing is here; the pages are below /web/\n"));
}

static size_t on_body_bytes(void *user, const WebRequest *head)
{
    WebDoor *door = user;

    return web_site_body_bytes(door->site, head);
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

static int listen_for_pages(WebDoor *door, Err *err)
{
    static const WebEvents events = {.request = on_request,
                                     .message = on_message,
                                     .closed = on_closed,
                                     .body_bytes = on_body_bytes};

    door->headers[0] = (WebHeader){STR("Server"), STR("warg/" WARG_VERSION)};
    const WebSetup setup = {.host = door->setup.site.host,
                            .port = door->setup.port,
                            .headers = door->headers,
                            .header_count = 1,
                            .events = &events,
                            .user = door};
    return web_listen(door->setup.site.loop, &setup, &door->server, err);
}

int web_door_open(const WebDoorSetup *setup, WebDoor **ret_door, Err *err)
{
    WebDoor *door = mem_new(sizeof(*door));

    if (!door)
        return err_set(err, ERR_MEMORY, "pages: out of memory");
    door->setup = *setup;
    /* The port first: who can't have it need not look through folders. */
    int rc = listen_for_pages(door, err);
    if (rc == 0)
        rc = web_site_open(&setup->site, &door->site, err);
    if (rc) {
        web_door_free(door);
        return rc;
    }
    *ret_door = door;
    return 0;
}

WebDoor *web_door_free(WebDoor *door)
{
    if (!door)
        return NULL;
    web_site_free(door->site);
    web_free(door->server);
    return mem_free(door);
}

WebSite *web_door_site(const WebDoor *door)
{
    return door->site;
}

void web_door_write_address(const WebDoor *door, Buf *out)
{
    const char *host = door->setup.site.host;
    bool six = strchr(host, ':') != NULL;

    buf_printf(out, "http://%s%s%s:%u/web/", six ? "[" : "", host[0] ? host : "localhost",
               six ? "]" : "", web_port(door->server));
}

void web_door_write_words(const WebDoor *door, bool terminal, bool token_is_kept, Buf *out)
{
    uint64_t left_out = catalogue_left_out(web_site_catalogue(door->site)->catalogue);

    buf_add(out, STR("pages: "));
    web_door_write_address(door, out);
    if (terminal) {
        buf_add(out, STR("\noperator: "));
        web_door_write_address(door, out);
        buf_printf(out, "login#k=%.*s", STR_ARG(door->setup.site.operator_token));
    } else if (!token_is_kept) {
        buf_add(out, STR("\noperator: --operator-file FILE keeps the secret in a file"));
    }
    buf_add_char(out, '\n');
    if (left_out)
        buf_printf(out, "%" PRIu64 " games are left out: there are too many\n", left_out);
}

static void on_signal(void *user, int signal_number, TimeUs now)
{
    WebDoor *door = user;

    (void)signal_number, (void)now;
    loop_stop(door->setup.site.loop);
}

int web_door_run(WebDoor *door, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    Loop *loop = door->setup.site.loop;

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        int rc = loop_signal(loop, signals[i], on_signal, door, err);
        if (rc)
            return rc;
    }
    loop_run(loop);
    loop_signal_off(loop, door);
    return 0;
}

static int run_said(WebDoor *door, Err *err)
{
    CLEANUP(buf_done) Buf words = {0};
    const WebDoorSetup *setup = &door->setup;

    web_door_write_words(door, setup->terminal, setup->operator_file != NULL, &words);
    if (buf_failed(&words))
        return err_set(err, ERR_MEMORY, "pages: out of memory");
    setup->words(setup->site.user, buf_str(&words));
    return web_door_run(door, err);
}

int web_door_serve(const WebDoorSetup *setup, TimeUs now, Err *err)
{
    CLEANUP(buf_done) Buf token = {0};
    CLEANUP(loop_freep) Loop *loop = NULL;
    WebDoorSetup own = *setup;
    WebDoor *door = NULL;
    int rc = operator_token(setup->operator_file, &token, err);

    if (rc == 0)
        rc = loop_new(&loop, err);
    if (rc)
        return rc;
    own.site.loop = loop;
    own.site.operator_token = buf_str(&token);
    own.site.now = now;
    rc = web_door_open(&own, &door, err);
    if (rc == 0)
        rc = run_said(door, err);
    web_door_free(door);
    return rc;
}
