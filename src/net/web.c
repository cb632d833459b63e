/* Connections of a web server: from the first byte to the hand-over.
 *
 *   READING --a head--> ANSWERING --web_body_to--> BODY --all of it--> ANSWERING
 *   READING --a whole request--> ANSWERING --web_reply--> ANSWERED --taken by the kernel--> READING
 *                                    |  \--web_upgrade------> SOCKET
 *                                    \-----web_stream_begin-> STREAM
 *
 * READING:   in one of the server's two lists of deadlines.
 * ANSWERING: nothing is read, so that a peer that goes on sending waits; the owner may take as long
 *            as it likes. A peer that leaves is noticed later.
 * BODY:      web_body.c; in a third list of deadlines.
 * ANSWERED:  the next request is looked at only when the answer is out: a peer that asks and never
 *            reads holds one answer.
 */
#include "net/uv_web.h"

#include "base/mem.h"
#include "net/unix_socket.h"

#include <assert.h>
#include <unistd.h>

#define BLOCKS_AT_ONCE   16    /* of a file, before others have their turn */
#define REQUESTS_AT_ONCE 16    /* that came in one piece; so too */
#define KEPT_BYTES       65536 /* a larger buffer is given back after use */

/* Takes it off the lists of deadlines. */
static void stop_waiting(WebConn *conn)
{
    WebServer *server = conn->server;

    link_drop(&conn->http->waiting);
    /* A timer that is set would keep the loop running. */
    if (link_alone(&server->begun) && link_alone(&server->idle) && link_alone(&server->bodies))
        timer_stop(server->timer);
}

/* ---- room ---- */

static void set_room(WebConn *conn, size_t bytes)
{
    WebServer *server = conn->server;
    WebHttp *http = conn->http;

    if (http->room <= bytes)
        return;
    web_room_give(&server->room, web_room_address(http->peer), http->room - bytes);
    http->room = bytes;
    while (!link_alone(&server->roomless)) {
        WebHttp *next = HOLDER(server->roomless.next, WebHttp, roomless);
        link_drop(&next->roomless);
        loop_soon(server->loop, &next->conn->soon);
    }
}

bool web_take_room(WebConn *conn, size_t bytes)
{
    WebHttp *http = conn->http;

    if (!web_room_take(&conn->server->room, web_room_address(http->peer), bytes))
        return false;
    http->room += bytes;
    return true;
}

void web_hold_room(WebConn *conn)
{
    if (conn->http)
        set_room(conn, conn->conn ? conn_queued(conn->conn) : 0);
}

/* ---- large bodies ---- */

static void give_large_body(WebConn *conn)
{
    if (conn->http && conn->http->is_large) {
        conn->http->is_large = false;
        conn->server->large_count--;
    }
}

/* Of the request whose head has come. */
static size_t limit_body(void *user, const WebRequest *head)
{
    WebConn *conn = user;
    WebServer *server = conn->server;
    WebRequest request = *head;

    if (!server->events.body_bytes)
        return server->limits.body_bytes;
    request.peer = conn->http->peer;
    request.now = loop_now();
    size_t bytes = server->events.body_bytes(server->user, &request);
    if (bytes <= server->limits.body_bytes)
        return server->limits.body_bytes;
    if (server->large_count >= server->limits.large_bodies)
        return 0;
    conn->http->is_large = true;
    server->large_count++;
    return bytes;
}

/* ---- memory ---- */

static void free_http(WebConn *conn)
{
    if (!conn->http)
        return;
    http1_free(conn->http->http1);
    if (conn->http->file >= 0)
        close(conn->http->file);
    conn->http = mem_free(conn->http);
}

void web_server_done(WebServer *server)
{
    timer_free(server->timer);
    web_room_done(&server->room);
    buf_done(&server->out);
    buf_done(&server->cipher);
    buf_done(&server->plain);
    mem_free(server);
}

void web_enter(WebConn *conn)
{
    conn->busy++;
    conn->server->busy++;
}

void web_leave(WebConn *conn)
{
    WebServer *server = conn->server;

    conn->busy--;
    if (conn->state == WEB_GONE && !conn->busy) {
        free_http(conn);
        websocket_free(conn->socket);
        buf_done(&conn->held);
        tls_free(conn->tls);
        mem_free(conn);
    }
    if (--server->busy == 0 && server->freed)
        web_server_done(server);
}

static void keep_small(Buf *buf)
{
    if (buf->room > KEPT_BYTES || buf->failed)
        buf_done(buf);
    buf_clear(buf);
}

/* ---- sending ---- */

