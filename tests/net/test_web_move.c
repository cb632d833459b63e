/* WebSockets that go from one loop to another. */
#define _GNU_SOURCE /* memmem */

#include "cert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/web.h"
#include "net/web_client.h"

#include "base/buf.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct Place {
    Loop *loop;
    Timer *pause;
    WebServer *web;
} Place;

/* A server with a port, and another loop for its WebSockets. */
typedef struct Pair {
    Place home;
    Place other;
    WebLimits limits;
    Cert cert;
    TlsServer *tls;
    TlsTrust *trust;
    WebConn *conn; /* the one that was upgraded last */
    Buf heard;     /* each message with a '|' behind it */
    bool echoes;
    bool closed;
    WebEnd how;
} Pair;

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    Pair *pair = user;

    (void)request;
    if (web_upgrade(conn, pair))
        pair->conn = conn;
}

static void on_message(void *user, Str text, TimeUs at)
{
    Pair *pair = user;

    (void)at;
    buf_add(&pair->heard, text);
    buf_add_char(&pair->heard, '|');
    if (pair->echoes)
        web_send(pair->conn, text);
}

static void on_closed(void *user, WebEnd how, uint16_t code, TimeUs now)
{
    Pair *pair = user;

    (void)now;
    (void)code;
    pair->closed = true;
    pair->how = how;
    pair->conn = NULL;
}

static void stop_loop(void *user, TimeUs now)
{
    (void)now;
    loop_stop(user);
}

static void open_place(Place *place)
{
    assert_int_equal(loop_new(&place->loop, NULL), 0);
    assert_int_equal(timer_new(place->loop, stop_loop, place->loop, &place->pause, NULL), 0);
}

static void open_pair(Pair *pair, bool tls)
{
    static const WebEvents events = {
        .request = on_request, .message = on_message, .closed = on_closed};

    *pair = (Pair){.limits = web_default_limits};
    open_place(&pair->home);
    open_place(&pair->other);
    if (tls) {
        cert_make(&pair->cert);
        assert_int_equal(
            tls_server_new(pair->cert.cert_path, pair->cert.key_path, &pair->tls, NULL), 0);
        assert_int_equal(tls_trust_new(pair->cert.cert_path, &pair->trust, NULL), 0);
    }
    pair->limits.connections = 1;
    const WebSetup setup = {.host = "127.0.0.1",
                            .tls = pair->tls,
                            .limits = &pair->limits,
                            .events = &events,
                            .user = pair};
    assert_int_equal(web_listen(pair->home.loop, &setup, &pair->home.web, NULL), 0);
    assert_int_equal(web_open(pair->other.loop, &setup, &pair->other.web, NULL), 0);
}

static void close_pair(Pair *pair)
{
    web_free(pair->home.web);
    web_free(pair->other.web);
    loop_free(pair->home.loop);
    loop_free(pair->other.loop);
    if (pair->tls) {
        tls_server_free(pair->tls);
        tls_trust_free(pair->trust);
        cert_done(&pair->cert);
    }
    buf_done(&pair->heard);
}

/* What each of both loops has to do now, and a little more. */
static void run_both(Pair *pair)
{
    Place *places[] = {&pair->home, &pair->other};

    for (int i = 0; i < 2; i++) {
        timer_in(places[i]->pause, 1000);
        loop_run(places[i]->loop);
    }
}

#define RUN_UNTIL(pair, condition)                                                                 \
    do {                                                                                           \
        TimeUs limit = loop_now() + 60000000;                                                      \
        bool holds;                                                                                \
        while (!(holds = (condition)) && loop_now() < limit)                                       \
            run_both(pair);                                                                        \
        assert_true(holds);                                                                        \
    } while (0)

