/* api_handlers.h - what each route does; the table of routes names them.
 *
 * For:    api_routes.c.
 * Memory: see api_visit.h.
 * Thread: the loop's.
 * Source: docs/contest-api.md says for each what it takes and answers.
 */
#ifndef WARG_API_API_HANDLERS_H
#define WARG_API_API_HANDLERS_H

#include "api/api_visit.h"

/* ---- the server: api_server_state.c ---- */
ApiHandler api_state_health, api_state_ready, api_state_metrics;

/* ---- accounts: api_account.c, api_account_secret.c ---- */
ApiHandler api_account_make, api_account_see, api_account_change, api_account_erase,
    api_account_write;
ApiHandler api_log_in, api_log_out, api_reset;
ApiHandler api_tokens_list, api_tokens_make, api_tokens_end, api_logins_list, api_logins_end;
ApiHandler api_invite_use;
ApiHandler api_accounts_list, api_accounts_change;

#endif
