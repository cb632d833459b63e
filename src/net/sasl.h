/* sasl.h - logging in with a password, the client's side; GNU SASL is behind it. No I/O.
 *
 * For:    net/xmpp_login.h.
 * Memory: a Sasl has copies of what it is given.
 * Thread: one at a time.
 * Source: RFC 4422, 4616 (PLAIN), 5802 and 7677 (SCRAM); RFC 6120 6.
 */
#ifndef WARG_NET_SASL_H
#define WARG_NET_SASL_H

#include "base/buf.h"
#include "base/err.h"

#define SASL_ITERATIONS_MAX 100000 /* of the password's digest; servers ask for 4,096 to 10,000 */

typedef struct Sasl Sasl;

/* The strongest of the ways that the server offers, names with blanks between them: SCRAM-SHA-256,
 * SCRAM-SHA-1, PLAIN. Errors: ERR_RULE (it offers none of these), ERR_MEMORY. */
int sasl_new(Str offered, const char *name, const char *password, Sasl **ret_sasl, Err *err);
Sasl *sasl_free(Sasl *sasl); /* takes NULL, returns NULL */

const char *sasl_mechanism(const Sasl *sasl); /* "SCRAM-SHA-1" */

/* Appends what to answer to what the server `said`, both in base64; nothing was said before the
 * first answer. Errors: ERR_SYNTAX (it breaks the protocol, or doesn't know the password itself),
 * ERR_LIMIT (it wants more than SASL_ITERATIONS_MAX), ERR_MEMORY. */
int sasl_step(Sasl *sasl, Str said, Buf *answer, Err *err);

/* Whether nothing is left to be said: with SCRAM, whether the server has proved that it knows the
 * password too. A server that reports success before that is an impostor. */
bool sasl_is_done(const Sasl *sasl);

#endif
