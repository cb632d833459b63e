#include "net/xmpp_login.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "net/sasl.h"
#include "net/xmpp_stream.h"

#define TLS         "urn:ietf:params:xml:ns:xmpp-tls"
#define SASL        "urn:ietf:params:xml:ns:xmpp-sasl"
#define BIND        "urn:ietf:params:xml:ns:xmpp-bind"
#define REGISTER_ID "warg-register"
#define BIND_ID     "warg-bind"

/* What it waits for. */
typedef enum Step { FEATURES, PROCEED, REGISTERED, CHALLENGE, BOUND } Step;

struct XmppLogin {
    const XmppClientSetup *setup;
    Sasl *sasl;
    Buf mechanisms; /* that the server offers, with blanks between them */
    Buf jid;
    Buf why;
    Buf register_why; /* why no account was made */
    Step step;
    bool secured;
    bool registered;
    bool authenticated;
};

XmppLogin *xmpp_login_new(const XmppClientSetup *setup)
{
    XmppLogin *login = mem_new(sizeof(*login));

    if (!login)
        return NULL;
    login->setup = setup;
    login->registered = !setup->register_account;
    return login;
}

XmppLogin *xmpp_login_free(XmppLogin *login)
{
    if (!login)
        return NULL;
    sasl_free(login->sasl);
    buf_done(&login->mechanisms);
    buf_done(&login->jid);
    buf_done(&login->why);
    buf_done(&login->register_why);
    return mem_free(login);
}

/* The parts of "name@domain/resource". */
typedef struct Account {
    Str name, domain, resource;
} Account;

static Account account_of(const XmppLogin *login)
{
    Str rest = str_of(login->setup->jid);
    Str name = str_cut(&rest, '@');
    Str domain = str_cut(&rest, '/');

    return (Account){name, domain, rest};
}

void xmpp_login_write_stream(const XmppLogin *login, Buf *out)
{
    xmpp_stream_write_head(XMPP_CLIENT, "1.0", account_of(login).domain, out);
}

/* ---- the end ---- */

static XmppLoginNext refuse_login(XmppLogin *login, const char *why)
{
    buf_clear(&login->why);
    buf_add(&login->why, str_of(why));
    return XMPP_LOGIN_REFUSED;
}

static XmppLoginNext lose_login(XmppLogin *login, const char *why)
{
    refuse_login(login, why);
    return XMPP_LOGIN_LOST;
}

/* The name of what an error says, as a text of `out`'s: "not-authorized". */
static const char *error_condition(const XmlNode *error, Buf *out)
{
    const XmlNode *child = error ? error->first : NULL;

    while (child && (!child->name.len || str_eq(child->name, STR("text"))))
        child = child->next;
    buf_clear(out);
    utf8_add_printable(child ? child->name : STR("refused"), 60, out);
    return buf_cstr(out);
}

/* ---- the resource (RFC 6120 7) ---- */

static XmppLoginNext bind_resource(XmppLogin *login, Buf *out)
{
    Str resource = account_of(login).resource;

    buf_add(out, STR("<iq type='set' id='" BIND_ID "'><bind xmlns='" BIND "'>"));
    if (resource.len) {
        buf_add(out, STR("<resource>"));
        xml_quote(out, resource);
        buf_add(out, STR("</resource>"));
    }
    buf_add(out, STR("</bind></iq>"));
    login->step = BOUND;
    return XMPP_LOGIN_WAIT;
}

static XmppLoginNext take_bound(XmppLogin *login, const XmlNode *iq)
{
    CLEANUP(buf_done) Buf why = {0};
    const XmlNode *bind = xml_child(iq, BIND, "bind");
    const XmlNode *jid = bind ? xml_child(bind, BIND, "jid") : NULL;

    if (jid)
        xml_text(jid, &login->jid);
    if (str_eq(xml_attribute(iq, "type"), STR("result")) && login->jid.len)
        return XMPP_LOGIN_UP;
    buf_printf(&why, "the server gives no resource: ");
    CLEANUP(buf_done) Buf name = {0};
    buf_add(&why, str_of(error_condition(xml_child(iq, XMPP_CLIENT, "error"), &name)));
    return lose_login(login, buf_cstr(&why));
}

