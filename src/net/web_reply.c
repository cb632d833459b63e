/* Answers of the web server, and event streams. */
#include "net/uv_web.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Where there is no room, or no descriptor, for an answer. */
#define RETRY        "Retry-After: 2\r\n"
#define JOINED_BYTES 16384 /* a body up to here is sent in one write with its head */

static Str no_text(void)
{
    return (Str){"", 0};
}

/* For pages of origins that the gate lets read; never with credentials: there are no cookies here,
 * and a page that has a token sends it itself. */
static void add_cors(const WebConn *conn, Buf *lines)
{
    const WebGate *gate = conn->server->gate;
    WebRequest request;

    if (!gate || !gate->origin_count || !conn->http ||
        http1_state(conn->http->http1) != HTTP1_REQUEST)
        return;
    buf_add(lines, STR("Vary: Origin\r\n"));
    http1_request(conn->http->http1, &request);
    Str origin = web_header(&request, "Origin");
    if (web_gate_shares(gate, origin))
        buf_printf(lines,
                   "Access-Control-Allow-Origin: %.*s\r\n"
                   "Access-Control-Allow-Headers: Content-Type, Authorization, "
                   "Ngrok-Skip-Browser-Warning\r\n"
                   "Access-Control-Allow-Methods: GET, HEAD, OPTIONS\r\n",
                   STR_ARG(origin));
}

/* A value with a line end would be a header of its own. */
static bool value_is_a_line(Str value)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.bytes[i];
        if (c < ' ' || c == 0x7f)
            return false;
    }
    return true;
}

static void add_headers(const WebAnswer *answer, Buf *lines)
{
    for (uint32_t i = 0; i < answer->header_count; i++) {
        const WebHeader *header = &answer->headers[i];
        if (value_is_a_line(header->value))
            buf_printf(lines, "%.*s: %.*s\r\n", STR_ARG(header->name), STR_ARG(header->value));
    }
    if (answer->etag.len)
        buf_printf(lines, "ETag: %.*s\r\n", STR_ARG(answer->etag));
}

void web_make_head(WebConn *conn, const WebAnswer *answer, size_t length, bool keeps_alive,
                   const char *more)
{
    CLEANUP(buf_done) Buf lines = {0};

    buf_add(&lines, str_of(more));
    add_headers(answer, &lines);
    if (!answer->same_origin)
        add_cors(conn, &lines);
    Http1Head head = {
        .status = answer->status,
        .type = answer->type,
        .length = length,
        .unix_time = time(NULL),
        .keeps_alive = keeps_alive,
        .more = lines.len ? buf_cstr(&lines) : NULL,
        .headers = conn->server->headers,
        .header_count = conn->server->header_count,
    };

    buf_clear(&conn->server->out);
    http1_write_head(&head, &conn->server->out);
}

static void make_head(WebConn *conn, unsigned status, const char *type, size_t length,
                      bool keeps_alive, const char *more)
{
    const WebAnswer answer = {.status = status, .type = type};

    web_make_head(conn, &answer, length, keeps_alive, more);
}

static void send_with_body(WebConn *conn, Str body)
{
    Buf *out = &conn->server->out;

    if (body.len <= JOINED_BYTES) {
        buf_add(out, body);
        web_send_out(conn);
    } else {
        web_send_out(conn);
        web_send_bytes(conn, body);
    }
}

/* Answers the request that the owner has. What is long takes room until the kernel has it. */
static void answer_with(WebConn *conn, const WebAnswer *given, const char *more)
{
    Http1 *http1 = conn->http->http1;
    bool keeps_alive = http1_keeps_alive(http1) && !conn->http->cut;
    bool sends = !http1_is_head(http1);
    WebAnswer answer = *given;

    if (answer.status == 204 || answer.status == 304) /* no body: RFC 9110 15.3.5, 15.4.5 */
        answer.body = no_text();
    bool is_long = sends && answer.body.len > JOINED_BYTES;
    if (is_long && !web_take_room(conn, answer.body.len)) {
        answer = (WebAnswer){.status = 503, .same_origin = given->same_origin};
        more = RETRY;
        is_long = false;
    }
    web_make_head(conn, &answer, answer.body.len, keeps_alive, more);
    send_with_body(conn, sends ? answer.body : no_text());
    conn->state = WEB_ANSWERED;
    conn->http->closes = !keeps_alive;
    web_hold_room(conn);
    if ((keeps_alive || is_long) && conn->conn)
        web_go_on(conn);
    else
        web_drop(conn, true);
}

static void answer_request(WebConn *conn, unsigned status, const char *type, Str body,
                           const char *more)
{
    const WebAnswer answer = {.status = status, .type = type, .body = body};

    answer_with(conn, &answer, more);
}

void web_reply(WebConn *conn, unsigned status, const char *type, Str body)
{
    if (conn->state == WEB_ANSWERING)
        answer_request(conn, status, type, body, NULL);
}

/* RFC 9110 13.1.2: compared weakly. */
static bool etag_is_had(Str list, Str etag)
{
    while (list.len) {
        Str one = str_trim(str_cut(&list, ','));
        if (str_starts(one, STR("W/")))
            one = str_part(one, 2, one.len);
        if (str_eq(one, STR("*")) || str_eq(one, etag))
            return true;
    }
    return false;
}

