/* web.h - a web server on a loop: HTTP requests, WebSocket connections, event streams, TLS.
 *
 * For:    servers that speak HTTP: the natural-language division, later contest pages. Knows no
 *         game. The protocols are sans-IO modules beside it (http1.h, websocket.h, tls.h).
 * Memory: a WebServer owns its connections. A WebConn is valid until its `closed` has returned, or
 *         until it was answered without being upgraded or streamed. An idle WebSocket costs at
 *         most 12 KiB without TLS (measured: 5.3 KiB). Free the server before its loop.
 * Thread: the loop's.
 * Source: RFC 9110, 9112 (HTTP/1.1), 6455 (WebSocket); docs/spec/nlp-division.md 1.1, 1.2, 1.4,
 *         1.5; bodies that go to a sink: docs/spec/contest-operations.md 13.3.
 *
 *   HEAD ---web_body_to--> its body, in pieces --WebSink.done--> REQUEST
 *   REQUEST --web_reply-------> (next request of the connection, or its end)
 *      |  \--web_stream_begin-> STREAM --web_stream_end or the peer--> gone
 *      \-----web_upgrade------> SOCKET --web_close or the peer-------> gone
 */
#ifndef WARG_NET_WEB_H
#define WARG_NET_WEB_H

#include "net/loop.h"
#include "net/tls.h"

typedef struct WebServer WebServer;
typedef struct WebConn WebConn;
typedef struct WebGate WebGate; /* web_gate.h */

typedef struct WebHeader {
    Str name;
    Str value;
} WebHeader;

/* How a body ended that went to a sink. */
typedef enum WebBodyEnd {
    WEB_BODY_WHOLE,
    WEB_BODY_LONG,   /* over the limit: 413 */
    WEB_BODY_SLOW,   /* too little came for too long: 408 */
    WEB_BODY_BAD,    /* what came is no HTTP: 400 */
    WEB_BODY_BROKEN, /* the peer, the network or web_free broke it off */
} WebBodyEnd;

/* Takes a body piece by piece; borrowed until `done` has returned. */
typedef struct WebSink {
    /* A piece, borrowed for the call. False: no more now, nothing is read until web_body_go_on. May
     * call web_body_stop. */
    bool (*piece)(void *user, Str bytes);
    /* Once, with the bytes that came. `conn` is to be answered, now or later; behind all but a
     * WEB_BODY_WHOLE the connection ends with the answer. WEB_BODY_BROKEN: it is NULL. */
    void (*done)(void *user, WebConn *conn, WebBodyEnd how, uint64_t bytes);
    void *user;
} WebSink;

/* A request whose head, and whose body if it has one, are whole. Borrowed for the call. */
typedef struct WebRequest {
    Str method; /* "GET" */
    Str path;   /* "/api/v1/games", decoded; never with a NUL or a ".." segment */
    Str query;  /* behind the '?', as it came */
    Str body;
    const WebHeader *headers;
    uint32_t header_count;
    bool wants_websocket; /* a correct upgrade request of version 13 */
    const char *peer;     /* "127.0.0.1:40312" */
    TimeUs now;           /* when it is handed over */
} WebRequest;

/* How a WebSocket, or a stream, ended. */
typedef enum WebEnd {
    WEB_CLOSED,   /* the peer sent a close frame (code says which), or ended a stream */
    WEB_BROKEN,   /* the peer or the network broke it off */
    WEB_PROTOCOL, /* against RFC 6455, or a message over the limit; a close frame was sent */
    WEB_STUCK,    /* the peer does not read: more than `queued_bytes` waited, or too long */
    WEB_NO_MEMORY,
} WebEnd;

typedef struct WebEvents {
    /* Must answer with web_reply, web_upgrade or web_stream_begin, now or later. */
    void (*request)(void *user, WebConn *conn, const WebRequest *request);
    /* A whole message of a WebSocket, text or binary alike, invalid UTF-8 replaced by U+FFFD;
     * `socket` is what web_upgrade was given. `at` is when its last bytes were read. */
    void (*message)(void *socket, Str text, TimeUs at);
    /* A WebSocket or a stream is gone; not called after web_close or web_stream_end. `code` is the
     * peer's close code, 1005 without one, 1006 without a close frame. */
    void (*closed)(void *socket, WebEnd how, uint16_t code, TimeUs now);
    /* The gate has refused a request, or a page may not read the answer: a sentence for the
     * server's log. May be NULL. */
    void (*refused)(void *user, const char *peer, Str why, TimeUs now);
    /* How long the body of the request with this head may be: asked for those that have one. What
     * is over `body_bytes` of the limits is had by `large_bodies` requests at once, others get 503.
     * May be NULL. */
    size_t (*body_bytes)(void *user, const WebRequest *head);
    /* The head of a request with a body has come. True: it is answered now or later, by web_body_to
     * or at once, and then the connection ends, for its body is not read. False: `request` is
     * called when all has come. May be NULL. */
    bool (*head)(void *user, WebConn *conn, const WebRequest *head);
} WebEvents;

