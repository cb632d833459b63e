/* Answers whose length nobody knows yet: pieces of their owner, each as the peer takes the last. */
#include "net/uv_web.h"

/* RFC 9112 7.1; "" is the last one. Peers of HTTP/1.0 get bytes until the connection ends. */
static void add_chunk(const WebHttp *http, Str piece, Buf *out)
{
    if (!http->is_chunked) {
        buf_add(out, piece);
        return;
    }
    buf_printf(out, "%zx\r\n", piece.len);
    buf_add(out, piece);
    buf_add(out, STR("\r\n"));
}

void web_end_source(WebConn *conn)
{
    WebHttp *http = conn->http;
    WebSource source = http->source;

    http->source = (WebSource){0};
    if (source.gone)
        source.gone(source.user);
}

/* False when there is no room, or it can't go on. */
static bool send_piece(WebConn *conn)
{
    WebHttp *http = conn->http;
    CLEANUP(buf_done) Buf piece = {0};
    CLEANUP(buf_done) Buf chunk = {0};

    if (!web_take_room(conn, WEB_BLOCK_BYTES)) {
        link_drop(&http->roomless);
        link_add(&conn->server->roomless, &http->roomless);
        return false;
    }
    const bool good = http->source.next(http->source.user, &piece, loop_now());
    add_chunk(http, buf_str(&piece), &chunk);
    if (!good || buf_failed(&piece) || buf_failed(&chunk)) {
        web_drop(conn, false); /* without the last chunk the peer can't take it for whole */
        return false;
    }
    web_send_bytes(conn, buf_str(&chunk));
    web_hold_room(conn);
    if (!piece.len)
        web_end_source(conn);
    return true;
}

bool web_send_source(WebConn *conn)
{
    if (!conn->conn || conn->no_memory || conn_queued(conn->conn))
        return false;
    if (!send_piece(conn))
        return false;
    if (!conn->http->source.next)
        return true;
    if (!conn_queued(conn->conn)) /* others have their turn: a piece may cost some milliseconds */
        loop_soon(conn->server->loop, &conn->soon);
    return false;
}

void web_reply_source(WebConn *conn, const WebSource *source, const WebAnswer *given)
{
    WebHttp *http = conn->http;

    if (conn->state != WEB_ANSWERING) {
        source->gone(source->user);
        return;
    }
    WebAnswer answer = *given;
    const bool is_chunked = http1_takes_chunks(http->http1);
    const bool keeps_alive = is_chunked && http1_keeps_alive(http->http1) && !http->cut;
    answer.status = 200;
    web_make_head(conn, &answer, HTTP1_LENGTH_OPEN, keeps_alive,
                  is_chunked ? "Transfer-Encoding: chunked\r\n" : NULL);
    web_send_out(conn);
    conn->state = WEB_ANSWERED;
    http->closes = !keeps_alive;
    http->is_chunked = is_chunked;
    http->source = *source;
    if (http1_is_head(http->http1))
        web_end_source(conn);
    web_go_on(conn);
}