void web_out_of_memory(WebConn *conn)
{
    conn->no_memory = true;
    if (conn->state != WEB_GONE)
        loop_soon(conn->server->loop, &conn->soon);
}

void web_send_bytes(WebConn *conn, Str bytes)
{
    Buf *cipher = &conn->server->cipher;

    if (!conn->conn || !bytes.len)
        return;
    if (conn->tls) {
        buf_clear(cipher);
        if (tls_send(conn->tls, bytes, cipher, NULL) || buf_failed(cipher))
            web_out_of_memory(conn);
        bytes = buf_str(cipher);
    }
    if (!conn_queued(conn->conn))
        conn->stuck_since = TIME_US_NEVER;
    conn_send(conn->conn, bytes);
    if (conn->stuck_since == TIME_US_NEVER && conn_queued(conn->conn))
        conn->stuck_since = loop_now();
    if (conn->tls)
        keep_small(cipher);
}

void web_hold(WebServer *server)
{
    server->holding++;
}

void web_release(WebServer *server)
{
    if (--server->holding > 0)
        return;
    while (!link_alone(&server->held))
        web_send_held(HOLDER(server->held.next, WebConn, holding));
}

void web_send_held(WebConn *conn)
{
    CLEANUP(buf_done) Buf bytes = conn->held;

    conn->held = (Buf){0};
    link_drop(&conn->holding);
    if (buf_failed(&bytes))
        web_out_of_memory(conn);
    else
        web_send_bytes(conn, buf_str(&bytes));
}

Buf *web_sending(WebConn *conn)
{
    WebServer *server = conn->server;

    if (!server->holding) {
        buf_clear(&server->out);
        return &server->out;
    }
    if (link_alone(&conn->holding))
        link_add(&server->held, &conn->holding);
    return &conn->held;
}

void web_sent(WebConn *conn)
{
    if (!conn->server->holding)
        web_send_out(conn);
    else if (conn->held.len > KEPT_BYTES)
        web_send_held(conn);
}

void web_send_out(WebConn *conn)
{
    Buf *out = &conn->server->out;

    if (buf_failed(out))
        web_out_of_memory(conn);
    else
        web_send_bytes(conn, buf_str(out));
    keep_small(out);
}

/* ---- deadlines ---- */

/* The list's entries are in order of their deadlines, because each waits equally long. */
static void wait_in(WebConn *conn, bool idle)
{
    WebServer *server = conn->server;
    TimeUs time = idle ? server->limits.idle_time : server->limits.head_time;

    stop_waiting(conn);
    conn->http->is_idle = idle;
    conn->http->deadline = loop_now() + time;
    link_add(idle ? &server->idle : &server->begun, &conn->http->waiting);
    timer_at(server->timer, conn->http->deadline, true);
}

void web_wait_for_body(WebConn *conn)
{
    WebServer *server = conn->server;
    WebHttp *http = conn->http;

    stop_waiting(conn);
    http->counted = http->came;
    http->sink_waited = http->sink_busy;
    http->deadline = loop_now() + server->limits.body_time;
    link_add(&server->bodies, &http->waiting);
    timer_at(server->timer, http->deadline, true);
}

/* ---- the end ---- */

void web_drop(WebConn *conn, bool gently)
{
    WebServer *server = conn->server;

    if (conn->state == WEB_GONE)
        return;
    web_enter(conn);
    bool in_body = conn->state == WEB_BODY;
    if (gently && !link_alone(&conn->holding))
        web_send_held(conn);
    link_drop(&conn->holding);
    if (conn->tls && conn->conn) {
        buf_clear(&server->cipher);
        tls_end(conn->tls, &server->cipher);
        conn_send(conn->conn, buf_str(&server->cipher));
    }
    conn->conn = gently ? conn_finish(conn->conn) : conn_close(conn->conn);
    conn->state = WEB_GONE;
    if (conn->http) {
        stop_waiting(conn);
        link_drop(&conn->http->roomless);
        set_room(conn, 0);
        give_large_body(conn);
        web_end_source(conn);
    }
    link_drop(&conn->soon.link);
    link_drop(&conn->link);
    server->open_count--;
    if (in_body && conn->http)
        conn->http->sink.done(conn->http->sink.user, NULL, WEB_BODY_BROKEN, conn->http->came);
    web_leave(conn);
}

const WebEvents *web_ears(const WebConn *conn)
{
    return conn->events ? conn->events : &conn->server->events;
}

void web_heard_by(WebConn *conn, const WebEvents *events)
{
    conn->events = events;
}

