/* States: see the header. Besides:
 *
 *   WAITING: nothing is open; the timer begins the next attempt.
 *   CONNECTING, OPENING, HANDSHAKE: the timer ends the attempt.
 *   UP: the timer asks a silent server whether it is there (XEP-0199), and gives it up.
 *   REFUSED: nothing is open, and nothing will be.
 */
#include "net/xmpp_component.h"

#include "base/digest.h"
#include "base/rng.h"
#include "net/uv_loop.h"
#include "net/xmpp_stream.h"

#define ACCEPT       "jabber:component:accept"
#define QUEUED_BYTES ((size_t)16 << 20)
#define OUT_BYTES    ((size_t)64 * 1024) /* that wait for the end of what is being read */
#define WAIT_MS      1000
#define WAIT_MS_MAX  30000
#define ANSWER_MS    10000
#define ALIVE_MS     20000

typedef enum Stage { WAITING, CONNECTING, OPENING, HANDSHAKE, UP, REFUSED } Stage;

struct XmppComponent {
    Owned owned;
    Loop *loop;
    Conn *conn;     /* NULL while WAITING or REFUSED */
    XmlStream *xml; /* the same */
    Timer *timer;
    XmppComponentEvents events;
    void *user;
    Buf out; /* sent while bytes are being read: written when they are */
    Buf host;
    Buf domain;
    Buf secret;
    Rng rng;
    XmppAlive alive; /* of UP */
    TimeUs alive_time;
    uint32_t first_wait_ms;
    uint32_t wait_ms; /* the next one, without its +- 25 % */
    uint32_t answer_ms;
    uint16_t port;
    Stage stage;
    TimeUs at;              /* when the bytes that are being read came */
    unsigned busy;          /* callbacks that run */
    bool freed;             /* xmpp_component_free was called */
    char why[ERR_TEXT_MAX]; /* it is down; empty when it is not */
};

/* ---- memory ---- */

static void flush_stream(XmppComponent *component)
{
    if (component->out.len)
        conn_send(component->conn, buf_str(&component->out));
    if (component->out.room > OUT_BYTES) /* not for ever, after one large broadcast */
        buf_done(&component->out);
    buf_clear(&component->out);
}

static void hang_up(XmppComponent *component)
{
    if (component->conn && component->stage == UP && !buf_failed(&component->out))
        flush_stream(component);
    buf_done(&component->out);
    if (component->conn && component->stage > CONNECTING)
        conn_send(component->conn, STR("</stream:stream>"));
    component->conn = conn_finish(component->conn);
    component->xml = xml_stream_free(component->xml);
}

static void leave_stream(XmppComponent *component)
{
    if (--component->busy || !component->freed)
        return;
    buf_done(&component->out);
    buf_done(&component->host);
    buf_done(&component->domain);
    buf_done(&component->secret);
    mem_free(component);
}

XmppComponent *xmpp_component_free(XmppComponent *component)
{
    if (!component || component->freed)
        return NULL;
    component->busy++;
    component->freed = true;
    hang_up(component);
    component->timer = timer_free(component->timer);
    link_drop(&component->owned.link);
    leave_stream(component);
    return NULL;
}

static void on_loop_free(Owned *owned)
{
    xmpp_component_free(HOLDER(owned, XmppComponent, owned));
}

/* ---- going down ---- */

static TimeUs next_wait(XmppComponent *component)
{
    uint32_t ms = component->wait_ms;

    component->wait_ms = ms > WAIT_MS_MAX / 2 ? WAIT_MS_MAX : 2 * ms;
    return (TimeUs)1000 * (ms - ms / 4 + rng_below(&component->rng, ms / 2 + 1));
}

/* An attempt failed, or the connection did; another one follows. */
static void lose_stream(XmppComponent *component, const char *why)
{
    bool tell = component->stage == UP || strcmp(component->why, why) != 0;

    if (component->freed)
        return;
    component->busy++;
    snprintf(component->why, sizeof(component->why), "%s", why);
    hang_up(component);
    component->stage = WAITING;
    timer_at(component->timer, loop_now() + next_wait(component), false);
    if (tell && component->events.state)
        component->events.state(component->user, false, component->why, loop_now());
    leave_stream(component);
}

static void refuse_stream(XmppComponent *component, const char *why)
{
    component->busy++;
    snprintf(component->why, sizeof(component->why), "%s", why);
    hang_up(component);
    component->stage = REFUSED;
    timer_stop(component->timer);
    if (component->events.refused)
        component->events.refused(component->user, component->why, loop_now());
    leave_stream(component);
}

/* Whether a further attempt can't go better: the secret or the name is wrong. */
static bool is_final(Str condition)
{
    static const char *const conditions[] = {
        "not-authorized", "host-unknown", "host-gone", "improper-addressing", "invalid-namespace",
    };

    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
        if (str_eq(condition, str_of(conditions[i])))
            return true;
    return false;
}

