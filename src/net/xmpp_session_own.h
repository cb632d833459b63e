/* xmpp_session_own.h - the inside of an XmppSession, for the two files that make it up.
 *
 * For:    xmpp_session.c (a session that is up) and xmpp_session_open.c (addresses, account,
 *         login), and nobody else.
 * Memory: see xmpp_session.h.
 * Thread: see xmpp_session.h.
 * Source: house rule: what two files of a folder share is in a header of its own. libstrophe's
 *         header belongs in .c files, so its types are only named here.
 */
#ifndef WARG_NET_XMPP_SESSION_OWN_H
#define WARG_NET_XMPP_SESSION_OWN_H

#include "net/xmpp_session.h"

#include <pthread.h>

#define XMPP_MEMORY_MAX ((size_t)4 << 20) /* of libstrophe's, with the stanza that is read */
#define XMPP_WHY_BYTES  400

struct XmppSession {
    const XmppClientSetup *setup;
    XmppMessageEvent *message;
    void *user;
    struct Hooks *hooks;         /* what libstrophe is given */
    struct _xmpp_ctx_t *context; /* libstrophe's */
    struct _xmpp_conn_t *conn;   /* likewise; NULL between two */
    size_t memory;               /* bytes that libstrophe has */
    const void *unsent;          /* libstrophe's copy of what is being sent */
    size_t copying;              /* while it makes that copy: its size */
    int reads_left;              /* calls until OpenSSL holds nothing more, at most */
    XmppSessionState state;
    bool dialing;              /* an address that doesn't answer is no end of a stream */
    bool done;                 /* the stream that is run came to its end, or as far as it should */
    bool registered;           /* the account is there */
    bool temporary;            /* the login failed for a reason that may pass */
    bool login_failed;         /* the server said so, to one of the ways at least */
    bool no_way;               /* no way to log in is left */
    bool bad_security;         /* no TLS, or not with this certificate */
    char why[XMPP_WHY_BYTES];  /* the first reason that is known */
    char note[XMPP_WHY_BYTES]; /* what libstrophe said last, for want of a better reason */
    char register_why[64];     /* why no account was made */
    Buf jid;
    Buf text; /* reused for each message */
    pthread_mutex_t lock;
    int fd; /* these two by the lock */
    bool stopped;
};

/* The session whose context this is. */
XmppSession *session_of(struct _xmpp_ctx_t *context);
/* The first reason stays. `more` may be NULL or empty. */
void session_set_why(XmppSession *session, const char *what, const char *more);
/* libstrophe's log is not wanted any more: it costs a text for each stanza. */
void session_hush(XmppSession *session);
/* Our own descriptor of the socket; closes the one before. */
void session_set_fd(XmppSession *session, int fd);
/* Ends a stream in order, without waiting for the server to do the same. */
void session_finish_conn(XmppSession *session);
void session_drop_conn(XmppSession *session); /* without a word */

#endif