typedef struct WebLimits {
    size_t head_bytes;     /* of a request's line and headers: 16 KiB */
    size_t body_bytes;     /* of a request's body: 64 KiB */
    size_t message_bytes;  /* of a WebSocket message, all its frames: 64 KiB */
    size_t queued_bytes;   /* that wait for a peer which does not read */
    TimeUs head_time;      /* from the first byte, or the connection, to the end of a head: 30 s */
    TimeUs idle_time;      /* a connection between two requests */
    TimeUs body_time;      /* in each such span a body that goes to a sink ... 30 s */
    size_t body_least;     /* ... brings so many bytes: 30 KiB */
    uint32_t connections;  /* open at once; more are closed */
    size_t room_bytes;     /* of answers that wait for peers, all together: 64 MiB; more get 503 */
    uint32_t large_bodies; /* that WebEvents.body_bytes let be larger, at once: 4 */
    size_t room_each;      /* those of one address: 16 MiB */
} WebLimits;

extern const WebLimits web_default_limits;

/* What a server is opened with. `tls` and `headers` are borrowed for its life. */
typedef struct WebSetup {
    const char *unix_socket; /* a path, in place of host and port: for the owner alone, 0600; what a
                              * server left there that is gone is replaced. Else NULL */
    const char *host;        /* "" = every address */
    uint16_t port;           /* 0 = a free one */
    TlsServer *tls;          /* may be NULL */
    const WebLimits *limits; /* NULL = web_default_limits */
    const WebHeader *headers; /* every response carries them: Server */
    uint32_t header_count;
    const WebEvents *events;
    void *user;
} WebSetup;

/* Listens. OPTIONS is answered 204 here. Errors: those of tcp_listen. */
int web_listen(Loop *loop, const WebSetup *setup, WebServer **ret_server, Err *err);
/* Refuses pages that are none of the operator's, and lets those of the gate's list read (CORS). The
 * gate is borrowed for the server's life. */
void web_set_gate(WebServer *server, const WebGate *gate);
uint16_t web_port(const WebServer *server);
/* Its connections, also those that web_take took off it. */
uint32_t web_open_count(const WebServer *server);
/* Bytes of answers that wait for peers who don't read. */
size_t web_waiting_bytes(const WebServer *server);
/* Takes no further connection; those that are open live on. */
void web_stop_listening(WebServer *server);
/* Closes all connections; nobody is called, and no WebConn of it is valid any more. Also from
 * within a callback. Takes NULL, returns NULL. */
WebServer *web_free(WebServer *server);

/* The header of this name (ASCII case does not matter); empty when there is none. */
Str web_header(const WebRequest *request, const char *name);
/* The last of this name: a proxy may put what it says into a line of its own behind those that came
 * (RFC 9110 5.3). */
Str web_header_last(const WebRequest *request, const char *name);
/* The value of a query parameter, decoded into `out` (cleared before); empty when there is none. */
Str web_query(const WebRequest *request, const char *name, Buf *out);

/* The value of a cookie; empty when there is none, or several of this name (RFC 6265 5.4 gives no
 * order that could be relied upon). Borrowed from the request. */
Str web_cookie(const WebRequest *request, const char *name);
/* The user who has connected to a Unix socket; false for any other connection. */
bool web_peer_user(const WebConn *conn, uint32_t *ret_user);

/* In WebEvents.head, or later for one that it took: the body goes to `sink`, 100 Continue is sent
 * where it is waited for. A body over `limit` ends at once where its length is told. Of a request
 * without a body, which WebEvents.request has, `done` is called at once, with no bytes. */
