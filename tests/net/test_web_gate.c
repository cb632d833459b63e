/* test_web_gate.c - which pages may use a server: what browsers and programs send, and what comes
 * of it.
 *
 * Source: RFC 6454, RFC 9110 7.2; docs/spec/web.md 11.1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/web_gate.h"

static const Str hosts[] = {{"contest.example.org", 19}, {"ring.example.org.", 17}};
static const Str origins[] = {{"https://viewer.example.org", 26}, {"http://localhost:5173", 21}};

static const WebGate gate = {.hosts = hosts,
                             .host_count = 2,
                             .origins = origins,
                             .origin_count = 2,
                             .names = {{"arena", 5}, {"inner.example.org", 17}},
                             .hosts_key = "the.hosts",
                             .origins_key = "the.origins",
                             .program = "sample-client/"};

/* A request with these headers; NULL = without. */
typedef struct Asked {
    WebHeader headers[3];
    WebRequest request;
} Asked;

static WebRequest *ask(Asked *asked, bool socket, const char *host, const char *origin,
                       const char *agent)
{
    const char *const values[] = {host, origin, agent};
    static const char *const names[] = {"HOST", "Origin", "User-Agent"};
    uint32_t count = 0;

    for (size_t i = 0; i < 3; i++)
        if (values[i])
            asked->headers[count++] = (WebHeader){str_of(names[i]), str_of(values[i])};
    asked->request = (WebRequest){.method = STR("GET"),
                                  .path = STR("/ws"),
                                  .headers = asked->headers,
                                  .header_count = count,
                                  .wants_websocket = socket};
    return &asked->request;
}

static WebGateSays judge(bool socket, const char *host, const char *origin, const char *agent)
{
    Asked asked;

    return web_gate_judge(&gate, ask(&asked, socket, host, origin, agent));
}

static void addresses_localhost_and_known_names_pass(void **state)
{
    static const char *const good[] = {"127.0.0.1",
                                       "127.0.0.1:8080",
                                       "10.1.2.3:80",
                                       "[::1]:8080",
                                       "[::1]",
                                       "[2001:db8::7]",
                                       "[::ffff:127.0.0.1]",
                                       "localhost",
                                       "LocalHost",
                                       "localhost.:8080",
                                       "127.0.0.1.",
                                       "localhost:",
                                       "arena:8080",
                                       "ARENA",
                                       "inner.example.org",
                                       "contest.example.org:443",
                                       "Contest.Example.ORG.",
                                       "ring.example.org"};
    (void)state;

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        if (judge(false, good[i], NULL, NULL) != WEB_GATE_PASS)
            fail_msg("%s is refused", good[i]);
    assert_int_equal(judge(false, NULL, NULL, NULL), WEB_GATE_PASS); /* HTTP/1.0 */
}

static void any_other_name_is_misdirected(void **state)
{
    static const char *const bad[] = {"evil.com",
                                      "evil.com:8080",
                                      "127.0.0.1.evil.com",
                                      "127.0.0.1evil.com",
                                      "localhost.evil.com",
                                      "evil.localhost",
                                      "contest.example.org.evil.com",
                                      "xcontest.example.org",
                                      "contest.example.org..",
                                      "arena.example.org",
                                      "aren",
                                      "0x7f.1",
                                      "2130706433",
                                      "127.1",
                                      "::1",
                                      "[::1",
                                      "[::1]evil.com",
                                      "[evil.com]",
                                      "[fe80::1%25eth0]",
                                      "localhost:80:80",
                                      "localhost:x",
                                      "localhost:65536",
                                      "localhost@evil.com",
                                      "evil.com#localhost",
                                      "localhost, evil.com",
                                      "local host",
                                      ".",
                                      ":80",
                                      ""};
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (judge(false, bad[i], NULL, NULL) != WEB_GATE_HOST)
            fail_msg("%s passes", bad[i]);
}

static void a_websocket_without_origin_is_not_asked_for_its_host(void **state)
{
    (void)state;
    assert_int_equal(judge(true, "evil.com", NULL, NULL), WEB_GATE_PASS);
    assert_int_equal(judge(true, "evil.com", "", NULL), WEB_GATE_PASS);
    assert_int_equal(judge(true, NULL, NULL, NULL), WEB_GATE_PASS);
}

