/* xmpp_client.h - an ordinary account on an XMPP server, on our loop.
 *
 * For:    `warg join`; test peers.
 * Memory: loop_free frees it too; elements are borrowed for the call.
 * Thread: the loop's.
 * Source: RFC 6120, 6121; XEP-0077 (registration), XEP-0199 (ping).
 */
#ifndef WARG_NET_XMPP_CLIENT_H
#define WARG_NET_XMPP_CLIENT_H

#include "base/xml.h"
#include "net/loop.h"

typedef struct XmppClient XmppClient;

/* With the last two a password may leave without TLS, for servers on loopback; with any other value
 * it does not. */
typedef enum XmppTls {
    XMPP_TLS_REQUIRED, /* STARTTLS, the certificate is checked */
    XMPP_TLS_TRUST,    /* STARTTLS, any certificate */
    XMPP_TLS_OPTIONAL, /* STARTTLS where the server offers it, any certificate */
    XMPP_TLS_OFF,
} XmppTls;

typedef struct XmppClientEvents {
    /* `jid`: the full one, once it is up; then available presence was sent. `why`: for people,
     * when it is down; each attempt that comes to nothing is told. */
    void (*state)(void *user, bool up, Str jid, const char *why, TimeUs at);
    void (*stanza)(void *user, const XmlNode *message, TimeUs at); /* <message> only */
    /* The password, the certificate, no TLS, or another client took the resource: it is not tried
     * again. */
    void (*refused)(void *user, const char *why, TimeUs at);
} XmppClientEvents;

typedef struct XmppClientSetup {
    const char *jid; /* "name@domain", or with a resource; copied, as are all texts */
    const char *password;
    const char *host; /* NULL: the domain's, by DNS */
    uint16_t port;    /* 0: by DNS, else 5222 */
    XmppTls tls;
    const char *ca_file;   /* NULL: the system's */
    bool register_account; /* XEP-0077, before the first login; an account that is there is fine */
    uint64_t seed;         /* of the waits' +- 25 % */
    uint32_t wait_ms;      /* the first wait before it is tried again; 0: 1000 */
    uint32_t alive_ms;     /* silence after which the server is asked, and after which, when it is
                            * asked, it is given up; 0: 20000 */
    XmppClientEvents events;
    void *user;
} XmppClientSetup;

/* Begins to connect; events come later, from the loop. Errors: ERR_USAGE (`jid` is no account, no
 * password), ERR_IO (`ca_file` can't be read), ERR_MEMORY. */
int xmpp_client_new(Loop *loop, const XmppClientSetup *setup, XmppClient **ret, Err *err);
/* Ends the stream in order; also from a callback. When a name is being looked up, loop_free waits
 * for that. Takes NULL, returns NULL. */
XmppClient *xmpp_client_free(XmppClient *client);

bool xmpp_client_is_up(const XmppClient *client);
/* Sends whole stanzas; false when it is down (they are gone). A server that doesn't read them is
 * given up, once 4 MiB wait for it. */
bool xmpp_client_send(XmppClient *client, Str stanzas);

#endif
