#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* memmem */
#endif
#include "net/http1.h"

#include "base/mem.h"
#include "net/websocket.h"

#include <assert.h>
#include <http_parser.h>
#include <strings.h>

/* One header, as offsets into `head`, which still grows. */
typedef struct Span {
    size_t name;
    size_t value;
    size_t end;
} Span;

/* Where the next byte of a head stands. */
typedef enum Scan {
    SCAN_FRONT, /* before the request line; empty lines are skipped (RFC 9112 2.2) */
    SCAN_LINE,
    SCAN_BEGIN, /* a header line begins */
    SCAN_OVER,
} Scan;

struct Http1 {
    http_parser parser;
    size_t head_bytes;
    size_t body_bytes;
    Http1BodyLimit *body_limit; /* may be NULL */
    void *body_user;
    size_t this_body; /* what the body of this request may have */
    Buf url;
    Buf head; /* names and values, one behind the other */
    Span *spans;
    uint32_t span_count;
    bool in_value; /* the last piece was of a value */
    bool head_over;
    Scan scan;
    char scanned; /* the byte before the next one of the head */
    Buf body;
    Buf rest; /* behind the request, from `rest_at` on */
    size_t rest_at;
    Buf path;
    Str query;
    WebHeader *headers; /* there only in HTTP1_REQUEST */
    Http1State state;
    unsigned status; /* of HTTP1_BAD, set before the state is */
    bool keeps_alive;
    bool wants_continue;
    bool wants_websocket;
    bool stops_at_heads;
    bool streamed; /* the body is given out in pieces */
};

/* ---- what the parser calls ---- */

/* Notes why the request is refused; the value ends the parser's run. */
static int refuse_message(Http1 *http, unsigned status)
{
    if (!http->status)
        http->status = status;
    return -1;
}

static bool head_is_full(const Http1 *http, size_t more)
{
    /* Each header has ": " and its line end beside what is kept. */
    size_t used = http->url.len + http->head.len + 4 * (size_t)http->span_count;

    return more > http->head_bytes || used > http->head_bytes - more;
}

static int add_bytes(Http1 *http, Buf *buf, const char *bytes, size_t n)
{
    if (head_is_full(http, n))
        return refuse_message(http, 431);
    buf_add(buf, (Str){bytes, n});
    return buf_failed(buf) ? refuse_message(http, 503) : 0;
}

static int on_url(http_parser *parser, const char *bytes, size_t n)
{
    Http1 *http = parser->data;

    return add_bytes(http, &http->url, bytes, n);
}

static int begin_header(Http1 *http)
{
    if (http->span_count >= HTTP1_HEADERS_MAX)
        return refuse_message(http, 431);
    if (http->span_count % 16 == 0) {
        Span *grown = mem_resize(http->spans, http->span_count + 16, sizeof(*grown));
        if (!grown)
            return refuse_message(http, 503);
        http->spans = grown;
    }
    size_t at = http->head.len;
    http->spans[http->span_count++] = (Span){at, at, at};
    http->in_value = false;
    return 0;
}

static int on_field(http_parser *parser, const char *bytes, size_t n)
{
    Http1 *http = parser->data;

    if (http->head_over) /* trailers of a chunked body say nothing that is needed */
        return 0;
    if ((!http->span_count || http->in_value) && begin_header(http))
        return -1;
    if (add_bytes(http, &http->head, bytes, n))
        return -1;
    http->spans[http->span_count - 1].value = http->spans[http->span_count - 1].end =
        http->head.len;
    return 0;
}

static int on_value(http_parser *parser, const char *bytes, size_t n)
{
    Http1 *http = parser->data;

    if (http->head_over)
        return 0;
    http->in_value = true;
    if (add_bytes(http, &http->head, bytes, n))
        return -1;
    http->spans[http->span_count - 1].end = http->head.len;
    return 0;
}

static WebHeader header_at(const Http1 *http, uint32_t i)
{
    Str head = buf_str(&http->head);
    const Span *span = &http->spans[i];

    return (WebHeader){
        .name = str_part(head, span->name, span->value - span->name),
        .value = str_trim(str_part(head, span->value, span->end - span->value)),
    };
}

