#include "base/str.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

Str str_trim(Str s)
{
    while (s.len && is_blank(s.bytes[0]))
        s = str_part(s, 1, s.len);
    while (s.len && is_blank(s.bytes[s.len - 1]))
        s.len--;
    return s;
}

Str str_cut(Str *rest, char separator)
{
    const char *at = rest->len ? memchr(rest->bytes, separator, rest->len) : NULL;
    size_t n = at ? (size_t)(at - rest->bytes) : rest->len;
    Str head = str_part(*rest, 0, n);

    *rest = str_part(*rest, at ? n + 1 : n, rest->len);
    return head;
}

bool str_to_uint(Str s, uint64_t max, uint64_t *ret_value)
{
    uint64_t value = 0;

    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.bytes[i] < '0' || s.bytes[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(s.bytes[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (value > max)
        return false;
    *ret_value = value;
    return true;
}

bool str_to_int(Str s, int64_t min, int64_t max, int64_t *ret_value)
{
    bool negative = s.len && s.bytes[0] == '-';
    uint64_t magnitude;

    if (!str_to_uint(negative ? str_part(s, 1, s.len) : s, INT64_MAX, &magnitude))
        return false;
    int64_t value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    if (value < min || value > max)
        return false;
    *ret_value = value;
    return true;
}

bool str_find(Str s, Str part, size_t *ret_at)
{
    for (size_t at = 0; at + part.len <= s.len; at++)
        if (str_starts(str_part(s, at, SIZE_MAX), part)) {
            *ret_at = at;
            return true;
        }
    return false;
}

uint32_t str_hash(Str s)
{
    uint32_t value = 2166136261u;

    for (size_t i = 0; i < s.len; i++)
        value = (value ^ (unsigned char)s.bytes[i]) * 16777619u;
    return value;
}
