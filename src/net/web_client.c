/*   CONNECTING --opened--> ASKING --101--> OPEN --web_client_close, or the peer--> GONE
 *       |                    |                                                  ^
 *       +--------------------+--------------------------------------------------+
 *
 * GONE: `ended` was called, or is not wanted any more.
 */
#include "net/web_client.h"

#include "base/mem.h"
#include "net/tcp.h"
#include "net/uv_loop.h"
#include "net/websocket.h"

#define MESSAGE_BYTES ((size_t)64 << 20)
#define QUEUED_BYTES  ((size_t)64 << 20)
#define OPEN_TIME     30000000 /* from connecting to the server's answer */

typedef enum ClientState { ASKING, OPEN, GONE } ClientState;

/* What is needed only until the connection is a WebSocket. */
typedef struct Handshake {
    char key[WEBSOCKET_KEY_BYTES];
    Buf request;
    Buf answer; /* what came of it */
    Timer *limit;
} Handshake;

struct WebClient {
    Soon soon; /* reports no_memory */
    Loop *loop;
    Conn *conn;
    TlsTrust *own_trust; /* or NULL */
    Tls *tls;            /* or NULL */
    Handshake *handshake;
    WebSocket *socket;
    WebClientEvents events;
    void *user;
    unsigned busy; /* callbacks that run */
    ClientState state;
    bool freed; /* web_client_free was called */
};

/* ---- memory ---- */

static void handshake_done(WebClient *client)
{
    if (!client->handshake)
        return;
    buf_done(&client->handshake->request);
    buf_done(&client->handshake->answer);
    timer_free(client->handshake->limit);
    client->handshake = mem_free(client->handshake);
}

static void leave_server(WebClient *client)
{
    if (--client->busy || !client->freed)
        return;
    handshake_done(client);
    websocket_free(client->socket);
    tls_free(client->tls);
    tls_trust_free(client->own_trust);
    mem_free(client);
}

/* Closes without a word to the owner. */
static void drop_conn(WebClient *client, bool gently)
{
    CLEANUP(buf_done) Buf out = {0};

    if (client->state == GONE)
        return;
    client->state = GONE;
    if (client->handshake)
        client->handshake->limit = timer_free(client->handshake->limit);
    link_drop(&client->soon.link);
    if (client->conn && client->tls) {
        tls_end(client->tls, &out);
        conn_send(client->conn, buf_str(&out));
    }
    client->conn = gently ? conn_finish(client->conn) : conn_close(client->conn);
}

static void end_client(WebClient *client, unsigned status, uint16_t code, const char *why,
                       bool gently)
{
    if (client->state == GONE)
        return;
    client->busy++;
    drop_conn(client, gently);
    if (client->events.ended)
        client->events.ended(client->user, status, code, str_of(why));
    leave_server(client);
}

/* ---- sending ---- */

static void on_soon(Soon *soon)
{
    end_client(HOLDER(soon, WebClient, soon), 0, WEBSOCKET_ABNORMAL, "out of memory", false);
}

static void send_bytes(WebClient *client, Str bytes)
{
    CLEANUP(buf_done) Buf cipher = {0};

    if (client->tls) {
        if (tls_send(client->tls, bytes, &cipher, NULL) || buf_failed(&cipher))
            loop_soon(client->loop, &client->soon);
        bytes = buf_str(&cipher);
    }
    if (client->conn)
        conn_send(client->conn, bytes);
}

static void send_out(WebClient *client, const Buf *out)
{
    if (buf_failed(out))
        loop_soon(client->loop, &client->soon);
    else if (out->len)
        send_bytes(client, buf_str(out));
}

void web_client_send(WebClient *client, Str text)
{
    CLEANUP(buf_done) Buf out = {0};

    if (client->state != OPEN)
        return;
    websocket_send(client->socket, text, &out);
    send_out(client, &out);
}

