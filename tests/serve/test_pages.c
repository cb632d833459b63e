/* test_pages.c - a server of the natural-language division as pages in somebody's browser see it:
 * which may read, which may join, which don't get in.
 *
 * Source: docs/spec/web.md 11.1; Fetch standard 3.2. */
#define _GNU_SOURCE /* nftw, memmem */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/served.h"

#define VIEWER "https://viewer.example.org"
#define SAMPLE_AGENT                                                                               \
    "Host: any.name.example:8080\r\nOrigin: http://any.name.example:8080\r\n"                      \
    "User-Agent: aiwolf-nlp-common/0.7.0 Python/3.11\r\n"
#define BROWSER "User-Agent: Mozilla/5.0 (X11)\r\n"

/* ---- raw requests: heads are looked at too ---- */

static void on_bytes(void *user, Str bytes, TimeUs at)
{
    Run *run = user;

    (void)at;
    buf_add(&run->body, bytes);
    if (memmem(run->body.bytes, run->body.len, "\r\n\r\n", 4))
        loop_stop(run->loop);
}

static void on_raw_end(void *user, ConnEnd how, Str partial, TimeUs now)
{
    (void)now;
    (void)user, (void)how, (void)partial;
    fail_msg("there is no answer");
}

/* The status of a request with these header lines; its head, and what came with it, is in
 * run->body. Host is this server's address when `lines` has none. */
