#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/xmpp_component.h"

#include "base/buf.h"

/* ---- a server that says what a test tells it to ---- */

#define HEAD                                                                                       \
    "<?xml version='1.0'?><stream:stream xmlns:stream='http://etherx.jabber.org/streams' "         \
    "xmlns='jabber:component:accept' from='maw.localhost' id='3BF96D32'>"
#define GOODBYE "</stream:stream>"
/* XEP-0114: SHA-1 of "3BF96D32" and "mawsecret" */
#define DIGEST "efc55c6abe2438e44cf60ca17fe360b07b5531d7"

#define ERROR(condition, text)                                                                     \
    "<stream:error><" condition " xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"                   \
    "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>" text "</text></stream:error>" GOODBYE

typedef struct Run {
    Loop *loop;
    Listener *listener;
    Conn *conn; /* the latest */
    XmppComponent *component;
    Timer *limit;
    Buf heard; /* what the component sent on the latest connection */
    Buf log;   /* what it told its owner */
    unsigned connections;
    unsigned ups;
    unsigned stanzas;
    const char *on_head;      /* what the server answers to the stream's head */
    const char *on_handshake; /* and to the handshake */
    const char *then;         /* and behind the handshake's answer */
    bool single_bytes;        /* with each byte read by itself */
    bool answered_head;       /* on this connection */
    bool answered_handshake;
    bool hang_up; /* when the handshake is answered */
    unsigned stop_after_ups;
    unsigned stop_after_downs;
    unsigned stop_after_stanzas;
    unsigned downs;
    const char *free_at; /* word of the log at which the component is freed */
    uint32_t alive_ms;
    bool timed_out;
} Run;

static void say(Run *run, const char *text)
{
    if (!run->single_bytes) {
        conn_send(run->conn, str_of(text));
        return;
    }
    for (; *text; text++)
        conn_send(run->conn, (Str){text, 1});
}

static void server_bytes(void *user, Str bytes, TimeUs at)
{
    Run *run = user;

    (void)at;
    buf_add(&run->heard, bytes);
    if (!run->answered_head && strstr(buf_cstr(&run->heard), "to='maw.localhost'>")) {
        run->answered_head = true;
        if (run->on_head)
            say(run, run->on_head);
    }
    if (!run->answered_handshake && run->on_handshake &&
        strstr(buf_cstr(&run->heard), "</handshake>")) {
        run->answered_handshake = true;
        say(run, run->on_handshake);
        if (run->then)
            say(run, run->then);
        if (run->hang_up)
            run->conn = conn_close(run->conn);
    }
}

static void server_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    Run *run = user;

    (void)how;
    (void)partial;
    (void)now;
    run->conn = NULL;
}

static void server_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    static const ConnEvents events = {.bytes = server_bytes, .ended = server_ended};
    static const ConnLimits limits = {.queued_bytes = (size_t)64 << 20};
    Run *run = user;

    (void)peer;
    (void)now;
    run->connections++;
    run->conn = conn_close(run->conn);
    run->conn = conn;
    run->answered_head = run->answered_handshake = false;
    buf_clear(&run->heard);
    conn_attach(conn, &events, run, &limits);
}

/* ---- the owner ---- */

static void note(Run *run, const char *word, const char *why)
{
    assert_non_null(run->component); /* nothing is told once it was freed */
    buf_printf(&run->log, "%s%s%s\n", word, *why ? " " : "", why);
    if (run->free_at && strcmp(run->free_at, word) == 0) {
        run->component = xmpp_component_free(run->component);
        loop_stop(run->loop);
    }
}

static void on_state(void *user, bool up, const char *why, TimeUs at)
{
    Run *run = user;

    (void)at;
    assert_int_equal(xmpp_component_is_up(run->component), up);
    run->ups += up;
    run->downs += !up;
    if (up ? run->ups == run->stop_after_ups : run->downs == run->stop_after_downs)
        loop_stop(run->loop);
    note(run, up ? "up" : "down", why);
}

static void on_stanza(void *user, const XmlNode *stanza, TimeUs at)
{
    Run *run = user;
    CLEANUP(buf_done) Buf text = {0};

    assert_true(at > 0 && at <= loop_now());
    buf_add(&text, stanza->name);
    buf_add_char(&text, '=');
    xml_text(stanza, &text);
    if (stanza->first && stanza->first->name.len)
        xml_text(stanza->first, &text);
    if (++run->stanzas == run->stop_after_stanzas)
        loop_stop(run->loop);
    note(run, "stanza", buf_cstr(&text));
}

