/* libcrypto's first: it has a parameter named rand, which base/banned.h poisons */
#define OPENSSL_SUPPRESS_DEPRECATED /* sha256_block */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include "base/digest.h"

#include "base/mem.h"

#include <assert.h>

static int digest_bytes(const EVP_MD *kind, Str bytes, unsigned char *ret_digest, Err *err)
{
    unsigned n = 0;

    if (EVP_Digest(bytes.bytes, bytes.len, ret_digest, &n, kind, NULL) != 1)
        return err_set(err, ERR_MEMORY, "digest: libcrypto refused");
    return 0;
}

int sha256_hex(Str bytes, char ret_hex[static SHA256_HEX_BYTES], Err *err)
{
    unsigned char bits[EVP_MAX_MD_SIZE];
    int rc = digest_bytes(EVP_sha256(), bytes, bits, err);

    if (rc)
        return rc;
    for (unsigned i = 0; i < 32; i++)
        snprintf(ret_hex + 2 * i, 3, "%02x", bits[i]);
    return 0;
}

struct Sha256 {
    SHA256_CTX context;
};

Sha256 *sha256_new(void)
{
    Sha256 *hash = mem_new(sizeof(*hash));

    if (hash)
        SHA256_Init(&hash->context);
    return hash;
}

void sha256_add(Sha256 *hash, Str bytes)
{
    if (bytes.len)
        SHA256_Update(&hash->context, bytes.bytes, bytes.len);
}

void sha256_end(Sha256 *take_hash, char ret_hex[static SHA256_HEX_BYTES])
{
    unsigned char bits[SHA256_DIGEST_LENGTH];

    SHA256_Final(bits, &take_hash->context);
    for (unsigned i = 0; i < sizeof(bits); i++)
        snprintf(ret_hex + 2 * i, 3, "%02x", bits[i]);
    mem_free(take_hash);
}

void sha256_begin(uint32_t ret_state[static 8])
{
    SHA256_CTX hash;

    SHA256_Init(&hash);
    memcpy(ret_state, hash.h, sizeof(hash.h));
}

/* libcrypto calls its functions for one algorithm old, but they neither allocate nor fail, and cost
 * a tenth of the general ones. */
void sha256_block(uint32_t state[static 8], const unsigned char block[static SHA256_BLOCK])
{
    SHA256_CTX hash;

    memcpy(hash.h, state, sizeof(hash.h));
    SHA256_Transform(&hash, block);
    memcpy(state, hash.h, sizeof(hash.h));
}

void sha256_texts(const Str *parts, size_t count, unsigned char ret_digest[static SHA256_BYTES])
{
    SHA256_CTX hash;

    SHA256_Init(&hash);
    for (size_t i = 0; i < count; i++)
        SHA256_Update(&hash, parts[i].bytes, parts[i].len);
    SHA256_Final(ret_digest, &hash);
}

int sha1(Str bytes, unsigned char ret_digest[static SHA1_BYTES], Err *err)
{
    unsigned char bits[EVP_MAX_MD_SIZE];
    int rc = digest_bytes(EVP_sha1(), bytes, bits, err);

    if (rc)
        return rc;
    memcpy(ret_digest, bits, SHA1_BYTES);
    return 0;
}

int hmac_sha(int bits, Str key, Str bytes, unsigned char ret_mac[static DIGEST_BYTES_MAX],
             size_t *ret_len, Err *err)
{
    const EVP_MD *kind = bits == 256 ? EVP_sha256() : bits == 384 ? EVP_sha384() : EVP_sha512();
    unsigned n = 0;

    assert(bits == 256 || bits == 384 || bits == 512);
    if (key.len > INT32_MAX || !HMAC(kind, key.bytes, (int)key.len,
                                     (const unsigned char *)bytes.bytes, bytes.len, ret_mac, &n))
        return err_set(err, ERR_MEMORY, "HMAC: libcrypto refused");
    *ret_len = n;
    return 0;
}

