/* WebSockets of the web server. */
#include "net/uv_web.h"

/* With so much waiting for a peer that does not read, its pings are not answered: they would fill
 * the queue. A pong for the last of them is enough (RFC 6455 5.5.3). */
#define PONGS_BYTES_MAX 65536

void web_socket_take(WebConn *conn, Str bytes, TimeUs at)
{
    Buf *out = &conn->server->out;

    websocket_feed(conn->socket, bytes);
    while (conn->state == WEB_SOCKET) {
        Str message;

        buf_clear(out);
        WebSocketEvent event = websocket_next(conn->socket, &message, out);
        bool just_pongs = event == WEBSOCKET_MORE || event == WEBSOCKET_MESSAGE;
        if (buf_failed(out) || (out->len && !(just_pongs && web_queued(conn) > PONGS_BYTES_MAX)))
            web_send_out(conn);
        switch (event) {
        case WEBSOCKET_MESSAGE:
            web_hold(conn->server);
            web_ears(conn)->message(conn->user, message, at);
            web_release(conn->server);
            break;
        case WEBSOCKET_CLOSED:
            web_fail(conn, WEB_CLOSED, websocket_code(conn->socket), true);
            return;
        case WEBSOCKET_BROKEN:
            web_fail(conn, WEB_PROTOCOL, WEBSOCKET_ABNORMAL, true);
            return;
        case WEBSOCKET_NO_MEMORY:
            web_fail(conn, WEB_NO_MEMORY, WEBSOCKET_ABNORMAL, false);
            return;
        case WEBSOCKET_MORE:
        default:
            return;
        }
    }
}

void web_send(WebConn *conn, Str text)
{
    if (conn->state != WEB_SOCKET)
        return;
    websocket_send(conn->socket, text, web_sending(conn));
    web_sent(conn);
}

void web_ping(WebConn *conn)
{
    if (conn->state != WEB_SOCKET)
        return;
    websocket_ping(conn->socket, web_sending(conn));
    web_sent(conn);
}

void web_close(WebConn *conn, uint16_t code, const char *reason)
{
    if (conn->state != WEB_SOCKET)
        return;
    websocket_close(conn->socket, code, str_of(reason), web_sending(conn));
    web_sent(conn);
    /* Our side is shut behind the close frame; the peer's frames are thrown away until it has shut
     * its own, which it does when it has answered ours (RFC 6455 7.1.1), or the second is over. */
    web_drop(conn, true);
}

void web_limit_messages(WebConn *conn, size_t bytes)
{
    if (conn->socket)
        websocket_limit(conn->socket, bytes);
}

size_t web_queued(const WebConn *conn)
{
    return conn->conn ? conn_queued(conn->conn) : 0;
}

TimeUs web_stuck_since(const WebConn *conn)
{
    return web_queued(conn) ? conn->stuck_since : TIME_US_NEVER;
}
