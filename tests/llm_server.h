/* llm_server.h - a model's server in threads that says and does what a test tells it to.
 *
 * For:    tests of llm/endpoint, llm/seat, `warg llm check`. Speaks as OpenAI-compatible servers
 *         and as Ollama's /api/chat do, several connections at a time; answers well, badly, slowly,
 *         in part, or not at all.
 * Memory: llm_server_end frees all.
 * Thread: `choose` runs in a connection's thread, with the lock held.
 * Source: docs/spec/maw.md 5.4.
 */
#ifndef WARG_TESTS_LLM_SERVER_H
#define WARG_TESTS_LLM_SERVER_H

#include "http_stub.h"

#include "base/json.h"

#include <time.h>

#define LLM_SERVER_ASKS 256

typedef enum LlmServerHow {
    SERVE_WHOLE,
    SERVE_CUT,     /* half of it, then the connection is closed */
    SERVE_CLOSE,   /* closed without a word */
    SERVE_HANG,    /* nothing comes, until llm_server_end */
    SERVE_DRIBBLE, /* a byte each 20 ms, without end */
} LlmServerHow;

typedef struct LlmServerStep {
    const char *say;        /* what the model says; NULL: `body` is the answer */
    const char *body;       /* as it is; NULL: empty */
    unsigned status;        /* 0: 200 */
    unsigned retry_after_s; /* the header, unless 0 */
    unsigned delay_ms;
    LlmServerHow how;
    uint32_t prompt_tokens; /* told with `say`; 0: 100 */
} LlmServerStep;

typedef struct LlmServerAsk {
    Buf all;
    Str method;
    Str target;
    Str head;
    Str body;
} LlmServerAsk;

typedef struct LlmServer LlmServer;

typedef struct LlmServerLine {
    LlmServer *server;
    pthread_t thread;
    int fd;
    LlmServerAsk ask;
} LlmServerLine;

struct LlmServer {
    const LlmServerStep *steps; /* by number of the request; the last one from there on */
    size_t step_count;
    void (*choose)(void *user, const LlmServerAsk *ask, size_t number, LlmServerStep *ret_step);
    void *user;
    int listener;
    uint16_t port;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool over;
    LlmServerLine lines[LLM_SERVER_ASKS];
    size_t line_count;
    size_t asked;                         /* whole requests */
    LlmServerAsk *order[LLM_SERVER_ASKS]; /* in the order in which they came */
    size_t running;
    size_t most_running; /* at a time */
    char url[64];
};

static inline bool llm_server_parse(LlmServerAsk *ask)
{
    StubAsk parts = {.all = ask->all};

    if (!stub_parse(&parts))
        return false;
    ask->method = parts.method;
    ask->target = parts.target;
    ask->head = parts.head;
    ask->body = parts.body;
    return true;
}

/* True when the server ends first. */
static inline bool llm_server_sleep(LlmServer *server, unsigned ms)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    until.tv_sec += (time_t)(ms / 1000) + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&server->lock);
    while (!server->over && pthread_cond_timedwait(&server->changed, &server->lock, &until) == 0)
        ;
    bool over = server->over;
    pthread_mutex_unlock(&server->lock);
    return over;
}

/* The body that says `say`, in the form that `target` asks for. */
static inline void llm_server_say(const LlmServerStep *step, Str target, Buf *out)
{
    Json json = json_over(out);
    bool ollama = str_starts(target, STR("/api/"));
    uint32_t prompt = step->prompt_tokens ? step->prompt_tokens : 100;

    json_open(&json, '{');
    if (!ollama) {
        json_key(&json, STR("choices"));
        json_open(&json, '[');
        json_open(&json, '{');
    }
    json_key(&json, STR("message"));
    json_open(&json, '{');
    json_key(&json, STR("role"));
    json_put_str(&json, STR("assistant"));
    json_key(&json, STR("content"));
    json_put_str(&json, str_of(step->say));
    json_close(&json);
    if (!ollama) {
        json_close(&json);
        json_close(&json);
        json_key(&json, STR("usage"));
        json_open(&json, '{');
    }
    json_key(&json, ollama ? STR("prompt_eval_count") : STR("prompt_tokens"));
    json_put_uint(&json, prompt);
    json_key(&json, ollama ? STR("eval_count") : STR("completion_tokens"));
    json_put_uint(&json, 20);
    if (!ollama)
        json_close(&json);
    json_close(&json);
}

