/* The typed values of a configuration: what the Go server's YAML reader would take, and a message
 * with the whole path where it would not. */
#include "nlp/config_draft.h"

#include <stdarg.h>
#include <stdlib.h>

enum { LIST_MAX = 4096, NUMBER_MAX = 40, SHOWN_MAX = 60 };

/* ---- warnings and places ---- */

void config_warn(const ConfigDraft *draft, unsigned line, const char *format, ...)
{
    char text[ERR_TEXT_MAX];
    va_list args;

    if (!draft->warn)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    draft->warn(draft->user, line, text);
}

/* As far as the file goes along a dotted path; `*ret_whole`: to its end. */
static const YamlNode *follow_path(const YamlNode *root, const char *path, bool *ret_whole)
{
    const YamlNode *at = root;
    Str rest = str_of(path);

    *ret_whole = false;
    while (rest.len) {
        Str step = str_cut(&rest, '.');
        const YamlNode *child = at->kind == YAML_MAP ? at->first : NULL;
        while (child && !str_eq(child->key, step))
            child = child->next;
        if (!child)
            return at;
        at = child;
    }
    *ret_whole = true;
    return at;
}

const YamlNode *config_node(const ConfigDraft *draft, const char *path)
{
    bool whole;
    const YamlNode *node = follow_path(draft->root, path, &whole);

    return whole && !config_is_null(node) ? node : NULL;
}

int config_refuse(const ConfigDraft *draft, ErrCode code, const char *path, Err *err,
                  const char *format, ...)
{
    char text[ERR_TEXT_MAX];
    bool whole;
    const YamlNode *node = follow_path(draft->root, path, &whole);
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    /* The head of a section, not its first key. */
    bool key = node->key.len && node->kind != YAML_SCALAR;
    return err_set_at(err, code, key ? node->key_line : node->line,
                      key ? node->key_column : node->column, "%s", text);
}

/* ---- values ---- */

bool config_is_null(const YamlNode *node)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (node->kind == YAML_SCALAR && !node->quoted && str_eq(node->text, str_of(words[i])))
            return true;
    return false;
}

int config_mismatch(const YamlNode *node, const char *path, const char *expected, Err *err)
{
    static const char *const kinds[] = {"", "a list", "a map"};

    if (node->kind != YAML_SCALAR)
        return err_set_at(err, ERR_SYNTAX, node->line, node->column, "%s: expected %s, but got %s",
                          path, expected, kinds[node->kind]);
    return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                      "%s: expected %s, but got %s'%.*s'", path, expected,
                      node->quoted ? "the text " : "", STR_ARG(str_part(node->text, 0, SHOWN_MAX)));
}

int config_expect(const YamlNode *node, YamlKind kind, const char *path, Err *err)
{
    static const char *const kinds[] = {"a text", "a list", "a map"};

    return node->kind == kind ? 0 : config_mismatch(node, path, kinds[kind], err);
}

/* What yaml.v3 takes for a Go bool: the words of YAML 1.1. */
static bool flag_of_go(Str text, bool *ret_value)
{
    static const char *const yes[] = {"true", "True", "TRUE", "yes", "Yes", "YES",
                                      "on",   "On",   "ON",   "y",   "Y"};
    static const char *const no[] = {"false", "False", "FALSE", "no", "No", "NO",
                                     "off",   "Off",   "OFF",   "n",  "N"};

    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        *ret_value = str_eq(text, str_of(yes[i]));
        if (*ret_value || str_eq(text, str_of(no[i])))
            return true;
    }
    return false;
}

/* A number without the underscores that YAML 1.1 allows; false when it is too long for one. */
static bool plain_number(Str text, char out[static NUMBER_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '_' && n > 0)
            continue;
        if (n + 1 == NUMBER_MAX || text.bytes[i] == '\0')
            return false;
        out[n++] = text.bytes[i];
    }
    out[n] = '\0';
    return n > 0;
}

static bool number_of_go(Str text, int64_t min, int64_t max, int64_t *ret_value)
{
    char plain[NUMBER_MAX];

    if (!plain_number(text, plain))
        return false;
    Str digits = str_of(plain[0] == '+' ? plain + 1 : plain);
    size_t sign = digits.len && digits.bytes[0] == '-';
    /* 010 is 8 in YAML 1.1 and 10 for everybody else: not taken. */
    bool octal = digits.len > sign + 1 && digits.bytes[sign] == '0';
    return !octal && !(sign && plain[0] == '+') && str_to_int(digits, min, max, ret_value);
}

static int mismatch_of_key(const KeyReading *reading, const YamlNode *node, const char *expected,
                           Err *err)
{
    return config_mismatch(node, reading->path, expected, err);
}

/* A warning: what a later version knows is no reason to refuse its file. */
static int unknown_key(const KeyReading *reading, const char *section, const YamlNode *node,
                       const Suggest *near, Err *err)
{
    const char *where = reading->where ? reading->where : "";
    Str best = suggest_best(near);

    (void)err;
    config_warn(reading->user, node->key_line, "unknown key '%s%s%s%s%.*s'%s%.*s%s", where,
                where[0] ? "." : "", section, section[0] ? "." : "",
                STR_ARG(str_part(node->key, 0, SHOWN_MAX)), best.len ? ": did you mean '" : "",
                STR_ARG(best), best.len ? "'?" : "");
    return 0;
}

