#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>

Json json_over(Buf *out)
{
    return (Json){.out = out};
}

static uint32_t level_bit(unsigned depth)
{
    return UINT32_C(1) << depth;
}

/* The comma in front of a value or key, where one is due. */
static void separate_value(Json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->depth == 0)
        return;
    if (json->filled & level_bit(json->depth))
        buf_add_char(json->out, ',');
    json->filled |= level_bit(json->depth);
}

/* A value stands behind a key in an object, and only there. */
static void begin_value(Json *json)
{
    assert(json->after_key == ((json->object & level_bit(json->depth)) != 0));
    separate_value(json);
}

void json_open(Json *json, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    assert(json->depth < JSON_DEPTH_MAX);
    begin_value(json);
    buf_add_char(json->out, bracket);
    json->depth++;
    json->filled &= ~level_bit(json->depth);
    json->object &= ~level_bit(json->depth);
    if (bracket == '{')
        json->object |= level_bit(json->depth);
}

void json_close(Json *json)
{
    assert(json->depth > 0 && !json->after_key);
    buf_add_char(json->out, json->object & level_bit(json->depth) ? '}' : ']');
    json->depth--;
}

void json_key(Json *json, Str key)
{
    assert((json->object & level_bit(json->depth)) != 0 && !json->after_key);
    separate_value(json);
    json_quote(json->out, key, json->ascii);
    buf_add_char(json->out, ':');
    json->after_key = true;
}

void json_put_str(Json *json, Str text)
{
    begin_value(json);
    json_quote(json->out, text, json->ascii);
}

void json_put_uint(Json *json, uint64_t value)
{
    begin_value(json);
    buf_add_uint(json->out, value);
}

void json_put_int(Json *json, int64_t value)
{
    begin_value(json);
    buf_add_int(json->out, value);
}

void json_put_bool(Json *json, bool value)
{
    begin_value(json);
    buf_add(json->out, value ? STR("true") : STR("false"));
}

void json_put_null(Json *json)
{
    begin_value(json);
    buf_add(json->out, STR("null"));
}

void json_put_real(Json *json, double value, int decimals)
{
    begin_value(json);
    if (isfinite(value))
        buf_printf(json->out, "%.*f", decimals, value);
    else
        buf_add(json->out, STR("null"));
}

void json_put_raw(Json *json, Str value)
{
    begin_value(json);
    buf_add(json->out, value);
}

/* ---- strings ---- */

static void unicode_escape(Buf *out, uint32_t code)
{
    if (code >= 0x10000) {
        code -= 0x10000;
        buf_printf(out, "\\u%04x\\u%04x", 0xD800u + (code >> 10), 0xDC00u + (code & 0x3FF));
    } else {
        buf_printf(out, "\\u%04x", code);
    }
}

static void escape_char(Buf *out, char c)
{
    static const char from[] = "\"\\\b\f\n\r\t";
    static const char to[] = "\"\\bfnrt";
    const char *at = c ? strchr(from, c) : NULL;

    if (at) {
        buf_add_char(out, '\\');
        buf_add_char(out, to[at - from]);
    } else {
        unicode_escape(out, (unsigned char)c);
    }
}

/* How many of these eight bytes, from the first on, are printable ASCII but neither " nor \. Bit 7
 * of each byte of `odd` says that it is not; a borrow can only damage bytes behind the first odd
 * one. */
static size_t plain_of_eight(const char *bytes)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word = 0;

    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\', del = word ^ ones * 0x7F;
    uint64_t odd = (quote - ones) | (backslash - ones) | (del - ones) | (word - ones * ' ') | word;
    odd &= ones * 0x80;
    return odd ? (size_t)__builtin_ctzll(odd) / 8 : 8;
}

/* How many of the characters at `at` have three bytes, are whole and no control characters, in
 * bytes: a Japanese text is nothing else. */
