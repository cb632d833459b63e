#include <openssl/evp.h> /* first: it has a parameter named rand, which base/banned.h poisons */

#include "base/sha256.h"

int sha256_hex(Str bytes, char ret_hex[static SHA256_HEX_BYTES], Err *err)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;

    if (EVP_Digest(bytes.bytes, bytes.len, digest, &n, EVP_sha256(), NULL) != 1 || n != 32)
        return err_set(err, ERR_MEMORY, "SHA-256: libcrypto refused");
    for (unsigned i = 0; i < n; i++)
        snprintf(ret_hex + 2 * i, 3, "%02x", digest[i]);
    return 0;
}
