#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "net/http1.h"

#define HEAD_BYTES 512
#define BODY_BYTES 64

/* What came of some bytes: "[METHOD path?query {name: value}... body]" for each request, '~' behind
 * one that ends the connection, "W" before one that asks for a WebSocket; at the end the status of
 * what is none, or '+' when a request has begun. */
static void drain(Http1 *http, Buf *out)
{
    while (http1_state(http) == HTTP1_REQUEST) {
        WebRequest request;

        http1_request(http, &request);
        buf_printf(out, "%s[%.*s %.*s?%.*s", request.wants_websocket ? "W" : "",
                   STR_ARG(request.method), STR_ARG(request.path), STR_ARG(request.query));
        for (uint32_t i = 0; i < request.header_count; i++) {
            if (request.headers[i].name.len == 1) /* the others stand in the way here */
                buf_printf(out, " {%.*s: %.*s}", STR_ARG(request.headers[i].name),
                           STR_ARG(request.headers[i].value));
        }
        buf_printf(out, " %.*s]%s", STR_ARG(request.body), http1_keeps_alive(http) ? "" : "~");
        http1_next_request(http);
    }
}

/* Fed in pieces of `step` bytes, the first one `first` bytes long. */
static void read_in_pieces(Str all, size_t first, size_t step, Buf *out)
{
    Http1 *http = http1_new(HEAD_BYTES, BODY_BYTES);
    size_t n = first;

    assert_non_null(http);
    while (all.len) {
        Str piece = str_part(all, 0, n);
        char *copy = mem_new(piece.len + 1); /* to notice a parser that holds on to it */

        memcpy(copy, piece.bytes, piece.len);
        http1_feed(http, (Str){copy, piece.len});
        mem_free(copy);
        drain(http, out);
        all = str_part(all, piece.len, SIZE_MAX);
        n = step;
    }
    if (http1_state(http) == HTTP1_BAD)
        buf_printf(out, "%u", http1_status(http));
    else if (http1_state(http) == HTTP1_BEGUN)
        buf_add_char(out, '+');
    http1_free(http);
}

/* Reads the text cut at every place, byte by byte and all at once. */
static void check(Str text, const char *want)
{
    for (size_t cut = 1; cut <= text.len; cut++) {
        CLEANUP(buf_done) Buf got = {0};
        read_in_pieces(text, cut, text.len, &got);
        assert_string_equal(buf_cstr(&got), want);
    }
    CLEANUP(buf_done) Buf got = {0};
    read_in_pieces(text, 1, 1, &got);
    assert_string_equal(buf_cstr(&got), want);
}

static void requests_are_read_however_they_are_cut(void **state)
{
    (void)state;
    check(STR("GET / HTTP/1.1\r\nHost: h\r\n\r\n"), "[GET /? ]");
    check(STR("GET /a/b?c=d&e HTTP/1.1\r\nHost: h\r\nx:  y z \r\n\r\n"),
          "[GET /a/b?c=d&e {x: y z} ]");
    check(STR("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"), "[POST /p? hello]");
    check(STR("PUT /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
              "4;x=y\r\nwiki\r\n1\r\n!\r\n0\r\nTrailer: t\r\n\r\n"),
          "[PUT /p? wiki!]");
    check(STR("GET /a HTTP/1.1\r\nHost: h\r\n\r\nHEAD /b HTTP/1.1\r\nHost: h\r\n\r\nGET /c"),
          "[GET /a? ][HEAD /b? ]+");
    check(STR("\r\nGET http://h:80/a?b HTTP/1.1\r\nHost: h\r\n\r\n"), "[GET /a?b ]");
    check(STR("GET http://h?b HTTP/1.1\r\nHost: h\r\n\r\n"), "[GET /?b ]");
    check(STR("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"), "[OPTIONS *? ]");
}

static void a_connection_ends_when_either_side_wants_it(void **state)
{
    (void)state;
    check(STR("GET / HTTP/1.0\r\n\r\n"), "[GET /? ]~");
    check(STR("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"), "[GET /? ]");
    check(STR("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"), "[GET /? ]~");
}

static void paths_are_decoded_and_never_lead_out(void **state)
{
    (void)state;
    check(STR("GET /%41%2fb%20c+d?%41 HTTP/1.0\r\n\r\n"), "[GET /A/b c+d?%41 ]~");
    check(STR("GET /a/.../b..c/..d HTTP/1.0\r\n\r\n"), "[GET /a/.../b..c/..d? ]~");
    check(STR("GET /a/../b HTTP/1.0\r\n\r\n"), "400");
    check(STR("GET /.. HTTP/1.0\r\n\r\n"), "400");
    check(STR("GET /a/%2E%2e/b HTTP/1.0\r\n\r\n"), "400");
    check(STR("GET /a%2F..%2Fb HTTP/1.0\r\n\r\n"), "400");
    check(STR("GET /a%00b HTTP/1.0\r\n\r\n"), "400");
    check(STR("GET /a%4 HTTP/1.0\r\n\r\n"), "400");
    check(STR("GET /a%zz HTTP/1.0\r\n\r\n"), "400");
    check(STR("GET * HTTP/1.0\r\n\r\n"), "400");
}

