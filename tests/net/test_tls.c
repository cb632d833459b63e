#include "cert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "net/tls.h"

/* Both sides of a connection, in memory. */
typedef struct Pair {
    Cert cert;
    TlsServer *server;
    TlsTrust *trust;
    Tls *ours;   /* the server's end */
    Tls *theirs; /* the client's end */
    Buf to_ours; /* on its way */
    Buf to_theirs;
    Buf heard_by_ours; /* decrypted */
    Buf heard_by_theirs;
    bool ours_ended;
    bool theirs_ended;
} Pair;

static void pair_open(Pair *pair, const char *host)
{
    memset(pair, 0, sizeof(*pair));
    cert_make(&pair->cert);
    assert_int_equal(tls_server_new(pair->cert.cert_path, pair->cert.key_path, &pair->server, NULL),
                     0);
    assert_int_equal(tls_trust_new(pair->cert.cert_path, &pair->trust, NULL), 0);
    assert_int_equal(tls_accept(pair->server, &pair->ours, NULL), 0);
    assert_int_equal(tls_connect(pair->trust, host, &pair->theirs, NULL), 0);
}

static void pair_done(Pair *pair)
{
    tls_free(pair->ours);
    tls_free(pair->theirs);
    tls_server_free(pair->server);
    tls_trust_free(pair->trust);
    buf_done(&pair->to_ours);
    buf_done(&pair->to_theirs);
    buf_done(&pair->heard_by_ours);
    buf_done(&pair->heard_by_theirs);
    cert_done(&pair->cert);
}

/* Carries what is on its way to one side, `step` bytes at a time. */
static int carry(Tls *tls, Buf *wire, Buf *heard, Buf *out, bool *ret_ended, size_t step, Err *err)
{
    Buf taken = *wire;
    Str rest = buf_str(&taken);
    int code = 0;

    *wire = (Buf){0};
    while (rest.len && !code) {
        code = tls_feed(tls, str_part(rest, 0, step), heard, out, ret_ended, err);
        rest = str_part(rest, step, SIZE_MAX);
    }
    buf_done(&taken);
    return code;
}

/* Until nothing is on its way any more. */
static int run(Pair *pair, size_t step, Err *err)
{
    int code = 0;

    while (!code && (pair->to_ours.len || pair->to_theirs.len)) {
        code = carry(pair->ours, &pair->to_ours, &pair->heard_by_ours, &pair->to_theirs,
                     &pair->ours_ended, step, err);
        if (!code)
            code = carry(pair->theirs, &pair->to_theirs, &pair->heard_by_theirs, &pair->to_ours,
                         &pair->theirs_ended, step, err);
    }
    return code;
}

static void texts_go_both_ways_however_they_are_cut(void **state)
{
    static const size_t steps[] = {1, 7, 1000, SIZE_MAX};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        Pair pair;
        pair_open(&pair, "localhost");
        /* Before the handshake: it is kept. */
        assert_int_equal(tls_send(pair.theirs, STR("hello "), &pair.to_ours, NULL), 0);
        assert_int_equal(tls_send(pair.theirs, STR("server"), &pair.to_ours, NULL), 0);
        assert_int_equal(tls_send(pair.ours, STR("hello client"), &pair.to_theirs, NULL), 0);
        assert_int_equal(run(&pair, steps[i], NULL), 0);
        assert_string_equal(buf_cstr(&pair.heard_by_ours), "hello server");
        assert_string_equal(buf_cstr(&pair.heard_by_theirs), "hello client");
        assert_int_equal(tls_send(pair.ours, STR("!"), &pair.to_theirs, NULL), 0);
        assert_int_equal(run(&pair, steps[i], NULL), 0);
        assert_string_equal(buf_cstr(&pair.heard_by_theirs), "hello client!");
        assert_false(pair.ours_ended);
        tls_end(pair.theirs, &pair.to_ours);
        assert_int_equal(run(&pair, steps[i], NULL), 0);
        assert_true(pair.ours_ended);
        pair_done(&pair);
    }
}

static void a_megabyte_goes_through(void **state)
{
    enum { SIZE = 1 << 20 };
    Pair pair;
    char *text = mem_new(SIZE);

    (void)state;
    for (size_t i = 0; i < SIZE; i++)
        text[i] = (char)(i * 31 >> 3);
    pair_open(&pair, "127.0.0.1");
    tls_send(pair.theirs, STR("x"), &pair.to_ours, NULL);
    assert_int_equal(run(&pair, SIZE_MAX, NULL), 0);
    assert_int_equal(tls_send(pair.ours, (Str){text, SIZE}, &pair.to_theirs, NULL), 0);
    assert_int_equal(run(&pair, 65536, NULL), 0);
    assert_true(str_eq(buf_str(&pair.heard_by_theirs), (Str){text, SIZE}));
    mem_free(text);
    pair_done(&pair);
}

