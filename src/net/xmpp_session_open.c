/* How a session comes up: an address that answers, an account where one is wanted, the login. All
 * of this waits; traps of libstrophe are listed in xmpp_session.c. */
#include <strophe.h> /* first: an argument of it is named as a function that base/banned.h stops */

#include "net/xmpp_session_own.h"

#include "base/xml.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define SLICE_MS    50   /* how often a session that is opened looks whether it shall stop */
#define CONNECT_MS  5000 /* for one address */
#define REGISTER_ID "warg-register"

/* ---- what went wrong ---- */

/* 0.12.2 gives the certificate no connection. */
static int on_bad_certificate(const xmpp_tlscert_t *cert, const char *const reason)
{
    XmppSession *session = session_of(xmpp_tlscert_get_ctx(cert));

    session->bad_security = true;
    session_set_why(session, "the server's certificate", reason);
    return 0;
}

/* The condition of a stream error: "conflict", "system-shutdown". */
static const char *stream_error_name(const xmpp_stream_error_t *error)
{
    xmpp_stanza_t *child = error->stanza ? xmpp_stanza_get_children(error->stanza) : NULL;
    const char *name = child ? xmpp_stanza_get_name(child) : NULL;

    return name ? name : "undefined-condition";
}

static void explain_end(XmppSession *session, int number, const xmpp_stream_error_t *error)
{
    if (error && error->type == XMPP_SE_CONFLICT)
        session_set_why(session, "another client has logged in with the same resource", NULL);
    if (error)
        session_set_why(session, stream_error_name(error), error->text);
    else if (session->state == XMPP_SESSION_UP)
        session_set_why(session, number > 0 ? strerror(number) : "the server ended the stream",
                        NULL);
    else if (session->note[0])
        session_set_why(session, session->note, NULL);
    else
        session_set_why(session, "the server ended the stream before the login was done", NULL);
}

/* ---- sockets ---- */

/* Has the kernel find servers that are gone without a word, as in net/tcp.c. */
static void set_options(int fd)
{
    const struct {
        int level;
        int name;
        int value;
    } options[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},   {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, 60}, {IPPROTO_TCP, TCP_KEEPINTVL, 15},
        {IPPROTO_TCP, TCP_KEEPCNT, 4},   {IPPROTO_TCP, TCP_USER_TIMEOUT, 60000},
    };

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        setsockopt(fd, options[i].level, options[i].name, &options[i].value,
                   sizeof(options[i].value));
}

/* xmpp_sockopt_callback: a socket that will be connected. */
static int on_socket(xmpp_conn_t *conn, void *socket)
{
    XmppSession *session = session_of(xmpp_conn_get_context(conn));
    int fd = *(const int *)socket;

    if (fd >= FD_SETSIZE) {
        session_set_why(session, "too many descriptors are open", NULL);
        errno = EMFILE;
        return -1;
    }
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC); /* child processes must not inherit it */
    set_options(fd);
    session_set_fd(session, own);
    return 0;
}

static bool is_stopped(XmppSession *session)
{
    pthread_mutex_lock(&session->lock);
    bool stopped = session->stopped;
    pthread_mutex_unlock(&session->lock);
    return stopped;
}

/* Whether the socket that connects got through. */
static bool wait_connected(XmppSession *session)
{
    struct pollfd wait = {.fd = session->fd, .events = POLLOUT};
    int number = 0;
    socklen_t size = sizeof(number);

    for (int waited = 0; waited < CONNECT_MS && !is_stopped(session); waited += SLICE_MS) {
        if (poll(&wait, 1, SLICE_MS) <= 0)
            continue;
        if (getsockopt(session->fd, SOL_SOCKET, SO_ERROR, &number, &size))
            number = errno;
        snprintf(session->note, sizeof(session->note), "%s", number ? strerror(number) : "");
        return number == 0;
    }
    snprintf(session->note, sizeof(session->note), "%s", strerror(ETIMEDOUT));
    return false;
}

/* ---- one stream ---- */

static long tls_flags(XmppTls tls)
{
    switch (tls) {
    case XMPP_TLS_REQUIRED:
        return XMPP_CONN_FLAG_MANDATORY_TLS;
    case XMPP_TLS_TRUST:
        return XMPP_CONN_FLAG_MANDATORY_TLS | XMPP_CONN_FLAG_TRUST_TLS;
    case XMPP_TLS_OPTIONAL:
        return XMPP_CONN_FLAG_TRUST_TLS;
    case XMPP_TLS_OFF:
        break;
    }
    return XMPP_CONN_FLAG_DISABLE_TLS;
}

