#include "base/duration_text.h"

bool duration_text_read(Str text, uint64_t *ret_ms)
{
    static const struct {
        const char *unit;
        uint64_t ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
    size_t digits = 0;
    uint64_t value;

    while (digits < text.len && text.bytes[digits] >= '0' && text.bytes[digits] <= '9')
        digits++;
    Str unit = str_part(text, digits, text.len);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (!str_eq(unit, str_of(units[i].unit)))
            continue;
        if (!str_to_uint(str_part(text, 0, digits), INT64_MAX / units[i].ms, &value))
            return false;
        *ret_ms = value * units[i].ms;
        return true;
    }
    return false;
}
