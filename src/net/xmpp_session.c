/* Traps of libstrophe 0.12.2, by reading it:
 *
 *   - No callback but the handlers gets a pointer of ours, and the descriptor is told only by such
 *     a callback. But all memory comes from our allocator, the context too: in front of each block
 *     stands the session that it belongs to, so the context leads to it (session_of).
 *   - It limits nothing: a stanza may be as large and as deep as the server lets it. So memory is
 *     counted, and a session that takes more than XMPP_MEMORY_MAX is ended. A call reads 4,096
 *     bytes, so the limit is passed by little, before recursion over a deep tree is out of stack.
 *   - Its descriptor is closed before anybody is told. We keep another one for the same socket:
 *     to wait for, and for xmpp_session_stop, which may not hit a number that was given away.
 *   - select(): descriptors from FD_SETSIZE on must never get in.
 *   - xml:lang arrives as `lang`, and its own writer leaves out the namespace of a stanza and
 *     writes CR bare: write_element is ours.
 *   - Its count of what is queued leaves out what is written in part: session->unsent.
 *   - Only the first address of a name is tried: we look names up ourselves, unless a domain's SRV
 *     record says where its server is.
 */
#include <strophe.h> /* first: an argument of it is named as a function that base/banned.h stops */

#include "net/xmpp_session_own.h"

#include "base/mem.h"
#include "base/xml.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define ATTRIBUTES_MAX 32 /* of an element of a message */
/* A TLS record has 16 KiB, a call of libstrophe's reads 4 KiB of it. */
#define READS_OF_RECORD 4
#define READS_MAX       64 /* in one xmpp_session_run, so that others get their turn */

struct Hooks {
    xmpp_mem_t allocator;
    xmpp_log_t log;
};

/* What each block of memory begins with. */
typedef union Block {
    struct {
        XmppSession *session;
        size_t bytes;
    };
    max_align_t align;
} Block;

/* ---- libstrophe's memory ---- */

static void *block_resize(void *p, size_t bytes, void *user)
{
    XmppSession *session = user;
    Block *old = p ? (Block *)p - 1 : NULL;
    size_t before = old ? old->bytes : 0;
    Block *block = mem_resize(old, 1, sizeof(Block) + bytes);

    if (!block)
        return NULL;
    block->session = session;
    block->bytes = bytes;
    session->memory += bytes - before;
    if (session->copying == bytes && !p)
        session->unsent = block + 1;
    return block + 1;
}

static void *block_new(size_t bytes, void *user)
{
    return block_resize(NULL, bytes, user);
}

static void block_free(void *p, void *user)
{
    XmppSession *session = user;

    if (!p)
        return;
    session->memory -= ((Block *)p - 1)->bytes;
    if (p == session->unsent)
        session->unsent = NULL;
    mem_free((Block *)p - 1);
}

XmppSession *session_of(xmpp_ctx_t *context)
{
    return ((Block *)(void *)context - 1)->session;
}

/* ---- what went wrong ---- */

void session_set_why(XmppSession *session, const char *what, const char *more)
{
    if (!session->why[0])
        snprintf(session->why, sizeof(session->why), "%.180s%s%.180s", what,
                 more && more[0] ? ": " : "", more ? more : "");
}

/* libstrophe tells in its log, and nowhere else, why it gives up. Only used until a session is up.
 */
static void on_log(void *user, xmpp_log_level_t level, const char *area, const char *text)
{
    XmppSession *session = user;

    if (level == XMPP_LEVEL_DEBUG) {
        if (!str_starts(str_of(text), STR("RECV: <failure")))
            return;
        session->login_failed = true;
        session->temporary = session->temporary || strstr(text, "temporary-auth-failure");
        return;
    }
    if (level < XMPP_LEVEL_ERROR)
        return;
    snprintf(session->note, sizeof(session->note), "%s", text);
    if (!strcmp(area, "auth") && strstr(text, "authenticate"))
        session->no_way = true;
    if (strstr(text, "TLS is not supported"))
        session->bad_security = true;
}

