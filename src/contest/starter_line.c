#include "contest/starter_line.h"

bool starter_next_line(Str *rest, unsigned *number, Str *ret_line)
{
    while (rest->len) {
        Str line = str_trim(str_cut(rest, '\n'));
        ++*number;
        if (*number == 1 && str_starts(line, STR("\xEF\xBB\xBF"))) /* editors of Windows */
            line = str_trim(str_part(line, 3, line.len));
        if (line.len == 0 || line.bytes[0] == '#')
            continue;
        *ret_line = line;
        return true;
    }
    return false;
}

char starter_small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool starter_same_word(Str a, Str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (starter_small(a.bytes[i]) != starter_small(b.bytes[i]))
            return false;
    return true;
}

bool starter_split_setting(Str line, Str *ret_name, Str *ret_value)
{
    Str value = line;
    Str name = str_trim(str_cut(&value, '='));

    if (!memchr(line.bytes, '=', line.len) || !name.len)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!(starter_small(name.bytes[i]) >= 'a' && starter_small(name.bytes[i]) <= 'z') &&
            name.bytes[i] != '_')
            return false;
    *ret_name = name;
    *ret_value = str_trim(value);
    return true;
}

int starter_unknown_setting(const Suggest *near, unsigned line, Err *err)
{
    Str best = suggest_best(near);

    return err_set_at(err, ERR_RULE, line, 0, "there is no setting '%.*s'%s%.*s%s",
                      STR_ARG(str_part(near->word, 0, 64)), best.len ? "; did you mean '" : "",
                      STR_ARG(best), best.len ? "'?" : "");
}

int starter_check_text(Str text, const char *what, unsigned line, Err *err)
{
    if (text.len == 0)
        return err_set_at(err, ERR_RULE, line, 0, "expected %s, found nothing", what);
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.bytes[i] < 0x20 || text.bytes[i] == 0x7F)
            return err_set_at(err, ERR_RULE, line, 0, "%s can't hold control characters", what);
    return 0;
}

int starter_keep_text(Plan *plan, const Buf *text, unsigned line, const char **ret_text, Err *err)
{
    if (buf_failed(text))
        return err_set(err, ERR_MEMORY, "starter: out of memory");
    const char *kept = plan_text(plan, buf_str(text));
    if (!kept)
        return err_set_at(err, ERR_LIMIT, line, 0, "longer than %d bytes", PLAN_TEXT_MAX);
    *ret_text = kept;
    return 0;
}

int starter_keep_path(Plan *plan, const char *folder, Str path, unsigned line,
                      const char **ret_path, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t length = strlen(folder);

    if (length && !str_starts(path, STR("/")))
        buf_printf(&text, "%s%s", folder, folder[length - 1] == '/' ? "" : "/");
    buf_add(&text, path);
    return starter_keep_text(plan, &text, line, ret_path, err);
}
