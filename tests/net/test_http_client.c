#define _GNU_SOURCE /* RTLD_NEXT */
#include "http_stub.h"

#include "net/http_client.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

/* ---- a name service that takes its time: the name "slow.test" waits for the test ---- */

static pthread_mutex_t slow_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t slow_changed = PTHREAD_COND_INITIALIZER;
static bool slow_asked;
static bool slow_open;
static bool slow_left;

/* In place of the C library's, for libcurl too. */
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **ret)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

    if (node && !strcmp(node, "slow.test")) {
        pthread_mutex_lock(&slow_lock);
        slow_asked = true;
        while (!slow_open)
            pthread_cond_wait(&slow_changed, &slow_lock);
        slow_left = true;
        pthread_cond_broadcast(&slow_changed);
        pthread_mutex_unlock(&slow_lock);
        return EAI_NONAME;
    }
    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    return real(node, service, hints, ret);
}

static void slow_begin(void)
{
    pthread_mutex_lock(&slow_lock);
    slow_asked = slow_open = slow_left = false;
    pthread_mutex_unlock(&slow_lock);
}

static bool slow_was_asked(void)
{
    pthread_mutex_lock(&slow_lock);
    bool asked = slow_asked;
    pthread_mutex_unlock(&slow_lock);
    return asked;
}

/* Lets the waiting lookup go, if there is one. */
static void slow_end(void)
{
    pthread_mutex_lock(&slow_lock);
    slow_open = true;
    pthread_cond_broadcast(&slow_changed);
    while (slow_asked && !slow_left)
        pthread_cond_wait(&slow_changed, &slow_lock);
    pthread_mutex_unlock(&slow_lock);
}

/* ---- one client and one server ---- */

typedef struct Run {
    Loop *loop;
    HttpClient *client;
    Timer *limit;
    Stub stub;
    HttpCall *call;
    HttpCall *other;
    int answered;
    int other_answered;
    unsigned status;
    Buf body;
    Buf why;
    bool free_client;
    bool timed_out;
    int ticks;
    Timer *ticker;
} Run;

static void serve(void *user, const StubAsk *ask, StubAnswer *ret)
{
    (void)user;
    if (str_starts(ask->target, STR("/hang"))) {
        ret->hang = true;
    } else if (str_starts(ask->target, STR("/404"))) {
        ret->status = 404;
        buf_add(&ret->body, STR("not here"));
    } else if (str_starts(ask->target, STR("/junk"))) {
        ret->status = 0;
        buf_add(&ret->body, STR("\x01\x02\r\n\r\n"));
    } else if (str_starts(ask->target, STR("/cut"))) {
        ret->status = 0;
        buf_add(&ret->body, STR("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
    } else if (str_starts(ask->target, STR("/away"))) {
        ret->status = 0;
        buf_add(&ret->body, STR("HTTP/1.1 302 Found\r\nLocation: file:///etc/hostname\r\n"
                                "Content-Length: 0\r\nConnection: close\r\n\r\n"));
    } else if (str_starts(ask->target, STR("/heads"))) {
        ret->status = 0;
        buf_add(&ret->body, STR("HTTP/1.1 200 OK\r\n"));
        for (int i = 0; i < 20000; i++)
            buf_add(&ret->body, STR("X-Head: 0123456789012345\r\n"));
        buf_add(&ret->body, STR("\r\n"));
    } else if (str_starts(ask->target, STR("/big"))) {
        for (int i = 0; i < 1000; i++)
            buf_add(&ret->body, STR("0123456789"));
    } else {
        buf_add(&ret->body, ask->method);
        buf_add(&ret->body, STR(" "));
        buf_add(&ret->body, ask->body);
    }
}

static void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->timed_out = true;
    loop_stop(run->loop);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    stub_no_proxy();
    assert_non_null(run);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_limit, run, &run->limit, NULL), 0);
    assert_int_equal(http_client_new(run->loop, &run->client, NULL), 0);
    stub_begin(&run->stub, serve, run);
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    loop_free(run->loop); /* also with a client and calls on it */
    stub_end(&run->stub);
    buf_done(&run->body);
    buf_done(&run->why);
    mem_free(run);
    return 0;
}

static void on_answer(void *user, const HttpAnswer *answer)
{
    Run *run = user;

    run->answered++;
    run->status = answer->status;
    buf_clear(&run->body);
    buf_add(&run->body, answer->body);
    buf_clear(&run->why);
    buf_add(&run->why, answer->why);
    if (run->call)
        http_call_cancel(run->call); /* does no harm in here */
    run->call = NULL;
    if (run->other)
        http_call_cancel(run->other);
    run->other = NULL;
    if (run->free_client)
        run->client = http_client_free(run->client);
    loop_stop(run->loop);
}

