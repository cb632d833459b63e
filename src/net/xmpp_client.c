/*   OPENING --logged in--> UP --lost--> WAITING --1, 2, 4 ... 30 s, +- 25 %--> OPENING
 *      |  |                |               ^
 *      |  +--no answer-----|---------------+
 *      +--refused--> REFUSED <--another client took the resource
 *
 * OPENING  a thread of libuv's has the session: nothing else here touches it but
 *          xmpp_session_stop. The timer ends that after OPEN_TIME.
 * UP       the session is the loop's: `watch` waits for its socket.
 * WAITING  there is no session; the timer starts the next.
 * REFUSED  nothing happens any more.
 */
#include "net/xmpp_client.h"

#include "base/mem.h"
#include "base/rng.h"
#include "net/uv_loop.h"
#include "net/xmpp_session.h"

#include <errno.h>
#include <unistd.h>

#define OPEN_TIME    ((TimeUs)30 * 1000000)
#define WAIT_MIN     ((TimeUs)1 * 1000000) /* unless the setup says another */
#define WAIT_MAX     ((TimeUs)30 * 1000000)
#define PIECE_BYTES  ((size_t)256 * 1024) /* given to the session at once */
#define QUEUED_BYTES ((size_t)4 << 20)    /* that the server doesn't take */

typedef enum ClientState { CLIENT_OPENING, CLIENT_UP, CLIENT_WAITING, CLIENT_REFUSED } ClientState;

/* A socket of a session that is watched: libuv frees its handle later than we close it. */
typedef struct Watch {
    uv_poll_t poll;
    XmppClient *client;
    int events; /* that it waits for */
} Watch;

struct XmppClient {
    Loop *loop;
    Owned owned;
    Soon soon; /* there is something to be read or written without waiting */
    Timer *timer;
    uv_work_t work; /* of OPENING */
    Watch *watch;   /* of UP */
    XmppSession *session;
    XmppClientSetup setup; /* its texts are in `texts` */
    char *texts;
    Rng rng;
    TimeUs first_wait;
    TimeUs wait; /* before the next attempt that follows a failed one */
    Buf out;     /* sent, and not yet in the session */
    TimeUs read_at;
    ClientState state;
    unsigned busy; /* callbacks that run */
    bool freed;    /* xmpp_client_free was called */
};

/* ---- the end ---- */

static void free_watch(uv_handle_t *handle)
{
    mem_free(handle->data);
}

static void unwatch(XmppClient *client)
{
    if (!client->watch)
        return;
    uv_close((uv_handle_t *)&client->watch->poll, free_watch);
    client->watch = NULL;
}

/* What is left when nobody uses the client any more. */
static void free_client(XmppClient *client)
{
    xmpp_session_free(client->session);
    buf_done(&client->out);
    mem_free(client->texts);
    mem_free(client);
}

static void leave(XmppClient *client)
{
    client->busy--;
    if (client->freed && !client->busy)
        free_client(client);
}

XmppClient *xmpp_client_free(XmppClient *client)
{
    if (!client || client->freed)
        return NULL;
    client->freed = true;
    link_drop(&client->owned.link);
    link_drop(&client->soon.link);
    client->timer = timer_free(client->timer);
    unwatch(client);
    if (client->state == CLIENT_OPENING) /* after_opening frees it */
        xmpp_session_stop(client->session);
    else if (!client->busy)
        free_client(client);
    return NULL;
}

static void client_close(Owned *owned)
{
    xmpp_client_free(HOLDER(owned, XmppClient, owned));
}

/* ---- states ---- */

static void open_session(XmppClient *client);

/* There is no session; another follows later. */
static void wait_for_next(XmppClient *client, const char *why)
{
    char reason[256];
    TimeUs quarter = client->wait / 4;
    TimeUs wait = client->wait - quarter + rng_below(&client->rng, (uint32_t)(2 * quarter + 1));

    snprintf(reason, sizeof(reason), "%s", why);
    client->state = CLIENT_WAITING;
    unwatch(client);
    link_drop(&client->soon.link);
    buf_done(&client->out);
    client->session = xmpp_session_free(client->session);
    client->wait = client->wait * 2 < WAIT_MAX ? client->wait * 2 : WAIT_MAX;
    timer_at(client->timer, loop_now() + wait, false);
    client->setup.events.state(client->setup.user, false, (Str){"", 0}, reason);
}