static size_t threes_of(const char *at, const char *end)
{
    const char *from = at;

    for (; end - at >= 3; at += 3) {
        unsigned char first = (unsigned char)at[0];
        if ((first & 0xF0) != 0xE0 || first == 0xE0 || first == 0xED || (at[1] & 0xC0) != 0x80 ||
            (at[2] & 0xC0) != 0x80)
            break;
    }
    return (size_t)(at - from);
}

/* Takes a character off the front that can't be copied. */
static void quote_one(Buf *out, Str *text, bool ascii)
{
    char first = text->bytes[0];
    uint32_t code = utf8_next(text);

    if (code < 0x20 || code == '"' || code == '\\')
        escape_char(out, first);
    else if (code == UTF8_INVALID)
        buf_add(out, ascii ? STR("\\ufffd") : STR("\xEF\xBF\xBD"));
    else
        unicode_escape(out, code);
}

/* Copies what needs no thought from the front of `text` to `to`, which has twice its room and 8
 * bytes more: printable ASCII, " and \ with a \ in front, and, unless `ascii`, whole characters
 * above the control characters of C1 (terminals obey those). Returns the end. */
static char *quote_plain(char *to, Str *text, bool ascii)
{
    const char *at = text->bytes, *end = at + text->len;

    while (at < end) {
        size_t plain = 0;
        if (end - at >= 8) {
            plain = plain_of_eight(at);
            memcpy(to, at, 8); /* what is too much is written over */
            to += plain;
            at += plain;
            if (plain == 8)
                continue;
        }
        if (*at == '"' || *at == '\\') {
            *to++ = '\\';
            *to++ = *at++;
        } else if (*at >= 0x20 && *at < 0x7F) {
            *to++ = *at++;
        } else {
            size_t threes = ascii ? 0 : threes_of(at, end);
            if (threes > 0) {
                memcpy(to, at, threes);
                to += threes;
                at += threes;
                continue;
            }
            Str rest = {at, (size_t)(end - at)};
            uint32_t code = ascii ? UTF8_INVALID : utf8_next(&rest);
            if (code < 0xA0 || code == UTF8_INVALID)
                break;
            for (; at < rest.bytes; at++)
                *to++ = *at;
        }
    }
    *text = (Str){at, (size_t)(end - at)};
    return to;
}

void json_quote(Buf *out, Str text, bool ascii)
{
    buf_add_char(out, '"');
    while (text.len && buf_reserve(out, 2 * text.len + 8)) {
        char *to = quote_plain(out->bytes + out->len, &text, ascii);
        out->len = (size_t)(to - out->bytes);
        *to = '\0';
        if (text.len)
            quote_one(out, &text, ascii);
    }
    buf_add_char(out, '"');
}

/* Whether none of these eight bytes is " or \\. */
static bool eight_need_nothing(const char *bytes)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word;

    memcpy(&word, bytes, sizeof(word));
    uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
    return ((((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & ones * 0x80) == 0;
}

/* Appends `count` bytes with a \ in front of each " and \. Branches could not be guessed: in JSON
 * every few bytes are one. The next of `to` is written over where there was none. */
static char *escape_bytes(char *to, const char *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *to = '\\';
        to += from[i] == '"' || from[i] == '\\';
        *to++ = from[i];
    }
    return to;
}

void json_quote_json(Buf *out, Str json)
{
    if (!buf_reserve(out, 2 * json.len + 2))
        return;
    const char *at = json.bytes, *end = at + json.len;
    char *to = out->bytes + out->len;
    *to++ = '"';
    for (; end - at >= 8; at += 8) {
        if (eight_need_nothing(at)) {
            memcpy(to, at, 8);
            to += 8;
        } else {
            to = escape_bytes(to, at, 8);
        }
    }
    to = escape_bytes(to, at, (size_t)(end - at));
    *to++ = '"';
    *to = '\0';
    out->len = (size_t)(to - out->bytes);
}
