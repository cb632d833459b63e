/* role.h - what accounts are to a contest, and to the whole server: admins, organisers, judges.
 *
 * For:    the site's doors, `warg contest invite`.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 4 (roles), 12 (table role).
 */
#ifndef WARG_SITE_ROLE_H
#define WARG_SITE_ROLE_H

#include "site/may.h"
#include "store/db.h"

#define ROLE_SERVER 0 /* in place of a contest: the whole server */

typedef enum SiteRole {
    ROLE_ADMIN, /* of the server alone */
    ROLE_ORGANISER,
    ROLE_JUDGE,
    SITE_ROLES,
} SiteRole;

/* "organiser", as the store has it; "" for SITE_ROLES. */
const char *site_role_name(SiteRole role);
/* SITE_ROLES for what is none. */
SiteRole site_role_of(Str name);

/* Twice changes nothing. All logins of the account end, as docs/spec/contest-operations.md 4 has
 * it. Errors: ERR_RULE for an admin of a contest, or another role of the server; the store's. */
int site_role_give(Db *db, int64_t account, int64_t contest, SiteRole role, Err *err);
/* What was not there is no error. */
int site_role_take(Db *db, int64_t account, int64_t contest, SiteRole role, Err *err);

/* IS_ADMIN, IS_ORGANISER, IS_JUDGE (site/may.h) of an account, or-ed: of the server, and of
 * `contest` when it is not ROLE_SERVER. */
int site_role_relations(Db *db, int64_t account, int64_t contest, unsigned *ret_relations,
                        Err *err);

#endif
