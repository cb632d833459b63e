#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"
#include "wire/jwt.h"

#define KEY STR("your-256-bit-secret")

/* A token of any header and payload, signed with HMAC of so many bits. */
static void sign(const char *header, const char *payload, int bits, Str key, Buf *out)
{
    unsigned char mac[DIGEST_BYTES_MAX];
    size_t n = 0;

    buf_clear(out);
    base64_encode(str_of(header), true, out);
    buf_add_char(out, '.');
    base64_encode(str_of(payload), true, out);
    assert_int_equal(hmac_sha(bits, key, buf_str(out), mac, &n, NULL), 0);
    buf_add_char(out, '.');
    base64_encode((Str){(const char *)mac, n}, true, out);
}

/* The code for such a token at the time 1000. */
static int verdict(const char *header, const char *payload, const char *message)
{
    CLEANUP(buf_done) Buf token = {0};
    JwtClaims claims = {.role = "before"};
    Err err = {0};

    sign(header, payload, 256, KEY, &token);
    int rc = jwt_check(buf_str(&token), KEY, 1000, &claims, &err);
    if (rc) {
        assert_string_equal(claims.role, "before");
        assert_int_equal(rc, err.code);
        assert_non_null(strstr(err.msg, message));
    }
    return rc;
}

static void what_is_made_is_read_again(void **state)
{
    CLEANUP(buf_done) Buf token = {0};
    JwtClaims made = {.role = "PLAYER", .team = "カノ\"lab", .expires = 2000, .not_before = 500};
    JwtClaims read;

    (void)state;
    assert_int_equal(jwt_make(&made, 400, KEY, &token, NULL), 0);
    assert_int_equal(jwt_check(buf_str(&token), KEY, 1000, &read, NULL), 0);
    assert_string_equal(read.role, "PLAYER");
    assert_string_equal(read.team, "カノ\"lab");
    assert_int_equal(read.expires, 2000);
    assert_int_equal(read.not_before, 500);
    assert_int_equal(jwt_make(&made, 400, STR(""), &token, NULL), ERR_RULE);
}

static void a_known_token_comes_out_byte_for_byte(void **state)
{
    CLEANUP(buf_done) Buf token = {0}, expected = {0};

    (void)state;
    assert_int_equal(jwt_make(&(JwtClaims){.role = "RECEIVER"}, 7, KEY, &token, NULL), 0);
    sign("{\"alg\":\"HS256\",\"typ\":\"JWT\"}", "{\"role\":\"RECEIVER\",\"iat\":7}", 256, KEY,
         &expected);
    assert_string_equal(buf_cstr(&token), buf_cstr(&expected));
}

/* RFC 7515, A.1: the key is 64 bytes, the payload has CR LF and a claim that nobody knows. */
static void the_example_of_rfc_7515_is_right_until_it_expires(void **state)
{
    static const char token[] =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
        "Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    CLEANUP(buf_done) Buf key = {0};
    JwtClaims claims;
    Err err = {0};

    (void)state;
    assert_int_equal(base64_decode(STR("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75"
                                       "aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"),
                                   true, &key, NULL),
                     0);
    assert_int_equal(jwt_check(str_of(token), buf_str(&key), 1300819379, &claims, NULL), 0);
    assert_int_equal(claims.expires, 1300819380);
    assert_string_equal(claims.role, "");
    assert_int_equal(jwt_check(str_of(token), buf_str(&key), 1300819380, &claims, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "expired"));
}

static void the_three_hmac_algorithms_are_known(void **state)
{
    static const char *const headers[] = {"{\"alg\":\"HS256\"}", "{\"alg\":\"HS384\"}",
                                          "{\"alg\":\"HS512\",\"typ\":\"JWT\",\"kid\":\"1\"}"};
    static const int bits[] = {256, 384, 512};
    CLEANUP(buf_done) Buf token = {0};
    JwtClaims claims;

    (void)state;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            sign(headers[i], "{\"role\":\"PLAYER\"}", bits[j], KEY, &token);
            assert_int_equal(jwt_check(buf_str(&token), KEY, 0, &claims, NULL),
                             i == j ? 0 : ERR_RULE);
        }
}

static void every_other_algorithm_is_refused(void **state)
{
    CLEANUP(buf_done) Buf token = {0};
    JwtClaims claims;

    (void)state;
    assert_int_equal(verdict("{\"alg\":\"none\"}", "{}", "'none'"), ERR_RULE);
    assert_int_equal(verdict("{\"alg\":\"None\"}", "{}", "'None'"), ERR_RULE);
    assert_int_equal(verdict("{\"alg\":\"RS256\"}", "{}", "'RS256'"), ERR_RULE);
    assert_int_equal(verdict("{\"alg\":\"HS256 \"}", "{}", "HS256"), ERR_RULE);
    assert_int_equal(verdict("{\"alg\":\"HS256\\u0000\"}", "{}", "HS256"), ERR_RULE);
    assert_int_equal(verdict("{\"alg\":256}", "{}", "'alg'"), ERR_SYNTAX);
    assert_int_equal(verdict("{}", "{}", "'alg'"), ERR_SYNTAX);
    assert_int_equal(verdict("{\"alg\":\"HS256\",\"crit\":[\"x\"]}", "{}", "'crit'"), ERR_RULE);
    /* {"alg":"none"}.{"role":"PLAYER"}. */
    base64_encode(STR("{\"alg\":\"none\"}"), true, &token);
    buf_add_char(&token, '.');
    base64_encode(STR("{\"role\":\"PLAYER\"}"), true, &token);
    buf_add_char(&token, '.');
    assert_int_equal(jwt_check(buf_str(&token), KEY, 0, &claims, NULL), ERR_RULE);
}

