#define _GNU_SOURCE /* unshare */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/tcp.h"

#include "base/buf.h"
#include "base/mem.h"
#include "net/fd_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a server whose connections write down what happened to them ---- */

typedef struct Side {
    Loop *loop;
    Conn *conn;
    Buf lines; /* each with a '|' behind it */
    Buf partial;
    ConnEnd how;
    TimeUs last_at; /* of a line */
    int ended;
    int opened;
    int shut;
    bool echo;
    bool stop_at_end;
    int close_after; /* lines; 0 = never */
    int line_count;
    unsigned more;           /* bit n: conn_has_more in line n */
    struct Side *also_close; /* at a line */
} Side;

typedef struct Server {
    Loop *loop;
    Listener *listener;
    ConnLimits limits;
    Side sides[8];
    size_t side_count;
    bool refuse; /* conn_close at once */
    char peer[80];
} Server;

static void on_line(void *user, Str line, TimeUs at, TimeUs now)
{
    Side *side = user;

    (void)now;
    assert_true(at > 0 && at <= loop_now());
    side->last_at = at;
    if (conn_has_more(side->conn))
        side->more |= 1u << side->line_count;
    side->line_count++;
    buf_add(&side->lines, line);
    buf_add_char(&side->lines, '|');
    if (side->echo) {
        CLEANUP(buf_done) Buf out = {0};
        buf_add(&out, line);
        buf_add_char(&out, '\n');
        conn_send(side->conn, buf_str(&out));
    }
    if (side->also_close)
        side->also_close->conn = conn_close(side->also_close->conn);
    if (side->close_after && side->line_count >= side->close_after)
        side->conn = conn_close(side->conn);
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    Side *side = user;

    (void)now;
    side->ended++;
    side->how = how;
    buf_add(&side->partial, partial);
    conn_close(side->conn); /* does no harm */
    side->conn = NULL;
    if (side->stop_at_end)
        loop_stop(side->loop);
}

static void on_opened(void *user, TimeUs now)
{
    Side *side = user;

    (void)now;
    side->opened++;
}

static const ConnEvents side_events = {.line = on_line, .ended = on_ended, .opened = on_opened};
static const ConnLimits roomy = {.line_bytes = 65536, .queued_bytes = 1 << 20};

static void on_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    Server *server = user;

    (void)now;
    snprintf(server->peer, sizeof(server->peer), "%s", peer);
    if (server->refuse) {
        conn_close(conn);
        return;
    }
    assert_true(server->side_count < 8);
    Side *side = &server->sides[server->side_count++];
    side->loop = server->loop;
    side->conn = conn;
    conn_attach(conn, &side_events, side, &server->limits);
}

static void server_open(Server *server, const char *host)
{
    Err err = {0};

    memset(server, 0, sizeof(*server));
    server->limits = roomy;
    assert_int_equal(loop_new(&server->loop, &err), 0);
    if (tcp_listen(server->loop, host, 0, on_accepted, server, &server->listener, &err))
        fail_msg("%s", err.msg);
    assert_true(listener_port(server->listener) > 0);
}

static void side_done(Side *side)
{
    buf_done(&side->lines);
    buf_done(&side->partial);
}

static void server_done(Server *server)
{
    server->loop = loop_free(server->loop);
    for (size_t i = 0; i < 8; i++)
        side_done(&server->sides[i]);
}

/* ---- a bare client ---- */

