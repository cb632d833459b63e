/* uv_web.h - what the files of the web server know of each other.
 *
 * For:    web.c (connections and their time limits), web_reply.c, web_socket.c. Nobody else
 *         includes it.
 * Memory: a WebConn is freed when it is gone and no callback of it runs; a WebServer likewise.
 * Thread: the loop's.
 * Source: house rule: what several files of a folder share is in a header of its own.
 */
#ifndef WARG_NET_UV_WEB_H
#define WARG_NET_UV_WEB_H

#include "net/http1.h"
#include "net/tcp.h"
#include "net/uv_loop.h"
#include "net/web_gate.h"
#include "net/web_room.h"
#include "net/websocket.h"

typedef enum WebState {
    WEB_READING,   /* waits for a request */
    WEB_BODY,      /* what comes goes to a sink */
    WEB_ANSWERING, /* the owner has it; nothing is read */
    WEB_ANSWERED,  /* not all of the answer may have been taken by the kernel */
    WEB_SOCKET,
    WEB_STREAM,
    WEB_GONE, /* the owner knows, or never heard of it */
} WebState;

/* What a connection has before it is a WebSocket or a stream. */
typedef struct WebHttp {
    WebConn *conn;
    Http1 *http1;
    ListLink waiting; /* in the server's list `begun` or `idle` */
    TimeUs deadline;
    bool is_idle;      /* in `idle` */
    bool cut;          /* its body is not read to the end: closes with the answer */
    bool told_long;    /* by its head the body is over its limit */
    bool sink_busy;    /* nothing is read until web_body_go_on */
    bool sink_waited;  /* it was busy in this span of time: the peer is not to blame */
    WebSink sink;      /* of WEB_BODY */
    uint64_t limit;    /* of its body */
    uint64_t came;     /* of its body */
    uint64_t counted;  /* of `came`, when the span of time began */
    bool is_large;     /* its request may have a large body: counted by the server */
    bool closes;       /* the connection ends when the answer is out */
    int file;          /* whose bytes are the answer's body; -1 = none */
    off_t at;          /* in it, up to where it was read */
    size_t left;       /* of it, still to be read */
    WebSource source;  /* whose pieces are the answer's body; zero = none */
    bool is_chunked;   /* they are sent as chunks */
    size_t room;       /* that the answer holds */
    ListLink roomless; /* in the server's list, while there is no room for the next block */
    char peer[80];     /* "127.0.0.1:40312" */
} WebHttp;

struct WebConn {
    ListLink link; /* in the server's list */
    Soon soon;     /* goes on with what a call of the owner began */
    WebServer *server;
    Conn *conn;              /* NULL: it is broken, which is reported when it is the owner's turn */
    Tls *tls;                /* or NULL */
    WebHttp *http;           /* NULL when it isn't needed any more */
    WebSocket *socket;       /* of WEB_SOCKET */
    ListLink holding;        /* in the server's list `held`, while there is something in it */
    Buf held;                /* what is sent when the owner's callback has returned */
    ConnParcel parcel;       /* between web_take and web_put */
    void *user;              /* of WEB_SOCKET, WEB_STREAM */
    const WebEvents *events; /* theirs; NULL: the server's */
    TimeUs stuck_since;
    WebState state;
    unsigned busy;  /* calls of us, or of the owner by us, that still use it */
    bool no_memory; /* to be reported by `soon` */
    bool is_head;   /* a stream that was asked for with HEAD: no pieces */
};

struct WebServer {
    Loop *loop;
    Listener *listener;
    TlsServer *tls;
    WebLimits limits;
    WebEvents events;
    void *user;
    const WebHeader *headers;
    uint32_t header_count;
    const WebGate *gate; /* NULL = all may come */
    uint32_t open_count;
    uint32_t large_count; /* requests whose body may be larger than others' */
    uint32_t away_count;  /* taken off by web_take, and not back */
    uint16_t port;
    ListLink conns;  /* WebConn */
    ListLink begun;  /* WebHttp: a request is awaited or has begun; by deadline */
    ListLink idle;   /* WebHttp: between two requests; by deadline */
    ListLink bodies; /* WebHttp: whose bodies go to a sink; by deadline */
    Timer *timer;    /* for the first of both */
    ListLink held;   /* WebConn: those that have something held */
    unsigned holding;
    WebRoom room;
    ListLink roomless; /* WebHttp: files that go on when others have given room back */
    /* Reused by all connections, so that a message needs no memory of its own. */
    Buf out;    /* what is made to be sent */
    Buf cipher; /* the same, encrypted */
    Buf plain;  /* what came, decrypted */
    unsigned busy;
    bool freed; /* web_free was called; goes when nothing is busy */
};

/* Around everything that may call the owner. After web_leave `conn` may be freed. */
void web_enter(WebConn *conn);
void web_leave(WebConn *conn);

/* Sends, encrypted where that is needed. */
void web_send_bytes(WebConn *conn, Str bytes);
/* Sends what is in the server's `out`, and empties that. */
void web_send_out(WebConn *conn);

/* The connection is over: sends the end of TLS, gives the peer time to close when `gently`, and
 * frees all as soon as nothing is busy. Nobody is called. */
void web_drop(WebConn *conn, bool gently);
/* The same, and tells the owner of a WebSocket or stream. */
void web_fail(WebConn *conn, WebEnd how, uint16_t code, bool gently);

/* Room for what is sent as an answer; then only what the kernel has not taken is held. */
bool web_take_room(WebConn *conn, size_t bytes);
void web_hold_room(WebConn *conn);
/* A body to a sink: what has come of it is handed on. False when it has to wait. For web.c. */
bool web_read_body(WebConn *conn);
/* It ends with `how`: the sink is told. */
void web_end_body(WebConn *conn, WebBodyEnd how);
/* Into a list of deadlines: `bodies`. */
void web_wait_for_body(WebConn *conn);

/* The head of an answer into the server's `out`; of its body `length` alone counts. */
void web_make_head(WebConn *conn, const WebAnswer *answer, size_t length, bool keeps_alive,
                   const char *more);
/* The next piece of the source. False when the answer is not out yet, or it was broken off. */
bool web_send_source(WebConn *conn);
/* Its owner is told that it is no longer needed. Nothing happens when there is none. */
void web_end_source(WebConn *conn);

/* From now on there is no HTTP; queued bytes are limited. */
void web_leave_http(WebConn *conn);

/* Answers a request that the owner never gets to see, and closes. */
void web_refuse(WebConn *conn, unsigned status);

/* Around calls of the owner: all that it sends to one WebSocket meanwhile is one write. */
void web_hold(WebServer *server);
void web_release(WebServer *server);
/* Sends what is held for a connection, now. */
void web_send_held(WebConn *conn);
/* Who hears of a WebSocket or a stream. */
const WebEvents *web_ears(const WebConn *conn);
/* Where to append what is sent to a WebSocket, and what to call then. */
Buf *web_sending(WebConn *conn);
void web_sent(WebConn *conn);
void web_out_of_memory(WebConn *conn);

/* A peer has connected: its connection, in the server's lists; closed when there is no memory. */
void web_accept(WebServer *server, Conn *tcp, const char *peer);
/* Of its body too little came in its span of time: it ends. */
void web_end_slow_body(WebConn *conn);
/* Frees a server that nothing uses any more. */
void web_server_done(WebServer *server);

/* Bytes of a WebSocket. */
void web_socket_take(WebConn *conn, Str bytes, TimeUs at);

/* The state was changed by a call of the owner: goes on when that has returned. */
void web_go_on(WebConn *conn);

#endif
