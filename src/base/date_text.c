/* A calendar of its own: gmtime_r follows the zone files of the machine, which may count leap
 * seconds, and a journal reads alike everywhere.
 */
#include "base/date_text.h"

#include <stdio.h>

/* Counted in eras of 400 years whose years begin in March, so that the leap day is the last of its
 * year. */
int64_t date_text_days(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = year / 400, of_era = year % 400;
    int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void date_text_day(int64_t days, int *ret_year, int *ret_month, int *ret_day)
{
    days += 719468;
    int64_t era = days / 146097, of_era = days % 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t shifted = (5 * of_year + 2) / 153; /* month, from March = 0 */

    *ret_day = (int)(of_year - (153 * shifted + 2) / 5 + 1);
    *ret_month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *ret_year = (int)(year + era * 400 + (*ret_month <= 2));
}

Str date_text_write(int64_t ms, char room[static DATE_TEXT_ROOM])
{
    int64_t seconds = ms / 1000, of_day = seconds % 86400;
    int year, month, day;

    date_text_day(seconds / 86400, &year, &month, &day);
    snprintf(room, DATE_TEXT_ROOM, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", year, month, day,
             (int)(of_day / 3600), (int)(of_day / 60 % 60), (int)(of_day % 60), (int)(ms % 1000));
    return str_of(room);
}

/* Read as numbers, written again, compared. */
bool date_text_read(Str text, int64_t *ret_ms)
{
    static const uint8_t starts[] = {0, 5, 8, 11, 14, 17, 20}, lengths[] = {4, 2, 2, 2, 2, 2, 3};
    char again[DATE_TEXT_ROOM];
    uint64_t part[7];

    for (size_t i = 0; i < 7; i++)
        if (!str_to_uint(str_part(text, starts[i], lengths[i]), 9999, &part[i]))
            return false;
    int64_t days = date_text_days((int64_t)part[0], (int)part[1], (int)part[2]);
    uint64_t of_day = (part[3] * 3600 + part[4] * 60 + part[5]) * 1000 + part[6];
    int64_t ms = days * 86400000 + (int64_t)of_day;
    if (part[1] < 1 || part[1] > 12 || ms < 0 || ms > DATE_MAX_MS)
        return false;
    *ret_ms = ms;
    return str_eq(date_text_write(ms, again), text);
}
