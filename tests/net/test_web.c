#define _GNU_SOURCE /* memfd_create */

#include "cert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/web.h"
#include "net/web_client.h"
#include "net/web_room.h"
#include "net/websocket.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- a server that does what the path says ---- */

enum { SOCKETS_MAX = 2100 };

typedef struct Server Server;

typedef struct Socket {
    Server *server;
    WebConn *conn;
    bool is_stream;
    Buf heard; /* each message with a '|' behind it */
    int closed;
    WebEnd how;
    uint16_t code;
    TimeUs at;
} Socket;

struct Server {
    Loop *loop;
    WebServer *web;
    WebLimits limits;
    TlsServer *tls;
    Buf log; /* "GET /path?query body|" */
    WebConn *later;
    int file;        /* what /file answers */
    unsigned made;   /* pieces of /source; a thousand numbers each */
    unsigned pieces; /* that there are */
    unsigned breaks; /* at this one; 0 = never */
    unsigned gone;
    Socket *sockets;
    size_t socket_count;
    bool refuses_large;
    bool free_in_request;
    bool free_in_message;
    bool close_in_message;
    bool send_in_closed;
};

static bool next_numbers(void *user, Buf *out, TimeUs now)
{
    Server *server = user;

    (void)now;
    if (server->breaks && server->made == server->breaks)
        return false;
    for (unsigned i = 0; server->made < server->pieces && i < 1000; i++)
        buf_printf(out, "%07u\n", (server->made * 1000 + i) % 10000000);
    server->made += server->made < server->pieces;
    return true;
}

static void source_is_gone(void *user)
{
    Server *server = user;

    server->gone++;
    server->made = 0;
}

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    Server *server = user;

    buf_printf(&server->log, "%.*s %.*s?%.*s %.*s|", STR_ARG(request->method),
               STR_ARG(request->path), STR_ARG(request->query), STR_ARG(request->body));
    if (server->free_in_request) {
        server->web = web_free(server->web);
        web_reply(conn, 200, NULL, (Str){"", 0}); /* does no harm */
    } else if (str_eq(request->path, STR("/ws"))) {
        Socket *socket = &server->sockets[server->socket_count++];
        socket->server = server;
        socket->conn = conn;
        if (!web_upgrade(conn, socket))
            server->socket_count--;
        else if (str_eq(request->query, STR("greet")))
            web_send(conn, STR("hello"));
        else if (str_eq(request->query, STR("bye")))
            web_close(conn, 4001, "go away");
    } else if (str_eq(request->path, STR("/later"))) {
        if (server->later)
            web_reply(server->later, 200, NULL, (Str){"", 0});
        server->later = conn;
    } else if (str_eq(request->path, STR("/peer"))) {
        web_reply(conn, 200, "text/plain", str_of(request->peer));
    } else if (str_eq(request->path, STR("/large"))) {
        CLEANUP(buf_done) Buf body = {0};
        for (int i = 0; i < 300000; i++)
            buf_add(&body, STR("0123456789"));
        web_reply(conn, 200, "text/plain", buf_str(&body));
    } else if (str_eq(request->path, STR("/stream"))) {
        Socket *socket = &server->sockets[server->socket_count++];
        socket->server = server;
        socket->conn = conn;
        socket->is_stream = true;
        web_stream_begin(conn, "text/event-stream", socket);
        web_stream_send(conn, STR("data: 1\n\n"));
    } else if (str_eq(request->path, STR("/file"))) {
        web_reply_file(conn, server->file, "text/plain");
    } else if (str_eq(request->path, STR("/tagged"))) {
        const WebHeader own[] = {{STR("Cache-Control"), STR("no-cache")},
                                 {STR("X-Split"), STR("a\r\nX-Injected: yes")}};
        const WebAnswer answer = {.status = 200,
                                  .type = "text/plain",
                                  .body = STR("tagged"),
                                  .headers = own,
                                  .header_count = 2,
                                  .etag = STR("\"v1\"")};
        web_reply_with(conn, &answer);
    } else if (str_eq(request->path, STR("/file-tagged"))) {
        const WebHeader own[] = {{STR("Content-Disposition"), STR("attachment")}};
        const WebAnswer answer = {
            .type = "text/plain", .headers = own, .header_count = 1, .etag = STR("\"f1\"")};
        web_reply_file_with(conn, server->file, &answer);
    } else if (str_eq(request->path, STR("/source"))) {
        const WebSource source = {next_numbers, source_is_gone, server};
        const WebAnswer answer = {.type = "text/plain"};
        web_reply_source(conn, &source, &answer);
    } else if (str_eq(request->path, STR("/gzip"))) {
        web_reply(conn, 200, "text/plain", web_takes_gzip(request) ? STR("yes") : STR("no"));
    } else if (str_eq(request->path, STR("/missing"))) {
        web_reply(conn, 404, NULL, (Str){"", 0});
    } else {
        web_reply(conn, 200, "text/plain", STR("fine"));
    }
}

static void on_message(void *user, Str text, TimeUs at)
{
    Socket *socket = user;
    Server *server = socket->server;

    socket->at = at;
    buf_add(&socket->heard, text);
    buf_add_char(&socket->heard, '|');
    if (server->free_in_message)
        server->web = web_free(server->web);
    else if (server->close_in_message)
        web_close(socket->conn, 1000, "enough");
    else
        web_send(socket->conn, text);
}

static void on_closed(void *user, WebEnd how, uint16_t code, TimeUs now)
{
    Socket *socket = user;

    (void)now;
    socket->closed++;
    socket->how = how;
    socket->code = code;
    if (socket->server->send_in_closed) {
        web_send(socket->conn, STR("nobody hears this"));
        web_close(socket->conn, 1000, "");
    }
    socket->conn = NULL;
}

/* Large bodies at /later and /open. */
static size_t on_body_bytes(void *user, const WebRequest *head)
{
    Server *server = user;
    bool is_large = str_eq(head->path, STR("/open")) || str_eq(head->path, STR("/later"));

    assert_true(strncmp(head->peer, "127.0.0.1:", 10) == 0 && head->now > 0);
    assert_int_equal(head->body.len, 0);
    return is_large && !server->refuses_large ? 90000 : 0;
}

static const WebEvents events = {
    .request = on_request, .message = on_message, .closed = on_closed, .body_bytes = on_body_bytes};
static const WebHeader headers[] = {
    {{"Access-Control-Allow-Origin", 27}, {"*", 1}},
    {{"Server", 6}, {"test", 4}},
};

static void server_listen(Server *server)
{
    const WebSetup setup = {.host = "127.0.0.1",
                            .tls = server->tls,
                            .limits = &server->limits,
                            .headers = headers,
                            .header_count = 2,
                            .events = &events,
                            .user = server};
    Err err = {0};

    if (web_listen(server->loop, &setup, &server->web, &err))
        fail_msg("%s", err.msg);
}

static void server_open(Server *server)
{
    memset(server, 0, sizeof(*server));
    server->limits = web_default_limits;
    server->sockets = mem_new(SOCKETS_MAX * sizeof(*server->sockets));
    assert_non_null(server->sockets);
    assert_int_equal(loop_new(&server->loop, NULL), 0);
}

