/* libcurl's multi interface tells which sockets to watch and when to wake it, and is told what
 * happened; it is never waited in (curl_multi_socket_action(3)). What a call brought is handed to
 * its owner by a Soon, so that no callback of ours runs inside libcurl and owners may do anything.
 *
 * Names: Debian's libcurl has the threaded resolver (AsynchDNS). Its clean-up waits for a lookup
 * that still runs, which would hold the loop; CURLOPT_QUICK_EXIT leaves the thread to itself.
 */
#include "net/http_client.h"

#include "net/own_address.h"
#include "net/public_address.h"
#include "net/uv_loop.h"

#include <assert.h>
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONNECT_MS   10000
#define HEADER_BYTES (256u * 1024u) /* of an answer, all of them */
#define IDLE_MAX     16             /* connections kept for the next call */

struct HttpClient {
    CURLM *multi;
    uv_timer_t timer;
    Owned owned;
    Loop *loop;
    ListLink calls; /* HttpCall, not answered yet */
    Soon kick;      /* libcurl wants to run at once */
};

struct HttpCall {
    CURL *easy; /* NULL once it was answered */
    HttpClient *client;
    ListLink link; /* in the client's calls */
    Soon soon;     /* the answer is to be told */
    struct curl_slist *headers;
    Buf body;
    size_t body_max;
    size_t header_bytes;
    Buf head;
    bool keeps_head;
    int file; /* whose bytes are sent; -1 = none */
    off_t file_bytes;
    bool too_long;
    bool public_only;
    bool telling; /* `answered` runs */
    uint32_t timeout_ms;
    CURLcode result;
    void (*answered)(void *user, const HttpAnswer *answer);
    void *user;
    char why[CURL_ERROR_SIZE];
};

/* A socket of libcurl's that is watched. */
typedef struct Watch {
    uv_poll_t poll;
    HttpClient *client;
} Watch;

/* ---- a call's end ---- */

static void call_stop(HttpCall *call)
{
    link_drop(&call->link);
    if (!call->easy)
        return;
    curl_multi_remove_handle(call->client->multi, call->easy);
    curl_easy_cleanup(call->easy);
    call->easy = NULL;
}

static void call_free(HttpCall *call)
{
    call_stop(call);
    link_drop(&call->soon.link);
    curl_slist_free_all(call->headers);
    buf_done(&call->body);
    buf_done(&call->head);
    if (call->file >= 0)
        close(call->file);
    mem_free(call);
}

/* Why there was no answer, for people. */
static const char *call_failure(HttpCall *call)
{
    long number = 0;

    curl_easy_getinfo(call->easy, CURLINFO_OS_ERRNO, &number);
    if (call->too_long)
        snprintf(call->why, sizeof(call->why), "the answer is longer than %zu bytes",
                 call->body_max);
    else if (call->result == CURLE_OPERATION_TIMEDOUT)
        snprintf(call->why, sizeof(call->why), "no answer within %u ms", call->timeout_ms);
    else if (call->result == CURLE_COULDNT_CONNECT && number)
        snprintf(call->why, sizeof(call->why), "%s", strerror((int)number));
    else if (call->result == CURLE_OUT_OF_MEMORY || buf_failed(&call->body))
        snprintf(call->why, sizeof(call->why), "out of memory");
    else if (!call->why[0])
        snprintf(call->why, sizeof(call->why), "%s", curl_easy_strerror(call->result));
    return call->why;
}

