#include "results/html_text.h"

#include "base/utf8.h"

/* Control characters, marks of direction, line separators, non-characters. */
static bool is_unfit(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
           (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

static void add_character(Str bytes, uint32_t c, Buf *out)
{
    if (is_unfit(c)) /* UTF8_INVALID ends in FFFF too */
        buf_add(out, STR("\xEF\xBF\xBD"));
    else if (c == '&')
        buf_add(out, STR("&amp;"));
    else if (c == '<')
        buf_add(out, STR("&lt;"));
    else if (c == '>')
        buf_add(out, STR("&gt;"));
    else if (c == '"')
        buf_add(out, STR("&quot;"));
    else if (c == '\'')
        buf_add(out, STR("&#39;"));
    else
        buf_add(out, bytes);
}

void html_text(Str text, Buf *out)
{
    while (text.len) {
        Str rest = text;
        uint32_t c = utf8_next(&rest);
        add_character(str_part(text, 0, text.len - rest.len), c, out);
        text = rest;
    }
}

void html_text_cut(Str text, size_t columns, Buf *out)
{
    bool cut = utf8_width(text) > columns;
    size_t left = cut ? columns - 1 : columns;

    while (text.len) {
        Str rest = text;
        uint32_t c = utf8_next(&rest);
        Str bytes = str_part(text, 0, text.len - rest.len);
        size_t width = utf8_width(bytes);
        if (cut && width > left)
            break;
        left -= width > left ? left : width;
        add_character(bytes, c, out);
        text = rest;
    }
    if (cut)
        buf_add(out, STR("\xE2\x80\xA6"));
}
