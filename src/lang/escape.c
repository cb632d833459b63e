/* The escapes of the vector files, also used to show any text in a message. */
#include "base/utf8.h"
#include "lang/lang.h"

/* One character as escaped text; `at_edge` for the first and the last of a text. */
static size_t escape_one(uint32_t character, bool at_edge, char piece[static 13])
{
    static const char hex[] = "0123456789abcdef";
    const char *short_form = character == '\\'   ? "\\\\"
                             : character == '\t' ? "\\t"
                             : character == '\n' ? "\\n"
                             : character == '\r' ? "\\r"
                                                 : NULL;
    uint32_t units[2] = {character, 0};
    size_t len = 0;

    if (short_form) {
        memcpy(piece, short_form, 2);
        return 2;
    }
    if (character >= ' ' && character <= '~' && !(at_edge && character == ' ')) {
        piece[0] = (char)character;
        return 1;
    }
    if (character > 0xFFFF) { /* UTF-16: two halves */
        units[0] = 0xD800 + ((character - 0x10000) >> 10);
        units[1] = 0xDC00 + ((character - 0x10000) & 0x3FF);
    }
    for (size_t unit = 0; unit < 2 && (unit == 0 || units[unit]); unit++) {
        piece[len++] = '\\';
        piece[len++] = 'u';
        for (int shift = 12; shift >= 0; shift -= 4)
            piece[len++] = hex[(units[unit] >> shift) & 0xF];
    }
    return len;
}

size_t lang_escape(Str text, char *out, size_t room)
{
    size_t total = 0;
    size_t kept = 0;
    bool first = true;
    char piece[13];

    while (text.len) {
        uint32_t character = utf8_next(&text);
        if (character == UTF8_INVALID)
            character = UTF8_REPLACEMENT;
        size_t len = escape_one(character, first || text.len == 0, piece);

        if (kept == total && total + len < room) { /* nothing was left out so far */
            memcpy(out + total, piece, len);
            kept += len;
        }
        total += len;
        first = false;
    }
    if (room)
        out[kept] = '\0';
    return total;
}

/* The four hex digits at `at`; false when there are fewer. */
static bool hex_unit(Str text, size_t at, uint32_t *ret_unit)
{
    uint32_t unit = 0;

    for (size_t i = at; i < at + 4; i++) {
        char c = i < text.len ? text.bytes[i] : '\0';
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                : 16;
        if (digit == 16)
            return false;
        unit = unit << 4 | digit;
    }
    *ret_unit = unit;
    return true;
}

static void add_character(Buf *out, uint32_t character)
{
    if (character < 0x80) {
        buf_add_char(out, (char)character);
        return;
    }
    if (character < 0x800) {
        buf_add_char(out, (char)(0xC0 | character >> 6));
    } else if (character < 0x10000) {
        buf_add_char(out, (char)(0xE0 | character >> 12));
        buf_add_char(out, (char)(0x80 | (character >> 6 & 0x3F)));
    } else {
        buf_add_char(out, (char)(0xF0 | character >> 18));
        buf_add_char(out, (char)(0x80 | (character >> 12 & 0x3F)));
        buf_add_char(out, (char)(0x80 | (character >> 6 & 0x3F)));
    }
    buf_add_char(out, (char)(0x80 | (character & 0x3F)));
}

/* The character of the \uXXXX at `at`, with the second half behind it where there is one.
 * Returns the bytes used, 0 when it is malformed. */
static size_t unescape_unit(Str escaped, size_t at, uint32_t *ret_character)
{
    uint32_t high;
    uint32_t low;

    if (!hex_unit(escaped, at + 2, &high))
        return 0;
    *ret_character = high;
    if (high >= 0xD800 && high < 0xDC00 && str_starts(str_part(escaped, at + 6, 2), STR("\\u")) &&
        hex_unit(escaped, at + 8, &low) && low >= 0xDC00 && low < 0xE000) {
        *ret_character = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        return 12;
    }
    return 6;
}

int lang_unescape(Str escaped, Buf *out, Err *err)
{
    for (size_t at = 0; at < escaped.len;) {
        if (escaped.bytes[at] != '\\') {
            const char *next = memchr(escaped.bytes + at, '\\', escaped.len - at);
            size_t len = (next ? (size_t)(next - escaped.bytes) : escaped.len) - at;
            buf_add(out, str_part(escaped, at, len));
            at += len;
            continue;
        }
        char kind = at + 1 < escaped.len ? escaped.bytes[at + 1] : '\0';
        uint32_t character = kind == '\\'  ? '\\'
                             : kind == 't' ? '\t'
                             : kind == 'n' ? '\n'
                             : kind == 'r' ? '\r'
                                           : 0;
        size_t used = character ? 2 : kind == 'u' ? unescape_unit(escaped, at, &character) : 0;
        if (used == 0)
            return err_set_at(err, ERR_SYNTAX, 0, (unsigned)at + 1,
                              "expected an escape: \\\\ \\t \\n \\r or \\u and four hex digits");
        add_character(out, character);
        at += used;
    }
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "no memory for a text") : 0;
}
