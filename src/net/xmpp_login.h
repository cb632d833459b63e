/* xmpp_login.h - from the first tag of a stream to an account's resource: STARTTLS, an account
 *                where one is wanted, the password, the resource. No I/O.
 *
 * For:    net/xmpp_client.c.
 * Memory: what `setup` points at must live as long as the login.
 * Thread: one at a time.
 * Source: RFC 6120 4.3, 5, 6, 7; XEP-0077.
 *
 *     features -> STARTTLS, new stream -> features -> register -> password, new stream ->
 *     features -> resource -> up
 */
#ifndef WARG_NET_XMPP_LOGIN_H
#define WARG_NET_XMPP_LOGIN_H

#include "net/xmpp_client.h"

#define XMPP_CLIENT "jabber:client"

typedef struct XmppLogin XmppLogin;

typedef enum XmppLoginNext {
    XMPP_LOGIN_WAIT,    /* for the next element */
    XMPP_LOGIN_TLS,     /* TLS begins now, and a stream in it */
    XMPP_LOGIN_STREAM,  /* a new stream on the same connection */
    XMPP_LOGIN_UP,      /* logged in */
    XMPP_LOGIN_LOST,    /* `why`; it may work later */
    XMPP_LOGIN_REFUSED, /* `why`; it will not */
} XmppLoginNext;

/* `setup->register_account` is asked once; later logins of one client should not ask for it. */
XmppLogin *xmpp_login_new(const XmppClientSetup *setup); /* NULL: no memory */
XmppLogin *xmpp_login_free(XmppLogin *login);            /* takes NULL, returns NULL */

/* The tag that opens a stream, for this account's domain. */
void xmpp_login_write_stream(const XmppLogin *login, Buf *out);

/* An element that came, before the login is up; appends what is to be sent before anything else is
 * done. Elements that don't belong to a login are passed over. */
XmppLoginNext xmpp_login_take(XmppLogin *login, const XmlNode *element, Buf *out);

Str xmpp_login_jid(const XmppLogin *login);          /* the full one, once it is up */
const char *xmpp_login_why(const XmppLogin *login);  /* of LOST and REFUSED */
bool xmpp_login_has_account(const XmppLogin *login); /* it was made, or was there */

#endif