static void a_certificate_of_another_host_is_not_accepted(void **state)
{
    static const char *const hosts[] = {"example.org", "127.0.0.2"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Pair pair;
        Err err = {0};
        pair_open(&pair, hosts[i]);
        tls_send(pair.theirs, STR("secret"), &pair.to_ours, NULL);
        assert_int_equal(run(&pair, SIZE_MAX, &err), ERR_RULE);
        assert_non_null(strstr(err.msg, "mismatch"));
        assert_int_equal(pair.heard_by_ours.len, 0);
        assert_int_equal(tls_send(pair.theirs, STR("secret"), &pair.to_ours, NULL), ERR_SYNTAX);
        pair_done(&pair);
    }
}

static void a_certificate_that_nobody_vouches_for_is_not_accepted(void **state)
{
    Pair pair;
    Pair other;
    Err err = {0};

    (void)state;
    pair_open(&pair, "localhost");
    pair_open(&other, "localhost");
    tls_free(pair.theirs);
    assert_int_equal(tls_connect(other.trust, "localhost", &pair.theirs, NULL), 0);
    tls_send(pair.theirs, STR("secret"), &pair.to_ours, NULL);
    assert_int_equal(run(&pair, SIZE_MAX, &err), ERR_RULE);
    assert_memory_equal(err.msg, "TLS: the certificate is not accepted: ", 38);
    pair_done(&pair);
    pair_done(&other);
}

static void a_peer_that_does_not_speak_tls_is_refused(void **state)
{
    Pair pair;
    Err err = {0};
    bool ended = false;

    (void)state;
    pair_open(&pair, "localhost");
    assert_int_equal(tls_feed(pair.ours, STR("GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
                              &pair.heard_by_ours, &pair.to_theirs, &ended, &err),
                     ERR_SYNTAX);
    assert_string_equal(err.msg, "TLS: http request");
    assert_int_equal(
        tls_feed(pair.ours, STR("x"), &pair.heard_by_ours, &pair.to_theirs, &ended, NULL),
        ERR_SYNTAX);
    pair_done(&pair);
}

static void a_changed_byte_is_noticed(void **state)
{
    Pair pair;

    (void)state;
    pair_open(&pair, "localhost");
    tls_send(pair.theirs, STR("x"), &pair.to_ours, NULL);
    assert_int_equal(run(&pair, SIZE_MAX, NULL), 0);
    tls_send(pair.theirs, STR("the truth"), &pair.to_ours, NULL);
    pair.to_ours.bytes[pair.to_ours.len - 3] ^= 1;
    assert_int_equal(run(&pair, SIZE_MAX, NULL), ERR_SYNTAX);
    assert_string_equal(buf_cstr(&pair.heard_by_ours), "x");
    pair_done(&pair);
}

static void files_that_are_no_certificates_are_named(void **state)
{
    Cert one;
    Cert two;
    TlsServer *server;
    TlsTrust *trust;
    Err err = {0};

    (void)state;
    cert_make(&one);
    cert_make(&two);
    assert_int_equal(tls_server_new("/nowhere/cert.pem", one.key_path, &server, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "/nowhere/cert.pem"));
    assert_int_equal(tls_server_new(one.cert_path, "/nowhere/key.pem", &server, NULL), ERR_IO);
    assert_int_equal(tls_server_new(one.key_path, one.key_path, &server, NULL), ERR_SYNTAX);
    assert_int_equal(tls_server_new(one.cert_path, one.cert_path, &server, NULL), ERR_SYNTAX);
    assert_int_equal(tls_server_new(one.cert_path, two.key_path, &server, NULL), ERR_RULE);
    assert_int_equal(tls_trust_new("/nowhere/ca.pem", &trust, NULL), ERR_IO);
    assert_int_equal(tls_trust_new(one.key_path, &trust, NULL), ERR_SYNTAX);
    assert_int_equal(tls_trust_new(NULL, &trust, NULL), 0);
    tls_trust_free(trust);
    cert_done(&one);
    cert_done(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_go_both_ways_however_they_are_cut),
        cmocka_unit_test(a_megabyte_goes_through),
        cmocka_unit_test(a_certificate_of_another_host_is_not_accepted),
        cmocka_unit_test(a_certificate_that_nobody_vouches_for_is_not_accepted),
        cmocka_unit_test(a_peer_that_does_not_speak_tls_is_refused),
        cmocka_unit_test(a_changed_byte_is_noticed),
        cmocka_unit_test(files_that_are_no_certificates_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
