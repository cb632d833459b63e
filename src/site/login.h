/* login.h - secrets that stand for somebody: cookies of browsers, tokens of scripts, links that
 * work once.
 *
 * For:    the contest site's doors.
 * Memory: plain texts; the store has their SHA-256 alone, so that who reads it can be nobody.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 4.
 *
 * Each is 32 bytes of the kernel's. What is not one of ours, is over, or was used costs a look-up
 * by its digest, whatever it says.
 */
#ifndef WARG_SITE_LOGIN_H
#define WARG_SITE_LOGIN_H

#include "base/buf.h"
#include "store/db.h"

#define SECRET_TEXT_BYTES 69 /* "wgt_", 64 hexadecimal digits, NUL */
#define LOGIN_DAYS        14
#define CSRF_TEXT_BYTES   65

/* Nobody's account. */
#define ACCOUNT_NONE 0

/* ---- cookies ---- */

/* A login of 14 days. `address`: where from, as the trail has it. Errors: those of db_step, ERR_IO.
 */
int login_begin(Db *db, int64_t account, Str address, int64_t now_ms,
                char ret_cookie[static SECRET_TEXT_BYTES], Err *err);
/* Whose it is, ACCOUNT_NONE for what is no login now, or one of an account that is disabled or
 * erased. */
int login_find(Db *db, Str cookie, int64_t now_ms, int64_t *ret_account, Err *err);
int login_end(Db *db, Str cookie, Err *err);
/* All of an account: a new password, a new role. `but`: this one stays; may be empty. */
int login_end_all(Db *db, int64_t account, Str but, Err *err);

/* What a page of this login has to send with every change: HMAC(cookie, "csrf"); "" for what is no
 * cookie of ours. */
void login_csrf(Str cookie, char ret_token[static CSRF_TEXT_BYTES]);
bool login_csrf_is(Str cookie, Str token);

/* ---- tokens of scripts ---- */

#define API_TOKENS_MAX 50 /* of an account; those that are over are forgotten */

typedef struct ApiTokenSetup {
    int64_t account;
    Str label;
    unsigned scopes; /* SiteScope (site/may.h), or-ed */
    int64_t now_ms;
    int64_t ends_ms; /* INT64_MAX: never */
} ApiTokenSetup;

/* Errors as above, ERR_RULE when the account has enough of them. */
int api_token_make(Db *db, const ApiTokenSetup *setup, char ret_token[static SECRET_TEXT_BYTES],
                   Err *err);
/* The scope of this name; 0 for what is none. */
unsigned api_token_scope(Str name);
/* Notes when it was used last, to the minute. ACCOUNT_NONE and no scopes for what is no token now.
 */
int api_token_find(Db *db, Str token, int64_t now_ms, int64_t *ret_account, unsigned *ret_scopes,
                   Err *err);
int api_token_end(Db *db, Str token, Err *err);
/* All of an account: a new password. */
int api_token_end_all(Db *db, int64_t account, Err *err);

/* ---- links that work once ---- */

typedef enum OnceKind {
    ONCE_RESET,  /* a new password: 30 minutes */
    ONCE_INVITE, /* into a team, as judge or organiser: 14 days */
    ONCE_MAIL,   /* an address is somebody's: 1 day */
    ONCE_ADMIN,  /* the first account of a server: 1 day */
    ONCE_KINDS,
} OnceKind;

/* `account` may be ACCOUNT_NONE; `data` is what it is for. Errors as above. */
int once_make(Db *db, OnceKind kind, int64_t account, Str data, int64_t now_ms,
              char ret_secret[static SECRET_TEXT_BYTES], Err *err);
/* Uses it up: of two who come at once one gets it. `ret_used`: whether it was one of this kind that
 * works. */
int once_use(Db *db, OnceKind kind, Str secret, int64_t now_ms, bool *ret_used,
             int64_t *ret_account, Buf *data, Err *err);

/* Those of an account and a kind work no more. Errors as above. */
int once_end_all(Db *db, OnceKind kind, int64_t account, Err *err);

#endif
