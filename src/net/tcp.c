/*   CONNECTING --> OPEN --> LINGERING --> GONE
 *        |          |                      ^
 *        +----------+----------------------+
 *
 *   CONNECTING -> OPEN       [on_connect]   the peer took the connection
 *   OPEN -> LINGERING        [conn_close]   bytes wait to be sent, or bytes came that nobody read
 *   LINGERING -> GONE        [on_read, on_deadline]  the peer closed too, or a second is over
 *   CONNECTING, OPEN -> GONE [fail, conn_close; conn_take, which keeps the socket]
 *
 * CONNECTING: the socket may be closed and opened again for the next address of the peer.
 * LINGERING:  no event any more. When all was sent our side is shut and what comes is thrown away:
 *             closing a socket with unread bytes would break off what is still on its way.
 * GONE:       the socket is closed; libuv's close callback frees the memory.
 */
#include "base/localhost.h"
#include "net/arrival.h"
#include "net/line_reader.h"
#include "net/uv_tcp.h"

#include <assert.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define TURN_READS_MAX 512 /* libuv takes up to 1,024 events from the kernel at once */
#define LINGER_MS      1000

typedef enum ConnState { CONNECTING, OPEN, LINGERING, GONE } ConnState;

/* Bytes that the kernel has not taken; there only while there are such. */
typedef struct Unsent {
    uv_write_t write;
    Buf written; /* libuv writes these */
    Buf waiting; /* these come next */
} Unsent;

/* The addresses that tcp_connect tries; there only in CONNECTING. */
typedef struct Attempt {
    uv_connect_t connect;
    struct addrinfo *addresses;
    struct addrinfo *next;
} Attempt;

struct Conn {
    uv_tcp_t tcp;
    Owned owned;
    Soon soon;       /* reports `failure` */
    ListLink linger; /* in the loop's list */
    uint64_t deadline_ms;
    Loop *loop;
    Listener *listener; /* that counts it, or NULL */
    ConnEvents events;
    void *user;
    size_t queued_bytes;
    LineReader reader;
    Unsent *unsent;
    Attempt *attempt;
    TimeUs stamp_since; /* of conn_stamp */
    TimeUs stamp_after; /* of conn_stamp; TIME_US_NEVER = stamps are not asked for */
    TimeUs wall_ahead;  /* and the wall clock was so much ahead of the loop's */
    TimeUs came;        /* what is being read, by its stamp or by when there was something */
    TimeUs last_at;     /* `at` of what was read last */
    ConnState state;
    ConnEnd failure; /* to be reported by `soon` */
    bool failing;    /* `failure` is set */
    bool paused;     /* conn_pause: nothing is read */
    bool broken;     /* a write failed: nothing more can be sent, the end will be read */
    bool shut;       /* the peer has ended its side, and the owner was told so */
};

/* ---- the end of a connection ---- */

static void attempt_done(Conn *conn)
{
    if (conn->attempt)
        uv_freeaddrinfo(conn->attempt->addresses);
    conn->attempt = mem_free(conn->attempt);
}

static void unsent_done(Conn *conn)
{
    if (!conn->unsent)
        return;
    buf_done(&conn->unsent->written);
    buf_done(&conn->unsent->waiting);
    conn->unsent = mem_free(conn->unsent);
}

static void free_conn(uv_handle_t *handle)
{
    Conn *conn = handle->data;

    unsent_done(conn);
    attempt_done(conn);
    line_reader_done(&conn->reader);
    mem_free(conn);
}

int conn_descriptor(const Conn *conn)
{
    uv_os_fd_t fd = -1;

    return uv_fileno((const uv_handle_t *)&conn->tcp, &fd) ? -1 : fd;
}

