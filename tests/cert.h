/* cert.h - certificates for tests, made when they run.
 *
 * For:    tests of TLS. Include it before our own headers: OpenSSL's name arguments as functions
 *         that base/banned.h poisons.
 * Memory: two files under /tmp, until cert_done.
 * Thread: the test's.
 * Source: RFC 5280.
 */
#ifndef WARG_TESTS_CERT_H
#define WARG_TESTS_CERT_H

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A certificate that vouches for itself, for localhost and 127.0.0.1, and its key, as files. */
typedef struct Cert {
    char cert_path[64];
    char key_path[64];
} Cert;

static inline FILE *cert_file(char path[static 64])
{
    snprintf(path, 64, "/tmp/warg-cert-XXXXXX");
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (!file)
        abort();
    return file;
}

static inline void cert_make(Cert *cert)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *x509 = X509_new();
    X509_NAME *name = X509_get_subject_name(x509);
    X509V3_CTX context;

    X509_set_version(x509, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
    X509_set_pubkey(x509, key);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0);
    X509_set_issuer_name(x509, name);
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, x509, x509, NULL, NULL, 0);
    X509_EXTENSION *extension =
        X509V3_EXT_conf_nid(NULL, &context, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
    X509_add_ext(x509, extension, -1);
    X509_EXTENSION_free(extension);
    if (!X509_sign(x509, key, EVP_sha256()))
        abort();

    FILE *file = cert_file(cert->cert_path);
    PEM_write_X509(file, x509);
    fclose(file);
    file = cert_file(cert->key_path);
    PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);
    fclose(file);
    X509_free(x509);
    EVP_PKEY_free(key);
}

static inline void cert_done(Cert *cert)
{
    unlink(cert->cert_path);
    unlink(cert->key_path);
}

#endif