void web_fail(WebConn *conn, WebEnd how, uint16_t code, bool gently)
{
    bool told = conn->state == WEB_SOCKET || conn->state == WEB_STREAM;

    if (conn->state == WEB_ANSWERING) { /* the owner holds it: when it has answered */
        conn->conn = conn_close(conn->conn);
        return;
    }
    web_enter(conn);
    web_drop(conn, gently);
    if (told)
        web_ears(conn)->closed(conn->user, how, code, loop_now());
    web_leave(conn);
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    WebConn *conn = user;
    WebEnd end = WEB_BROKEN;

    (void)partial;
    (void)now;
    if (how == CONN_STUCK)
        end = WEB_STUCK;
    else if (how == CONN_NO_MEMORY)
        end = WEB_NO_MEMORY;
    else if (how == CONN_CLOSED && conn->state == WEB_STREAM)
        end = WEB_CLOSED;
    conn->conn = NULL;
    web_fail(conn, end, WEBSOCKET_ABNORMAL, false);
}

/* ---- requests ---- */

/* Whether the request may come in; else it is answered. */
static bool gate_passes(WebConn *conn, const WebRequest *request)
{
    WebServer *server = conn->server;
    WebGateSays says = server->gate ? web_gate_judge(server->gate, request) : WEB_GATE_PASS;
    CLEANUP(buf_done) Buf why = {0};

    if (says == WEB_GATE_PASS)
        return true;
    web_gate_explain(server->gate, says, request, &why);
    if (server->events.refused)
        server->events.refused(server->user, request->peer, buf_str(&why), request->now);
    if (says == WEB_GATE_UNREAD)
        return true;
    buf_add_char(&why, '\n');
    web_reply(conn, says == WEB_GATE_HOST ? 421 : 403, "text/plain; charset=utf-8", buf_str(&why));
    return false;
}

/* Of what has come of a request. */
static WebRequest request_of(WebConn *conn)
{
    WebRequest request;

    http1_request(conn->http->http1, &request);
    request.peer = conn->http->peer;
    request.now = loop_now();
    return request;
}

/* A head whose body has not been read: the owner takes it, or waits for the whole request. */
static void hand_head(WebConn *conn)
{
    WebServer *server = conn->server;
    WebRequest request = request_of(conn);

    conn->state = WEB_ANSWERING;
    conn->http->cut = true;
    stop_waiting(conn);
    if (!gate_passes(conn, &request))
        return;
    if (!str_eq(request.method, STR("OPTIONS"))) {
        web_hold(server);
        bool taken = server->events.head(server->user, conn, &request);
        web_release(server);
        if (taken || conn->state != WEB_ANSWERING)
            return;
    }
    conn->http->cut = false;
    conn->state = WEB_READING;
    http1_go_on(conn->http->http1, false);
    if (http1_state(conn->http->http1) == HTTP1_BEGUN)
        wait_in(conn, false);
    if (conn->conn)
        conn_resume(conn->conn);
}

static void hand_request(WebConn *conn)
{
    WebServer *server = conn->server;
    WebRequest request = request_of(conn);

    conn->state = WEB_ANSWERING;
    stop_waiting(conn);
    if (!gate_passes(conn, &request))
        return;
    if (str_eq(request.method, STR("OPTIONS"))) {
        web_reply(conn, 204, NULL, (Str){"", 0});
    } else {
        web_hold(server);
        server->events.request(server->user, conn, &request);
        web_release(server);
    }
}

/* READING. False when it has to wait for bytes. */
static bool read_request(WebConn *conn)
{
    Http1 *http1 = conn->http->http1;

    switch (http1_state(http1)) {
    case HTTP1_REQUEST:
        hand_request(conn);
        return true;
    case HTTP1_HEAD:
        hand_head(conn);
        return true;
    case HTTP1_BAD:
        web_refuse(conn, http1_status(http1));
        return false;
    case HTTP1_BEGUN:
        if (conn->http->is_idle)
            wait_in(conn, false);
        if (http1_take_continue(http1))
            web_send_bytes(conn, STR("HTTP/1.1 100 Continue\r\n\r\n"));
        return false;
    case HTTP1_IDLE:
    default:
        return false;
    }
}

/* Sends a block of the answer's file. False when there is no room, or the file is not what it was.
 */
static bool send_block(WebConn *conn)
{
    WebHttp *http = conn->http;
    char block[WEB_BLOCK_BYTES];
    size_t want = http->left < sizeof(block) ? http->left : sizeof(block);

    if (!web_take_room(conn, want)) {
        link_drop(&http->roomless);
        link_add(&conn->server->roomless, &http->roomless);
        return false;
    }
    ssize_t n = pread(http->file, block, want, http->at); /* others may have its offset */
    if (n <= 0) { /* cut since: its length was told, so the peer must not take it for whole */
        web_drop(conn, false);
        return false;
    }
    http->at += n;
    http->left -= (size_t)n;
    web_send_bytes(conn, (Str){block, (size_t)n});
    web_hold_room(conn);
    return true;
}