static void on_dropped(void *user, Str from, const char *why)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, from);
    buf_add(&text, STR(": "));
    buf_add(&text, str_of(why));
    note(user, "dropped", buf_cstr(&text));
}

static void on_refused(void *user, const char *why, TimeUs at)
{
    Run *run = user;

    (void)at;
    note(run, "refused", why);
    /* the loop is left alone: nothing of the component keeps it running but the test's listener */
    loop_stop(run->loop);
}

/* ---- a test's frame ---- */

static void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->timed_out = true;
    loop_stop(run->loop);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    assert_non_null(run);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_limit, run, &run->limit, NULL), 0);
    assert_int_equal(
        tcp_listen(run->loop, "127.0.0.1", 0, server_accepted, run, &run->listener, NULL), 0);
    run->on_head = HEAD;
    run->on_handshake = "<handshake/>";
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    loop_free(run->loop); /* also with a component on it */
    buf_done(&run->heard);
    buf_done(&run->log);
    mem_free(run);
    return 0;
}

static void start(Run *run)
{
    XmppComponentSetup setup = {
        .host = "127.0.0.1",
        .port = listener_port(run->listener),
        .domain = STR("maw.localhost"),
        .secret = STR("mawsecret"),
        .seed = 1,
        .wait_ms = 4,
        .alive_ms = run->alive_ms,
        .answer_ms = 20000,
        .events = {on_state, on_stanza, on_refused, on_dropped},
        .user = run,
    };

    assert_int_equal(xmpp_component_new(run->loop, &setup, &run->component, NULL), 0);
    assert_int_equal(run->log.len, 0); /* events come from the loop only */
}

/* Runs the loop until an event stops it; at most a minute, for machines that are busy. */
static void go(Run *run)
{
    timer_at(run->limit, loop_now() + 60000000, false);
    loop_run(run->loop);
    if (run->timed_out)
        fail_msg("nothing comes any more after: %s", buf_cstr(&run->log));
    timer_stop(run->limit);
}

static void assert_log(Run *run, const char *want)
{
    assert_string_equal(buf_cstr(&run->log), want);
}

/* Lets things happen for a while that must not. */
static void idle(Run *run, TimeUs time)
{
    timer_at(run->limit, loop_now() + time, false);
    loop_run(run->loop);
    run->timed_out = false;
}

/* ---- tests ---- */

static void a_good_secret_brings_the_link_up(void **state)
{
    Run *run = *state;

    run->stop_after_ups = 1;
    start(run);
    assert_false(xmpp_component_is_up(run->component));
    assert_false(xmpp_component_send(run->component, STR("<a/>")));
    go(run);
    assert_log(run, "up\n");
    assert_true(str_starts(buf_str(&run->heard),
                           STR("<?xml version='1.0'?><stream:stream "
                               "xmlns='jabber:component:accept' "
                               "xmlns:stream='http://etherx.jabber.org/streams' "
                               "to='maw.localhost'><handshake>" DIGEST "</handshake>")));
    assert_true(xmpp_component_send(run->component, STR("<message to='a@b'/>")));
    run->component = xmpp_component_free(run->component);
    idle(run, 50000);
    assert_non_null(strstr(buf_cstr(&run->heard), "</handshake><message to='a@b'/>" GOODBYE));
    assert_null(run->conn); /* closed in order */
}

static void stanzas_come_however_they_are_cut(void **state)
{
    Run *run = *state;

    for (int single = 0; single < 2; single++) {
        run->single_bytes = single;
        run->stanzas = 0;
        run->then = "<message><body>1 &amp; 2</body></message> <iq><ping xmlns='urn:p'/></iq>\n"
                    "<presence/><message><body>\xE7\x8B\xBC</body></message>";
        run->stop_after_stanzas = 4;
        buf_clear(&run->log);
        start(run);
        go(run);
        assert_log(run, "up\nstanza message=1 & 2\nstanza iq=\nstanza presence=\n"
                        "stanza message=\xE7\x8B\xBC\n");
        run->component = xmpp_component_free(run->component);
    }
}

static void a_bad_secret_is_refused_in_the_servers_words(void **state)
{
    Run *run = *state;

    run->on_handshake = ERROR("not-authorized", "Given token does not match");
    start(run);
    go(run);
    assert_log(run, "refused the server says: not-authorized: Given token does not match\n");
    idle(run, 100000);
    assert_int_equal(run->connections, 1); /* and not tried again */
    assert_false(xmpp_component_send(run->component, STR("<a/>")));
}

