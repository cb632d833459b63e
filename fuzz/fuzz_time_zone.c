/* fuzz_time_zone.c - any bytes are a time zone or not; with one, a date that is a moment is printed
 * and read again as the same, or as one that the clock shows alike. */
#include "base/time_zone.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(time_zone_done) TimeZone zone = {0};
    const size_t date_bytes = size ? data[0] % 40u : 0;
    const Str all = {(const char *)data, size};
    const Str date = str_part(all, 1, date_bytes), file = str_part(all, 1 + date.len, size);
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    Err err = {0};
    int64_t ms = 0, again = 0;
    const int rc = time_zone_read(file, &zone, &err);

    assert(err.code == (ErrCode)rc);
    if (!time_zone_moment(&zone, date, &ms))
        return 0;
    time_zone_print(&zone, ms, &first);
    if (!time_zone_moment(&zone, buf_str(&first), &again)) /* a year before 1 or behind 9999 */
        return 0;
    time_zone_print(&zone, again, &second);
    assert(!buf_failed(&first) && !buf_failed(&second));
    return 0;
}