static bool names_eq(Str a, const char *b)
{
    return a.len == strlen(b) && strncasecmp(a.bytes, b, a.len) == 0;
}

/* RFC 9112 3.2: exactly one Host with HTTP/1.1; 5.1: no blanks in names, which http_parser takes as
 * it is usually built. */
static bool headers_are_right(const Http1 *http)
{
    uint32_t hosts = 0;

    for (uint32_t i = 0; i < http->span_count; i++) {
        Str name = header_at(http, i).name;
        if (name.len && memchr(name.bytes, ' ', name.len))
            return false;
        hosts += names_eq(name, "host");
    }
    return hosts == 1 || (hosts == 0 && http->parser.http_minor == 0);
}

/* Reads origin and absolute form (RFC 9112 3.2); "*" has no path and is for OPTIONS. */
static bool read_target(Http1 *http)
{
    Str target = buf_str(&http->url);

    if (str_eq(target, STR("*"))) {
        buf_add(&http->path, target);
        return http->parser.method == HTTP_OPTIONS;
    }
    if (target.len && target.bytes[0] != '/') {
        if (target.len < 7 || strncasecmp(target.bytes, "http", 4) != 0)
            return false;
        const char *authority = memmem(target.bytes, target.len, "://", 3);
        if (!authority)
            return false;
        size_t at = (size_t)(authority - target.bytes) + 3;
        while (at < target.len && !strchr("/?", target.bytes[at]))
            at++;
        target = str_part(target, at, SIZE_MAX);
    }
    http->query = str_cut(&target, '#');
    Str path = str_cut(&http->query, '?');

    if (!path.len)
        path = STR("/");
    if (!http1_decode(path, false, &http->path))
        return false;
    path = buf_str(&http->path);
    if (!path.len || path.bytes[0] != '/' || memchr(path.bytes, '\0', path.len))
        return false;
    while (path.len) {
        if (str_eq(str_cut(&path, '/'), STR("..")))
            return false;
    }
    return true;
}

static bool method_is_served(unsigned method)
{
    return method == HTTP_GET || method == HTTP_HEAD || method == HTTP_POST || method == HTTP_PUT ||
           method == HTTP_DELETE || method == HTTP_PATCH || method == HTTP_OPTIONS;
}

static int make_headers(Http1 *http)
{
    http->headers = mem_new((http->span_count + (size_t)1) * sizeof(*http->headers));
    if (!http->headers)
        return refuse_message(http, 503);
    for (uint32_t i = 0; i < http->span_count; i++)
        http->headers[i] = header_at(http, i);
    return 0;
}

static bool body_may_come(const http_parser *parser)
{
    return (parser->flags & F_CHUNKED) ||
           (parser->content_length != UINT64_MAX && parser->content_length > 0);
}

/* What the body that is announced may have. */
static int limit_this_body(Http1 *http)
{
    const http_parser *parser = &http->parser;
    WebRequest request;

    http->this_body = http->body_bytes;
    if (body_may_come(parser) && http->body_limit) {
        http1_request(http, &request);
        http->this_body = http->body_limit(http->body_user, &request);
        if (!http->this_body)
            return refuse_message(http, 503);
    }
    if (parser->content_length != UINT64_MAX && parser->content_length > http->this_body)
        return refuse_message(http, 413);
    return 0;
}

static int on_head(http_parser *parser)
{
    Http1 *http = parser->data;
    WebRequest request;

    http->head_over = true;
    if (parser->http_major != 1 || !headers_are_right(http))
        return refuse_message(http, 400);
    if (!method_is_served(parser->method))
        return refuse_message(http, 405);
    if (!read_target(http))
        return refuse_message(http, buf_failed(&http->path) ? 503 : 400);
    bool stops = http->stops_at_heads && body_may_come(parser);
    if (make_headers(http) || (!stops && limit_this_body(http)))
        return -1;
    http->keeps_alive = http_should_keep_alive(parser) != 0;
    http1_request(http, &request);
    http->wants_websocket = parser->http_minor >= 1 && websocket_is_asked(&request);
    http->wants_continue =
        parser->http_minor >= 1 && names_eq(web_header(&request, "expect"), "100-continue");
    /* Else the parser would take no body with an Upgrade that we don't know, as of "h2c". What
     * comes behind a request waits in `rest` anyway. */
    parser->upgrade = 0;
    if (stops) {
        http->state = HTTP1_HEAD;
        http_parser_pause(parser, 1);
    }
    return 0;
}