static int dial(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
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

/* Runs the loop until `done`; at most ten seconds. */
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

static void run_until(Loop *loop, bool (*done)(void *user), void *user)
{
    Until until = {.loop = loop, .done = done, .user = user, .limit = loop_now() + 60000000};

    assert_int_equal(timer_new(loop, look, &until, &until.timer, NULL), 0);
    timer_at(until.timer, 0, false);
    loop_run(loop);
    timer_free(until.timer);
    assert_true(done(user));
}

static bool first_ended(void *user)
{
    return ((Server *)user)->sides[0].ended > 0;
}

static bool none_open(void *user)
{
    Server *server = user;

    return server->side_count > 0 && listener_open_count(server->listener) == 0;
}

static bool peer_said_bye(void *user)
{
    char byte;
    ssize_t n = recv(*(int *)user, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

    return n == 0 || (n < 0 && errno == ECONNRESET);
}

static bool all_accepted(void *user)
{
    Server *server = user;

    return server->peer[0] != '\0';
}

/* ---- lines ---- */

static bool eight_lines(void *user)
{
    return ((Side *)user)->line_count >= 8;
}

static void lines_are_echoed_in_order(void **state)
{
    Server server;
    Side client = {0};

    (void)state;
    server_open(&server, "127.0.0.1");
    client.loop = server.loop;
    assert_int_equal(tcp_connect(server.loop, "localhost", listener_port(server.listener),
                                 &side_events, &client, &roomy, &client.conn, NULL),
                     0);
    server.sides[0].echo = true;
    conn_send(client.conn, STR("before it is open\n"));
    for (int i = 0; i < 7; i++)
        conn_send(client.conn, STR("a\r\n"));
    run_until(server.loop, eight_lines, &client);
    assert_int_equal(client.opened, 1);
    assert_string_equal(buf_cstr(&client.lines), "before it is open|a|a|a|a|a|a|a|");
    assert_memory_equal(server.peer, "127.0.0.1:", 10);
    assert_int_equal(listener_open_count(server.listener), 1);
    conn_close(client.conn);
    run_until(server.loop, first_ended, &server);
    assert_int_equal(server.sides[0].how, CONN_CLOSED);
    assert_int_equal(client.ended, 0);
    assert_int_equal(listener_open_count(server.listener), 0);
    side_done(&client);
    server_done(&server);
}

static bool three_lines(void *user)
{
    return ((Server *)user)->sides[0].line_count == 3;
}

static void input_that_nobody_waits_for_is_seen(void **state)
{
    Server server;

    (void)state;
    server_open(&server, "127.0.0.1");
    int fd = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    Conn *conn = server.sides[0].conn;
    assert_false(conn_has_input(conn));
    put(fd, "a\nb\nc\n");
    assert_true(conn_has_input(conn)); /* the kernel holds it */
    assert_false(conn_has_more(conn));
    run_until(server.loop, three_lines, &server);
    assert_int_equal(server.sides[0].more, 3); /* in the first and the second line */
    assert_false(conn_has_input(conn));
    close(fd);
    server_done(&server);
}

static void a_line_without_end_comes_with_the_end(void **state)
{
    Server server;

    (void)state;
    server_open(&server, "127.0.0.1");
    int fd = dial(listener_port(server.listener));
    put(fd, "whole\nhalf");
    close(fd);
    run_until(server.loop, first_ended, &server);
    assert_string_equal(buf_cstr(&server.sides[0].lines), "whole|");
    assert_string_equal(buf_cstr(&server.sides[0].partial), "half");
    assert_int_equal(server.sides[0].how, CONN_CLOSED);
    server_done(&server);
}

/* ---- when bytes came ---- */

static bool a_line_came(void *user)
{
    return ((Server *)user)->sides[0].line_count > 0;
}

/* What came while the loop did nothing, as in a process that is stopped. The kernel begins to stamp
 * a little after the first socket has asked for it, so it gets a moment. */
static void what_waited_for_the_loop_came_when_it_came(void **state)
{
    Server server;

    (void)state;
    for (int tries = 0; tries < 20; tries++) {
        server_open(&server, "127.0.0.1");
        int fd = dial(listener_port(server.listener));
        run_until(server.loop, all_accepted, &server);
        conn_stamp(server.sides[0].conn, loop_now(), loop_now());
        poll(NULL, 0, 10);
        put(fd, "in ti");
        put(fd, "me\n");
        TimeUs sent = loop_now();
        poll(NULL, 0, 100);
        TimeUs stopped_until = loop_now();
        run_until(server.loop, a_line_came, &server);
        TimeUs at = server.sides[0].last_at;
        assert_string_equal(buf_cstr(&server.sides[0].lines), "in time|");
        server_done(&server);
        close(fd);
        assert_true(stopped_until - sent >= 99000);
        if (at <= sent + 1000)
            return;
    }
    fail_msg("lines came when they were read");
}

/* As when this process is stopped between taking the time of a request and asking for stamps: a
 * timeout of 403 ms was an agent's once, in 0.4 s of such a stop. */
static void what_came_before_stamps_were_asked_for_anew_came_when_it_came(void **state)
{
    Server server;

    (void)state;
    for (int tries = 0; tries < 20; tries++) {
        server_open(&server, "127.0.0.1");
        int fd = dial(listener_port(server.listener));
        run_until(server.loop, all_accepted, &server);
        conn_stamp(server.sides[0].conn, loop_now(), loop_now()); /* the request before */
        poll(NULL, 0, 10);
        TimeUs since = loop_now();
        put(fd, "in time\n");
        TimeUs sent = loop_now();
        poll(NULL, 0, 100);
        conn_stamp(server.sides[0].conn, since, since + 1000);
        run_until(server.loop, a_line_came, &server);
        TimeUs at = server.sides[0].last_at;
        server_done(&server);
        close(fd);
        assert_true(at >= since);
        if (at <= sent + 1000)
            return;
    }
    fail_msg("lines came when stamps were asked for");
}

static void what_is_read_before_the_given_time_came_when_it_was_read(void **state)
{
    Server server;

    (void)state;
    server_open(&server, "127.0.0.1");
    int fd = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    conn_stamp(server.sides[0].conn, loop_now(), loop_now() + (TimeUs)3600 * 1000000);
    put(fd, "line\n");
    poll(NULL, 0, 20);
    TimeUs before = loop_now();
    run_until(server.loop, a_line_came, &server);
    assert_true(server.sides[0].last_at >= before);
    server_done(&server);
    close(fd);
}

static unsigned pause_of_reads_ms;

/* In place of libc's: libuv's reads can be made to take their time, as when this process is stopped
 * between knowing that there is something and having read it. */
ssize_t slow_read(int fd, void *bytes, size_t count) __asm__("read");

ssize_t slow_read(int fd, void *bytes, size_t count)
{
    if (pause_of_reads_ms)
        poll(NULL, 0, (int)pause_of_reads_ms);
    return (ssize_t)syscall(SYS_read, fd, bytes, count);
}

static void what_was_there_before_a_stop_in_the_middle_of_reading_came_before_it(void **state)
{
    Server server;

    (void)state;
    server_open(&server, "127.0.0.1");
    int fd = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    conn_stamp(server.sides[0].conn, loop_now(), loop_now() + (TimeUs)3600 * 1000000);
    put(fd, "line\n");
    poll(NULL, 0, 20);
    pause_of_reads_ms = 100;
    run_until(server.loop, a_line_came, &server);
    pause_of_reads_ms = 0;
    assert_true(server.sides[0].last_at <= loop_now() - 99000);
    server_done(&server);
    close(fd);
}

/* ---- a peer that ends its side only ---- */

static void on_shut(void *user, TimeUs now)
{
    Side *side = user;

    (void)now;
    side->shut++;
    loop_stop(side->loop);
}

static const ConnEvents patient_events = {.line = on_line, .ended = on_ended, .shut = on_shut};

/* A client whose server has read `text` and the end of its side behind it. */
static int half_closed(Server *server, const char *text)
{
    server_open(server, "127.0.0.1");
    int fd = dial(listener_port(server->listener));
    run_until(server->loop, all_accepted, server);
    conn_attach(server->sides[0].conn, &patient_events, &server->sides[0], &roomy);
    put(fd, text);
    shutdown(fd, SHUT_WR);
    loop_run(server->loop);
    return fd;
}

static void a_peer_that_ends_its_side_is_read_to_the_end_and_still_told(void **state)
{
    Server server;
    char told[8] = "";

    (void)state;
    int fd = half_closed(&server, "whole\nhalf");
    const Side *side = &server.sides[0];
    assert_string_equal(buf_cstr(&side->lines), "whole|half|");
    assert_int_equal(side->more, 1); /* behind the first line, not behind the last */
    assert_int_equal(side->shut, 1);
    assert_int_equal(side->ended, 0);
    assert_int_equal(listener_open_count(server.listener), 1);
    conn_send(side->conn, STR("bye\n"));
    assert_int_equal(recv(fd, told, sizeof(told), 0), 4);
    assert_string_equal(told, "bye\n");
    conn_pause(side->conn);
    conn_resume(side->conn); /* there is nothing to read */
    close(fd);
    for (int i = 0; i < 1000 && !side->ended; i++) { /* until the kernel knows that it is gone */
        conn_send(side->conn, STR("anybody?\n"));
        run_until(server.loop, all_accepted, &server);
    }
    assert_int_equal(side->ended, 1);
    assert_int_equal(side->how, CONN_RESET);
    assert_int_equal(side->shut, 1);
    server_done(&server);
}

static void a_half_closed_connection_is_closed_like_any_other(void **state)
{
    Server server;

    (void)state;
    int fd = half_closed(&server, "last\r");
    assert_string_equal(buf_cstr(&server.sides[0].lines), "last|");
    server.sides[0].conn = conn_finish(server.sides[0].conn);
    run_until(server.loop, peer_said_bye, &fd);
    assert_int_equal(server.sides[0].ended, 0);
    close(fd);
    server_done(&server);
}

static void a_reset_is_told_from_a_close(void **state)
{
    Server server;
    struct linger none = {.l_onoff = 1};

    (void)state;
    server_open(&server, "127.0.0.1");
    int fd = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    close(fd);
    run_until(server.loop, first_ended, &server);
    assert_int_equal(server.sides[0].how, CONN_RESET);
    assert_int_equal(server.sides[0].ended, 1);
    server_done(&server);
}

static void sending_to_a_peer_that_broke_off_is_a_reset_after_its_last_line(void **state)
{
    Server server;
    struct linger none = {.l_onoff = 1};

    (void)state;
    server_open(&server, "127.0.0.1");
    int fd = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    put(fd, "last words\n");
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    close(fd);
    /* The loop has read nothing yet: the first write finds the connection broken. */
    conn_send(server.sides[0].conn, STR("hello\n"));
    conn_send(server.sides[0].conn, STR("hello\n"));
    assert_int_equal(server.sides[0].ended, 0);
    run_until(server.loop, first_ended, &server);
    assert_string_equal(buf_cstr(&server.sides[0].lines), "last words|");
    assert_int_equal(server.sides[0].how, CONN_RESET);
    assert_int_equal(server.sides[0].ended, 1);
    server_done(&server);
}

static void a_peer_that_does_not_read_is_stuck(void **state)
{
    Server server;
    char block[4096];
    size_t before;

    (void)state;
    memset(block, 'x', sizeof(block));
    server_open(&server, "127.0.0.1");
    int fd = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    Conn *conn = server.sides[0].conn;
    do {
        before = conn_queued(conn);
        assert_true(before <= roomy.queued_bytes);
        conn_send(conn, (Str){block, sizeof(block)});
    } while (before < roomy.queued_bytes - sizeof(block) || conn_queued(conn) > before);
    assert_int_equal(server.sides[0].ended, 0);
    run_until(server.loop, first_ended, &server);
    assert_int_equal(server.sides[0].how, CONN_STUCK);
    assert_int_equal(server.sides[0].ended, 1);
    close(fd);
    server_done(&server);
}

/* Reads all that comes until the end; gives the sum of bytes. */
typedef struct Reading {
    int fd;
    size_t bytes;
    size_t lines;
} Reading;

static void *read_all(void *user)
{
    Reading *reading = user;
    char block[65536];
    ssize_t n;

    while ((n = read(reading->fd, block, sizeof(block))) > 0) {
        reading->bytes += (size_t)n;
        for (ssize_t i = 0; i < n; i++)
            reading->lines += block[i] == '\n';
    }
    return NULL;
}

static void what_is_queued_is_sent_before_a_close(void **state)
{
    Server server;
    pthread_t thread;
    size_t sent = 0;

    (void)state;
    server_open(&server, "127.0.0.1");
    server.limits.queued_bytes = 32 << 20;
    Reading reading = {.fd = dial(listener_port(server.listener))};
    run_until(server.loop, all_accepted, &server);
    CLEANUP(buf_done) Buf line = {0};
    for (int i = 0; i < 9999; i++)
        buf_add_char(&line, 'y');
    buf_add_char(&line, '\n');
    while (sent < 16 << 20) {
        conn_send(server.sides[0].conn, buf_str(&line));
        sent += line.len;
    }
    assert_true(conn_queued(server.sides[0].conn) > 0);
    conn_close(server.sides[0].conn);
    assert_int_equal(listener_open_count(server.listener), 0);
    pthread_create(&thread, NULL, read_all, &reading);
    listener_close(server.listener);
    loop_run(server.loop); /* until the last byte is out */
    pthread_join(thread, NULL);
    assert_int_equal(reading.bytes, sent);
    assert_int_equal(reading.lines, sent / line.len);
    assert_int_equal(server.sides[0].ended, 0);
    close(reading.fd);
    server_done(&server);
}

static void a_close_does_not_wait_longer_than_a_second_for_a_peer(void **state)
{
    Server server;
    char block[65536] = {0};

    (void)state;
    server_open(&server, "127.0.0.1");
    server.limits.queued_bytes = 32 << 20;
    int fd = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    while (conn_queued(server.sides[0].conn) < 1 << 20)
        conn_send(server.sides[0].conn, (Str){block, sizeof(block)});
    conn_close(server.sides[0].conn);
    listener_close(server.listener);
    TimeUs start = loop_now();
    loop_run(server.loop);
    assert_in_range(loop_now() - start, 990000, 60000000);
    close(fd);
    server_done(&server);
}

static void a_close_with_unread_bytes_does_not_break_off_what_was_sent(void **state)
{
    Server server;
    char got[64] = {0};

    (void)state;
    server_open(&server, "127.0.0.1");
    int fd = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    put(fd, "nobody reads this\n");
    conn_send(server.sides[0].conn, STR("good bye\n"));
    conn_close(server.sides[0].conn);
    listener_close(server.listener);
    assert_int_equal(recv(fd, got, sizeof(got), MSG_WAITALL), 9); /* and then the end */
    assert_string_equal(got, "good bye\n");
    close(fd);
    loop_run(server.loop);
    server_done(&server);
}

static void a_line_over_the_limit_ends_the_connection(void **state)
{
    Server server;
    Side client = {0};
    size_t size = 10 << 20;
    char *line = malloc(size);

    (void)state;
    memset(line, 'z', size);
    server_open(&server, "127.0.0.1");
    client.loop = server.loop;
    ConnLimits limits = {.line_bytes = 100, .queued_bytes = 20 << 20};
    assert_int_equal(tcp_connect(server.loop, "127.0.0.1", listener_port(server.listener),
                                 &side_events, &client, &limits, &client.conn, NULL),
                     0);
    conn_send(client.conn, STR("fine\n"));
    conn_send(client.conn, (Str){line, size});
    run_until(server.loop, first_ended, &server);
    assert_int_equal(server.sides[0].how, CONN_LONG);
    assert_string_equal(buf_cstr(&server.sides[0].lines), "fine|");
    assert_int_equal(server.sides[0].partial.len, 0);
    side_done(&client);
    free(line);
    server_done(&server);
}

static void a_connection_may_be_closed_in_its_own_line(void **state)
{
    Server server;

    (void)state;
    server_open(&server, "127.0.0.1");
    server.sides[0].close_after = 2;
    int fd = dial(listener_port(server.listener));
    put(fd, "one\ntwo\nthree\nfour\nfi");
    run_until(server.loop, none_open, &server);
    run_until(server.loop, peer_said_bye, &fd);
    assert_string_equal(buf_cstr(&server.sides[0].lines), "one|two|");
    assert_int_equal(server.sides[0].ended, 0);
    close(fd);
    server_done(&server);
}

static bool two_accepted(void *user)
{
    return ((Server *)user)->side_count == 2;
}

static void a_line_may_close_another_connection_that_has_lines_too(void **state)
{
    Server server;

    (void)state;
    server_open(&server, "127.0.0.1");
    int one = dial(listener_port(server.listener));
    int two = dial(listener_port(server.listener));
    run_until(server.loop, two_accepted, &server);
    server.sides[0].also_close = &server.sides[1];
    server.sides[1].also_close = &server.sides[0];
    put(one, "a\nb\n");
    put(two, "c\nd\n");
    run_until(server.loop, peer_said_bye, &two);
    assert_int_equal(server.sides[0].line_count + server.sides[1].line_count, 2);
    assert_int_equal(listener_open_count(server.listener), 1);
    close(one);
    close(two);
    server_done(&server);
}

/* ---- listening ---- */

static void connections_over_the_limit_are_closed_at_once(void **state)
{
    Server server;

    (void)state;
    server_open(&server, "127.0.0.1");
    listener_set_limit(server.listener, 1);
    int one = dial(listener_port(server.listener));
    int two = dial(listener_port(server.listener));
    run_until(server.loop, peer_said_bye, &two);
    assert_int_equal(server.side_count, 1);
    assert_int_equal(listener_open_count(server.listener), 1);
    close(one);
    run_until(server.loop, none_open, &server);
    int three = dial(listener_port(server.listener));
    run_until(server.loop, two_accepted, &server);
    close(two);
    close(three);
    server_done(&server);
}

static void connections_that_still_close_count_for_the_limit(void **state)
{
    Server server;
    char byte;

    (void)state;
    server_open(&server, "127.0.0.1");
    listener_set_limit(server.listener, 1);
    int one = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    put(one, "nobody reads this\n");
    conn_close(server.sides[0].conn);
    assert_int_equal(listener_open_count(server.listener), 0);
    int two = dial(listener_port(server.listener));
    run_until(server.loop, peer_said_bye, &two);
    assert_int_equal(server.side_count, 1);
    assert_int_equal(recv(one, &byte, 1, 0), 0); /* our side was shut */
    close(one);
    listener_close(server.listener);
    loop_run(server.loop);
    close(two);
    server_done(&server);
}

static void a_port_in_use_is_named_with_advice(void **state)
{
    Server server;
    Listener *second = NULL;
    Err err = {0};
    char want[128];

    (void)state;
    server_open(&server, "127.0.0.1");
    uint16_t port = listener_port(server.listener);
    assert_int_equal(
        tcp_listen(server.loop, "127.0.0.1", port, on_accepted, &server, &second, &err), ERR_IO);
    assert_null(second);
    snprintf(want, sizeof(want), "listen on 127.0.0.1, port %u: in use: another server? try --port",
             port);
    assert_string_equal(err.msg, want);
    err = (Err){0};
    assert_int_equal(
        tcp_listen(server.loop, "no.such.name.invalid", 0, on_accepted, &server, &second, &err),
        ERR_IO);
    assert_memory_equal(err.msg, "host 'no.such.name.invalid': ", 29);
    server_done(&server);
}

static void every_interface_and_ipv6_are_listened_on(void **state)
{
    static const char *const hosts[] = {"*", "::1", "localhost", "0.0.0.0"};

    (void)state;
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        Server server;
        Side client = {0};

        Loop *loop = NULL;
        Listener *listener = NULL;
        Err err = {0};
        assert_int_equal(loop_new(&loop, NULL), 0);
        int code = tcp_listen(loop, hosts[i], 0, on_accepted, &server, &listener, &err);
        loop_free(loop);
        if (code && strcmp(hosts[i], "::1") == 0)
            continue; /* no IPv6 here */
        server_open(&server, hosts[i]);
        const char *to = strcmp(hosts[i], "::1") == 0 ? "::1" : "localhost";
        server.sides[0].echo = true;
        assert_int_equal(tcp_connect(server.loop, to, listener_port(server.listener), &side_events,
                                     &client, &roomy, &client.conn, NULL),
                         0);
        for (int n = 0; n < 8; n++)
            conn_send(client.conn, STR("x\n"));
        run_until(server.loop, eight_lines, &client);
        if (strcmp(to, "::1") == 0)
            assert_memory_equal(server.peer, "[::1]:", 6);
        server_done(&server);
        side_done(&client);
    }
}

static bool side_ended(void *user)
{
    return ((Side *)user)->ended > 0;
}

static void connecting_to_nobody_ends_with_a_reset(void **state)
{
    Server server;
    Side client = {0};
    Err err = {0};

    (void)state;
    server_open(&server, "127.0.0.1");
    uint16_t port = listener_port(server.listener);
    server.listener = listener_close(server.listener);
    assert_int_equal(tcp_connect(server.loop, "localhost", port, &side_events, &client, &roomy,
                                 &client.conn, NULL),
                     0);
    conn_send(client.conn, STR("anyone?\n"));
    run_until(server.loop, side_ended, &client);
    assert_int_equal(client.opened, 0);
    assert_int_equal(client.ended, 1);
    assert_int_equal(client.how, CONN_RESET);
    assert_int_equal(tcp_connect(server.loop, "no.such.name.invalid", port, &side_events, &client,
                                 &roomy, &client.conn, &err),
                     ERR_IO);
    assert_int_equal(tcp_connect(server.loop, "localhost", port, &side_events, &client, &roomy,
                                 &client.conn, NULL),
                     0);
    client.conn = conn_close(client.conn); /* before anything happened */
    loop_run(server.loop);
    assert_int_equal(client.ended, 1);
    side_done(&client);
    server_done(&server);
}

static void connections_without_descriptors_left_wait_and_do_not_spin(void **state)
{
    Server server;
    struct rlimit old;
    struct rusage before;
    struct rusage after;

    (void)state;
    server_open(&server, "127.0.0.1");
    int one = dial(listener_port(server.listener));
    run_until(server.loop, all_accepted, &server);
    int two = dial(listener_port(server.listener));
    int top = dup(two);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    struct rlimit none = {.rlim_cur = 3, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);

    Timer *timer;
    Until until = {.loop = server.loop, .done = two_accepted, .user = &server};
    until.limit = loop_now() + 300000;
    assert_int_equal(timer_new(server.loop, look, &until, &timer, NULL), 0);
    until.timer = timer;
    getrusage(RUSAGE_SELF, &before);
    timer_at(timer, loop_now() + 250000, false);
    loop_run(server.loop);
    getrusage(RUSAGE_SELF, &after);
    assert_int_equal(server.side_count, 1);
    TimeUs used = (after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000 +
                  after.ru_utime.tv_usec - before.ru_utime.tv_usec +
                  (after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000000 +
                  after.ru_stime.tv_usec - before.ru_stime.tv_usec;
    assert_true(used < 150000);

    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    run_until(server.loop, two_accepted, &server); /* it was only waiting */
    close(one);
    close(two);
    close(top);
    server_done(&server);
}

static void sockets_have_no_delay_and_are_not_inherited(void **state)
{
    Server server;
    Side client = {0};
    int on = 0;
    socklen_t size = sizeof(on);

    (void)state;
    server_open(&server, "127.0.0.1");
    assert_int_equal(tcp_connect(server.loop, "127.0.0.1", listener_port(server.listener),
                                 &side_events, &client, &roomy, &client.conn, NULL),
                     0);
    run_until(server.loop, all_accepted, &server);
    int nodelay = 0, watched = 0;
    for (int fd = 3; fd < 64; fd++) {
        struct sockaddr_in address;
        socklen_t address_size = sizeof(address);
        if (getpeername(fd, (struct sockaddr *)&address, &address_size))
            continue;
        assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &size), 0);
        assert_int_not_equal(on, 0);
        assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        nodelay++;
        on = 0;
        assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, &size), 0);
        watched += on != 0;
    }
    assert_int_equal(nodelay, 2);
    assert_int_equal(watched, 1); /* the one that was accepted: peers that vanish are found */
    side_done(&client);
    server_done(&server);
}

