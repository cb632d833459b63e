#include "base/size_text.h"

#include <inttypes.h>

/* Largest first. */
static const struct {
    const char *unit;
    unsigned shift;
} units[] = {{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"", 0}};

bool size_text_read(Str text, uint64_t *ret_bytes)
{
    size_t digits = 0;
    uint64_t value;

    while (digits < text.len && text.bytes[digits] >= '0' && text.bytes[digits] <= '9')
        digits++;
    Str unit = str_part(text, digits, text.len);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (!str_eq(unit, str_of(units[i].unit)))
            continue;
        if (!str_to_uint(str_part(text, 0, digits), (uint64_t)INT64_MAX >> units[i].shift, &value))
            return false;
        *ret_bytes = value << units[i].shift;
        return true;
    }
    return false;
}

void size_text_write(uint64_t bytes, Buf *out)
{
    size_t i = 0;

    while (units[i].shift > 0 && (bytes == 0 || bytes & ((UINT64_C(1) << units[i].shift) - 1)))
        i++;
    buf_printf(out, "%" PRIu64 "%s", bytes >> units[i].shift, units[i].unit);
}
