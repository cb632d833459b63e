/* Bodies that go to a sink, Unix sockets, cookies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/unix_socket.h"
#include "net/web.h"

#include "base/buf.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LIMIT 100000

typedef struct Server {
    Loop *loop;
    WebServer *web;
    WebLimits limits;
    WebConn *conn; /* whose body comes */
    WebSink sink;
    Timer *timer;
    Buf body;
    Buf log;
    unsigned done;
    WebBodyEnd how;
    uint64_t bytes;
    unsigned busy_for; /* pieces behind each of which the sink is busy for a moment */
    bool stops;        /* the sink answers 507 to its first piece */
    bool later;        /* the head is answered from the loop */
    WebConn *waiting;
    char path[80]; /* of a Unix socket */
} Server;

static bool take_piece(void *user, Str bytes)
{
    Server *server = user;

    buf_add(&server->body, bytes);
    if (server->stops) {
        web_body_stop(server->conn);
        web_reply(server->conn, 507, NULL, (Str){"", 0});
        return false;
    }
    if (!server->busy_for)
        return true;
    server->busy_for--;
    timer_in(server->timer, 2000);
    return false;
}

static void on_timer(void *user, TimeUs now)
{
    Server *server = user;

    (void)now;
    if (server->waiting) {
        server->conn = server->waiting;
        server->waiting = NULL;
        web_body_to(server->conn, &server->sink, LIMIT);
    } else if (!server->done) {
        web_body_go_on(server->conn);
    }
}

static void body_done(void *user, WebConn *conn, WebBodyEnd how, uint64_t bytes)
{
    static const unsigned statuses[] = {
        [WEB_BODY_WHOLE] = 201, [WEB_BODY_LONG] = 413, [WEB_BODY_SLOW] = 408, [WEB_BODY_BAD] = 400};
    Server *server = user;

    server->done++;
    server->how = how;
    server->bytes = bytes;
    server->conn = NULL;
    if (how == WEB_BODY_BROKEN)
        assert_null(conn);
    else
        web_reply(conn, statuses[how], "text/plain", STR("ended"));
}

static bool on_head(void *user, WebConn *conn, const WebRequest *head)
{
    Server *server = user;

    buf_printf(&server->log, "head %.*s|", STR_ARG(head->path));
    assert_int_equal(head->body.len, 0);
    if (str_eq(head->path, STR("/kept")))
        return false;
    if (str_eq(head->path, STR("/refused"))) {
        web_reply(conn, 401, "text/plain", STR("who are you?"));
        return true;
    }
    if (server->later) {
        server->waiting = conn;
        timer_in(server->timer, 2000);
        return true;
    }
    server->conn = conn;
    web_body_to(conn, &server->sink, LIMIT);
    return true;
}

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    Server *server = user;
    uint32_t who = 0;

    buf_printf(&server->log, "%.*s %.*s|", STR_ARG(request->method), STR_ARG(request->body));
    if (str_eq(request->path, STR("/who"))) {
        CLEANUP(buf_done) Buf text = {0};
        buf_printf(&text, "%s %d %u", request->peer, web_peer_user(conn, &who), who);
        web_reply(conn, 200, "text/plain", buf_str(&text));
    } else if (str_eq(request->path, STR("/cookie"))) {
        web_reply(conn, 200, "text/plain", web_cookie(request, "me"));
    } else {
        web_reply(conn, 200, "text/plain", STR("fine"));
    }
}

static void on_message(void *user, Str text, TimeUs at)
{
    (void)user, (void)text, (void)at;
}

static void on_closed(void *user, WebEnd how, uint16_t code, TimeUs now)
{
    (void)user, (void)how, (void)code, (void)now;
}

static const WebEvents events = {
    .request = on_request, .message = on_message, .closed = on_closed, .head = on_head};

static void listen_now(Server *server)
{
    const WebSetup setup = {.host = "127.0.0.1",
                            .unix_socket = server->path[0] ? server->path : NULL,
                            .limits = &server->limits,
                            .events = &events,
                            .user = server};
    Err err = {0};

    if (web_listen(server->loop, &setup, &server->web, &err))
        fail_msg("%s", err.msg);
}

static int set_up(void **state)
{
    Server *server = mem_new(sizeof(*server));

    *state = server;
    server->limits = web_default_limits;
    server->sink = (WebSink){take_piece, body_done, server};
    return loop_new(&server->loop, NULL) ||
           timer_new(server->loop, on_timer, server, &server->timer, NULL);
}

static int tear_down(void **state)
{
    Server *server = *state;

    web_free(server->web);
    loop_free(server->loop);
    buf_done(&server->body);
    buf_done(&server->log);
    if (server->path[0])
        unlink(server->path);
    mem_free(server);
    return 0;
}

/* ---- a bare client ---- */

