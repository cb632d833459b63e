/* test_xmpp_login.c - a login word by word: what is answered to each element of a server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "net/xmpp_login.h"

#define FEATURES(inside) "<features xmlns='http://etherx.jabber.org/streams'>" inside "</features>"
#define STARTTLS         "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
#define PLAIN                                                                                      \
    "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism>"            \
    "</mechanisms>"
#define SASL(name, inside)                                                                         \
    "<" name " xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>" inside "</" name ">"
#define ANSWER(rest, inside) "<iq xmlns='jabber:client' " rest ">" inside "</iq>"
#define BOUND(jid)                                                                                 \
    ANSWER("id='warg-bind' type='result'",                                                         \
           "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>" jid "</jid></bind>")
/* NUL ann NUL secret */
#define AUTH                                                                                       \
    "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AGFubgBzZWNyZXQ=</auth>"

typedef struct Talk {
    XmppClientSetup setup;
    XmppLogin *login;
} Talk;

static Talk talk_begin(const char *jid, XmppTls tls, bool wants_account)
{
    Talk talk = {
        .setup = {.jid = jid, .password = "secret", .tls = tls, .register_account = wants_account}};
    return talk;
}

static void talk_new(Talk *talk)
{
    talk->login = xmpp_login_new(&talk->setup);
    assert_non_null(talk->login);
}

static void talk_end(Talk *talk)
{
    talk->login = xmpp_login_free(talk->login);
    assert_null(talk->login);
}

/* The server says an element: what is answered, and what comes next. */
static void hears(Talk *talk, const char *element, const char *answer, XmppLoginNext next)
{
    CLEANUP(xml_stream_freep) XmlStream *stream = NULL;
    CLEANUP(buf_done) Buf out = {0};
    const XmlNode *root;
    Err err = {0};

    if (xml_read(str_of(element), &stream, &root, &err))
        fail_msg("%s: %s", element, err.msg);
    assert_int_equal(xmpp_login_take(talk->login, root, &out), next);
    assert_string_equal(buf_cstr(&out), answer);
}

static void an_account_logs_in_step_by_step(void **state)
{
    Talk talk = talk_begin("ann@example.org/desk'1", XMPP_TLS_REQUIRED, false);
    CLEANUP(buf_done) Buf head = {0};

    (void)state;
    talk_new(&talk);
    assert_true(xmpp_login_has_account(talk.login));
    xmpp_login_write_stream(talk.login, &head);
    assert_non_null(strstr(buf_cstr(&head), "to='example.org'"));
    assert_non_null(strstr(buf_cstr(&head), "version='1.0'"));
    hears(&talk, FEATURES(STARTTLS PLAIN), STARTTLS, XMPP_LOGIN_WAIT);
    hears(&talk, FEATURES(PLAIN), "", XMPP_LOGIN_WAIT); /* not what it waits for */
    hears(&talk, "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>", "", XMPP_LOGIN_TLS);
    hears(&talk, FEATURES(STARTTLS PLAIN), AUTH, XMPP_LOGIN_WAIT);
    hears(&talk, "<message xmlns='jabber:client'/>", "", XMPP_LOGIN_WAIT);
    hears(&talk, SASL("other", ""), "", XMPP_LOGIN_WAIT);
    hears(&talk, SASL("success", ""), "", XMPP_LOGIN_STREAM);
    hears(&talk, FEATURES(""),
          "<iq type='set' id='warg-bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
          "<resource>desk&apos;1</resource></bind></iq>",
          XMPP_LOGIN_WAIT);
    hears(&talk, ANSWER("id='other' type='result'", ""), "", XMPP_LOGIN_WAIT);
    hears(&talk, ANSWER("id='warg-bind' type='get'", ""), "", XMPP_LOGIN_WAIT);
    hears(&talk, BOUND("ann@example.org/1"), "", XMPP_LOGIN_UP);
    assert_true(str_eq(xmpp_login_jid(talk.login), STR("ann@example.org/1")));
    talk_end(&talk);
}

