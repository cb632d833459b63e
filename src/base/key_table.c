#include "base/key_table.h"

#include "base/duration_text.h"

static const KeyManner plain_yaml = {0};

static const KeyManner *manner_of(const KeyReading *reading)
{
    return reading->table->manner ? reading->table->manner : &plain_yaml;
}

static bool is_missing(const KeyReading *reading, const YamlNode *node)
{
    const KeyManner *manner = manner_of(reading);

    return !node || (manner->is_missing && manner->is_missing(node));
}

static bool is_key(const KeyReading *reading, Str word, Str key)
{
    const KeyManner *manner = manner_of(reading);

    return manner->is_key ? manner->is_key(word, key) : str_eq(word, key);
}

void *key_place(const KeyReading *reading, const KeyRow *key)
{
    return (char *)reading->target + key->offset;
}

/* ---- numbers of several widths ---- */

static void store_number(void *place, size_t size, int64_t value)
{
    const uint16_t two = (uint16_t)value;
    const int32_t four = (int32_t)value;

    if (size == sizeof(two))
        memcpy(place, &two, sizeof(two));
    else if (size == sizeof(four))
        memcpy(place, &four, sizeof(four));
    else
        memcpy(place, &value, sizeof(value));
}

static int64_t load_number(const void *place, size_t size)
{
    uint16_t two;
    int32_t four;
    int64_t value;

    if (size == sizeof(two)) {
        memcpy(&two, place, sizeof(two));
        return two;
    }
    if (size == sizeof(four)) {
        memcpy(&four, place, sizeof(four));
        return four;
    }
    memcpy(&value, place, sizeof(value));
    return value;
}

static bool is_zero(const char *place, size_t size)
{
    while (size > 0 && place[size - 1] == 0)
        size--;
    return size == 0;
}

/* ---- one value ---- */

int key_mismatch(const KeyReading *reading, const YamlNode *node, const char *expected, Err *err)
{
    const KeyManner *manner = manner_of(reading);

    return manner->mismatch ? manner->mismatch(reading, node, expected, err)
                            : yaml_mismatch(node, expected, err);
}

static bool plain_flag(Str text, bool *ret_value)
{
    *ret_value = str_eq(text, STR("true"));
    return *ret_value || str_eq(text, STR("false"));
}

static int read_flag(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    const KeyManner *manner = manner_of(reading);
    bool value = false;

    if (node->kind != YAML_SCALAR || node->quoted ||
        !(manner->flag ? manner->flag : plain_flag)(node->text, &value))
        return key_mismatch(reading, node, "true or false", err);
    memcpy(key_place(reading, key), &value, sizeof(value));
    return 0;
}

int key_read_number(const KeyReading *reading, const YamlNode *node, int64_t min, int64_t max,
                    int64_t *ret_number, Err *err)
{
    const KeyManner *manner = manner_of(reading);
    char expected[80];

    if (node->kind == YAML_SCALAR && !node->quoted &&
        (manner->number ? manner->number : str_to_int)(node->text, min, max, ret_number))
        return 0;
    snprintf(expected, sizeof(expected), "a number from %lld to %lld", (long long)min,
             (long long)max);
    return key_mismatch(reading, node, expected, err);
}

static int read_number(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    int64_t number = 0;
    int rc = key_read_number(reading, node, key->min, key->max, &number, err);

    if (rc == 0)
        store_number(key_place(reading, key), key->size,
                     key->kind == KEY_SECONDS ? number * 1000 : number);
    return rc;
}

static int read_time(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    char expected[128];
    uint64_t ms;

    if (node->kind != YAML_SCALAR || !duration_text_read(node->text, &ms) ||
        ms < (uint64_t)key->min || ms > (uint64_t)key->max) {
        snprintf(expected, sizeof(expected),
                 "a duration such as 500ms, 10s, 2m or 1h, from %lldms to %llds",
                 (long long)key->min, (long long)key->max / 1000);
        return key_mismatch(reading, node, expected, err);
    }
    store_number(key_place(reading, key), key->size, (int64_t)ms);
    return 0;
}

/* "key 'tie': 'lott' is none of extra, all, lot; did you mean 'lot'?" */
static int refuse_word(const KeyRow *key, const YamlNode *node, Err *err)
{
    Suggest near = {.word = node->text};
    char list[160];
    size_t used = 0;

    for (size_t i = 0; key->words[i] && used < sizeof(list); i++) {
        suggest_offer(&near, str_of(key->words[i]));
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
                                 key->words[i]);
    }
    Str best = suggest_best(&near);
    return err_set_at(err, ERR_RULE, node->line, node->column,
                      "key '%s': '%.*s' is none of %s%s%.*s%s", key->path,
                      STR_ARG(str_part(node->text, 0, 60)), list,
                      best.len ? "; did you mean '" : "", STR_ARG(best), best.len ? "'?" : "");
}

