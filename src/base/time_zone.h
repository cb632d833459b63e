/* time_zone.h - times as clocks of a place show them: which moment "2027-07-21 24:00" in Tokyo is.
 *
 * For:    dates of contest files.
 * Memory: a TimeZone has a copy of the file; time_zone_done frees it.
 * Thread: pure. Where the files lie is the caller's business.
 * Source: RFC 8536 (TZif, versions 2 and later), POSIX.1 8.3 (the rule behind its last change).
 */
#ifndef WARG_BASE_TIME_ZONE_H
#define WARG_BASE_TIME_ZONE_H

#include "base/buf.h"
#include "base/err.h"

#define TIME_ZONE_BYTES_MAX ((size_t)256 * 1024)

/* A day of summer time, or of its end. */
typedef struct ZoneDay {
    enum { ZONE_DAY_MONTH, ZONE_DAY_JULIAN, ZONE_DAY_ZERO } kind;
    int month, week, weekday; /* the week-th weekday of the month, 5 = the last */
    int day;                  /* Jn: 1 to 365, no 29 February; n: 0 to 365 */
    int32_t seconds;          /* behind its midnight */
} ZoneDay;

/* Open, so that it lives on a stack. {0} is UTC. */
typedef struct TimeZone {
    Buf bytes;
    size_t times, types, rows; /* where they begin in the bytes */
    uint32_t time_count, type_count;
    bool has_rule, has_summer;
    int32_t standard, summer; /* seconds east of UTC, by the rule */
    ZoneDay begins, ends;
} TimeZone;

void time_zone_done(TimeZone *zone); /* also for CLEANUP */

/* Reads the bytes of a file of zoneinfo. Errors: ERR_SYNTAX, ERR_LIMIT, ERR_MEMORY. */
int time_zone_read(Str bytes, TimeZone *ret_zone, Err *err);

/* How many seconds a clock there is east of UTC at `unix_s`. */
int32_t time_zone_offset(const TimeZone *zone, int64_t unix_s);

/* "2027-07-21 09:00", "2027-07-21 24:00" (the next midnight), "2027-07-21" (its first moment), with
 * seconds behind the minutes or without, as a clock there shows it, or a text of RFC 3339 with its
 * own offset ("...T09:00:00Z", "...+09:00"): Unix milliseconds. Of a time that the clock shows
 * twice the first is meant; one that it leaves out is so long behind the last it shows. False for
 * any other text. */
bool time_zone_moment(const TimeZone *zone, Str text, int64_t *ret_ms);

/* "2027-07-21 09:00", as a clock there shows it. */
void time_zone_print(const TimeZone *zone, int64_t unix_ms, Buf *out);

#endif