/* ---- bytes instead of lines ---- */

typedef struct Raw {
    Conn *conn;
    Buf got;
    int drained;
    int ended;
} Raw;

static void raw_bytes(void *user, Str bytes, TimeUs at)
{
    assert_true(at > 0);
    buf_add(&((Raw *)user)->got, bytes);
}

static void raw_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    (void)now;
    assert_int_equal(how, CONN_CLOSED);
    assert_int_equal(partial.len, 0);
    ((Raw *)user)->ended++;
}

static void raw_drained(void *user)
{
    ((Raw *)user)->drained++;
}

static void raw_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    static const ConnEvents events = {
        .bytes = raw_bytes, .ended = raw_ended, .drained = raw_drained};
    static const ConnLimits limits = {.line_bytes = 0, .queued_bytes = 16 << 20};
    Raw *raw = user;

    (void)peer;
    (void)now;
    raw->conn = conn;
    conn_attach(conn, &events, raw, &limits);
}

static bool raw_is_there(void *user)
{
    return ((Raw *)user)->conn != NULL;
}

static bool raw_got_some(void *user)
{
    return ((Raw *)user)->got.len > 0;
}

static bool raw_has_drained(void *user)
{
    return ((Raw *)user)->drained > 0;
}

static bool raw_has_ended(void *user)
{
    return ((Raw *)user)->ended > 0;
}