/* ---- the password (RFC 6120 6) ---- */

static XmppLoginNext fail_step(XmppLogin *login, const Err *err)
{
    return err->code == ERR_MEMORY ? lose_login(login, err->msg) : refuse_login(login, err->msg);
}

static XmppLoginNext authenticate_login(XmppLogin *login, Buf *out)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf first = {0};
    Err err = {0};

    buf_add(&name, account_of(login).name);
    login->sasl = sasl_free(login->sasl);
    int code = sasl_new(buf_str(&login->mechanisms), buf_cstr(&name), login->setup->password,
                        &login->sasl, &err);
    if (code == ERR_RULE) {
        buf_printf(&first, "%s%s", err.msg, login->secured ? "" : ": it may want TLS");
        return lose_login(login, buf_cstr(&first));
    }
    if (!code)
        code = sasl_step(login->sasl, (Str){"", 0}, &first, &err);
    if (code)
        return fail_step(login, &err);
    buf_printf(out, "<auth xmlns='" SASL "' mechanism='%s'>", sasl_mechanism(login->sasl));
    buf_add(out, first.len ? buf_str(&first) : STR("="));
    buf_add(out, STR("</auth>"));
    login->step = CHALLENGE;
    return XMPP_LOGIN_WAIT;
}

static XmppLoginNext take_failure(XmppLogin *login, const XmlNode *failure)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf why = {0};
    const char *what = error_condition(failure, &name);

    if (strcmp(what, "temporary-auth-failure") == 0) {
        buf_printf(&why, "the server can't check the password now");
        return lose_login(login, buf_cstr(&why));
    }
    buf_add(&why, STR("the server refuses the password"));
    if (strcmp(what, "not-authorized") != 0)
        buf_printf(&why, " (%s)", what);
    if (login->register_why.len)
        buf_printf(&why, ", and made no account: %s", buf_cstr(&login->register_why));
    return refuse_login(login, buf_cstr(&why));
}

static XmppLoginNext take_sasl(XmppLogin *login, const XmlNode *element, Buf *out)
{
    CLEANUP(buf_done) Buf said = {0};
    CLEANUP(buf_done) Buf answer = {0};
    bool success = str_eq(element->name, STR("success"));
    Err err = {0};

    if (str_eq(element->name, STR("failure")))
        return take_failure(login, element);
    if (!success && !str_eq(element->name, STR("challenge")))
        return XMPP_LOGIN_WAIT;
    xml_text(element, &said);
    /* Success may bring the last message of the exchange, or come after it. */
    if ((!success || said.len) && sasl_step(login->sasl, buf_str(&said), &answer, &err))
        return fail_step(login, &err);
    if (!success) {
        buf_add(out, STR("<response xmlns='" SASL "'>"));
        buf_add(out, buf_str(&answer));
        buf_add(out, STR("</response>"));
        return XMPP_LOGIN_WAIT;
    }
    if (!sasl_is_done(login->sasl))
        return refuse_login(login, "the server doesn't prove that it knows the password");
    login->authenticated = true;
    login->step = FEATURES;
    return XMPP_LOGIN_STREAM;
}

/* ---- an account of our own (XEP-0077) ---- */

static XmppLoginNext ask_account(XmppLogin *login, Buf *out)
{
    Account account = account_of(login);

    buf_add(out, STR("<iq type='set' id='" REGISTER_ID "' to='"));
    xml_quote(out, account.domain);
    buf_add(out, STR("'><query xmlns='jabber:iq:register'><username>"));
    xml_quote(out, account.name);
    buf_add(out, STR("</username><password>"));
    xml_quote(out, str_of(login->setup->password));
    buf_add(out, STR("</password></query></iq>"));
    login->step = REGISTERED;
    return XMPP_LOGIN_WAIT;
}

