/* canonical.h - JSON that can be written in one way only: the lines of a ledger.
 *
 * For:    what is hashed and signed must be the same bytes for everybody who writes it.
 * Memory: a Canonical owns its text; canonical_done() frees it. A check keeps nothing.
 * Thread: pure; one at a time for a writer.
 * Source: docs/spec/contest-operations.md 11.3; RFC 8785, restricted to objects, arrays, strings,
 *         true, false, null and whole numbers of an amount below 2^53.
 *
 * No blanks; members by the UTF-16 units of their names, none twice; strings in UTF-8, with \b \t
 * \n \f \r \" \\ and \u00xx for what must be escaped and nothing else escaped.
 */
#ifndef WARG_PROOF_CANONICAL_H
#define WARG_PROOF_CANONICAL_H

#include "base/buf.h"
#include "base/err.h"

#define CANONICAL_DEPTH_MAX  16
#define CANONICAL_NUMBER_MAX ((INT64_C(1) << 53) - 1)

/* ---- reading ---- */

/* Whether `line`, without its newline, is one canonical object. Errors: ERR_SYNTAX with the byte as
 * column; ERR_LIMIT for what is nested deeper than CANONICAL_DEPTH_MAX. */
int canonical_check(Str line, Err *err);

/* The value of a member of the object itself, as it is written, of a line that was checked. False
 * when there is none. `name` must not need an escape. */
bool canonical_member(Str line, Str name, Str *ret_value);

/* Appends the text of a checked string, with its quotes, as it was before it was escaped. False
 * when the value is no string. */
bool canonical_text(Str value, Buf *out);

/* ---- writing ---- */

/* A member that is written, or was: where its name and its value are in the text. */
typedef struct CanonicalMember {
    size_t start; /* of the name's quote */
    size_t value;
    size_t end;
} CanonicalMember;

/* Open, so that it lives in another struct; zero it before. Touch it through functions. */
typedef struct Canonical {
    Buf text;
    Buf sorted; /* room for putting members in order */
    CanonicalMember *members;
    size_t count; /* of all objects that are open */
    size_t room;
    unsigned depth;
    struct {
        size_t start; /* of the bracket */
        size_t first; /* its first member */
        bool object, filled;
    } open[CANONICAL_DEPTH_MAX];
    Err err; /* the first that went wrong */
} Canonical;

void canonical_done(Canonical *canonical); /* also for CLEANUP */
/* Begins anew; the room stays. */
void canonical_clear(Canonical *canonical);

/* Opens an object '{' or an array '['; canonical_close closes the one opened last, and puts the
 * members of an object in their order. What is wrong is remembered: canonical_end tells. */
void canonical_open(Canonical *canonical, char bracket);
void canonical_close(Canonical *canonical);
void canonical_key(Canonical *canonical, Str name);

void canonical_put_text(Canonical *canonical, Str text);
void canonical_put_number(Canonical *canonical, int64_t number);
void canonical_put_bool(Canonical *canonical, bool value);
void canonical_put_null(Canonical *canonical);

/* The object that was written and closed, borrowed until the next change. Errors: the first of
 * ERR_RULE (a name twice, a name or an end missing), ERR_SYNTAX (no UTF-8), ERR_LIMIT (a number,
 * the depth), ERR_MEMORY. */
int canonical_end(Canonical *canonical, Str *ret_text, Err *err);

#endif
