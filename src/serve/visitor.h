/* visitor.h - who asks a server of the natural-language division, and what a stranger must not
 * know.
 *
 * For:    serve/server_web.c.
 * Memory: nothing is kept; a token is borrowed from the request or the caller's Buf.
 * Thread: pure: the time is an argument.
 * Source: docs/spec/nlp-division.md 1.3; docs/spec/web.md 4.2 (rules 5 and 7), 11.2: agents have
 *         the network, so whatever anybody may read of a running game its participants read too.
 */
#ifndef WARG_SERVE_VISITOR_H
#define WARG_SERVE_VISITOR_H

#include "net/web.h"

typedef enum Visitor {
    VISITOR_STRANGER, /* authentication is on, and no good token came */
    VISITOR_PUBLIC,   /* authentication is off: who may watch, but not know more than the village */
    VISITOR_OPERATOR, /* the operator's token, a RECEIVER's, or all is open */
} Visitor;

/* What a server goes by. Texts are borrowed. */
typedef struct VisitorRules {
    bool authentication;
    Str secret_key;     /* of RECEIVER tokens, with authentication */
    Str operator_token; /* empty = none */
    bool open;          /* everybody may know everything */
} VisitorRules;

Visitor visitor_of(const VisitorRules *rules, const WebRequest *request, int64_t unix_seconds);

/* Whether this token opens everything that a request with it would. */
bool visitor_may_see_all(const VisitorRules *rules, Str token, int64_t unix_seconds);

/* The token of a request: of its query, else of its Authorization header. */
Str visitor_token(const WebRequest *request, Buf *value);

#endif