static void refuse(XmppClient *client)
{
    char reason[256];

    snprintf(reason, sizeof(reason), "%s", xmpp_session_why(client->session));
    client->state = CLIENT_REFUSED;
    unwatch(client);
    link_drop(&client->soon.link);
    buf_done(&client->out);
    client->session = xmpp_session_free(client->session);
    client->setup.events.refused(client->setup.user, reason);
}

/* The session is not up, or not any more. */
static void end_session(XmppClient *client)
{
    if (xmpp_session_state(client->session) == XMPP_SESSION_REFUSED)
        refuse(client);
    else
        wait_for_next(client, xmpp_session_why(client->session));
}

/* ---- a session that is up ---- */

static void on_poll(uv_poll_t *poll, int status, int events);

static void watch_for(Watch *watch, int events)
{
    if (watch->events == events)
        return;
    watch->events = events;
    uv_poll_start(&watch->poll, events, on_poll);
}

/* One at a time, so that what waits is counted here. */
static void send_piece(XmppClient *client)
{
    Buf *out = &client->out;
    Str piece = str_part(buf_str(out), 0, PIECE_BYTES);

    xmpp_session_send(client->session, piece);
    out->len -= piece.len;
    memmove(out->bytes, out->bytes + piece.len, out->len + 1);
}

/* Reads and writes what goes now. Callbacks run: use it between enter and leave. */
static void run_session(XmppClient *client)
{
    XmppSession *session = client->session;

    if (client->out.len > QUEUED_BYTES || buf_failed(&client->out)) {
        wait_for_next(client, "the server doesn't take what is sent");
        return;
    }
    if (client->out.len && !xmpp_session_has_unsent(session))
        send_piece(client);
    client->read_at = loop_now();
    bool again = xmpp_session_run(session);
    if (client->freed)
        return;
    if (xmpp_session_state(session) != XMPP_SESSION_UP) {
        end_session(client);
        return;
    }
    bool unsent = xmpp_session_has_unsent(session);
    watch_for(client->watch, UV_READABLE | (unsent ? UV_WRITABLE : 0));
    if (again || (client->out.len && !unsent))
        loop_soon(client->loop, &client->soon);
}

static void pump(XmppClient *client)
{
    client->busy++;
    run_session(client);
    leave(client);
}

/* A broken socket is readable: the session finds out why. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
    Watch *watch = poll->data;

    (void)status;
    (void)events;
    pump(watch->client);
}

static void on_soon(Soon *soon)
{
    pump(HOLDER(soon, XmppClient, soon));
}

static void on_message(void *user, Str element)
{
    XmppClient *client = user;
    XmlStream *stream = NULL;
    const XmlNode *message = NULL;

    /* One that our decoder doesn't take is dropped: spec/maw.md 4, row 1. */
    if (client->freed || xml_read(element, &stream, &message, NULL))
        return;
    client->setup.events.stanza(client->setup.user, message, client->read_at);
    xml_stream_free(stream);
}

static void begin_session(XmppClient *client)
{
    Watch *watch = mem_new(sizeof(*watch));

    if (!watch ||
        uv_poll_init_socket(&client->loop->uv, &watch->poll, xmpp_session_fd(client->session))) {
        mem_free(watch);
        wait_for_next(client, "out of memory");
        return;
    }
    watch->client = client;
    watch->poll.data = watch;
    client->watch = watch;
    client->state = CLIENT_UP;
    client->wait = client->first_wait;
    timer_stop(client->timer);
    xmpp_session_begin(client->session);
    watch_for(watch, UV_READABLE);
    loop_soon(client->loop, &client->soon);
    client->setup.events.state(client->setup.user, true, str_of(xmpp_session_jid(client->session)),
                               NULL);
}

/* ---- opening ---- */

static void opening(uv_work_t *work)
{
    xmpp_session_open(HOLDER(work, XmppClient, work)->session);
}

static void after_opening(uv_work_t *work, int status)
{
    XmppClient *client = HOLDER(work, XmppClient, work);

    (void)status; /* nobody cancels it */
    if (client->freed) {
        free_client(client);
        return;
    }
    client->busy++;
    if (xmpp_session_is_registered(client->session))
        client->setup.register_account = false;
    if (xmpp_session_state(client->session) == XMPP_SESSION_UP)
        begin_session(client);
    else
        end_session(client);
    leave(client);
}

