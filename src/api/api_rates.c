#include "api/api_rates.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/rate_table.h"
#include "base/rng.h"

#define MINUTE     ((TimeUs)60 * 1000000)
#define KEYS       8192
#define PAUSES     4096
#define WAYS       8
#define FORGET_US  ((TimeUs)24 * 60 * MINUTE) /* failures so long ago count no more */
#define PAUSE_BITS 20

/* Failures of an account from an address. */
typedef struct Pause {
    uint64_t key; /* 0 = free */
    TimeUs until, last;
    uint32_t failures;
} Pause;

struct ApiRates {
    RateTable *address_calls, *account_calls, *address_logins, *accounts;
    uint64_t secret;
    Pause pauses[PAUSES];
};

ApiRates *api_rates_free(ApiRates *rates)
{
    if (!rates)
        return NULL;
    rate_table_free(rates->address_calls);
    rate_table_free(rates->account_calls);
    rate_table_free(rates->address_logins);
    rate_table_free(rates->accounts);
    return mem_free(rates);
}

ApiRates *api_rates_new(uint32_t calls_a_minute, uint64_t secret)
{
    ApiRates *rates = mem_new(sizeof(*rates));
    uint32_t calls_max = calls_a_minute ? calls_a_minute : API_CALLS_A_MINUTE;
    const RateRule calls = {calls_max, MINUTE / calls_max};
    const RateRule logins = {API_LOGINS_A_MINUTE, MINUTE / API_LOGINS_A_MINUTE};
    const RateRule accounts = {API_ACCOUNTS_AN_HOUR, 60 * MINUTE / API_ACCOUNTS_AN_HOUR};

    if (!rates)
        return NULL;
    rates->secret = secret;
    rates->address_calls = rate_table_new(calls, KEYS, secret);
    rates->account_calls = rate_table_new(calls, KEYS, secret);
    rates->address_logins = rate_table_new(logins, KEYS, secret);
    rates->accounts = rate_table_new(accounts, KEYS, secret);
    if (!rates->address_calls || !rates->account_calls || !rates->address_logins ||
        !rates->accounts)
        return api_rates_free(rates);
    return rates;
}

TimeUs api_rates_call(ApiRates *rates, Str address, int64_t account, TimeUs now)
{
    TimeUs wait = rate_take(rates->address_calls, address, now);

    if (wait == 0 && account)
        wait = rate_take(rates->account_calls,
                         (Str){(const char *)(const void *)&account, sizeof(account)}, now);
    return wait;
}

TimeUs api_rates_account(ApiRates *rates, Str address, TimeUs now)
{
    return rate_take(rates->accounts, address, now);
}

/* ---- pauses ---- */

/* Of both: logins are the same in letters of either case. */
static uint64_t key_of_pair(const ApiRates *rates, Str address, Str login)
{
    CLEANUP(buf_done) Buf pair = {0};

    buf_add(&pair, address);
    buf_add_char(&pair, '\n');
    for (size_t i = 0; i < login.len && i < 64; i++)
        buf_add_char(&pair, str_lower_char(login.bytes[i]));
    uint64_t key = rng_derive_text(rates->secret, buf_str(&pair));
    return key ? key : 1;
}

static Pause *find_pause(ApiRates *rates, uint64_t key)
{
    Pause *group = &rates->pauses[key % (PAUSES / WAYS) * WAYS];

    for (int i = 0; i < WAYS; i++)
        if (group[i].key == key)
            return &group[i];
    return NULL;
}

/* Its place, else a free one, else that of who has failed least. */
static Pause *make_pause(ApiRates *rates, uint64_t key)
{
    Pause *group = &rates->pauses[key % (PAUSES / WAYS) * WAYS], *least = group;

    for (int i = 0; i < WAYS; i++) {
        if (group[i].key == key)
            return &group[i];
        if (least->key && (!group[i].key || group[i].failures < least->failures))
            least = &group[i];
    }
    *least = (Pause){.key = key};
    return least;
}

TimeUs api_rates_login(ApiRates *rates, Str address, Str login, TimeUs now)
{
    const Pause *pause = find_pause(rates, key_of_pair(rates, address, login));

    if (pause && pause->until > now)
        return pause->until - now;
    return rate_take(rates->address_logins, address, now);
}

void api_rates_login_failed(ApiRates *rates, Str address, Str login, TimeUs now)
{
    Pause *pause = make_pause(rates, key_of_pair(rates, address, login));

    if (pause->failures && now - pause->last > FORGET_US)
        pause->failures = 0;
    pause->failures++;
    pause->last = now;
    if (pause->failures < API_FAILURES_FREE)
        return;
    uint32_t doublings = pause->failures - API_FAILURES_FREE;
    TimeUs length = doublings < PAUSE_BITS ? (TimeUs)1000000 << doublings : API_PAUSE_MAX_US;
    pause->until = now + (length < API_PAUSE_MAX_US ? length : API_PAUSE_MAX_US);
}

void api_rates_login_good(ApiRates *rates, Str address, Str login)
{
    Pause *pause = find_pause(rates, key_of_pair(rates, address, login));

    if (pause)
        *pause = (Pause){0};
}