static void on_other(void *user, const HttpAnswer *answer)
{
    Run *run = user;

    (void)answer;
    run->other_answered++;
}

static const char *url_of(Run *run, const char *path)
{
    static char url[256];

    snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", run->stub.port, path);
    return url;
}

static void ask_url(Run *run, const char *method, const char *url, Str body, uint32_t timeout_ms)
{
    HttpAsk ask = {
        .method = method, .url = url, .body = body, .timeout_ms = timeout_ms, .answer_bytes = 5000};
    Err err = {0};

    if (http_call(run->client, &ask, on_answer, run, &run->call, &err))
        fail_msg("%s", err.msg);
}

static void wait_for(Run *run)
{
    timer_at(run->limit, loop_now() + 100000000, false);
    loop_run(run->loop);
    assert_false(run->timed_out);
    timer_stop(run->limit);
}

static void ask_and_wait(Run *run, const char *path, uint32_t timeout_ms)
{
    ask_url(run, "GET", url_of(run, path), (Str){0}, timeout_ms);
    assert_int_equal(run->answered, 0); /* never from inside */
    wait_for(run);
    assert_int_equal(run->answered, 1);
}

/* ---- tests ---- */

static void a_request_goes_out_and_its_answer_comes_back(void **state)
{
    Run *run = *state;
    const char *const headers[] = {"Content-Type: application/json", "Authorization: Bearer k",
                                   NULL};
    HttpAsk ask = {.method = "POST",
                   .url = url_of(run, "/v1/x?a=b%20c"),
                   .headers = headers,
                   .body = STR("{\"a\":1}"),
                   .timeout_ms = 10000,
                   .answer_bytes = 100};

    assert_int_equal(http_call(run->client, &ask, on_answer, run, &run->call, NULL), 0);
    wait_for(run);
    assert_int_equal(run->status, 200);
    assert_string_equal(buf_cstr(&run->body), "POST {\"a\":1}");
    assert_int_equal(run->why.len, 0);

    const StubAsk *asked = stub_asked(&run->stub, 0);
    assert_true(str_eq(asked->target, STR("/v1/x?a=b%20c")));
    assert_true(str_eq(stub_header(asked, "Content-Type:"), STR("application/json")));
    assert_true(str_eq(stub_header(asked, "Authorization:"), STR("Bearer k")));
    assert_int_equal(stub_header(asked, "Expect:").len, 0);
}

static void every_method_is_sent_as_it_was_named(void **state)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "DELETE"};
    Run *run = *state;

    for (size_t i = 0; i < 4; i++) {
        ask_url(run, methods[i], url_of(run, "/"), (Str){0}, 10000);
        wait_for(run);
        assert_true(str_eq(stub_asked(&run->stub, i)->method, str_of(methods[i])));
    }
    assert_int_equal(run->answered, 4);
}

static void a_status_of_failure_is_an_answer(void **state)
{
    Run *run = *state;

    ask_and_wait(run, "/404", 10000);
    assert_int_equal(run->status, 404);
    assert_string_equal(buf_cstr(&run->body), "not here");
}

static void a_redirect_is_an_answer_and_not_followed(void **state)
{
    Run *run = *state;

    ask_and_wait(run, "/away", 10000);
    assert_int_equal(run->status, 302);
}

static void a_server_that_is_not_there_is_told(void **state)
{
    Run *run = *state;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof(address);
    char url[64];

    /* bound and not listening: nobody else can take the port */
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &bytes), 0);
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/", ntohs(address.sin_port));
    ask_url(run, "GET", url, (Str){0}, 10000);
    wait_for(run);
    close(fd);
    assert_int_equal(run->status, 0);
    assert_string_equal(buf_cstr(&run->why), "Connection refused");
}

static void a_server_that_does_not_answer_runs_into_the_time_limit(void **state)
{
    Run *run = *state;

    ask_and_wait(run, "/hang", 50);
    assert_int_equal(run->status, 0);
    assert_string_equal(buf_cstr(&run->why), "no answer within 50 ms");
}

static void an_answer_over_the_limit_is_refused(void **state)
{
    Run *run = *state;

    ask_and_wait(run, "/big", 10000);
    assert_int_equal(run->status, 0);
    assert_string_equal(buf_cstr(&run->why), "the answer is longer than 5000 bytes");
    assert_int_equal(run->body.len, 0);
}

static void endless_headers_are_refused(void **state)
{
    Run *run = *state;

    ask_and_wait(run, "/heads", 10000);
    assert_int_equal(run->status, 0);
    assert_true(run->why.len > 0);
}

static void an_answer_that_is_none_or_is_cut_is_told(void **state)
{
    Run *run = *state;

    ask_and_wait(run, "/junk", 10000);
    assert_int_equal(run->status, 0);
    assert_true(run->why.len > 0);
    run->answered = 0;
    ask_and_wait(run, "/cut", 10000);
    assert_int_equal(run->status, 0);
    assert_true(run->why.len > 0);
}

