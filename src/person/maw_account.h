/* maw_account.h - an XMPP account of ours and its loop: what `warg join` needs, whoever plays by
 * it.
 *
 * For:    person/maw_join.c (a player), person/maw_interface.c (an interface agent).
 * Memory: a MawAccount owns its loop and client; the setup is borrowed for its life.
 * Thread: main thread.
 * Source: docs/spec/maw.md 3.5, 3.6, 8.1.
 */
#ifndef WARG_PERSON_MAW_ACCOUNT_H
#define WARG_PERSON_MAW_ACCOUNT_H

#include "net/xmpp_client.h"
#include "wire/maw_stanza.h"

typedef struct MawAccount MawAccount;

typedef struct MawAccountSetup {
    XmppClientSetup client; /* its events and user are set here */
    TimeUs timeout_us;      /* to be connected for the first time */
    uint64_t seed;
    void (*linked)(void *user, bool up, Str jid, TimeUs now);
    void (*heard)(void *user, const MawStanza *stanza, TimeUs now);
    /* One line, before it was ever connected; NULL: on stderr. */
    void (*trouble)(void *user, Str line);
    bool quiet;                                /* no such line at all */
    void (*signalled)(void *user, TimeUs now); /* the loop is stopped behind it */
    void *user;
} MawAccountSetup;

/* Makes the loop; connects with maw_account_connect. Errors: ERR_MEMORY, ERR_IO. */
int maw_account_new(const MawAccountSetup *setup, MawAccount **ret_account, Err *err);
int maw_account_connect(MawAccount *account, Err *err);
MawAccount *maw_account_free(MawAccount *account); /* takes NULL */

Loop *maw_account_loop(const MawAccount *account);
/* Sends it, from this account; gone when the account is not connected. */
void maw_account_send(MawAccount *account, const MawStanza *stanza);

/* Runs the loop until loop_stop. Errors: ERR_IO (the server has refused the account, or was not
 * there in time). */
int maw_account_run(MawAccount *account, Err *err);
/* By a signal. */
bool maw_account_was_stopped(const MawAccount *account);

/* On one line and without what steers a terminal: it may be a stranger's word. */
void maw_account_print(const char *line);

#endif
