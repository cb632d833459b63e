/* tls.h - TLS for connections, without any I/O: bytes in, bytes out.
 *
 * For:    net/web.c (--tls-cert, --tls-key), wss:// of net/web_client.c, net/xmpp_client.c.
 * Memory: a Tls owns its state; what tls_feed gives is borrowed until the next call.
 * Thread: one at a time; a TlsServer may be shared by the loop's connections.
 * Source: RFC 8446, 5246, through OpenSSL's memory BIOs; guide: libraries, "TLS".
 */
#ifndef WARG_NET_TLS_H
#define WARG_NET_TLS_H

#include "base/buf.h"
#include "base/err.h"

typedef struct TlsServer TlsServer; /* certificate and key */
typedef struct TlsTrust TlsTrust;   /* what a client accepts */
typedef struct Tls Tls;             /* one connection */

/* Reads a certificate chain and a key, PEM; at least TLS 1.2.
 * Errors: ERR_IO that names the file, ERR_SYNTAX, ERR_RULE when they do not belong together. */
int tls_server_new(const char *cert_path, const char *key_path, TlsServer **ret_server, Err *err);
TlsServer *tls_server_free(TlsServer *server);
/* The system's certificates, or those of a file. */
int tls_trust_new(const char *ca_path, TlsTrust **ret_trust, Err *err);
/* Any certificate at all: who listens is not known then. */
int tls_trust_anybody(TlsTrust **ret_trust, Err *err);
TlsTrust *tls_trust_free(TlsTrust *trust);

int tls_accept(TlsServer *server, Tls **ret_tls, Err *err);
int tls_connect(TlsTrust *trust, const char *host, Tls **ret_tls, Err *err);
Tls *tls_free(Tls *tls);

/* Bytes from the peer; decrypted ones are appended to `plain`, bytes to be sent to `out`.
 * Errors: ERR_SYNTAX when the peer does not speak TLS or breaks it, ERR_RULE when its certificate
 * is not accepted; *ret_ended: it ended in order. */
int tls_feed(Tls *tls, Str bytes, Buf *plain, Buf *out, bool *ret_ended, Err *err);
/* Encrypts; before the handshake is over it is kept. Appends to `out`. */
int tls_send(Tls *tls, Str plain, Buf *out, Err *err);
/* Appends the closing alert. */
void tls_end(Tls *tls, Buf *out);

#endif
