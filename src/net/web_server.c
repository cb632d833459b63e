/* A web server: its port, its connections' deadlines, its end. What a connection does is in web.c.
 */
#include "net/uv_web.h"

#include "base/mem.h"
#include "net/unix_socket.h"

const WebLimits web_default_limits = {
    .head_bytes = 16384,
    .body_bytes = 65536,
    .message_bytes = 65536,
    .queued_bytes = 4 << 20,
    .head_time = 30000000,
    .idle_time = 75000000,
    .body_time = 30000000,
    .body_least = 30 * 1024,
    .connections = 10000,
    .room_bytes = (size_t)64 << 20,
    .room_each = (size_t)16 << 20,
    .large_bodies = 4,
};

/* ---- deadlines ---- */

/* The connection that waits longest in a list, or NULL. */
static WebHttp *first_of(ListLink *list)
{
    return link_alone(list) ? NULL : HOLDER(list->next, WebHttp, waiting);
}

/* A body of which too little came in its span of time ends, unless its sink was busy. */
static void watch_bodies(WebServer *server, TimeUs now)
{
    WebHttp *http;

    while ((http = first_of(&server->bodies)) && http->deadline <= now) {
        if (http->sink_waited || http->came - http->counted >= server->limits.body_least) {
            web_wait_for_body(http->conn);
        } else {
            web_end_slow_body(http->conn);
        }
    }
    if (http)
        timer_at(server->timer, http->deadline, true);
}

static void on_timer(void *user, TimeUs now)
{
    WebServer *server = user;
    ListLink *lists[] = {&server->begun, &server->idle};

    for (size_t i = 0; i < 2; i++) {
        WebHttp *http;
        while ((http = first_of(lists[i])) && http->deadline <= now) {
            WebConn *conn = http->conn;
            if (http1_state(http->http1) == HTTP1_BEGUN)
                web_refuse(conn, 408);
            else
                web_drop(conn, false);
        }
        if (http)
            timer_at(server->timer, http->deadline, true);
    }
    watch_bodies(server, now);
}

/* ---- the port ---- */

static void on_accepted(void *user, Conn *tcp, const char *peer, TimeUs now)
{
    (void)now;
    web_accept(user, tcp, peer);
}

/* A server that has no port yet. */
static int new_server(Loop *loop, const WebSetup *setup, WebServer **ret_server, Err *err)
{
    const WebLimits *limits = setup->limits ? setup->limits : &web_default_limits;
    WebServer *server = mem_new(sizeof(*server));

    if (!server)
        return err_set(err, ERR_MEMORY, "web server: out of memory");
    *server = (WebServer){
        .loop = loop,
        .tls = setup->tls,
        .limits = *limits,
        .headers = setup->headers,
        .header_count = setup->header_count,
        .events = *setup->events,
        .user = setup->user,
    };
    link_init(&server->conns);
    link_init(&server->begun);
    link_init(&server->idle);
    link_init(&server->bodies);
    link_init(&server->held);
    link_init(&server->roomless);
    server->room = (WebRoom){.all = limits->room_bytes, .each = limits->room_each};
    int code = timer_new(loop, on_timer, server, &server->timer, err);
    if (code) {
        web_server_done(server);
        return code;
    }
    *ret_server = server;
    return 0;
}

int web_open(Loop *loop, const WebSetup *setup, WebServer **ret_server, Err *err)
{
    return new_server(loop, setup, ret_server, err);
}

static int open_listener(Loop *loop, const WebSetup *setup, WebServer *server, Err *err)
{
    int socket = -1;

    if (!setup->unix_socket)
        return tcp_listen(loop, setup->host[0] ? setup->host : NULL, setup->port, on_accepted,
                          server, &server->listener, err);
    int rc = unix_listen(setup->unix_socket, &socket, err);
    return rc ? rc : tcp_listen_on(loop, socket, on_accepted, server, &server->listener, err);
}

int web_listen(Loop *loop, const WebSetup *setup, WebServer **ret_server, Err *err)
{
    WebServer *server;
    int code = new_server(loop, setup, &server, err);

    if (code)
        return code;
    code = open_listener(loop, setup, server, err);
    if (code) {
        web_server_done(server);
        return code;
    }
    listener_set_limit(server->listener, server->limits.connections);
    server->port = listener_port(server->listener);
    *ret_server = server;
    return 0;
}

bool web_peer_user(const WebConn *conn, uint32_t *ret_user)
{
    return conn->conn && unix_peer_user(conn_descriptor(conn->conn), ret_user);
}

void web_set_gate(WebServer *server, const WebGate *gate)
{
    server->gate = gate;
}

uint16_t web_port(const WebServer *server)
{
    return server->port;
}

uint32_t web_open_count(const WebServer *server)
{
    return server->open_count + server->away_count;
}

size_t web_waiting_bytes(const WebServer *server)
{
    return server->room.used;
}

void web_stop_listening(WebServer *server)
{
    server->listener = listener_close(server->listener);
}

WebServer *web_free(WebServer *server)
{
    if (!server || server->freed)
        return NULL;
    web_stop_listening(server);
    server->freed = true;
    server->busy++;
    while (!link_alone(&server->conns))
        web_drop(HOLDER(server->conns.next, WebConn, link), false);
    if (--server->busy == 0)
        web_server_done(server);
    return NULL;
}