static HttpFailure failure_kind(CURLcode result)
{
    static const struct {
        CURLcode code;
        HttpFailure kind;
    } kinds[] = {
        {CURLE_COULDNT_RESOLVE_HOST, HTTP_NO_NAME},
        {CURLE_COULDNT_RESOLVE_PROXY, HTTP_NO_NAME},
        {CURLE_COULDNT_CONNECT, HTTP_NO_CONNECTION},
        {CURLE_SSL_CONNECT_ERROR, HTTP_NO_TLS},
        {CURLE_PEER_FAILED_VERIFICATION, HTTP_NO_TLS},
        {CURLE_SSL_CACERT_BADFILE, HTTP_NO_TLS},
        {CURLE_SSL_CERTPROBLEM, HTTP_NO_TLS},
        {CURLE_SSL_CIPHER, HTTP_NO_TLS},
        {CURLE_SSL_ISSUER_ERROR, HTTP_NO_TLS},
        {CURLE_OPERATION_TIMEDOUT, HTTP_SLOW},
        {CURLE_PARTIAL_FILE, HTTP_CUT},
        {CURLE_GOT_NOTHING, HTTP_CUT},
        {CURLE_RECV_ERROR, HTTP_CUT},
        {CURLE_SEND_ERROR, HTTP_CUT},
        {CURLE_HTTP2, HTTP_CUT},
        {CURLE_HTTP2_STREAM, HTTP_CUT},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (kinds[i].code == result)
            return kinds[i].kind;
    return HTTP_OTHER;
}

static void tell_call(Soon *soon)
{
    HttpCall *call = HOLDER(soon, HttpCall, soon);
    HttpAnswer answer = {.at = loop_now()};
    long status = 0;
    curl_off_t retry_after = 0;

    curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(call->easy, CURLINFO_RETRY_AFTER, &retry_after);
    if (call->result == CURLE_OK && status > 0) {
        answer.status = (unsigned)status;
        answer.body = buf_str(&call->body);
        answer.head = buf_str(&call->head);
        answer.retry_after_s = retry_after > INT32_MAX ? INT32_MAX : (uint32_t)retry_after;
    } else {
        answer.why = str_of(call_failure(call));
        answer.failure = failure_kind(call->result);
    }
    call_stop(call); /* from here on the client may go */
    call->telling = true;
    call->answered(call->user, &answer);
    call_free(call);
}

/* Which calls libcurl has finished. */
static void collect_calls(HttpClient *client)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(client->multi, &left))) {
        HttpCall *call = NULL;

        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
        call->result = message->data.result;
        loop_soon(client->loop, &call->soon);
    }
}

/* ---- libcurl and the loop ---- */

static void act_on_socket(HttpClient *client, curl_socket_t socket, int what)
{
    int running;

    curl_multi_socket_action(client->multi, socket, what, &running);
    collect_calls(client);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    Watch *watch = poll->data;
    uv_os_fd_t socket;
    int what = status < 0 ? CURL_CSELECT_ERR : 0;

    if (uv_fileno((uv_handle_t *)poll, &socket))
        return;
    what |= events & UV_READABLE ? CURL_CSELECT_IN : 0;
    what |= events & UV_WRITABLE ? CURL_CSELECT_OUT : 0;
    act_on_socket(watch->client, socket, what);
}

static void free_watch(uv_handle_t *handle)
{
    mem_free(handle->data);
}

static Watch *watch_new(HttpClient *client, curl_socket_t socket)
{
    Watch *watch = mem_new(sizeof(*watch));

    if (!watch)
        return NULL;
    if (uv_poll_init_socket(&client->loop->uv, &watch->poll, socket)) {
        mem_free(watch);
        return NULL;
    }
    watch->client = client;
    watch->poll.data = watch;
    curl_multi_assign(client->multi, socket, watch);
    return watch;
}

/* CURLMOPT_SOCKETFUNCTION: which events of a socket to wait for. When that fails the call runs into
 * its timeout, which needs the timer only. */
static int on_socket(CURL *easy, curl_socket_t socket, int what, void *user, void *assigned)
{
    HttpClient *client = user;
    Watch *watch = assigned;
    int events = 0;

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (watch) {
            curl_multi_assign(client->multi, socket, NULL);
            uv_close((uv_handle_t *)&watch->poll, free_watch);
        }
        return 0;
    }
    if (!watch)
        watch = watch_new(client, socket);
    if (!watch)
        return 0;
    events |= what & CURL_POLL_IN ? UV_READABLE : 0;
    events |= what & CURL_POLL_OUT ? UV_WRITABLE : 0;
    uv_poll_start(&watch->poll, events, on_poll);
    return 0;
}