int key_read_word(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                  int32_t *ret_word, Err *err)
{
    if (node->kind != YAML_SCALAR)
        return key_mismatch(reading, node, "a text", err);
    for (int32_t i = 0; key->words[i]; i++)
        if (str_eq(node->text, str_of(key->words[i]))) {
            *ret_word = i;
            return 0;
        }
    return refuse_word(key, node, err);
}

static int read_word(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    int32_t word = 0;
    int rc = key_read_word(reading, key, node, &word, err);

    if (rc == 0)
        store_number(key_place(reading, key), key->size, word);
    return rc;
}

static int read_value(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    switch (key->kind) {
    case KEY_OWN:
        return key->read ? key->read(reading, key, node, err) : 0;
    case KEY_FLAG:
        return read_flag(reading, key, node, err);
    case KEY_NUMBER:
    case KEY_SECONDS:
        return read_number(reading, key, node, err);
    case KEY_TIME:
        return read_time(reading, key, node, err);
    case KEY_WORD:
        return read_word(reading, key, node, err);
    }
    return 0;
}

int key_table_read_row(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    KeyReading at = *reading;
    char path[KEY_PATH_MAX];
    bool missing = is_missing(reading, node);

    snprintf(path, sizeof(path), "%s%s%s", reading->where ? reading->where : "",
             reading->where ? "." : "", key->path);
    at.path = path;
    int rc = missing ? 0 : read_value(&at, key, node, err);
    if (rc || !key->zero)
        return rc;
    bool empty = missing || (node->kind == YAML_SCALAR && node->text.len == 0);
    if (!empty && !is_zero(key_place(reading, key), key->size))
        return 0;
    return read_value(&at, key, &(YamlNode){.text = str_of(key->zero)}, err);
}

/* ---- maps ---- */

/* The step of the row's path that stands directly in `section`; empty when it is not inside. */
static Str step_in(const KeyRow *key, Str section)
{
    Str path = str_of(key->path);

    if (section.len) {
        if (!str_starts(path, section) || path.bytes[section.len] != '.')
            return STR("");
        path = str_part(path, section.len + 1, path.len);
    }
    return str_cut(&path, '.');
}

static int refuse_unknown(const KeyReading *reading, const char *section, const YamlNode *node,
                          const Suggest *near, Err *err)
{
    const KeyManner *manner = manner_of(reading);
    Str best = suggest_best(near);

    if (manner->unknown)
        return manner->unknown(reading, section, node, near, err);
    return err_set_at(err, ERR_SYNTAX, node->key_line, node->key_column,
                      "unknown key '%.*s'%s%.*s%s", STR_ARG(str_part(node->key, 0, 60)),
                      best.len ? ": did you mean '" : "", STR_ARG(best), best.len ? "'?" : "");
}

static int check_section(const KeyReading *reading, const char *section, const YamlNode *map,
                         Err *err);

/* Whether a row, or a section with rows, is called as `node` is. */
static int check_key(const KeyReading *reading, const char *section, const YamlNode *node, Err *err)
{
    const KeyTable *table = reading->table;
    Suggest near = {.word = node->key};

    for (size_t i = 0; i < table->count; i++) {
        char path[KEY_PATH_MAX];
        Str step = step_in(&table->keys[i], str_of(section));
        if (!step.len || !is_key(reading, node->key, step)) {
            suggest_offer(&near, step);
            continue;
        }
        snprintf(path, sizeof(path), "%s%s%.*s", section, section[0] ? "." : "", STR_ARG(step));
        if (strcmp(path, table->keys[i].path) == 0 || is_missing(reading, node))
            return 0;
        return check_section(reading, path, node, err);
    }
    return refuse_unknown(reading, section, node, &near, err);
}

static int check_section(const KeyReading *reading, const char *section, const YamlNode *map,
                         Err *err)
{
    KeyReading at = *reading;
    char path[KEY_PATH_MAX];
    int rc = 0;

    snprintf(path, sizeof(path), "%s%s%s", reading->where ? reading->where : "",
             reading->where && section[0] ? "." : "", section);
    at.path = path[0] ? path : "the file";
    if (map->kind != YAML_MAP)
        return key_mismatch(&at, map, "a map", err);
    for (const YamlNode *node = map->first; node && rc == 0; node = node->next)
        rc = check_key(reading, section, node, err);
    return rc;
}