static void open_session(XmppClient *client)
{
    if (xmpp_session_new(&client->setup, on_message, client, &client->session, NULL)) {
        wait_for_next(client, "out of memory");
        return;
    }
    client->state = CLIENT_OPENING;
    timer_at(client->timer, loop_now() + OPEN_TIME, false);
    uv_queue_work(&client->loop->uv, &client->work, opening, after_opening);
}

static void on_timer(void *user)
{
    XmppClient *client = user;

    client->busy++;
    if (client->state == CLIENT_OPENING)
        xmpp_session_stop(client->session);
    else
        open_session(client);
    leave(client);
}

/* ---- the client ---- */

/* "name@domain" or "name@domain/resource", of characters that may stand in an attribute. */
static bool is_jid(Str jid)
{
    Str rest = jid;
    Str name = str_cut(&rest, '@');
    Str domain = str_cut(&rest, '/');

    for (size_t i = 0; i < jid.len; i++) {
        unsigned char byte = (unsigned char)jid.bytes[i];
        if (byte <= ' ' || byte == 0x7f || strchr("\"&'<>", byte))
            return false;
    }
    return name.len && name.len <= 1023 && domain.len && domain.len <= 1023 && rest.len <= 1023 &&
           !memchr(name.bytes, '/', name.len) && !memchr(domain.bytes, '@', domain.len);
}

static int check_setup(const XmppClientSetup *setup, Err *err)
{
    if (!is_jid(str_of(setup->jid)))
        return err_set(err, ERR_USAGE, "XMPP account '%s': expected name@domain",
                       setup->jid ? setup->jid : "");
    if (!setup->password || !setup->password[0])
        return err_set(err, ERR_USAGE, "XMPP account %s: no password", setup->jid);
    /* libstrophe would go on without TLS. */
    if (setup->ca_file && access(setup->ca_file, R_OK))
        return err_set(err, ERR_IO, "certificates '%s': %s", setup->ca_file, strerror(errno));
    return 0;
}

/* Copies the texts of `setup` behind each other. */
static bool keep_setup(XmppClient *client, const XmppClientSetup *setup)
{
    const char *from[] = {setup->jid, setup->password, setup->host, setup->ca_file};
    const char **to[] = {&client->setup.jid, &client->setup.password, &client->setup.host,
                         &client->setup.ca_file};
    size_t bytes = 0;

    for (size_t i = 0; i < 4; i++)
        bytes += from[i] ? strlen(from[i]) + 1 : 0;
    client->texts = mem_new(bytes);
    if (!client->texts)
        return false;
    client->setup = *setup;
    char *at = client->texts;
    for (size_t i = 0; i < 4; i++) {
        if (!from[i])
            continue;
        size_t n = strlen(from[i]) + 1;
        memcpy(at, from[i], n);
        *to[i] = at;
        at += n;
    }
    return true;
}

int xmpp_client_new(Loop *loop, const XmppClientSetup *setup, XmppClient **ret, Err *err)
{
    int rc = check_setup(setup, err);

    if (rc)
        return rc;
    XmppClient *client = mem_new(sizeof(*client));
    if (!client)
        return err_set(err, ERR_MEMORY, "XMPP client: out of memory");
    client->loop = loop;
    client->soon.run = on_soon;
    link_init(&client->soon.link);
    client->owned.close = client_close;
    link_init(&client->owned.link);
    link_add(&loop->owned, &client->owned.link); /* before the timer: loop_free keeps the order */
    client->rng = rng_new(setup->seed);
    client->first_wait = setup->wait_ms ? (TimeUs)setup->wait_ms * 1000 : WAIT_MIN;
    client->wait = client->first_wait;
    client->state = CLIENT_WAITING;
    rc = keep_setup(client, setup) ? timer_new(loop, on_timer, client, &client->timer, err)
                                   : err_set(err, ERR_MEMORY, "XMPP client: out of memory");
    if (rc) {
        link_drop(&client->owned.link);
        free_client(client);
        return rc;
    }
    timer_at(client->timer, loop_now(), false);
    *ret = client;
    return 0;
}

bool xmpp_client_is_up(const XmppClient *client)
{
    return client->state == CLIENT_UP;
}

bool xmpp_client_send(XmppClient *client, Str stanzas)
{
    if (client->state != CLIENT_UP || client->freed)
        return false;
    buf_add(&client->out, stanzas);
    loop_soon(client->loop, &client->soon);
    return !buf_failed(&client->out);
}