static void what_is_no_request_gets_a_status(void **state)
{
    (void)state;
    check(STR("nonsense\r\n\r\n"), "400");
    check(STR("\x16\x03\x01\x02"), "400");
    check(STR("GET / HTTP/2.0\r\nHost: h\r\n\r\n"), "400");
    check(STR("GET / HTTP/1.1\r\n\r\n"), "400");                       /* no Host */
    check(STR("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), "400"); /* two */
    check(STR("GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n"), "400");   /* a blank in a name */
    check(STR("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n"), "400");
    check(STR("CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n"), "405");
    check(STR("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n"), "405");
}

static void lines_of_a_head_end_with_cr_lf_and_are_not_folded(void **state)
{
    (void)state;
    check(STR("GET / HTTP/1.1\nHost: a\r\n\r\n"), "400");
    check(STR("GET / HTTP/1.1\r\nHost: a\n\r\n"), "400");
    check(STR("GET / HTTP/1.1\r\nHost: a\r\n\n"), "400");
    check(STR("GET / HTTP/1.1\nHost: a\n\n"), "400");
    check(STR("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"), "400");
    check(STR("GET / HTTP/1.1\r\nHost: a\r\nx: b\r\n c\r\n\r\n"), "400");
    check(STR("GET / HTTP/1.1\r\nHost: a\r\nx: b\r\n\tc\r\n\r\n"), "400");
    check(STR("GET / HTTP/1.1\r\n Host: a\r\n\r\n"), "400");
    check(STR("GET / HTTP/1.1\r\nHost: a\r\nx: b\rc: d\r\n\r\n"), "400");
    check(STR("GET / HTTP/1.1\r\nHost: a\r\n\rx\r\n\r\n"), "400");
    check(STR("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\rxxx"),
          "400");
    check(STR("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\nHost: b\r\n\r\n"), "[GET /? ]400");
    /* A body may hold what it likes. */
    check(STR("\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\n\n a\n"),
          "[POST /? \n\n a\n]");
    check(STR("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\n\nGET / HTTP/1.0\r\n\r\n"),
          "[POST /? \n\n][GET /? ]~");
}

static void two_lengths_are_refused(void **state)
{
    (void)state;
    check(STR("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: "
              "chunked\r\n\r\n0\r\n\r\n"),
          "400");
    check(STR("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
          "400");
    check(STR("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, gzip\r\n\r\nabcd"), "400");
}

static void bodies_have_a_limit(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf want = {0};

    buf_printf(&text, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%064d", 64, 0);
    buf_printf(&want, "[POST /? %064d]", 0);
    check(buf_str(&text), buf_cstr(&want));
    check(STR("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 65\r\n\r\n"), "413");
    check(STR("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 18446744073709551615\r\n\r\n"), "400");
    buf_clear(&text);
    buf_printf(&text,
               "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
               "40\r\n%064d\r\n1\r\n0\r\n0\r\n\r\n",
               0);
    check(buf_str(&text), "413");
}

static void heads_have_a_limit(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "GET /%0600d HTTP/1.0\r\n\r\n", 0);
    check(buf_str(&text), "431");
    buf_clear(&text);
    buf_printf(&text, "GET / HTTP/1.0\r\nX: %0600d\r\n\r\n", 0);
    check(buf_str(&text), "431");
    buf_clear(&text);
    buf_add(&text, STR("GET / HTTP/1.0\r\n"));
    for (int i = 0; i < HTTP1_HEADERS_MAX + 1; i++)
        buf_add(&text, STR("a:\r\n"));
    check(buf_str(&text), "431");
}

static void a_websocket_is_asked_for_with_everything_that_belongs_to_it(void **state)
{
#define ASKS "GET /ws HTTP/1.1\r\nHost: h\r\n"
#define KEY  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define UP   "Upgrade: h2c, WebSocket\r\nConnection: keep-alive, upgrade\r\n"
#define V13  "Sec-WebSocket-Version: 13\r\n"
    (void)state;
    check(STR(ASKS UP V13 KEY "\r\n"), "W[GET /ws? ]");
    check(STR(ASKS UP V13 "\r\n"), "[GET /ws? ]");
    check(STR(ASKS UP KEY "\r\n"), "[GET /ws? ]");
    check(STR(ASKS V13 KEY "Upgrade: websocket\r\n\r\n"), "[GET /ws? ]");
    check(STR(ASKS V13 KEY "Connection: upgrade\r\n\r\n"), "[GET /ws? ]");
    check(STR(ASKS UP V13 "Sec-WebSocket-Key: c2hvcnQ=\r\n\r\n"), "[GET /ws? ]");
    check(STR("POST /ws HTTP/1.1\r\nHost: h\r\n" UP V13 KEY "\r\n"), "[POST /ws? ]");
    /* A body with an unknown upgrade is a body. */
    check(STR("POST / HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\nConnection: upgrade\r\n"
              "Content-Length: 2\r\n\r\nab"),
          "[POST /? ab]");
}

static void what_comes_behind_an_upgrade_is_kept(void **state)
{
    Http1 *http = http1_new(HEAD_BYTES, BODY_BYTES);

    (void)state;
    http1_feed(http, STR(ASKS UP V13 KEY "\r\n\x81\x80"));
    http1_feed(http, STR("abcd"));
    assert_int_equal(http1_state(http), HTTP1_REQUEST);
    Str rest = http1_rest(http);
    assert_int_equal(rest.len, 6);
    assert_memory_equal(rest.bytes,
                        "\x81\x80"
                        "abcd",
                        6);
    http1_free(http);
}

static void continue_is_wanted_once_and_only_while_the_body_is_missing(void **state)
{
    static const char head[] =
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
    Http1 *http = http1_new(HEAD_BYTES, BODY_BYTES);

    (void)state;
    http1_feed(http, str_of(head));
    assert_true(http1_take_continue(http));
    assert_false(http1_take_continue(http));
    http1_feed(http, STR("ab"));
    http1_next_request(http);
    assert_int_equal(http1_state(http), HTTP1_IDLE);
    http1_feed(http, str_of(head));
    http1_feed(http, STR("a"));
    assert_false(http1_take_continue(http));
    http1_free(http);
}

static void heads_of_answers_are_written(void **state)
{
    static const WebHeader more[] = {{{"A", 1}, {"b", 1}}};
    CLEANUP(buf_done) Buf out = {0};
    Http1Head head = {
        .status = 404,
        .type = "text/plain",
        .length = 7,
        .unix_time = 784111777,
        .headers = more,
        .header_count = 1,
        .more = "C: d\r\n",
    };

    (void)state;
    http1_write_head(&head, &out);
    assert_string_equal(buf_cstr(&out), "HTTP/1.1 404 Not Found\r\n"
                                        "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                                        "Content-Type: text/plain\r\nContent-Length: 7\r\n"
                                        "Connection: close\r\nA: b\r\nC: d\r\n\r\n");
    buf_clear(&out);
    head = (Http1Head){.status = 204, .keeps_alive = true};
    http1_write_head(&head, &out);
    assert_string_equal(buf_cstr(&out), "HTTP/1.1 204 No Content\r\n"
                                        "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n");
}

static void headers_and_query_parameters_are_found(void **state)
{
    static const WebHeader have[] = {
        {{"X-One", 5}, {"1", 1}}, {{"x-two", 5}, {"2", 1}}, {{"x-one", 5}, {"3", 1}}};
    WebRequest request = {
        .headers = have,
        .header_count = 3,
        .query = STR("a=b+c&t%6Fken=%41%zz&empty=&bare&token=2"),
    };
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    assert_true(str_eq(web_header(&request, "x-oNE"), STR("1")));
    assert_true(str_eq(web_header(&request, "X-Two"), STR("2")));
    assert_int_equal(web_header(&request, "X-Three").len, 0);
    assert_true(str_eq(web_header_last(&request, "X-ONE"), STR("3")));
    assert_true(str_eq(web_header_last(&request, "X-Two"), STR("2")));
    assert_int_equal(web_header_last(&request, "X-Three").len, 0);
    assert_true(str_eq(web_query(&request, "a", &out), STR("b c")));
    assert_true(str_eq(web_query(&request, "token", &out), STR("A%zz")));
    assert_int_equal(web_query(&request, "empty", &out).len, 0);
    assert_int_equal(web_query(&request, "bare", &out).len, 0);
    assert_int_equal(web_query(&request, "tok", &out).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_read_however_they_are_cut),
        cmocka_unit_test(a_connection_ends_when_either_side_wants_it),
        cmocka_unit_test(paths_are_decoded_and_never_lead_out),
        cmocka_unit_test(what_is_no_request_gets_a_status),
        cmocka_unit_test(lines_of_a_head_end_with_cr_lf_and_are_not_folded),
        cmocka_unit_test(two_lengths_are_refused),
        cmocka_unit_test(bodies_have_a_limit),
        cmocka_unit_test(heads_have_a_limit),
        cmocka_unit_test(a_websocket_is_asked_for_with_everything_that_belongs_to_it),
        cmocka_unit_test(what_comes_behind_an_upgrade_is_kept),
        cmocka_unit_test(continue_is_wanted_once_and_only_while_the_body_is_missing),
        cmocka_unit_test(heads_of_answers_are_written),
        cmocka_unit_test(headers_and_query_parameters_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