/* Whether who asks has this answer already. */
static bool answer_is_had(const WebConn *conn, const WebAnswer *answer)
{
    WebRequest request;

    if (!answer->etag.len || answer->status != 200)
        return false;
    http1_request(conn->http->http1, &request);
    if (!str_eq(request.method, STR("GET")) && !str_eq(request.method, STR("HEAD")))
        return false;
    return etag_is_had(web_header(&request, "If-None-Match"), answer->etag);
}

void web_reply_with(WebConn *conn, const WebAnswer *given)
{
    WebAnswer answer = *given;

    if (conn->state != WEB_ANSWERING)
        return;
    if (answer_is_had(conn, given)) {
        answer.status = 304;
        answer.type = NULL;
    }
    answer_with(conn, &answer, NULL);
}

void web_reply_file_with(WebConn *conn, int file_descriptor, const WebAnswer *given)
{
    WebAnswer answer = *given;
    struct stat info;

    if (conn->state != WEB_ANSWERING)
        return;
    answer.status = 200;
    if (answer_is_had(conn, &answer)) {
        web_reply_with(conn, &answer);
        return;
    }
    bool good = fstat(file_descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= 0;
    bool empty = good && (info.st_size == 0 || http1_is_head(conn->http->http1));
    int file = good && !empty ? fcntl(file_descriptor, F_DUPFD_CLOEXEC, 0) : -1;
    if (!good || (!empty && file < 0)) {
        answer = (WebAnswer){.status = good ? 503 : 500, .same_origin = given->same_origin};
        answer_with(conn, &answer, good ? RETRY : NULL);
        return;
    }
    bool keeps_alive = http1_keeps_alive(conn->http->http1) && !conn->http->cut;
    web_make_head(conn, &answer, (size_t)info.st_size, keeps_alive, NULL);
    web_send_out(conn);
    conn->state = WEB_ANSWERED;
    conn->http->closes = !keeps_alive;
    conn->http->file = file;
    conn->http->at = 0;
    conn->http->left = empty ? 0 : (size_t)info.st_size;
    web_go_on(conn);
}

void web_reply_file(WebConn *conn, int file_descriptor, const char *type)
{
    const WebAnswer answer = {.type = type};

    web_reply_file_with(conn, file_descriptor, &answer);
}

void web_refuse(WebConn *conn, unsigned status)
{
    const char *more =
        status == 405 ? "Allow: GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS\r\n" : NULL;

    if (status == 503)
        more = RETRY;
    make_head(conn, status, NULL, 0, false, more);
    web_send_out(conn);
    web_drop(conn, true);
}

/* ---- to a WebSocket ---- */

/* RFC 6455 4.2.2 for another version, RFC 9110 15.5.22; else something else is wrong with it. */
static void answer_no_upgrade(WebConn *conn, const WebRequest *request)
{
    if (websocket_is_other(request))
        answer_request(
            conn, 426, "text/plain", STR("WebSocket version 13 is served here\n"),
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n");
    else
        answer_request(
            conn, 400, "text/plain",
            STR("agents connect here with a WebSocket (RFC 6455, version 13); this request is no "
                "such handshake\n"),
            "Sec-WebSocket-Version: 13\r\n");
}

bool web_upgrade(WebConn *conn, void *user)
{
    WebRequest request;
    CLEANUP(buf_done) Buf accept = {0};

    if (conn->state != WEB_ANSWERING)
        return false;
    http1_request(conn->http->http1, &request);
    if (!request.wants_websocket) {
        answer_no_upgrade(conn, &request);
        return false;
    }
    conn->socket = websocket_new(false, conn->server->limits.message_bytes);
    if (!conn->socket || websocket_accept(&request, &accept, NULL) || buf_failed(&accept)) {
        answer_request(conn, 503, NULL, no_text(), NULL);
        return false;
    }
    make_head(conn, 101, NULL, 0, true, buf_cstr(&accept));
    conn->user = user;
    conn->state = WEB_SOCKET;
    web_leave_http(conn);
    if (conn->server->holding) /* the first messages go with it */
        buf_add(web_sending(conn), buf_str(&conn->server->out));
    else
        web_send_out(conn);
    return true;
}

/* ---- streams ---- */

void web_stream_begin(WebConn *conn, const char *type, void *user)
{
    if (conn->state != WEB_ANSWERING)
        return;
    make_head(conn, 200, type, HTTP1_LENGTH_OPEN, false, "Cache-Control: no-cache\r\n");
    conn->is_head = http1_is_head(conn->http->http1);
    conn->user = user;
    conn->state = WEB_STREAM;
    web_leave_http(conn);
    web_send_out(conn);
}

void web_stream_send(WebConn *conn, Str bytes)
{
    if (conn->state == WEB_STREAM && !conn->is_head)
        web_send_bytes(conn, bytes);
}

void web_stream_end(WebConn *conn)
{
    if (conn->state == WEB_STREAM)
        web_drop(conn, true);
}
