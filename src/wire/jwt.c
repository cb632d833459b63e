#include "wire/jwt.h"

#include "base/digest.h"
#include "base/json.h"
#include "wire/json_read.h"

/* ---- making ---- */

/* A claim's text: the array is full or ends at the first NUL. */
static Str claim_text(const char *text, size_t size)
{
    return (Str){text, strnlen(text, size)};
}

static void write_claims(const JwtClaims *claims, int64_t issued_at, Buf *out)
{
    Str role = claim_text(claims->role, sizeof(claims->role));
    Str team = claim_text(claims->team, sizeof(claims->team));
    Json json = json_over(out);

    json_open(&json, '{');
    if (role.len) {
        json_add_str(&json, "role", role);
    }
    if (team.len) {
        json_add_str(&json, "team", team);
    }
    json_add_int(&json, "iat", issued_at);
    if (claims->not_before) {
        json_add_int(&json, "nbf", claims->not_before);
    }
    if (claims->expires) {
        json_add_int(&json, "exp", claims->expires);
    }
    json_close(&json);
}

int jwt_make(const JwtClaims *claims, int64_t issued_at, Str key, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf payload = {0};
    CLEANUP(buf_done) Buf token = {0};
    unsigned char mac[DIGEST_BYTES_MAX];
    size_t mac_bytes;

    if (key.len == 0)
        return err_set(err, ERR_RULE, "token: the key is empty");
    write_claims(claims, issued_at, &payload);
    base64_encode(STR("{\"alg\":\"HS256\",\"typ\":\"JWT\"}"), true, &token);
    buf_add_char(&token, '.');
    base64_encode(buf_str(&payload), true, &token);
    if (buf_failed(&payload) || buf_failed(&token))
        return err_set(err, ERR_MEMORY, "token: out of memory");
    int rc = hmac_sha(256, key, buf_str(&token), mac, &mac_bytes, err);
    if (rc)
        return rc;
    buf_add_char(&token, '.');
    base64_encode((Str){(const char *)mac, mac_bytes}, true, &token);
    buf_add(out, buf_str(&token));
    if (buf_failed(&token) || buf_failed(out))
        return err_set(err, ERR_MEMORY, "token: out of memory");
    return 0;
}

/* ---- checking ---- */

/* A token in its parts: RFC 7515 3.1. */
typedef struct Parts {
    Str header;
    Str payload;
    Str signature;
    Str signed_text; /* header and payload with the dot between them */
} Parts;

static int split_token(Str token, Parts *ret_parts, Err *err)
{
    Str rest = token;
    size_t dots = 0;

    if (token.len > JWT_BYTES_MAX)
        return err_set(err, ERR_SYNTAX, "token: %zu bytes; at most %d are read", token.len,
                       JWT_BYTES_MAX);
    for (size_t i = 0; i < token.len; i++)
        dots += token.bytes[i] == '.';
    if (dots != 2)
        return err_set(err, ERR_SYNTAX, "token: %zu dots; expected 2", dots);
    ret_parts->header = str_cut(&rest, '.');
    ret_parts->payload = str_cut(&rest, '.');
    ret_parts->signature = rest;
    ret_parts->signed_text = str_part(token, 0, token.len - rest.len - 1);
    return 0;
}

/* The JSON object of a part, to be given back with json_done. */
static int read_object(Str part, const char *what, json_t **ret_json, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    json_t *json = NULL;
    int rc = base64_decode(part, true, &text, NULL);

    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "token: out of memory");
    if (rc == 0)
        rc = json_read(buf_str(&text), JWT_BYTES_MAX, &json, NULL);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "token: out of memory");
    if (rc || !json_is_map(json)) {
        json_done(json);
        return err_set(err, ERR_SYNTAX, "token: its %s is no JSON object in base64url", what);
    }
    *ret_json = json;
    return 0;
}

/* 256, 384 or 512: RFC 7518 3.2. An algorithm of another family, above all "none", would let the
 * token choose how it is checked. `crit` asks for rules that nobody here knows: RFC 7515 4.1.11. */
