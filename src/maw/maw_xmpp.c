#include "maw/maw_xmpp.h"

#include "base/rng.h"
#include "net/xmpp_component.h"

#define WARNED_MAX 32 /* more senders than that are not named */

struct MawXmpp {
    MawXmppSetup setup;
    XmppComponent *component;
    Buf domain;
    Buf out;
    Buf texts; /* of the stanza that is being taken */
    bool was_up;
    uint64_t warned[WARNED_MAX]; /* whose stanzas were dropped: hashes of their bare JIDs */
    uint32_t warned_count;
};

static void note_trouble(const MawXmpp *xmpp, const char *what, const char *why)
{
    char line[300];

    snprintf(line, sizeof(line), "%s%s%s", what, why ? ": " : "", why ? why : "");
    xmpp->setup.note(xmpp->setup.user, str_of(line));
}

/* ---- out ---- */

/* Without the link it is gone: clients are told anew when they ask or join again. */
static void send_stanza(void *user, const MawStanza *stanza)
{
    MawXmpp *xmpp = user;

    buf_clear(&xmpp->out);
    maw_stanza_write(stanza, &xmpp->out);
    if (!buf_failed(&xmpp->out))
        xmpp_component_send(xmpp->component, buf_str(&xmpp->out));
}

/* ---- in ---- */

/* To an address of ours that nobody has; an error is never answered. */
static void answer_nobody(MawXmpp *xmpp, const MawStanza *stanza)
{
    if (stanza->type == STANZA_ERROR || stanza->type == STANZA_OTHER)
        return;
    buf_clear(&xmpp->out);
    maw_stanza_write_error(stanza->to, stanza->from, stanza->id, "item-not-found", &xmpp->out);
    if (!buf_failed(&xmpp->out))
        xmpp_component_send(xmpp->component, buf_str(&xmpp->out));
}

/* A question must be answered (RFC 6120 8.2.3), and there is nothing here to ask. */
static void answer_iq(MawXmpp *xmpp, const XmlNode *iq)
{
    Str type = xml_attribute(iq, "type");
    Buf *out = &xmpp->out;

    if (!str_eq(type, STR("get")) && !str_eq(type, STR("set")))
        return;
    buf_clear(out);
    buf_add(out, STR("<iq type='error' from='"));
    xml_quote(out, xml_attribute(iq, "to"));
    buf_add(out, STR("' to='"));
    xml_quote(out, xml_attribute(iq, "from"));
    buf_add(out, STR("' id='"));
    xml_quote(out, xml_attribute(iq, "id"));
    buf_add(out, STR("'><error type='cancel'><service-unavailable "
                     "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"));
    if (!buf_failed(out))
        xmpp_component_send(xmpp->component, buf_str(out));
}

/* Only what comes from outside: a component's own addresses are never senders to it, so such a
 * stanza is forged or an echo (section 4, row 3). */
static void on_stanza(void *user, const XmlNode *element, TimeUs at)
{
    MawXmpp *xmpp = user;
    MawStanza stanza;

    if (str_eq(element->name, STR("iq"))) {
        answer_iq(xmpp, element);
        return;
    }
    buf_clear(&xmpp->texts);
    if (!str_eq(element->name, STR("message")) ||
        !maw_stanza_read(element, &xmpp->texts, &stanza) || stanza.from.len == 0 ||
        str_eq(jid_domain(stanza.from), buf_str(&xmpp->domain)))
        return;
    if (!maw_house_has(maw_table_house(xmpp->setup.table), stanza.to)) {
        answer_nobody(xmpp, &stanza);
        return;
    }
    if (xmpp->setup.taken && xmpp->setup.taken(xmpp->setup.user, &stanza, at))
        return;
    maw_house_post(maw_table_house(xmpp->setup.table), &stanza);
    maw_table_stir(xmpp->setup.table);
}

static void on_state(void *user, bool up, const char *why, TimeUs at)
{
    MawXmpp *xmpp = user;
    MawSession *session = maw_table_session(xmpp->setup.table);

    if (up)
        note_trouble(xmpp, "connected to the XMPP server", NULL);
    else
        note_trouble(xmpp, xmpp->was_up ? "the XMPP server is gone" : "no XMPP server yet", why);
    if (!up && !xmpp->was_up)
        return; /* nobody has joined by it */
    xmpp->was_up |= up;
    maw_session_link(session, up, at);
    maw_table_stir(xmpp->setup.table);
}

/* Section 4, row 1: said once of each sender. */
static void on_dropped(void *user, Str from, const char *why)
{
    MawXmpp *xmpp = user;
    CLEANUP(buf_done) Buf jid = {0};
    char what[160];

    jid_fold(from, &jid);
    uint64_t hash = jid.len ? rng_derive_text(1, buf_str(&jid)) : 0;
    for (uint32_t i = 0; i < xmpp->warned_count; i++)
        if (xmpp->warned[i] == hash)
            return;
    if (xmpp->warned_count == WARNED_MAX)
        return;
    xmpp->warned[xmpp->warned_count++] = hash;
    Str shown = str_part(buf_str(&jid), 0, 100);
    snprintf(what, sizeof(what), "dropped from %.*s", STR_ARG(shown));
    note_trouble(xmpp, what, why);
}

static void on_refused(void *user, const char *why, TimeUs now)
{
    MawXmpp *xmpp = user;

    xmpp->setup.refused(xmpp->setup.user, why, now);
}

/* ---- interface ---- */

int maw_xmpp_new(Loop *loop, const MawXmppSetup *setup, MawXmpp **ret_xmpp, Err *err)
{
    MawXmpp *xmpp = mem_new(sizeof(*xmpp));

    if (!xmpp)
        return err_set(err, ERR_MEMORY, "XMPP: out of memory");
    xmpp->setup = *setup;
    buf_add(&xmpp->domain, setup->component);
    XmppComponentSetup component = {.host = setup->host,
                                    .port = setup->port,
                                    .domain = setup->component,
                                    .secret = setup->secret,
                                    .seed = setup->seed,
                                    .events = {on_state, on_stanza, on_refused, on_dropped},
                                    .user = xmpp};
    int rc = buf_failed(&xmpp->domain)
                 ? err_set(err, ERR_MEMORY, "XMPP: out of memory")
                 : xmpp_component_new(loop, &component, &xmpp->component, err);
    if (rc) {
        maw_xmpp_free(xmpp);
        return rc;
    }
    maw_house_link(maw_table_house(setup->table), send_stanza, xmpp);
    *ret_xmpp = xmpp;
    return 0;
}

void maw_xmpp_send(MawXmpp *xmpp, const MawStanza *stanza)
{
    send_stanza(xmpp, stanza);
}

MawXmpp *maw_xmpp_free(MawXmpp *xmpp)
{
    if (!xmpp)
        return NULL;
    if (xmpp->component)
        maw_house_link(maw_table_house(xmpp->setup.table), NULL, NULL);
    xmpp_component_free(xmpp->component);
    buf_done(&xmpp->domain);
    buf_done(&xmpp->out);
    buf_done(&xmpp->texts);
    return mem_free(xmpp);
}