/* Closes the socket; `reset` throws away what the kernel still holds for a peer that won't read. */
static void conn_gone(Conn *conn, bool reset)
{
    assert(conn->state != GONE);
    if (conn->listener)
        listener_leave(conn->listener, conn->state == LINGERING);
    conn->listener = NULL;
    conn->state = GONE;
    link_drop(&conn->soon.link);
    link_drop(&conn->owned.link);
    link_drop(&conn->linger);
    if (link_alone(&conn->loop->lingering)) /* else the timer would keep the loop running */
        uv_timer_stop(&conn->loop->linger_timer);
    if (reset && conn_descriptor(conn) >= 0) {
        struct linger none = {.l_onoff = 1, .l_linger = 0};
        setsockopt(conn_descriptor(conn), SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    }
    if (!uv_is_closing((uv_handle_t *)&conn->tcp)) /* it is between two addresses */
        uv_close((uv_handle_t *)&conn->tcp, free_conn);
}

/* Closes and says so to the owner. */
static void fail_conn(Conn *conn, ConnEnd how)
{
    bool whole = how == CONN_CLOSED || how == CONN_RESET;
    Str partial = whole ? line_reader_rest(&conn->reader) : (Str){"", 0};

    conn_gone(conn, how == CONN_STUCK);
    if (conn->events.ended)
        conn->events.ended(conn->user, how, partial, loop_now());
}

static void on_soon(Soon *soon)
{
    Conn *conn = HOLDER(soon, Conn, soon);

    fail_conn(conn, conn->failure);
}

/* For a failure that is found in a call of the owner: it is reported when that has returned. */
static void fail_soon(Conn *conn, ConnEnd how)
{
    conn->failing = true;
    conn->failure = how;
    loop_soon(conn->loop, &conn->soon);
}

static void conn_drop(Owned *owned)
{
    conn_gone(HOLDER(owned, Conn, owned), false);
}

/* ---- reading ---- */

static TimeUs wall_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (TimeUs)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The stamp of the bytes that wait in the socket, the last of what fits into `buffer`; false when
 * they have none: they came before stamps were asked for. */
static bool peek_stamp(int fd, uv_buf_t buffer, TimeUs *ret_stamp)
{
    union {
        char bytes[CMSG_SPACE(sizeof(struct timespec)) * 2];
        struct cmsghdr aligned;
    } control;
    struct iovec into = {.iov_base = buffer.base, .iov_len = buffer.len};
    struct msghdr message = {.msg_iov = &into,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    struct timespec stamp;

    if (recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT) <= 0)
        return false;
    for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        memcpy(&stamp, CMSG_DATA(at), sizeof(stamp));
        *ret_stamp = (TimeUs)stamp.tv_sec * 1000000 + stamp.tv_nsec / 1000;
        return true;
    }
    return false;
}

/* libuv reads right behind this. It tells no stamps, so they are looked at first. Without one this
 * is when the bytes had come, not when they are read: we may be stopped in between. */
static void read_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buffer)
{
    Conn *conn = handle->data;
    TimeUs now = loop_now(), stamp = 0;

    loop_read_buffer(handle, suggested, ret_buffer);
    conn->came = now;
    if (conn->stamp_after == TIME_US_NEVER || now <= conn->stamp_after ||
        !peek_stamp(conn_descriptor(conn), *ret_buffer, &stamp))
        return;
    const TimeUs ahead[2] = {conn->wall_ahead, wall_now() - now};
    conn->came = arrival_time(stamp, ahead, conn->stamp_since, now);
}