static void an_unknown_name_is_refused(void **state)
{
    Run *run = *state;

    run->on_head = HEAD ERROR("host-unknown", "no such\n component");
    start(run);
    go(run);
    assert_log(run, "refused the server says: host-unknown: no such\xEF\xBF\xBD component\n");

    /* prosody gives its stream no id then */
    run->component = xmpp_component_free(run->component);
    buf_clear(&run->log);
    run->on_head = "<stream:stream xmlns:stream='http://etherx.jabber.org/streams' from=''>" ERROR(
        "host-unknown", "mine");
    start(run);
    go(run);
    assert_log(run, "refused the server says: host-unknown: mine\n");
}

static void a_name_that_is_taken_is_tried_again(void **state)
{
    Run *run = *state;

    run->on_handshake = ERROR("conflict", "Component already connected");
    run->stop_after_downs = 1;
    start(run);
    go(run);
    assert_log(run, "down the server says: conflict: Component already connected\n");
    run->on_handshake = "<handshake/>"; /* the other one has gone */
    run->stop_after_ups = 1;
    go(run);
    assert_int_equal(run->connections, 2);
    assert_true(xmpp_component_is_up(run->component));
}

static void a_server_that_hangs_is_given_up(void **state)
{
    Run *run = *state;

    run->alive_ms = 50;
    run->stop_after_downs = 1;
    start(run);
    go(run);
    assert_log(run, "up\ndown the server does not answer any more\n");
    assert_non_null(strstr(buf_cstr(&run->heard), "<iq type='get' id='warg-alive' "
                                                  "from='maw.localhost' to='maw.localhost'>"));
}

static void a_broken_link_comes_back(void **state)
{
    Run *run = *state;

    run->hang_up = true;
    run->then = "<message><bo"; /* in the middle of it */
    run->stop_after_downs = 1;
    start(run);
    go(run);
    assert_log(run, "up\ndown the connection to the server broke off\n");
    assert_false(xmpp_component_send(run->component, STR("<a/>")));
    run->hang_up = false;
    run->then = "<message>again</message>";
    run->stop_after_stanzas = 1;
    go(run);
    assert_log(run, "up\ndown the connection to the server broke off\nup\n"
                    "stanza message=again\n");
}

static void the_servers_own_end_is_told_and_tried_again(void **state)
{
    Run *run = *state;

    run->then = ERROR("system-shutdown", "See you");
    run->stop_after_downs = 1;
    start(run);
    go(run);
    run->then = GOODBYE;
    run->stop_after_downs = 2;
    go(run);
    assert_log(run, "up\ndown the server says: system-shutdown: See you\nup\n"
                    "down the server ended the stream\n");
}

static void a_server_that_is_not_there_is_told_once_and_tried_again(void **state)
{
    Run *run = *state;
    uint16_t port = listener_port(run->listener);
    CLEANUP(buf_done) Buf want = {0};

    start(run);
    run->listener = listener_close(run->listener); /* before the loop has run: nobody is there */
    idle(run, 100000);
    buf_printf(&want, "down no connection to 127.0.0.1, port %u\n", port);
    assert_log(run, buf_cstr(&want)); /* though it was several times */
    assert_int_equal(
        tcp_listen(run->loop, "127.0.0.1", port, server_accepted, run, &run->listener, NULL), 0);
    run->stop_after_ups = 1;
    go(run);
    assert_true(xmpp_component_is_up(run->component));
}

static void a_host_without_address_is_an_error_at_once(void **state)
{
    Run *run = *state;
    XmppComponentSetup setup = {.host = "no.such.host.invalid", .port = 1};
    Err err = {0};

    assert_int_equal(xmpp_component_new(run->loop, &setup, &run->component, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "no.such.host.invalid"));
    assert_null(run->component);
}

static void garbage_ends_the_connection_and_not_the_component(void **state)
{
    static const char *const garbage[] = {
        "SSH-2.0-OpenSSH\r\n",
        "<!DOCTYPE a [<!ENTITY b 'c'>]>",
        "<html>",
        /* no id, and then no error */
        "<stream:stream xmlns:stream='http://etherx.jabber.org/streams'><stream:features/>",
        HEAD "text",
        HEAD "<handshake></message>",
    };
    Run *run = *state;

    for (unsigned i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
        buf_clear(&run->log);
        run->on_head = garbage[i];
        run->stop_after_downs = run->downs + 1;
        start(run);
        go(run);
        assert_true(str_starts(buf_str(&run->log), STR("down ")));
        assert_int_equal(run->ups, 0);
        run->on_head = HEAD; /* it was a passing madness */
        run->stop_after_ups = 1;
        go(run);
        run->ups = 0;
        run->component = xmpp_component_free(run->component);
    }
}