void web_body_to(WebConn *conn, const WebSink *sink, uint64_t limit);
/* The sink that was busy takes more. */
void web_body_go_on(WebConn *conn);
/* No more of it, `done` is not called: the request is to be answered, and the connection ends. */
void web_body_stop(WebConn *conn);

/* Answers. `type` may be NULL for an empty body. HEAD gets the head only. */
void web_reply(WebConn *conn, unsigned status, const char *type, Str body);
/* An answer with headers of its own. All is borrowed for the call. */
typedef struct WebAnswer {
    unsigned status;
    const char *type; /* may be NULL for an empty body */
    Str body;
    const WebHeader *headers; /* one whose value has a control character is left out */
    uint32_t header_count;
    Str etag;         /* with its quotes; empty = none. Who has it (If-None-Match) gets 304 */
    bool same_origin; /* only pages of this server may read it: none of the gate's CORS headers */
} WebAnswer;
void web_reply_with(WebConn *conn, const WebAnswer *answer);
/* The same with a file's bytes as they are now, read block by block as the peer takes them: the
 * descriptor is duplicated. `range` requests are answered whole. */
void web_reply_file(WebConn *conn, int file_descriptor, const char *type);
/* The same with the answer's headers; its body, and its status but for 304, are the file's. */
void web_reply_file_with(WebConn *conn, int file_descriptor, const WebAnswer *answer);
/* Gives an answer piece by piece, whose length nobody knows yet. */
typedef struct WebSource {
    /* Adds the next piece to `out`, about 64 KiB: asked for when the peer has taken the last one,
     * so nothing piles up. Nothing added: that was all. False: it can't go on, and the peer sees
     * that the answer is not whole. Calls nothing of the server. */
    bool (*next)(void *user, Buf *out, TimeUs now);
    /* Once: all was handed over, the peer has left, or web_free. */
    void (*gone)(void *user);
    void *user;
} WebSource;
/* Answers 200 with type and headers of `answer` and what the source gives. HEAD gets the head. */
void web_reply_source(WebConn *conn, const WebSource *source, const WebAnswer *answer);
/* Whether the request's Accept-Encoding takes gzip. */
bool web_takes_gzip(const WebRequest *request);

/* Makes it a WebSocket whose events get `socket`. False when the request was no upgrade: it is
 * answered 400 then, 426 for another version (503 when there is no memory). */
bool web_upgrade(WebConn *conn, void *socket);
/* Behind web_upgrade or web_stream_begin: its messages and its end go there, and not to the
 * server's; borrowed until it is gone. For who shares a server with others. Not for WebSockets that
 * change their loop. */
void web_heard_by(WebConn *conn, const WebEvents *events);
/* One text message, one frame. Never calls back: trouble is reported by `closed` from the loop. */
void web_send(WebConn *conn, Str text);
/* An empty ping, to keep network address translation alive. Pings of the peer are answered here. */
void web_ping(WebConn *conn);
/* Closes with code and reason: what is queued is sent first; the connection ends when the peer's
 * close frame has come, or after a second. No event comes any more. */
void web_close(WebConn *conn, uint16_t code, const char *reason);
/* Messages may be so long from now on; less than the server's limit for peers that are still
 * unknown. */
void web_limit_messages(WebConn *conn, size_t bytes);
size_t web_queued(const WebConn *conn);
TimeUs web_stuck_since(const WebConn *conn); /* when bytes began to wait; TIME_US_NEVER = none do */

/* ---- WebSockets that are served on another loop for a while ---- */

/* A server without a port, for WebSockets that web_put brings; of the setup it uses limits, events
 * and user. Each loop has one of its own. Errors: ERR_MEMORY. */
int web_open(Loop *loop, const WebSetup *setup, WebServer **ret_server, Err *err);
/* Takes a WebSocket off its server, with what came of a frame, what waits to be sent and its TLS;
 * nothing of it is touched until web_put, which may be on another thread. Not in an event of this
 * connection. Its server goes on counting it for its limit. */
void web_take(WebConn *conn);
/* Puts it on a server; what happened meanwhile is reported from its loop. */
void web_put(WebServer *server, WebConn *conn);
/* One that was taken off this server won't come back. */
void web_forget(WebServer *server);

/* 200 with this type and no length; then pieces, until web_stream_end or the peer leaves, which
 * `closed` tells. */
void web_stream_begin(WebConn *conn, const char *type, void *socket);
void web_stream_send(WebConn *conn, Str bytes);
void web_stream_end(WebConn *conn);

#endif
