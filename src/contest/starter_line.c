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

bool starter_same_word(Str a, Str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (str_lower_char(a.bytes[i]) != str_lower_char(b.bytes[i]))
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
        if (!(str_lower_char(name.bytes[i]) >= 'a' && str_lower_char(name.bytes[i]) <= 'z') &&
            name.bytes[i] != '_')
            return false;
    *ret_name = name;
    *ret_value = str_trim(value);
    return true;
}

/* As the old servers took it: what begins with y or t is true, whatever else is false. */
static bool read_flag(Str text, bool *ret_value)
{
    char first = text.len ? str_lower_char(text.bytes[0]) : 'n';

    *ret_value = first == 'y' || first == 't';
    return true;
}

static int refuse_value(const KeyReading *reading, const YamlNode *node, const char *expected,
                        Err *err)
{
    return err_set_at(err, ERR_RULE, node->line, 0, "%s: expected %s, found '%.*s'", reading->path,
                      expected, STR_ARG(str_part(node->text, 0, 64)));
}

static int unknown_setting(const KeyReading *reading, const char *section, const YamlNode *node,
                           const Suggest *near, Err *err)
{
    Str best = suggest_best(near);

    (void)reading, (void)section;
    return err_set_at(err, ERR_RULE, node->line, 0, "there is no setting '%.*s'%s%.*s%s",
                      STR_ARG(str_part(node->key, 0, 64)), best.len ? "; did you mean '" : "",
                      STR_ARG(best), best.len ? "'?" : "");
}

const KeyManner starter_manner = {.is_key = starter_same_word,
                                  .flag = read_flag,
                                  .mismatch = refuse_value,
                                  .unknown = unknown_setting};

int starter_read_setting(const KeyReading *reading, Str name, Str value, unsigned line,
                         unsigned *lines, Err *err)
{
    const YamlNode node = {.kind = YAML_SCALAR, .line = line, .key = name, .text = value};
    const KeyRow *key;
    int rc = key_table_find(reading, &node, &key, err);

    if (rc)
        return rc;
    unsigned *seen = lines ? &lines[key - reading->table->keys] : NULL;
    if (seen && *seen)
        return err_set_at(err, ERR_RULE, line, 0, "'%s' is here twice, first in line %u", key->path,
                          *seen);
    if (seen)
        *seen = line;
    return key_table_read_row(reading, key, &node, err);
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