void session_hush(XmppSession *session)
{
    session->hooks->log.handler = NULL;
}

/* ---- the end of a stream ---- */

void session_set_fd(XmppSession *session, int fd)
{
    pthread_mutex_lock(&session->lock);
    int old = session->fd;
    session->fd = fd;
    pthread_mutex_unlock(&session->lock);
    if (old >= 0)
        close(old);
}

void session_drop_conn(XmppSession *session)
{
    if (!session->conn)
        return;
    if (session->fd >= 0)
        shutdown(session->fd, SHUT_RDWR); /* or libstrophe waits for the peer's end of TLS */
    xmpp_conn_release(session->conn);
    session->conn = NULL;
    session_set_fd(session, -1);
}

void session_finish_conn(XmppSession *session)
{
    if (session->conn && xmpp_conn_is_connected(session->conn)) {
        xmpp_disconnect(session->conn);
        xmpp_run_once(session->context, 0);
    }
    session_drop_conn(session);
}

void xmpp_session_stop(XmppSession *session)
{
    pthread_mutex_lock(&session->lock);
    session->stopped = true;
    if (session->fd >= 0)
        shutdown(session->fd, SHUT_RDWR);
    pthread_mutex_unlock(&session->lock);
}

/* ---- a session that is up ---- */

/* As text, with the namespace of its own in each element. False when it is deeper or richer in
 * attributes than any message has reason to be. */
static bool write_element(xmpp_stanza_t *element, unsigned depth, Buf *out)
{
    const char *attributes[2 * ATTRIBUTES_MAX];
    const char *name = xmpp_stanza_get_name(element);
    int count = xmpp_stanza_get_attribute_count(element);

    if (xmpp_stanza_is_text(element)) {
        xml_quote(out, str_of(xmpp_stanza_get_text_ptr(element)));
        return true;
    }
    if (!name || count > ATTRIBUTES_MAX || depth == XML_DEPTH_MAX)
        return false;
    count = count > 0 ? xmpp_stanza_get_attributes(element, attributes, 2 * ATTRIBUTES_MAX) : 0;
    buf_add_char(out, '<');
    buf_add(out, str_of(name));
    for (int i = 0; i + 1 < count; i += 2) {
        bool lang = !strcmp(attributes[i], "lang"); /* XMPP has it with the prefix only */

        buf_add(out, lang ? STR(" xml:") : STR(" "));
        buf_add(out, str_of(attributes[i]));
        buf_add(out, STR("='"));
        xml_quote(out, str_of(attributes[i + 1]));
        buf_add_char(out, '\'');
    }
    buf_add_char(out, '>');
    for (xmpp_stanza_t *child = xmpp_stanza_get_children(element); child;
         child = xmpp_stanza_get_next(child)) {
        if (!write_element(child, depth + 1, out))
            return false;
    }
    buf_add(out, STR("</"));
    buf_add(out, str_of(name));
    buf_add_char(out, '>');
    return true;
}

static int on_message(xmpp_conn_t *conn, xmpp_stanza_t *message, void *user)
{
    XmppSession *session = user;

    (void)conn;
    buf_clear(&session->text);
    /* What is too odd to be passed on is dropped: spec/maw.md 4, row 1. */
    if (write_element(message, 0, &session->text) && !buf_failed(&session->text))
        session->message(session->user, buf_str(&session->text));
    return 1;
}

/* RFC 6120 8.2.3: each question gets an answer. Servers ask whether we are still there (XEP-0199).
 */
static int on_iq(xmpp_conn_t *conn, xmpp_stanza_t *iq, void *user)
{
    const char *type = xmpp_stanza_get_type(iq);
    xmpp_stanza_t *answer;

    (void)user;
    if (!type || (strcmp(type, "get") != 0 && strcmp(type, "set") != 0))
        return 1;
    if (xmpp_stanza_get_child_by_ns(iq, "urn:xmpp:ping")) {
        answer = xmpp_stanza_reply(iq);
        if (answer)
            xmpp_stanza_set_type(answer, "result");
    } else {
        answer = xmpp_stanza_reply_error(iq, "cancel", "service-unavailable", NULL);
    }
    if (answer) {
        xmpp_send(conn, answer);
        xmpp_stanza_release(answer);
    }
    return 1;
}