static void times_are_honoured_where_there_are_any(void **state)
{
    const char *header = "{\"alg\":\"HS256\"}";

    (void)state;
    assert_int_equal(verdict(header, "{\"iat\":99999999999}", ""), 0);
    assert_int_equal(verdict(header, "{\"exp\":1001,\"nbf\":1000}", ""), 0);
    assert_int_equal(verdict(header, "{\"exp\":1000}", "expired at 1000"), ERR_RULE);
    assert_int_equal(verdict(header, "{\"exp\":0}", "expired"), ERR_RULE);
    assert_int_equal(verdict(header, "{\"exp\":-5}", "expired"), ERR_RULE);
    assert_int_equal(verdict(header, "{\"nbf\":1001}", "begins at 1001"), ERR_RULE);
    assert_int_equal(verdict(header, "{\"exp\":1001.5,\"nbf\":1e2}", ""), 0);
    assert_int_equal(verdict(header, "{\"exp\":null}", ""), 0);
    assert_int_equal(verdict(header, "{\"exp\":\"2000\"}", "'exp'"), ERR_SYNTAX);
    assert_int_equal(verdict(header, "{\"nbf\":1e300}", "'nbf'"), ERR_SYNTAX);
}

static void claims_of_the_wrong_kind_are_refused(void **state)
{
    CLEANUP(buf_done) Buf long_team = {0};
    const char *header = "{\"alg\":\"HS256\"}";

    (void)state;
    assert_int_equal(verdict(header, "{\"role\":7}", "'role'"), ERR_SYNTAX);
    assert_int_equal(verdict(header, "{\"role\":\"PLAYER\\u0000\"}", "'role'"), ERR_SYNTAX);
    assert_int_equal(verdict(header, "{\"role\":\"0123456789abcdef\"}", "'role'"), ERR_SYNTAX);
    assert_int_equal(verdict(header, "{\"team\":[]}", "'team'"), ERR_SYNTAX);
    assert_int_equal(verdict(header, "[]", "payload"), ERR_SYNTAX);
    assert_int_equal(verdict(header, "", "payload"), ERR_SYNTAX);
    assert_int_equal(verdict(header, "{\"role\":\"\xFF\"}", "payload"), ERR_SYNTAX);
    assert_int_equal(verdict("[\"HS256\"]", "{}", "header"), ERR_SYNTAX);
    assert_int_equal(verdict("", "{}", "header"), ERR_SYNTAX);
    buf_printf(&long_team, "{\"team\":\"%0*d\"}", JWT_TEXT_MAX - 1, 0);
    assert_int_equal(verdict(header, buf_cstr(&long_team), ""), 0);
    buf_clear(&long_team);
    buf_printf(&long_team, "{\"team\":\"%0*d\"}", JWT_TEXT_MAX, 0);
    assert_int_equal(verdict(header, buf_cstr(&long_team), "'team'"), ERR_SYNTAX);
}

static void a_wrong_key_is_refused_and_so_is_an_empty_one(void **state)
{
    CLEANUP(buf_done) Buf token = {0};
    JwtClaims claims;

    (void)state;
    assert_int_equal(jwt_make(&(JwtClaims){.role = "RECEIVER"}, 7, KEY, &token, NULL), 0);
    assert_int_equal(jwt_check(buf_str(&token), STR("your-256-bit-secreT"), 8, &claims, NULL),
                     ERR_RULE);
    assert_int_equal(jwt_check(buf_str(&token), STR(""), 8, &claims, NULL), ERR_RULE);
    sign("{\"alg\":\"HS256\"}", "{}", 256, STR(""), &token);
    assert_int_equal(jwt_check(buf_str(&token), STR(""), 8, &claims, NULL), ERR_RULE);
}