static void server_start(Server *server)
{
    server_open(server);
    server_listen(server);
}

static void server_done(Server *server)
{
    web_free(server->web);
    tls_server_free(server->tls);
    loop_free(server->loop);
    for (size_t i = 0; i < server->socket_count; i++)
        buf_done(&server->sockets[i].heard);
    mem_free(server->sockets);
    buf_done(&server->log);
}

/* ---- a bare client ---- */

static int dial(const Server *server)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(web_port(server->web)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

static void put(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

typedef struct Until {
    Loop *loop;
    Timer *timer;
    bool (*done)(void *user);
    void *user;
    TimeUs limit;
} Until;

static void look(void *user, TimeUs now)
{
    Until *until = user;

    (void)now;
    if (until->done(until->user) || loop_now() > until->limit)
        loop_stop(until->loop);
    else
        timer_at(until->timer, loop_now() + 1000, false);
}

/* Runs the loop until `done`; at most a minute, for machines that are busy. */
static void run_until(Loop *loop, bool (*done)(void *user), void *user)
{
    Until until = {.loop = loop, .done = done, .user = user, .limit = loop_now() + 60000000};

    assert_int_equal(timer_new(loop, look, &until, &until.timer, NULL), 0);
    timer_at(until.timer, 0, false);
    loop_run(loop);
    timer_free(until.timer);
    assert_true(done(user));
}

/* What a bare client gets, until the other side ends or `want` has come. */
typedef struct Reading {
    int fd;
    const char *want; /* NULL = until the end */
    Buf got;
    bool ended;
} Reading;

static bool reading_is_done(void *user)
{
    Reading *reading = user;
    char block[65536];
    ssize_t n;

    while ((n = recv(reading->fd, block, sizeof(block), MSG_DONTWAIT)) > 0)
        buf_add(&reading->got, (Str){block, (size_t)n});
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK))
        reading->ended = true;
    return reading->want ? strstr(buf_cstr(&reading->got), reading->want) != NULL : reading->ended;
}

/* Sends `request` and reads until `want`, or the end; the answer is in `reading->got`. */
static void ask(Server *server, Reading *reading, const char *request, const char *want)
{
    put(reading->fd, request);
    buf_clear(&reading->got);
    reading->want = want;
    run_until(server->loop, reading_is_done, reading);
}

static void assert_has(const Reading *reading, const char *text)
{
    if (!strstr(buf_cstr(&reading->got), text))
        fail_msg("'%s' is not in '%s'", text, buf_cstr(&reading->got));
}

static void reading_done(Reading *reading)
{
    close(reading->fd);
    buf_done(&reading->got);
}

static bool nobody_is_there(void *user)
{
    return web_open_count(((Server *)user)->web) == 0;
}

static bool somebody_is_there(void *user)
{
    return web_open_count(((Server *)user)->web) > 0;
}

/* ---- HTTP ---- */

static void requests_of_one_connection_are_answered_one_by_one(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /a%20b?x=1 HTTP/1.1\r\nHost: h\r\n\r\n", "fine");
    assert_has(&reading, "HTTP/1.1 200 OK\r\n");
    assert_has(&reading, "\r\nDate: ");
    assert_has(&reading, "\r\nContent-Type: text/plain\r\n");
    assert_has(&reading, "\r\nContent-Length: 4\r\n");
    assert_has(&reading, "\r\nAccess-Control-Allow-Origin: *\r\nServer: test\r\n");
    assert_null(strstr(buf_cstr(&reading.got), "Connection:"));
    ask(&server, &reading,
        "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        "fine");
    ask(&server, &reading, "HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET /missing HTTP/1.0\r\n\r\n", NULL);
    assert_null(strstr(buf_cstr(&reading.got), "fine"));
    assert_has(&reading, "Content-Length: 4\r\n");
    assert_has(&reading, "404 Not Found\r\n");
    assert_has(&reading, "\r\nConnection: close\r\n");
    assert_string_equal(buf_cstr(&server.log),
                        "GET /a b?x=1 |POST /p? abcde|HEAD /? |GET /missing? |");
    reading_done(&reading);
    run_until(server.loop, nobody_is_there, &server);
    server_done(&server);
}

static void options_are_answered_without_the_owner(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "OPTIONS /x HTTP/1.1\r\nHost: h\r\n\r\n", "\r\n\r\n");
    assert_has(&reading, "HTTP/1.1 204 No Content\r\n");
    assert_has(&reading, "Access-Control-Allow-Origin: *\r\n");
    assert_null(strstr(buf_cstr(&reading.got), "Content-Length"));
    assert_int_equal(server.log.len, 0);
    reading_done(&reading);
    server_done(&server);
}

static void an_answer_has_headers_of_its_own_and_who_has_it_gets_304(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /tagged HTTP/1.1\r\nHost: h\r\n\r\n", "tagged");
    assert_has(&reading, "HTTP/1.1 200 OK\r\n");
    assert_has(&reading, "\r\nCache-Control: no-cache\r\n");
    assert_has(&reading, "\r\nETag: \"v1\"\r\n");
    assert_null(strstr(buf_cstr(&reading.got), "X-Injected"));
    ask(&server, &reading,
        "GET /tagged HTTP/1.1\r\nHost: h\r\nIf-None-Match: \"v0\", W/\"v1\"\r\n\r\n", "\r\n\r\n");
    assert_has(&reading, "HTTP/1.1 304 Not Modified\r\n");
    assert_has(&reading, "\r\nETag: \"v1\"\r\n");
    assert_null(strstr(buf_cstr(&reading.got), "Content-"));
    ask(&server, &reading, "GET /tagged HTTP/1.1\r\nHost: h\r\nIf-None-Match: \"v2\"\r\n\r\n",
        "tagged");
    ask(&server, &reading, /* only reading has a short answer */
        "DELETE /tagged HTTP/1.1\r\nHost: h\r\nIf-None-Match: \"v1\"\r\n\r\n", "tagged");
    reading_done(&reading);
    server_done(&server);
}

static void a_file_has_headers_of_its_own(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    server.file = memfd_create("file", MFD_CLOEXEC);
    assert_int_equal(write(server.file, "all of it", 9), 9);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /file-tagged HTTP/1.1\r\nHost: h\r\n\r\n", "all of it");
    assert_has(&reading, "\r\nContent-Disposition: attachment\r\nETag: \"f1\"\r\n");
    ask(&server, &reading, "GET /file-tagged HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\n",
        "\r\n\r\n");
    assert_has(&reading, "HTTP/1.1 304 Not Modified\r\n");
    ask(&server, &reading, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", "fine");
    close(server.file);
    reading_done(&reading);
    server_done(&server);
}

static void gzip_is_sent_to_who_takes_it(void **state)
{
    static const struct {
        const char *header;
        const char *want;
    } cases[] = {
        {"", "no"},
        {"Accept-Encoding: gzip, deflate, br\r\n", "yes"},
        {"Accept-Encoding: br;q=1.0, GZIP;q=0.5\r\n", "yes"},
        {"Accept-Encoding: gzip;q=0\r\n", "no"},
        {"Accept-Encoding: gzip; q=0.000, *\r\n", "no"},
        {"Accept-Encoding: *\r\n", "yes"},
        {"Accept-Encoding: identity\r\n", "no"},
        {"Accept-Encoding: xgzip\r\n", "no"},
    };
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char request[200], want[16];
        snprintf(request, sizeof(request), "GET /gzip HTTP/1.1\r\nHost: h\r\n%s\r\n",
                 cases[i].header);
        snprintf(want, sizeof(want), "\r\n\r\n%s", cases[i].want);
        ask(&server, &reading, request, want);
    }
    reading_done(&reading);
    server_done(&server);
}

