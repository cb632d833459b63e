#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "net/tcp.h"
#include "net/xmpp_client.h"

/* ---- a server that says what a test tells it to say, on the client's loop ---- */

#define FEATURES_LOGIN                                                                             \
    "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism>"            \
    "</mechanisms><register xmlns='http://jabber.org/features/iq-register'/>"
#define FEATURES_BIND  "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>"
#define FEATURES_EMPTY "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"
#define SASL           " xmlns='urn:ietf:params:xml:ns:xmpp-sasl'"
#define STREAM_ERROR(condition)                                                                    \
    "<stream:error><" condition                                                                    \
    " xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>"

#define TOO_LARGE "what the server sends can't be read: XML: an element "

typedef struct Bench {
    Loop *loop;
    Listener *listener;
    Timer *limit;
    Conn *conn; /* the one that was accepted last */
    XmppClient *client;
    /* What the server says. */
    const char *login_answer;    /* to <auth>; NULL: success */
    const char *register_answer; /* the iq's inside and type; NULL: a result */
    const char *first_features;
    bool silent;
    /* What happened. */
    Buf heard; /* by the server, since the last stream began */
    Buf all;   /* by the server */
    unsigned streams, accepted, ups, downs, refusals, messages;
    char why[256];
    char jid[64];
    Buf message; /* the last one, put together again */
    const char *until;
    bool over_time;
    bool free_in_message;
    bool restarted; /* the next stream is that after the login */
} Bench;

static void say(Bench *bench, const char *text)
{
    conn_send(bench->conn, str_of(text));
}

static void say_stream(Bench *bench)
{
    const char *features = bench->restarted ? FEATURES_BIND : bench->first_features;

    bench->streams++;
    say(bench, "<?xml version='1.0'?><stream:stream from='localhost' id='s1' version='1.0' "
               "xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>");
    say(bench, "<stream:features>");
    say(bench, features);
    say(bench, "</stream:features>");
}

static void answer_register(Bench *bench)
{
    if (bench->register_answer) {
        say(bench, "<iq id='warg-register' type='error'><error type='cancel'>");
        say(bench, bench->register_answer);
        say(bench, "</error></iq>");
    } else {
        say(bench, "<iq id='warg-register' type='result'/>");
    }
}

/* Whether the server has heard this whole word; what was heard up to then is forgotten. */
static bool take(Bench *bench, const char *word)
{
    const char *at = bench->heard.bytes ? strstr(bench->heard.bytes, word) : NULL;

    if (at)
        buf_clear(&bench->heard);
    return at;
}

static void server_bytes(void *user, Str bytes, TimeUs at)
{
    Bench *bench = user;

    (void)at;
    buf_add(&bench->heard, bytes);
    buf_add(&bench->all, bytes);
    if (bench->silent) {
        ; /* heard, and that is all */
    } else if (take(bench, "version='1.0' to='localhost'>")) {
        say_stream(bench);
    } else if (take(bench, "</stream:stream>")) {
        say(bench, "</stream:stream>");
    } else if (take(bench, "</auth>")) {
        say(bench, bench->login_answer ? bench->login_answer : "<success" SASL "/>");
        bench->restarted = !bench->login_answer;
    } else if (take(bench, "jabber:iq:register")) {
        answer_register(bench);
    } else if (take(bench, "xmpp-bind'></bind></iq>")) {
        say(bench, "<iq id='warg-bind' type='result'><bind "
                   "xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>ann@localhost/r1</jid></bind>"
                   "</iq>");
    }
    if (bench->until && strstr(buf_cstr(&bench->all), bench->until))
        loop_stop(bench->loop);
}

static void server_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    Bench *bench = user;

    (void)how;
    (void)partial;
    (void)now;
    bench->conn = NULL;
    bench->restarted = false;
    buf_clear(&bench->heard);
}

static void server_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    Bench *bench = user;
    const ConnEvents events = {.ended = server_ended, .bytes = server_bytes};

    (void)peer;
    (void)now;
    conn_close(bench->conn); /* its end may be told later */
    bench->conn = conn;
    bench->accepted++;
    bench->restarted = false;
    buf_clear(&bench->heard);
    conn_attach(conn, &events, bench, &(ConnLimits){1024, (size_t)64 << 20});
}

/* ---- the client ---- */

