#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>

Json json_over(Buf *out)
{
    return (Json){.out = out};
}

static uint32_t bit(unsigned depth)
{
    return UINT32_C(1) << depth;
}

/* The comma in front of a value or key, where one is due. */
static void separate(Json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->depth == 0)
        return;
    if (json->filled & bit(json->depth))
        buf_add_char(json->out, ',');
    json->filled |= bit(json->depth);
}

/* A value stands behind a key in an object, and only there. */
static void begin_value(Json *json)
{
    assert(json->after_key == ((json->object & bit(json->depth)) != 0));
    separate(json);
}

void json_open(Json *json, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    assert(json->depth < JSON_DEPTH_MAX);
    begin_value(json);
    buf_add_char(json->out, bracket);
    json->depth++;
    json->filled &= ~bit(json->depth);
    json->object &= ~bit(json->depth);
    if (bracket == '{')
        json->object |= bit(json->depth);
}

void json_close(Json *json)
{
    assert(json->depth > 0 && !json->after_key);
    buf_add_char(json->out, json->object & bit(json->depth) ? '}' : ']');
    json->depth--;
}

void json_key(Json *json, Str key)
{
    assert((json->object & bit(json->depth)) != 0 && !json->after_key);
    separate(json);
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

static void escape(Buf *out, char c)
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

/* Whether the byte stands for itself in every string: printable ASCII but " and \. */
static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

/* How many bytes at the front can be copied as they are. */
static size_t plain_bytes(Str text, bool ascii)
{
    size_t n = 0;

    while (true) {
        while (n < text.len && is_plain(text.bytes[n]))
            n++;
        if (n == text.len || ascii || (unsigned char)text.bytes[n] < 0x80)
            break;
        Str rest = {text.bytes + n, text.len - n};
        uint32_t code = utf8_next(&rest);
        if (code < 0xA0 || code == UTF8_INVALID) /* terminals obey C1 */
            break;
        n = text.len - rest.len;
    }
    return n;
}

/* Takes a character off the front that can't be copied. */
static void quote_one(Buf *out, Str *text, bool ascii)
{
    char first = text->bytes[0];
    uint32_t code = utf8_next(text);

    if (code < 0x20 || code == '"' || code == '\\')
        escape(out, first);
    else if (code == UTF8_INVALID)
        buf_add(out, ascii ? STR("\\ufffd") : STR("\xEF\xBF\xBD"));
    else
        unicode_escape(out, code);
}

void json_quote(Buf *out, Str text, bool ascii)
{
    buf_add_char(out, '"');
    while (text.len) {
        size_t plain = plain_bytes(text, ascii);
        buf_add(out, (Str){text.bytes, plain});
        text = (Str){text.bytes + plain, text.len - plain};
        if (text.len && text.bytes[0] == '"') { /* most of all, in JSON within JSON */
            buf_add(out, STR("\\\""));
            text = (Str){text.bytes + 1, text.len - 1};
        } else if (text.len) {
            quote_one(out, &text, ascii);
        }
    }
    buf_add_char(out, '"');
}
