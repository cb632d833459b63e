/* api_rates.h - how often somebody may ask, log in, make accounts; who failed often waits.
 *
 * For:    the API's door.
 * Memory: an ApiRates is of a fixed size, whatever comes.
 * Thread: one at a time; time is an argument.
 * Source: docs/spec/contest-operations.md 4, "Rates"; O9.
 *
 * A pause is of an account and an address together: who guesses a password from one address does
 * not keep its owner out, who comes from another.
 */
#ifndef WARG_API_API_RATES_H
#define WARG_API_API_RATES_H

#include "base/str.h"
#include "base/time_us.h"

typedef struct ApiRates ApiRates;

#define API_CALLS_A_MINUTE   120
#define API_LOGINS_A_MINUTE  5
#define API_ACCOUNTS_AN_HOUR 5
#define API_FAILURES_FREE    5 /* failed logins in a row before the first pause */
#define API_PAUSE_MAX_US     ((TimeUs)15 * 60 * 1000000)

/* `secret`: of the kernel's. NULL without memory. */
ApiRates *api_rates_new(uint32_t calls_a_minute, uint64_t secret);
ApiRates *api_rates_free(ApiRates *rates); /* takes NULL, returns NULL */

/* Each takes one, and returns 0, or how long to wait. `address`: as rate_address writes it. */
TimeUs api_rates_call(ApiRates *rates, Str address, int64_t account, TimeUs now);
TimeUs api_rates_account(ApiRates *rates, Str address, TimeUs now);
/* A login: by the address, and the pause of address and account. */
TimeUs api_rates_login(ApiRates *rates, Str address, Str login, TimeUs now);

/* How it ended: behind five failures in a row the next ones wait 1 s, 2 s, 4 s ... up to 15 min. */
void api_rates_login_failed(ApiRates *rates, Str address, Str login, TimeUs now);
void api_rates_login_good(ApiRates *rates, Str address, Str login);

#endif