static void on_state(void *user, bool up, Str jid, const char *why, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    if (up) {
        bench->ups++;
        snprintf(bench->jid, sizeof(bench->jid), "%.*s", STR_ARG(jid));
    } else {
        bench->downs++;
        snprintf(bench->why, sizeof(bench->why), "%s", why);
    }
    loop_stop(bench->loop);
}

static void on_refused(void *user, const char *why, TimeUs at)
{
    Bench *bench = user;

    (void)at;
    bench->refusals++;
    snprintf(bench->why, sizeof(bench->why), "%s", why);
    loop_stop(bench->loop);
}

static void print_node(const XmlNode *node, Buf *out)
{
    if (!node->name.len) {
        buf_printf(out, "[%.*s]", STR_ARG(node->text));
        return;
    }
    buf_printf(out, "<%.*s|%.*s", STR_ARG(node->space), STR_ARG(node->name));
    for (uint32_t i = 0; i < node->attribute_count; i++) {
        const XmlAttribute *attribute = &node->attributes[i];
        buf_printf(out, " %s%.*s=%.*s", attribute->space.len ? "xml:" : "",
                   STR_ARG(attribute->name), STR_ARG(attribute->value));
    }
    buf_add(out, STR(">"));
    for (const XmlNode *child = node->first; child; child = child->next)
        print_node(child, out);
    buf_add(out, STR("</>"));
}

static void on_stanza(void *user, const XmlNode *message, TimeUs at)
{
    Bench *bench = user;

    assert_true(at > 0 && at <= loop_now());
    bench->messages++;
    buf_clear(&bench->message);
    print_node(message, &bench->message);
    if (bench->free_in_message)
        bench->client = xmpp_client_free(bench->client);
    loop_stop(bench->loop);
}

static void on_limit(void *user, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    bench->over_time = true;
    loop_stop(bench->loop);
}

static XmppClientSetup setup_for(Bench *bench)
{
    return (XmppClientSetup){
        .jid = "ann@localhost",
        .password = "a<b&c",
        .host = "127.0.0.1",
        .port = listener_port(bench->listener),
        .tls = XMPP_TLS_OFF,
        .seed = 1,
        .wait_ms = 40,
        .events = {on_state, on_stanza, on_refused},
        .user = bench,
    };
}

static int bench_open(void **state)
{
    Bench *bench = calloc(1, sizeof(*bench));

    assert_non_null(bench);
    bench->first_features = FEATURES_LOGIN;
    assert_int_equal(loop_new(&bench->loop, NULL), 0);
    assert_int_equal(
        tcp_listen(bench->loop, "127.0.0.1", 0, server_accepted, bench, &bench->listener, NULL), 0);
    assert_int_equal(timer_new(bench->loop, on_limit, bench, &bench->limit, NULL), 0);
    *state = bench;
    return 0;
}

static int bench_close(void **state)
{
    Bench *bench = *state;

    loop_free(bench->loop);
    buf_done(&bench->heard);
    buf_done(&bench->all);
    buf_done(&bench->message);
    free(bench);
    return 0;
}

static void start(Bench *bench, const XmppClientSetup *setup)
{
    assert_int_equal(xmpp_client_new(bench->loop, setup, &bench->client, NULL), 0);
}

/* Runs until something was told, or the server heard `until`. */
static void run(Bench *bench, const char *until)
{
    bench->until = until;
    bench->over_time = false;
    timer_at(bench->limit, loop_now() + 100 * 1000000, false);
    if (!until || !strstr(buf_cstr(&bench->all), until))
        loop_run(bench->loop);
    timer_stop(bench->limit);
    assert_false(bench->over_time);
}

/* Runs for a while, whatever happens. */
static void run_for(Bench *bench, TimeUs how_long)
{
    TimeUs end = loop_now() + how_long;

    do {
        timer_at(bench->limit, end, false);
        loop_run(bench->loop);
    } while (loop_now() < end);
}

static void up(Bench *bench)
{
    XmppClientSetup setup = setup_for(bench);

    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->ups, 1);
    run(bench, "<presence/>");
}

/* ---- tests ---- */

