#include "record/log_text.h"

#define ESCAPE_BYTES 4 /* \x1B */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_control(unsigned code)
{
    return (code < 0x20 && code != '\t') || (code >= 0x7F && code < 0xA0);
}

/* The character whose escape stands at the front of `text`; -1 = none does. */
static int escape_at(Str text)
{
    if (text.len < ESCAPE_BYTES || text.bytes[0] != '\\' || text.bytes[1] != 'x')
        return -1;
    int high = hex_digit(text.bytes[2]);
    int low = hex_digit(text.bytes[3]);
    int code = high * 16 + low;
    return high >= 0 && low >= 0 && (is_control((unsigned)code) || code == '\\') ? code : -1;
}

/* The control character at the front of `text`, and its bytes; -1 = another one. C1 has two. */
static int control_at(Str text, size_t *ret_bytes)
{
    unsigned char first = (unsigned char)text.bytes[0];
    unsigned char second = text.len > 1 ? (unsigned char)text.bytes[1] : 0;

    *ret_bytes = 1;
    if (first < 0x80)
        return is_control(first) ? first : -1;
    if (first != 0xC2 || second < 0x80 || second >= 0xA0)
        return -1;
    *ret_bytes = 2;
    return second;
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Whether eight bytes are plain, all at once. */
static bool is_plain_word(const char *bytes)
{
    const uint64_t high = EACH_BYTE(0x80);
    uint64_t word;

    memcpy(&word, bytes, sizeof(word));
    uint64_t slash = word ^ EACH_BYTE('\\');
    uint64_t beyond = word | (word + EACH_BYTE(1)); /* 0x7F and what is no ASCII */
    uint64_t below = (word - EACH_BYTE(' ')) & ~word;
    uint64_t slashes = (slash - EACH_BYTE(1)) & ~slash;
    return ((beyond | below | slashes) & high) == 0;
}

/* How many bytes at the front of `text` are neither a control character nor the beginning of
 * anything: most texts are only that. */
static size_t plain_bytes(Str text)
{
    size_t n = 0;

    while (text.len - n >= sizeof(uint64_t) && is_plain_word(text.bytes + n))
        n += sizeof(uint64_t);
    while (n < text.len && text.bytes[n] >= ' ' && text.bytes[n] < 0x7F && text.bytes[n] != '\\')
        n++;
    return n;
}

void log_text_write(Buf *out, Str text)
{
    for (size_t bytes; text.len; text = str_part(text, bytes, text.len)) {
        bytes = plain_bytes(text);
        if (bytes) {
            buf_add(out, str_part(text, 0, bytes));
            continue;
        }
        int control = control_at(text, &bytes);

        if (control == '\n' || control == '\r')
            buf_add_char(out, ' ');
        else if (control >= 0)
            buf_printf(out, "\\x%02X", (unsigned)control);
        else if (escape_at(text) >= 0)
            buf_add(out, STR("\\x5C"));
        else
            buf_add_char(out, text.bytes[0]);
    }
}

bool log_text_is_escaped(Str text)
{
    while (text.len) {
        const char *at = memchr(text.bytes, '\\', text.len);
        if (!at)
            return false;
        text = str_part(text, (size_t)(at - text.bytes), text.len);
        if (escape_at(text) >= 0)
            return true;
        text = str_part(text, 1, text.len);
    }
    return false;
}

void log_text_read(Buf *out, Str text)
{
    while (text.len) {
        int code = escape_at(text);

        if (code >= 0x80)
            buf_add_char(out, (char)0xC2);
        buf_add_char(out, code >= 0 ? (char)code : text.bytes[0]);
        text = str_part(text, code >= 0 ? ESCAPE_BYTES : 1, text.len);
    }
}
