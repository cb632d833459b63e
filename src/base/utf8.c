#include "base/utf8.h"

/* Most characters of Japanese: three bytes, and no narrower range for the second. */
static bool is_common(const unsigned char *bytes)
{
    return (bytes[0] & 0xF0) == 0xE0 && bytes[0] != 0xE0 && bytes[0] != 0xED &&
           (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80;
}

uint32_t utf8_next(Str *rest)
{
    const unsigned char *bytes = (const unsigned char *)rest->bytes;
    unsigned char first = bytes[0];

    if (rest->len >= 3 && is_common(bytes)) {
        *rest = (Str){rest->bytes + 3, rest->len - 3};
        return (first & 0x0Fu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
    }
    size_t more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    uint32_t code = first;
    size_t at = 1;

    if (first >= 0x80) {
        /* The second byte has a narrower range behind E0 (overlong), ED (surrogates), F0
         * (overlong) and F4 (above U+10FFFF). */
        unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;

        code = first & (0x3Fu >> more);
        if (first < 0xC2 || first > 0xF4)
            more = SIZE_MAX; /* can't begin anything */
        for (; more != SIZE_MAX && at <= more; at++) {
            if (at == rest->len || bytes[at] < low || bytes[at] > high)
                break;
            code = code << 6 | (bytes[at] & 0x3Fu);
            low = 0x80;
            high = 0xBF;
        }
        if (at <= more)
            code = UTF8_INVALID;
    }
    *rest = str_part(*rest, at, rest->len);
    return code;
}

bool utf8_valid(Str text)
{
    while (text.len)
        if (utf8_next(&text) == UTF8_INVALID)
            return false;
    return true;
}

size_t utf8_count(Str text)
{
    size_t count = 0;

    for (; text.len; count++)
        utf8_next(&text);
    return count;
}

typedef struct Range {
    uint32_t first;
    uint32_t last;
} Range;

static bool in_ranges(uint32_t code, const Range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

/* EastAsianWidth.txt, W and F, neighbouring blocks joined. */
static const Range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18DFF}, {0x1AFF0, 0x1B2FF},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD},
};
static const Range zero[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x0300, 0x036F}, {0x200B, 0x200F},
    {0x202A, 0x202E}, {0x2060, 0x206F}, {0x20D0, 0x20FF}, {0x3099, 0x309A},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
};

size_t utf8_width(Str text)
{
    size_t width = 0;

    while (text.len) {
        uint32_t code = utf8_next(&text);
        if (in_ranges(code, zero, sizeof(zero) / sizeof(zero[0])))
            continue;
        width += in_ranges(code, wide, sizeof(wide) / sizeof(wide[0])) ? 2 : 1;
    }
    return width;
}

static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void utf8_add_printable(Str text, size_t max, Buf *out)
{
    for (; text.len && max > 0; max--) {
        Str before = text;
        uint32_t c = utf8_next(&text);
        if (c == UTF8_INVALID || is_control(c))
            buf_add(out, STR("\xEF\xBF\xBD"));
        else
            buf_add(out, str_part(before, 0, before.len - text.len));
    }
    if (text.len)
        buf_add(out, STR("..."));
}