static void a_client_logs_in_is_present_and_hears_messages(void **state)
{
    Bench *bench = *state;

    up(bench);
    assert_string_equal(bench->jid, "ann@localhost/r1");
    assert_true(xmpp_client_is_up(bench->client));
    say(bench,
        "<message from='bo@localhost/x' to='ann@localhost' xml:lang='ja' type='chat' "
        "id='1&apos;&amp;'><body>a &lt;b&gt; &amp;&#13;&#10;&#x1F43A;<![CDATA[<c>]]></body>"
        "<x xmlns='jabber:x:data' type='form'><title>spade:x:metadata</title></x></message>");
    run(bench, NULL);
    assert_int_equal(bench->messages, 1);
    const char *text = buf_cstr(&bench->message);
    assert_non_null(strstr(text, "jabber:client|message"));
    assert_non_null(strstr(text, " from=bo@localhost/x"));
    assert_non_null(strstr(text, " xml:lang=ja"));
    assert_non_null(strstr(text, " id=1'&"));
    assert_non_null(strstr(text, "<jabber:client|body>[a <b> &\r\n\xF0\x9F\x90\xBA<c>]</>"));
    assert_non_null(strstr(text, "<jabber:x:data|x type=form><jabber:x:data|title>"
                                 "[spade:x:metadata]</></>"));
}

static void what_is_sent_arrives_in_order_and_the_stream_is_ended(void **state)
{
    Bench *bench = *state;
    CLEANUP(buf_done) Buf large = {0};

    up(bench);
    for (int i = 0; i < 100; i++) {
        buf_clear(&large);
        buf_printf(&large, "<message to='bo@localhost'><body>%d:", i);
        for (int k = 0; k < 1000; k++)
            buf_add(&large, STR("0123456789"));
        buf_add(&large, STR("</body></message>"));
        assert_true(xmpp_client_send(bench->client, buf_str(&large)));
    }
    assert_true(xmpp_client_send(bench->client, STR("<message><body>end</body></message>")));
    run(bench, "<body>end</body>");
    const char *at = buf_cstr(&bench->all);
    for (int i = 0; i < 100; i++) {
        char word[32];
        snprintf(word, sizeof(word), "<body>%d:", i);
        at = strstr(at, word);
        assert_non_null(at);
    }
    bench->client = xmpp_client_free(bench->client);
    run(bench, "</stream:stream>");
}

static void only_messages_are_told_and_questions_are_answered(void **state)
{
    Bench *bench = *state;

    up(bench);
    say(bench, "<presence from='bo@localhost'/>"
               "<iq type='get' id='p1' from='localhost'><ping xmlns='urn:xmpp:ping'/></iq>"
               "<iq type='get' id='q1' from='localhost'><query xmlns='jabber:iq:version'/></iq>"
               "<iq type='result' id='q2' from='localhost'/>");
    run(bench, "service-unavailable");
    const char *ping = strstr(buf_cstr(&bench->all), "<iq type='result' id='p1' to='localhost'/>");
    assert_non_null(ping);
    assert_null(strstr(buf_cstr(&bench->all), "id='q2'"));
    assert_int_equal(bench->messages, 0);
}

static void a_refused_password_is_told_once_and_not_tried_again(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    bench->login_answer = "<failure" SASL "><not-authorized/></failure>";
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->refusals, 1);
    assert_string_equal(bench->why, "the server refuses the password");
    assert_false(xmpp_client_is_up(bench->client));
    assert_false(xmpp_client_send(bench->client, STR("<message/>")));
    run_for(bench, 300000);
    assert_int_equal(bench->accepted, 1);
    assert_int_equal(bench->refusals, 1);
}

static void a_login_that_fails_for_now_is_tried_again(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    bench->login_answer = "<failure" SASL "><temporary-auth-failure/></failure>";
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->downs, 1);
    assert_int_equal(bench->refusals, 0);
    bench->login_answer = NULL;
    run(bench, NULL);
    assert_int_equal(bench->ups, 1);
}

static void a_lost_session_comes_back_after_a_while(void **state)
{
    Bench *bench = *state;

    up(bench);
    say(bench, STREAM_ERROR("system-shutdown"));
    run(bench, NULL);
    TimeUs lost = loop_now();
    assert_int_equal(bench->downs, 1);
    assert_string_equal(bench->why, "system-shutdown");
    assert_false(xmpp_client_send(bench->client, STR("<message/>")));
    run(bench, NULL);
    assert_int_equal(bench->ups, 2);
    assert_in_range(loop_now() - lost, 30000, 60000000); /* 40 ms - 25 % */

    bench->conn = conn_close(bench->conn); /* without a word */
    run(bench, NULL);
    assert_int_equal(bench->downs, 2);
}

