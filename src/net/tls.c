/* OpenSSL's headers name arguments as functions that base/banned.h poisons: so they come first. */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "net/tls.h"

#include "base/mem.h"

#include <sys/stat.h>

/* What goes through OpenSSL at once. Its memory BIOs never give back the room they once had, and an
 * idle connection should not keep that of its longest message. */
#define PIECE_BYTES     4096
#define HANDSHAKE_BYTES (128 * 1024) /* a client says less than this before it is known */

struct TlsServer {
    SSL_CTX *context;
};

struct TlsTrust {
    SSL_CTX *context;
};

struct Tls {
    SSL *ssl;
    BIO *in; /* belongs to `ssl`, as `to` does */
    BIO *to;
    Buf kept; /* to be encrypted when the handshake is over */
    size_t handshake_bytes;
    bool broken;
    bool ended;
};

/* ---- errors ---- */

/* The reason that OpenSSL gives for the last failure; its queue is emptied. */
static const char *error_reason(void)
{
    unsigned long code = ERR_peek_last_error();
    const char *text = code ? ERR_reason_error_string(code) : NULL;

    ERR_clear_error();
    return text ? text : "unknown reason";
}

/* ---- certificates ---- */

static SSL_CTX *context_new(bool server)
{
    ERR_clear_error();
    SSL_CTX *context = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());

    if (!context)
        return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    /* No renegotiation, which a peer could ask for without end; buffers go when they are empty. */
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_ENABLE_PARTIAL_WRITE);
    if (server) /* a session is not worth its memory: connections last for a game */
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return context;
}

/* Whether a file can be read at all; OpenSSL's own words for that are no help, and it would wait
 * for a FIFO. What a shell has opened already ("<(...)") may be one. */
static int check_file(const char *path, Err *err)
{
    struct stat about;

    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && strncmp(path, "/dev/fd/", 8) != 0)
        return err_set(err, ERR_IO, "'%s': can't be read: it is no regular file", path);
    ERR_clear_error();
    BIO *file = BIO_new_file(path, "r");

    BIO_free(file);
    return file ? 0 : err_set(err, ERR_IO, "'%s': can't be read: %s", path, error_reason());
}

int tls_server_new(const char *cert_path, const char *key_path, TlsServer **ret_server, Err *err)
{
    if (check_file(cert_path, err) || check_file(key_path, err))
        return ERR_IO;

    TlsServer *server = mem_new(sizeof(*server));
    if (server)
        server->context = context_new(true);
    if (!server || !server->context) {
        mem_free(server);
        return err_set(err, ERR_MEMORY, "TLS: out of memory");
    }
    int code = 0;
    if (SSL_CTX_use_certificate_chain_file(server->context, cert_path) != 1)
        code = err_set(err, ERR_SYNTAX, "'%s': expected a certificate in PEM: %s", cert_path,
                       error_reason());
    else if (SSL_CTX_use_PrivateKey_file(server->context, key_path, SSL_FILETYPE_PEM) != 1)
        code = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH
                   ? err_set(err, ERR_RULE, "'%s' is not the key of the certificate '%s'", key_path,
                             cert_path)
                   : err_set(err, ERR_SYNTAX, "'%s': expected a private key in PEM: %s", key_path,
                             error_reason());
    else if (SSL_CTX_check_private_key(server->context) != 1)
        code = err_set(err, ERR_RULE, "'%s' is not the key of the certificate '%s'", key_path,
                       cert_path);
    ERR_clear_error();
    if (code) {
        tls_server_free(server);
        return code;
    }
    *ret_server = server;
    return 0;
}

TlsServer *tls_server_free(TlsServer *server)
{
    if (server)
        SSL_CTX_free(server->context);
    return mem_free(server);
}

int tls_trust_anybody(TlsTrust **ret_trust, Err *err)
{
    TlsTrust *trust = mem_new(sizeof(*trust));

    if (trust)
        trust->context = context_new(false);
    if (!trust || !trust->context) {
        mem_free(trust);
        return err_set(err, ERR_MEMORY, "TLS: out of memory");
    }
    SSL_CTX_set_verify(trust->context, SSL_VERIFY_NONE, NULL);
    *ret_trust = trust;
    return 0;
}