static int dial(const Server *server)
{
    struct sockaddr_in tcp = {
        .sin_family = AF_INET,
        .sin_port = htons(web_port(server->web)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    bool is_local = server->path[0];
    int fd = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(local.sun_path, sizeof(local.sun_path), "%s", server->path);
    assert_true(fd >= 0);
    if (is_local)
        assert_int_equal(connect(fd, (struct sockaddr *)&local, sizeof(local)), 0);
    else
        assert_int_equal(connect(fd, (struct sockaddr *)&tcp, sizeof(tcp)), 0);
    return fd;
}

typedef struct Talk {
    Server *server;
    Timer *timer;
    int fd;
    Str sends;
    size_t at_once;   /* bytes sent in a turn; 0 = as many as go */
    const char *want; /* NULL = until the end */
    Buf got;
    bool ended;
    TimeUs limit;
} Talk;

static bool talk_is_over(const Talk *talk)
{
    return talk->want ? strstr(buf_cstr(&talk->got), talk->want) != NULL : talk->ended;
}

static void on_talk(void *user, TimeUs now)
{
    Talk *talk = user;
    char block[65536];
    ssize_t n;

    (void)now;
    if (talk->sends.len) {
        size_t want =
            talk->at_once && talk->at_once < talk->sends.len ? talk->at_once : talk->sends.len;
        n = send(talk->fd, talk->sends.bytes, want, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0)
            talk->sends = str_part(talk->sends, (size_t)n, SIZE_MAX);
    }
    while ((n = recv(talk->fd, block, sizeof(block), MSG_DONTWAIT)) > 0)
        buf_add(&talk->got, (Str){block, (size_t)n});
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK))
        talk->ended = true;
    if (talk_is_over(talk) || loop_now() > talk->limit)
        loop_stop(talk->server->loop);
    else
        timer_in(talk->timer, 1000);
}

/* Sends, and reads until `want` has come; the answer is in `talk`. */
static void run_talk(Talk *talk, Str sends, const char *want)
{
    buf_clear(&talk->got);
    talk->sends = sends;
    talk->want = want;
    talk->limit = loop_now() + 60000000;
    assert_int_equal(timer_new(talk->server->loop, on_talk, talk, &talk->timer, NULL), 0);
    timer_at(talk->timer, 0, false);
    loop_run(talk->server->loop);
    timer_free(talk->timer);
    if (!talk_is_over(talk))
        fail_msg("no '%s' in '%s'", want ? want : "end", buf_cstr(&talk->got));
}

static void talk_done(Talk *talk)
{
    close(talk->fd);
    buf_done(&talk->got);
}

static void assert_got(const Talk *talk, const char *text)
{
    if (!strstr(buf_cstr(&talk->got), text))
        fail_msg("'%s' is not in '%s'", text, buf_cstr(&talk->got));
}

static void add_request(Buf *out, const char *path, size_t length, const char *more)
{
    buf_printf(out, "PUT %s HTTP/1.1\r\nHost: h\r\nContent-Length: %zu\r\n%s\r\n", path, length,
               more);
}

static void add_bytes(Buf *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_add_char(out, (char)('a' + i % 26));
}

static bool body_is_right(const Server *server, size_t count)
{
    bool right = server->body.len == count;

    for (size_t i = 0; right && i < count; i++)
        right = server->body.bytes[i] == (char)('a' + i % 26);
    return right;
}

/* ---- tests ---- */

static void a_body_goes_to_the_sink_and_the_connection_lives_on(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server)};
    add_request(&request, "/file", LIMIT, "");
    add_bytes(&request, LIMIT);
    buf_add(&request, STR("GET /next HTTP/1.1\r\nHost: h\r\n\r\n"));
    run_talk(&talk, buf_str(&request), "fine");
    assert_got(&talk, "HTTP/1.1 201 Created");
    assert_true(body_is_right(server, LIMIT));
    assert_int_equal(server->done, 1);
    assert_int_equal(server->how, WEB_BODY_WHOLE);
    assert_int_equal(server->bytes, LIMIT);
    assert_string_equal(buf_cstr(&server->log), "head /file|GET |");
    talk_done(&talk);
}

static void a_body_may_come_in_any_pieces_and_in_chunks(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    listen_now(server);
    for (size_t at_once = 1; at_once < 9; at_once += 3) {
        Talk talk = {.server = server, .fd = dial(server), .at_once = at_once};
        buf_clear(&request);
        buf_clear(&server->body);
        buf_printf(&request, "PUT /f HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
        buf_printf(&request, "1a\r\n");
        add_bytes(&request, 26);
        buf_printf(&request, "\r\n0d\r\n");
        add_bytes(&request, 13);
        buf_printf(&request, "\r\n0\r\n\r\n");
        run_talk(&talk, buf_str(&request), "ended");
        assert_true(body_is_right(server, 39));
        talk_done(&talk);
    }
}

static void a_busy_sink_holds_the_peer_and_loses_nothing(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    server->busy_for = 20;
    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server), .at_once = 3000};
    add_request(&request, "/file", 90000, "");
    add_bytes(&request, 90000);
    run_talk(&talk, buf_str(&request), "ended");
    assert_true(body_is_right(server, 90000));
    assert_true(server->busy_for < 20); /* how often depends on how many pieces a read comes in */
    talk_done(&talk);
}