static void a_server_that_hangs_is_given_up(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    setup.alive_ms = 50;
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->ups, 1);
    run(bench, "<iq type='get' id='warg-alive'><ping xmlns='urn:xmpp:ping'/></iq>");
    assert_int_equal(bench->downs, 0);
    say(bench, "<iq type='result' id='warg-alive'/>"); /* an answer is a sign of life */
    buf_clear(&bench->all);
    run(bench, "warg-alive");
    assert_int_equal(bench->downs, 0);
    run(bench, NULL); /* now it says nothing */
    assert_int_equal(bench->downs, 1);
    assert_string_equal(bench->why, "the server doesn't answer any more");
    run(bench, NULL);
    assert_int_equal(bench->ups, 2);
}

static void a_resource_that_was_taken_is_not_fought_for(void **state)
{
    Bench *bench = *state;

    up(bench);
    say(bench, STREAM_ERROR("conflict"));
    run(bench, NULL);
    assert_int_equal(bench->refusals, 1);
    assert_string_equal(bench->why, "another client has logged in with the same resource");
    run_for(bench, 300000);
    assert_int_equal(bench->accepted, 1);
}

static void an_account_is_registered_before_the_first_login(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    setup.register_account = true;
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->ups, 1);
    assert_int_equal(bench->accepted, 1);
    assert_non_null(
        strstr(buf_cstr(&bench->all), "<username>ann</username><password>a&lt;b&amp;c</password>"));

    say(bench, STREAM_ERROR("system-shutdown"));
    run(bench, NULL);
    run(bench, NULL);
    assert_int_equal(bench->ups, 2);
    assert_int_equal(bench->accepted, 2);
    const char *first = strstr(buf_cstr(&bench->all), "jabber:iq:register");
    assert_null(strstr(first + 1, "jabber:iq:register")); /* not registered again */
}

static void an_account_that_is_there_is_fine(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    setup.register_account = true;
    bench->register_answer = "<conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>";
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->ups, 1);
}

static void a_refused_registration_is_told_with_the_refused_login(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    setup.register_account = true;
    bench->register_answer = "<not-allowed xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>";
    bench->login_answer = "<failure" SASL "><not-authorized/></failure>";
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->refusals, 1);
    assert_string_equal(bench->why,
                        "the server refuses the password, and made no account: not-allowed");
}

/* Whether a server without TLS got to see anything of the login: PLAIN, or an account's password.
 */
static bool password_leaves_in_clear(Bench *bench, XmppTls tls, bool register_account)
{
    XmppClientSetup setup = setup_for(bench);

    setup.tls = tls;
    setup.register_account = register_account;
    buf_clear(&bench->all);
    bench->ups = bench->downs = bench->refusals = 0;
    start(bench, &setup);
    run(bench, NULL);
    bool left = strstr(buf_cstr(&bench->all), "<auth") || strstr(buf_cstr(&bench->all), "password");
    assert_int_equal(bench->refusals, !left);
    assert_int_equal(bench->ups, left);
    if (!left)
        assert_string_equal(bench->why, "the server offers no TLS");
    bench->client = xmpp_client_free(bench->client);
    return left;
}

static void without_tls_no_password_leaves_when_tls_is_required(void **state)
{
    assert_false(password_leaves_in_clear(*state, XMPP_TLS_REQUIRED, false));
    assert_false(password_leaves_in_clear(*state, XMPP_TLS_REQUIRED, true));
}

static void without_tls_no_password_leaves_when_any_certificate_is_trusted(void **state)
{
    assert_false(password_leaves_in_clear(*state, XMPP_TLS_TRUST, false));
    assert_false(password_leaves_in_clear(*state, XMPP_TLS_TRUST, true));
}

static void a_password_leaves_in_clear_where_that_was_allowed(void **state)
{
    assert_true(password_leaves_in_clear(*state, XMPP_TLS_OPTIONAL, false));
    assert_true(password_leaves_in_clear(*state, XMPP_TLS_OPTIONAL, true));
    assert_true(password_leaves_in_clear(*state, XMPP_TLS_OFF, false));
    assert_true(password_leaves_in_clear(*state, XMPP_TLS_OFF, true));
}

/* The settings are counted by what allows, not by what forbids. */
static void a_setting_that_is_none_allows_nothing(void **state)
{
    for (unsigned tls = XMPP_TLS_OFF + 1; tls < 8; tls++) /* what the type can hold */
        assert_false(password_leaves_in_clear(*state, (XmppTls)tls, tls % 2));
}

