/* xmpp_stream.h - what every XMPP stream begins and ends with, of a client or a component.
 *
 * For:    net/xmpp_client.c, net/xmpp_component.c, net/xmpp_login.c.
 * Memory: nothing is kept.
 * Thread: any.
 * Source: RFC 6120 4.7, 4.9; XEP-0114 3.
 */
#ifndef WARG_NET_XMPP_STREAM_H
#define WARG_NET_XMPP_STREAM_H

#include "base/xml.h"

#define XMPP_STREAMS "http://etherx.jabber.org/streams"

/* The tag that opens a stream to `domain`; `space`: of its stanzas; `version` may be NULL. */
void xmpp_stream_write_head(const char *space, const char *version, Str domain, Buf *out);

/* Whether an element is the error before a stream's end. */
bool xmpp_stream_is_error(const XmlNode *element);
/* What it says, for people: "conflict: Replaced by new connection". Returns its condition, borrowed
 * from `error`, empty if there is none. */
Str xmpp_stream_explain_error(const XmlNode *error, Buf *why);

/* Whether the other end is still there: nothing else notices one that hangs with its connection
 * open. One for each stream; RFC 6120 4.6.2. */
typedef struct XmppAlive {
    bool heard; /* since the last look */
    bool asked; /* at the last look */
} XmppAlive;
typedef enum XmppAliveNext { XMPP_ALIVE_WAIT, XMPP_ALIVE_ASK, XMPP_ALIVE_GONE } XmppAliveNext;
/* To be called now and then. */
XmppAliveNext xmpp_alive_look(XmppAlive *alive);

/* The error to be sent to a peer whose bytes can't be read for the reason `err`. */
Str xmpp_stream_error_for(const Err *err);

#endif
