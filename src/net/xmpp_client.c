/*   WAITING --due--> FINDING --> CONNECTING --> OPENING --logged in--> UP
 *      ^                |            |             |  |                |
 *      +----------------+------------+-------------+--|----lost--------+
 *                                                     +--refused--> REFUSED <--resource taken
 *
 * WAITING     nothing is open; the timer begins the next attempt after 1, 2, 4 ... 30 s, +- 25 %.
 * FINDING     DNS is asked where the server is; the timer gives up.
 * CONNECTING  to one address after the other; the timer goes on to the next.
 * OPENING     TLS, account, password, resource (net/xmpp_login.h); the timer gives up.
 * UP          the timer asks a silent server whether it is there (XEP-0199), and gives it up.
 * REFUSED     nothing is open, and nothing will be.
 */
#include "net/xmpp_client.h"

#include "base/rng.h"
#include "net/service.h"
#include "net/tcp.h"
#include "net/tls.h"
#include "net/uv_loop.h"
#include "net/xmpp_login.h"
#include "net/xmpp_stream.h"

#include <errno.h>
#include <unistd.h>

#define CLIENT_PORT  5222
#define OPEN_TIME    ((TimeUs)30 * 1000000) /* from DNS to the login's end */
#define CONNECT_TIME ((TimeUs)5 * 1000000)  /* for one address */
#define WAIT_MIN     ((TimeUs)1 * 1000000)  /* unless the setup says another */
#define WAIT_MAX     ((TimeUs)30 * 1000000)
#define ALIVE_TIME   ((TimeUs)20 * 1000000) /* unless the setup says another */
#define QUEUED_BYTES ((size_t)4 << 20)      /* that the server doesn't take */

typedef enum Stage { WAITING, FINDING, CONNECTING, OPENING, UP, REFUSED } Stage;

struct XmppClient {
    Owned owned;
    Soon soon; /* what can't be sent ends the session, but not within xmpp_client_send */
    Loop *loop;
    Timer *timer;
    XmppClientSetup setup; /* its texts are in `texts` */
    char *texts;
    ServiceLookup *lookup; /* of FINDING */
    ServiceAddress addresses[SERVICE_ADDRESSES_MAX];
    unsigned address_count;
    unsigned next_address;
    TimeUs open_until;
    Conn *conn;       /* of CONNECTING and later, as all of these */
    TlsTrust *trust;  /* NULL: not needed yet */
    Tls *tls;         /* NULL: none yet */
    XmlStream *xml;   /* of the stream that is open */
    XmppLogin *login; /* of OPENING and UP */
    Rng rng;
    XmppAlive alive; /* of UP */
    TimeUs alive_time;
    TimeUs first_wait;
    TimeUs wait; /* before the next attempt that follows a failed one */
    TimeUs at;   /* when the bytes that are being read came */
    Stage stage;
    unsigned busy; /* callbacks that run */
    bool freed;    /* xmpp_client_free was called */
};

/* ---- sending ---- */

static void send_bytes(XmppClient *client, Str bytes)
{
    CLEANUP(buf_done) Buf cipher = {0};

    if (client->tls) {
        if (tls_send(client->tls, bytes, &cipher, NULL) || buf_failed(&cipher))
            loop_soon(client->loop, &client->soon);
        bytes = buf_str(&cipher);
    }
    conn_send(client->conn, bytes);
}

static void send_out(XmppClient *client, const Buf *out)
{
    if (buf_failed(out))
        loop_soon(client->loop, &client->soon);
    else if (out->len)
        send_bytes(client, buf_str(out));
}

/* ---- the end of a connection ---- */

static void hang_up(XmppClient *client)
{
    CLEANUP(buf_done) Buf out = {0};

    client->lookup = service_forget(client->lookup);
    link_drop(&client->soon.link);
    if (client->conn && client->xml)
        send_bytes(client, STR("</stream:stream>"));
    if (client->conn && client->tls) {
        tls_end(client->tls, &out);
        conn_send(client->conn, buf_str(&out));
    }
    link_drop(&client->soon.link);
    client->conn = client->xml ? conn_finish(client->conn) : conn_close(client->conn);
    client->xml = xml_stream_free(client->xml);
    client->tls = tls_free(client->tls);
    client->login = xmpp_login_free(client->login);
}