typedef struct RawServer {
    Loop *loop;
    Listener *listener;
    Raw raw;
    int fd;
} RawServer;

static void raw_open(RawServer *server)
{
    memset(server, 0, sizeof(*server));
    assert_int_equal(loop_new(&server->loop, NULL), 0);
    assert_int_equal(tcp_listen(server->loop, "127.0.0.1", 0, raw_accepted, &server->raw,
                                &server->listener, NULL),
                     0);
    server->fd = dial(listener_port(server->listener));
    run_until(server->loop, raw_is_there, &server->raw);
}

static void raw_done(RawServer *server)
{
    close(server->fd);
    loop_free(server->loop);
    buf_done(&server->raw.got);
}

static void bytes_come_as_they_are_read(void **state)
{
    RawServer server;

    (void)state;
    raw_open(&server);
    put(server.fd, "no line end\r");
    run_until(server.loop, raw_got_some, &server.raw);
    assert_string_equal(buf_cstr(&server.raw.got), "no line end\r");
    shutdown(server.fd, SHUT_WR);
    run_until(server.loop, raw_has_ended, &server.raw);
    raw_done(&server);
}

static void a_paused_connection_reads_nothing_until_it_is_resumed(void **state)
{
    RawServer server;
    char block[65536] = {0};

    (void)state;
    raw_open(&server);
    conn_pause(server.raw.conn);
    put(server.fd, "later");
    close(server.fd);
    server.fd = dial(listener_port(server.listener)); /* turns the loop */
    Raw first = server.raw;
    server.raw = (Raw){0};
    run_until(server.loop, raw_is_there, &server.raw);
    assert_int_equal(first.got.len, 0);
    assert_int_equal(first.ended, 0);
    /* Back in its place, where its events go. */
    conn_close(server.raw.conn);
    server.raw = first;
    conn_send(server.raw.conn, (Str){block, 1});
    conn_resume(server.raw.conn);
    run_until(server.loop, raw_got_some, &server.raw);
    assert_string_equal(buf_cstr(&server.raw.got), "later");
    raw_done(&server);
}

