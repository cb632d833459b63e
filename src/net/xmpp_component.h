/* xmpp_component.h - an external component of an XMPP server: XEP-0114 on our loop.
 *
 * For:    `warg maw --xmpp`: one connection for game master, rooms and players of this process.
 * Memory: loop_free frees it too; elements are borrowed for the call.
 * Thread: the loop's.
 * Source: XEP-0114; RFC 6120 4; docs/spec/maw.md 8.1.
 *
 *   CONNECTING --tcp--> OPENING --stream id--> HANDSHAKE --<handshake/>--> UP
 *        ^                                                                  |
 *        +------------- 1, 2, 4 ... 30 s, +- 25 % <----- lost --------------+
 */
#ifndef WARG_NET_XMPP_COMPONENT_H
#define WARG_NET_XMPP_COMPONENT_H

#include "base/xml.h"
#include "net/tcp.h"

typedef struct XmppComponent XmppComponent;

typedef struct XmppComponentEvents {
    /* `why`: for people, when it is down. Attempts that come to nothing are told too, when their
     * `why` is another than that of the last: it may be down several times in a row. */
    void (*state)(void *user, bool up, const char *why, TimeUs at);
    void (*stanza)(void *user, const XmlNode *stanza, TimeUs at);
    /* The server refuses the secret or the name: it is not tried again. */
    void (*refused)(void *user, const char *why, TimeUs at);
    /* A stanza over the limits of base/xml.h was left out: its sender may be anybody, and must not
     * bring the link down. May be NULL. */
    void (*dropped)(void *user, Str from, const char *why);
} XmppComponentEvents;

typedef struct XmppComponentSetup {
    const char *host;   /* "127.0.0.1" */
    uint16_t port;      /* 5347 */
    Str domain;         /* "maw.localhost"; copied */
    Str secret;         /* copied */
    uint64_t seed;      /* of the waits' +- 25 % */
    uint32_t wait_ms;   /* the first wait; 0: 1000 */
    uint32_t answer_ms; /* from connecting to being up, at most; 0: 10000 */
    uint32_t alive_ms;  /* silence after which the server is asked, and after which, when it is
                         * asked,  it is given up; 0: 20000 */
    XmppComponentEvents events;
    void *user;
} XmppComponentSetup;

/* Begins to connect; events come later, from the loop. Looking `host` up holds the loop, at each
 * attempt: name an address. Errors: ERR_IO when the name can't be resolved, ERR_MEMORY. */
int xmpp_component_new(Loop *loop, const XmppComponentSetup *setup, XmppComponent **ret, Err *err);
/* Ends the stream in order; also from a callback. Takes NULL, returns NULL. */
XmppComponent *xmpp_component_free(XmppComponent *component);

bool xmpp_component_is_up(const XmppComponent *component);
/* Sends whole stanzas; false when it is down (they are gone). A server that doesn't read them is
 * given up, once 16 MiB wait for it. */
bool xmpp_component_send(XmppComponent *component, Str stanzas);

#endif