static void leave_stream(XmppClient *client)
{
    if (--client->busy || !client->freed)
        return;
    tls_trust_free(client->trust);
    mem_free(client->texts);
    mem_free(client);
}

XmppClient *xmpp_client_free(XmppClient *client)
{
    if (!client || client->freed)
        return NULL;
    client->busy++;
    client->freed = true;
    hang_up(client);
    client->timer = timer_free(client->timer);
    link_drop(&client->owned.link);
    leave_stream(client);
    return NULL;
}

static void on_loop_free(Owned *owned)
{
    xmpp_client_free(HOLDER(owned, XmppClient, owned));
}

/* Nothing is open any more; another attempt follows. */
static void lose_stream(XmppClient *client, const char *why)
{
    char reason[ERR_TEXT_MAX];
    TimeUs quarter = client->wait / 4;
    TimeUs wait = client->wait - quarter + rng_below(&client->rng, (uint32_t)(2 * quarter + 1));

    if (client->freed || client->stage == REFUSED || client->stage == WAITING)
        return;
    client->busy++;
    snprintf(reason, sizeof(reason), "%s", why);
    hang_up(client);
    client->stage = WAITING;
    client->wait = client->wait * 2 < WAIT_MAX ? client->wait * 2 : WAIT_MAX;
    TimeUs now = loop_now();
    timer_at(client->timer, now + wait, false);
    client->setup.events.state(client->setup.user, false, (Str){"", 0}, reason, now);
    leave_stream(client);
}

static void refuse_stream(XmppClient *client, const char *why)
{
    char reason[ERR_TEXT_MAX];

    if (client->freed)
        return;
    client->busy++;
    snprintf(reason, sizeof(reason), "%s", why);
    hang_up(client);
    client->stage = REFUSED;
    timer_stop(client->timer);
    client->setup.events.refused(client->setup.user, reason, loop_now());
    leave_stream(client);
}

static void on_soon(Soon *soon)
{
    lose_stream(HOLDER(soon, XmppClient, soon), "out of memory");
}

static void take_stream_error(XmppClient *client, const XmlNode *error)
{
    CLEANUP(buf_done) Buf why = {0};
    Str condition = xmpp_stream_explain_error(error, &why);

    if (client->stage == UP && str_eq(condition, STR("conflict")))
        refuse_stream(client, "another client has logged in with the same resource");
    else
        lose_stream(client, buf_cstr(&why));
}

/* ---- a session that is up ---- */

/* RFC 6120 8.2.3: each question gets an answer. Servers ask whether we are still there (XEP-0199).
 */
static void answer_iq(XmppClient *client, const XmlNode *iq)
{
    CLEANUP(buf_done) Buf out = {0};
    Str type = xml_attribute(iq, "type");
    Str from = xml_attribute(iq, "from");
    bool ping = xml_child(iq, "urn:xmpp:ping", "ping");

    if (!str_eq(type, STR("get")) && !str_eq(type, STR("set")))
        return;
    buf_printf(&out, "<iq type='%s' id='", ping ? "result" : "error");
    xml_quote(&out, xml_attribute(iq, "id"));
    if (from.len) {
        buf_add(&out, STR("' to='"));
        xml_quote(&out, from);
    }
    buf_add(&out, ping ? STR("'/>")
                       : STR("'><error type='cancel'><service-unavailable "
                             "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"));
    send_out(client, &out);
}

static void be_up(XmppClient *client)
{
    client->stage = UP;
    client->alive = (XmppAlive){0};
    TimeUs now = loop_now();
    timer_at(client->timer, now + client->alive_time, false);
    send_bytes(client, STR("<presence/>"));
    client->setup.events.state(client->setup.user, true, xmpp_login_jid(client->login), NULL, now);
}

/* ---- streams ---- */

static Buf domain_of(const XmppClient *client)
{
    Str rest = str_of(client->setup.jid);
    Buf domain = {0};

    str_cut(&rest, '@');
    buf_add(&domain, str_cut(&rest, '/'));
    return domain;
}

static void open_stream(XmppClient *client);

