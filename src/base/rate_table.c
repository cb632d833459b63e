#include "base/rate_table.h"

#include "base/mem.h"
#include "base/rng.h"

#define WAYS 8 /* places that a key may have */

/* The moment from which nothing is owed any more: what was taken moves it on. */
typedef struct RatePlace {
    uint64_t key; /* 0 = free */
    TimeUs even;
} RatePlace;

struct RateTable {
    RateRule rule;
    uint64_t secret;
    uint32_t groups;
    RatePlace places[];
};

RateTable *rate_table_new(RateRule rule, uint32_t keys, uint64_t secret)
{
    const uint32_t groups = keys / WAYS + 1;
    RateTable *table = mem_new(sizeof(*table) + (size_t)groups * WAYS * sizeof(table->places[0]));

    if (table) {
        table->rule = rule;
        table->secret = secret;
        table->groups = groups;
    }
    return table;
}

RateTable *rate_table_free(RateTable *table)
{
    return mem_free(table);
}

static uint64_t key_of(const RateTable *table, Str key)
{
    const uint64_t hash = rng_derive_text(table->secret, key);

    return hash ? hash : 1;
}

/* Its place, or NULL. */
static const RatePlace *find_place(const RateTable *table, uint64_t key)
{
    const RatePlace *group = &table->places[key % table->groups * WAYS];

    for (int i = 0; i < WAYS; i++)
        if (group[i].key == key)
            return &group[i];
    return NULL;
}

/* Its place, else a free one, else that of who owes least. */
static RatePlace *make_place(RateTable *table, uint64_t key)
{
    RatePlace *group = &table->places[key % table->groups * WAYS], *least = group;

    for (int i = 0; i < WAYS; i++) {
        if (group[i].key == key)
            return &group[i];
        if (least->key && (!group[i].key || group[i].even < least->even))
            least = &group[i];
    }
    *least = (RatePlace){.key = key};
    return least;
}

/* How long until one more is within the rule. */
static TimeUs wait_until(TimeUs even, const RateRule *rule, TimeUs now)
{
    const TimeUs owed = even > now ? even - now : 0;
    const TimeUs most = (TimeUs)(rule->burst - 1) * rule->each;

    return owed > most ? owed - most : 0;
}

TimeUs rate_wait(const RateTable *table, Str key, TimeUs now)
{
    const RatePlace *place = find_place(table, key_of(table, key));

    return place ? wait_until(place->even, &table->rule, now) : 0;
}

TimeUs rate_take(RateTable *table, Str key, TimeUs now)
{
    RatePlace *place = make_place(table, key_of(table, key));
    const TimeUs wait = wait_until(place->even, &table->rule, now);

    if (wait)
        return wait;
    place->even = (place->even > now ? place->even : now) + table->rule.each;
    return 0;
}
