/* test_stuck.c - agents that don't read, and agents that say too much at once.
 *
 * Source: docs/spec/nlp-division.md 1.4, 10.5, target. */
#define _GNU_SOURCE /* nftw, memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "serve/served.h"

/* The kernel may take some megabytes for who does not read, the server's queue 4 MiB: so they come
 * one by one, until it is noticed. */
#define TEXT_BYTES 60000
#define TEXTS      110

/* ---- an agent that says its name and then reads nothing ---- */

/* A socket whose both ends hold little: what is sent to it waits in the server soon. */
static int dial(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int room = 4096, segment = 536;
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
    setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof(segment));
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof(to)), 0);
    return fd;
}

static int mute_agent(const Run *run)
{
    static const char hello[] =
        "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        "\x81\x88\0\0\0\0kanolab5"; /* its name, masked with nothing */
    int fd = dial(server_port(run->server));

    assert_int_equal(send(fd, hello, sizeof(hello) - 1, MSG_NOSIGNAL), sizeof(hello) - 1);
    return fd;
}

/* ---- a table at which everybody may say much ---- */

static void on_look(void *user, TimeUs now)
{
    (void)now;
    loop_stop(user);
}

/* Runs until the server's log has `words`, or so many looks are over. */
static bool noted_within(Run *run, const char *words, unsigned looks)
{
    Timer *look;

    assert_int_equal(timer_new(run->loop, on_look, run->loop, &look, NULL), 0);
    while (!strstr(buf_cstr(&run->notes), words) && looks-- > 0) {
        timer_at(look, loop_now() + 50000, false);
        go_on(run);
    }
    timer_free(look);
    return strstr(buf_cstr(&run->notes), words) != NULL;
}

/* Four agents are at the table, and a fifth that reads nothing. Returns its socket. */
static int sit_with_a_mute(Run *run, int32_t action_ms)
{
    TalkRules *talk = &run->config->rules.talk;

    run->config->action_ms = action_ms;
    talk->exchange = EXCHANGE_ANYTIME;
    talk->duration_ms = 600000;
    talk->max_per_agent = TEXTS;
    talk->length =
        (LengthRules){.per_talk = -1, .mention_length = -1, .per_agent = -1, .base_length = -1};
    open_server(run);
    run->hold = "TALK_PHASE_START";
    for (unsigned i = 1; i <= 4; i++)
        connect_agent(run, i);
    int mute = mute_agent(run);
    while (run->hold)
        go_on(run);
    return mute;
}

/* They talk in turns; true when the server notes these words. */
static bool talk_until_noted(Run *run, const char *words)
{
    CLEANUP(buf_done) Buf text = {0};
    bool noted = false;

    for (int i = 0; i < TEXT_BYTES; i++)
        buf_add_char(&text, 'x');
    for (unsigned n = 0; n < TEXTS && !noted; n++) {
        web_client_send(run->agents[1 + n % 4].client, buf_str(&text));
        noted = noted_within(run, words, 1);
    }
    return noted;
}

static void an_agent_that_does_not_read_is_closed_after_the_time_of_an_action(void **state)
{
    Run *run = *state;
    int mute = sit_with_a_mute(run, 300);

    assert_true(talk_until_noted(run, "closed: an agent has not read for 300 ms"));
    assert_true(noted_within(run, "away", 400)); /* its seat is kept for it */
    for (unsigned i = 1; i <= 4; i++)            /* who reads is not meant */
        assert_false(run->agents[i].ended);
    close(mute);
}

static void before_that_time_an_agent_may_fall_behind(void **state)
{
    Run *run = *state;
    int mute = sit_with_a_mute(run, 3600000);

    /* Until its queue is full, which is another matter. */
    assert_false(talk_until_noted(run, "has not read"));
    close(mute);
}

/* ---- more than a message may be ---- */

static void the_configuration_says_how_long_a_message_may_be(void **state)
{
    Run *run = *state;
    char text[3001];

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    run->config->message_bytes = 3000;
    open_server(run);
    connect_agent(run, 1);
    assert_true(noted_within(run, "waiting name=kanolab1", 400));
    web_client_send(run->agents[1].client, (Str){text, 3000}); /* nothing was asked: no matter */
    assert_false(noted_within(run, "never", 4));
    assert_false(run->agents[1].ended);
    CLEANUP(buf_done) Buf more = {0};
    buf_add(&more, str_of(text));
    buf_add_char(&more, 'x');
    web_client_send(run->agents[1].client, buf_str(&more));
    for (int i = 0; i < 400 && !run->agents[1].ended; i++)
        noted_within(run, "never", 1);
    assert_true(run->agents[1].ended);
    assert_int_equal(run->agents[1].code, 1009);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        EACH(an_agent_that_does_not_read_is_closed_after_the_time_of_an_action),
        EACH(before_that_time_an_agent_may_fall_behind),
        EACH(the_configuration_says_how_long_a_message_may_be),
    };

    RUN_FOR_ALL_LOOPS(tests)
}