static void on_timer(uv_timer_t *timer)
{
    act_on_socket(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static void on_kick(Soon *soon)
{
    act_on_socket(HOLDER(soon, HttpClient, kick), CURL_SOCKET_TIMEOUT, 0);
}

/* CURLMOPT_TIMERFUNCTION. uv_timer_start with 0 would go off before sockets get their turn. */
static int on_timeout(CURLM *multi, long timeout_ms, void *user)
{
    HttpClient *client = user;

    (void)multi;
    uv_timer_stop(&client->timer);
    link_drop(&client->kick.link);
    if (timeout_ms == 0) {
        loop_soon(client->loop, &client->kick);
    } else if (timeout_ms > 0) {
        uv_update_time(&client->loop->uv);
        uv_timer_start(&client->timer, on_timer, (uint64_t)timeout_ms, 0);
    }
    return 0;
}

/* CURLOPT_OPENSOCKETFUNCTION: child processes must not inherit it. */
static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
    const HttpCall *call = user;

    (void)purpose;
    if (call->public_only &&
        (!public_address(&address->addr, address->addrlen) || own_address_has(&address->addr)))
        return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* ---- the client ---- */

static void free_client(uv_handle_t *handle)
{
    mem_free(handle->data);
}

HttpClient *http_client_free(HttpClient *client)
{
    if (!client)
        return NULL;
    link_drop(&client->owned.link);
    while (!link_alone(&client->calls))
        call_free(HOLDER(client->calls.next, HttpCall, link));
    curl_multi_cleanup(client->multi); /* closes what it kept open; on_socket is called */
    link_drop(&client->kick.link);
    uv_close((uv_handle_t *)&client->timer, free_client);
    curl_global_cleanup();
    return NULL;
}

static void client_close(Owned *owned)
{
    http_client_free(HOLDER(owned, HttpClient, owned));
}

/* The variables of a proxy are read by libcurl itself, at each call. */
static bool setup_multi(HttpClient *client)
{
    CURLM *multi = client->multi;

    return !curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket) &&
           !curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, client) &&
           !curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timeout) &&
           !curl_multi_setopt(multi, CURLMOPT_TIMERDATA, client) &&
           !curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)IDLE_MAX);
}

int http_client_new(Loop *loop, HttpClient **ret_client, Err *err)
{
    HttpClient *client = mem_new(sizeof(*client));

    if (!client)
        return err_set(err, ERR_MEMORY, "HTTP client: out of memory");
    if (curl_global_init(CURL_GLOBAL_DEFAULT)) { /* counts, and takes a lock: 7.84 and newer */
        mem_free(client);
        return err_set(err, ERR_IO, "HTTP client: libcurl can't start");
    }
    if (!(curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_ASYNCHDNS)) {
        curl_global_cleanup();
        mem_free(client);
        return err_set(err, ERR_IO, "HTTP client: this libcurl looks up names in a blocking way");
    }
    client->multi = curl_multi_init();
    if (!client->multi || !setup_multi(client)) {
        curl_multi_cleanup(client->multi);
        curl_global_cleanup();
        mem_free(client);
        return err_set(err, ERR_MEMORY, "HTTP client: out of memory");
    }
    client->loop = loop;
    link_init(&client->calls);
    link_init(&client->kick.link);
    client->kick.run = on_kick;
    uv_timer_init(&loop->uv, &client->timer);
    client->timer.data = client;
    client->owned.close = client_close;
    link_add(&loop->owned, &client->owned.link);
    *ret_client = client;
    return 0;
}

/* ---- a call ---- */

static size_t on_body(char *bytes, size_t one, size_t n, void *user)
{
    HttpCall *call = user;

    (void)one; /* is 1 */
    if (n > call->body_max - call->body.len) {
        call->too_long = true;
        return 0; /* ends the transfer */
    }
    buf_add(&call->body, (Str){bytes, n});
    return buf_failed(&call->body) ? 0 : n;
}

static size_t on_header(char *bytes, size_t one, size_t n, void *user)
{
    HttpCall *call = user;

    (void)one;
    call->header_bytes += n;
    if (call->keeps_head)
        buf_add(&call->head, (Str){bytes, n});
    return call->header_bytes > HEADER_BYTES ? 0 : n;
}