/* A POST of 80,000 bytes, of which `sent` come. */
static void put_large(int fd, const char *path, int sent)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: 80000\r\n\r\n", path);
    for (int i = 0; i < sent; i++)
        buf_add_char(&text, 'x');
    put(fd, buf_cstr(&text));
}

static void one_path_takes_a_larger_body(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    put_large(reading.fd, "/open", 80000);
    ask(&server, &reading, "", "fine");
    put_large(reading.fd, "/open", 80000); /* on the same connection again */
    ask(&server, &reading, "", "fine");
    put_large(reading.fd, "/other", 1);
    ask(&server, &reading, "", NULL);
    assert_has(&reading, "HTTP/1.1 413 Content Too Large\r\n");
    reading_done(&reading);
    reading = (Reading){.fd = dial(&server)};
    server.refuses_large = true;
    put_large(reading.fd, "/open", 1);
    ask(&server, &reading, "", NULL);
    assert_has(&reading, "HTTP/1.1 413 Content Too Large\r\n");
    reading_done(&reading);
    server.refuses_large = false;
    reading = (Reading){.fd = dial(&server)};
    CLEANUP(buf_done) Buf chunk = {0}; /* a length that is not told is counted */
    buf_add(&chunk,
            STR("POST /open HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n20000\r\n"));
    for (int i = 0; i < 90001; i++)
        buf_add_char(&chunk, 'x');
    ask(&server, &reading, buf_cstr(&chunk), NULL);
    assert_has(&reading, "HTTP/1.1 413 Content Too Large\r\n");
    reading_done(&reading);
    server_done(&server);
}

static void large_bodies_are_few_at_once(void **state)
{
    enum { AT_ONCE = 3 };
    Reading held[AT_ONCE];
    Server server;

    (void)state;
    server_open(&server);
    server.limits.large_bodies = AT_ONCE;
    server_listen(&server);
    for (int i = 0; i < AT_ONCE; i++) {
        held[i] = (Reading){.fd = dial(&server)};
        put_large(held[i].fd, "/open", 10);
    }
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", "fine");
    put_large(reading.fd, "/open", 10);
    ask(&server, &reading, "", NULL);
    assert_has(&reading, "HTTP/1.1 503 Service Unavailable\r\n");
    assert_has(&reading, "Retry-After: 2\r\n");
    reading_done(&reading);
    for (int i = 0; i < AT_ONCE; i++) /* who leaves in the middle gives the place back */
        reading_done(&held[i]);
    run_until(server.loop, nobody_is_there, &server);
    for (int i = 0; i < AT_ONCE + 1; i++) {
        reading = (Reading){.fd = dial(&server)};
        put_large(reading.fd, "/open", 80000);
        ask(&server, &reading, "", "fine");
        reading_done(&reading);
    }
    server_done(&server);
}

static void a_request_that_is_none_is_answered_and_the_connection_closed(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "\x16\x03\x01 hello over TLS\r\n\r\n", NULL);
    assert_has(&reading, "HTTP/1.1 400 Bad Request\r\n");
    assert_has(&reading, "Connection: close\r\n");
    reading_done(&reading);
    server_done(&server);
}

static bool later_has_come(void *user)
{
    return ((Server *)user)->later != NULL;
}

static void an_answer_may_come_later_and_the_next_request_waits(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    put(reading.fd, "GET /later HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n");
    run_until(server.loop, later_has_come, &server);
    assert_string_equal(buf_cstr(&server.log), "GET /later? |");
    web_reply(server.later, 200, "text/plain", STR("at last"));
    assert_string_equal(buf_cstr(&server.log), "GET /later? |"); /* not from inside */
    ask(&server, &reading, "", "fine");
    assert_has(&reading, "at last");
    reading_done(&reading);
    server_done(&server);
}

static void a_peer_that_left_before_its_answer_does_no_harm(void **state)
{
    Server server;
    struct linger none = {.l_onoff = 1};

    (void)state;
    server_start(&server);
    int fd = dial(&server);
    put(fd, "GET /later HTTP/1.1\r\nHost: h\r\n\r\n");
    run_until(server.loop, later_has_come, &server);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    close(fd);
    web_reply(server.later, 200, "text/plain", STR("at last"));
    run_until(server.loop, nobody_is_there, &server);
    server_done(&server);
}

static void a_large_answer_comes_whole_and_holds_the_next_request_back(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading,
        "GET /large HTTP/1.1\r\nHost: h\r\n\r\nGET /x HTTP/1.1\r\nHost: h\r\nConnection: "
        "close\r\n\r\n",
        NULL);
    assert_in_range(reading.got.len, 3000000, 3001000);
    assert_has(&reading, "fine");
    reading_done(&reading);
    server_done(&server);
}