int tls_trust_new(const char *ca_path, TlsTrust **ret_trust, Err *err)
{
    TlsTrust *trust;

    if (ca_path && check_file(ca_path, err))
        return ERR_IO;
    int code = tls_trust_anybody(&trust, err);
    if (code)
        return code;
    SSL_CTX_set_verify(trust->context, SSL_VERIFY_PEER, NULL);
    if (ca_path ? SSL_CTX_load_verify_file(trust->context, ca_path) != 1
                : SSL_CTX_set_default_verify_paths(trust->context) != 1) {
        tls_trust_free(trust);
        return err_set(err, ERR_SYNTAX, "'%s': expected certificates in PEM: %s",
                       ca_path ? ca_path : "the system's certificates", error_reason());
    }
    *ret_trust = trust;
    return 0;
}

TlsTrust *tls_trust_free(TlsTrust *trust)
{
    if (trust)
        SSL_CTX_free(trust->context);
    return mem_free(trust);
}

/* ---- connections ---- */

static int tls_new(SSL_CTX *context, Tls **ret_tls, Err *err)
{
    Tls *tls = mem_new(sizeof(*tls));

    ERR_clear_error();
    if (tls) {
        tls->ssl = SSL_new(context);
        tls->in = BIO_new(BIO_s_mem());
        tls->to = BIO_new(BIO_s_mem());
    }
    if (!tls || !tls->ssl || !tls->in || !tls->to) {
        if (tls) {
            BIO_free(tls->in);
            BIO_free(tls->to);
            SSL_free(tls->ssl);
        }
        mem_free(tls);
        return err_set(err, ERR_MEMORY, "TLS: out of memory");
    }
    BIO_set_mem_eof_return(tls->in, -1); /* empty means wait, not the end */
    BIO_set_mem_eof_return(tls->to, -1);
    SSL_set_bio(tls->ssl, tls->in, tls->to);
    *ret_tls = tls;
    return 0;
}

int tls_accept(TlsServer *server, Tls **ret_tls, Err *err)
{
    int code = tls_new(server->context, ret_tls, err);

    if (!code)
        SSL_set_accept_state((*ret_tls)->ssl);
    return code;
}

int tls_connect(TlsTrust *trust, const char *host, Tls **ret_tls, Err *err)
{
    Tls *tls;
    char name[256]; /* OpenSSL's macro casts away a const */
    int code = tls_new(trust->context, &tls, err);

    if (code)
        return code;
    snprintf(name, sizeof(name), "%s", host);
    X509_VERIFY_PARAM *param = SSL_get0_param(tls->ssl);
    /* An address is looked for among the certificate's addresses, and not named in the clear. */
    if (X509_VERIFY_PARAM_set1_ip_asc(param, host) != 1 &&
        (SSL_set1_host(tls->ssl, host) != 1 || SSL_set_tlsext_host_name(tls->ssl, name) != 1)) {
        tls_free(tls);
        return err_set(err, ERR_USAGE, "'%s' is no host name: %s", host, error_reason());
    }
    ERR_clear_error();
    SSL_set_connect_state(tls->ssl);
    *ret_tls = tls;
    return 0;
}

Tls *tls_free(Tls *tls)
{
    if (!tls)
        return NULL;
    SSL_free(tls->ssl);
    buf_done(&tls->kept);
    return mem_free(tls);
}

/* What OpenSSL wants to send. */
static void flush_bytes(Tls *tls, Buf *out)
{
    char *bytes = NULL;
    long n = BIO_get_mem_data(tls->to, &bytes);

    if (n > 0) {
        buf_add(out, (Str){bytes, (size_t)n});
        (void)BIO_reset(tls->to);
    }
}