static void the_sink_may_come_later_than_the_head(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    server->later = true;
    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server)};
    add_request(&request, "/file", 5000, "");
    add_bytes(&request, 5000);
    run_talk(&talk, buf_str(&request), "ended");
    assert_true(body_is_right(server, 5000));
    talk_done(&talk);
}

static void a_body_over_the_limit_is_413_by_its_length_or_by_its_bytes(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    listen_now(server);
    Talk told = {.server = server, .fd = dial(server)};
    add_request(&request, "/file", LIMIT + 1, "Expect: 100-continue\r\n");
    run_talk(&told, buf_str(&request), "ended");
    assert_got(&told, "HTTP/1.1 413 ");
    assert_got(&told, "Connection: close");
    assert_null(strstr(buf_cstr(&told.got), "100 Continue"));
    assert_int_equal(server->body.len, 0);
    talk_done(&told);

    Talk chunked = {.server = server, .fd = dial(server)};
    buf_clear(&request);
    buf_printf(&request, "PUT /f HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n",
               LIMIT + 1);
    add_bytes(&request, LIMIT + 1);
    run_talk(&chunked, buf_str(&request), "ended");
    assert_got(&chunked, "HTTP/1.1 413 ");
    assert_true(server->body.len <= LIMIT);
    assert_int_equal(server->how, WEB_BODY_LONG);
    talk_done(&chunked);
}

static void who_waits_for_100_gets_it_before_the_body(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server)};
    add_request(&request, "/file", 3, "Expect: 100-continue\r\n");
    run_talk(&talk, buf_str(&request), "100 Continue");
    assert_int_equal(server->done, 0);
    run_talk(&talk, STR("abc"), "ended");
    assert_got(&talk, "201");
    talk_done(&talk);
}

static void what_is_answered_behind_the_head_ends_the_connection(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server)};
    add_request(&request, "/refused", 1 << 30, "");
    run_talk(&talk, buf_str(&request), NULL);
    assert_got(&talk, "HTTP/1.1 401 ");
    assert_got(&talk, "Connection: close");
    assert_got(&talk, "who are you?");
    talk_done(&talk);
}

static void a_sink_that_gives_up_has_answered_at_once(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    server->stops = true;
    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server)};
    add_request(&request, "/file", 50000, "");
    add_bytes(&request, 20000);
    run_talk(&talk, buf_str(&request), NULL);
    assert_got(&talk, "HTTP/1.1 507 ");
    assert_int_equal(server->done, 0);
    talk_done(&talk);
}

static void what_is_not_taken_is_kept_and_handed_over_whole(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server), .at_once = 7};
    add_request(&request, "/kept", 5, "Expect: 100-continue\r\n");
    run_talk(&talk, buf_str(&request), "100 Continue");
    run_talk(&talk, STR("abcde"), "fine");
    assert_string_equal(buf_cstr(&server->log), "head /kept|PUT abcde|");
    talk_done(&talk);
    Talk large = {.server = server, .fd = dial(server)};
    buf_clear(&request);
    add_request(&request, "/kept", 65537, "");
    run_talk(&large, buf_str(&request), NULL);
    assert_got(&large, "HTTP/1.1 413 ");
    talk_done(&large);
}

static void stop_loop(void *user, TimeUs now)
{
    (void)now;
    loop_stop(user);
}

static bool server_is_done(Server *server)
{
    for (int i = 0; i < 60000 && !server->done; i++) {
        Timer *timer;
        assert_int_equal(timer_new(server->loop, stop_loop, server->loop, &timer, NULL), 0);
        timer_in(timer, 1000);
        loop_run(server->loop);
        timer_free(timer);
    }
    return server->done;
}

static void a_body_that_breaks_off_is_told_of_once(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server)};
    add_request(&request, "/file", 1000, "Expect: 100-continue\r\n");
    run_talk(&talk, buf_str(&request), "100 Continue");
    assert_int_equal(send(talk.fd, "abc", 3, MSG_NOSIGNAL), 3);
    talk_done(&talk);
    assert_true(server_is_done(server));
    assert_int_equal(server->how, WEB_BODY_BROKEN);
    assert_int_equal(server->bytes, 3);

    Talk again = {.server = server, .fd = dial(server)};
    run_talk(&again, buf_str(&request), "100 Continue");
    server->web = web_free(server->web); /* tells it too */
    assert_int_equal(server->done, 2);
    assert_int_equal(server->how, WEB_BODY_BROKEN);
    talk_done(&again);
}

