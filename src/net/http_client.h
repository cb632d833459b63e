/* http_client.h - HTTP requests to other servers, on our loop; libcurl is behind it.
 *
 * For:    OpenAI-compatible models, webhooks, speech engines. Nothing here ever blocks the loop:
 *         names are looked up in a thread of libcurl's.
 * Memory: an HttpClient owns its requests; answers are borrowed for the call. loop_free frees the
 *         client too; then nobody may call it any more.
 * Thread: the loop's.
 * Source: guide: libraries, "HTTP client".
 *
 * Only http and https are spoken. A redirect is an answer with its status, and is not followed: a
 * key in a header goes to no other host than the one that was named. A proxy is taken from the
 * environment as curl does (http_proxy, https_proxy, no_proxy).
 */
#ifndef WARG_NET_HTTP_CLIENT_H
#define WARG_NET_HTTP_CLIENT_H

#include "base/buf.h"
#include "net/loop.h"

typedef struct HttpClient HttpClient;
typedef struct HttpCall HttpCall;

typedef struct HttpAsk {
    const char *method; /* "POST" */
    const char *url;
    const char *const *headers; /* "Name: value", NULL-terminated; may be NULL */
    Str body;                   /* copied */
    const char *body_path;      /* a file that is the body, read as it is sent; or NULL */
    const char *unix_socket;    /* where to connect in place of the URL's host; or NULL */
    uint32_t timeout_ms;        /* for all of it; at least 1 */
    uint32_t connect_ms;        /* for the connection; 0 = 10 s */
    bool direct;                /* no proxy, whatever the environment says */
    bool public_only;    /* a URL of a stranger's: no proxy, and to no address of this machine
                          * (net/own_address.h) or of networks that only some can reach
                          * (net/public_address.h), whatever its name leads to */
    const char *proxy;   /* "http://127.0.0.1:3128" in place of the environment's; or NULL */
    const char *ca_file; /* PEM: who may vouch for the server in place of the system's list;
                          * or NULL */
    size_t answer_bytes; /* longest body taken */
    bool keeps_head;     /* HttpAnswer.head is wanted */
} HttpAsk;

/* Of what kind it is that there was no answer. */
typedef enum HttpFailure {
    HTTP_NO_FAILURE,
    HTTP_NO_NAME,       /* nobody knows the host's name, or the proxy's */
    HTTP_NO_CONNECTION, /* refused, unreachable */
    HTTP_NO_TLS,        /* the certificate, or who vouches for it; or it speaks no TLS */
    HTTP_SLOW,          /* no answer within the time */
    HTTP_CUT,           /* the connection ended before the answer did */
    HTTP_OTHER,
} HttpFailure;

typedef struct HttpAnswer {
    unsigned status; /* 0: there was none, `why` says it */
    HttpFailure failure;
    Str body;
    Str head; /* the headers as they came, with keeps_head; else empty */
    Str why; /* "Connection refused", for people; empty with a status. Never holds the URL's path */
    uint32_t retry_after_s; /* of the header Retry-After, a number or a date; 0 = not told */
    TimeUs at;              /* when it came */
} HttpAnswer;

/* Who carries requests for somebody who need not know how: an HttpClient, or a script that answers
 * in simulated time. `call` and `cancel` keep to the words of http_call and http_call_cancel. */
typedef struct HttpCarrier {
    int (*call)(void *user, const HttpAsk *ask,
                void (*answered)(void *user, const HttpAnswer *answer), void *answered_user,
                HttpCall **ret_call, Err *err);
    void (*cancel)(HttpCall *call);
    void *user;
} HttpCarrier;

/* Errors: ERR_MEMORY, ERR_IO (libcurl can't work here). */
int http_client_new(Loop *loop, HttpClient **ret_client, Err *err);
/* Calls under way are given up without a word. Takes NULL, returns NULL. */
HttpClient *http_client_free(HttpClient *client);

/* Asks; `answered` comes once, from the loop, never from inside. It may begin and cancel calls, and
 * free the client. Errors: ERR_USAGE for a URL that is none (only http and https), ERR_IO for a
 * body's file that can't be read, ERR_MEMORY. */
int http_call(HttpClient *client, const HttpAsk *ask,
              void (*answered)(void *user, const HttpAnswer *answer), void *user,
              HttpCall **ret_call, Err *err);
/* `answered` is not called any more. In `answered` itself it does no harm; the call is gone when
 * that has returned. */
void http_call_cancel(HttpCall *call);

/* Borrows the client. */
HttpCarrier http_client_carrier(HttpClient *client);

#endif