static void begin_tls(XmppClient *client)
{
    CLEANUP(buf_done) Buf domain = domain_of(client);
    Err err = {0};
    int code = 0;

    if (!client->trust)
        code = client->setup.tls == XMPP_TLS_REQUIRED
                   ? tls_trust_new(client->setup.ca_file, &client->trust, &err)
                   : tls_trust_anybody(&client->trust, &err);
    if (!code)
        code = tls_connect(client->trust, buf_cstr(&domain), &client->tls, &err);
    if (code == ERR_MEMORY)
        lose_stream(client, err.msg);
    else if (code)
        refuse_stream(client, err.msg);
    else
        open_stream(client);
}

static void take_login(XmppClient *client, const XmlNode *element)
{
    CLEANUP(buf_done) Buf out = {0};
    XmppLoginNext next = xmpp_login_take(client->login, element, &out);

    send_out(client, &out);
    if (xmpp_login_has_account(client->login))
        client->setup.register_account = false;
    switch (next) {
    case XMPP_LOGIN_WAIT:
        break;
    case XMPP_LOGIN_TLS:
        begin_tls(client);
        break;
    case XMPP_LOGIN_STREAM:
        open_stream(client);
        break;
    case XMPP_LOGIN_UP:
        be_up(client);
        break;
    case XMPP_LOGIN_LOST:
        lose_stream(client, xmpp_login_why(client->login));
        break;
    case XMPP_LOGIN_REFUSED:
        refuse_stream(client, xmpp_login_why(client->login));
        break;
    }
}

static void on_stream(void *user, const XmlNode *root)
{
    if (!str_eq(root->space, STR(XMPP_STREAMS)) || !str_eq(root->name, STR("stream")))
        lose_stream(user, "what answers there is no XMPP server");
}

static void on_element(void *user, const XmlNode *element)
{
    XmppClient *client = user;

    if (client->freed)
        return;
    if (xmpp_stream_is_error(element))
        take_stream_error(client, element);
    else if (client->stage == OPENING)
        take_login(client, element);
    else if (client->stage == UP && str_eq(element->space, STR(XMPP_CLIENT))) {
        if (str_eq(element->name, STR("message")))
            client->setup.events.stanza(client->setup.user, element, client->at);
        else if (str_eq(element->name, STR("iq")))
            answer_iq(client, element);
    }
}

/* What is too long or too deep to be read is no message for us: docs/spec/maw.md 4, row 1. */
static void on_dropped(void *user, const XmlNode *element, const char *why)
{
    (void)user;
    (void)element;
    (void)why;
}

static void on_closed(void *user)
{
    XmppClient *client = user;

    lose_stream(client, client->stage == UP
                            ? "the server ended the stream"
                            : "the server ended the stream before the login was done");
}

/* In place of the one before, if there was one: what follows of that is not read. */
static void open_stream(XmppClient *client)
{
    const XmlEvents events = {
        .opened = on_stream,
        .element = on_element,
        .closed = on_closed,
        .dropped = on_dropped,
        .user = client,
    };
    CLEANUP(buf_done) Buf head = {0};

    client->xml = xml_stream_free(client->xml);
    xmpp_login_write_stream(client->login, &head);
    if (xml_stream_new(&events, &client->xml, NULL) || buf_failed(&head))
        lose_stream(client, "out of memory");
    else
        send_bytes(client, buf_str(&head));
}

/* ---- what comes ---- */

static void take_garbage(XmppClient *client, const Err *err)
{
    char why[ERR_TEXT_MAX + 64];

    send_bytes(client, xmpp_stream_error_for(err));
    snprintf(why, sizeof(why), "what the server sends can't be read: %s", err->msg);
    lose_stream(client, err->code == ERR_MEMORY ? "out of memory" : why);
}

static void take_plain(XmppClient *client, Str bytes)
{
    Err err = {0};

    if (client->xml && xml_stream_feed(client->xml, bytes, &err) && client->xml)
        take_garbage(client, &err);
}

