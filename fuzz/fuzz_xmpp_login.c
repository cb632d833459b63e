/* fuzz_xmpp_login.c - whatever a server says, the login comes to an end or waits, and nothing of a
 * password leaves before TLS where TLS is required.
 *
 * The first byte is the setup, the rest what the server says; a new stream begins where the login
 * wants one, with the bytes that follow.
 */
#include "net/xmpp_login.h"
#include "net/xmpp_stream.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Run {
    XmppLogin *login;
    XmppLoginNext next;
    Buf out;
} Run;

static void on_element(void *user, const XmlNode *element)
{
    Run *run = user;

    if (run->next == XMPP_LOGIN_WAIT)
        run->next = xmpp_login_take(run->login, element, &run->out);
}

/* One stream; how much of `said` it took. */
static size_t run_stream(Run *run, Str said)
{
    static const Str head =
        STR("<stream:stream xmlns='" XMPP_CLIENT "' xmlns:stream='" XMPP_STREAMS "'>");
    const XmlEvents events = {.element = on_element, .user = run};
    XmlStream *stream = NULL;
    size_t used = 0;

    assert(xml_stream_new(&events, &stream, NULL) == 0);
    int code = xml_stream_feed(stream, head, NULL);
    while (!code && used < said.len && run->next == XMPP_LOGIN_WAIT)
        code = xml_stream_feed(stream, str_part(said, used++, 1), NULL);
    xml_stream_free(stream);
    return code ? said.len : used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const XmppClientSetup setup = {
        .jid = data[0] & 1 ? "ann@localhost/r" : "ann@localhost",
        .password = "secretsecret",
        .tls = (XmppTls)(data[0] >> 1 & 3),
        .register_account = data[0] & 8,
    };
    Str said = {(const char *)data + 1, size - 1};
    Run run = {.login = xmpp_login_new(&setup)};
    bool secured = false;

    assert(run.login);
    while (said.len && run.next != XMPP_LOGIN_UP && run.next != XMPP_LOGIN_LOST &&
           run.next != XMPP_LOGIN_REFUSED) {
        run.next = XMPP_LOGIN_WAIT;
        said = str_part(said, run_stream(&run, said), SIZE_MAX);
        assert(secured || setup.tls > XMPP_TLS_TRUST ||
               (!strstr(buf_cstr(&run.out), "<auth") && !strstr(buf_cstr(&run.out), "secret")));
        secured = secured || run.next == XMPP_LOGIN_TLS;
        buf_clear(&run.out);
    }
    if (run.next == XMPP_LOGIN_UP)
        assert(xmpp_login_jid(run.login).len);
    else if (run.next == XMPP_LOGIN_LOST || run.next == XMPP_LOGIN_REFUSED)
        assert(xmpp_login_why(run.login)[0]);
    xmpp_login_free(run.login);
    buf_done(&run.out);
    return 0;
}