static void the_owner_learns_when_all_was_taken(void **state)
{
    RawServer server;
    pthread_t thread;
    char *block = calloc(1, 8 << 20);

    (void)state;
    raw_open(&server);
    conn_send(server.raw.conn, (Str){block, 8 << 20});
    assert_true(conn_queued(server.raw.conn) > 0);
    Reading reading = {.fd = server.fd};
    pthread_create(&thread, NULL, read_all, &reading);
    run_until(server.loop, raw_has_drained, &server.raw);
    assert_int_equal(server.raw.drained, 1);
    assert_int_equal(conn_queued(server.raw.conn), 0);
    conn_close(server.raw.conn);
    pthread_join(thread, NULL);
    assert_int_equal(reading.bytes, 8 << 20);
    raw_done(&server);
    free(block);
}

static void a_peer_that_goes_on_sending_reads_what_came_before_a_finish(void **state)
{
    RawServer server;
    char got[16] = {0};

    (void)state;
    raw_open(&server);
    conn_send(server.raw.conn, STR("good bye"));
    conn_finish(server.raw.conn);
    listener_close(server.listener);
    for (int i = 0; i < 10; i++)
        put(server.fd, "on and on"); /* a plain close would break off what it has not read yet */
    assert_int_equal(recv(server.fd, got, sizeof(got), MSG_WAITALL), 8);
    assert_string_equal(got, "good bye");
    shutdown(server.fd, SHUT_WR);
    loop_run(server.loop);
    assert_int_equal(server.raw.ended, 0);
    assert_int_equal(server.raw.got.len, 0);
    raw_done(&server);
}