static void take_cipher(XmppClient *client, Str bytes)
{
    CLEANUP(buf_done) Buf plain = {0};
    CLEANUP(buf_done) Buf out = {0};
    bool ended = false;
    Err err = {0};
    int code = tls_feed(client->tls, bytes, &plain, &out, &ended, &err);

    conn_send(client->conn, buf_str(&out));
    if (plain.len)
        take_plain(client, buf_str(&plain));
    if (!client->tls)
        return; /* what was read ended the session */
    if (code == ERR_RULE)
        refuse_stream(client, err.msg);
    else if (code)
        lose_stream(client, err.msg);
    else if (ended)
        on_closed(client);
}

static void on_bytes(void *user, Str bytes, TimeUs at)
{
    XmppClient *client = user;

    client->busy++;
    client->alive.heard = true;
    client->at = at;
    if (client->tls)
        take_cipher(client, bytes);
    else
        take_plain(client, bytes);
    leave_stream(client);
}

/* ---- connecting ---- */

static void connect_next(XmppClient *client);

static void on_opened(void *user, TimeUs now)
{
    XmppClient *client = user;

    (void)now;
    client->login = xmpp_login_new(&client->setup);
    if (!client->login) {
        lose_stream(client, "out of memory");
        return;
    }
    client->stage = OPENING;
    timer_at(client->timer, client->open_until, false);
    open_stream(client);
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    XmppClient *client = user;

    (void)partial;
    (void)now;
    client->conn = NULL;
    if (how == CONN_STUCK)
        lose_stream(client, "the server doesn't take what is sent");
    else if (how == CONN_NO_MEMORY)
        lose_stream(client, "out of memory");
    else if (client->stage == CONNECTING)
        connect_next(client);
    else
        lose_stream(client, client->stage == UP
                                ? "the connection to the server broke off"
                                : "the server ended the connection before the login was done");
}

static void connect_next(XmppClient *client)
{
    static const ConnEvents events = {.opened = on_opened, .bytes = on_bytes, .ended = on_ended};
    static const ConnLimits limits = {.line_bytes = 0, .queued_bytes = QUEUED_BYTES};
    char why[128];

    client->stage = CONNECTING;
    client->conn = conn_close(client->conn);
    while (client->next_address < client->address_count && !client->conn) {
        const ServiceAddress *at = &client->addresses[client->next_address++];
        tcp_connect(client->loop, at->host, at->port, &events, client, &limits, &client->conn,
                    NULL);
    }
    if (client->conn) {
        timer_at(client->timer, loop_now() + CONNECT_TIME, false);
        return;
    }
    const ServiceAddress *last = &client->addresses[client->address_count - 1];
    snprintf(why, sizeof(why), "no connection to %s, port %u", last->host, last->port);
    lose_stream(client, why);
}

static void on_found(void *user, const ServiceAddress *addresses, unsigned count, const char *why)
{
    XmppClient *client = user;

    client->lookup = NULL;
    client->busy++;
    client->address_count = count;
    client->next_address = 0;
    if (count) {
        memcpy(client->addresses, addresses, count * sizeof(addresses[0]));
        connect_next(client);
    } else {
        lose_stream(client, why);
    }
    leave_stream(client);
}

static void find_server(XmppClient *client)
{
    CLEANUP(buf_done) Buf domain = domain_of(client);
    const ServiceWanted wanted = {
        .service = "_xmpp-client._tcp",
        .domain = buf_cstr(&domain),
        .host = client->setup.host,
        .port = client->setup.port,
        .fallback_port = CLIENT_PORT,
    };
    client->stage = FINDING;
    client->open_until = loop_now() + OPEN_TIME;
    timer_at(client->timer, client->open_until, false);
    if (service_find(client->loop, &wanted, on_found, client, &client->lookup, NULL))
        lose_stream(client, "out of memory");
}

static void look_whether_alive(XmppClient *client)
{
    XmppAliveNext next = xmpp_alive_look(&client->alive);

    if (next == XMPP_ALIVE_GONE) {
        lose_stream(client, "the server doesn't answer any more");
        return;
    }
    if (next == XMPP_ALIVE_ASK)
        send_bytes(client,
                   STR("<iq type='get' id='warg-alive'><ping xmlns='urn:xmpp:ping'/></iq>"));
    client->wait = client->first_wait; /* it has held for a while */
    timer_at(client->timer, loop_now() + client->alive_time, false);
}

