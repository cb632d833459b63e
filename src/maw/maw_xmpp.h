/* maw_xmpp.h - a MAW table on a real XMPP server: its house behind one component.
 *
 * For:    `warg maw --xmpp`.
 * Memory: a MawXmpp owns its component; table and loop are borrowed.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 3.5, 3.6, 4 (last rule), 8.1.
 */
#ifndef WARG_MAW_MAW_XMPP_H
#define WARG_MAW_MAW_XMPP_H

#include "maw/maw_table.h"

typedef struct MawXmpp MawXmpp;

typedef struct MawXmppSetup {
    const char *host; /* of the server's component port */
    uint16_t port;
    Str component; /* "maw.example.org": the domain of all addresses here; copied */
    Str secret;    /* copied */
    uint64_t seed;
    MawTable *table;
    void (*note)(void *user, Str line); /* for the operator */
    /* The server will not have us: the session can't go on. */
    void (*refused)(void *user, const char *why, TimeUs now);
    /* A stanza to an address here; true: it is not for the house. May be NULL. */
    bool (*taken)(void *user, const MawStanza *stanza, TimeUs now);
    void *user;
} MawXmppSetup;

int maw_xmpp_new(Loop *loop, const MawXmppSetup *setup, MawXmpp **ret_xmpp, Err *err);
MawXmpp *maw_xmpp_free(MawXmpp *xmpp); /* to be called before the table is freed */
/* Sends a stanza to who is outside; without the link it is gone. */
void maw_xmpp_send(MawXmpp *xmpp, const MawStanza *stanza);

#endif