static int dial(const Pair *pair)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(web_port(pair->home.web)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

static void put(int fd, const void *bytes, size_t n)
{
    assert_int_equal(send(fd, bytes, n, MSG_NOSIGNAL), n);
}

/* A bare client whose WebSocket is open, and its end at the server out of its loop's hands. */
static int dial_upgraded(Pair *pair)
{
    static const char ask[] = "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n"
                              "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    int fd = dial(pair);
    char answer[1024];
    ssize_t n = -1;

    put(fd, ask, sizeof(ask) - 1);
    RUN_UNTIL(pair, (n = recv(fd, answer, sizeof(answer), MSG_DONTWAIT)) > 0);
    assert_non_null(memmem(answer, (size_t)n, "101", 3));
    return fd;
}

static void move(Pair *pair, Place *to)
{
    web_take(pair->conn);
    web_put(to->web, pair->conn);
}

/* Text in a masked frame whose mask is zero. */
static size_t frame(const char *text, char *ret_frame)
{
    size_t n = strlen(text);

    assert_true(n < 126);
    ret_frame[0] = (char)0x81;
    ret_frame[1] = (char)(0x80 | n);
    memset(ret_frame + 2, 0, 4);
    memcpy(ret_frame + 6, text, n);
    return n + 6;
}

static void a_frame_is_whole_wherever_the_move_cuts_it(void **state)
{
    char first[128], second[128];
    Pair pair;

    (void)state;
    open_pair(&pair, false);
    int fd = dial_upgraded(&pair);
    size_t first_bytes = frame("one", first), second_bytes = frame("the second", second);
    for (size_t cut = 0; cut <= second_bytes; cut++) {
        Place *to = cut % 2 ? &pair.home : &pair.other;
        buf_clear(&pair.heard);
        memcpy(first + first_bytes, second, cut);
        put(fd, first, first_bytes + cut);
        RUN_UNTIL(&pair, pair.heard.len >= 4); /* so the piece behind it was read, too */
        move(&pair, to);
        put(fd, second + cut, second_bytes - cut);
        RUN_UNTIL(&pair, pair.heard.len == 15);
        assert_string_equal(buf_cstr(&pair.heard), "one|the second|");
    }
    close(fd);
    close_pair(&pair);
}

static void what_comes_while_it_is_on_no_loop_waits(void **state)
{
    char bytes[128];
    Pair pair;

    (void)state;
    open_pair(&pair, false);
    int fd = dial_upgraded(&pair);
    web_take(pair.conn);
    put(fd, bytes, frame("meanwhile", bytes));
    run_both(&pair);
    assert_int_equal(pair.heard.len, 0);
    web_put(pair.other.web, pair.conn);
    RUN_UNTIL(&pair, pair.heard.len > 0);
    assert_string_equal(buf_cstr(&pair.heard), "meanwhile|");
    close(fd);
    close_pair(&pair);
}

/* Reads what there is. Each byte has to be the low byte of its place in its message of 60,000, and
 * each message is behind a head of four bytes. */
static size_t read_pattern(int fd, size_t at, bool *ret_good)
{
    unsigned char block[65536];
    ssize_t n;

    while ((n = recv(fd, block, sizeof(block), MSG_DONTWAIT)) > 0)
        for (ssize_t i = 0; i < n; i++, at++) {
            size_t place = at % 60004;
            *ret_good &= place < 4 || block[i] == 'a' + (place - 4) % 26;
        }
    return at;
}

static void what_waits_for_a_slow_peer_goes_with_it_and_comes_in_order(void **state)
{
    char text[60000];
    size_t read = 0;
    bool good = true;
    Pair pair;

    (void)state;
    open_pair(&pair, false);
    int fd = dial_upgraded(&pair);
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = (char)('a' + i % 26);
    size_t sent = 0;
    for (; web_queued(pair.conn) < 1000000; sent++)
        web_send(pair.conn, (Str){text, sizeof(text)});
    size_t queued = web_queued(pair.conn);
    TimeUs since = web_stuck_since(pair.conn);
    assert_true(since != TIME_US_NEVER);
    move(&pair, &pair.other);
    assert_int_equal(web_queued(pair.conn), queued);
    assert_int_equal(web_stuck_since(pair.conn), since);
    web_send(pair.conn, (Str){text, sizeof(text)});
    sent++;
    for (TimeUs limit = loop_now() + 60000000; read < sent * 60004 && loop_now() < limit;) {
        read = read_pattern(fd, read, &good);
        run_both(&pair);
        if (read > sent * 20000 && pair.conn && web_queued(pair.conn) > 0)
            move(&pair, &pair.home);
    }
    assert_int_equal(read, sent * 60004);
    assert_true(good);
    close(fd);
    close_pair(&pair);
}

static void a_peer_that_broke_off_meanwhile_is_reported_where_it_is_put(void **state)
{
    struct linger none = {.l_onoff = 1};
    Pair pair;

    (void)state;
    open_pair(&pair, false);
    int fd = dial_upgraded(&pair);
    web_take(pair.conn);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    close(fd);
    run_both(&pair);
    assert_false(pair.closed);
    web_put(pair.other.web, pair.conn);
    RUN_UNTIL(&pair, pair.closed);
    assert_int_equal(pair.how, WEB_BROKEN);
    close_pair(&pair);
}

static bool is_let_in(Pair *pair)
{
    int fd = dial(pair);
    char byte;
    ssize_t n = -1;

    put(fd, "GET / HTTP/1.1\r\n\r\n", 18);
    RUN_UNTIL(pair, (n = recv(fd, &byte, 1, MSG_DONTWAIT)) >= 0 || errno == ECONNRESET);
    close(fd);
    return n > 0;
}

static void one_that_is_away_counts_for_the_limit_until_it_is_forgotten(void **state)
{
    Pair pair;

    (void)state;
    open_pair(&pair, false); /* for one connection */
    int fd = dial_upgraded(&pair);
    move(&pair, &pair.other);
    assert_int_equal(web_open_count(pair.home.web), 1);
    assert_false(is_let_in(&pair));
    move(&pair, &pair.home);
    assert_int_equal(web_open_count(pair.home.web), 1);
    assert_false(is_let_in(&pair));
    move(&pair, &pair.other);
    close(fd);
    RUN_UNTIL(&pair, pair.closed);
    assert_false(is_let_in(&pair));
    web_forget(pair.home.web);
    assert_true(is_let_in(&pair));
    close_pair(&pair);
}

/* ---- TLS ---- */

typedef struct Client {
    WebClient *web;
    unsigned heard;
    bool opened;
} Client;

static void on_opened(void *user)
{
    ((Client *)user)->opened = true;
}

static void on_heard(void *user, Str text, TimeUs at)
{
    (void)text, (void)at;
    ((Client *)user)->heard++;
}

static void messages_go_both_ways_over_tls_wherever_it_is(void **state)
{
    static const WebClientEvents events = {.opened = on_opened, .message = on_heard};
    char url[64];
    Client client = {0};
    Pair pair;

    (void)state;
    open_pair(&pair, true);
    pair.echoes = true;
    snprintf(url, sizeof(url), "wss://127.0.0.1:%u/ws", web_port(pair.home.web));
    assert_int_equal(web_client_open_trusting(pair.home.loop, url, NULL, pair.trust, &events,
                                              &client, &client.web, NULL),
                     0);
    RUN_UNTIL(&pair, client.opened && pair.conn);
    for (unsigned i = 1; i <= 8; i++) {
        web_client_send(client.web, STR("hello"));
        web_client_send(client.web, STR("again"));
        if (i % 2 == 0)
            run_both(&pair);
        move(&pair, i % 2 ? &pair.other : &pair.home);
        RUN_UNTIL(&pair, client.heard == 2 * i);
    }
    assert_int_equal(pair.heard.len, 8 * 12);
    web_client_free(client.web);
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_is_whole_wherever_the_move_cuts_it),
        cmocka_unit_test(what_comes_while_it_is_on_no_loop_waits),
        cmocka_unit_test(what_waits_for_a_slow_peer_goes_with_it_and_comes_in_order),
        cmocka_unit_test(a_peer_that_broke_off_meanwhile_is_reported_where_it_is_put),
        cmocka_unit_test(one_that_is_away_counts_for_the_limit_until_it_is_forgotten),
        cmocka_unit_test(messages_go_both_ways_over_tls_wherever_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