int ed25519_public(const unsigned char seed[static ED25519_KEY_BYTES],
                   unsigned char ret_public[static ED25519_KEY_BYTES], Err *err)
{
    size_t n = ED25519_KEY_BYTES;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, n);
    int made = key && EVP_PKEY_get_raw_public_key(key, ret_public, &n) == 1;

    EVP_PKEY_free(key);
    return made ? 0 : err_set(err, ERR_MEMORY, "Ed25519 key: libcrypto refused");
}

int ed25519_sign(const unsigned char seed[static ED25519_KEY_BYTES], Str bytes,
                 unsigned char ret_signature[static ED25519_SIGNATURE_BYTES], Err *err)
{
    size_t n = ED25519_SIGNATURE_BYTES;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, ED25519_KEY_BYTES);
    EVP_MD_CTX *work = EVP_MD_CTX_new();
    int made =
        key && work && EVP_DigestSignInit(work, NULL, NULL, NULL, key) == 1 &&
        EVP_DigestSign(work, ret_signature, &n, (const unsigned char *)bytes.bytes, bytes.len) == 1;

    EVP_MD_CTX_free(work);
    EVP_PKEY_free(key);
    return made ? 0 : err_set(err, ERR_MEMORY, "Ed25519 signature: libcrypto refused");
}

bool ed25519_holds(const unsigned char public_key[static ED25519_KEY_BYTES], Str bytes,
                   Str signature)
{
    EVP_PKEY *key =
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key, ED25519_KEY_BYTES);
    EVP_MD_CTX *work = EVP_MD_CTX_new();
    bool holds = signature.len == ED25519_SIGNATURE_BYTES && key && work &&
                 EVP_DigestVerifyInit(work, NULL, NULL, NULL, key) == 1 &&
                 EVP_DigestVerify(work, (const unsigned char *)signature.bytes, signature.len,
                                  (const unsigned char *)bytes.bytes, bytes.len) == 1;

    EVP_MD_CTX_free(work);
    EVP_PKEY_free(key);
    return holds;
}

bool digest_equal(Str a, Str b)
{
    return a.len == b.len && CRYPTO_memcmp(a.bytes, b.bytes, a.len) == 0;
}

static const char plain_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void base64_encode(Str bytes, bool url, Buf *out)
{
    const char *letters = url ? url_letters : plain_letters;

    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t n = bytes.len - i < 3 ? bytes.len - i : 3;
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (k < n ? (unsigned char)bytes.bytes[i + k] : 0u);
        for (size_t k = 0; k <= n; k++)
            buf_add_char(out, letters[group >> (18 - 6 * k) & 63]);
        for (size_t k = n; !url && k < 3; k++)
            buf_add_char(out, '=');
    }
}

int base64_decode(Str text, bool url, Buf *out, Err *err)
{
    const char *letters = url ? url_letters : plain_letters;
    size_t padding = 0;

    while (!url && padding < 2 && text.len && text.bytes[text.len - 1] == '=') {
        text.len--;
        padding++;
    }
    if (text.len % 4 == 1 || (!url && (text.len + padding) % 4 != 0))
        return err_set(err, ERR_SYNTAX, "base64: %zu letters can't be right", text.len);
    for (size_t i = 0; i < text.len; i += 4) {
        size_t n = text.len - i < 4 ? text.len - i : 4;
        uint32_t group = 0;
        for (size_t k = 0; k < 4; k++) {
            const char *at =
                k < n && text.bytes[i + k] ? strchr(letters, text.bytes[i + k]) : letters;
            if (!at || (k < n && !text.bytes[i + k]))
                return err_set(err, ERR_SYNTAX, "base64: letter %zu is none", i + k + 1);
            group = group << 6 | (uint32_t)(at - letters);
        }
        for (size_t k = 0; k + 1 < n; k++)
            buf_add_char(out, (char)(group >> (16 - 8 * k) & 255));
        if ((n == 2 && (group & 0xFFFF)) || (n == 3 && (group & 0xFF)))
            return err_set(err, ERR_SYNTAX, "base64: bits behind the end");
    }
    return 0;
}
