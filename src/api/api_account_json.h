/* api_account_json.h - an account as its owner sees it, and the cookie of a login.
 *
 * For:    api_account.c, api_account_secret.c, api_team.c (an account is made with a team).
 * Memory: see api_visit.h.
 * Thread: the loop's.
 * Source: docs/contest-api.md, GET /account.
 */
#ifndef WARG_API_API_ACCOUNT_JSON_H
#define WARG_API_API_ACCOUNT_JSON_H

#include "api/api_visit.h"

/* Writes the account of the visit into its answer, with teams, roles and the token of changes. */
int api_account_write_own(ApiVisit *visit, Err *err);

/* The visit's account is logged in from now on: the answer gets a cookie. */
int api_account_begin_login(ApiVisit *visit, Err *err);
/* ... and not any more. */
void api_account_forget_cookie(ApiVisit *visit);

/* Whether an account may be made here now with this link (may be empty), that password is one, and
 * this address has not made too many: else refused. */
int api_account_may_make(ApiVisit *visit, Str invite, Str login, Str password, Err *err);

/* Sends a link to the account's address, if it has one that is not confirmed: whoever follows it
 * reads mail there. Links that were sent before work no more. */
int api_account_ask_mail(ApiVisit *visit, Err *err);

/* Uses a link up and does what it is for: joins a team, gives a role, confirms an address.
 * `refused` when it is none, or of another account or an address that the account has left. */
int api_account_use_link(ApiVisit *visit, Str secret, Err *err);

/* Makes the account that the body describes, with the hash that was made; the visit is of that
 * account then, and logged in. A link in the body is used up. */
int api_account_make_now(ApiVisit *visit, Err *err);

#endif