static int read_bits(const json_t *header, int *ret_bits, Err *err)
{
    static const struct {
        Str name;
        int bits;
    } algorithms[] = {{{"HS256", 5}, 256}, {{"HS384", 5}, 384}, {{"HS512", 5}, 512}};
    Str name = {0};

    if (json_get(header, "crit"))
        return err_set(err, ERR_RULE, "token: its header has a 'crit'");
    if (!json_as_str(json_get(header, "alg"), &name))
        return err_set(err, ERR_SYNTAX, "token: its header has no 'alg'");
    for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++)
        if (str_eq(name, algorithms[i].name)) {
            *ret_bits = algorithms[i].bits;
            return 0;
        }
    return err_set(err, ERR_RULE, "token: algorithm '%.*s'; expected HS256, HS384 or HS512",
                   STR_ARG(str_part(name, 0, 32)));
}

static int check_signature(const Parts *parts, Str key, Err *err)
{
    CLEANUP(buf_done) Buf signature = {0};
    unsigned char mac[DIGEST_BYTES_MAX];
    size_t mac_bytes;
    json_t *header;
    int bits = 0;
    int rc = read_object(parts->header, "header", &header, err);

    if (rc)
        return rc;
    rc = read_bits(header, &bits, err);
    json_done(header);
    if (rc)
        return rc;
    if (base64_decode(parts->signature, true, &signature, NULL))
        return err_set(err, ERR_SYNTAX, "token: its signature is no base64url");
    if (buf_failed(&signature))
        return err_set(err, ERR_MEMORY, "token: out of memory");
    rc = hmac_sha(bits, key, parts->signed_text, mac, &mac_bytes, err);
    if (rc)
        return rc;
    if (!digest_equal(buf_str(&signature), (Str){(const char *)mac, mac_bytes}))
        return err_set(err, ERR_RULE, "token: its signature is not made with this key");
    return 0;
}

/* A claim's text into an array; absent = empty. */
static int read_text(const json_t *payload, const char *name, char *text, size_t size, Err *err)
{
    const json_t *claim = json_get(payload, name);
    Str value = {0};

    text[0] = '\0';
    if (!claim)
        return 0;
    if (!json_as_str(claim, &value))
        return err_set(err, ERR_SYNTAX, "token: '%s' is no text", name);
    if (value.len >= size || memchr(value.bytes, '\0', value.len))
        return err_set(err, ERR_SYNTAX, "token: '%s' is longer than %zu bytes, or has a NUL", name,
                       size - 1);
    memcpy(text, value.bytes, value.len);
    text[value.len] = '\0';
    return 0;
}

/* A NumericDate, which may have a fraction: RFC 7519 2. *ret_there tells whether it is there. */
static int read_date(const json_t *payload, const char *name, int64_t *ret_date, bool *ret_there,
                     Err *err)
{
    const json_t *claim = json_get(payload, name);
    double real = 0;

    *ret_there = claim != NULL;
    *ret_date = 0;
    if (!claim || json_as_int(claim, ret_date))
        return 0;
    if (!json_as_real(claim, &real) || !(real > -9e15 && real < 9e15))
        return err_set(err, ERR_SYNTAX, "token: '%s' is no time", name);
    *ret_date = (int64_t)real;
    return 0;
}

static int read_claims(const json_t *payload, int64_t now, JwtClaims *ret_claims, Err *err)
{
    JwtClaims claims = {0};
    bool expires, starts;
    int rc = read_text(payload, "role", claims.role, sizeof(claims.role), err);

    if (rc == 0)
        rc = read_text(payload, "team", claims.team, sizeof(claims.team), err);
    if (rc == 0)
        rc = read_date(payload, "exp", &claims.expires, &expires, err);
    if (rc == 0)
        rc = read_date(payload, "nbf", &claims.not_before, &starts, err);
    if (rc)
        return rc;
    if (expires && now >= claims.expires)
        return err_set(err, ERR_RULE, "token: it expired at %lld", (long long)claims.expires);
    if (starts && now < claims.not_before)
        return err_set(err, ERR_RULE, "token: it begins at %lld", (long long)claims.not_before);
    *ret_claims = claims;
    return 0;
}

/* The payload is not looked at before the signature is known to be right. */
int jwt_check(Str token, Str key, int64_t now, JwtClaims *ret_claims, Err *err)
{
    Parts parts;
    json_t *payload;

    if (key.len == 0)
        return err_set(err, ERR_RULE, "token: there is no key to check it with");
    int rc = split_token(token, &parts, err);
    if (rc == 0)
        rc = check_signature(&parts, key, err);
    if (rc == 0)
        rc = read_object(parts.payload, "payload", &payload, err);
    if (rc)
        return rc;
    rc = read_claims(payload, now, ret_claims, err);
    json_done(payload);
    return rc;
}