static void a_peer_that_breaks_off_while_its_answer_waits_is_noticed(void **state)
{
    Server server;
    struct linger none = {.l_onoff = 1};

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    int buffer = 4096;
    setsockopt(reading.fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
    ask(&server, &reading, "GET /large HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 200");
    setsockopt(reading.fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    reading_done(&reading);
    run_until(server.loop, nobody_is_there, &server);
    server_done(&server);
}

/* ---- files ---- */

/* A file of numbers, eight bytes each. */
static int numbers_file(unsigned count)
{
    int fd = memfd_create("numbers", MFD_CLOEXEC);
    char line[16];
    CLEANUP(buf_done) Buf text = {0};

    assert_true(fd >= 0);
    for (unsigned i = 0; i < count; i++) {
        snprintf(line, sizeof(line), "%07u\n", i % 10000000);
        buf_add(&text, str_of(line));
    }
    assert_int_equal(write(fd, text.bytes, text.len), text.len);
    return fd;
}

static void assert_numbers(const Reading *reading, unsigned count)
{
    const char *body = strstr(buf_cstr(&reading->got), "\r\n\r\n") + 4;

    for (unsigned i = 0; i < count; i++)
        assert_int_equal(strtoul(body + (size_t)8 * i, NULL, 10), i);
}

static void a_file_comes_whole_in_blocks_and_the_next_request_waits(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    server.file = numbers_file(500000);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading,
        "HEAD /file HTTP/1.1\r\nHost: h\r\n\r\nGET /file HTTP/1.1\r\nHost: h\r\n\r\n"
        "GET /x HTTP/1.1\r\nHost: h\r\n\r\n",
        "fine");
    assert_has(&reading, "Content-Length: 4000000\r\n");
    char *second = strstr(strstr(buf_cstr(&reading.got), "\r\n\r\n") + 4, "HTTP/1.1 200");
    Reading of_file = {.got = {.bytes = second, .len = strlen(second), .room = SIZE_MAX}};
    assert_numbers(&of_file, 500000);
    assert_int_equal(web_waiting_bytes(server.web), 0);
    ask(&server, &reading, "GET /file HTTP/1.0\r\n\r\n", NULL); /* ends with the connection */
    assert_numbers(&reading, 500000);
    reading_done(&reading);
    run_until(server.loop, nobody_is_there, &server);
    close(server.file);
    server_done(&server);
}

static void a_file_that_is_cut_while_it_is_sent_breaks_the_connection_off(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    server.file = numbers_file(4000000);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /file HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 200");
    assert_int_equal(ftruncate(server.file, 1000), 0);
    reading.want = NULL;
    run_until(server.loop, reading_is_done, &reading);
    assert_true(reading.got.len < 32000000);
    reading_done(&reading);
    run_until(server.loop, nobody_is_there, &server);
    close(server.file);
    server_done(&server);
}

/* Chunks, up to the last one, as the bytes that they are of. */
static void join_chunks(const char *text, Buf *out)
{
    unsigned long bytes;

    do {
        char *line = NULL;
        bytes = strtoul(text, &line, 16);
        assert_true(strncmp(line, "\r\n", 2) == 0);
        buf_add(out, (Str){line + 2, bytes});
        text = line + 2 + bytes;
        assert_true(strncmp(text, "\r\n", 2) == 0);
        text += 2;
    } while (bytes);
}

static void a_source_comes_whole_in_chunks_and_the_next_request_waits(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    server.pieces = 500;
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading,
        "HEAD /source HTTP/1.1\r\nHost: h\r\n\r\nGET /source HTTP/1.1\r\nHost: h\r\n\r\n"
        "GET /x HTTP/1.1\r\nHost: h\r\n\r\n",
        "fine");
    assert_has(&reading, "Transfer-Encoding: chunked\r\n");
    assert_null(strstr(buf_cstr(&reading.got), "Content-Length: 4000000"));
    char *second = strstr(strstr(buf_cstr(&reading.got), "\r\n\r\n") + 4, "HTTP/1.1 200");
    Reading joined = {.got = {0}};
    buf_add(&joined.got, STR("\r\n\r\n"));
    join_chunks(strstr(second, "\r\n\r\n") + 4, &joined.got);
    assert_int_equal(joined.got.len, 4 + 4000000);
    assert_numbers(&joined, 500000);
    buf_done(&joined.got);
    assert_int_equal(server.gone, 2);
    assert_int_equal(web_waiting_bytes(server.web), 0);
    ask(&server, &reading, "GET /source HTTP/1.0\r\n\r\n", NULL); /* ends with the connection */
    assert_null(strstr(buf_cstr(&reading.got), "chunked"));
    assert_numbers(&reading, 500000);
    assert_int_equal(server.gone, 3);
    reading_done(&reading);
    run_until(server.loop, nobody_is_there, &server);
    server_done(&server);
}

static void a_source_that_can_not_go_on_is_not_taken_for_whole(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    server.pieces = 500;
    server.breaks = 20;
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /source HTTP/1.1\r\nHost: h\r\n\r\n", NULL);
    assert_null(strstr(buf_cstr(&reading.got), "\r\n0\r\n\r\n"));
    assert_int_equal(server.gone, 1);
    reading_done(&reading);
    run_until(server.loop, nobody_is_there, &server);
    server_done(&server);
}