static void on_due(void *user, TimeUs now)
{
    XmppClient *client = user;

    (void)now;
    client->busy++;
    switch (client->stage) {
    case WAITING:
        find_server(client);
        break;
    case FINDING:
    case OPENING:
        lose_stream(client, "no answer in time");
        break;
    case CONNECTING:
        connect_next(client);
        break;
    case UP:
        look_whether_alive(client);
        break;
    case REFUSED:
        break;
    }
    leave_stream(client);
}

/* ---- the client ---- */

/* "name@domain" or "name@domain/resource", of characters that may stand in an attribute. */
static bool is_jid(Str jid)
{
    Str rest = jid;
    Str name = str_cut(&rest, '@');
    Str domain = str_cut(&rest, '/');

    for (size_t i = 0; i < jid.len; i++) {
        unsigned char byte = (unsigned char)jid.bytes[i];
        if (byte <= ' ' || byte == 0x7f || strchr("\"&'<>", byte))
            return false;
    }
    return name.len && name.len <= 1023 && domain.len && domain.len <= 1023 && rest.len <= 1023 &&
           !memchr(name.bytes, '/', name.len) && !memchr(domain.bytes, '@', domain.len);
}

static int check_setup(const XmppClientSetup *setup, Err *err)
{
    if (!is_jid(str_of(setup->jid)))
        return err_set(err, ERR_USAGE, "XMPP account '%s': expected name@domain",
                       setup->jid ? setup->jid : "");
    if (!setup->password || !setup->password[0])
        return err_set(err, ERR_USAGE, "XMPP account %s: no password", setup->jid);
    if (setup->ca_file && access(setup->ca_file, R_OK))
        return err_set(err, ERR_IO, "certificates '%s': %s", setup->ca_file, strerror(errno));
    return 0;
}

/* Copies the texts of `setup` behind each other. */
static bool keep_setup(XmppClient *client, const XmppClientSetup *setup)
{
    const char *from[] = {setup->jid, setup->password, setup->host, setup->ca_file};
    const char **to[] = {&client->setup.jid, &client->setup.password, &client->setup.host,
                         &client->setup.ca_file};
    size_t bytes = 0;

    for (size_t i = 0; i < 4; i++)
        bytes += from[i] ? strlen(from[i]) + 1 : 0;
    client->texts = mem_new(bytes);
    if (!client->texts)
        return false;
    client->setup = *setup;
    char *at = client->texts;
    for (size_t i = 0; i < 4; i++) {
        if (!from[i])
            continue;
        size_t n = strlen(from[i]) + 1;
        memcpy(at, from[i], n);
        *to[i] = at;
        at += n;
    }
    return true;
}

int xmpp_client_new(Loop *loop, const XmppClientSetup *setup, XmppClient **ret, Err *err)
{
    int rc = check_setup(setup, err);

    if (rc)
        return rc;
    XmppClient *client = mem_new(sizeof(*client));
    if (!client)
        return err_set(err, ERR_MEMORY, "XMPP client: out of memory");
    client->loop = loop;
    client->soon.run = on_soon;
    link_init(&client->soon.link);
    client->owned.close = on_loop_free;
    link_init(&client->owned.link);
    link_add(&loop->owned,
             &client->owned.link); /* before what it opens: loop_free keeps the order */
    client->rng = rng_new(setup->seed);
    client->first_wait = setup->wait_ms ? (TimeUs)setup->wait_ms * 1000 : WAIT_MIN;
    client->wait = client->first_wait;
    client->alive_time = setup->alive_ms ? (TimeUs)setup->alive_ms * 1000 : ALIVE_TIME;
    client->stage = WAITING;
    rc = keep_setup(client, setup) ? timer_new(loop, on_due, client, &client->timer, err)
                                   : err_set(err, ERR_MEMORY, "XMPP client: out of memory");
    if (rc) {
        xmpp_client_free(client);
        return rc;
    }
    timer_at(client->timer, loop_now(), false);
    *ret = client;
    return 0;
}

bool xmpp_client_is_up(const XmppClient *client)
{
    return client->stage == UP;
}

bool xmpp_client_send(XmppClient *client, Str stanzas)
{
    if (client->stage != UP || client->freed)
        return false;
    send_bytes(client, stanzas);
    return true;
}