/* A server that offers TLS gets no password before it, however it was allowed. */
static void where_tls_is_offered_it_comes_before_the_password(void **state)
{
    Bench *bench = *state;
    static const XmppTls settings[] = {XMPP_TLS_REQUIRED, XMPP_TLS_TRUST, XMPP_TLS_OPTIONAL};

    bench->first_features = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" FEATURES_LOGIN;
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        XmppClientSetup setup = setup_for(bench);

        setup.tls = settings[i];
        buf_clear(&bench->all);
        start(bench, &setup);
        run(bench, "<starttls");
        say(bench, "<failure xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>");
        run(bench, NULL);
        assert_string_equal(bench->why, "the server refuses TLS, which it offered");
        assert_null(strstr(buf_cstr(&bench->all), "<auth"));
        bench->client = xmpp_client_free(bench->client);
    }
    assert_int_equal(bench->refusals, 3);
}

/* What a stranger put behind <proceed/> in the clear must not be taken for the server's word. */
static void what_follows_proceed_in_the_clear_is_not_read(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    setup.tls = XMPP_TLS_TRUST;
    bench->first_features = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";
    start(bench, &setup);
    run(bench, "<starttls");
    say(bench, "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/><stream:features>" FEATURES_LOGIN
               "</stream:features><stream:features>" FEATURES_LOGIN "</stream:features>");
    run_for(bench, 300000);
    assert_int_equal(bench->ups + bench->downs, 0); /* it waits for TLS */
    assert_null(strstr(buf_cstr(&bench->all), "<auth"));
    assert_null(strstr(buf_cstr(&bench->all), "PLAIN"));
}

static void success_without_proof_is_no_success(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    bench->first_features = "<mechanisms" SASL "><mechanism>SCRAM-SHA-1</mechanism></mechanisms>";
    start(bench, &setup); /* the server says <success/> to anything */
    run(bench, NULL);
    assert_int_equal(bench->refusals, 1);
    assert_int_equal(bench->ups, 0);
    assert_string_equal(bench->why, "the server doesn't prove that it knows the password");
}

static void no_common_way_to_log_in_is_no_matter_of_the_password(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    bench->first_features = FEATURES_EMPTY;
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->refusals, 0);
    assert_int_equal(bench->downs, 1);
    assert_string_equal(bench->why,
                        "the server offers no way to log in that is known here: it may want TLS");
}

static void a_server_that_is_not_there_is_told_and_awaited(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);
    char expected[128];

    listener_close(bench->listener);
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->downs, 1);
    snprintf(expected, sizeof(expected), "no connection to 127.0.0.1, port %u", setup.port);
    assert_string_equal(bench->why, expected);
    run(bench, NULL);
    assert_int_equal(bench->downs, 2);
}

static void every_address_of_a_name_is_tried(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    setup.host = "localhost"; /* often ::1 first, where nobody listens here */
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->ups, 1);

    bench->client = xmpp_client_free(bench->client);
    setup.host = "nobody.invalid";
    start(bench, &setup);
    run(bench, NULL);
    assert_int_equal(bench->downs, 1);
    assert_non_null(strstr(bench->why, "nobody.invalid: "));
}

static void a_message_without_end_ends_the_session(void **state)
{
    Bench *bench = *state;
    CLEANUP(buf_done) Buf piece = {0};

    up(bench);
    for (int i = 0; i < 65536; i++)
        buf_add_char(&piece, 'a');
    say(bench, "<message><body>");
    for (int i = 0; i < 256 && bench->conn; i++)
        conn_send(bench->conn, buf_str(&piece));
    run(bench, NULL);
    assert_int_equal(bench->downs, 1);
    assert_non_null(strstr(bench->why, TOO_LARGE));
}

static void messages_too_deep_or_too_rich_are_dropped(void **state)
{
    Bench *bench = *state;
    CLEANUP(buf_done) Buf deep = {0};

    up(bench);
    buf_add(&deep, STR("<message>"));
    for (int i = 0; i < 2000; i++)
        buf_add(&deep, STR("<a>"));
    for (int i = 0; i < 2000; i++)
        buf_add(&deep, STR("</a>"));
    buf_add(&deep, STR("</message><message"));
    for (int i = 0; i < 20000; i++)
        buf_printf(&deep, " a%d='12345678'", i);
    buf_add(&deep, STR("/><message><body>last</body></message>"));
    conn_send(bench->conn, buf_str(&deep));
    run(bench, NULL);
    assert_int_equal(bench->messages, 1);
    assert_non_null(strstr(buf_cstr(&bench->message), "[last]"));
    assert_int_equal(bench->downs, 0);
}