void web_client_close(WebClient *client, uint16_t code, const char *reason)
{
    CLEANUP(buf_done) Buf out = {0};

    if (client->state == OPEN) {
        websocket_close(client->socket, code, str_of(reason), &out);
        send_out(client, &out);
    }
    drop_conn(client, client->state == OPEN);
}

/* ---- receiving ---- */

static void take_frames(WebClient *client, Str bytes, TimeUs at)
{
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf why = {0};

    websocket_feed(client->socket, bytes);
    while (client->state == OPEN) {
        Str message;

        buf_clear(&out);
        WebSocketEvent event = websocket_next(client->socket, &message, &out);
        send_out(client, &out);
        switch (event) {
        case WEBSOCKET_MESSAGE:
            client->events.message(client->user, message, at);
            break;
        case WEBSOCKET_CLOSED:
            buf_printf(&why, "closed by the server, code %u", websocket_code(client->socket));
            if (websocket_reason(client->socket).len)
                buf_printf(&why, ": %.*s", STR_ARG(websocket_reason(client->socket)));
            end_client(client, 101, websocket_code(client->socket), buf_cstr(&why), true);
            return;
        case WEBSOCKET_BROKEN:
            buf_printf(&why, "the server breaks the protocol: %.*s",
                       STR_ARG(websocket_reason(client->socket)));
            end_client(client, 101, WEBSOCKET_ABNORMAL, buf_cstr(&why), true);
            return;
        case WEBSOCKET_NO_MEMORY:
            end_client(client, 101, WEBSOCKET_ABNORMAL, "out of memory", false);
            return;
        case WEBSOCKET_MORE:
        default:
            return;
        }
    }
}

static void take_answer(WebClient *client, Str bytes, TimeUs at)
{
    Buf *answer = &client->handshake->answer;
    size_t used = 0;
    unsigned status = 0;
    Err err = {0};

    buf_add(answer, bytes);
    if (buf_failed(answer)) {
        end_client(client, 0, WEBSOCKET_ABNORMAL, "out of memory", false);
        return;
    }
    int code = websocket_answer(buf_str(answer), client->handshake->key, &used, &status, &err);
    if (code < 0)
        end_client(client, status, WEBSOCKET_ABNORMAL, err.msg, false);
    if (code <= 0)
        return;

    CLEANUP(buf_done) Buf rest = *answer; /* the server may have said something already */
    *answer = (Buf){0};
    handshake_done(client);
    client->socket = websocket_new(true, MESSAGE_BYTES);
    if (!client->socket) {
        end_client(client, 0, WEBSOCKET_ABNORMAL, "out of memory", false);
        return;
    }
    client->state = OPEN;
    if (client->events.opened)
        client->events.opened(client->user);
    if (client->state == OPEN)
        take_frames(client, str_part(buf_str(&rest), used, SIZE_MAX), at);
}

static void take_bytes(WebClient *client, Str bytes, TimeUs at)
{
    if (client->state == ASKING)
        take_answer(client, bytes, at);
    else if (client->state == OPEN)
        take_frames(client, bytes, at);
}

static void take_cipher(WebClient *client, Str bytes, TimeUs at)
{
    CLEANUP(buf_done) Buf plain = {0};
    CLEANUP(buf_done) Buf out = {0};
    bool ended = false;
    Err err = {0};
    int code = tls_feed(client->tls, bytes, &plain, &out, &ended, &err);

    conn_send(client->conn, buf_str(&out));
    if (plain.len)
        take_bytes(client, buf_str(&plain), at);
    if (code)
        end_client(client, 0, WEBSOCKET_ABNORMAL, err.msg, true);
    else if (ended)
        end_client(client, client->state == OPEN ? 101 : 0, WEBSOCKET_ABNORMAL,
                   "the server ended the connection", true);
}

static void on_bytes(void *user, Str bytes, TimeUs at)
{
    WebClient *client = user;

    client->busy++;
    if (client->tls)
        take_cipher(client, bytes, at);
    else
        take_bytes(client, bytes, at);
    leave_server(client);
}

