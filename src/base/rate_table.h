/* rate_table.h - how often somebody may do something: token buckets, a table of fixed size.
 *
 * For:    logins, new accounts and calls of a contest site, by address and by account.
 * Memory: one allocation, never more: an attacker with many addresses fills it, and has those who
 *         have asked for least forgotten first, who have nothing to lose by it.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/contest-operations.md 4, "Rates".
 *
 * Keys are hashed with a number of the kernel's, so that nobody can choose addresses that share a
 * place with somebody else's.
 */
#ifndef WARG_BASE_RATE_TABLE_H
#define WARG_BASE_RATE_TABLE_H

#include "base/str.h"
#include "base/time_us.h"

/* At most `burst` at once, then one each `each`. */
typedef struct RateRule {
    uint32_t burst;
    TimeUs each;
} RateRule;

/* All keys of a table go by one rule: else one that is slow would push out those of a fast one. */
typedef struct RateTable RateTable;

/* Room for some `keys` at once; NULL without memory. `secret`: of the kernel's. */
RateTable *rate_table_new(RateRule rule, uint32_t keys, uint64_t secret);
RateTable *rate_table_free(RateTable *table); /* takes NULL */

/* Takes one for `key`. 0: it may; else how long until one is there. */
TimeUs rate_take(RateTable *table, Str key, TimeUs now);
/* The same without taking one. */
TimeUs rate_wait(const RateTable *table, Str key, TimeUs now);

#endif