/* ---- memory ---- */

typedef struct Crowd {
    Loop *loop;
    uint32_t count;
    uint32_t want;
} Crowd;

static void crowd_line(void *user, Str line, TimeUs at, TimeUs now)
{
    (void)user;
    (void)line;
    (void)at;
    (void)now;
}

static void crowd_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    (void)user;
    (void)how;
    (void)partial;
    (void)now;
}

static void crowd_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    static const ConnEvents events = {.line = crowd_line, .ended = crowd_ended};
    Crowd *crowd = user;

    (void)peer;
    (void)now;
    crowd->count++;
    conn_attach(conn, &events, crowd, &roomy);
}

static bool crowd_is_there(void *user)
{
    Crowd *crowd = user;

    return crowd->count == crowd->want;
}

static size_t heap_used(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

static void a_thousand_idle_connections_cost_little(void **state)
{
    enum { COUNT = 1000 };
    Crowd crowd = {0};
    Listener *listener;
    struct rlimit files;
    int *fds = mem_new(COUNT * sizeof(*fds));

    (void)state;
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 2 * COUNT + 50) {
        files.rlim_cur = 2 * COUNT + 50;
        if (setrlimit(RLIMIT_NOFILE, &files)) {
            mem_free(fds);
            print_message("skipped: this system allows too few open files\n");
            skip();
        }
    }
    assert_int_equal(loop_new(&crowd.loop, NULL), 0);
    assert_int_equal(
        tcp_listen(crowd.loop, "127.0.0.1", 0, crowd_accepted, &crowd, &listener, NULL), 0);
    size_t before = heap_used();
    for (crowd.want = 1; crowd.want <= COUNT; crowd.want++) {
        fds[crowd.want - 1] = dial(listener_port(listener));
        put(fds[crowd.want - 1], "hello\nand"); /* the rest is kept */
        if (crowd.want % 100 == 0)
            run_until(crowd.loop, crowd_is_there, &crowd);
    }
    for (int i = 0; i < COUNT; i++)
        put(fds[i], " more\n");
    crowd.want = COUNT;
    run_until(crowd.loop, crowd_is_there, &crowd);
    run_until(crowd.loop, crowd_is_there, &crowd);
    size_t used = heap_used() - before;
    print_message("%zu bytes of heap for an idle connection\n", used / COUNT);
    if (used) /* the allocator of a sanitizer doesn't count */
        assert_true(used / COUNT < 1536);
    for (int i = 0; i < COUNT; i++)
        close(fds[i]);
    mem_free(fds);
    loop_free(crowd.loop);
}