static void only_http_and_https_are_taken(void **state)
{
    static const char *const urls[] = {"file:///etc/passwd", "ftp://127.0.0.1/",    "",
                                       "nonsense",           "gopher://127.0.0.1/", "http://",
                                       "localhost:50021"};
    Run *run = *state;

    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        HttpAsk ask = {.method = "GET", .url = urls[i], .timeout_ms = 1, .answer_bytes = 1};
        Err err = {0};

        assert_int_equal(http_call(run->client, &ask, on_answer, run, &run->call, &err), ERR_USAGE);
        assert_true(str_starts(str_of(err.msg), STR("URL: ")));
    }
    loop_run(run->loop);
    assert_int_equal(run->answered, 0);
}

static void a_cancelled_call_is_silent(void **state)
{
    Run *run = *state;

    ask_url(run, "GET", url_of(run, "/"), (Str){0}, 10000);
    http_call_cancel(run->call);
    loop_run(run->loop); /* nothing is left that could call back */
    assert_int_equal(run->answered, 0);
}

static void a_callback_may_cancel_another_call(void **state)
{
    Run *run = *state;
    HttpAsk ask = {.method = "GET", .timeout_ms = 10000, .answer_bytes = 10};

    ask.url = url_of(run, "/hang");
    assert_int_equal(http_call(run->client, &ask, on_other, run, &run->other, NULL), 0);
    ask_and_wait(run, "/", 10000);
    loop_run(run->loop);
    assert_int_equal(run->other_answered, 0);
}

static void a_callback_may_free_the_client(void **state)
{
    Run *run = *state;
    HttpAsk ask = {.method = "GET", .timeout_ms = 10000, .answer_bytes = 10};
    HttpCall *lost;

    run->free_client = true;
    ask.url = url_of(run, "/hang");
    assert_int_equal(http_call(run->client, &ask, on_other, run, &lost, NULL), 0);
    ask_and_wait(run, "/", 10000);
    assert_null(run->client);
    loop_run(run->loop);
    assert_int_equal(run->other_answered, 0);
}

static void on_many(void *user, const HttpAnswer *answer)
{
    Run *run = user;

    assert_int_equal(answer->status, 200);
    if (++run->answered == 50)
        loop_stop(run->loop);
}

static void many_calls_are_under_way_at_once(void **state)
{
    Run *run = *state;
    HttpAsk ask = {.method = "POST", .body = STR("x"), .timeout_ms = 20000, .answer_bytes = 100};
    HttpCall *call;

    ask.url = url_of(run, "/");
    for (int i = 0; i < 50; i++)
        assert_int_equal(http_call(run->client, &ask, on_many, run, &call, NULL), 0);
    wait_for(run);
    assert_int_equal(run->answered, 50);
}

static void the_loop_may_go_with_calls_under_way(void **state)
{
    Run *run = *state;

    ask_url(run, "GET", url_of(run, "/hang"), (Str){0}, 10000);
    ask_url(run, "GET", url_of(run, "/hang"), (Str){0}, 10000);
    timer_at(run->limit, loop_now() + 20000, false);
    loop_run(run->loop);
    assert_int_equal(run->answered, 0); /* tear_down frees the loop */
}

static void the_proxy_of_the_environment_is_used(void **state)
{
    Run *run = *state;

    setenv("http_proxy", url_of(run, ""), 1);
    ask_url(run, "GET", "http://warg.invalid/a", (Str){0}, 10000);
    wait_for(run);
    unsetenv("http_proxy");
    assert_int_equal(run->status, 200);
    assert_true(str_eq(stub_asked(&run->stub, 0)->target, STR("http://warg.invalid/a")));
}

static void on_tick(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->ticks++;
    timer_at(run->ticker, loop_now() + 1000, false);
}

static void looking_up_a_name_does_not_hold_the_loop(void **state)
{
    Run *run = *state;

    slow_begin();
    assert_int_equal(timer_new(run->loop, on_tick, run, &run->ticker, NULL), 0);
    timer_at(run->ticker, 0, false);
    ask_url(run, "GET", "http://slow.test/", (Str){0}, 100);
    wait_for(run); /* ends by the call's time limit, with the lookup still waiting */
    assert_int_equal(run->status, 0);
    assert_string_equal(buf_cstr(&run->why), "no answer within 100 ms");
    assert_true(slow_was_asked());
    assert_true(run->ticks > 5);
    slow_end();
}

static void on_cancel_time(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    if (!slow_was_asked()) {
        timer_at(run->ticker, loop_now() + 1000, false);
        return;
    }
    http_call_cancel(run->call);
    run->call = NULL;
    loop_stop(run->loop);
}