static void a_source_waits_for_a_peer_that_does_not_read(void **state)
{
    Server server;
    int buffer = 4096;

    (void)state;
    server_start(&server);
    server.pieces = UINT32_MAX; /* would never end */
    Reading idler = {.fd = dial(&server)}, reading = {.fd = dial(&server)};
    assert_int_equal(setsockopt(idler.fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer)), 0);
    put(idler.fd, "GET /source HTTP/1.1\r\nHost: h\r\n\r\n");
    for (unsigned i = 0; i < 2000; i++) /* others are answered, and it makes no more and no more */
        ask(&server, &reading, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", "fine");
    assert_true(server.made > 0);
    assert_true(server.made < 1000); /* 8 MB: what the kernel takes */
    assert_true(web_waiting_bytes(server.web) <= WEB_BLOCK_BYTES);
    reading_done(&idler);
    while (!server.gone)
        ask(&server, &reading, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", "fine");
    put(reading.fd, "GET /source HTTP/1.1\r\nHost: h\r\n\r\n");
    while (!server.made)
        ask(&server, &reading, "", "HTTP/1.1 200");
    server.web = web_free(server.web);
    assert_int_equal(server.gone, 2);
    reading_done(&reading);
    server_done(&server);
}

enum { IDLERS = 50 };

/* All idlers have asked, and are sent what the kernel takes: somebody waits for room. */
static bool room_is_taken(void *user)
{
    const Server *server = user;

    return server->log.len >= IDLERS * strlen("GET /file? |") &&
           web_waiting_bytes(server->web) > server->limits.room_bytes - WEB_BLOCK_BYTES;
}

static void readers_who_do_not_read_hold_no_more_than_the_budget(void **state)
{
    Server server;
    int idlers[IDLERS];
    int buffer = 4096;

    (void)state;
    server_open(&server);
    server.limits.room_bytes = server.limits.room_each = 8 * WEB_BLOCK_BYTES;
    server_listen(&server);
    server.file = numbers_file(2000000); /* 16 MB: it would be 800 */
    for (size_t i = 0; i < IDLERS; i++) {
        idlers[i] = dial(&server);
        if (i > 0)
            setsockopt(idlers[i], SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
        put(idlers[i], "GET /file HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    run_until(server.loop, room_is_taken, &server);
    assert_in_range(web_waiting_bytes(server.web), 1, 8 * WEB_BLOCK_BYTES);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", "fine"); /* what is short comes */
    ask(&server, &reading, "GET /large HTTP/1.1\r\nHost: h\r\n\r\n", "\r\n\r\n");
    assert_has(&reading, "HTTP/1.1 503 ");
    assert_has(&reading, "\r\nRetry-After: ");
    for (size_t i = 1; i < IDLERS; i++)
        close(idlers[i]);
    Reading last = {.fd = idlers[0]}; /* who reads after all gets the whole of it */
    ask(&server, &last, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", "fine");
    assert_numbers(&last, 2000000);
    assert_int_equal(web_waiting_bytes(server.web), 0);
    reading_done(&last);
    reading_done(&reading);
    run_until(server.loop, nobody_is_there, &server);
    close(server.file);
    server_done(&server);
}

static void a_body_that_waits_for_continue_gets_it(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading,
        "POST /c HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n",
        "\r\n\r\n");
    assert_string_equal(buf_cstr(&reading.got), "HTTP/1.1 100 Continue\r\n\r\n");
    ask(&server, &reading, "abc", "fine");
    assert_string_equal(buf_cstr(&server.log), "POST /c? abc|");
    reading_done(&reading);
    server_done(&server);
}

static void a_head_that_does_not_end_is_given_up(void **state)
{
    Server server;

    (void)state;
    server_open(&server);
    server.limits.head_time = 50000;
    server_listen(&server);
    Reading silent = {.fd = dial(&server)};
    Reading slow = {.fd = dial(&server)};
    ask(&server, &slow, "GET / HTTP/1.1\r\nHos", NULL);
    assert_has(&slow, "HTTP/1.1 408 Request Timeout\r\n");
    run_until(server.loop, reading_is_done, &silent);
    assert_int_equal(silent.got.len, 0);
    reading_done(&slow);
    reading_done(&silent);
    run_until(server.loop, nobody_is_there, &server);
    server_done(&server);
}

static void an_idle_connection_is_closed_without_a_word(void **state)
{
    Server server;

    (void)state;
    server_open(&server);
    server.limits.idle_time = 50000;
    server_listen(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET / HTTP/1.1\r\nHost: h\r\n\r\n", NULL);
    assert_string_equal(strstr(buf_cstr(&reading.got), "\r\n\r\n"), "\r\n\r\nfine");
    reading_done(&reading);
    server_done(&server);
}

static void a_file_is_answered(void **state)
{
    Server server;
    char path[] = "/tmp/warg-web-XXXXXX";
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    unlink(path);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(write(file, "0123456789", 10), 10);
    lseek(file, 0, SEEK_SET);
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    put(reading.fd, "GET /later HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    run_until(server.loop, later_has_come, &server);
    web_reply_file(server.later, file, "video/mp2t");
    ask(&server, &reading, "", NULL);
    assert_has(&reading, "Content-Length: 50000\r\n");
    assert_has(&reading, "Content-Type: video/mp2t\r\n");
    reading_done(&reading);
    close(file);
    server_done(&server);
}

static void the_server_may_be_freed_in_a_request(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    server.free_in_request = true;
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
        NULL);
    assert_string_equal(buf_cstr(&server.log), "GET /? |");
    reading_done(&reading);
    server_done(&server);
}

/* ---- streams ---- */

static bool first_closed(void *user)
{
    return ((Server *)user)->sockets[0].closed > 0;
}

static void a_stream_goes_on_until_it_is_ended(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n", "data: 1\n\n");
    assert_has(&reading, "Content-Type: text/event-stream\r\n");
    assert_null(strstr(buf_cstr(&reading.got), "Content-Length"));
    web_stream_send(server.sockets[0].conn, STR("data: 2\n\n"));
    web_stream_end(server.sockets[0].conn);
    ask(&server, &reading, "", NULL);
    assert_has(&reading, "data: 2\n\n");
    assert_int_equal(server.sockets[0].closed, 0);
    reading_done(&reading);
    server_done(&server);
}

static void the_reader_of_a_stream_that_leaves_is_noticed(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n", "data: 1\n\n");
    reading_done(&reading);
    run_until(server.loop, first_closed, &server);
    assert_int_equal(server.sockets[0].how, WEB_CLOSED);
    server_done(&server);
}

/* ---- WebSockets ---- */

typedef struct Client {
    Loop *loop;
    WebClient *web;
    Buf heard;
    Buf why;
    int messages;
    int opened;
    int ended;
    unsigned status;
    uint16_t code;
    bool free_in_message;
    bool free_in_ended;
} Client;

static void client_opened(void *user)
{
    ((Client *)user)->opened++;
}

static void client_message(void *user, Str text, TimeUs at)
{
    Client *client = user;

    assert_true(at > 0);
    client->messages++;
    buf_add(&client->heard, text);
    buf_add_char(&client->heard, '|');
    if (client->free_in_message)
        client->web = web_client_free(client->web);
}

static void client_ended(void *user, unsigned status, uint16_t code, Str why)
{
    Client *client = user;

    client->ended++;
    client->status = status;
    client->code = code;
    buf_add(&client->why, why);
    if (client->free_in_ended)
        client->web = web_client_free(client->web);
}

static const WebClientEvents client_events = {client_opened, client_message, client_ended};

static void client_open(Client *client, Server *server, const char *path)
{
    char url[128];

    memset(client, 0, sizeof(*client));
    client->loop = server->loop;
    snprintf(url, sizeof(url), "ws://127.0.0.1:%u%s", web_port(server->web), path);
    assert_int_equal(
        web_client_open(server->loop, url, "token", &client_events, client, &client->web, NULL), 0);
}

static void client_done(Client *client)
{
    web_client_free(client->web);
    buf_done(&client->heard);
    buf_done(&client->why);
}

static bool client_is_open(void *user)
{
    return ((Client *)user)->opened > 0;
}

static bool client_has_ended(void *user)
{
    return ((Client *)user)->ended > 0;
}

static bool client_heard(void *user)
{
    return ((Client *)user)->messages > 0;
}

static void messages_go_both_ways(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    client_open(&client, &server, "/ws?greet");
    run_until(server.loop, client_heard, &client);
    assert_string_equal(buf_cstr(&client.heard), "hello|");
    client.messages = 0;
    web_client_send(client.web, STR("bare text\n"));
    run_until(server.loop, client_heard, &client);
    assert_string_equal(buf_cstr(&client.heard), "hello|bare text\n|");
    assert_string_equal(buf_cstr(&server.sockets[0].heard), "bare text\n|");
    assert_true(server.sockets[0].at > 0);
    web_ping(server.sockets[0].conn);
    web_client_close(client.web, 4242, "done");
    run_until(server.loop, first_closed, &server);
    assert_int_equal(server.sockets[0].how, WEB_CLOSED);
    assert_int_equal(server.sockets[0].code, 4242);
    assert_int_equal(client.ended, 0);
    assert_int_equal(web_open_count(server.web), 0);
    client_done(&client);
    server_done(&server);
}

static void invalid_text_is_replaced_on_receipt(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    client_open(&client, &server, "/ws");
    run_until(server.loop, client_is_open, &client);
    web_client_send(client.web, STR("a\xFF\xE3\x81z"));
    run_until(server.loop, client_heard, &client);
    assert_string_equal(buf_cstr(&client.heard), "a\xEF\xBF\xBD\xEF\xBF\xBDz|");
    client_done(&client);
    server_done(&server);
}

static void large_messages_go_through_and_too_large_ones_end_it(void **state)
{
    Server server;
    Client client;
    size_t size = 65536; /* the default, which documents name */
    char *text = mem_new(size + 1);

    (void)state;
    memset(text, 'x', size + 1);
    server_start(&server);
    client_open(&client, &server, "/ws");
    run_until(server.loop, client_is_open, &client);
    web_client_send(client.web, (Str){text, size});
    run_until(server.loop, client_heard, &client);
    assert_int_equal(client.heard.len, size + 1);
    assert_int_equal(client.ended, 0);
    web_client_send(client.web, (Str){text, size + 1});
    run_until(server.loop, client_has_ended, &client);
    assert_int_equal(client.code, WEBSOCKET_TOO_BIG);
    assert_int_equal(server.sockets[0].how, WEB_PROTOCOL);
    client_done(&client);
    server_done(&server);
    mem_free(text);
}

static void the_server_closes_with_code_and_reason(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    client_open(&client, &server, "/ws?bye");
    client.free_in_ended = true;
    run_until(server.loop, client_has_ended, &client);
    assert_int_equal(client.opened, 1);
    assert_int_equal(client.status, 101);
    assert_int_equal(client.code, 4001);
    assert_string_equal(buf_cstr(&client.why), "closed by the server, code 4001: go away");
    assert_int_equal(server.sockets[0].closed, 0);
    client_done(&client);
    server_done(&server);
}

static void a_socket_may_be_closed_in_its_message(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    server.close_in_message = true;
    client_open(&client, &server, "/ws");
    run_until(server.loop, client_is_open, &client);
    web_client_send(client.web, STR("one"));
    web_client_send(client.web, STR("two"));
    run_until(server.loop, client_has_ended, &client);
    assert_string_equal(buf_cstr(&server.sockets[0].heard), "one|");
    assert_int_equal(client.code, 1000);
    client_done(&client);
    server_done(&server);
}

static void the_server_may_be_freed_in_a_message(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    server.free_in_message = true;
    client_open(&client, &server, "/ws");
    run_until(server.loop, client_is_open, &client);
    web_client_send(client.web, STR("one"));
    web_client_send(client.web, STR("two"));
    run_until(server.loop, client_has_ended, &client);
    assert_int_equal(client.code, 1006);
    assert_null(server.web);
    client_done(&client);
    server_done(&server);
}

static void a_client_may_be_freed_in_its_message(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    server.send_in_closed = true;
    client_open(&client, &server, "/ws?greet");
    client.free_in_message = true;
    run_until(server.loop, first_closed, &server);
    assert_int_equal(server.sockets[0].code, 1000);
    assert_int_equal(client.ended, 0);
    client_done(&client);
    server_done(&server);
}

static void a_refused_client_learns_the_status(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    client_open(&client, &server, "/missing");
    run_until(server.loop, client_has_ended, &client);
    assert_int_equal(client.status, 404);
    assert_int_equal(client.opened, 0);
    client_done(&client);
    server_done(&server);
}

static void a_client_without_a_server_learns_that(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    uint16_t port = web_port(server.web);
    char url[64];
    web_stop_listening(server.web);
    snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws", port);
    memset(&client, 0, sizeof(client));
    assert_int_equal(
        web_client_open(server.loop, url, NULL, &client_events, &client, &client.web, NULL), 0);
    run_until(server.loop, client_has_ended, &client);
    assert_int_equal(client.status, 0);
    assert_string_equal(buf_cstr(&client.why), "no connection");
    client_done(&client);
    server_done(&server);
}

static void a_url_that_is_none_is_refused(void **state)
{
    static const char *const urls[] = {
        "http://a/", "ws://", "ws:///x", "ws://a:0/", "ws://a:99999/", "ws://a b/", "ws://[::1]x/",
    };
    Server server;
    WebClient *client;

    (void)state;
    server_start(&server);
    for (size_t i = 0; i < sizeof(urls) / sizeof(*urls); i++)
        assert_int_equal(
            web_client_open(server.loop, urls[i], NULL, &client_events, NULL, &client, NULL),
            ERR_USAGE);
    assert_int_equal(web_client_open(server.loop, "ws://127.0.0.1:1/", "a\nb", &client_events, NULL,
                                     &client, NULL),
                     ERR_USAGE);
    server_done(&server);
}

#define UPGRADE                                                                                    \
    "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"     \
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

static void frames_behind_the_upgrade_are_not_lost(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, UPGRADE "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", "Hello");
    assert_has(&reading, "HTTP/1.1 101 Switching Protocols\r\n");
    assert_has(&reading, "\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n");
    assert_string_equal(buf_cstr(&server.sockets[0].heard), "Hello|");
    reading_done(&reading);
    run_until(server.loop, first_closed, &server);
    assert_int_equal(server.sockets[0].how, WEB_BROKEN);
    assert_int_equal(server.sockets[0].code, 1006);
    server_done(&server);
}

/* The first lines of the answer to an upgrade with this version line and key. */
static void ask_upgrade(Server *server, const char *version, const char *key, const char *want)
{
    Reading reading = {.fd = dial(server)};
    char request[256];

    snprintf(request, sizeof(request),
             "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "%sSec-WebSocket-Key: %s\r\n\r\n",
             version, key);
    ask(server, &reading, request, "\r\n\r\n");
    assert_has(&reading, want);
    assert_has(&reading, "Sec-WebSocket-Version: 13\r\n");
    assert_int_equal(server->socket_count, 0);
    reading_done(&reading);
}

static void an_upgrade_that_is_wrong_is_answered_400(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    ask_upgrade(&server, "Sec-WebSocket-Version: 13\r\n", "short", "HTTP/1.1 400 Bad Request\r\n");
    ask_upgrade(&server, "", "dGhlIHNhbXBsZSBub25jZQ==", "HTTP/1.1 400 Bad Request\r\n");
    server_done(&server);
}

/* RFC 6455 4.4, RFC 9110 15.5.22. */
static void another_version_of_websocket_is_answered_426_with_ours(void **state)
{
    static const char *const others[] = {"8", "0", "14", "13, 8", "x"};
    Server server;

    (void)state;
    server_start(&server);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        char version[64];

        snprintf(version, sizeof(version), "Sec-WebSocket-Version: %s\r\n", others[i]);
        ask_upgrade(&server, version,
                    "dGhlIHNhbXBsZSBub25jZQ==", "HTTP/1.1 426 Upgrade Required\r\n");
        ask_upgrade(&server, version,
                    "dGhlIHNhbXBsZSBub25jZQ==", "Upgrade: websocket\r\nConnection: Upgrade\r\n");
    }
    server_done(&server);
}

static void frames_against_the_rules_get_a_close_frame(void **state)
{
    Server server;

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, UPGRADE "\x81\x05Hello", NULL); /* without a mask */
    assert_has(&reading, "\x88\x28\x03\xEA"
                         "a frame from the client");
    assert_int_equal(server.sockets[0].how, WEB_PROTOCOL);
    reading_done(&reading);
    server_done(&server);
}

static void a_reset_is_reported_once(void **state)
{
    Server server;
    struct linger none = {.l_onoff = 1};

    (void)state;
    server_start(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, UPGRADE, "\r\n\r\n");
    setsockopt(reading.fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    reading_done(&reading);
    web_send(server.sockets[0].conn, STR("x"));
    web_send(server.sockets[0].conn, STR("y"));
    assert_int_equal(server.sockets[0].closed, 0);
    run_until(server.loop, first_closed, &server);
    assert_int_equal(server.sockets[0].closed, 1);
    assert_int_equal(server.sockets[0].how, WEB_BROKEN);
    server_done(&server);
}

static void a_peer_that_does_not_read_is_stuck(void **state)
{
    Server server;
    char text[65536];

    (void)state;
    memset(text, 'x', sizeof(text));
    server_open(&server);
    server.limits.queued_bytes = 1 << 20;
    server_listen(&server);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, UPGRADE, "\r\n\r\n");
    WebConn *conn = server.sockets[0].conn;
    assert_true(web_stuck_since(conn) == TIME_US_NEVER);
    while (!web_queued(conn))
        web_send(conn, (Str){text, sizeof(text)});
    assert_true(web_stuck_since(conn) <= loop_now());
    for (int i = 0; i < 32; i++)
        web_send(conn, (Str){text, sizeof(text)});
    assert_int_equal(server.sockets[0].closed, 0);
    run_until(server.loop, first_closed, &server);
    assert_int_equal(server.sockets[0].how, WEB_STUCK);
    reading_done(&reading);
    server_done(&server);
}

static void connections_over_the_limit_are_closed(void **state)
{
    Server server;

    (void)state;
    server_open(&server);
    server.limits.connections = 1;
    server_listen(&server);
    Reading one = {.fd = dial(&server)};
    run_until(server.loop, somebody_is_there, &server);
    Reading two = {.fd = dial(&server)};
    run_until(server.loop, reading_is_done, &two);
    assert_int_equal(web_open_count(server.web), 1);
    reading_done(&one);
    reading_done(&two);
    server_done(&server);
}

static void the_loop_ends_when_the_last_connection_of_a_stopped_server_does(void **state)
{
    Server server;
    Client client;

    (void)state;
    server_start(&server);
    client_open(&client, &server, "/ws");
    run_until(server.loop, client_is_open, &client);
    Reading reading = {.fd = dial(&server)};
    ask(&server, &reading, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", NULL);
    reading_done(&reading);
    web_stop_listening(server.web);
    web_close(server.sockets[0].conn, 1001, "going away");
    TimeUs start = loop_now();
    loop_run(server.loop);
    assert_true(loop_now() - start < 60000000);
    assert_int_equal(client.code, 1001);
    client_done(&client);
    server_done(&server);
}

/* ---- peers that do anything ---- */

static void turn(void *user, TimeUs now)
{
    (void)now;
    loop_stop(user);
}

/* Something a peer may send, or a part of it. */
static void send_something(int fd, Rng *rng)
{
    static const char *const texts[] = {
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /large HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /later HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
        "HEAD / HTTP/1.1\r\nHost: h\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        UPGRADE,
        UPGRADE,
        "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58",
        "\x89\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58",
        "\x88\x82\x01\x01\x01\x01\x02\xe9",
        "\x81\x05Hello",
        "garbage\r\n\r\n",
    };
    const char *text = texts[rng_below(rng, sizeof(texts) / sizeof(*texts))];
    size_t n = strlen(text);

    if (rng_below(rng, 4) == 0)
        n = rng_below(rng, (uint32_t)n);
    send(fd, text, n, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void do_something(Server *server, int *fd, Rng *rng)
{
    struct linger none = {.l_onoff = 1};
    char block[65536];

    if (*fd < 0) {
        *fd = dial(server);
        return;
    }
    switch (rng_below(rng, 12)) {
    case 0:
        setsockopt(*fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
        __attribute__((fallthrough));
    case 1:
        close(*fd);
        *fd = -1;
        break;
    case 2:
        shutdown(*fd, SHUT_WR);
        break;
    case 3:
    case 4:
        recv(*fd, block, sizeof(block), MSG_DONTWAIT);
        break;
    default:
        send_something(*fd, rng);
        break;
    }
}

/* What the owner may do from outside of a callback. */
static void act_as_owner(Server *server, Rng *rng)
{
    if (server->later) {
        WebConn *conn = server->later;
        server->later = NULL;
        web_reply(conn, 200, "text/plain", STR("late"));
    }
    if (!server->socket_count)
        return;
    Socket *socket = &server->sockets[rng_below(rng, (uint32_t)server->socket_count)];
    if (!socket->conn)
        return;
    if (rng_below(rng, 4)) { /* of each pair one does nothing: a stream is no WebSocket */
        web_send(socket->conn, STR("from outside"));
        web_stream_send(socket->conn, STR("data: x\n\n"));
        web_ping(socket->conn);
    } else if (socket->is_stream) {
        web_stream_end(socket->conn);
        socket->conn = NULL;
    } else {
        web_close(socket->conn, 1000, "");
        socket->conn = NULL;
    }
}

static bool all_is_over(void *user)
{
    Server *server = user;

    if (server->later) {
        WebConn *conn = server->later;
        server->later = NULL;
        web_reply(conn, 200, "text/plain", STR("late"));
    }
    return web_open_count(server->web) == 0;
}

static void whatever_peers_do_each_socket_ends_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Server server;
        Rng rng = rng_new(seed);
        Timer *timer;
        int fds[6] = {-1, -1, -1, -1, -1, -1};

        server_start(&server);
        assert_int_equal(timer_new(server.loop, turn, server.loop, &timer, NULL), 0);
        for (int step = 0; step < 200; step++) {
            do_something(&server, &fds[rng_below(&rng, 6)], &rng);
            act_as_owner(&server, &rng);
            if (rng_below(&rng, 2)) {
                timer_at(timer, 0, false);
                loop_run(server.loop);
            }
        }
        for (size_t i = 0; i < 6; i++) {
            if (fds[i] >= 0)
                close(fds[i]);
        }
        Reading last = {.fd = dial(&server)}; /* those that came before it are taken before it */
        ask(&server, &last, "GET / HTTP/1.0\r\n\r\n", NULL);
        reading_done(&last);
        run_until(server.loop, all_is_over, &server);
        for (size_t i = 0; i < server.socket_count; i++) {
            if (server.sockets[i].conn || server.sockets[i].closed > 1)
                fail_msg("seed %u: socket %zu", (unsigned)seed, i);
        }
        timer_free(timer);
        server_done(&server);
    }
}

/* ---- TLS ---- */

typedef struct Secure {
    Server server;
    Cert cert;
    TlsTrust *trust;
} Secure;

static void secure_start(Secure *secure)
{
    cert_make(&secure->cert);
    server_open(&secure->server);
    assert_int_equal(
        tls_server_new(secure->cert.cert_path, secure->cert.key_path, &secure->server.tls, NULL),
        0);
    assert_int_equal(tls_trust_new(secure->cert.cert_path, &secure->trust, NULL), 0);
    server_listen(&secure->server);
}

static void secure_done(Secure *secure)
{
    server_done(&secure->server);
    tls_trust_free(secure->trust);
    cert_done(&secure->cert);
}

static void secure_client(Client *client, Secure *secure, const char *host, TlsTrust *trust)
{
    char url[128];

    memset(client, 0, sizeof(*client));
    client->loop = secure->server.loop;
    snprintf(url, sizeof(url), "wss://%s:%u/ws?greet", host, web_port(secure->server.web));
    assert_int_equal(web_client_open_trusting(secure->server.loop, url, NULL, trust, &client_events,
                                              client, &client->web, NULL),
                     0);
}

static void messages_go_both_ways_over_tls(void **state)
{
    Secure secure;
    Client client;
    size_t size = web_default_limits.message_bytes;
    char *text = mem_new(size);

    (void)state;
    memset(text, 'x', size);
    secure_start(&secure);
    secure_client(&client, &secure, "127.0.0.1", secure.trust);
    run_until(secure.server.loop, client_heard, &client);
    assert_string_equal(buf_cstr(&client.heard), "hello|");
    client.messages = 0;
    web_client_send(client.web, (Str){text, size});
    run_until(secure.server.loop, client_heard, &client);
    assert_int_equal(client.heard.len, size + 7);
    web_close(secure.server.sockets[0].conn, 4000, "over");
    run_until(secure.server.loop, client_has_ended, &client);
    assert_int_equal(client.code, 4000);
    client_done(&client);
    secure_done(&secure);
    mem_free(text);
}

static void a_client_that_closes_over_tls_is_noticed(void **state)
{
    Secure secure;
    Client client;

    (void)state;
    secure_start(&secure);
    secure_client(&client, &secure, "localhost", secure.trust);
    run_until(secure.server.loop, client_heard, &client);
    web_client_close(client.web, 1000, "");
    run_until(secure.server.loop, first_closed, &secure.server);
    assert_int_equal(secure.server.sockets[0].how, WEB_CLOSED);
    assert_int_equal(secure.server.sockets[0].code, 1000);
    client_done(&client);
    secure_done(&secure);
}

static void a_server_that_nobody_vouches_for_is_not_talked_to(void **state)
{
    Secure secure;
    Client client;

    (void)state;
    secure_start(&secure);
    secure_client(&client, &secure, "127.0.0.1", NULL); /* the system's certificates */
    run_until(secure.server.loop, client_has_ended, &client);
    assert_int_equal(client.status, 0);
    assert_non_null(strstr(buf_cstr(&client.why), "certificate is not accepted"));
    run_until(secure.server.loop, nobody_is_there, &secure.server);
    assert_int_equal(secure.server.log.len, 0);
    client_done(&client);
    secure_done(&secure);
}

static void plain_http_to_a_tls_port_ends(void **state)
{
    Secure secure;

    (void)state;
    secure_start(&secure);
    Reading reading = {.fd = dial(&secure.server)};
    ask(&secure.server, &reading, "GET / HTTP/1.1\r\nHost: h\r\n\r\n", NULL);
    assert_int_equal(secure.server.log.len, 0);
    reading_done(&reading);
    run_until(secure.server.loop, nobody_is_there, &secure.server);
    secure_done(&secure);
}

/* ---- memory ---- */

static size_t heap_used(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

typedef struct Crowd {
    Client *clients;
    size_t count;
    int opened;
} Crowd;

static bool crowd_is_open(void *user)
{
    Crowd *crowd = user;

    for (size_t i = 0; i < crowd->count; i++) {
        if (crowd->clients[i].messages == 0)
            return false;
    }
    return true;
}

static void a_thousand_idle_sockets_cost_little_on_both_sides(void **state)
{
    enum { COUNT = 1000 };
    Server server;
    Crowd crowd = {.clients = mem_new(COUNT * sizeof(Client)), .count = COUNT};
    struct rlimit files;

    (void)state;
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 2 * COUNT + 50) {
        files.rlim_cur = 2 * COUNT + 50;
        if (setrlimit(RLIMIT_NOFILE, &files)) {
            mem_free(crowd.clients);
            print_message("skipped: this system allows too few open files\n");
            skip();
        }
    }
    server_start(&server);
    size_t before = heap_used();
    for (int i = 0; i < COUNT; i++)
        client_open(&crowd.clients[i], &server, "/ws?greet");
    run_until(server.loop, crowd_is_open, &crowd);
    size_t pair = (heap_used() - before) / COUNT;
    for (int i = 0; i < COUNT; i++)
        client_done(&crowd.clients[i]);
    run_until(server.loop, nobody_is_there, &server);
    size_t left = (heap_used() - before) / COUNT;
    print_message("%zu bytes of heap for a pair of idle WebSockets, %zu after both closed\n", pair,
                  left);
    if (pair) /* the allocator of a sanitizer doesn't count */
        assert_true(pair < 2 * 6 * 1024);
    assert_true(left < 1024);
    server_done(&server);
    mem_free(crowd.clients);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_of_one_connection_are_answered_one_by_one),
        cmocka_unit_test(options_are_answered_without_the_owner),
        cmocka_unit_test(an_answer_has_headers_of_its_own_and_who_has_it_gets_304),
        cmocka_unit_test(a_file_has_headers_of_its_own),
        cmocka_unit_test(gzip_is_sent_to_who_takes_it),
        cmocka_unit_test(one_path_takes_a_larger_body),
        cmocka_unit_test(large_bodies_are_few_at_once),
        cmocka_unit_test(a_request_that_is_none_is_answered_and_the_connection_closed),
        cmocka_unit_test(an_answer_may_come_later_and_the_next_request_waits),
        cmocka_unit_test(a_peer_that_left_before_its_answer_does_no_harm),
        cmocka_unit_test(a_large_answer_comes_whole_and_holds_the_next_request_back),
        cmocka_unit_test(a_peer_that_breaks_off_while_its_answer_waits_is_noticed),
        cmocka_unit_test(a_file_comes_whole_in_blocks_and_the_next_request_waits),
        cmocka_unit_test(a_file_that_is_cut_while_it_is_sent_breaks_the_connection_off),
        cmocka_unit_test(a_source_comes_whole_in_chunks_and_the_next_request_waits),
        cmocka_unit_test(a_source_that_can_not_go_on_is_not_taken_for_whole),
        cmocka_unit_test(a_source_waits_for_a_peer_that_does_not_read),
        cmocka_unit_test(readers_who_do_not_read_hold_no_more_than_the_budget),
        cmocka_unit_test(a_body_that_waits_for_continue_gets_it),
        cmocka_unit_test(a_head_that_does_not_end_is_given_up),
        cmocka_unit_test(an_idle_connection_is_closed_without_a_word),
        cmocka_unit_test(a_file_is_answered),
        cmocka_unit_test(the_server_may_be_freed_in_a_request),
        cmocka_unit_test(a_stream_goes_on_until_it_is_ended),
        cmocka_unit_test(the_reader_of_a_stream_that_leaves_is_noticed),
        cmocka_unit_test(messages_go_both_ways),
        cmocka_unit_test(invalid_text_is_replaced_on_receipt),
        cmocka_unit_test(large_messages_go_through_and_too_large_ones_end_it),
        cmocka_unit_test(the_server_closes_with_code_and_reason),
        cmocka_unit_test(a_socket_may_be_closed_in_its_message),
        cmocka_unit_test(the_server_may_be_freed_in_a_message),
        cmocka_unit_test(a_client_may_be_freed_in_its_message),
        cmocka_unit_test(a_refused_client_learns_the_status),
        cmocka_unit_test(a_client_without_a_server_learns_that),
        cmocka_unit_test(a_url_that_is_none_is_refused),
        cmocka_unit_test(frames_behind_the_upgrade_are_not_lost),
        cmocka_unit_test(an_upgrade_that_is_wrong_is_answered_400),
        cmocka_unit_test(another_version_of_websocket_is_answered_426_with_ours),
        cmocka_unit_test(frames_against_the_rules_get_a_close_frame),
        cmocka_unit_test(a_reset_is_reported_once),
        cmocka_unit_test(a_peer_that_does_not_read_is_stuck),
        cmocka_unit_test(connections_over_the_limit_are_closed),
        cmocka_unit_test(the_loop_ends_when_the_last_connection_of_a_stopped_server_does),
        cmocka_unit_test(whatever_peers_do_each_socket_ends_once),
        cmocka_unit_test(messages_go_both_ways_over_tls),
        cmocka_unit_test(a_client_that_closes_over_tls_is_noticed),
        cmocka_unit_test(a_server_that_nobody_vouches_for_is_not_talked_to),
        cmocka_unit_test(plain_http_to_a_tls_port_ends),
        cmocka_unit_test(a_thousand_idle_sockets_cost_little_on_both_sides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