static void on_opened(void *user, TimeUs now)
{
    WebClient *client = user;

    (void)now;
    send_bytes(client, buf_str(&client->handshake->request));
    buf_done(&client->handshake->request);
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    WebClient *client = user;
    bool was_open = client->state == OPEN;
    const char *why = was_open ? "the connection broke off" : "no connection";

    (void)partial;
    (void)now;
    if (how == CONN_CLOSED)
        why = was_open ? "the server ended the connection without a close frame"
                       : "the server ended the connection without an answer";
    else if (how == CONN_STUCK)
        why = "the server does not read";
    else if (how == CONN_NO_MEMORY)
        why = "out of memory";
    client->conn = NULL;
    end_client(client, was_open ? 101 : 0, WEBSOCKET_ABNORMAL, why, false);
}

/* ---- opening ---- */

static void on_limit(void *user, TimeUs now)
{
    (void)now;
    end_client(user, 0, WEBSOCKET_ABNORMAL, "the server does not answer", false);
}

static int make_handshake(WebClient *client, const WebSocketUrl *url, const char *token, Err *err)
{
    Handshake *handshake = client->handshake = mem_new(sizeof(*client->handshake));

    if (!handshake)
        return err_set(err, ERR_MEMORY, "connect to %s: out of memory", url->host);
    for (const char *c = token ? token : ""; *c; c++) {
        if ((unsigned char)*c <= ' ' || *c == 0x7F)
            return err_set(err, ERR_USAGE, "the token has a blank or control character in it");
    }
    int code = websocket_key(handshake->key, err);
    if (!code)
        code = timer_new(client->loop, on_limit, client, &handshake->limit, err);
    if (code)
        return code;
    timer_at(handshake->limit, loop_now() + OPEN_TIME, false);
    websocket_ask(url, handshake->key, token, &handshake->request);
    return buf_failed(&handshake->request)
               ? err_set(err, ERR_MEMORY, "connect to %s: out of memory", url->host)
               : 0;
}

static int open_client(WebClient *client, const char *url, const char *token, TlsTrust *trust,
                       Err *err)
{
    static const ConnEvents events = {
        .opened = on_opened,
        .bytes = on_bytes,
        .ended = on_ended,
    };
    static const ConnLimits limits = {.line_bytes = 0, .queued_bytes = QUEUED_BYTES};
    WebSocketUrl to;

    int code = websocket_url(url, &to, err);
    if (!code)
        code = make_handshake(client, &to, token, err);
    if (!code && to.tls && !trust) {
        code = tls_trust_new(NULL, &client->own_trust, err);
        trust = client->own_trust;
    }
    if (!code && to.tls)
        code = tls_connect(trust, to.host, &client->tls, err);
    if (!code)
        code = tcp_connect(client->loop, to.host, to.port, &events, client, &limits, &client->conn,
                           err);
    return code;
}

int web_client_open_trusting(Loop *loop, const char *url, const char *token, TlsTrust *trust,
                             const WebClientEvents *events, void *user, WebClient **ret_client,
                             Err *err)
{
    WebClient *client = mem_new(sizeof(*client));

    if (!client)
        return err_set(err, ERR_MEMORY, "connect to '%s': out of memory", url);
    client->loop = loop;
    client->events = *events;
    client->user = user;
    client->soon.run = on_soon;
    link_init(&client->soon.link);
    int code = open_client(client, url, token, trust, err);
    if (code) {
        web_client_free(client);
        return code;
    }
    *ret_client = client;
    return 0;
}

int web_client_open(Loop *loop, const char *url, const char *token, const WebClientEvents *events,
                    void *user, WebClient **ret_client, Err *err)
{
    return web_client_open_trusting(loop, url, token, NULL, events, user, ret_client, err);
}

WebClient *web_client_free(WebClient *client)
{
    if (!client || client->freed)
        return NULL;
    client->busy++;
    web_client_close(client, WEBSOCKET_NORMAL, "");
    client->freed = true;
    leave_server(client);
    return NULL;
}