static inline void llm_server_write(LlmServer *server, int fd, const LlmServerStep *step,
                                    Str target)
{
    Buf body = {0}, out = {0};

    if (step->say)
        llm_server_say(step, target, &body);
    else
        buf_add(&body, str_of(step->body));
    buf_printf(&out, "HTTP/1.1 %u Stub\r\nContent-Length: %zu\r\nConnection: close\r\n",
               step->status ? step->status : 200, body.len);
    if (step->retry_after_s)
        buf_printf(&out, "Retry-After: %u\r\n", step->retry_after_s);
    buf_add(&out, STR("\r\n"));
    size_t head = out.len;
    buf_add(&out, buf_str(&body));
    if (step->how == SERVE_CUT) {
        stub_write(fd, str_part(buf_str(&out), 0, head + body.len / 2));
    } else if (step->how == SERVE_DRIBBLE) {
        for (size_t i = 0; !llm_server_sleep(server, 20); i++)
            stub_write(fd, str_part(buf_str(&out), i < out.len - 1 ? i : out.len, 1));
    } else {
        stub_write(fd, buf_str(&out));
    }
    buf_done(&body);
    buf_done(&out);
}

static inline void llm_server_answer(LlmServer *server, LlmServerLine *line)
{
    LlmServerStep step = {.say = "{\"action\":\"listen\"}"};

    pthread_mutex_lock(&server->lock);
    size_t number = server->asked++;
    server->order[number] = &line->ask;
    if (server->choose)
        server->choose(server->user, &line->ask, number, &step);
    else if (server->step_count)
        step = server->steps[number < server->step_count ? number : server->step_count - 1];
    if (++server->running > server->most_running)
        server->most_running = server->running;
    pthread_mutex_unlock(&server->lock);

    if (step.how == SERVE_HANG)
        step.delay_ms = 600000;
    bool over = step.delay_ms && llm_server_sleep(server, step.delay_ms);
    pthread_mutex_lock(&server->lock);
    server->running--; /* before the answer goes out: the next request may come at once */
    pthread_mutex_unlock(&server->lock);
    if (!over && step.how != SERVE_CLOSE)
        llm_server_write(server, line->fd, &step, line->ask.target);
}

static inline void *llm_server_line(void *user)
{
    LlmServerLine *line = user;
    char bytes[4096];
    ssize_t n = 1;

    while (!llm_server_parse(&line->ask) && (n = recv(line->fd, bytes, sizeof(bytes), 0)) > 0)
        buf_add(&line->ask.all, (Str){bytes, (size_t)n});
    if (n > 0)
        llm_server_answer(line->server, line);
    shutdown(line->fd, SHUT_RDWR); /* closed at the end, so that nobody else gets the number */
    return NULL;
}

static inline void *llm_server_run(void *user)
{
    LlmServer *server = user;
    int fd;

    while (server->line_count < LLM_SERVER_ASKS &&
           (fd = accept(server->listener, NULL, NULL)) >= 0) {
        LlmServerLine *line = &server->lines[server->line_count];
        line->server = server;
        line->fd = fd;
        if (pthread_create(&line->thread, NULL, llm_server_line, line))
            close(fd);
        else
            server->line_count++;
    }
    return NULL;
}

/* Begins to serve; what it does is set before by the test: `steps` or `choose`. */
static inline void llm_server_begin(LlmServer *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof(address);

    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(server->listener >= 0);
    assert_int_equal(bind(server->listener, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(server->listener, 64), 0);
    assert_int_equal(getsockname(server->listener, (struct sockaddr *)&address, &bytes), 0);
    server->port = ntohs(address.sin_port);
    snprintf(server->url, sizeof(server->url), "http://127.0.0.1:%u", server->port);
    assert_int_equal(pthread_mutex_init(&server->lock, NULL), 0);
    assert_int_equal(pthread_cond_init(&server->changed, NULL), 0);
    assert_int_equal(pthread_create(&server->thread, NULL, llm_server_run, server), 0);
}

static inline void llm_server_end(LlmServer *server)
{
    if (!server->port)
        return;
    pthread_mutex_lock(&server->lock);
    server->over = true;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    shutdown(server->listener, SHUT_RDWR);
    pthread_join(server->thread, NULL);
    close(server->listener);
    for (size_t i = 0; i < server->line_count; i++) {
        shutdown(server->lines[i].fd, SHUT_RDWR);
        pthread_join(server->lines[i].thread, NULL);
        close(server->lines[i].fd);
        buf_done(&server->lines[i].ask.all);
    }
    pthread_mutex_destroy(&server->lock);
    pthread_cond_destroy(&server->changed);
    server->port = 0;
}

static inline size_t llm_server_asked(LlmServer *server)
{
    pthread_mutex_lock(&server->lock);
    size_t asked = server->asked;
    pthread_mutex_unlock(&server->lock);
    return asked;
}

/* The body of a request, in the order in which they came. */
static inline Str llm_server_body(LlmServer *server, size_t number)
{
    assert_true(number < llm_server_asked(server));
    return server->order[number]->body;
}

static inline bool llm_server_heard(LlmServer *server, size_t number, const char *text)
{
    Str body = llm_server_body(server, number);

    return body.len && strstr(body.bytes, text); /* the bytes end in a NUL */
}

/* An address on this machine where nobody listens: bound, so that nobody else can. */
static inline int llm_server_nobody(char url[static 64])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &bytes), 0);
    snprintf(url, 64, "http://127.0.0.1:%u", ntohs(address.sin_port));
    return fd;
}

#endif
