#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"

static void digests_are_those_of_the_standard(void **state)
{
    char hex[SHA256_HEX_BYTES];

    (void)state;
    assert_int_equal(sha256_hex(STR("abc"), hex, NULL), 0);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(sha256_hex(STR(""), hex, NULL), 0);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static Str bytes_of(const unsigned char *bytes, size_t n)
{
    return (Str){(const char *)bytes, n};
}

/* RFC 6455 1.3: the handshake's example; RFC 4648 10. */
static void sha1_and_base64_are_those_of_their_documents(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    unsigned char bits[SHA1_BYTES];

    (void)state;
    assert_int_equal(
        sha1(STR("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11"), bits, NULL), 0);
    base64_encode(bytes_of(bits, sizeof(bits)), false, &text);
    assert_string_equal(buf_cstr(&text), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    buf_clear(&text);
    base64_encode(STR("fo"), false, &text);
    base64_encode(STR("foob"), true, &text);
    assert_string_equal(buf_cstr(&text), "Zm8=Zm9vYg");
    buf_clear(&text);
    assert_int_equal(base64_decode(STR("Zm9vYg"), true, &text, NULL), 0);
    assert_int_equal(base64_decode(STR("Zm8="), false, &text, NULL), 0);
    assert_string_equal(buf_cstr(&text), "foobfo");
}

static void base64_that_no_encoder_writes_is_refused(void **state)
{
    static const char *const wrong[] = {"Z", "Zm8", "Zm9=", "Zm 8", "Zm8=Zm8=", "Zm8-"};
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(base64_decode(str_of(wrong[i]), false, &text, NULL), ERR_SYNTAX);
    assert_int_equal(base64_decode((Str){"Zm\0v", 4}, true, &text, NULL), ERR_SYNTAX);
}

/* RFC 4231 4.3: test case 2. */
static void a_keyed_digest_is_that_of_its_document(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    unsigned char mac[DIGEST_BYTES_MAX];
    size_t n = 0;

    (void)state;
    for (int bits = 256; bits <= 512; bits += 128) {
        assert_int_equal(
            hmac_sha(bits, STR("Jefe"), STR("what do ya want for nothing?"), mac, &n, NULL), 0);
        assert_int_equal(n, bits / 8);
        buf_printf(&text, "%02x%02x ", mac[0], mac[n - 1]);
    }
    assert_string_equal(buf_cstr(&text), "5b43 af49 1637 ");
    assert_true(digest_equal(STR("same"), STR("same")));
    assert_false(digest_equal(STR("same"), STR("sane")));
    assert_false(digest_equal(STR("same"), STR("sam")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(sha1_and_base64_are_those_of_their_documents),
        cmocka_unit_test(base64_that_no_encoder_writes_is_refused),
        cmocka_unit_test(a_keyed_digest_is_that_of_its_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
