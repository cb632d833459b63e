/* time_us.h - a time, as everything is told it.
 *
 * For:    every room. What it is now, net and main know; the others are told.
 * Memory: a value.
 * Thread: any.
 * Source: docs/architecture.md, "What holds everywhere".
 */
#ifndef WARG_BASE_TIME_US_H
#define WARG_BASE_TIME_US_H

#include <stdint.h>

/* Microseconds on a clock that never goes back. */
typedef int64_t TimeUs;
#define TIME_US_NEVER INT64_MAX
#define TIME_US_PAST  INT64_MIN /* before any other: at once */

/* The date, as Unix time in milliseconds. Whoever writes dates is handed one of these when it is
 * opened: loop_date_ms, or a test's. Any thread may call it. */
typedef int64_t DateMs(void);

/* The same of a time: which date it had, or has, by the calendar as it stands now. For those who
 * act later than what led to it: loop_date_of, or a test's. */
typedef int64_t DateOf(TimeUs at);

#endif