void conn_stamp(Conn *conn, TimeUs since, TimeUs after)
{
    int on = 1;

    if (conn->state > OPEN)
        return;
    if (conn->stamp_after == TIME_US_NEVER)
        setsockopt(conn_descriptor(conn), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
    conn->stamp_since = since;
    conn->wall_ahead = wall_now() - loop_now();
    conn->stamp_after = after;
}

static void give_input(Conn *conn, Str bytes)
{
    TimeUs at = conn->came;
    conn->last_at = at;
    Str line;
    int got = 0;

    if (conn->events.bytes) {
        conn->events.bytes(conn->user, bytes, at);
        return;
    }
    line_reader_feed(&conn->reader, bytes);
    /* The owner may close the connection in any of these calls; its memory stays until later. */
    while (conn->state == OPEN && !conn->failing &&
           (got = line_reader_next(&conn->reader, &line, NULL)) > 0)
        conn->events.line(conn->user, line, at, loop_now());
    if (got < 0 && conn->state == OPEN)
        fail_conn(conn, got == ERR_LIMIT ? CONN_LONG : CONN_NO_MEMORY);
}

/* The peer has ended its side. */
static void end_input(Conn *conn)
{
    Str line;

    if (!conn->events.shut || conn->broken) {
        fail_conn(conn, conn->broken ? CONN_RESET : CONN_CLOSED);
        return;
    }
    conn->shut = true; /* libuv reads no more by itself */
    if (!conn->events.bytes && line_reader_last(&conn->reader, &line))
        conn->events.line(conn->user, line, conn->last_at, loop_now());
    if (conn->state == OPEN && !conn->failing)
        conn->events.shut(conn->user, loop_now());
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer)
{
    Conn *conn = stream->data;

    if (n == 0 || conn->failing) /* nothing there after all; or the end is known already */
        return;
    if (n > 0) {
        if (conn->state == OPEN)
            give_input(conn, (Str){buffer->base, (size_t)n});
    } else if (conn->state == LINGERING) {
        conn_gone(conn, false);
    } else if (conn->state == OPEN && n == UV_EOF) {
        end_input(conn);
    } else if (conn->state == OPEN) {
        fail_conn(conn, CONN_RESET);
    }
}

static void start_reading(Conn *conn)
{
    if (uv_read_start((uv_stream_t *)&conn->tcp, read_buffer, on_read))
        fail_soon(conn, CONN_RESET);
}

/* ---- writing ---- */

/* libuv's buffer type serves reading too and so has no const. */
static uv_buf_t const_buf(Str bytes)
{
    uv_buf_t buf = {.len = bytes.len};

    memcpy(&buf.base, &bytes.bytes, sizeof(buf.base));
    return buf;
}

/* A write failed. What the peer sent before it broke off is still to be read, so its end is left to
 * on_read, which comes for certain once both directions are shut; unless nothing is read now, or
 * any more. */
static void break_off(Conn *conn)
{
    conn->broken = true;
    unsent_done(conn);
    if (conn->state == LINGERING)
        conn_gone(conn, false);
    else if (conn->paused || conn->shut)
        fail_soon(conn, CONN_RESET);
    else if (conn_descriptor(conn) >= 0)
        shutdown(conn_descriptor(conn), SHUT_RDWR);
}

/* All was sent; now the peer may know that nothing follows. */
static void shut_our_side(Conn *conn)
{
    if (shutdown(conn_descriptor(conn), SHUT_WR))
        conn_gone(conn, false);
}

static void on_written(uv_write_t *write, int status);

/* Gives `waiting` to libuv. */
static void write_waiting(Conn *conn)
{
    Unsent *unsent = conn->unsent;
    Buf empty = unsent->written;

    buf_clear(&empty);
    unsent->written = unsent->waiting;
    unsent->waiting = empty;

    uv_buf_t buf = const_buf(buf_str(&unsent->written));
    unsent->write.data = conn;
    if (uv_write(&unsent->write, (uv_stream_t *)&conn->tcp, &buf, 1, on_written))
        break_off(conn);
}

static void on_written(uv_write_t *write, int status)
{
    Conn *conn = write->data;

    if (conn->state == GONE)
        return;
    if (status) {
        break_off(conn);
    } else if (conn->unsent->waiting.len) {
        write_waiting(conn);
    } else {
        unsent_done(conn);
        if (conn->state == LINGERING)
            shut_our_side(conn);
        else if (conn->events.drained && !conn->failing)
            conn->events.drained(conn->user);
    }
}

/* Keeps bytes that can't go out now. False when there is no memory. */
static bool keep_unsent(Conn *conn, Str bytes)
{
    if (!conn->unsent)
        conn->unsent = mem_new(sizeof(*conn->unsent));
    if (!conn->unsent)
        return false;
    buf_add(&conn->unsent->waiting, bytes);
    return !buf_failed(&conn->unsent->waiting);
}

void conn_send(Conn *conn, Str bytes)
{
    if (conn->state > OPEN || conn->failing || conn->broken || !bytes.len)
        return;

    bool first = !conn->unsent;
    if (first && conn->state == OPEN) {
        uv_buf_t buf = const_buf(bytes);
        int sent = uv_try_write((uv_stream_t *)&conn->tcp, &buf, 1);
        if (sent < 0 && sent != UV_EAGAIN) {
            break_off(conn);
            return;
        }
        bytes = str_part(bytes, sent > 0 ? (size_t)sent : 0, SIZE_MAX);
        if (!bytes.len)
            return;
    }
    if (bytes.len > conn->queued_bytes || conn_queued(conn) > conn->queued_bytes - bytes.len)
        fail_soon(conn, CONN_STUCK);
    else if (!keep_unsent(conn, bytes))
        fail_soon(conn, CONN_NO_MEMORY);
    else if (first && conn->state == OPEN)
        write_waiting(conn);
}

size_t conn_queued(const Conn *conn)
{
    if (!conn->unsent)
        return 0;
    return uv_stream_get_write_queue_size((const uv_stream_t *)&conn->tcp) +
           conn->unsent->waiting.len;
}

/* ---- closing ---- */

static void on_deadline(uv_timer_t *timer)
{
    Loop *loop = timer->data;

    while (!link_alone(&loop->lingering)) {
        Conn *conn = HOLDER(loop->lingering.next, Conn, linger);
        uint64_t now_ms = uv_now(&loop->uv);

        if (conn->deadline_ms > now_ms) {
            uv_timer_start(timer, on_deadline, conn->deadline_ms - now_ms, 0);
            return;
        }
        conn_gone(conn, true);
    }
}

static void linger_conn(Conn *conn)
{
    Loop *loop = conn->loop;

    conn->state = LINGERING;
    link_drop(&conn->soon.link);
    if (conn->listener)
        listener_linger(conn->listener);
    uv_update_time(&loop->uv);
    conn->deadline_ms = uv_now(&loop->uv) + LINGER_MS;
    link_add(&loop->lingering, &conn->linger);
    if (!uv_is_active((uv_handle_t *)&loop->linger_timer))
        uv_timer_start(&loop->linger_timer, on_deadline, LINGER_MS, 0);
    uv_read_start((uv_stream_t *)&conn->tcp, loop_read_buffer, on_read);
    if (!conn->unsent)
        shut_our_side(conn);
}

/* Whether bytes came that nobody read. */
static bool has_unread(const Conn *conn)
{
    int bytes = 0;

    return ioctl(conn_descriptor(conn), FIONREAD, &bytes) == 0 && bytes > 0;
}

bool conn_has_more(const Conn *conn)
{
    return line_reader_has_more(&conn->reader);
}

bool conn_has_input(const Conn *conn)
{
    return conn_has_more(conn) || (conn->state == OPEN && has_unread(conn));
}

uint64_t conn_turn(const Conn *conn)
{
    return conn->loop->turn_reads < TURN_READS_MAX ? conn->loop->turn : 0;
}

Conn *conn_close(Conn *conn)
{
    if (!conn || conn->state > OPEN)
        return NULL;
    if (conn->state == OPEN && !conn->failing && !conn->broken &&
        (conn->unsent || has_unread(conn)))
        linger_conn(conn);
    else
        conn_gone(conn, conn->failing && conn->failure == CONN_STUCK);
    return NULL;
}

Conn *conn_finish(Conn *conn)
{
    if (!conn || conn->state != OPEN || conn->failing || conn->broken)
        return conn_close(conn);
    linger_conn(conn);
    return NULL;
}

void conn_pause(Conn *conn)
{
    if (conn->state != OPEN)
        return;
    conn->paused = true;
    uv_read_stop((uv_stream_t *)&conn->tcp);
}

void conn_resume(Conn *conn)
{
    if (!conn->paused)
        return;
    conn->paused = false;
    if (conn->state == OPEN && !conn->failing && !conn->shut)
        start_reading(conn);
}

/* ---- making connections ---- */

/* A connection on the loop without a socket, or NULL. */
static Conn *conn_new(Loop *loop, ConnState state)
{
    Conn *conn = mem_new(sizeof(*conn));

    if (!conn)
        return NULL;
    uv_tcp_init(&loop->uv, &conn->tcp);
    conn->tcp.data = conn;
    conn->loop = loop;
    conn->state = state;
    conn->stamp_after = TIME_US_NEVER;
    conn->soon.run = on_soon;
    link_init(&conn->soon.link);
    link_init(&conn->linger);
    conn->owned.close = conn_drop;
    link_add(&loop->owned, &conn->owned.link);
    return conn;
}

void conn_options(int fd)
{
    const struct {
        int level;
        int name;
        int value;
    } options[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},
        /* The kernel finds peers that are gone without a word: power, network. It needs no answer
         * of the program behind, which may be busy for minutes (docs/spec/nlp-division.md 1.5,
         * 2.2). */
        {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, 60},         /* seconds of silence */
        {IPPROTO_TCP, TCP_KEEPINTVL, 15},        /* seconds between two probes */
        {IPPROTO_TCP, TCP_KEEPCNT, 4},           /* probes */
        {IPPROTO_TCP, TCP_USER_TIMEOUT, 300000}, /* ms that bytes may stay unacknowledged */
    };

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        setsockopt(fd, options[i].level, options[i].name, &options[i].value,
                   sizeof(options[i].value));
}