static void freeing_the_loop_closes_what_is_open(void **state)
{
    Server server;
    Side client = {0};

    (void)state;
    server_open(&server, "localhost");
    uint16_t port = listener_port(server.listener);
    int fd = dial(port);
    run_until(server.loop, all_accepted, &server);
    /* One that still connects, one with bytes that wait, one that lingers. */
    assert_int_equal(tcp_connect(server.loop, "localhost", port, &side_events, &client, &roomy,
                                 &client.conn, NULL),
                     0);
    conn_send(client.conn, STR("never sent\n"));
    char block[65536] = {0};
    while (conn_queued(server.sides[0].conn) < 1 << 19)
        conn_send(server.sides[0].conn, (Str){block, sizeof(block)});
    conn_close(server.sides[0].conn);
    server_done(&server);
    assert_int_equal(client.ended, 0);
    close(fd);
    side_done(&client);
}

/* ---- sockets that were made elsewhere ---- */

/* Listens on any port of loopback; -1 = it can't. Plain: it blocks, as others make them. */
static int plain_listener(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
        listen(fd, 4) == 0)
        return fd;
    return -1;
}

static void server_open_on(Server *server, int take_socket)
{
    memset(server, 0, sizeof(*server));
    server->limits = roomy;
    assert_int_equal(loop_new(&server->loop, NULL), 0);
    assert_int_equal(
        tcp_listen_on(server->loop, take_socket, on_accepted, server, &server->listener, NULL), 0);
}

static bool a_line_of_first(void *user)
{
    return ((Server *)user)->sides[0].line_count > 0;
}

