#include "base/words.h"
#include "base/yaml.h"
#include "site/contest_rules.h"

#define NODE_BYTES 128 /* of the tree, for a byte of text, at most: see ruleset_text.c */

static int read_tree(Str text, Arena *arena, const YamlNode **ret_root, Err *err)
{
    *arena = arena_new((text.len + 1024) * NODE_BYTES);
    if (!arena->block)
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    return yaml_read(text, arena, ret_root, err);
}

/* ---- what is different ---- */

static bool is_same_node(const YamlNode *a, const YamlNode *b)
{
    const YamlNode *other = b ? b->first : NULL;

    if (!a || !b || a->kind != b->kind || a->count != b->count)
        return a == b;
    if (a->kind == YAML_SCALAR)
        return str_eq(a->text, b->text) && a->quoted == b->quoted;
    for (const YamlNode *child = a->first; child && other; child = child->next, other = other->next)
        if (!str_eq(child->key, other->key) || !is_same_node(child, other))
            return false;
    return true;
}

static const YamlNode *same_key(const YamlNode *map, Str key)
{
    for (const YamlNode *node = map->kind == YAML_MAP ? map->first : NULL; node; node = node->next)
        if (str_eq(node->key, key))
            return node;
    return NULL;
}

static void add_key(Str key, Buf *keys)
{
    if (str_eq(key, STR("title")) || str_eq(key, STR("dates")))
        return;
    if (keys->len)
        buf_add_char(keys, ' ');
    buf_add(keys, key);
}

int contest_rules_differ(Str before, Str now, Buf *keys, Err *err)
{
    CLEANUP(arena_done) Arena old_arena = {0};
    CLEANUP(arena_done) Arena new_arena = {0};
    const YamlNode *old_root = NULL, *new_root = NULL;
    int rc = read_tree(before, &old_arena, &old_root, err);

    if (rc == 0)
        rc = read_tree(now, &new_arena, &new_root, err);
    for (const YamlNode *node = rc ? NULL : old_root->first; node; node = node->next)
        if (!is_same_node(node, same_key(new_root, node->key)))
            add_key(node->key, keys);
    for (const YamlNode *node = rc ? NULL : new_root->first; node; node = node->next)
        if (!same_key(old_root, node->key))
            add_key(node->key, keys);
    if (rc == 0 && buf_failed(keys))
        rc = err_set(err, ERR_MEMORY, "contest: out of memory");
    return rc;
}

/* ---- what names something of the server ---- */

/* Files, programs and services that the server would open or start for who writes the file. */
static const char *const place_keys[] = {"agents",    "runtimes",       "cell.root",
                                         "cell.read", "evaluation.llm", NULL};

static const YamlNode *node_at(const YamlNode *map, Str path)
{
    while (map && path.len)
        map = same_key(map, str_cut(&path, '.'));
    return map;
}

/* `rules: name` is one of the program's own; what has a folder or an end is a file. */
static bool names_rules_file(const YamlNode *rules)
{
    return rules && rules->kind == YAML_SCALAR &&
           (memchr(rules->text.bytes, '/', rules->text.len) ||
            memchr(rules->text.bytes, '.', rules->text.len));
}

/* Whether a track of `tracks` has this configuration. */
static bool has_config(const YamlNode *tracks, const YamlNode *config)
{
    for (const YamlNode *track = tracks ? tracks->first : NULL; track; track = track->next)
        if (is_same_node(config, same_key(track, STR("config"))))
            return true;
    return false;
}

static int other_place(const char *key, Err *err)
{
    return err_set(err, ERR_RULE, "%s: names what is on the server: its admin alone changes that",
                   key);
}

static int check_places(const YamlNode *before, const YamlNode *now, Err *err)
{
    const YamlNode *rules = same_key(now, STR("rules"));
    const YamlNode *tracks = same_key(now, STR("tracks"));

    for (const char *const *key = place_keys; *key; key++)
        if (!is_same_node(node_at(now, str_of(*key)), node_at(before, str_of(*key))))
            return other_place(*key, err);
    if (names_rules_file(rules) && !is_same_node(rules, same_key(before, STR("rules"))))
        return other_place("rules", err);
    for (const YamlNode *track = tracks ? tracks->first : NULL; track; track = track->next) {
        const YamlNode *config = same_key(track, STR("config"));
        if (config && !has_config(same_key(before, STR("tracks")), config))
            return other_place("tracks", err);
    }
    return 0;
}