/* Up to the question for a resource, in the clear. */
static void log_in(Talk *talk)
{
    talk_new(talk);
    hears(talk, FEATURES(PLAIN), AUTH, XMPP_LOGIN_WAIT);
    hears(talk, SASL("success", ""), "", XMPP_LOGIN_STREAM);
    hears(
        talk, FEATURES(""),
        "<iq type='set' id='warg-bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'></bind></iq>",
        XMPP_LOGIN_WAIT);
}

static void without_a_resource_the_login_is_lost_and_says_why(void **state)
{
    Talk talk = talk_begin("ann@example.org", XMPP_TLS_OFF, false);

    (void)state;
    log_in(&talk);
    hears(&talk,
          ANSWER("id='warg-bind' type='error'",
                 "<error><text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>no</text>"
                 "<resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"),
          "", XMPP_LOGIN_LOST);
    assert_string_equal(xmpp_login_why(talk.login),
                        "the server gives no resource: resource-constraint");
    talk_end(&talk);
    log_in(&talk);
    hears(&talk, ANSWER("id='warg-bind' type='result'", ""), "", XMPP_LOGIN_LOST);
    assert_string_equal(xmpp_login_why(talk.login), "the server gives no resource: refused");
    talk_end(&talk);
    log_in(&talk);
    hears(&talk, BOUND(""), "", XMPP_LOGIN_LOST);
    talk_end(&talk);
    log_in(&talk);
    hears(&talk,
          ANSWER("id='warg-bind' type='error'", "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
                                                "<jid>ann@example.org/1</jid></bind>"),
          "", XMPP_LOGIN_LOST);
    talk_end(&talk);
}