static void a_socket_that_listens_already_is_taken_over(void **state)
{
    int made = plain_listener();
    Server server;
    char answer[3];

    (void)state;
    assert_true(made >= 0);
    int early = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {0};
    socklen_t size = sizeof(address);
    assert_int_equal(getsockname(made, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(connect(early, (struct sockaddr *)&address, size), 0); /* before the loop */
    put(early, "a\n");
    server_open_on(&server, made);
    server.sides[0].echo = true;
    assert_int_equal(listener_port(server.listener), ntohs(address.sin_port));
    run_until(server.loop, a_line_of_first, &server);
    /* Who came before we had the socket has its options too: else small answers wait for 40 ms. */
    int on = 0;
    size = sizeof(on);
    assert_int_equal(
        getsockopt(conn_descriptor(server.sides[0].conn), IPPROTO_TCP, TCP_NODELAY, &on, &size), 0);
    assert_int_equal(on, 1);
    assert_int_equal(recv(early, answer, 2, 0), 2);
    assert_memory_equal(answer, "a\n", 2);
    assert_int_equal(listener_open_count(server.listener), 1);
    listener_set_limit(server.listener, 1);
    int late = dial(listener_port(server.listener));
    run_until(server.loop, peer_said_bye, &late);
    server.listener = listener_close(server.listener);
    assert_int_equal(fcntl(made, F_GETFD), -1); /* it was ours to close */
    assert_int_equal(server.side_count, 1);
    close(early);
    close(late);
    server_done(&server);
}

static void what_is_no_listening_socket_is_refused_and_closed(void **state)
{
    int wrong[] = {open("/dev/null", O_RDONLY | O_CLOEXEC), socket(AF_INET, SOCK_STREAM, 0),
                   socket(AF_INET, SOCK_DGRAM, 0)};
    Listener *listener = NULL;
    Loop *loop;

    (void)state;
    assert_int_equal(loop_new(&loop, NULL), 0);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        Err err = {0};
        assert_true(wrong[i] >= 0);
        assert_int_equal(tcp_listen_on(loop, wrong[i], on_accepted, NULL, &listener, &err), ERR_IO);
        assert_non_null(strstr(err.msg, "listens"));
        assert_null(listener);
        assert_int_equal(fcntl(wrong[i], F_GETFD), -1);
    }
    loop_run(loop); /* nothing is open */
    loop_free(loop);
}

/* In a network of its own: hands its listening socket over, and comes to it when it is told to. */
static void visit_from_own_network(int end)
{
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    struct sockaddr_in address = {0};
    socklen_t size = sizeof(address);
    char go;

    if (unshare(CLONE_NEWNET) && unshare(CLONE_NEWUSER | CLONE_NEWNET))
        _exit(77);
    int any = socket(AF_INET, SOCK_DGRAM, 0), made = plain_listener();
    if (any < 0 || ioctl(any, SIOCSIFFLAGS, &loopback))
        _exit(77);
    if (made < 0 || getsockname(made, (struct sockaddr *)&address, &size) ||
        !fd_socket_send(end, "l", 1, made))
        _exit(1);
    close(made);
    if (read(end, &go, 1) != 1)
        _exit(2);
    int conn = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(conn, (struct sockaddr *)&address, size) ||
        send(conn, "from inside\n", 12, MSG_NOSIGNAL) != 12)
        _exit(3);
    _exit(recv(conn, &go, 1, 0) == 1 && go == 'f' ? 0 : 4);
}

static void a_socket_stays_in_the_network_that_it_was_made_in(void **state)
{
    char bytes[FD_SOCKET_BYTES];
    size_t count;
    int ends[2], made = -1, status = 0;
    Server server;

    (void)state;
    assert_true(fd_socket_pair(ends));
    int child = fork();
    if (child == 0) {
        close(ends[0]);
        visit_from_own_network(ends[1]);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, 0);
    if (fd_socket_receive(ends[0], bytes, &count, &made) != FD_SOCKET_MESSAGE) {
        waitpid(child, &status, 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 77);
        print_message("a network of its own can't be had here: skipped\n");
        close(ends[0]);
        skip();
    }
    server_open_on(&server, made);
    server.sides[0].echo = true;
    assert_true(fd_socket_send(ends[0], "g", 1, -1));
    run_until(server.loop, a_line_of_first, &server);
    assert_string_equal(buf_cstr(&server.sides[0].lines), "from inside|");
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    close(ends[0]);
    server_done(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_echoed_in_order),
        cmocka_unit_test(input_that_nobody_waits_for_is_seen),
        cmocka_unit_test(a_line_without_end_comes_with_the_end),
        cmocka_unit_test(what_waited_for_the_loop_came_when_it_came),
        cmocka_unit_test(what_came_before_stamps_were_asked_for_anew_came_when_it_came),
        cmocka_unit_test(what_is_read_before_the_given_time_came_when_it_was_read),
        cmocka_unit_test(what_was_there_before_a_stop_in_the_middle_of_reading_came_before_it),
        cmocka_unit_test(a_peer_that_ends_its_side_is_read_to_the_end_and_still_told),
        cmocka_unit_test(a_half_closed_connection_is_closed_like_any_other),
        cmocka_unit_test(a_reset_is_told_from_a_close),
        cmocka_unit_test(sending_to_a_peer_that_broke_off_is_a_reset_after_its_last_line),
        cmocka_unit_test(a_peer_that_does_not_read_is_stuck),
        cmocka_unit_test(what_is_queued_is_sent_before_a_close),
        cmocka_unit_test(a_close_does_not_wait_longer_than_a_second_for_a_peer),
        cmocka_unit_test(a_close_with_unread_bytes_does_not_break_off_what_was_sent),
        cmocka_unit_test(a_line_over_the_limit_ends_the_connection),
        cmocka_unit_test(a_connection_may_be_closed_in_its_own_line),
        cmocka_unit_test(a_line_may_close_another_connection_that_has_lines_too),
        cmocka_unit_test(connections_over_the_limit_are_closed_at_once),
        cmocka_unit_test(connections_that_still_close_count_for_the_limit),
        cmocka_unit_test(a_port_in_use_is_named_with_advice),
        cmocka_unit_test(every_interface_and_ipv6_are_listened_on),
        cmocka_unit_test(connecting_to_nobody_ends_with_a_reset),
        cmocka_unit_test(connections_without_descriptors_left_wait_and_do_not_spin),
        cmocka_unit_test(sockets_have_no_delay_and_are_not_inherited),
        cmocka_unit_test(bytes_come_as_they_are_read),
        cmocka_unit_test(a_paused_connection_reads_nothing_until_it_is_resumed),
        cmocka_unit_test(the_owner_learns_when_all_was_taken),
        cmocka_unit_test(a_peer_that_goes_on_sending_reads_what_came_before_a_finish),
        cmocka_unit_test(a_thousand_idle_connections_cost_little),
        cmocka_unit_test(freeing_the_loop_closes_what_is_open),
        cmocka_unit_test(a_socket_that_listens_already_is_taken_over),
        cmocka_unit_test(what_is_no_listening_socket_is_refused_and_closed),
        cmocka_unit_test(a_socket_stays_in_the_network_that_it_was_made_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