static int on_body(http_parser *parser, const char *bytes, size_t n)
{
    Http1 *http = parser->data;

    http->wants_continue = false;
    if (http->streamed) {
        buf_add(&http->body, (Str){bytes, n});
        return buf_failed(&http->body) ? refuse_message(http, 503) : 0;
    }
    if (n > http->this_body || http->body.len > http->this_body - n)
        return refuse_message(http, 413);
    buf_add(&http->body, (Str){bytes, n});
    return buf_failed(&http->body) ? refuse_message(http, 503) : 0;
}

static int on_complete(http_parser *parser)
{
    Http1 *http = parser->data;

    http->state = HTTP1_REQUEST;
    http->wants_continue = false;
    http_parser_pause(parser, 1);
    return 0;
}

static const http_parser_settings settings = {
    .on_url = on_url,
    .on_header_field = on_field,
    .on_header_value = on_value,
    .on_headers_complete = on_head,
    .on_body = on_body,
    .on_message_complete = on_complete,
};

/* ---- the outside ---- */

static void init_parser(Http1 *http)
{
    http_parser_init(&http->parser, HTTP_REQUEST);
    http->parser.data = http;
}

void http1_limit_body(Http1 *http, Http1BodyLimit *limit, void *user)
{
    http->body_limit = limit;
    http->body_user = user;
}

Http1 *http1_new(size_t head_bytes, size_t body_bytes)
{
    Http1 *http = mem_new(sizeof(*http));

    if (!http)
        return NULL;
    http->head_bytes = head_bytes;
    http->body_bytes = body_bytes;
    init_parser(http);
    return http;
}

/* Frees what belongs to the request. */
static void forget_request(Http1 *http)
{
    buf_done(&http->url);
    buf_done(&http->head);
    buf_done(&http->body);
    buf_done(&http->path);
    http->spans = mem_free(http->spans);
    http->headers = mem_free(http->headers);
    http->query = (Str){0};
}

Http1 *http1_free(Http1 *http)
{
    if (!http)
        return NULL;
    forget_request(http);
    buf_done(&http->rest);
    return mem_free(http);
}

static unsigned status_of(const Http1 *http)
{
    if (http->status)
        return http->status;
    return HTTP_PARSER_ERRNO(&http->parser) == HPE_HEADER_OVERFLOW ? 431 : 400;
}

/* Of a line of the head, begun at SCAN_BEGIN or SCAN_FRONT. */
static Scan scan_begin(Scan scan, char c)
{
    if (c == '\r')
        return scan;
    return scan == SCAN_FRONT && c == '\n' ? SCAN_FRONT : SCAN_LINE;
}

/* RFC 9112 2.2 and 5.2: lines end with CR LF, a CR stands nowhere else, and no line is folded.
 * http_parser takes all that otherwise, and a proxy that reads a head another way would see other
 * requests than we do. Returns how many bytes come before one that is wrong. */
static size_t strict_bytes(Http1 *http, Str bytes)
{
    for (size_t i = 0; i < bytes.len && http->scan != SCAN_OVER; i++) {
        char c = bytes.bytes[i], before = http->scanned;
        http->scanned = c;
        if ((c == '\n') != (before == '\r'))
            return i;
        if (http->scan == SCAN_LINE)
            http->scan = c == '\n' ? SCAN_BEGIN : SCAN_LINE;
        else if (http->scan == SCAN_BEGIN && c == '\n')
            http->scan = SCAN_OVER;
        else if (http->scan == SCAN_BEGIN && (c == ' ' || c == '\t'))
            return i;
        else
            http->scan = scan_begin(http->scan, c);
    }
    return bytes.len;
}