const KeyManner config_manner = {.is_missing = config_is_null,
                                 .flag = flag_of_go,
                                 .number = number_of_go,
                                 .mismatch = mismatch_of_key,
                                 .unknown = unknown_key};

int config_int(const YamlNode *node, const char *path, int64_t min, int64_t max, int64_t *ret_value,
               Err *err)
{
    static const KeyTable none = {.manner = &config_manner};

    return key_read_number(&(KeyReading){.table = &none, .path = path}, node, min, max, ret_value,
                           err);
}

int config_real(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    char text[NUMBER_MAX];
    char expected[80];

    if (node->kind == YAML_SCALAR && !node->quoted && plain_number(node->text, text) &&
        strspn(text, "0123456789.eE+-") == strlen(text)) {
        char *end;
        double value = strtod(text, &end); /* nobody calls setlocale: the point is a point */
        if (end != text && *end == '\0' && value >= (double)key->min && value <= (double)key->max) {
            *(double *)key_place(reading, key) = value + 0.0; /* -0 is 0, a missing key */
            return 0;
        }
    }
    snprintf(expected, sizeof(expected), "a number from %g to %g, such as 0.5", (double)key->min,
             (double)key->max);
    return config_mismatch(node, reading->path, expected, err);
}

/* A duration longer than the row's `max` is warned of and cut: some files mean "for ever". */
int config_time(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    int64_t ms;

    if (node->kind != YAML_SCALAR || config_duration(node->text, &ms, NULL))
        return config_mismatch(node, reading->path, "a duration such as 500ms, 60s or 1m30s", err);
    if (ms > key->max) {
        config_warn(reading->user, node->line, "%s: '%.*s' is longer than %lldh, and cut to that",
                    reading->path, STR_ARG(str_part(node->text, 0, SHOWN_MAX)),
                    (long long)(key->max / 3600000));
        ms = key->max;
    }
    if (key->size == sizeof(int32_t))
        *(int32_t *)key_place(reading, key) = (int32_t)ms;
    else
        *(int64_t *)key_place(reading, key) = ms;
    return 0;
}

int config_str(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    return config_text(node, reading->path, key_place(reading, key), err);
}

int config_chars(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    Str text;
    int rc = config_text(node, reading->path, &text, err);

    return rc ? rc
              : config_cstr(reading->user, node, reading->path, text, key_place(reading, key), err);
}

int config_args(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    ConfigDraft *draft = reading->user;
    const Str *texts = NULL;
    uint32_t count = 0;
    int rc = config_texts(draft, node, reading->path, &texts, &count, err);

    if (rc)
        return rc;
    const char **args = arena_take(&draft->arena, (count + 1) * sizeof(*args));
    if (!args)
        return err_set(err, ERR_MEMORY, "%s: out of memory", reading->path);
    for (uint32_t i = 0; i < count && rc == 0; i++)
        rc = config_cstr(draft, node, reading->path, texts[i], &args[i], err);
    args[count] = NULL;
    if (rc == 0)
        *(const char *const **)key_place(reading, key) = args;
    return rc;
}

int config_text(const YamlNode *node, const char *path, Str *ret_text, Err *err)
{
    if (node->kind != YAML_SCALAR)
        return config_mismatch(node, path, "a text", err);
    *ret_text = config_is_null(node) ? STR("") : node->text;
    return 0;
}

int config_texts(ConfigDraft *draft, const YamlNode *node, const char *path, const Str **ret_texts,
                 uint32_t *ret_count, Err *err)
{
    uint32_t count = 0;

    if (config_is_null(node)) {
        *ret_count = 0;
        return 0;
    }
    int rc = config_expect(node, YAML_LIST, path, err);
    if (rc)
        return rc;
    if (node->count > LIST_MAX)
        return err_set_at(err, ERR_LIMIT, node->line, node->column, "%s: more than %d entries",
                          path, LIST_MAX);
    Str *texts = arena_take(&draft->arena, (node->count + 1) * sizeof(*texts));
    if (!texts)
        return err_set(err, ERR_MEMORY, "%s: out of memory", path);
    for (const YamlNode *item = node->first; item && rc == 0; item = item->next)
        rc = config_text(item, path, &texts[count++], err);
    if (rc)
        return rc;
    *ret_texts = texts;
    *ret_count = count;
    return 0;
}

int config_cstr(ConfigDraft *draft, const YamlNode *node, const char *path, Str text,
                const char **ret_text, Err *err)
{
    char *copy = arena_take(&draft->arena, text.len + 1);

    if (!copy)
        return err_set(err, ERR_MEMORY, "%s: out of memory", path);
    if (text.len && memchr(text.bytes, '\0', text.len))
        return err_set_at(err, ERR_SYNTAX, node ? node->line : 0, node ? node->column : 0,
                          "%s: a text here can't hold a NUL", path);
    if (text.len)
        memcpy(copy, text.bytes, text.len);
    copy[text.len] = '\0';
    *ret_text = copy;
    return 0;
}