static void a_call_that_looks_up_a_name_is_cancelled_at_once(void **state)
{
    Run *run = *state;

    slow_begin();
    assert_int_equal(timer_new(run->loop, on_cancel_time, run, &run->ticker, NULL), 0);
    timer_at(run->ticker, 0, false);
    ask_url(run, "GET", "http://slow.test/", (Str){0}, 30000);
    wait_for(run);
    assert_int_equal(run->answered, 0);
    run->client = http_client_free(run->client); /* does not wait for the lookup either */
    slow_end();
}

static void a_name_that_does_not_exist_is_told(void **state)
{
    Run *run = *state;

    slow_begin();
    slow_end(); /* "slow.test" fails at once */
    ask_url(run, "GET", "http://slow.test/", (Str){0}, 10000);
    wait_for(run);
    assert_int_equal(run->status, 0);
    assert_string_equal(buf_cstr(&run->why), "Could not resolve host: slow.test");
}

/* ---- to public addresses only ---- */

static void stop_loop(void *user, const HttpAnswer *answer)
{
    (void)answer;
    loop_stop(user);
}

/* Whether a request to this address came to the listener. */
static bool comes_through(int listener, const struct sockaddr_in *address, bool public_only)
{
    char url[64], host[INET_ADDRSTRLEN];
    Loop *loop = NULL;
    HttpClient *client = NULL;
    HttpCall *call = NULL;

    inet_ntop(AF_INET, &address->sin_addr, host, sizeof(host));
    snprintf(url, sizeof(url), "http://%s:%u/", host, ntohs(address->sin_port));
    const HttpAsk ask = {.method = "POST",
                         .url = url,
                         .timeout_ms = 300,
                         .direct = true,
                         .public_only = public_only,
                         .answer_bytes = 100};
    if (loop_new(&loop, NULL) || http_client_new(loop, &client, NULL) ||
        http_call(client, &ask, stop_loop, loop, &call, NULL))
        _exit(2);
    loop_run(loop);
    loop_free(loop);
    int came = accept(listener, NULL, NULL);
    if (came >= 0)
        close(came);
    return came >= 0;
}

/* In a network of its own, whose only address is one that everybody could reach. */
static void ask_own_public_address(void)
{
    struct ifreq loopback = {.ifr_name = "lo"};
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);

    if (unshare(CLONE_NEWNET) && unshare(CLONE_NEWUSER | CLONE_NEWNET))
        _exit(77);
    inet_pton(AF_INET, "9.9.9.9", &address.sin_addr);
    memcpy(&loopback.ifr_addr, &address, sizeof(address));
    int any = socket(AF_INET, SOCK_DGRAM, 0), listener = socket(AF_INET, SOCK_STREAM, 0);
    if (any < 0 || ioctl(any, SIOCSIFADDR, &loopback))
        _exit(77);
    loopback.ifr_flags = IFF_UP | IFF_RUNNING;
    if (ioctl(any, SIOCSIFFLAGS, &loopback))
        _exit(77);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4) ||
        getsockname(listener, (struct sockaddr *)&address, &size) ||
        fcntl(listener, F_SETFL, O_NONBLOCK))
        _exit(2);
    if (!comes_through(listener, &address, false))
        _exit(3);
    _exit(comes_through(listener, &address, true) ? 4 : 0);
}

/* A service that a firewall keeps from the outside is open to who is inside. */
static void a_public_address_of_this_machine_is_none_for_a_stranger_s_url(void **state)
{
    int status = 0;
    pid_t child = fork();

    (void)state;
    if (child == 0)
        ask_own_public_address();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        fprintf(stderr, "skipped: this machine lets nobody make a network of its own\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_request_goes_out_and_its_answer_comes_back),
        TEST(every_method_is_sent_as_it_was_named),
        TEST(a_status_of_failure_is_an_answer),
        TEST(a_redirect_is_an_answer_and_not_followed),
        TEST(a_server_that_is_not_there_is_told),
        TEST(a_server_that_does_not_answer_runs_into_the_time_limit),
        TEST(an_answer_over_the_limit_is_refused),
        TEST(endless_headers_are_refused),
        TEST(an_answer_that_is_none_or_is_cut_is_told),
        TEST(only_http_and_https_are_taken),
        TEST(a_cancelled_call_is_silent),
        TEST(a_callback_may_cancel_another_call),
        TEST(a_callback_may_free_the_client),
        TEST(many_calls_are_under_way_at_once),
        TEST(the_loop_may_go_with_calls_under_way),
        TEST(the_proxy_of_the_environment_is_used),
        TEST(looking_up_a_name_does_not_hold_the_loop),
        TEST(a_call_that_looks_up_a_name_is_cancelled_at_once),
        TEST(a_name_that_does_not_exist_is_told),
        cmocka_unit_test(a_public_address_of_this_machine_is_none_for_a_stranger_s_url),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
