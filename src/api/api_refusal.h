/* api_refusal.h - why a request is not done: a code that never changes, a status, a sentence in the
 *                 reader's language.
 *
 * For:    the API's door and its handlers.
 * Memory: constant tables.
 * Thread: any.
 * Source: docs/contest-api.md, the table of codes; docs/spec/contest-operations.md 13.1.
 *
 * To add one: a word here, a row in api_refusal.c, a row in docs/contest-api.md.
 */
#ifndef WARG_API_API_REFUSAL_H
#define WARG_API_API_REFUSAL_H

#include "base/buf.h"
#include "base/err.h"

typedef enum ApiRefusal {
    REFUSE_NOTHING,
    REFUSE_BAD_REQUEST,
    REFUSE_JSON,      /* no JSON object */
    REFUSE_LOGIN,     /* log in first */
    REFUSE_PASSWORD,  /* login or password is wrong */
    REFUSE_FORBIDDEN, /* not yours to do */
    REFUSE_CSRF,      /* no change of a page of ours */
    REFUSE_NOT_FOUND,
    REFUSE_METHOD,
    REFUSE_SLOW,
    REFUSE_GONE,   /* it was here, and is not kept any more */
    REFUSE_RULE,   /* against the rules of the contest, or of the moment */
    REFUSE_LINK,   /* a link that was used, is over, or was none */
    REFUSE_SIGNUP, /* accounts are made by invitation */
    REFUSE_TOO_LARGE,
    REFUSE_TYPE,    /* another Content-Type is expected */
    REFUSE_FIELD,   /* a field can't have this value */
    REFUSE_MISSING, /* a field is missing */
    REFUSE_TOO_MANY,
    REFUSE_UNAVAILABLE,
    REFUSE_FULL,
    API_REFUSALS,
} ApiRefusal;

/* "too_large". */
const char *api_refusal_code(ApiRefusal refusal);
/* 413. */
unsigned api_refusal_status(ApiRefusal refusal);

/* Appends {"error":{"code","text","field"}}. `text` is what the domain says of it, in English, and
 * may be empty; `field` too. */
void api_refusal_write(ApiRefusal refusal, bool japanese, Str text, Str field, Buf *out);

/* Which refusal an error of the domain is. What it says of our disk or memory is not for others. */
ApiRefusal api_refusal_of(const Err *err);
/* The field that a sentence of the domain is about: "login" of "login: 'ann' is taken"; else empty.
 */
Str api_refusal_field(Str text);

#endif
