/* http_stub.h - a tiny HTTP server in a thread, for tests of what asks other servers.
 *
 * For:    http_client and its users. One request a connection, one connection after the other;
 *         says what a test tells it to say and keeps what it was asked.
 * Memory: stub_end frees all.
 * Thread: `answer` runs in the server's thread, with the lock held that the stub_ functions take.
 * Source: RFC 9112, as much of it as libcurl needs.
 */
#ifndef WARG_TESTS_HTTP_STUB_H
#define WARG_TESTS_HTTP_STUB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#define STUB_ASKS 128

/* One request: borrowed until stub_end. */
typedef struct StubAsk {
    Buf all;
    Str method;
    Str target;
    Str head; /* from the first line on */
    Str body;
} StubAsk;

typedef struct StubAnswer {
    unsigned status; /* 0: `body` is all that is sent */
    Buf body;
    bool hang; /* nothing is sent, the connection stays open until stub_end */
} StubAnswer;

typedef struct Stub {
    void (*answer)(void *user, const StubAsk *ask, StubAnswer *ret_answer);
    void *user;
    int listener;
    uint16_t port;
    pthread_t thread;
    pthread_mutex_t lock;
    StubAsk asks[STUB_ASKS];
    size_t count;
    int held[STUB_ASKS];
    size_t held_count;
} Stub;

/* The value of a header of `head`, whose name is `name` with its colon; empty when absent. */
static inline Str stub_header(const StubAsk *ask, const char *name)
{
    Str rest = ask->head;

    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        if (str_starts(line, str_of(name)))
            return str_trim(str_part(line, strlen(name), SIZE_MAX));
    }
    return (Str){"", 0};
}

/* Cuts ask->all into its parts; false while it is not whole. */
static inline bool stub_parse(StubAsk *ask)
{
    Str all = buf_str(&ask->all);
    const char *end = all.len ? strstr(all.bytes, "\r\n\r\n") : NULL;
    uint64_t bytes = 0;

    if (!end)
        return false;
    ask->head = (Str){all.bytes, (size_t)(end - all.bytes) + 2};
    ask->body = str_part(all, ask->head.len + 2, SIZE_MAX);
    str_to_uint(stub_header(ask, "Content-Length:"), UINT32_MAX, &bytes);
    if (ask->body.len < bytes)
        return false;
    Str rest = ask->head;
    ask->method = str_cut(&rest, ' ');
    ask->target = str_cut(&rest, ' ');
    return true;
}

static inline void stub_write(int fd, Str bytes)
{
    while (bytes.len) {
        ssize_t n = send(fd, bytes.bytes, bytes.len, MSG_NOSIGNAL);
        if (n <= 0)
            return;
        bytes = str_part(bytes, (size_t)n, SIZE_MAX);
    }
}

/* Answers one request; true when the connection is to be kept open. */
static inline bool stub_serve(Stub *stub, int fd)
{
    StubAsk *ask = &stub->asks[stub->count];
    StubAnswer answer = {.status = 200};
    char bytes[4096];
    ssize_t n = 1;

    while (!stub_parse(ask) && (n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
        buf_add(&ask->all, (Str){bytes, (size_t)n});
    if (n <= 0)
        return false;

    pthread_mutex_lock(&stub->lock);
    stub->count++;
    stub->answer(stub->user, ask, &answer);
    pthread_mutex_unlock(&stub->lock);
    Buf out = {0};
    if (answer.status)
        buf_printf(&out, "HTTP/1.1 %u Stub\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
                   answer.status, answer.body.len);
    buf_add(&out, buf_str(&answer.body));
    if (!answer.hang)
        stub_write(fd, buf_str(&out));
    buf_done(&out);
    buf_done(&answer.body);
    return answer.hang;
}

static inline void *stub_run(void *user)
{
    Stub *stub = user;
    int fd;

    while (stub->count < STUB_ASKS && (fd = accept(stub->listener, NULL, NULL)) >= 0) {
        if (stub_serve(stub, fd))
            stub->held[stub->held_count++] = fd;
        else
            close(fd);
    }
    return NULL;
}

static inline void
stub_begin(Stub *stub, void (*answer)(void *user, const StubAsk *ask, StubAnswer *ret), void *user)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof(address);

    memset(stub, 0, sizeof(*stub));
    stub->answer = answer;
    stub->user = user;
    stub->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(stub->listener >= 0);
    assert_int_equal(bind(stub->listener, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(stub->listener, 64), 0);
    assert_int_equal(getsockname(stub->listener, (struct sockaddr *)&address, &bytes), 0);
    stub->port = ntohs(address.sin_port);
    assert_int_equal(pthread_mutex_init(&stub->lock, NULL), 0);
    assert_int_equal(pthread_create(&stub->thread, NULL, stub_run, stub), 0);
}

static inline void stub_end(Stub *stub)
{
    shutdown(stub->listener, SHUT_RDWR); /* accept fails then */
    pthread_join(stub->thread, NULL);
    close(stub->listener);
    for (size_t i = 0; i < stub->held_count; i++)
        close(stub->held[i]);
    for (size_t i = 0; i < STUB_ASKS; i++)
        buf_done(&stub->asks[i].all);
    pthread_mutex_destroy(&stub->lock);
}

/* How often it was asked. */
static inline size_t stub_count(Stub *stub)
{
    pthread_mutex_lock(&stub->lock);
    size_t count = stub->count;
    pthread_mutex_unlock(&stub->lock);
    return count;
}

static inline const StubAsk *stub_asked(Stub *stub, size_t index)
{
    assert_true(index < stub_count(stub));
    return &stub->asks[index];
}

/* The tests stay on this machine whatever proxy is set. */
static inline void stub_no_proxy(void)
{
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                        "ALL_PROXY",  "no_proxy",    "NO_PROXY"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unsetenv(names[i]);
}

#endif