static bool new_conn(XmppSession *session)
{
    const XmppClientSetup *setup = session->setup;
    xmpp_conn_t *conn = xmpp_conn_new(session->context);

    if (!conn) {
        session_set_why(session, "out of memory", NULL);
        return false;
    }
    session->conn = conn;
    xmpp_conn_set_jid(conn, setup->jid);
    xmpp_conn_set_pass(conn, setup->password);
    xmpp_conn_set_flags(conn, tls_flags(setup->tls) | (long)XMPP_CONN_FLAG_DISABLE_SM);
    if (setup->ca_file)
        xmpp_conn_set_cafile(conn, setup->ca_file);
    xmpp_conn_set_certfail_handler(conn, on_bad_certificate);
    xmpp_conn_set_sockopt_callback(conn, on_socket);
    return true;
}

typedef struct Dial {
    int (*connect)(xmpp_conn_t *conn, const char *host, unsigned short port,
                   xmpp_conn_handler handler, void *user);
    xmpp_conn_handler handler;
} Dial;

/* `host` NULL: where the domain's SRV record says, else the domain's first address. */
static bool dial_host(XmppSession *session, const Dial *dial, const char *host, uint16_t port)
{
    if (is_stopped(session) || !new_conn(session))
        return false;
    session->done = false;
    session->dialing = true;
    int rc = dial->connect(session->conn, host, port, dial->handler, session);
    bool connected = rc == XMPP_EOK && session->fd >= 0 && wait_connected(session);
    if (!connected)
        session_drop_conn(session);
    session->dialing = false;
    return connected;
}

static Str domain_of(const char *jid)
{
    Str rest = str_of(jid);

    str_cut(&rest, '@');
    return str_cut(&rest, '/');
}

/* Connects to the first address that answers. */
static bool dial_any(XmppSession *session, const Dial *dial)
{
    const XmppClientSetup *setup = session->setup;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *addresses = NULL;
    char name[256];
    char port[8];

    if (!setup->host && !setup->port && dial_host(session, dial, NULL, 0))
        return true;
    snprintf(port, sizeof(port), "%u", setup->port ? setup->port : 5222u);
    snprintf(name, sizeof(name), "%.*s", STR_ARG(domain_of(setup->jid)));
    const char *host = setup->host ? setup->host : name;
    int code = is_stopped(session) ? 0 : getaddrinfo(host, port, &hints, &addresses);
    bool connected = false;
    for (struct addrinfo *at = addresses; at && !connected; at = at->ai_next) {
        char text[NI_MAXHOST];

        if (!getnameinfo(at->ai_addr, at->ai_addrlen, text, sizeof(text), NULL, 0, NI_NUMERICHOST))
            connected = dial_host(session, dial, text, setup->port ? setup->port : 5222);
    }
    if (addresses)
        freeaddrinfo(addresses);
    if (!connected) {
        char what[192];

        snprintf(what, sizeof(what), "connect to %.120s, port %s", host, port);
        session_set_why(session, what, code ? gai_strerror(code) : session->note);
    }
    return connected;
}

/* Runs the stream until a handler says that it is done. */
static void run_until_done(XmppSession *session)
{
    while (!session->done && !is_stopped(session)) {
        xmpp_run_once(session->context, SLICE_MS);
        if (session->memory > XMPP_MEMORY_MAX) {
            session_set_why(session, "the server sent a stanza that is too large", NULL);
            session->done = true;
        }
    }
}

/* ---- an account of our own (XEP-0077) ---- */

static void fail_registration(XmppSession *session, const char *why)
{
    snprintf(session->register_why, sizeof(session->register_why), "%s", why);
    session->done = true;
}

static int on_registered(xmpp_conn_t *conn, xmpp_stanza_t *iq, void *user)
{
    XmppSession *session = user;
    const char *type = xmpp_stanza_get_type(iq);
    xmpp_stanza_t *error = xmpp_stanza_get_child_by_name(iq, "error");
    xmpp_stanza_t *child = error ? xmpp_stanza_get_children(error) : NULL;
    const char *name = NULL;

    (void)conn;
    for (; child && !name; child = xmpp_stanza_get_next(child))
        name = xmpp_stanza_get_name(child);
    session->registered = (type && !strcmp(type, "result")) || (name && !strcmp(name, "conflict"));
    if (session->registered)
        session->done = true;
    else
        fail_registration(session, name ? name : "refused");
    return 0;
}

static void ask_registration(XmppSession *session)
{
    CLEANUP(buf_done) Buf iq = {0};
    Str rest = str_of(session->setup->jid);
    Str name = str_cut(&rest, '@');

    buf_add(&iq, STR("<iq type='set' id='" REGISTER_ID "' to='"));
    xml_quote(&iq, domain_of(session->setup->jid));
    buf_add(&iq, STR("'><query xmlns='jabber:iq:register'><username>"));
    xml_quote(&iq, name);
    buf_add(&iq, STR("</username><password>"));
    xml_quote(&iq, str_of(session->setup->password));
    buf_add(&iq, STR("</password></query></iq>"));
    xmpp_id_handler_add(session->conn, on_registered, REGISTER_ID, session);
    xmpp_send_raw(session->conn, buf_cstr(&iq), iq.len);
}

