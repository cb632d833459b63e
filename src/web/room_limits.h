/* room_limits.h - how often an address may do something in a minute.
 *
 * For:    web/rooms.c: joins, and codes that are none.
 * Memory: a RoomLimits is a part of its owner's struct; nothing is allocated.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/web.md 6.4 ("Limits").
 *
 * Addresses share a table of fixed size by their hash: an attacker with many addresses can have
 * others counted with his, for a minute, and can't have more memory used.
 */
#ifndef WARG_WEB_ROOM_LIMITS_H
#define WARG_WEB_ROOM_LIMITS_H

#include "base/str.h"
#include "base/time_us.h"

#define ROOM_LIMIT_PLACES 4096
#define ROOM_LIMIT_US     ((TimeUs)60000000)

/* Acts in the minute that began at `since`. */
typedef struct RoomRate {
    TimeUs since;
    uint32_t count;
} RoomRate;

/* Counts one; false when it is one too many. */
static inline bool room_rate_take(RoomRate *rate, uint32_t most, TimeUs now)
{
    if (rate->count == 0 || now - rate->since >= ROOM_LIMIT_US)
        *rate = (RoomRate){.since = now};
    if (rate->count >= most)
        return false;
    rate->count++;
    return true;
}

/* Whether one more would be taken. */
static inline bool room_rate_has(const RoomRate *rate, uint32_t most, TimeUs now)
{
    return rate->count < most || now - rate->since >= ROOM_LIMIT_US;
}

typedef struct RoomLimits {
    RoomRate joins[ROOM_LIMIT_PLACES];
    RoomRate tries[ROOM_LIMIT_PLACES];
} RoomLimits;

/* `address`: its str_hash. */
static inline RoomRate *room_limit_of(RoomRate *rates, uint32_t address)
{
    return &rates[address % ROOM_LIMIT_PLACES];
}

#endif
