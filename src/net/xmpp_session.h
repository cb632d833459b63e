/* xmpp_session.h - one session of an account with its server: opened in a way that waits, then run
 *                  in a way that doesn't. libstrophe is behind it.
 *
 * For:    xmpp_client.c, which knows the loop, while this file knows libstrophe. Nobody else
 *         includes it.
 * Memory: what `setup` points at must live as long as the session; texts that it hands out are
 *         borrowed until it is freed.
 * Thread: one at a time; only xmpp_session_stop may be called beside another call. Opening looks
 *         names up, and libstrophe 0.12 waits for each message of the TLS handshake: no thread with
 *         a loop may do that.
 * Source: RFC 6120, 6121; XEP-0077; spec/maw.md 8.1.
 *
 *   NEW --xmpp_session_open--> UP --------> LOST
 *                          |    +--------> REFUSED (another client took the resource)
 *                          +--> LOST, REFUSED
 */
#ifndef WARG_NET_XMPP_SESSION_H
#define WARG_NET_XMPP_SESSION_H

#include "base/buf.h"
#include "net/xmpp_client.h"

typedef struct XmppSession XmppSession;

typedef enum XmppSessionState {
    XMPP_SESSION_NEW,
    XMPP_SESSION_UP,
    XMPP_SESSION_LOST,    /* later it may work */
    XMPP_SESSION_REFUSED, /* it will not work later */
} XmppSessionState;

/* `element`: a whole <message> as text, borrowed. Called by xmpp_session_run. */
typedef void XmppMessageEvent(void *user, Str element);

int xmpp_session_new(const XmppClientSetup *setup, XmppMessageEvent *message, void *user,
                     XmppSession **ret_session, Err *err);
/* Ends the stream in order when it is up. Takes NULL, returns NULL. */
XmppSession *xmpp_session_free(XmppSession *session);

/* Connects, registers where that is wanted, logs in; waits for all of it. Then the state is one of
 * the other three. */
void xmpp_session_open(XmppSession *session);
/* From any thread: xmpp_session_open comes to its end soon, without success. Looking up a name
 * can't be cut short. */
void xmpp_session_stop(XmppSession *session);

/* From now on messages come: tells the server that we are available. */
void xmpp_session_begin(XmppSession *session);
/* Reads and writes what goes without waiting. True when it must be called again although the
 * descriptor may not become readable: OpenSSL may hold bytes. */
bool xmpp_session_run(XmppSession *session);
/* Queues, for xmpp_session_run to write. */
void xmpp_session_send(XmppSession *session, Str stanzas);
/* Whether bytes are queued that the kernel didn't take: wait until the descriptor is writable. */
bool xmpp_session_has_unsent(const XmppSession *session);

XmppSessionState xmpp_session_state(const XmppSession *session);
const char *xmpp_session_jid(const XmppSession *session);    /* the full one */
const char *xmpp_session_why(const XmppSession *session);    /* for people; of LOST and REFUSED */
bool xmpp_session_is_registered(const XmppSession *session); /* the account was seen or made */
int xmpp_session_fd(const XmppSession *session);             /* to wait for; of UP */

#endif
