/* http1.h - the server's side of HTTP/1.1 without any I/O: bytes in, whole requests out.
 *
 * For:    net/web.c. One request at a time: what comes behind it waits until http1_next_request.
 *         http_parser is behind it.
 * Memory: an Http1 owns the request; what http1_request gives is borrowed until http1_next_request.
 *         Between two requests it keeps no buffer.
 * Thread: one at a time.
 * Source: RFC 9110, 9112. Framing that two readers could see differently (both lengths, bare bytes
 *         in names, no Host, folded lines, lines that end without CR) is refused, never guessed.
 */
#ifndef WARG_NET_HTTP1_H
#define WARG_NET_HTTP1_H

#include "net/web.h"

#define HTTP1_HEADERS_MAX 100

typedef struct Http1 Http1;

typedef enum Http1State {
    HTTP1_IDLE,    /* nothing of a request has come */
    HTTP1_BEGUN,   /* a part of one */
    HTTP1_HEAD,    /* the head of one with a body, by http1_stop_at_heads: http1_go_on */
    HTTP1_REQUEST, /* a whole one */
    HTTP1_BAD,     /* what came is none: http1_status says how to answer before closing */
} Http1State;

/* NULL when there is no memory. */
Http1 *http1_new(size_t head_bytes, size_t body_bytes);
Http1 *http1_free(Http1 *http); /* takes NULL, returns NULL */
/* Asked with the head of each request that may have a body, of which nothing but the path, method,
 * query and headers is set: how long it may be in place of `body_bytes`; what comes 503 for 0. */
typedef size_t Http1BodyLimit(void *user, const WebRequest *head);
void http1_limit_body(Http1 *http, Http1BodyLimit *limit, void *user);

/* From now on a request that may have a body stops behind its head, before its length is looked at:
 * http1_request gives what there is of it. */
void http1_stop_at_heads(Http1 *http);
/* In HTTP1_HEAD. `streamed`: the body comes in pieces, however long it is; else it is kept whole.
 */
void http1_go_on(Http1 *http, bool streamed);
/* What has come of a streamed body since http1_take_piece; borrowed until then. The last piece is
 * there in HTTP1_REQUEST. */
Str http1_piece(const Http1 *http);
void http1_take_piece(Http1 *http);
/* In HTTP1_HEAD: how long the body is by its head; UINT64_MAX where that is not told. */
uint64_t http1_body_length(const Http1 *http);

/* Bytes that arrived; what is kept is copied. */
void http1_feed(Http1 *http, Str bytes);
Http1State http1_state(const Http1 *http);

/* In HTTP1_REQUEST. `peer` is left to the caller. */
void http1_request(const Http1 *http, WebRequest *ret_request);
/* Whether the connection may take another request after this one. */
bool http1_keeps_alive(const Http1 *http);
/* Whether the answer may come in chunks: a peer of HTTP/1.1. */
bool http1_takes_chunks(const Http1 *http);
/* Whether the answer has no body: HEAD. */
bool http1_is_head(const Http1 *http);

/* In HTTP1_BAD: 400, 405, 413, 431, or 503 when there is no memory. */
unsigned http1_status(const Http1 *http);

/* True once for a request whose sender waits for "100 Continue" before it sends the body. */
bool http1_take_continue(Http1 *http);

/* The request was answered: on to the next, of which a part may have come already. */
void http1_next_request(Http1 *http);

/* What has come behind the request: the first bytes of the protocol after an upgrade. */
Str http1_rest(const Http1 *http);

/* An answer's head. A body of HTTP1_LENGTH_OPEN bytes ends with the connection. */
#define HTTP1_LENGTH_OPEN SIZE_MAX
typedef struct Http1Head {
    unsigned status;
    const char *type;  /* of the body; NULL = none is named */
    size_t length;     /* of the body */
    int64_t unix_time; /* for Date */
    bool keeps_alive;  /* else "Connection: close" */
    const char *more;  /* whole lines with their ends; NULL = none */
    const WebHeader *headers;
    uint32_t header_count;
} Http1Head;
void http1_write_head(const Http1Head *head, Buf *out);

/* Appends `text` with %XX decoded, and '+' as a blank when `form`. False when it holds a '%' that
 * is none; that one is taken as it is. */
bool http1_decode(Str text, bool form, Buf *out);

/* Whether a list such as "keep-alive, Upgrade" has this word, in any case of letters. */
bool http1_list_has(Str list, const char *word);

#endif