Conn *conn_accepted(Loop *loop, int fd, Listener *listener)
{
    Conn *conn = conn_new(loop, OPEN);

    if (!conn) {
        close(fd);
        return NULL;
    }
    if (uv_tcp_open(&conn->tcp, fd)) {
        close(fd);
        conn_gone(conn, false);
        return NULL;
    }
    conn->listener = listener;
    return conn;
}

/* Moves what the kernel has not taken into the parcel. */
static void take_unsent(const Conn *conn, ConnParcel *parcel)
{
    const Unsent *unsent = conn->unsent;

    if (!unsent)
        return;
    size_t left = uv_stream_get_write_queue_size((const uv_stream_t *)&conn->tcp);
    Str written = buf_str(&unsent->written);
    buf_add(&parcel->unsent, str_part(written, written.len - left, left));
    buf_add(&parcel->unsent, buf_str(&unsent->waiting));
}

void conn_take(Conn *conn, ConnParcel *ret_parcel)
{
    ConnParcel parcel = {.fd = -1, .broken = conn->broken, .failure = CONN_RESET};

    assert(conn->state == OPEN && !conn->shut);
    if (conn->failing) {
        parcel.failure = conn->failure;
    } else {
        /* The descriptor of libuv's handle goes with the handle. */
        parcel.fd = fcntl(conn_descriptor(conn), F_DUPFD_CLOEXEC, 0);
        take_unsent(conn, &parcel);
    }
    conn_gone(conn, false);
    *ret_parcel = parcel;
}