static void a_very_deep_message_does_no_harm(void **state)
{
    Bench *bench = *state;
    CLEANUP(buf_done) Buf deep = {0};

    up(bench);
    buf_add(&deep, STR("<message>"));
    for (int i = 0; i < 300000; i++)
        buf_add(&deep, STR("<a>"));
    conn_send(bench->conn, buf_str(&deep));
    run(bench, NULL);
    assert_int_equal(bench->downs, 1);
    assert_non_null(strstr(bench->why, TOO_LARGE));
}

static void what_is_no_xml_ends_the_session(void **state)
{
    Bench *bench = *state;

    up(bench);
    say(bench, "<message></body>");
    run(bench, "<stream:error");
    bench->conn = conn_close(bench->conn);
    run(bench, NULL);
    assert_int_equal(bench->downs, 1);
}

static void a_client_may_be_freed_when_a_message_comes(void **state)
{
    Bench *bench = *state;

    up(bench);
    bench->free_in_message = true;
    say(bench, "<message><body>1</body></message><message><body>2</body></message>");
    run(bench, "</stream:stream>");
    assert_int_equal(bench->messages, 1);
    assert_null(bench->client);
}

static void a_client_may_be_freed_while_the_server_is_silent(void **state)
{
    Bench *bench = *state;
    XmppClientSetup setup = setup_for(bench);

    bench->silent = true;
    start(bench, &setup);
    run(bench, "<stream:stream");
    TimeUs begin = loop_now();
    xmpp_client_free(bench->client);
    bench->loop = loop_free(bench->loop); /* waits for the thread */
    assert_in_range(loop_now() - begin, 0, 60000000);
}

static void a_setup_that_can_not_work_is_refused_at_once(void **state)
{
    Bench *bench = *state;
    const char *const bad[] = {"",      "ann",          "@localhost", "ann@", "a b@localhost",
                               "a@b@c", "<a>@localhost"};
    XmppClientSetup setup = setup_for(bench);
    XmppClient *client = NULL;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        Err err = {0};

        setup.jid = bad[i];
        assert_int_equal(xmpp_client_new(bench->loop, &setup, &client, &err), ERR_USAGE);
        assert_non_null(strstr(err.msg, "expected name@domain"));
    }
    setup = setup_for(bench);
    setup.password = "";
    assert_int_equal(xmpp_client_new(bench->loop, &setup, &client, NULL), ERR_USAGE);
    setup = setup_for(bench);
    setup.ca_file = "/nowhere/ca.pem";
    assert_int_equal(xmpp_client_new(bench->loop, &setup, &client, NULL), ERR_IO);
    assert_null(client);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_open, bench_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_client_logs_in_is_present_and_hears_messages),
        TEST(what_is_sent_arrives_in_order_and_the_stream_is_ended),
        TEST(only_messages_are_told_and_questions_are_answered),
        TEST(a_refused_password_is_told_once_and_not_tried_again),
        TEST(a_login_that_fails_for_now_is_tried_again),
        TEST(a_lost_session_comes_back_after_a_while),
        TEST(a_server_that_hangs_is_given_up),
        TEST(a_resource_that_was_taken_is_not_fought_for),
        TEST(an_account_is_registered_before_the_first_login),
        TEST(an_account_that_is_there_is_fine),
        TEST(a_refused_registration_is_told_with_the_refused_login),
        TEST(without_tls_no_password_leaves_when_tls_is_required),
        TEST(without_tls_no_password_leaves_when_any_certificate_is_trusted),
        TEST(a_password_leaves_in_clear_where_that_was_allowed),
        TEST(a_setting_that_is_none_allows_nothing),
        TEST(where_tls_is_offered_it_comes_before_the_password),
        TEST(what_follows_proceed_in_the_clear_is_not_read),
        TEST(success_without_proof_is_no_success),
        TEST(no_common_way_to_log_in_is_no_matter_of_the_password),
        TEST(a_server_that_is_not_there_is_told_and_awaited),
        TEST(every_address_of_a_name_is_tried),
        TEST(a_message_without_end_ends_the_session),
        TEST(messages_too_deep_or_too_rich_are_dropped),
        TEST(a_very_deep_message_does_no_harm),
        TEST(what_is_no_xml_ends_the_session),
        TEST(a_client_may_be_freed_when_a_message_comes),
        TEST(a_client_may_be_freed_while_the_server_is_silent),
        TEST(a_setup_that_can_not_work_is_refused_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