/* An account that is there already is fine; without one the password will be refused. */
static XmppLoginNext take_registered(XmppLogin *login, const XmlNode *iq, Buf *out)
{
    CLEANUP(buf_done) Buf name = {0};
    const char *what = error_condition(xml_child(iq, XMPP_CLIENT, "error"), &name);

    login->registered =
        str_eq(xml_attribute(iq, "type"), STR("result")) || strcmp(what, "conflict") == 0;
    if (!login->registered)
        buf_add(&login->register_why, str_of(what));
    return authenticate_login(login, out);
}

/* ---- what the server offers ---- */

/* The settings with which a password may leave without TLS; a new one, or what is no setting at
 * all, is not among them. */
static bool clear_is_allowed(XmppTls tls)
{
    return tls == XMPP_TLS_OPTIONAL || tls == XMPP_TLS_OFF;
}

static XmppLoginNext take_features(XmppLogin *login, const XmlNode *features, Buf *out)
{
    XmppTls tls = login->setup->tls;
    const XmlNode *mechanisms = xml_child(features, SASL, "mechanisms");

    if (login->authenticated)
        return bind_resource(login, out);
    if (!login->secured && tls != XMPP_TLS_OFF && xml_child(features, TLS, "starttls")) {
        buf_add(out, STR("<starttls xmlns='" TLS "'/>"));
        login->step = PROCEED;
        return XMPP_LOGIN_WAIT;
    }
    if (!login->secured && !clear_is_allowed(tls))
        return refuse_login(login, "the server offers no TLS");
    buf_clear(&login->mechanisms);
    const XmlNode *at = mechanisms ? xml_child(mechanisms, SASL, "mechanism") : NULL;
    for (; at; at = xml_next(at, SASL, "mechanism")) {
        xml_text(at, &login->mechanisms);
        buf_add_char(&login->mechanisms, ' ');
    }
    return login->registered ? authenticate_login(login, out) : ask_account(login, out);
}

static XmppLoginNext take_proceed(XmppLogin *login, const XmlNode *element)
{
    if (!str_eq(element->name, STR("proceed")))
        return refuse_login(login, "the server refuses TLS, which it offered");
    login->secured = true;
    login->step = FEATURES;
    return XMPP_LOGIN_TLS;
}

static bool is_answer(const XmlNode *element, const char *id)
{
    return str_eq(element->space, STR(XMPP_CLIENT)) && str_eq(element->name, STR("iq")) &&
           str_eq(xml_attribute(element, "id"), str_of(id)) &&
           !str_eq(xml_attribute(element, "type"), STR("get"));
}

XmppLoginNext xmpp_login_take(XmppLogin *login, const XmlNode *element, Buf *out)
{
    switch (login->step) {
    case FEATURES:
        if (str_eq(element->space, STR(XMPP_STREAMS)) && str_eq(element->name, STR("features")))
            return take_features(login, element, out);
        break;
    case PROCEED:
        if (str_eq(element->space, STR(TLS)))
            return take_proceed(login, element);
        break;
    case REGISTERED:
        if (is_answer(element, REGISTER_ID))
            return take_registered(login, element, out);
        break;
    case CHALLENGE:
        if (str_eq(element->space, STR(SASL)))
            return take_sasl(login, element, out);
        break;
    case BOUND:
        if (is_answer(element, BIND_ID))
            return take_bound(login, element);
        break;
    }
    return XMPP_LOGIN_WAIT;
}

Str xmpp_login_jid(const XmppLogin *login)
{
    return buf_str(&login->jid);
}

const char *xmpp_login_why(const XmppLogin *login)
{
    return buf_cstr(&login->why);
}

bool xmpp_login_has_account(const XmppLogin *login)
{
    return login->registered;
}
