#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsasl.h>

#include "base/buf.h"
#include "net/sasl.h"

/* A server that knows ann's password, or another one. */
typedef struct Server {
    Gsasl *library;
    Gsasl_session *session;
} Server;

static Server server_new(const char *mechanism, const char *password)
{
    Server server = {0};

    assert_int_equal(gsasl_init(&server.library), GSASL_OK);
    assert_int_equal(gsasl_server_start(server.library, mechanism, &server.session), GSASL_OK);
    gsasl_property_set(server.session, GSASL_PASSWORD, password);
    gsasl_property_set(server.session, GSASL_SCRAM_ITER, "4096");
    return server;
}

static void server_free(Server *server)
{
    gsasl_finish(server->session);
    gsasl_done(server->library);
}

/* Its answer; whether it goes on or is content. */
static bool server_step(Server *server, const Buf *said, Buf *answer)
{
    char *out = NULL;
    int code = gsasl_step64(server->session, buf_cstr(said), &out);

    buf_clear(answer);
    if (out)
        buf_add(answer, str_of(out));
    gsasl_free(out);
    return code == GSASL_OK || code == GSASL_NEEDS_MORE;
}

static Sasl *sasl_for(const char *offered)
{
    Sasl *sasl = NULL;

    assert_int_equal(sasl_new(str_of(offered), "ann", "p\xC3\xA4ssword", &sasl, NULL), 0);
    return sasl;
}

static void the_strongest_way_is_taken(void **state)
{
    static const struct {
        const char *offered, *taken;
    } rows[] = {
        {"PLAIN SCRAM-SHA-1 SCRAM-SHA-256 SCRAM-SHA-512 X-OAUTH2", "SCRAM-SHA-256"},
        {"PLAIN DIGEST-MD5 SCRAM-SHA-1", "SCRAM-SHA-1"},
        {"PLAIN ", "PLAIN"},
    };
    Sasl *sasl = NULL;
    Err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        sasl = sasl_for(rows[i].offered);
        assert_string_equal(sasl_mechanism(sasl), rows[i].taken);
        sasl = sasl_free(sasl);
    }
    assert_int_equal(sasl_new(STR("X-OAUTH2 EXTERNAL SCRAM-SHA-256-PLUS"), "ann", "p", &sasl, &err),
                     ERR_RULE);
    assert_null(sasl);
}

static void plain_says_name_and_password(void **state)
{
    CLEANUP(buf_done) Buf answer = {0};
    Sasl *sasl = sasl_for("PLAIN");

    (void)state;
    assert_int_equal(sasl_step(sasl, STR(""), &answer, NULL), 0);
    assert_string_equal(buf_cstr(&answer), "AGFubgBww6Rzc3dvcmQ=");
    assert_true(sasl_is_done(sasl));
    sasl_free(sasl);
}

static void scram_ends_when_both_know_the_password(void **state)
{
    static const char *const ways[] = {"SCRAM-SHA-256", "SCRAM-SHA-1"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        CLEANUP(buf_done) Buf says = {0};
        CLEANUP(buf_done) Buf answer = {0};
        Server server = server_new(ways[i], "p\xC3\xA4ssword");
        Sasl *sasl = sasl_for(ways[i]);

        assert_int_equal(sasl_step(sasl, STR(""), &answer, NULL), 0);
        for (int step = 0; step < 2; step++) {
            assert_false(sasl_is_done(sasl));
            assert_true(server_step(&server, &answer, &says));
            buf_clear(&answer);
            assert_int_equal(sasl_step(sasl, buf_str(&says), &answer, NULL), 0);
        }
        assert_true(sasl_is_done(sasl));
        assert_int_equal(answer.len, 0);
        sasl_free(sasl);
        server_free(&server);
    }
}

/* The server's last word is "v=" and a signature that only the password gives (RFC 5802, 3). */
static void a_server_that_does_not_know_the_password_is_found_out(void **state)
{
    CLEANUP(buf_done) Buf says = {0};
    CLEANUP(buf_done) Buf answer = {0};
    Server server = server_new("SCRAM-SHA-256", "p\xC3\xA4ssword");
    Sasl *sasl = sasl_for("SCRAM-SHA-256");
    Err err = {0};

    (void)state;
    assert_int_equal(sasl_step(sasl, STR(""), &answer, NULL), 0);
    assert_true(server_step(&server, &answer, &says));
    buf_clear(&answer);
    assert_int_equal(sasl_step(sasl, buf_str(&says), &answer, NULL), 0);
    assert_false(sasl_is_done(sasl));
    buf_clear(&answer);
    /* "v=rmF9pqV8S7suAoZWja4dJRkFsKQ=" of another exchange */
    assert_int_equal(
        sasl_step(sasl, STR("dj1ybUY5cHFWOFM3c3VBb1pXamE0ZEpSa0ZzS1E9"), &answer, &err),
        ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "SCRAM-SHA-256"));
    assert_false(sasl_is_done(sasl));
    sasl_free(sasl);
    server_free(&server);
}

static void what_is_no_challenge_is_an_error(void **state)
{
    static const char *const bad[] = {"***", "AAAA", "", "cj1h", "cj0="};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CLEANUP(buf_done) Buf answer = {0};
        Sasl *sasl = sasl_for("SCRAM-SHA-256");

        assert_int_equal(sasl_step(sasl, STR(""), &answer, NULL), 0);
        assert_int_equal(sasl_step(sasl, str_of(bad[i]), &answer, NULL), ERR_SYNTAX);
        assert_false(sasl_is_done(sasl));
        sasl_free(sasl);
    }
}

static void a_server_can_not_keep_us_digesting(void **state)
{
    CLEANUP(buf_done) Buf answer = {0};
    Sasl *sasl = sasl_for("SCRAM-SHA-1");
    Err err = {0};

    (void)state;
    assert_int_equal(sasl_step(sasl, STR(""), &answer, NULL), 0);
    /* "r=abc,s=QSXCR+Q6sek8bf92,i=2000000000" */
    assert_int_equal(
        sasl_step(sasl, STR("cj1hYmMscz1RU1hDUitRNnNlazhiZjkyLGk9MjAwMDAwMDAwMA=="), &answer, &err),
        ERR_LIMIT);
    sasl_free(sasl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strongest_way_is_taken),
        cmocka_unit_test(plain_says_name_and_password),
        cmocka_unit_test(scram_ends_when_both_know_the_password),
        cmocka_unit_test(a_server_that_does_not_know_the_password_is_found_out),
        cmocka_unit_test(what_is_no_challenge_is_an_error),
        cmocka_unit_test(a_server_can_not_keep_us_digesting),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
