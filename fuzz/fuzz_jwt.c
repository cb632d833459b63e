/* fuzz_jwt.c - no text is a token but one that was signed, and whatever a signed one says is read
 * or refused. Input: a token; or, behind a line end, a header, a line end and a payload to sign. */
#include "base/digest.h"
#include "wire/jwt.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define KEY STR("a key of the fuzzer")

static void check_claims(const JwtClaims *claims, int64_t now)
{
    assert(memchr(claims->role, '\0', sizeof(claims->role)));
    assert(memchr(claims->team, '\0', sizeof(claims->team)));
    assert(claims->expires == 0 || claims->expires > now);
    assert(claims->not_before <= now);
}

/* What was read can be made again, and is read again as the same. */
static void check_made(const JwtClaims *claims, int64_t now)
{
    CLEANUP(buf_done) Buf token = {0};
    JwtClaims again;

    assert(jwt_make(claims, now, KEY, &token, NULL) == 0);
    assert(jwt_check(buf_str(&token), KEY, now, &again, NULL) == 0);
    assert(strcmp(again.role, claims->role) == 0 && strcmp(again.team, claims->team) == 0);
    assert(again.expires == claims->expires && again.not_before == claims->not_before);
}

static void sign(Str header, Str payload, Buf *out)
{
    unsigned char mac[DIGEST_BYTES_MAX];
    size_t n = 0;

    base64_encode(header, true, out);
    buf_add_char(out, '.');
    base64_encode(payload, true, out);
    assert(hmac_sha(256, KEY, buf_str(out), mac, &n, NULL) == 0);
    buf_add_char(out, '.');
    base64_encode((Str){(const char *)mac, n}, true, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf token = {0};
    Str rest = {(const char *)data, size};
    bool with_key = size > 0 && data[0] == '\n';
    int64_t now = 1000;
    JwtClaims claims;
    Err err = {0};

    if (with_key) {
        str_cut(&rest, '\n');
        Str header = str_cut(&rest, '\n');
        sign(header, rest, &token);
    } else {
        buf_add(&token, rest);
    }
    int rc = jwt_check(buf_str(&token), KEY, now, &claims, &err);
    assert(rc == 0 || ((rc == ERR_SYNTAX || rc == ERR_RULE) && rc == err.code && err.msg[0]));
    if (rc == 0) {
        assert(with_key); /* nobody else knows it */
        check_claims(&claims, now);
        check_made(&claims, now);
    }
    return 0;
}