static void a_password_leaves_only_where_the_setting_allows_it(void **state)
{
    static const struct {
        XmppTls tls;
        const char *offered, *answer;
        XmppLoginNext next;
    } cases[] = {
        {XMPP_TLS_REQUIRED, FEATURES(PLAIN), "", XMPP_LOGIN_REFUSED},
        {XMPP_TLS_TRUST, FEATURES(PLAIN), "", XMPP_LOGIN_REFUSED},
        {XMPP_TLS_OPTIONAL, FEATURES(PLAIN), AUTH, XMPP_LOGIN_WAIT},
        {XMPP_TLS_OFF, FEATURES(PLAIN), AUTH, XMPP_LOGIN_WAIT},
        {XMPP_TLS_TRUST, FEATURES(STARTTLS PLAIN), STARTTLS, XMPP_LOGIN_WAIT},
        {XMPP_TLS_OPTIONAL, FEATURES(STARTTLS PLAIN), STARTTLS, XMPP_LOGIN_WAIT},
        {XMPP_TLS_OFF, FEATURES(STARTTLS PLAIN), AUTH, XMPP_LOGIN_WAIT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Talk talk = talk_begin("ann@example.org", cases[i].tls, false);
        talk_new(&talk);
        hears(&talk, cases[i].offered, cases[i].answer, cases[i].next);
        if (cases[i].next == XMPP_LOGIN_REFUSED)
            assert_string_equal(xmpp_login_why(talk.login), "the server offers no TLS");
        talk_end(&talk);
    }
}

static void tls_that_is_refused_or_missing_ends_the_login(void **state)
{
    Talk talk = talk_begin("ann@example.org", XMPP_TLS_REQUIRED, false);

    (void)state;
    talk_new(&talk);
    hears(&talk, FEATURES(STARTTLS), STARTTLS, XMPP_LOGIN_WAIT);
    hears(&talk, "<failure xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>", "", XMPP_LOGIN_REFUSED);
    assert_string_equal(xmpp_login_why(talk.login), "the server refuses TLS, which it offered");
    talk_end(&talk);
}

static void no_mechanism_in_common_may_be_for_want_of_tls(void **state)
{
    Talk talk = talk_begin("ann@example.org", XMPP_TLS_OPTIONAL, false);

    (void)state;
    talk_new(&talk);
    hears(&talk, FEATURES(""), "", XMPP_LOGIN_LOST);
    assert_non_null(strstr(xmpp_login_why(talk.login), ": it may want TLS"));
    talk_end(&talk);
    talk_new(&talk);
    hears(&talk, FEATURES(STARTTLS), STARTTLS, XMPP_LOGIN_WAIT);
    hears(&talk, "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>", "", XMPP_LOGIN_TLS);
    hears(&talk, FEATURES(""), "", XMPP_LOGIN_LOST);
    assert_null(strstr(xmpp_login_why(talk.login), "it may want TLS"));
    talk_end(&talk);
}

static void a_refused_password_says_why(void **state)
{
    static const struct {
        const char *failure;
        XmppLoginNext next;
        const char *why;
    } cases[] = {
        {SASL("failure", "<not-authorized/>"), XMPP_LOGIN_REFUSED,
         "the server refuses the password"},
        {SASL("failure", "<text>sorry</text><account-disabled/>"), XMPP_LOGIN_REFUSED,
         "the server refuses the password (account-disabled)"},
        {SASL("failure", ""), XMPP_LOGIN_REFUSED, "the server refuses the password (refused)"},
        {SASL("failure", "<temporary-auth-failure/>"), XMPP_LOGIN_LOST,
         "the server can't check the password now"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Talk talk = talk_begin("ann@example.org", XMPP_TLS_OFF, false);
        talk_new(&talk);
        hears(&talk, FEATURES(PLAIN), AUTH, XMPP_LOGIN_WAIT);
        hears(&talk, cases[i].failure, "", cases[i].next);
        assert_string_equal(xmpp_login_why(talk.login), cases[i].why);
        talk_end(&talk);
    }
}

#define REGISTER                                                                                   \
    "<iq type='set' id='warg-register' to='example.org'><query xmlns='jabber:iq:register'>"        \
    "<username>ann</username><password>secret</password></query></iq>"

static void an_account_is_asked_for_before_the_password_is_said(void **state)
{
    Talk talk = talk_begin("ann@example.org", XMPP_TLS_OFF, true);

    (void)state;
    talk_new(&talk);
    assert_false(xmpp_login_has_account(talk.login));
    hears(&talk, FEATURES(PLAIN), REGISTER, XMPP_LOGIN_WAIT);
    hears(&talk, ANSWER("id='other' type='result'", ""), "", XMPP_LOGIN_WAIT);
    hears(&talk, ANSWER("id='warg-register' type='result'", ""), AUTH, XMPP_LOGIN_WAIT);
    assert_true(xmpp_login_has_account(talk.login));
    talk_end(&talk);
    talk_new(&talk);
    hears(&talk, FEATURES(PLAIN), REGISTER, XMPP_LOGIN_WAIT);
    hears(&talk, ANSWER("id='warg-register' type='error'", "<error><conflict/></error>"), AUTH,
          XMPP_LOGIN_WAIT);
    assert_true(xmpp_login_has_account(talk.login));
    talk_end(&talk);
}

static void an_account_that_was_not_made_is_told_with_the_refused_password(void **state)
{
    Talk talk = talk_begin("ann@example.org", XMPP_TLS_OFF, true);

    (void)state;
    talk_new(&talk);
    hears(&talk, FEATURES(PLAIN), REGISTER, XMPP_LOGIN_WAIT);
    hears(&talk, ANSWER("id='warg-register' type='error'", "<error><not-allowed/></error>"), AUTH,
          XMPP_LOGIN_WAIT);
    assert_false(xmpp_login_has_account(talk.login));
    hears(&talk, SASL("failure", "<not-authorized/>"), "", XMPP_LOGIN_REFUSED);
    assert_string_equal(xmpp_login_why(talk.login),
                        "the server refuses the password, and made no account: not-allowed");
    talk_end(&talk);
}

static void nobody_is_freed_without_harm(void **state)
{
    (void)state;
    assert_null(xmpp_login_free(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_account_logs_in_step_by_step),
        cmocka_unit_test(without_a_resource_the_login_is_lost_and_says_why),
        cmocka_unit_test(a_password_leaves_only_where_the_setting_allows_it),
        cmocka_unit_test(tls_that_is_refused_or_missing_ends_the_login),
        cmocka_unit_test(no_mechanism_in_common_may_be_for_want_of_tls),
        cmocka_unit_test(a_refused_password_says_why),
        cmocka_unit_test(an_account_is_asked_for_before_the_password_is_said),
        cmocka_unit_test(an_account_that_was_not_made_is_told_with_the_refused_password),
        cmocka_unit_test(nobody_is_freed_without_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