void xmpp_session_begin(XmppSession *session)
{
    xmpp_handler_add(session->conn, on_message, NULL, "message", NULL, session);
    xmpp_handler_add(session->conn, on_iq, NULL, "iq", NULL, session);
    xmpp_send_raw_string(session->conn, "<presence/>");
    session->reads_left = READS_OF_RECORD; /* the login may have left something */
}

bool xmpp_session_run(XmppSession *session)
{
    for (int calls = 0; session->state == XMPP_SESSION_UP && calls < READS_MAX; calls++) {
        bool secured = xmpp_conn_is_secured(session->conn);
        int waiting = 0;

        ioctl(session->fd, FIONREAD, &waiting);
        xmpp_run_once(session->context, 0);
        if (session->memory > XMPP_MEMORY_MAX) {
            session_set_why(session, "the server sent a stanza that is too large", NULL);
            session->state = XMPP_SESSION_LOST;
        }
        /* After a read one call more at least: answers are written at a call's beginning. */
        if (waiting > 0)
            session->reads_left = secured ? READS_OF_RECORD : 1;
        else if (session->reads_left > 0)
            session->reads_left--;
        if (!session->reads_left)
            return false;
    }
    return session->state == XMPP_SESSION_UP;
}

/* xmpp_conn_send_queue_len doesn't count what is written in part. The copy that is queued is freed
 * as soon as the kernel has all of it. */
void xmpp_session_send(XmppSession *session, Str stanzas)
{
    if (session->state != XMPP_SESSION_UP)
        return;
    session->copying = stanzas.len + 1;
    xmpp_send_raw(session->conn, stanzas.bytes, stanzas.len);
    session->copying = 0;
}

bool xmpp_session_has_unsent(const XmppSession *session)
{
    return session->unsent;
}

/* ---- the object ---- */

int xmpp_session_new(const XmppClientSetup *setup, XmppMessageEvent *message, void *user,
                     XmppSession **ret_session, Err *err)
{
    XmppSession *session = mem_new(sizeof(*session));

    if (!session)
        return err_set(err, ERR_MEMORY, "XMPP session: out of memory");
    session->setup = setup;
    session->message = message;
    session->user = user;
    session->fd = -1;
    pthread_mutex_init(&session->lock, NULL);
    xmpp_initialize(); /* of OpenSSL's tables; may be called often */
    session->hooks = mem_new(sizeof(*session->hooks));
    if (session->hooks) {
        session->hooks->allocator = (xmpp_mem_t){block_new, block_free, block_resize, session};
        session->hooks->log = (xmpp_log_t){on_log, session};
        session->context = xmpp_ctx_new(&session->hooks->allocator, &session->hooks->log);
    }
    if (!session->context) {
        xmpp_session_free(session);
        return err_set(err, ERR_MEMORY, "XMPP session: out of memory");
    }
    *ret_session = session;
    return 0;
}

XmppSession *xmpp_session_free(XmppSession *session)
{
    if (!session)
        return NULL;
    if (session->state == XMPP_SESSION_UP)
        session_finish_conn(session);
    session_drop_conn(session);
    session_set_fd(session, -1);
    if (session->context)
        xmpp_ctx_free(session->context);
    mem_free(session->hooks);
    pthread_mutex_destroy(&session->lock);
    buf_done(&session->jid);
    buf_done(&session->text);
    return mem_free(session);
}

XmppSessionState xmpp_session_state(const XmppSession *session)
{
    return session->state;
}

const char *xmpp_session_jid(const XmppSession *session)
{
    return buf_cstr(&session->jid);
}

const char *xmpp_session_why(const XmppSession *session)
{
    return session->why;
}

bool xmpp_session_is_registered(const XmppSession *session)
{
    return session->registered;
}

int xmpp_session_fd(const XmppSession *session)
{
    return session->fd;
}