/* The node of a row's path, or NULL. */
static const YamlNode *find_node(const KeyReading *reading, const YamlNode *map, const KeyRow *key)
{
    Str rest = str_of(key->path);

    while (map && rest.len) {
        Str step = str_cut(&rest, '.');
        const YamlNode *child = map->kind == YAML_MAP ? map->first : NULL;
        while (child && !is_key(reading, child->key, step))
            child = child->next;
        map = child;
    }
    return map;
}

int key_table_read(const KeyReading *reading, const YamlNode *map, Err *err)
{
    int rc = check_section(reading, "", map, err);

    for (size_t i = 0; i < reading->table->count && rc == 0; i++) {
        const KeyRow *key = &reading->table->keys[i];
        rc = key_table_read_row(reading, key, find_node(reading, map, key), err);
    }
    return rc;
}

int key_table_find(const KeyReading *reading, const YamlNode *node, const KeyRow **ret_key,
                   Err *err)
{
    const KeyTable *table = reading->table;
    Suggest near = {.word = node->key};

    for (size_t i = 0; i < table->count; i++) {
        Str name = str_of(table->keys[i].path);
        if (is_key(reading, node->key, name)) {
            *ret_key = &table->keys[i];
            return 0;
        }
        suggest_offer(&near, name);
    }
    *ret_key = NULL;
    return refuse_unknown(reading, "", node, &near, err);
}

void key_table_zero(const KeyTable *table, void *target)
{
    for (size_t i = 0; i < table->count; i++)
        memset((char *)target + table->keys[i].offset, 0, table->keys[i].size);
}

/* ---- printing ---- */

static void print_value(const KeyRow *key, const void *target, Buf *out)
{
    const char *place = (const char *)target + key->offset;
    bool flag = place[0] != 0;
    int64_t number = key->kind == KEY_FLAG ? 0 : load_number(place, key->size);

    if (key->kind == KEY_FLAG)
        buf_add(out, flag ? STR("true") : STR("false"));
    else if (key->kind == KEY_WORD)
        buf_add(out, str_of(key->words[number]));
    else
        buf_add_int(out, key->kind == KEY_SECONDS ? number / 1000 : number);
    if (key->kind == KEY_TIME)
        buf_add(out, STR("ms"));
}

/* "agent|all|budget - the next Skip ...": what may stand there, and what it means. */
static void print_help(const KeyRow *key, Buf *out)
{
    bool says = key->help && key->help[0];

    for (size_t i = 0; key->words && key->words[i]; i++)
        buf_printf(out, "%s%s", i ? "|" : "", key->words[i]);
    if (says)
        buf_printf(out, "%s%s", key->words ? " - " : "", key->help);
}

/* The comment stands behind the value, or above it in lines of its own when it is long. */
static void print_row(const KeyRow *key, Str name, const void *target, Buf *out)
{
    enum { COMMENT_COLUMN = 32, WIDTH = 100 };
    const char *indent = name.len < strlen(key->path) ? "  " : "";
    CLEANUP(buf_done) Buf comment = {0};

    print_help(key, &comment);
    Str rest = buf_str(&comment);
    bool above = COMMENT_COLUMN + 2 + rest.len > WIDTH;
    while (above && rest.len) {
        size_t cut = rest.len < WIDTH - 6 ? rest.len : WIDTH - 6;
        while (cut < rest.len && cut > 0 && rest.bytes[cut] != ' ')
            cut--;
        buf_printf(out, "%s# %.*s\n", indent, (int)cut, rest.bytes);
        rest = str_trim(str_part(rest, cut, rest.len));
    }
    size_t start = out->len;
    buf_printf(out, "%s%.*s: ", indent, STR_ARG(name));
    print_value(key, target, out);
    while (rest.len && out->len - start < COMMENT_COLUMN)
        buf_add_char(out, ' ');
    if (rest.len)
        buf_printf(out, " # %.*s", STR_ARG(rest));
    buf_add_char(out, '\n');
}

void key_table_print(const KeyTable *table, const void *target, Buf *out)
{
    Str section = STR("");

    for (size_t i = 0; i < table->count; i++) {
        const KeyRow *key = &table->keys[i];
        Str name = str_of(key->path);
        size_t dot;
        Str in = STR("");
        if (str_find_last(name, '.', &dot)) {
            in = str_part(name, 0, dot);
            name = str_part(name, dot + 1, name.len);
        }
        if (in.len && !str_eq(in, section))
            buf_printf(out, "\n%.*s:\n", STR_ARG(in));
        section = in;
        if (key->kind != KEY_OWN)
            print_row(key, name, target, out);
        else if (key->print)
            key->print(key, target, out);
    }
}