/* After a call that returned `result`: 0 when it only has to wait. */
static int check_result(Tls *tls, int result, Err *err)
{
    switch (SSL_get_error(tls->ssl, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        return 0;
    case SSL_ERROR_ZERO_RETURN:
        tls->ended = true;
        return 0;
    default:
        break;
    }
    tls->broken = true;
    long verdict = SSL_get_verify_result(tls->ssl);
    if (verdict != X509_V_OK && SSL_get_verify_mode(tls->ssl) != SSL_VERIFY_NONE) {
        ERR_clear_error();
        return err_set(err, ERR_RULE, "TLS: the certificate is not accepted: %s",
                       X509_verify_cert_error_string(verdict));
    }
    return err_set(err, ERR_SYNTAX, "TLS: %s", error_reason());
}

static int encrypt_bytes(Tls *tls, Str plain, Buf *out, Err *err)
{
    while (plain.len) {
        int n = plain.len < PIECE_BYTES ? (int)plain.len : PIECE_BYTES;

        ERR_clear_error();
        int sent = SSL_write(tls->ssl, plain.bytes, n);
        flush_bytes(tls, out);
        if (sent <= 0) {
            int code = check_result(tls, sent, err);
            /* A memory BIO takes all, so there is nothing to wait for. */
            return code ? code : err_set(err, ERR_SYNTAX, "TLS: nothing can be sent");
        }
        plain = str_part(plain, (size_t)sent, SIZE_MAX);
    }
    return 0;
}

/* Sends what was kept, when the handshake is over. */
static int send_kept(Tls *tls, Buf *out, Err *err)
{
    if (!tls->kept.len || !SSL_is_init_finished(tls->ssl))
        return 0;
    int code = encrypt_bytes(tls, buf_str(&tls->kept), out, err);
    buf_done(&tls->kept);
    return code;
}

static int shake_hands(Tls *tls, Buf *out, Err *err)
{
    if (SSL_is_init_finished(tls->ssl))
        return 0;
    ERR_clear_error();
    int done = SSL_do_handshake(tls->ssl);
    int code = done == 1 ? 0 : check_result(tls, done, err);

    flush_bytes(tls, out);
    return code ? code : send_kept(tls, out, err);
}

static int decrypt_bytes(Tls *tls, Buf *plain, Buf *out, Err *err)
{
    char block[PIECE_BYTES];

    for (;;) {
        ERR_clear_error();
        int n = SSL_read(tls->ssl, block, sizeof(block));
        int code = n > 0 ? 0 : check_result(tls, n, err);
        flush_bytes(tls, out);
        if (n <= 0)
            return code;
        buf_add(plain, (Str){block, (size_t)n});
    }
}

static int feed_piece(Tls *tls, Str piece, Buf *plain, Buf *out, Err *err)
{
    if (BIO_write(tls->in, piece.bytes, (int)piece.len) < (int)piece.len)
        return err_set(err, ERR_MEMORY, "TLS: out of memory");
    int code = shake_hands(tls, out, err);
    if (code || tls->ended)
        return code;
    if (SSL_is_init_finished(tls->ssl))
        return decrypt_bytes(tls, plain, out, err);
    tls->handshake_bytes += piece.len;
    if (tls->handshake_bytes > HANDSHAKE_BYTES)
        return err_set(err, ERR_LIMIT, "TLS: the handshake is too long");
    return 0;
}

int tls_feed(Tls *tls, Str bytes, Buf *plain, Buf *out, bool *ret_ended, Err *err)
{
    int code = tls->broken ? err_set(err, ERR_SYNTAX, "TLS: broken before") : 0;

    while (bytes.len && !code && !tls->ended) {
        code = feed_piece(tls, str_part(bytes, 0, PIECE_BYTES), plain, out, err);
        bytes = str_part(bytes, PIECE_BYTES, SIZE_MAX);
    }
    if (!code && (buf_failed(plain) || buf_failed(out)))
        code = err_set(err, ERR_MEMORY, "TLS: out of memory");
    if (code) {
        tls->broken = true;
        return code;
    }
    *ret_ended = tls->ended;
    return 0;
}

int tls_send(Tls *tls, Str plain, Buf *out, Err *err)
{
    if (tls->broken)
        return err_set(err, ERR_SYNTAX, "TLS: broken before");
    if (SSL_is_init_finished(tls->ssl))
        return encrypt_bytes(tls, plain, out, err);
    buf_add(&tls->kept, plain);
    if (buf_failed(&tls->kept))
        return err_set(err, ERR_MEMORY, "TLS: out of memory");
    return shake_hands(tls, out, err); /* a client begins */
}

void tls_end(Tls *tls, Buf *out)
{
    if (tls->broken || !SSL_is_init_finished(tls->ssl))
        return;
    ERR_clear_error();
    SSL_shutdown(tls->ssl);
    ERR_clear_error();
    flush_bytes(tls, out);
}
