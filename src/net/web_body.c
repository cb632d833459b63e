/* Bodies that go to a sink: docs/spec/contest-operations.md 13.3. */
#include "net/uv_web.h"

void web_end_body(WebConn *conn, WebBodyEnd how)
{
    WebHttp *http = conn->http;

    conn->state = WEB_ANSWERING;
    http->cut = how != WEB_BODY_WHOLE;
    link_drop(&http->waiting);
    http->sink.done(http->sink.user, conn, how, http->came);
}

void web_body_to(WebConn *conn, const WebSink *sink, uint64_t limit)
{
    WebHttp *http = conn->http;

    if (conn->state != WEB_ANSWERING)
        return;
    if (http1_state(http->http1) == HTTP1_REQUEST) { /* it has none: nothing will come */
        sink->done(sink->user, conn, WEB_BODY_WHOLE, 0);
        return;
    }
    if (http1_state(http->http1) != HTTP1_HEAD)
        return;
    uint64_t length = http1_body_length(http->http1);
    http->sink = *sink;
    http->limit = limit;
    http->came = 0;
    http->sink_busy = false;
    http->told_long = length != UINT64_MAX && length > limit;
    conn->state = WEB_BODY;
    if (!http->told_long)
        http1_go_on(http->http1, true);
    web_wait_for_body(conn);
    web_go_on(conn);
}

void web_body_go_on(WebConn *conn)
{
    if (conn->state != WEB_BODY || !conn->http->sink_busy)
        return;
    conn->http->sink_busy = false;
    web_go_on(conn);
}

void web_body_stop(WebConn *conn)
{
    if (conn->state != WEB_BODY)
        return;
    conn->state = WEB_ANSWERING;
    conn->http->cut = true;
    link_drop(&conn->http->waiting);
    web_go_on(conn);
}

/* Hands on what has come. False: it ended the body, or is busy. */
static bool hand_piece(WebConn *conn)
{
    WebHttp *http = conn->http;
    Str piece = http1_piece(http->http1);

    if (!piece.len)
        return true;
    if (piece.len > http->limit - http->came) {
        web_end_body(conn, WEB_BODY_LONG);
        return false;
    }
    http->came += piece.len;
    http->sink_busy = !http->sink.piece(http->sink.user, piece);
    http->sink_waited |= http->sink_busy;
    if (conn->state != WEB_BODY)
        return false;
    http1_take_piece(http->http1);
    return !http->sink_busy;
}

bool web_read_body(WebConn *conn)
{
    WebHttp *http = conn->http;

    if (http->told_long) {
        web_end_body(conn, WEB_BODY_LONG);
        return true;
    }
    if (!http->sink_busy && hand_piece(conn)) {
        switch (http1_state(http->http1)) {
        case HTTP1_REQUEST:
            web_end_body(conn, WEB_BODY_WHOLE);
            return true;
        case HTTP1_BAD:
            web_end_body(conn, WEB_BODY_BAD);
            return true;
        case HTTP1_IDLE:
        case HTTP1_BEGUN:
        case HTTP1_HEAD:
        default:
            if (http1_take_continue(http->http1))
                web_send_bytes(conn, STR("HTTP/1.1 100 Continue\r\n\r\n"));
            conn_resume(conn->conn);
            return false;
        }
    }
    if (conn->state == WEB_BODY)
        conn_pause(conn->conn);
    return conn->state != WEB_BODY;
}