/* CURLOPT_READFUNCTION. */
static size_t on_file(char *room, size_t one, size_t n, void *user)
{
    HttpCall *call = user;
    ssize_t got = read(call->file, room, one * n);

    return got < 0 ? CURL_READFUNC_ABORT : (size_t)got;
}

static int open_body_file(HttpCall *call, const char *path, Err *err)
{
    struct stat info;

    call->file = open(path, O_RDONLY | O_CLOEXEC);
    if (call->file < 0 || fstat(call->file, &info))
        return err_set(err, ERR_IO, "'%s': %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return err_set(err, ERR_IO, "'%s' is no file", path);
    call->file_bytes = info.st_size;
    return 0;
}

static int check_url(const char *url, Err *err)
{
    CURLU *parts = curl_url();
    char *scheme = NULL;

    if (!parts)
        return err_set(err, ERR_MEMORY, "HTTP request: out of memory");
    CURLUcode code = curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME);
    if (!code)
        code = curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0);
    bool good =
        scheme && (str_eq(str_of(scheme), STR("http")) || str_eq(str_of(scheme), STR("https")));
    curl_free(scheme);
    curl_url_cleanup(parts);
    if (code) /* without the URL: that of a webhook is a secret */
        return err_set(err, ERR_USAGE, "URL: %s", curl_url_strerror(code));
    if (!good)
        return err_set(err, ERR_USAGE, "URL: begins neither with http:// nor with https://");
    return 0;
}

static bool add_header(HttpCall *call, const char *header)
{
    struct curl_slist *list = curl_slist_append(call->headers, header);

    if (list)
        call->headers = list;
    return list;
}

/* curl_easy_setopt looks at the types of its arguments in macros that are as long as a page each;
 * these three keep that, and the list below readable. */
static void set_long(CURLcode *code, CURL *easy, CURLoption option, long value)
{
    if (!*code)
        *code = curl_easy_setopt(easy, option, value);
}

static void set_text(CURLcode *code, CURL *easy, CURLoption option, const char *value)
{
    if (!*code)
        *code = curl_easy_setopt(easy, option, value);
}

static void set_data(CURLcode *code, CURL *easy, CURLoption option, void *value)
{
    if (!*code)
        *code = curl_easy_setopt(easy, option, value);
}

static CURLcode set_functions(HttpCall *call)
{
    CURL *easy = call->easy;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);

    if (!code)
        code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    if (!code)
        code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set_data(&code, easy, CURLOPT_OPENSOCKETDATA, call);
    set_data(&code, easy, CURLOPT_WRITEDATA, call);
    set_data(&code, easy, CURLOPT_HEADERDATA, call);
    set_data(&code, easy, CURLOPT_PRIVATE, call);
    set_data(&code, easy, CURLOPT_ERRORBUFFER, call->why);
    set_data(&code, easy, CURLOPT_HTTPHEADER, call->headers);
    return code;
}

static CURLcode set_file(HttpCall *call)
{
    CURL *easy = call->easy;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_file);

    set_data(&code, easy, CURLOPT_READDATA, call);
    set_long(&code, easy, CURLOPT_UPLOAD, 1);
    if (!code)
        code = curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)call->file_bytes);
    return code;
}