static void a_token_with_any_byte_changed_missing_or_added_is_refused(void **state)
{
    CLEANUP(buf_done) Buf token = {0}, bad = {0};
    JwtClaims claims;

    (void)state;
    assert_int_equal(
        jwt_make(&(JwtClaims){.role = "PLAYER", .team = "kanolab"}, 7, KEY, &token, NULL), 0);
    for (size_t i = 0; i < token.len; i++) {
        assert_true(jwt_check(str_part(buf_str(&token), 0, i), KEY, 8, &claims, NULL) < 0);
        for (int bit = 0; bit < 8; bit++) {
            token.bytes[i] = (char)(token.bytes[i] ^ 1 << bit);
            assert_true(jwt_check(buf_str(&token), KEY, 8, &claims, NULL) < 0);
            token.bytes[i] = (char)(token.bytes[i] ^ 1 << bit);
        }
    }
    static const char *const tails[] = {".", "=", "A", "\n", " "};
    for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
        buf_clear(&bad);
        buf_add(&bad, buf_str(&token));
        buf_add(&bad, str_of(tails[i]));
        assert_true(jwt_check(buf_str(&bad), KEY, 8, &claims, NULL) < 0);
    }
    assert_int_equal(jwt_check(buf_str(&token), KEY, 8, &claims, NULL), 0);
}

static void each_part_that_is_wrong_has_a_message_of_its_own(void **state)
{
    static const struct {
        const char *token;
        Str key;
        int code;
        const char *says;
    } wrong[] = {
        {"", {"k", 1}, ERR_SYNTAX, "token: 0 dots; expected 2"},
        {"a.b", {"k", 1}, ERR_SYNTAX, "token: 1 dots; expected 2"},
        {"a.b.c.d", {"k", 1}, ERR_SYNTAX, "token: 3 dots; expected 2"},
        {"=.b.c", {"k", 1}, ERR_SYNTAX, "token: its header is no JSON object in base64url"},
        /* {"alg":"HS256"} */
        {"eyJhbGciOiJIUzI1NiJ9.e30.=",
         {"k", 1},
         ERR_SYNTAX,
         "token: its signature is no base64url"},
        {"eyJhbGciOiJIUzI1NiJ9.e30.",
         {"k", 1},
         ERR_RULE,
         "token: its signature is not made with this key"},
        {"eyJhbGciOiJIUzI1NiJ9.e30.", {"", 0}, ERR_RULE, "token: there is no key to check it with"},
    };
    CLEANUP(buf_done) Buf token = {0};
    JwtClaims claims;
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        Err err = {0};
        assert_int_equal(jwt_check(str_of(wrong[i].token), wrong[i].key, 8, &claims, &err),
                         wrong[i].code);
        assert_string_equal(err.msg, wrong[i].says);
    }
    buf_printf(&token, "%0*d", JWT_BYTES_MAX, 0);
    Err err = {0};
    assert_int_equal(jwt_check(buf_str(&token), KEY, 8, &claims, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "token: 0 dots; expected 2"); /* as long as may be */
    buf_add_char(&token, '0');
    err = (Err){0};
    assert_int_equal(jwt_check(buf_str(&token), KEY, 8, &claims, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "token: 4097 bytes; at most 4096 are read");
    err = (Err){0};
    assert_int_equal(jwt_make(&claims, 7, STR(""), &token, &err), ERR_RULE);
    assert_string_equal(err.msg, "token: the key is empty");
    assert_int_equal(verdict("{\"alg\":\"HS1\"}", "{}",
                             "token: algorithm 'HS1'; expected HS256, HS384 or HS512"),
                     ERR_RULE);
    assert_int_equal(verdict("{\"alg\":\"HS256\"}", "{\"role\":\"0123456789abcdef\"}",
                             "token: 'role' is longer than 15 bytes, or has a NUL"),
                     ERR_SYNTAX);
    assert_int_equal(verdict("{\"alg\":\"HS256\"}", "{\"role\":\"0123456789abcde\"}", ""), 0);
}

static void what_is_no_token_is_refused(void **state)
{
    static const char *const texts[] = {"",          ".", "..", "...", "a.b.c", "Bearer x.y.z",
                                        "\xFF.\xFF."};
    CLEANUP(buf_done) Buf large = {0};
    JwtClaims claims;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_int_equal(jwt_check(str_of(texts[i]), KEY, 8, &claims, NULL), ERR_SYNTAX);
    assert_int_equal(jwt_check((Str){0}, KEY, 8, &claims, NULL), ERR_SYNTAX);
    buf_printf(&large, "%0*d", JWT_BYTES_MAX + 1, 0);
    assert_int_equal(jwt_check(buf_str(&large), KEY, 8, &claims, NULL), ERR_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_made_is_read_again),
        cmocka_unit_test(a_known_token_comes_out_byte_for_byte),
        cmocka_unit_test(the_example_of_rfc_7515_is_right_until_it_expires),
        cmocka_unit_test(the_three_hmac_algorithms_are_known),
        cmocka_unit_test(every_other_algorithm_is_refused),
        cmocka_unit_test(times_are_honoured_where_there_are_any),
        cmocka_unit_test(claims_of_the_wrong_kind_are_refused),
        cmocka_unit_test(a_wrong_key_is_refused_and_so_is_an_empty_one),
        cmocka_unit_test(a_token_with_any_byte_changed_missing_or_added_is_refused),
        cmocka_unit_test(each_part_that_is_wrong_has_a_message_of_its_own),
        cmocka_unit_test(what_is_no_token_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