/* Parses until a request is whole. Returns how many bytes it took. */
static size_t parse_head(Http1 *http, Str bytes)
{
    size_t good = http->head_over ? bytes.len : strict_bytes(http, bytes);

    http->state = HTTP1_BEGUN;
    size_t n = http_parser_execute(&http->parser, &settings, bytes.bytes, good);
    if (http->state == HTTP1_REQUEST || http->state == HTTP1_HEAD)
        return n;
    if (HTTP_PARSER_ERRNO(&http->parser) != HPE_OK || good < bytes.len) {
        http->status = status_of(http);
        http->state = HTTP1_BAD;
    }
    return n;
}

/* What came behind what was parsed. In place: a thousand small requests that came at once are not
 * moved a thousand times. */
static void parse_rest(Http1 *http)
{
    Str rest = http1_rest(http);

    if (rest.len)
        http->rest_at += parse_head(http, rest);
    if (http->rest_at == http->rest.len) {
        buf_done(&http->rest);
        http->rest_at = 0;
    }
}

void http1_feed(Http1 *http, Str bytes)
{
    if (bytes.len && http->state != HTTP1_REQUEST && http->state != HTTP1_BAD &&
        http->state != HTTP1_HEAD)
        bytes = str_part(bytes, parse_head(http, bytes), SIZE_MAX);
    if (!bytes.len || http->state == HTTP1_BAD)
        return;
    buf_add(&http->rest, bytes);
    if (buf_failed(&http->rest)) {
        http->status = 503;
        http->state = HTTP1_BAD;
    }
}

Http1State http1_state(const Http1 *http)
{
    return http->state;
}

void http1_request(const Http1 *http, WebRequest *ret_request)
{
    *ret_request = (WebRequest){
        .method = str_of(http_method_str((enum http_method)http->parser.method)),
        .path = buf_str(&http->path),
        .query = http->query,
        .body = buf_str(&http->body),
        .headers = http->headers,
        .header_count = http->span_count,
        .wants_websocket = http->wants_websocket,
    };
}

bool http1_keeps_alive(const Http1 *http)
{
    return http->keeps_alive;
}

bool http1_takes_chunks(const Http1 *http)
{
    return http->parser.http_major > 1 ||
           (http->parser.http_major == 1 && http->parser.http_minor >= 1);
}

bool http1_is_head(const Http1 *http)
{
    return http->parser.method == HTTP_HEAD;
}

unsigned http1_status(const Http1 *http)
{
    return http->status;
}

bool http1_take_continue(Http1 *http)
{
    bool wanted = http->wants_continue && http->state == HTTP1_BEGUN;

    if (wanted)
        http->wants_continue = false;
    return wanted;
}

void http1_next_request(Http1 *http)
{
    Http1 fresh = {
        .head_bytes = http->head_bytes,
        .body_bytes = http->body_bytes,
        .body_limit = http->body_limit,
        .body_user = http->body_user,
        .rest = http->rest,
        .rest_at = http->rest_at,
        .stops_at_heads = http->stops_at_heads,
    };

    assert(http->state == HTTP1_REQUEST);
    forget_request(http);
    *http = fresh;
    init_parser(http);
    parse_rest(http);
}

void http1_stop_at_heads(Http1 *http)
{
    http->stops_at_heads = true;
}

void http1_go_on(Http1 *http, bool streamed)
{
    assert(http->state == HTTP1_HEAD);
    http->streamed = streamed;
    if (!streamed && limit_this_body(http)) {
        http->state = HTTP1_BAD;
        return;
    }
    http->state = HTTP1_BEGUN;
    http_parser_pause(&http->parser, 0);
    parse_rest(http);
}

Str http1_piece(const Http1 *http)
{
    return http->streamed ? buf_str(&http->body) : (Str){"", 0};
}

void http1_take_piece(Http1 *http)
{
    buf_clear(&http->body);
}

uint64_t http1_body_length(const Http1 *http)
{
    return http->parser.content_length;
}

Str http1_rest(const Http1 *http)
{
    return str_part(buf_str(&http->rest), http->rest_at, SIZE_MAX);
}