static CURLcode set_options(HttpCall *call, const HttpAsk *ask)
{
    CURL *easy = call->easy;
    long timeout = ask->timeout_ms > INT32_MAX ? INT32_MAX : (long)ask->timeout_ms;
    long connect = ask->connect_ms ? (long)ask->connect_ms : CONNECT_MS;
    bool get = str_eq(str_of(ask->method), STR("GET"));
    CURLcode code = set_functions(call);

    set_text(&code, easy, CURLOPT_URL, ask->url);
    set_text(&code, easy, CURLOPT_USERAGENT, "warg/" WARG_VERSION);
    set_text(&code, easy, CURLOPT_PROTOCOLS_STR, "http,https");
    set_text(&code, easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set_long(&code, easy, CURLOPT_FOLLOWLOCATION, 0);
    set_long(&code, easy, CURLOPT_NOSIGNAL, 1);
    set_long(&code, easy, CURLOPT_QUICK_EXIT, 1);
    set_long(&code, easy, CURLOPT_NOPROGRESS, 1);
    set_long(&code, easy, CURLOPT_TIMEOUT_MS, timeout);
    set_long(&code, easy, CURLOPT_CONNECTTIMEOUT_MS, timeout < connect ? timeout : connect);
    if (ask->proxy)
        set_text(&code, easy, CURLOPT_PROXY, ask->proxy);
    else if (ask->direct || ask->public_only)
        set_text(&code, easy, CURLOPT_PROXY, "");
    if (ask->public_only) /* none that was made for somebody else */
        set_long(&code, easy, CURLOPT_FRESH_CONNECT, 1);
    if (ask->ca_file)
        set_text(&code, easy, CURLOPT_CAINFO, ask->ca_file);
    if (ask->unix_socket)
        set_text(&code, easy, CURLOPT_UNIX_SOCKET_PATH, ask->unix_socket);
    if (ask->body_path) {
        if (!code)
            code = set_file(call);
        set_text(&code, easy, CURLOPT_CUSTOMREQUEST, ask->method);
    } else if (str_eq(str_of(ask->method), STR("HEAD"))) {
        set_long(&code, easy, CURLOPT_NOBODY, 1);
    } else if (!get || ask->body.len) {
        if (!code)
            code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)ask->body.len);
        set_text(&code, easy, CURLOPT_COPYPOSTFIELDS, ask->body.len ? ask->body.bytes : "");
        set_text(&code, easy, CURLOPT_CUSTOMREQUEST, ask->method);
    }
    return code;
}

static bool setup_call(HttpCall *call, const HttpAsk *ask)
{
    /* No "Expect: 100-continue": servers that don't know it cost a second. */
    if (!call->easy || !add_header(call, "Expect:"))
        return false;
    for (size_t i = 0; ask->headers && ask->headers[i]; i++) {
        if (!add_header(call, ask->headers[i]))
            return false;
    }
    return set_options(call, ask) == CURLE_OK &&
           curl_multi_add_handle(call->client->multi, call->easy) == CURLM_OK;
}

int http_call(HttpClient *client, const HttpAsk *ask,
              void (*answered)(void *user, const HttpAnswer *answer), void *user,
              HttpCall **ret_call, Err *err)
{
    assert(ask->timeout_ms > 0);
    int rc = check_url(ask->url, err);
    if (rc)
        return rc;

    HttpCall *call = mem_new(sizeof(*call));
    if (!call)
        return err_set(err, ERR_MEMORY, "HTTP request: out of memory");
    call->client = client;
    call->file = -1;
    call->soon.run = tell_call;
    link_init(&call->soon.link);
    link_init(&call->link);
    link_add(&client->calls, &call->link);
    call->body_max = ask->answer_bytes;
    call->public_only = ask->public_only;
    call->timeout_ms = ask->timeout_ms;
    call->keeps_head = ask->keeps_head;
    call->answered = answered;
    call->user = user;
    rc = ask->body_path ? open_body_file(call, ask->body_path, err) : 0;
    if (rc) {
        call_free(call);
        return rc;
    }
    call->easy = curl_easy_init();
    if (!setup_call(call, ask)) {
        call_free(call);
        return err_set(err, ERR_MEMORY, "HTTP request: out of memory");
    }
    *ret_call = call;
    return 0;
}

void http_call_cancel(HttpCall *call)
{
    if (!call->telling)
        call_free(call);
}

static int carry(void *user, const HttpAsk *ask,
                 void (*answered)(void *user, const HttpAnswer *answer), void *answered_user,
                 HttpCall **ret_call, Err *err)
{
    return http_call(user, ask, answered, answered_user, ret_call, err);
}

HttpCarrier http_client_carrier(HttpClient *client)
{
    return (HttpCarrier){.call = carry, .cancel = http_call_cancel, .user = client};
}
