/* Durations as Go's time.ParseDuration reads them, and its YAML reader: docs/spec/nlp-division.md
 * 7.1.
 */
#include "nlp/config.h"

#define NS_PER_MS UINT64_C(1000000)

typedef struct Unit {
    const char *name;
    uint64_t ns;
} Unit;

/* Longer names before those they begin with. The micro sign has two code points. */
static const Unit units[] = {
    {"ns", 1},
    {"us", 1000},
    {"\xC2\xB5s", 1000},
    {"\xCE\xBCs", 1000},
    {"ms", NS_PER_MS},
    {"s", UINT64_C(1000000000)},
    {"m", UINT64_C(60000000000)},
    {"h", UINT64_C(3600000000000)},
};

static bool is_digit(Str text)
{
    return text.len && text.bytes[0] >= '0' && text.bytes[0] <= '9';
}

/* Digits off the front of `*rest`; false on overflow. */
static bool take_digits(Str *rest, uint64_t *ret_value, size_t *ret_count)
{
    uint64_t value = 0;
    size_t n = 0;

    for (; n < rest->len && is_digit(str_part(*rest, n, 1)); n++) {
        uint64_t digit = (uint64_t)(rest->bytes[n] - '0');
        if (value > ((uint64_t)INT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *rest = str_part(*rest, n, rest->len);
    *ret_value = value;
    *ret_count = n;
    return true;
}

/* ".5" off the front of `*rest`, as a part of one. Digits beyond the ninth are below a nanosecond
 * of any second. */
static double take_fraction(Str *rest, size_t *ret_count)
{
    double value = 0, scale = 1;
    size_t n = 1;

    *ret_count = 0;
    if (rest->len == 0 || rest->bytes[0] != '.')
        return 0;
    for (; n < rest->len && is_digit(str_part(*rest, n, 1)); n++) {
        scale /= 10;
        value += scale * (rest->bytes[n] - '0');
    }
    *rest = str_part(*rest, n, rest->len);
    *ret_count = n - 1;
    return value;
}

static bool take_unit(Str *rest, uint64_t *ret_ns)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        Str name = str_of(units[i].name);
        if (!str_starts(*rest, name))
            continue;
        *ret_ns = units[i].ns;
        *rest = str_part(*rest, name.len, rest->len);
        return true;
    }
    return false;
}

/* One "1.5h" off the front, added to `*ns`. */
static bool take_part(Str *rest, uint64_t *ns)
{
    size_t digits, places;
    uint64_t whole, unit;

    if (!take_digits(rest, &whole, &digits))
        return false;
    double part = take_fraction(rest, &places);
    if (digits + places == 0 || !take_unit(rest, &unit))
        return false;
    if (whole > (uint64_t)INT64_MAX / unit)
        return false;
    /* half a nanosecond more, so that 0.001ms is not 999 */
    uint64_t more = whole * unit + (uint64_t)(part * (double)unit + 0.5);
    if (more > (uint64_t)INT64_MAX - *ns)
        return false;
    *ns += more;
    return true;
}

static bool read_ns(Str text, uint64_t *ret_ns)
{
    Str rest = text;
    uint64_t ns = 0;
    size_t digits;

    if (rest.len && rest.bytes[0] == '+')
        rest = str_part(rest, 1, rest.len);
    Str number = rest;
    if (!rest.len || (is_digit(number) && !take_digits(&number, &ns, &digits)))
        return false;
    if (number.len == 0) { /* a bare number: nanoseconds */
        *ret_ns = ns;
        return true;
    }
    ns = 0;
    while (rest.len)
        if (!take_part(&rest, &ns))
            return false;
    *ret_ns = ns;
    return true;
}

int config_duration(Str text, int64_t *ret_ms, Err *err)
{
    uint64_t ns;

    if (!read_ns(text, &ns))
        return err_set(err, ERR_SYNTAX,
                       "expected a duration such as 500ms, 60s or 1m30s, but got '%.*s'",
                       STR_ARG(str_part(text, 0, 60)));
    *ret_ms = (int64_t)(ns / NS_PER_MS + (ns % NS_PER_MS != 0));
    return 0;
}
