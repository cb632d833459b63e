/* api_password.h - passwords are hashed beside the loop: two at once, and not too many that wait.
 *
 * For:    the API's handlers of accounts.
 * Memory: what is hashed is a copy, overwritten behind it.
 * Thread: the loop's; hashes are made by workers (web/work.h).
 * Source: docs/spec/contest-operations.md 4: 2 at once, 64 waiting, then 503; O7.
 */
#ifndef WARG_API_API_PASSWORD_H
#define WARG_API_API_PASSWORD_H

#include "api/api_visit.h"

#define API_PASSWORDS_WAITING 64

/* Compares a password with a hash (an empty one is nobody's, and takes as long); keeps the visit,
 * whose `then` is called with `password.matches`. API_LATER, or REFUSE_UNAVAILABLE when too many
 * wait. */
int api_password_check(ApiVisit *visit, Str password, Str hash, ApiHandler *then, Err *err);
/* Makes a hash, for `then` in `password.hash`. As above. */
int api_password_make(ApiVisit *visit, Str password, ApiHandler *then, Err *err);

#endif