/* As many blocks as the kernel takes. False when it has to wait, or the connection is gone. */
static bool send_file(WebConn *conn)
{
    WebHttp *http = conn->http;

    for (unsigned i = 0; http->left; i++) {
        if (!conn->conn || conn->no_memory || conn_queued(conn->conn))
            return false;
        if (i == BLOCKS_AT_ONCE) { /* others have their turn */
            loop_soon(conn->server->loop, &conn->soon);
            return false;
        }
        if (!send_block(conn))
            return false;
    }
    close(http->file);
    http->file = -1;
    return true;
}

/* ANSWERED. False when the answer is not out yet. */
static bool next_request(WebConn *conn)
{
    wait_in(conn, true);
    web_hold_room(conn);
    if ((conn->http->file >= 0 && !send_file(conn)) ||
        (conn->http->source.next && !web_send_source(conn)) || conn_queued(conn->conn)) {
        if (conn->state != WEB_GONE && conn->conn)
            conn_pause(conn->conn);
        return false; /* on_drained goes on, or who gives room back */
    }
    if (conn->http->closes) {
        web_drop(conn, true);
        return false;
    }
    give_large_body(conn); /* before the next one is read, which may want it */
    http1_next_request(conn->http->http1);
    conn->http->came = 0;
    conn->state = WEB_READING;
    conn_resume(conn->conn);
    return true;
}

/* The owner made it a WebSocket or a stream: HTTP is over. */
static void leave_http_behind(WebConn *conn)
{
    WebHttp *http = conn->http;

    if (!http)
        return;
    give_large_body(conn);
    conn->http = NULL; /* so that it is done once, whatever the owner does */
    conn_resume(conn->conn);
    if (conn->state == WEB_SOCKET)
        web_socket_take(conn, http1_rest(http->http1), loop_now());
    http1_free(http->http1);
    assert(http->file < 0 && !http->room);
    mem_free(http);
}

/* Goes on until something must be waited for. */
static void run_conn(WebConn *conn)
{
    unsigned answered = 0;
    bool more = true;

    while (more) {
        if (conn->no_memory && conn->state != WEB_GONE && conn->state != WEB_ANSWERING) {
            web_fail(conn, WEB_NO_MEMORY, WEBSOCKET_ABNORMAL, false);
            return;
        }
        if (!conn->conn && conn->state != WEB_GONE && conn->state != WEB_ANSWERING) {
            web_fail(conn, WEB_BROKEN, WEBSOCKET_ABNORMAL, false);
            return;
        }
        switch (conn->state) {
        case WEB_READING:
            more = read_request(conn);
            break;
        case WEB_BODY:
            more = web_read_body(conn);
            break;
        case WEB_ANSWERED:
            if (++answered > REQUESTS_AT_ONCE) {
                conn_pause(conn->conn);
                loop_soon(conn->server->loop, &conn->soon);
                return;
            }
            more = next_request(conn);
            break;
        case WEB_ANSWERING:
            if (conn->conn)
                conn_pause(conn->conn);
            return;
        case WEB_SOCKET:
        case WEB_STREAM:
            leave_http_behind(conn);
            return;
        case WEB_GONE:
        default:
            return;
        }
    }
}

static void on_soon(Soon *soon)
{
    WebConn *conn = HOLDER(soon, WebConn, soon);

    web_enter(conn);
    run_conn(conn);
    web_leave(conn);
}

void web_go_on(WebConn *conn)
{
    /* In a callback of its own, `run` is what called the owner and goes on by itself. */
    if (conn->state != WEB_GONE && !conn->busy)
        loop_soon(conn->server->loop, &conn->soon);
}

/* ---- bytes ---- */

static void take_bytes(WebConn *conn, Str bytes, TimeUs at)
{
    if (conn->http) {
        http1_feed(conn->http->http1, bytes);
        run_conn(conn);
    } else if (conn->state == WEB_SOCKET) {
        web_socket_take(conn, bytes, at);
    }
    /* What the reader of a stream sends is of no interest. */
}

static void take_cipher(WebConn *conn, Str bytes, TimeUs at)
{
    WebServer *server = conn->server;
    bool ended = false;

    buf_clear(&server->plain);
    buf_clear(&server->cipher);
    int code = tls_feed(conn->tls, bytes, &server->plain, &server->cipher, &ended, NULL);
    conn_send(conn->conn, buf_str(&server->cipher));
    keep_small(&server->cipher);
    if (server->plain.len)
        take_bytes(conn, buf_str(&server->plain), at);
    keep_small(&server->plain);
    if ((code || ended) && conn->state != WEB_GONE)
        web_fail(conn, ended && conn->state == WEB_STREAM ? WEB_CLOSED : WEB_BROKEN,
                 WEBSOCKET_ABNORMAL, true);
}