static void a_server_that_never_answers_is_given_up(void **state)
{
    Run *run = *state;
    XmppComponentSetup setup = {
        .host = "127.0.0.1",
        .port = listener_port(run->listener),
        .domain = STR("maw.localhost"),
        .wait_ms = 4,
        .answer_ms = 30,
        .events = {on_state, on_stanza, on_refused, on_dropped},
        .user = run,
    };

    run->on_head = NULL;
    run->stop_after_downs = 1;
    assert_int_equal(xmpp_component_new(run->loop, &setup, &run->component, NULL), 0);
    go(run);
    assert_log(run, "down the server does not answer\n");
    run->on_head = HEAD; /* the same behind the head */
    run->on_handshake = NULL;
    for (int i = 0; i < 1000 && run->connections < 3; i++)
        idle(run, 20000);
    assert_log(run, "down the server does not answer\n"); /* once */
    assert_in_range(run->connections, 3, 10);
    assert_int_equal(run->ups, 0);
}

static void what_is_too_big_is_dropped_and_the_link_stays(void **state)
{
    CLEANUP(buf_done) Buf big = {0};
    Run *run = *state;

    buf_add(&big, STR("<message from='eve@localhost/x'><body>"));
    for (size_t i = 0; i < 200000; i++)
        buf_add(&big, STR("x"));
    buf_add(&big, STR("</body></message><message>next</message>"));
    run->then = buf_cstr(&big);
    run->stop_after_stanzas = 1;
    start(run);
    go(run);
    assert_log(run, "up\ndropped eve@localhost/x: an element is longer than 128 KiB\n"
                    "stanza message=next\n");
    assert_int_equal(run->connections, 1);
}

static void what_never_ends_is_given_up(void **state)
{
    CLEANUP(buf_done) Buf big = {0};
    Run *run = *state;

    buf_add(&big, STR("<message from='eve@localhost/x'><body>"));
    for (size_t i = 0; i < XML_RAW_BYTES + 100000; i++)
        buf_add_char(&big, 'x');
    run->then = buf_cstr(&big);
    run->stop_after_downs = 1;
    start(run);
    go(run);
    assert_true(str_starts(buf_str(&run->log), STR("up\ndown what the server sends can't be "
                                                   "read: XML: an element is written with more")));
}

static void a_server_that_does_not_read_is_given_up(void **state)
{
    CLEANUP(buf_done) Buf block = {0};
    Run *run = *state;

    run->stop_after_ups = 1;
    start(run);
    go(run);
    conn_pause(run->conn);
    for (int i = 0; i < 1 << 20; i++)
        buf_add_char(&block, ' ');
    for (int i = 0; i < 40 && xmpp_component_is_up(run->component); i++)
        xmpp_component_send(run->component, buf_str(&block));
    run->stop_after_downs = 1;
    go(run);
    assert_log(run, "up\ndown the server does not read what it is sent\n");
}

static void any_callback_may_free_the_component(void **state)
{
    static const char *const words[] = {"up", "stanza", "dropped", "down", "refused"};
    CLEANUP(buf_done) Buf big = {0};
    Run *run = *state;

    buf_add(&big, STR("<message/><message a='"));
    for (size_t i = 0; i < 200000; i++)
        buf_add(&big, STR("x"));
    buf_add(&big, STR("'/>" GOODBYE));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        bool refused = strcmp(words[i], "refused") == 0;
        run->free_at = words[i];
        run->on_handshake = refused ? ERROR("not-authorized", "") : "<handshake/>";
        run->then = refused ? NULL : buf_cstr(&big);
        start(run);
        go(run);
        assert_null(run->component);
        idle(run, 5000);
        buf_clear(&run->log);
    }
}

static void the_waits_grow(void **state)
{
    Run *run = *state;

    run->on_head = ERROR("x", ""); /* not well-formed */
    start(run);
    idle(run, 400000);
    /* 4, 8, 16, 32, 64, 128, 256 ms, +- 25 %: the seventh is too late */
    assert_in_range(run->connections, 3, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_good_secret_brings_the_link_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stanzas_come_however_they_are_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_bad_secret_is_refused_in_the_servers_words, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_unknown_name_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_that_is_taken_is_tried_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_server_that_hangs_is_given_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_broken_link_comes_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_servers_own_end_is_told_and_tried_again, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_server_that_is_not_there_is_told_once_and_tried_again,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_host_without_address_is_an_error_at_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(garbage_ends_the_connection_and_not_the_component, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_server_that_never_answers_is_given_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_too_big_is_dropped_and_the_link_stays, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_never_ends_is_given_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_server_that_does_not_read_is_given_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_callback_may_free_the_component, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_waits_grow, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
