/* websocket.h - WebSocket frames without any I/O, for both sides: bytes in, whole messages out.
 *
 * For:    net/web.c and net/web_client.c. wslay reads and writes the frames.
 * Memory: a WebSocket keeps 4 KiB for wslay, and beside it only what came of a message that is not
 *         whole. What is to be sent is appended to a buffer of the caller.
 * Thread: one at a time.
 * Source: RFC 6455; docs/spec/nlp-division.md 1.2, 1.4: text and binary alike, invalid UTF-8 is
 *         replaced and no reason to fail.
 *
 *   OPEN --websocket_close--> CLOSING --the peer's close frame--> OVER
 *      \-----the peer's close frame, or a mistake of it------------/
 *
 * In OVER nothing is read or sent any more; the connection is to be closed.
 */
#ifndef WARG_NET_WEBSOCKET_H
#define WARG_NET_WEBSOCKET_H

#include "net/web.h"

typedef struct WebSocket WebSocket;

typedef enum WebSocketEvent {
    WEBSOCKET_MORE,      /* needs more bytes */
    WEBSOCKET_MESSAGE,   /* a whole message */
    WEBSOCKET_CLOSED,    /* the peer closed; our close frame is in `out` */
    WEBSOCKET_BROKEN,    /* the peer broke the rules or the limit; our close frame is in `out` */
    WEBSOCKET_NO_MEMORY, /* nothing can be read any more */
} WebSocketEvent;

#define WEBSOCKET_REASON_MAX 123 /* bytes of a close frame's reason */

/* Close codes, RFC 6455 7.4.1. */
enum {
    WEBSOCKET_NORMAL = 1000,
    WEBSOCKET_PROTOCOL = 1002,
    WEBSOCKET_NO_CODE = 1005,
    WEBSOCKET_ABNORMAL = 1006,
    WEBSOCKET_TOO_BIG = 1009,
};

/* NULL when there is no memory. A client masks what it sends. */
WebSocket *websocket_new(bool is_client, size_t message_bytes);
WebSocket *websocket_free(WebSocket *socket); /* takes NULL, returns NULL */
/* Another limit for messages from the next frame on. */
void websocket_limit(WebSocket *socket, size_t message_bytes);

/* Bytes that arrived, borrowed until websocket_next gives WEBSOCKET_MORE: call that until then. */
void websocket_feed(WebSocket *socket, Str bytes);

/* The next thing that happened. A message is borrowed until the next call with this socket; its
 * invalid bytes are U+FFFD. Pongs and close frames are appended to `out`. In CLOSING no message is
 * given. A frame that is longer than messages may be is refused as soon as its head is there. */
WebSocketEvent websocket_next(WebSocket *socket, Str *ret_message, Buf *out);

/* After WEBSOCKET_CLOSED the peer's code, after WEBSOCKET_BROKEN the one we sent. */
uint16_t websocket_code(const WebSocket *socket);
/* The peer's reason, or what it did wrong. Borrowed until the socket is freed. */
Str websocket_reason(const WebSocket *socket);

/* Appends one frame, unless it is closing. */
void websocket_send(WebSocket *socket, Str text, Buf *out);
void websocket_ping(WebSocket *socket, Buf *out);
/* Appends a close frame, unless there was one. The reason is cut to 123 bytes. */
void websocket_close(WebSocket *socket, uint16_t code, Str reason, Buf *out);

/* ---- the handshake ---- */

/* Whether it is a correct request for a WebSocket of version 13 (RFC 6455 4.2.1). */
bool websocket_is_asked(const WebRequest *request);
/* Whether it asks for a WebSocket of a version that is not served here (RFC 6455 4.4). */
bool websocket_is_other(const WebRequest *request);
/* Appends the lines "Upgrade:", "Connection:" and "Sec-WebSocket-Accept:". */
int websocket_accept(const WebRequest *request, Buf *out, Err *err);

/* Where a URL points to: ws://host:port/path?query. */
typedef struct WebSocketUrl {
    char host[256];
    uint16_t port;
    bool tls;
    Str target; /* "/path?query", of the URL's text, without '#...'; may be empty */
} WebSocketUrl;
/* Errors: ERR_USAGE. */
int websocket_url(const char *url, WebSocketUrl *ret_url, Err *err);

#define WEBSOCKET_KEY_BYTES 25 /* 24 letters and the NUL */
/* Makes a key from random bytes. */
int websocket_key(char ret_key[static WEBSOCKET_KEY_BYTES], Err *err);
/* Appends the client's request. `token` may be NULL. */
void websocket_ask(const WebSocketUrl *url, const char *key, const char *token, Buf *out);
/* Reads the answer's head at the front of `bytes`. 1 and how many bytes it has, 0 = not all of it
 * is there. Errors: ERR_SYNTAX, ERR_LIMIT (over 16 KiB), ERR_RULE when it is no upgrade; then
 * *ret_status is the HTTP status, or 0. */
int websocket_answer(Str bytes, const char *key, size_t *ret_used, unsigned *ret_status, Err *err);

#endif