static void on_bytes(void *user, Str bytes, TimeUs at)
{
    WebConn *conn = user;

    web_enter(conn);
    if (conn->tls)
        take_cipher(conn, bytes, at);
    else
        take_bytes(conn, bytes, at);
    web_leave(conn);
}

void web_end_slow_body(WebConn *conn)
{
    web_enter(conn);
    web_end_body(conn, WEB_BODY_SLOW);
    run_conn(conn);
    web_leave(conn);
}

static void on_drained(void *user)
{
    WebConn *conn = user;

    web_enter(conn);
    if (conn->state == WEB_ANSWERED)
        run_conn(conn);
    web_leave(conn);
}

static const ConnEvents conn_events = {
    .bytes = on_bytes,
    .ended = on_ended,
    .drained = on_drained,
};

void web_leave_http(WebConn *conn)
{
    ConnLimits limits = {.line_bytes = 0, .queued_bytes = conn->server->limits.queued_bytes};

    stop_waiting(conn);
    if (conn->conn)
        conn_attach(conn->conn, &conn_events, conn, &limits);
    web_go_on(conn);
}

/* ---- a new one ---- */

static WebConn *conn_new(WebServer *server, const char *peer)
{
    WebConn *conn = mem_new(sizeof(*conn));
    WebHttp *http = mem_new(sizeof(*http));
    Http1 *http1 = http1_new(server->limits.head_bytes, server->limits.body_bytes);

    if (!conn || !http || !http1 || (server->tls && tls_accept(server->tls, &conn->tls, NULL))) {
        http1_free(http1);
        mem_free(http);
        return mem_free(conn);
    }
    snprintf(http->peer, sizeof(http->peer), "%s", peer);
    http->http1 = http1;
    http1_limit_body(http1, limit_body, conn);
    if (server->events.head)
        http1_stop_at_heads(http1);
    http->conn = conn;
    link_init(&http->waiting);
    link_init(&http->roomless);
    http->file = -1;
    conn->http = http;
    conn->server = server;
    conn->stuck_since = TIME_US_NEVER;
    conn->soon.run = on_soon;
    link_init(&conn->holding);
    link_init(&conn->soon.link);
    return conn;
}

void web_accept(WebServer *server, Conn *tcp, const char *peer)
{
    /* An answer may be as long as it likes: there is one at a time. */
    static const ConnLimits limits = {.line_bytes = 0, .queued_bytes = SIZE_MAX};
    WebConn *conn = conn_new(server, peer);

    if (!conn) {
        conn_close(tcp);
        return;
    }
    conn->conn = tcp;
    link_add(&server->conns, &conn->link);
    server->open_count++;
    wait_in(conn, false);
    conn_attach(tcp, &conn_events, conn, &limits);
}

/* ---- from one loop to another ---- */

/* Those that are away have a descriptor, too. */
static void count_away(WebServer *server, bool away)
{
    if (!server->port)
        return;
    if (away)
        server->away_count++;
    else
        server->away_count--;
    if (server->listener)
        listener_set_limit(server->listener, server->limits.connections - server->away_count);
}

void web_take(WebConn *conn)
{
    WebServer *server = conn->server;

    assert(conn->state == WEB_SOCKET && !conn->http && !conn->busy);
    if (!link_alone(&conn->holding))
        web_send_held(conn);
    conn->parcel = (ConnParcel){.fd = -1, .failure = CONN_RESET};
    if (conn->conn)
        conn_take(conn->conn, &conn->parcel);
    conn->conn = NULL;
    link_drop(&conn->soon.link);
    link_drop(&conn->link);
    server->open_count--;
    count_away(server, true);
    conn->server = NULL;
}

void web_put(WebServer *server, WebConn *conn)
{
    ConnLimits limits = {.line_bytes = 0, .queued_bytes = server->limits.queued_bytes};

    conn->server = server;
    link_add(&server->conns, &conn->link);
    server->open_count++;
    count_away(server, false);
    conn->conn = conn_put(server->loop, &conn->parcel, server->listener);
    if (conn->conn)
        conn_attach(conn->conn, &conn_events, conn, &limits);
    if (!conn->conn || conn->no_memory)
        web_out_of_memory(conn);
}

void web_forget(WebServer *server)
{
    count_away(server, false);
}