static unsigned ask(Run *run, const char *method, const char *path, const char *lines)
{
    static const ConnEvents events = {.bytes = on_bytes, .ended = on_raw_end};
    const ConnLimits limits = {.line_bytes = 0, .queued_bytes = 1 << 20};
    bool joins = strcmp(path, "/ws") == 0;
    CLEANUP(buf_done) Buf request = {0};
    Conn *conn = NULL;

    buf_printf(&request, "%s %s HTTP/1.1\r\n%s", method, path, lines);
    if (!strstr(lines, "Host: "))
        buf_printf(&request, "Host: 127.0.0.1:%u\r\n", server_port(run->server));
    if (joins)
        buf_add(&request, STR("Connection: Upgrade\r\nUpgrade: websocket\r\n"
                              "Sec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
    buf_add(&request, STR("\r\n"));
    buf_clear(&run->body);
    assert_int_equal(tcp_connect(run->loop, "127.0.0.1", server_port(run->server), &events, run,
                                 &limits, &conn, NULL),
                     0);
    conn_send(conn, buf_str(&request));
    while (!memmem(buf_cstr(&run->body), run->body.len, "\r\n\r\n", 4))
        go_on(run);
    conn_close(conn);
    assert_true(run->body.len > 12 && memcmp(run->body.bytes, "HTTP/1.1 ", 9) == 0);
    return (unsigned)strtoul(run->body.bytes + 9, NULL, 10);
}

static void own_origin(const Run *run, char lines[static 128])
{
    snprintf(lines, 128, BROWSER "Origin: http://127.0.0.1:%u\r\n", server_port(run->server));
}

/* ---- tests ---- */

static void foreign_pages_do_not_join(void **state)
{
    static const char *const foreign[] = {
        BROWSER "Origin: http://evil.example\r\n", BROWSER "Origin: null\r\n",
        BROWSER "Origin: http://127.0.0.1:1\r\n", "Origin: http://evil.example\r\n"};
    Run *run = *state;
    char own[128];

    open_server(run);
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
        assert_int_equal(ask(run, "GET", "/ws", foreign[i]), 403);
        assert_true(body_has(run, "warg.origins"));
    }
    assert_int_equal(ask(run, "GET", "/ws", foreign[0]), 403);
    assert_true(body_has(run, "warg.origins: [\"http://evil.example\"]"));
    assert_true(strstr(buf_cstr(&run->notes), "warg.origins: [\"http://evil.example\"]") != NULL);
    own_origin(run, own);
    assert_int_equal(ask(run, "GET", "/ws", own), 101);
}

static void agents_join_by_any_name(void **state)
{
    static const char *const agents[] = {"", "Host: any.name.example:8080\r\n", SAMPLE_AGENT};
    Run *run = *state;

    open_server(run);
    for (size_t i = 0; i < sizeof(agents) / sizeof(agents[0]); i++)
        assert_int_equal(ask(run, "GET", "/ws", agents[i]), 101);
}

static void names_that_are_not_this_servers_lead_nowhere(void **state)
{
    static const char *const paths[] = {"/api/v1/games", "/realtime/games.json", "/nothing"};
    static const char *const methods[] = {"GET", "HEAD", "OPTIONS", "POST"};
    Run *run = *state;
    const Str known = STR("contest.example.org");

    run->config->hosts = &known;
    run->config->host_count = 1;
    open_server(run);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(ask(run, methods[k], paths[i], "Host: evil.example:80\r\n"), 421);
    assert_int_equal(ask(run, "GET", "/api/v1/games", "Host: evil.example:80\r\n"), 421);
    assert_true(body_has(run, "warg.hosts: [evil.example]"));
    assert_int_equal(
        ask(run, "GET", "/ws", BROWSER "Host: evil.example\r\nOrigin: http://evil.example\r\n"),
        421);
    assert_int_equal(ask(run, "GET", "/api/v1/games", "Host: contest.example.org\r\n"), 200);
    assert_int_equal(ask(run, "GET", "/api/v1/games", "Host: localhost:8080\r\n"), 200);
    assert_int_equal(ask(run, "GET", "/ws",
                         BROWSER "Host: contest.example.org\r\n"
                                 "Origin: https://contest.example.org\r\n"),
                     101);
}

static void no_answer_lets_all_pages_read(void **state)
{
    static const char *const origins[] = {"", "Origin: http://evil.example\r\n",
                                          "Origin: " VIEWER "\r\n", "Origin: null\r\n"};
    Run *run = *state;

    open_server(run);
    for (size_t i = 0; i < 4; i++)
        for (int options = 0; options < 2; options++) {
            assert_int_equal(ask(run, options ? "OPTIONS" : "GET", "/api/v1/games", origins[i]),
                             options ? 204 : 200);
            assert_false(body_has(run, "Access-Control"));
        }
}

static void listed_pages_read_without_credentials_and_join(void **state)
{
    Run *run = *state;
    const Str viewer = STR(VIEWER);

    run->config->origins = &viewer;
    run->config->origin_count = 1;
    open_server(run);
    assert_int_equal(ask(run, "OPTIONS", "/api/v1/games",
                         "Origin: " VIEWER "\r\nAccess-Control-Request-Method: GET\r\n"),
                     204);
    assert_true(body_has(run, "\r\nAccess-Control-Allow-Origin: " VIEWER "\r\n"));
    assert_true(body_has(run, "\r\nAccess-Control-Allow-Headers: Content-Type, Authorization"));
    assert_true(body_has(run, "\r\nVary: Origin\r\n"));
    static const char *const paths[] = {"/api/v1/games", "/realtime/games.json", "/nothing"};
    for (size_t i = 0; i < 3; i++) {
        ask(run, "GET", paths[i], "Origin: " VIEWER "\r\n");
        assert_true(body_has(run, "\r\nAccess-Control-Allow-Origin: " VIEWER "\r\n"));
        assert_false(body_has(run, "Credentials"));
        ask(run, "GET", paths[i], "Origin: " VIEWER ".evil.example\r\n");
        assert_false(body_has(run, "Access-Control"));
        assert_true(body_has(run, "\r\nVary: Origin\r\n"));
    }
    assert_int_equal(ask(run, "GET", "/ws", BROWSER "Origin: " VIEWER "\r\n"), 101);
    assert_int_equal(ask(run, "GET", "/ws", BROWSER "Origin: " VIEWER ":8443\r\n"), 403);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        EACH(foreign_pages_do_not_join),
        EACH(agents_join_by_any_name),
        EACH(names_that_are_not_this_servers_lead_nowhere),
        EACH(no_answer_lets_all_pages_read),
        EACH(listed_pages_read_without_credentials_and_join),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