static void a_foreign_page_opens_no_websocket(void **state)
{
    static const char *const bad[] = {
        "http://evil.com",
        "https://evil.com:8080",
        "http://127.0.0.1",      /* another port */
        "http://127.0.0.1:8081", /* another program's */
        "https://127.0.0.1.evil.com:8080",
        "http://localhost:8080", /* another name: not the same origin */
        "null",
        "NULL",
        "file://",
        "*",
        "127.0.0.1:8080",
        "http:127.0.0.1:8080",
        "http://127.0.0.1:8080/",
        "http://x@127.0.0.1:8080",
        "ws://127.0.0.1:8080",
        "http://127.0.0.1:8080 http://evil.com",
        "http://viewer.example.org", /* https is in the list */
        "https://viewer.example.org:8443",
        "https://viewer.example.org.evil.com",
        "http://localhost:5174"};
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (judge(true, "127.0.0.1:8080", bad[i], NULL) != WEB_GATE_ORIGIN)
            fail_msg("%s passes", bad[i]);
        if (judge(true, "127.0.0.1:8080", bad[i], "sample-client/1") != WEB_GATE_ORIGIN)
            fail_msg("%s passes for a program", bad[i]);
    }
}

static void the_servers_own_pages_and_listed_ones_open_websockets(void **state)
{
    static const char *const pairs[][2] = {
        {"127.0.0.1:8080", "http://127.0.0.1:8080"},
        {"127.0.0.1", "http://127.0.0.1"},
        {"127.0.0.1:80", "http://127.0.0.1"},
        {"127.0.0.1", "http://127.0.0.1:80"},
        {"[::1]:8080", "http://[::1]:8080"},
        {"LOCALHOST:8080", "http://localhost:8080"},
        {"localhost.:8080", "http://localhost:8080"},
        {"contest.example.org", "https://contest.example.org"}, /* a proxy has TLS */
        {"contest.example.org:443", "https://contest.example.org"},
        {"127.0.0.1:8080", "https://viewer.example.org"},
        {"127.0.0.1:8080", "HTTPS://Viewer.example.org:443"},
        {"127.0.0.1:8080", "http://localhost:5173"},
        {"unknown.example.org", "https://viewer.example.org"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (judge(true, pairs[i][0], pairs[i][1], "Mozilla/5.0") != WEB_GATE_PASS)
            fail_msg("%s from %s is refused", pairs[i][0], pairs[i][1]);
}

static void a_page_whose_name_was_made_to_lead_here_is_misdirected(void **state)
{
    (void)state;
    assert_int_equal(judge(true, "evil.com:8080", "http://evil.com:8080", "Mozilla/5.0"),
                     WEB_GATE_HOST);
    assert_int_equal(judge(false, "evil.com:8080", "http://evil.com:8080", NULL), WEB_GATE_HOST);
    assert_int_equal(judge(false, "evil.com:8080", "http://evil.com:8080", "sample-client/1"),
                     WEB_GATE_HOST);
    /* Common WebSocket libraries call the address they connect to their origin: programs, for no
     * browser leaves its User-Agent out. */
    assert_int_equal(judge(true, "any.name:8080", "http://any.name:8080", NULL), WEB_GATE_PASS);
    assert_int_equal(judge(true, "any.name:8080", "http://any.name:8080", "sample-client/1.2"),
                     WEB_GATE_PASS);
    assert_int_equal(judge(true, "any.name:8080", "http://any.name:8080", "x sample-client/1.2"),
                     WEB_GATE_HOST);
}

static void only_listed_origins_may_read(void **state)
{
    const WebGate bare = {.hosts_key = "h", .origins_key = "o"};
    (void)state;

    assert_true(web_gate_shares(&gate, STR("https://viewer.example.org")));
    assert_true(web_gate_shares(&gate, STR("http://localhost:5173")));
    assert_false(web_gate_shares(&gate, STR("http://viewer.example.org")));
    assert_false(web_gate_shares(&gate, STR("http://localhost:8080")));
    assert_false(web_gate_shares(&gate, STR("null")));
    assert_false(web_gate_shares(&gate, STR("*")));
    assert_false(web_gate_shares(&gate, STR("")));
    assert_false(web_gate_shares(&bare, STR("https://viewer.example.org")));
    /* What is listed may also read by a name that is not. */
    assert_int_equal(judge(false, "evil.com", "https://viewer.example.org", NULL), WEB_GATE_PASS);
}

static void a_page_that_may_not_read_is_told_of(void **state)
{
    (void)state;
    assert_int_equal(judge(false, "localhost:8080", "http://a.b", "Mozilla"), WEB_GATE_UNREAD);
    assert_int_equal(judge(false, "localhost:8080", "null", "Mozilla"), WEB_GATE_UNREAD);
    assert_int_equal(judge(false, "localhost:8080", "http://localhost:5173", NULL), WEB_GATE_PASS);
    assert_int_equal(judge(false, "localhost:8080", "http://localhost:8080", NULL), WEB_GATE_PASS);
    assert_int_equal(judge(false, "localhost:8080", NULL, "Mozilla"), WEB_GATE_PASS);
}

static bool may_post(const char *host, const char *origin)
{
    Asked asked;

    return web_gate_may_post(&gate, ask(&asked, false, host, origin, "Mozilla/5.0"));
}

/* A browser always says where the page of a POST is from. */
static void a_page_of_elsewhere_changes_nothing(void **state)
{
    (void)state;
    assert_true(may_post("127.0.0.1:8080", NULL));
    assert_true(may_post("127.0.0.1:8080", "http://127.0.0.1:8080"));
    assert_true(may_post("127.0.0.1:8080", "https://viewer.example.org"));
    assert_false(may_post("127.0.0.1:8080", "http://127.0.0.1:9090"));
    assert_false(may_post("127.0.0.1:8080", "http://192.0.2.1"));
    assert_false(may_post("127.0.0.1:8080", "null"));
}

static void a_refusal_names_the_key_and_the_value_to_add(void **state)
{
    static const struct {
        bool socket;
        const char *host, *origin, *has;
    } cases[] = {
        {false, "Evil.com:8080", NULL, "the.hosts: [Evil.com]"},
        {false, "a\"]b", NULL, "the.hosts"},
        {true, "127.0.0.1:8080", "http://a.b:5173", "the.origins: [\"http://a.b:5173\"]"},
        {false, "127.0.0.1:8080", "http://a.b", "may not read here; if it should, add"},
        {true, "127.0.0.1:8080", "null", "the.origins"},
        {true, "127.0.0.1:8080", "http://a\"]", "the.origins"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        Asked asked;
        WebRequest *request = ask(&asked, cases[i].socket, cases[i].host, cases[i].origin, NULL);
        web_gate_explain(&gate, web_gate_judge(&gate, request), request, &out);
        assert_non_null(strstr(buf_cstr(&out), cases[i].has));
        assert_null(strstr(buf_cstr(&out), "a\"]"));
    }
}

static void lists_take_names_and_origins_only(void **state)
{
    static const char *const good_hosts[] = {"a", "a.example.org", "a.example.org.", "10.0.0.1"};
    static const char *const bad_hosts[] = {"", "a:80", "http://a", "*", "a b", "*.a", "[::1]:1"};
    static const char *const good_origins[] = {"http://a", "https://a:1", "http://[::1]:5"};
    static const char *const bad_origins[] = {"",     "a",         "null",     "*",
                                              "http", "http://a/", "https://", "file:///x"};
    (void)state;

    for (size_t i = 0; i < 4; i++)
        assert_int_equal(web_gate_host_check(str_of(good_hosts[i]), NULL), 0);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(web_gate_host_check(str_of(bad_hosts[i]), NULL), ERR_SYNTAX);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(web_gate_origin_check(str_of(good_origins[i]), NULL), 0);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(web_gate_origin_check(str_of(bad_origins[i]), NULL), ERR_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_localhost_and_known_names_pass),
        cmocka_unit_test(any_other_name_is_misdirected),
        cmocka_unit_test(a_websocket_without_origin_is_not_asked_for_its_host),
        cmocka_unit_test(a_foreign_page_opens_no_websocket),
        cmocka_unit_test(the_servers_own_pages_and_listed_ones_open_websockets),
        cmocka_unit_test(a_page_whose_name_was_made_to_lead_here_is_misdirected),
        cmocka_unit_test(only_listed_origins_may_read),
        cmocka_unit_test(a_page_that_may_not_read_is_told_of),
        cmocka_unit_test(a_page_of_elsewhere_changes_nothing),
        cmocka_unit_test(a_refusal_names_the_key_and_the_value_to_add),
        cmocka_unit_test(lists_take_names_and_origins_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