Conn *conn_put(Loop *loop, ConnParcel *parcel, Listener *listener)
{
    ConnParcel own = *parcel;
    Conn *conn = conn_new(loop, OPEN);

    *parcel = (ConnParcel){.fd = -1};
    if (conn && own.unsent.len)
        conn->unsent = mem_new(sizeof(*conn->unsent));
    if (!conn || buf_failed(&own.unsent) || (own.unsent.len && !conn->unsent)) {
        buf_done(&own.unsent);
        if (own.fd >= 0)
            close(own.fd);
        if (conn)
            conn_gone(conn, false);
        return NULL;
    }
    conn->listener = listener;
    if (listener)
        listener_enter(listener);
    if (own.fd < 0 || uv_tcp_open(&conn->tcp, own.fd)) {
        if (own.fd >= 0)
            close(own.fd);
        buf_done(&own.unsent);
        fail_soon(conn, own.failure);
        return conn;
    }
    conn->broken = own.broken;
    if (conn->unsent) {
        conn->unsent->waiting = own.unsent;
        write_waiting(conn);
    }
    return conn;
}

static void take_events(Conn *conn, const ConnEvents *events, void *user, const ConnLimits *limits)
{
    conn->events = *events;
    conn->user = user;
    conn->queued_bytes = limits->queued_bytes;
    conn->reader.limit = limits->line_bytes;
}