static int on_proceed(xmpp_conn_t *conn, xmpp_stanza_t *element, void *user)
{
    const char *name = xmpp_stanza_get_name(element);

    if (!name || strcmp(name, "proceed") != 0 || xmpp_conn_tls_start(conn) ||
        xmpp_conn_open_stream_default(conn))
        fail_registration(user, "TLS");
    return 0;
}

/* The password goes out encrypted where the login would be. */
static int on_features(xmpp_conn_t *conn, xmpp_stanza_t *features, void *user)
{
    XmppSession *session = user;
    XmppTls tls = session->setup->tls;
    bool offered = xmpp_stanza_get_child_by_name_and_ns(features, "starttls", XMPP_NS_TLS);

    if (tls != XMPP_TLS_OFF && offered && !xmpp_conn_is_secured(conn)) {
        xmpp_handler_add(conn, on_proceed, XMPP_NS_TLS, NULL, NULL, session);
        xmpp_send_raw_string(conn, "<starttls xmlns='%s'/>", XMPP_NS_TLS);
    } else if ((tls == XMPP_TLS_REQUIRED || tls == XMPP_TLS_TRUST) && !xmpp_conn_is_secured(conn)) {
        fail_registration(session, "no TLS");
    } else {
        ask_registration(session);
    }
    return 1;
}

static void on_register_event(xmpp_conn_t *conn, xmpp_conn_event_t event, int number,
                              xmpp_stream_error_t *error, void *user)
{
    XmppSession *session = user;

    (void)number;
    if (event == XMPP_CONN_RAW_CONNECT) {
        xmpp_handler_add(conn, on_features, NULL, "features", NULL, session);
        xmpp_conn_open_stream_default(conn);
    } else if (event == XMPP_CONN_DISCONNECT && !session->done && !session->dialing) {
        fail_registration(session, error ? stream_error_name(error) : "the stream ended");
    }
}

/* ---- the login ---- */

static void on_login_event(xmpp_conn_t *conn, xmpp_conn_event_t event, int number,
                           xmpp_stream_error_t *error, void *user)
{
    XmppSession *session = user;

    if (event == XMPP_CONN_CONNECT) {
        const char *jid = xmpp_conn_get_bound_jid(conn);

        buf_clear(&session->jid);
        buf_add(&session->jid, str_of(jid ? jid : session->setup->jid));
        session->state = XMPP_SESSION_UP;
        session_hush(session); /* or each stanza would be printed into a text */
        session->done = true;
        return;
    }
    if (session->dialing)
        return;
    bool was_up = session->state == XMPP_SESSION_UP;
    explain_end(session, number, error);
    session->state = error && error->type == XMPP_SE_CONFLICT && was_up ? XMPP_SESSION_REFUSED
                                                                        : XMPP_SESSION_LOST;
    session->done = true;
}

/* Why there is no session, and whether there may be one later. */
static void judge_failure(XmppSession *session)
{
    bool password = session->no_way && session->login_failed && !session->temporary;
    const char *registration = session->register_why;

    if (is_stopped(session)) {
        session->state = XMPP_SESSION_LOST;
        session->why[0] = '\0';
        session_set_why(session, "no answer in time", NULL);
        return;
    }
    session->state = password || session->bad_security ? XMPP_SESSION_REFUSED : XMPP_SESSION_LOST;
    if (password) {
        session->why[0] = '\0';
        session_set_why(session,
                        registration[0] ? "the server refuses the password, and made no account"
                                        : "the server refuses the password",
                        registration);
    } else if (session->no_way) {
        session->why[0] = '\0';
        session_set_why(session, "the server offers no way to log in that is known here",
                        session->setup->tls == XMPP_TLS_OFF ? "it may want TLS" : NULL);
    }
    session_set_why(session, "no login", NULL);
}

void xmpp_session_open(XmppSession *session)
{
    const Dial registration = {xmpp_connect_raw, on_register_event};
    const Dial login = {xmpp_connect_client, on_login_event};

    session->registered = !session->setup->register_account;
    if (!session->registered) {
        if (dial_any(session, &registration)) {
            run_until_done(session);
            session_finish_conn(session);
        }
        if (session->why[0]) {
            judge_failure(session);
            return;
        }
    }
    session->note[0] = '\0';
    if (dial_any(session, &login))
        run_until_done(session);
    if (session->state != XMPP_SESSION_UP || is_stopped(session)) {
        judge_failure(session);
        session_drop_conn(session);
    }
}
