/* tcp.h - lines over TCP: a listener, connections on both sides.
 *
 * For:    servers and clients of the protocol division; bytes as they come for other protocols
 *         (web.h, web_client.h).
 * Memory: a connection keeps no buffer while nothing waits in it (a thousand idle ones must cost
 *         little): bytes are read into one buffer of the loop.
 * Thread: the loop's.
 * Source: docs/spec/protocol-division.md 1.1, 1.2: TCP_NODELAY, one write a line; lines end with
 *         LF, CR LF or CR (net/line_reader.h).
 */
#ifndef WARG_NET_TCP_H
#define WARG_NET_TCP_H

#include "base/buf.h"
#include "net/loop.h"

typedef struct Listener Listener;
typedef struct Conn Conn;

typedef enum ConnEnd {
    CONN_CLOSED,    /* the peer ended it in order */
    CONN_RESET,     /* the peer or the network broke it off, or tcp_connect came to nothing */
    CONN_LONG,      /* a line over the limit */
    CONN_STUCK,     /* more bytes wait to be sent than allowed: the peer does not read */
    CONN_NO_MEMORY, /* ours ran out */
} ConnEnd;

/* What a connection reports. `line` is borrowed for the call and without its line end; `at` is
 * when its bytes were read (or had come, conn_stamp), `now` when this is called. `ended` is called
 * at most once, and never after conn_close; the connection is closed by then, and freed when it
 * returns (conn_close in it does no harm). `partial`: bytes of a line without end that came before
 * CONN_CLOSED or CONN_RESET, borrowed. */
typedef struct ConnEvents {
    void (*line)(void *user, Str line, TimeUs at, TimeUs now);
    void (*ended)(void *user, ConnEnd how, Str partial, TimeUs now);
    void (*opened)(void *user, TimeUs now); /* of tcp_connect; may be NULL */
    /* Instead of `line`: bytes as they were read, borrowed for the call; may be NULL. */
    void (*bytes)(void *user, Str bytes, TimeUs at);
    /* The kernel has taken all of what waited to be sent; may be NULL. */
    void (*drained)(void *user);
    /* The peer has ended its side in order and may still read; a last line without line end was
     * reported by `line`. Nothing comes any more but `ended` with CONN_RESET, when something can't
     * be sent. NULL: `ended` with CONN_CLOSED comes in its place. */
    void (*shut)(void *user, TimeUs now);
} ConnEvents;

typedef struct ConnLimits {
    size_t line_bytes;   /* longest line taken from the peer */
    size_t queued_bytes; /* most bytes that wait for a peer that does not read */
} ConnLimits;

/* Listens on all addresses of `host` (a name or address; NULL or "*" = every interface, IPv6 too)
 * and `port` (0 = any free one, the same for all addresses). `accepted` gets each new connection
 * with its peer's address as text ("127.0.0.1:40312", "[::1]:40312") and must call conn_attach or
 * conn_close. While the process has no descriptors left, connections wait in the kernel's queue.
 * Errors: ERR_IO that names host and port ("in use: another server? try --port"), ERR_MEMORY. */
int tcp_listen(Loop *loop, const char *host, uint16_t port,
               void (*accepted)(void *user, Conn *conn, const char *peer, TimeUs now), void *user,
               Listener **ret_listener, Err *err);
/* The same with a socket that listens already, wherever it was made: it stays in the network that
 * it was made in. The descriptor is ours then, also when it fails. Errors: ERR_IO (it does not
 * listen), ERR_MEMORY. */
int tcp_listen_on(Loop *loop, int take_socket,
                  void (*accepted)(void *user, Conn *conn, const char *peer, TimeUs now),
                  void *user, Listener **ret_listener, Err *err);
/* The port it has. */
uint16_t listener_port(const Listener *listener);
/* How many connections of it are open: accepted, and neither ended nor conn_close'd. */
uint32_t listener_open_count(const Listener *listener);
/* Further connections are closed at once while `limit` are open or still closing: the limit is one
 * of descriptors. */