void conn_attach(Conn *conn, const ConnEvents *events, void *user, const ConnLimits *limits)
{
    if (conn->state > OPEN)
        return;
    take_events(conn, events, user, limits);
    if (conn->state == OPEN && !conn->paused && !conn->shut &&
        !uv_is_active((uv_handle_t *)&conn->tcp))
        start_reading(conn);
}

int tcp_resolve(Loop *loop, const char *host, uint16_t port, int flags,
                struct addrinfo **ret_addresses, Err *err)
{
    bool here = host && localhost_names(str_of(host));
    struct addrinfo hints = {
        .ai_family = AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_NUMERICSERV | (here ? flags & ~AI_PASSIVE : flags),
    };
    char port_text[8];
    uv_getaddrinfo_t request;

    snprintf(port_text, sizeof(port_text), "%u", port);
    int code = uv_getaddrinfo(&loop->uv, &request, NULL, here ? NULL : host, port_text, &hints);
    if (code)
        return err_set(err, uv_err(code), "host '%s': %s", host ? host : "*", uv_strerror(code));
    *ret_addresses = request.addrinfo;
    return 0;
}

static void try_next_address(Conn *conn);

static void on_connect(uv_connect_t *connect, int status)
{
    Conn *conn = connect->data;

    if (conn->state != CONNECTING || status == UV_ECANCELED)
        return;
    if (status) {
        try_next_address(conn);
        return;
    }
    conn->state = OPEN;
    attempt_done(conn);
    start_reading(conn);
    if (conn->unsent)
        write_waiting(conn);
    if (conn->events.opened)
        conn->events.opened(conn->user, loop_now());
}

static void on_address_closed(uv_handle_t *handle)
{
    Conn *conn = handle->data;

    if (conn->state == GONE) {
        free_conn(handle);
        return;
    }
    uv_tcp_init(&conn->loop->uv, &conn->tcp);
    conn->tcp.data = conn;
    try_next_address(conn);
}

/* Connects to the next address; a socket that was tried already is closed first. */
static void try_next_address(Conn *conn)
{
    Attempt *attempt = conn->attempt;

    if (attempt->next && conn_descriptor(conn) >= 0) {
        uv_close((uv_handle_t *)&conn->tcp, on_address_closed);
        return;
    }
    if (!attempt->next) {
        fail_soon(conn, CONN_RESET);
        return;
    }
    const struct sockaddr *address = attempt->next->ai_addr;

    attempt->next = attempt->next->ai_next;
    attempt->connect.data = conn;
    uv_tcp_nodelay(&conn->tcp, 1);
    if (uv_tcp_connect(&attempt->connect, &conn->tcp, address, on_connect))
        try_next_address(conn);
}

int tcp_connect(Loop *loop, const char *host, uint16_t port, const ConnEvents *events, void *user,
                const ConnLimits *limits, Conn **ret_conn, Err *err)
{
    struct addrinfo *addresses = NULL;
    int code = tcp_resolve(loop, host, port, 0, &addresses, err);

    if (code)
        return code;

    CLEANUP(mem_freep) Attempt *attempt = mem_new(sizeof(*attempt));
    Conn *conn = attempt ? conn_new(loop, CONNECTING) : NULL;
    if (!conn) {
        uv_freeaddrinfo(addresses);
        return err_set(err, ERR_MEMORY, "connect to %s: out of memory", host);
    }
    attempt->addresses = attempt->next = addresses;
    conn->attempt = TAKE(attempt);
    take_events(conn, events, user, limits);
    try_next_address(conn);
    *ret_conn = conn;
    return 0;
}
