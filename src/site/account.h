/* account.h - a person on a contest site: made, found, changed, erased.
 *
 * For:    the site's doors and `warg contest`.
 * Memory: an Account owns its texts; account_done frees them.
 * Thread: the store's; hashes of passwords come from elsewhere (site/password.h).
 * Source: docs/spec/contest-operations.md 4, 16.5.
 *
 * Logins are kept in small letters: Ann and ann are one. Nothing personal stands anywhere else, so
 * that an account can be erased: a number is left, to which the ledger and rulings point.
 */
#ifndef WARG_SITE_ACCOUNT_H
#define WARG_SITE_ACCOUNT_H

#include "base/buf.h"
#include "store/db.h"

typedef struct Account {
    int64_t id;
    Buf login, name, mail, language, hash;
    bool mail_ok; /* the address answered */
    bool disabled;
} Account;

void account_done(Account *account); /* also for CLEANUP */

/* What a person gives; borrowed. */
typedef struct AccountSetup {
    Str login;    /* 2 to 32 of a-z, 0-9, '.', '_' and '-', the first a letter or digit; any case */
    Str name;     /* at most 100 bytes, no control characters; may be empty */
    Str mail;     /* may be empty */
    Str language; /* en or ja */
    Str hash;     /* of password_hash; empty: nobody can log in yet */
} AccountSetup;

/* Errors: ERR_RULE with the field and what is wrong, or that the login is taken; those of db_step.
 */
int account_make(Db *db, const AccountSetup *setup, int64_t now_ms, int64_t *ret_id, Err *err);

/* The account of this login, or of this number; `id` 0 when there is none, or it is erased. */
int account_find(Db *db, Str login, Account *ret_account, Err *err);
int account_get(Db *db, int64_t id, Account *ret_account, Err *err);

/* What a person changes; NULL stays as it is. */
typedef struct AccountChange {
    const Str *name, *mail, *language; /* as AccountSetup has them */
} AccountChange;
/* Errors: as account_make. A new address has not answered yet. */
int account_change(Db *db, int64_t id, const AccountChange *change, Err *err);

/* The address answered, if it is the account's still. Errors: those of the store. */
int account_confirm_mail(Db *db, int64_t id, Str mail, bool *ret_confirmed, Err *err);

/* A new password; all logins but `cookie` end. */
int account_set_hash(Db *db, int64_t id, Str hash, Str cookie, Err *err);

/* Everything personal is gone, with logins, tokens, links, roles and memberships; the number stays.
 * A team of nobody else has withdrawn; one without another captain gets one. */
int account_erase(Db *db, int64_t id, int64_t now_ms, Err *err);

/* Everything that the store has of a person, as JSON, for that person. Errors: ERR_RULE for nobody.
 */
int account_write_all(Db *db, int64_t id, Buf *json, Err *err);

/* Whether people may be called so: UTF-8 in one line, nothing that a terminal or a page would obey
 * or show in another order. */
bool account_is_plain(Str text);

#endif