int contest_rules_keep_places(Str before, Str now, Err *err)
{
    CLEANUP(arena_done) Arena old_arena = {0};
    CLEANUP(arena_done) Arena new_arena = {0};
    const YamlNode *old_root = NULL, *new_root = NULL;
    int rc = read_tree(before, &old_arena, &old_root, err);

    if (rc == 0)
        rc = read_tree(now, &new_arena, &new_root, err);
    return rc ? rc : check_places(old_root, new_root, err);
}

/* ---- another date ---- */

/* Where a line and a column (bytes, from 1) are. */
static size_t place_in(Str text, unsigned line, unsigned column)
{
    size_t at = 0;

    for (; line > 1 && at < text.len; at++)
        line -= text.bytes[at] == '\n';
    return at + column - 1 < text.len ? at + column - 1 : text.len;
}

/* Where the plain or quoted value that begins there ends. */
static size_t value_end(Str text, size_t at)
{
    const char quote =
        at < text.len && (text.bytes[at] == '"' || text.bytes[at] == '\'') ? text.bytes[at] : '\0';

    if (quote) {
        for (at++; at < text.len && text.bytes[at] != quote; at++)
            continue;
        return at < text.len ? at + 1 : at;
    }
    while (at < text.len && !strchr(",}\n#", text.bytes[at]))
        at++;
    while (at > 0 && (text.bytes[at - 1] == ' ' || text.bytes[at - 1] == '\r'))
        at--;
    return at;
}

/* Behind the last value of a map in braces or of one in lines: a key in front of the first is the
 * simplest place for a new one. */
static void insert_date(Str text, const YamlNode *dates, Str key, Str value, Buf *out)
{
    const YamlNode *first = dates->first;
    const size_t at = place_in(text, first->key_line, first->key_column);
    const bool lines = dates->count > 1 ? first->next->key_line > first->key_line
                                        : first->key_line > dates->key_line;

    buf_add(out, str_part(text, 0, at));
    buf_printf(out, "%.*s: %.*s", STR_ARG(key), STR_ARG(value));
    if (lines)
        buf_printf(out, "\n%*s", (int)first->key_column - 1, "");
    else
        buf_add(out, STR(", "));
    buf_add(out, str_part(text, at, text.len));
}

int contest_rules_set_date(Str text, Str key, Str value, Buf *out, Err *err)
{
    CLEANUP(arena_done) Arena arena = {0};
    const YamlNode *root = NULL;
    unsigned count = 0;

    while (contest_date_keys[count])
        count++;
    if (words_find(contest_date_keys, count, key) == count)
        return err_set(err, ERR_RULE, "dates: there is no '%.*s'", STR_ARG(str_part(key, 0, 40)));
    for (size_t i = 0; i < value.len; i++)
        if (!strchr("0123456789-: TZ+.", value.bytes[i]) || !value.bytes[i])
            return err_set(err, ERR_RULE, "dates: '%.*s' is no date",
                           STR_ARG(str_part(value, 0, 40)));
    int rc = read_tree(text, &arena, &root, err);
    const YamlNode *dates = rc ? NULL : yaml_get(root, "dates");
    if (rc)
        return rc;
    if (!dates || dates->kind != YAML_MAP || !dates->first || !value.len)
        return err_set(err, ERR_RULE,
                       value.len ? "dates: the file has none"
                                 : "dates: a date is left out by an amended file");
    const YamlNode *node = same_key(dates, key);
    if (node) {
        const size_t at = place_in(text, node->line, node->column);
        buf_add(out, str_part(text, 0, at));
        buf_add(out, value);
        buf_add(out, str_part(text, value_end(text, at), text.len));
    } else
        insert_date(text, dates, key, value, out);
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "contest: out of memory") : 0;
}
