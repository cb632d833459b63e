#include "person/maw_account.h"

#include "base/mem.h"
#include "base/rng.h"
#include "terminal/clean.h"

#include <signal.h>
#include <stdio.h>

struct MawAccount {
    const MawAccountSetup *setup;
    Loop *loop;
    Timer *patience; /* until it is connected for the first time */
    XmppClient *client;
    Buf out;
    Buf texts; /* of the stanza that is being taken */
    bool was_up;
    bool stopped;
    char trouble[200]; /* the last */
    Err problem;
};

void maw_account_print(const char *line)
{
    CLEANUP(buf_done) Buf clean = {0};

    clean_line(str_of(line), &clean);
    fprintf(stderr, "warg: %s\n", buf_cstr(&clean));
}

/* Until it was connected: then whoever plays says that the link is gone and back; one trouble once.
 */
static void tell_trouble(MawAccount *account, const char *why)
{
    const MawAccountSetup *setup = account->setup;
    char line[256];

    if (account->was_up || strcmp(why, account->trouble) == 0)
        return;
    snprintf(account->trouble, sizeof(account->trouble), "%s", why);
    snprintf(line, sizeof(line), "%s; trying again", why);
    if (setup->trouble)
        setup->trouble(setup->user, str_of(line));
    else if (!setup->quiet)
        maw_account_print(line);
}

static void on_state(void *user, bool up, Str jid, const char *why, TimeUs now)
{
    MawAccount *account = user;

    if (!up)
        tell_trouble(account, why);
    account->was_up |= up;
    account->setup->linked(account->setup->user, up, jid, now);
}

/* Later the link may be gone for as long as it takes: there is a seat to come back to. */
static void on_patience(void *user, TimeUs now)
{
    MawAccount *account = user;

    (void)now;
    if (account->was_up)
        return;
    err_set(&account->problem, ERR_IO, "%s is not connected within --timeout: %s",
            account->setup->client.jid, account->trouble[0] ? account->trouble : "no answer");
    loop_stop(account->loop);
}

static void on_stanza(void *user, const XmlNode *message, TimeUs at)
{
    MawAccount *account = user;
    MawStanza stanza;

    buf_clear(&account->texts);
    if (maw_stanza_read(message, &account->texts, &stanza))
        account->setup->heard(account->setup->user, &stanza, at);
}

static void on_refused(void *user, const char *why, TimeUs at)
{
    MawAccount *account = user;

    (void)at;
    err_set(&account->problem, ERR_IO, "%s: %s", account->setup->client.jid, why);
    loop_stop(account->loop);
}

static void on_signal(void *user, int signal_number, TimeUs now)
{
    MawAccount *account = user;

    (void)signal_number;
    if (!account->stopped)
        account->setup->signalled(account->setup->user, now);
    account->stopped = true;
    loop_stop(account->loop);
}

int maw_account_new(const MawAccountSetup *setup, MawAccount **ret_account, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    MawAccount *account = mem_new(sizeof(*account));

    if (!account)
        return err_set(err, ERR_MEMORY, "an XMPP account: out of memory");
    account->setup = setup;
    int rc = loop_new(&account->loop, err);
    if (rc == 0)
        rc = timer_new(account->loop, on_patience, account, &account->patience, err);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && rc == 0; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            continue; /* as nohup asks */
        rc = loop_signal(account->loop, signals[i], on_signal, account, err);
    }
    if (rc) {
        maw_account_free(account);
        return rc;
    }
    *ret_account = account;
    return 0;
}

int maw_account_connect(MawAccount *account, Err *err)
{
    XmppClientSetup client = account->setup->client;

    client.seed = rng_derive(account->setup->seed, 2);
    client.events = (XmppClientEvents){on_state, on_stanza, on_refused};
    client.user = account;
    timer_in(account->patience, account->setup->timeout_us);
    return xmpp_client_new(account->loop, &client, &account->client, err);
}

MawAccount *maw_account_free(MawAccount *account)
{
    if (!account)
        return NULL;
    xmpp_client_free(account->client);
    buf_done(&account->out);
    buf_done(&account->texts);
    loop_free(account->loop);
    return mem_free(account);
}

Loop *maw_account_loop(const MawAccount *account)
{
    return account->loop;
}

void maw_account_send(MawAccount *account, const MawStanza *stanza)
{
    MawStanza sent = *stanza;

    /* The server knows who we are, and gives another address after each login: ejabberd ends the
     * stream of who names an old one (RFC 6120 8.1.2.1). */
    sent.from = (Str){0};
    buf_clear(&account->out);
    maw_stanza_write(&sent, &account->out);
    if (!buf_failed(&account->out))
        xmpp_client_send(account->client, buf_str(&account->out));
}

int maw_account_run(MawAccount *account, Err *err)
{
    loop_run(account->loop);
    if (account->problem.code)
        return err_set(err, account->problem.code, "%s", account->problem.msg);
    return 0;
}

bool maw_account_was_stopped(const MawAccount *account)
{
    return account->stopped;
}