static void a_body_that_trickles_is_408_and_a_busy_sink_is_not_to_blame(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf request = {0};

    server->limits.body_time = 50000;
    server->limits.body_least = 4000;
    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server), .at_once = 1};
    add_request(&request, "/file", 50000, "");
    add_bytes(&request, 50000);
    run_talk(&talk, buf_str(&request), NULL);
    assert_got(&talk, "HTTP/1.1 408 ");
    assert_int_equal(server->how, WEB_BODY_SLOW);
    talk_done(&talk);
}

static void what_is_no_chunk_is_400(void **state)
{
    Server *server = *state;

    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server)};
    run_talk(&talk,
             STR("PUT /f HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"),
             NULL);
    assert_got(&talk, "HTTP/1.1 400 ");
    assert_int_equal(server->how, WEB_BODY_BAD);
    talk_done(&talk);
}

static void a_unix_socket_is_its_owners_and_tells_who_comes(void **state)
{
    Server *server = *state;
    CLEANUP(buf_done) Buf want = {0};
    struct stat info;
    Err err = {0};
    int other;

    snprintf(server->path, sizeof(server->path), "/tmp/warg-web-body-%d.sock", (int)getpid());
    listen_now(server);
    assert_int_equal(stat(server->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    Talk talk = {.server = server, .fd = dial(server)};
    buf_printf(&want, "unix 1 %u", (unsigned)getuid());
    run_talk(&talk, STR("GET /who HTTP/1.1\r\nHost: h\r\n\r\n"), buf_cstr(&want));
    talk_done(&talk);
    assert_int_equal(unix_listen(server->path, &other, &err), ERR_IO); /* somebody does */
    server->web = web_free(server->web);
    for (int i = 0; i < 100 && unix_answers(server->path); i++)
        server_is_done(server);
    server->done = 0;
    listen_now(server); /* what is left is replaced */
    Talk again = {.server = server, .fd = dial(server)};
    run_talk(&again, STR("GET /x HTTP/1.1\r\nHost: h\r\n\r\n"), "fine");
    talk_done(&again);
}

static void a_connection_of_the_network_has_no_user(void **state)
{
    Server *server = *state;

    listen_now(server);
    Talk talk = {.server = server, .fd = dial(server)};
    run_talk(&talk, STR("GET /who HTTP/1.1\r\nHost: h\r\n\r\n"), " 0 0");
    talk_done(&talk);
}

static void a_cookie_is_found_by_its_whole_name_and_only_once(void **state)
{
    static const struct {
        const char *lines;
        const char *want;
    } cases[] = {
        {"Cookie: me=abc", "abc"},
        {"cookie: a=1; me=x=y; b=2", "x=y"},
        {"Cookie: you=1; notme=2", ""},
        {"Cookie: me=1; me=2", ""},
        {"Cookie: me=1\r\nCookie: me=2", ""},
        {"Cookie: me", ""},
        {"X: me=1", ""},
    };
    Server *server = *state;

    listen_now(server);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf request = {0};
        CLEANUP(buf_done) Buf want = {0};
        Talk talk = {.server = server, .fd = dial(server)};
        buf_printf(&request, "GET /cookie HTTP/1.0\r\n%s\r\n\r\n", cases[i].lines);
        buf_printf(&want, "\r\n\r\n%s", cases[i].want);
        run_talk(&talk, buf_str(&request), NULL);
        const char *end = strstr(buf_cstr(&talk.got), "\r\n\r\n");
        assert_non_null(end);
        assert_string_equal(end, buf_cstr(&want));
        talk_done(&talk);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_body_goes_to_the_sink_and_the_connection_lives_on),
        CASE(a_body_may_come_in_any_pieces_and_in_chunks),
        CASE(a_busy_sink_holds_the_peer_and_loses_nothing),
        CASE(the_sink_may_come_later_than_the_head),
        CASE(a_body_over_the_limit_is_413_by_its_length_or_by_its_bytes),
        CASE(who_waits_for_100_gets_it_before_the_body),
        CASE(what_is_answered_behind_the_head_ends_the_connection),
        CASE(a_sink_that_gives_up_has_answered_at_once),
        CASE(what_is_not_taken_is_kept_and_handed_over_whole),
        CASE(a_body_that_breaks_off_is_told_of_once),
        CASE(a_body_that_trickles_is_408_and_a_busy_sink_is_not_to_blame),
        CASE(what_is_no_chunk_is_400),
        CASE(a_unix_socket_is_its_owners_and_tells_who_comes),
        CASE(a_connection_of_the_network_has_no_user),
        CASE(a_cookie_is_found_by_its_whole_name_and_only_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