void listener_set_limit(Listener *listener, uint32_t limit);
/* Stops listening; its connections stay open. Takes NULL, returns NULL. */
Listener *listener_close(Listener *listener);

/* From now on reports to `events`, which is copied; also to hand a connection on. Lines that came
 * before wait for the first conn_attach. */
void conn_attach(Conn *conn, const ConnEvents *events, void *user, const ConnLimits *limits);

/* Connects, to the addresses of `host` one after the other; `opened`, or `ended` with CONN_RESET,
 * is called later. What is sent before waits. Looking a name up holds the loop. Errors: ERR_IO when
 * the name can't be resolved, ERR_MEMORY. */
int tcp_connect(Loop *loop, const char *host, uint16_t port, const ConnEvents *events, void *user,
                const ConnLimits *limits, Conn **ret_conn, Err *err);

/* Sends: as much as the kernel takes at once, the rest when it has room. Never calls back; a
 * failure is reported by `ended` from the loop, after lines that came before the peer broke off.
 * `bytes` is borrowed for the call. */
void conn_send(Conn *conn, Str bytes);

/* Bytes that the kernel has not taken yet. */
size_t conn_queued(const Conn *conn);

/* Whether bytes have come behind the line that was reported last; for use in `line`. */
bool conn_has_more(const Conn *conn);

/* The same, with what the kernel holds for us: whether anything came before what is sent next.
 * Costs a system call. */
bool conn_has_input(const Conn *conn);

/* From now on `at` of what is read later than `after` is when its last byte had come by the
 * kernel's stamp, and not when it was read: the loop may be late, or the process stopped. Each call
 * costs a look at the clocks, each such read a system call. What came before `since` came then; it
 * is a time that the caller counts from, and not now, for a stop may lie between the two. */
void conn_stamp(Conn *conn, TimeUs since, TimeUs after);

/* Its socket, to be looked at only; -1 = it has none (yet, or any more). */
int conn_descriptor(const Conn *conn);

/* The turn of the loop: what is reported in one turn had come when the turn began, and so before
 * anything that was sent in it. 0 = can't be told, in a turn of very many reads, which the kernel
 * tells in several parts. */
uint64_t conn_turn(const Conn *conn);

/* Closes: what is queued is still sent if the peer takes it within a second; after that, or when
 * tcp_connect has not got through yet, it is dropped. No event comes any more. Takes NULL, returns
 * NULL. */
Conn *conn_close(Conn *conn);

/* The same, but the peer always gets a second to read what was sent and to close its side: for
 * answers after which it may go on sending. */
Conn *conn_finish(Conn *conn);

/* Leaves what comes with the kernel, the peer's end too, until conn_resume. That the peer broke off
 * is noticed only by sending. */
void conn_pause(Conn *conn);
void conn_resume(Conn *conn);

/* ---- from one loop to another ---- */

/* A connection that is on no loop: its socket and all that is known of it. What the peer sends
 * meanwhile waits in the kernel. Whoever has it may hand it to another thread. */
typedef struct ConnParcel {
    int fd;          /* -1 = none: it is broken, or no descriptor was left */
    Buf unsent;      /* what the kernel has not taken */
    bool broken;     /* nothing can be sent any more, the end will be read */
    ConnEnd failure; /* with fd -1: what is reported where it is put */
} ConnParcel;

/* Takes a connection that reports bytes off its loop; `conn` is gone, and its listener counts it no
 * more. Not in an event of this connection. Needs a descriptor for a moment. */
void conn_take(Conn *conn, ConnParcel *ret_parcel);
/* Puts it on a loop, for conn_attach; `listener` (may be NULL) counts it from now on. Empties the
 * parcel. NULL when there is no memory: then it is closed. */
Conn *conn_put(Loop *loop, ConnParcel *parcel, Listener *listener);

#endif