static void take_stream_error(XmppComponent *component, const XmlNode *error)
{
    CLEANUP(buf_done) Buf why = {0};

    buf_add(&why, STR("the server says: "));
    Str condition = xmpp_stream_explain_error(error, &why);
    if (component->stage != UP && is_final(condition))
        refuse_stream(component, buf_cstr(&why));
    else
        lose_stream(component, buf_cstr(&why));
}

/* ---- what comes ---- */

/* XEP-0114 3: the SHA-1 of the stream's id and the secret. False when there is no memory. */
static bool write_handshake(Str id, const Buf *secret, Buf *out)
{
    CLEANUP(buf_done) Buf text = {0};
    unsigned char digest[SHA1_BYTES];

    buf_printf(&text, "%.*s%s", STR_ARG(id), buf_cstr(secret));
    if (buf_failed(&text) || sha1(buf_str(&text), digest, NULL))
        return false;
    buf_printf(out, "<handshake>");
    for (size_t i = 0; i < SHA1_BYTES; i++)
        buf_printf(out, "%02x", digest[i]);
    buf_printf(out, "</handshake>");
    return !buf_failed(out);
}

static void on_stream(void *user, const XmlNode *root)
{
    XmppComponent *component = user;
    CLEANUP(buf_done) Buf out = {0};
    Str id = xml_attribute(root, "id");

    if (!str_eq(root->space, STR(XMPP_STREAMS)) || !str_eq(root->name, STR("stream"))) {
        lose_stream(component, "what answers there is no XMPP server");
        return;
    }
    if (!id.len)
        return; /* so prosody begins when it does not know the name; it says so next */
    if (!write_handshake(id, &component->secret, &out)) {
        lose_stream(component, "out of memory");
        return;
    }
    component->stage = HANDSHAKE;
    conn_send(component->conn, buf_str(&out));
}

static void on_element(void *user, const XmlNode *element)
{
    XmppComponent *component = user;

    if (xmpp_stream_is_error(element)) {
        take_stream_error(component, element);
    } else if (component->stage == OPENING) {
        lose_stream(component, "the server's stream has no id: is that its port for components?");
    } else if (component->stage == UP) {
        if (component->events.stanza)
            component->events.stanza(component->user, element, component->at);
    } else if (component->stage == HANDSHAKE && str_eq(element->space, STR(ACCEPT)) &&
               str_eq(element->name, STR("handshake"))) {
        component->stage = UP;
        component->why[0] = '\0';
        component->alive = (XmppAlive){0};
        timer_at(component->timer, loop_now() + component->alive_time, false);
        if (component->events.state)
            component->events.state(component->user, true, "", loop_now());
    }
}

static void on_dropped(void *user, const XmlNode *element, const char *why)
{
    XmppComponent *component = user;

    if (component->stage == UP && component->events.dropped)
        component->events.dropped(component->user, xml_attribute(element, "from"), why);
}

static void on_closed(void *user)
{
    lose_stream(user, "the server ended the stream");
}

static void take_garbage(XmppComponent *component, const Err *err)
{
    char why[ERR_TEXT_MAX + 64];

    conn_send(component->conn, xmpp_stream_error_for(err));
    snprintf(why, sizeof(why), "what the server sends can't be read: %s", err->msg);
    lose_stream(component, err->code == ERR_MEMORY ? "out of memory" : why);
}

static void on_bytes(void *user, Str bytes, TimeUs at)
{
    XmppComponent *component = user;
    Err err = {0};

    component->busy++;
    component->alive.heard = true;
    component->at = at;
    if (component->xml && xml_stream_feed(component->xml, bytes, &err))
        take_garbage(component, &err);
    if (buf_failed(&component->out))
        lose_stream(component, "out of memory");
    else if (component->conn)
        flush_stream(component);
    leave_stream(component);
}

/* ---- connecting ---- */

static void on_opened(void *user, TimeUs now)
{
    XmppComponent *component = user;
    CLEANUP(buf_done) Buf head = {0};

    (void)now;
    xmpp_stream_write_head(ACCEPT, NULL, buf_str(&component->domain), &head);
    if (buf_failed(&head)) {
        lose_stream(component, "out of memory");
        return;
    }
    component->stage = OPENING;
    conn_send(component->conn, buf_str(&head));
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    XmppComponent *component = user;
    char why[ERR_TEXT_MAX];

    (void)partial;
    (void)now;
    component->conn = NULL;
    if (how == CONN_STUCK)
        lose_stream(component, "the server does not read what it is sent");
    else if (how == CONN_NO_MEMORY)
        lose_stream(component, "out of memory");
    else if (component->stage == UP)
        lose_stream(component, "the connection to the server broke off");
    else {
        snprintf(why, sizeof(why), "%s %s, port %u",
                 component->stage == CONNECTING ? "no connection to" : "no answer from",
                 buf_cstr(&component->host), component->port);
        lose_stream(component, why);
    }
}

