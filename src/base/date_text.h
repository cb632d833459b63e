/* date_text.h - moments as texts: 2026-08-01T12:34:56.789Z.
 *
 * For:    the journal, messages and records.
 * Memory: the text is in the caller's room.
 * Thread: any. Nothing here reads a clock.
 * Source: RFC 3339 5.6, always in UTC and with milliseconds; the Gregorian calendar.
 */
#ifndef WARG_BASE_DATE_TEXT_H
#define WARG_BASE_DATE_TEXT_H

#include "base/str.h"

#define DATE_MAX_MS    INT64_C(253402300799999) /* the last millisecond of the year 9999 */
#define DATE_TEXT_ROOM 96 /* for the widest numbers that printf could be given */

/* `ms` since 1970, 0..DATE_MAX_MS. */
Str date_text_write(int64_t ms, char room[static DATE_TEXT_ROOM]);

/* False for any text that date_text_write does not write. */
bool date_text_read(Str text, int64_t *ret_ms);

/* Days from 1970-01-01 to a date of the Gregorian calendar, of a year from 1 on, and back. */
int64_t date_text_days(int64_t year, int month, int day);
void date_text_day(int64_t days, int *ret_year, int *ret_month, int *ret_day);

#endif
