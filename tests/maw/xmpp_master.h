/* xmpp_master.h - a MAW game master behind a real server: a session at the end of a component.
 *
 * For:    tests and benches of whole games over XMPP.
 * Memory: master_done frees what master_open made; the loop is the caller's.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 8.1.
 */
#ifndef WARG_TESTS_MAW_XMPP_MASTER_H
#define WARG_TESTS_MAW_XMPP_MASTER_H

#include "base/buf.h"
#include "maw/session.h"
#include "net/xmpp_component.h"

#include <assert.h>

typedef struct Master {
    Loop *loop;
    XmppComponent *component;
    MawSession *session;
    Timer *timer;
    Buf out;
    Buf texts;
    unsigned ups, downs;
    unsigned messages;
    void (*turned)(void *user); /* after each thing that happened; may be NULL */
    void *user;
} Master;

static inline void master_turned(Master *master)
{
    if (maw_session_over(master->session))
        loop_stop(master->loop);
    else
        timer_at(master->timer, maw_session_deadline(master->session), false);
    if (master->turned)
        master->turned(master->user);
}

static inline void master_on_timer(void *user, TimeUs now)
{
    Master *master = user;

    (void)now;
    maw_session_tick(master->session, loop_now());
    master_turned(master);
}

static inline void master_send(void *user, const MawStanza *stanza)
{
    Master *master = user;

    buf_clear(&master->out);
    maw_stanza_write(stanza, &master->out);
    xmpp_component_send(master->component, buf_str(&master->out)); /* what is lost is lost */
}

/* For a look at what goes wrong: MASTER_TRACE=1. */
static inline void master_record(void *user, Str json)
{
    (void)user;
    if (getenv("MASTER_TRACE"))
        fprintf(stderr, "%.*s\n", STR_ARG(json));
}

static inline void master_on_stanza(void *user, const XmlNode *element, TimeUs at)
{
    Master *master = user;
    MawStanza stanza;

    buf_clear(&master->texts);
    if (!maw_stanza_read(element, &master->texts, &stanza))
        return;
    master->messages++;
    if (maw_session_is_address(master->session, stanza.to))
        maw_session_receive(master->session, &stanza, at);
    master_turned(master);
}

static inline void master_on_state(void *user, bool up, const char *why, TimeUs at)
{
    Master *master = user;

    (void)at;
    (void)why;
    master->ups += up;
    master->downs += !up;
    maw_session_link(master->session, up, loop_now());
    master_turned(master);
}

static inline void master_on_refused(void *user, const char *why, TimeUs at)
{
    (void)at;
    (void)user;
    fprintf(stderr, "the component is refused: %s\n", why);
    abort();
}

/* A session at maw.localhost, on a server with this port for components. */
static inline void master_open(Master *master, Loop *loop, uint16_t port, const Ruleset *rules,
                               const MawOptions *options)
{
    const MawSessionSetup session = {
        .rules = rules,
        .options = *options,
        .id = STR("x"),
        .domain = STR("maw.localhost"),
        .chance = maw_chance_of_seed(7),
        .now = loop_now(),
        .unix_ms = 1700000000000,
        .out = {.send = master_send, .record = master_record, .user = master},
    };
    const XmppComponentSetup component = {
        .host = "127.0.0.1",
        .port = port,
        .domain = STR("maw.localhost"),
        .secret = STR("mawsecret"),
        .wait_ms = 50,
        .events = {.state = master_on_state,
                   .stanza = master_on_stanza,
                   .refused = master_on_refused},
        .user = master,
    };
    Err err = {0};

    *master = (Master){.loop = loop};
    int rc = timer_new(loop, master_on_timer, master, &master->timer, &err);
    if (rc == 0)
        rc = maw_session_new(&session, &master->session, &err);
    if (rc == 0)
        rc = xmpp_component_new(loop, &component, &master->component, &err);
    if (rc) {
        fprintf(stderr, "%s\n", err.msg);
        abort();
    }
}

static inline void master_done(Master *master)
{
    master->component = xmpp_component_free(master->component);
    master->session = maw_session_free(master->session);
    master->timer = timer_free(master->timer);
    buf_done(&master->out);
    buf_done(&master->texts);
}

#endif