static int connect_now(XmppComponent *component, Err *err)
{
    static const ConnEvents conn_events = {
        .opened = on_opened,
        .bytes = on_bytes,
        .ended = on_ended,
    };
    static const ConnLimits limits = {.line_bytes = 0, .queued_bytes = QUEUED_BYTES};
    XmlEvents xml_events = {
        .opened = on_stream,
        .element = on_element,
        .closed = on_closed,
        .dropped = on_dropped,
        .user = component,
    };

    component->stage = CONNECTING;
    int code = xml_stream_new(&xml_events, &component->xml, err);
    if (!code)
        code = tcp_connect(component->loop, buf_cstr(&component->host), component->port,
                           &conn_events, component, &limits, &component->conn, err);
    if (!code)
        timer_at(component->timer, loop_now() + (TimeUs)1000 * component->answer_ms, false);
    return code;
}

/* The server is asked to bring us a question of our own: it knows no other address that must
 * answer. */
static void look_whether_alive(XmppComponent *component)
{
    XmppAliveNext next = xmpp_alive_look(&component->alive);
    CLEANUP(buf_done) Buf ping = {0};

    if (next == XMPP_ALIVE_GONE) {
        lose_stream(component, "the server does not answer any more");
        return;
    }
    if (next == XMPP_ALIVE_ASK) {
        buf_add(&ping, STR("<iq type='get' id='warg-alive' from='"));
        xml_quote(&ping, buf_str(&component->domain));
        buf_add(&ping, STR("' to='"));
        xml_quote(&ping, buf_str(&component->domain));
        buf_add(&ping, STR("'><ping xmlns='urn:xmpp:ping'/></iq>"));
        if (!buf_failed(&ping))
            conn_send(component->conn, buf_str(&ping));
    }
    component->wait_ms = component->first_wait_ms; /* it has held for a while */
    timer_at(component->timer, loop_now() + component->alive_time, false);
}

static void on_due(void *user, TimeUs now)
{
    XmppComponent *component = user;
    Err err = {0};

    (void)now;
    switch (component->stage) {
    case WAITING:
        if (connect_now(component, &err))
            lose_stream(component, err.msg);
        break;
    case CONNECTING:
    case OPENING:
    case HANDSHAKE:
        lose_stream(component, "the server does not answer");
        break;
    case UP:
        look_whether_alive(component);
        break;
    case REFUSED:
    default:
        break;
    }
}

int xmpp_component_new(Loop *loop, const XmppComponentSetup *setup, XmppComponent **ret, Err *err)
{
    XmppComponent *component = mem_new(sizeof(*component));

    if (!component)
        return err_set(err, ERR_MEMORY, "XMPP component: out of memory");
    component->loop = loop;
    component->events = setup->events;
    component->user = setup->user;
    component->port = setup->port;
    component->rng = rng_new(setup->seed);
    component->first_wait_ms = setup->wait_ms ? setup->wait_ms : WAIT_MS;
    component->wait_ms = component->first_wait_ms;
    component->alive_time = (TimeUs)1000 * (setup->alive_ms ? setup->alive_ms : ALIVE_MS);
    component->answer_ms = setup->answer_ms ? setup->answer_ms : ANSWER_MS;
    buf_add(&component->host, str_of(setup->host));
    buf_add(&component->domain, setup->domain);
    buf_add(&component->secret, setup->secret);
    /* before what it opens, so that loop_free closes it first */
    component->owned.close = on_loop_free;
    link_add(&loop->owned, &component->owned.link);

    int code = timer_new(loop, on_due, component, &component->timer, err);
    if (!code && (buf_failed(&component->host) || buf_failed(&component->domain) ||
                  buf_failed(&component->secret)))
        code = err_set(err, ERR_MEMORY, "XMPP component: out of memory");
    if (!code)
        code = connect_now(component, err);
    if (code) {
        xmpp_component_free(component);
        return code;
    }
    *ret = component;
    return 0;
}

/* ---- use ---- */

bool xmpp_component_is_up(const XmppComponent *component)
{
    return component->stage == UP;
}

bool xmpp_component_send(XmppComponent *component, Str stanzas)
{
    if (component->stage != UP)
        return false;
    if (!component->busy) {
        conn_send(component->conn, stanzas);
        return true;
    }
    /* One write for all that is said in answer to one read: a line for a whole table. */
    buf_add(&component->out, stanzas);
    if (component->out.len > OUT_BYTES && !buf_failed(&component->out))
        flush_stream(component);
    return true;
}
