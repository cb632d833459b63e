#include "terminal/clean.h"

#include "base/utf8.h"

static bool is_unseen(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C ||
           code == 0x180E || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
           code == 0xFEFF || (code >= 0xFFF0 && code <= 0xFFFB) ||
           (code >= 0xE0000 && code <= 0xE007F);
}

void clean_line(Str text, Buf *out)
{
    while (text.len) {
        Str before = text;
        uint32_t code = utf8_next(&text);

        if (code == UTF8_INVALID)
            buf_add(out, STR("\xEF\xBF\xBD"));
        else if (code == '\t' || code == '\n' || code == '\r')
            buf_add_char(out, ' ');
        else if (!is_unseen(code))
            buf_add(out, (Str){before.bytes, before.len - text.len});
    }
}

/* Japanese has no blanks: a row may end between any two characters, but none begins with what
 * closes or ends with what opens (JIS X 4051, the common part). */
static bool is_one_of(uint32_t code, Str set)
{
    while (set.len)
        if (utf8_next(&set) == code)
            return true;
    return false;
}

static bool may_cut(uint32_t before, bool before_wide, uint32_t code, bool wide)
{
    if (!wide && (!before_wide || is_one_of(code, STR(".,:;!?)]}"))))
        return false;
    return !is_one_of(code, STR("、。，．・：；？！」』）】〕］｝〉》ー々"
                                "ぁぃぅぇぉっゃゅょァィゥェォッャュョ…")) &&
           !is_one_of(before, STR("「『（【〔［｛〈《([{"));
}

size_t clean_fold(Str text, size_t columns)
{
    size_t width = 0, cut = 0;
    uint32_t before = ' ';
    bool before_wide = false;
    Str rest = text;

    while (rest.len) {
        size_t at = text.len - rest.len;
        Str character = rest;
        uint32_t code = utf8_next(&rest);

        character.len -= rest.len;
        bool wide = utf8_width(character) > 1;
        width += utf8_width(character);
        if (code == ' ' || (at > 0 && before != ' ' && may_cut(before, before_wide, code, wide)))
            cut = at; /* a blank may stand behind the edge */
        if (width > columns && at > 0)
            return cut ? cut : at;
        before = code;
        before_wide = wide;
    }
    return text.len;
}
