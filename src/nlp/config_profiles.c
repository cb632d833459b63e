/* The characters of a configuration: docs/spec/nlp-division.md 7.4, 9.1, 9.3. */
#include "nlp/config_draft.h"

enum { ENCODING_MAX = 64, PROFILES_MAX = 4096 };

static const char encoding_path[] = "custom_profile.profile_encoding";
static const char profiles_path[] = "custom_profile.profiles";
static const char avatars_path[] = "custom_profile.dynamic_profile.avatars";

static int read_encoding(ConfigDraft *draft, Err *err)
{
    const YamlNode *map = config_node(draft, encoding_path);
    uint32_t count = 0;
    int rc = map ? config_expect(map, YAML_MAP, encoding_path, err) : 0;

    if (!map || rc)
        return rc;
    if (map->count > ENCODING_MAX)
        return config_refuse(draft, ERR_LIMIT, encoding_path, err, "%s: more than %d keys",
                             encoding_path, ENCODING_MAX);
    ConfigPair *pairs = arena_take(&draft->arena, (map->count + 1) * sizeof(*pairs));
    if (!pairs)
        return err_set(err, ERR_MEMORY, "%s: out of memory", encoding_path);
    for (const YamlNode *node = map->first; node && rc == 0; node = node->next) {
        pairs[count].key = node->key;
        rc = config_text(node, encoding_path, &pairs[count++].value, err);
    }
    draft->config.encoding = pairs;
    draft->config.encoding_count = count;
    return rc;
}

/* The three keys that are no part of the profile text. */
static bool is_own_key(Str key)
{
    return str_eq(key, STR("name")) || str_eq(key, STR("avatar_url")) ||
           str_eq(key, STR("voice_id"));
}

/* "年齢: 10", one line for each key of the encoding that the character has, in the encoding's
 * order. */
static void write_text(const Config *config, const YamlNode *map, Buf *out)
{
    buf_clear(out);
    for (uint32_t i = 0; i < config->encoding_count; i++) {
        const ConfigPair *pair = &config->encoding[i];
        const YamlNode *node = is_own_key(pair->key) ? NULL : map->first;
        while (node && !str_eq(node->key, pair->key))
            node = node->next;
        if (!node)
            continue;
        if (out->len)
            buf_add_char(out, '\n');
        buf_add(out, pair->value);
        buf_add(out, STR(": "));
        buf_add(out, config_is_null(node) ? STR("") : node->text);
    }
}

/* Names go into logs of one line an event, and keys of maps. */
static int check_name(const YamlNode *map, Str name, const char *path, Err *err)
{
    if (name.len == 0)
        return err_set_at(err, ERR_RULE, map->line, map->column, "%s: a character needs a name",
                          path);
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.bytes[i] < 0x20 || name.bytes[i] == 0x7F)
            return err_set_at(err, ERR_RULE, map->line, map->column,
                              "%s: a name can't hold control characters", path);
    return 0;
}

static int read_value(ConfigDraft *draft, const YamlNode *node, const char *path,
                      ConfigProfile *profile, Err *err)
{
    char at[160];
    int64_t voice;
    Str text;

    snprintf(at, sizeof(at), "%s.%.*s", path, STR_ARG(str_part(node->key, 0, 60)));
    if (str_eq(node->key, STR("voice_id"))) {
        int rc = config_is_null(node) ? 0 : config_int(node, at, -1, INT32_MAX, &voice, err);
        if (rc == 0 && !config_is_null(node))
            profile->voice_id = (int32_t)voice;
        return rc;
    }
    int rc = config_text(node, at, &text, err);
    if (rc)
        return rc;
    if (str_eq(node->key, STR("name")))
        profile->name = text;
    else if (str_eq(node->key, STR("avatar_url")))
        profile->avatar_url = text;
    else if (text.len && memchr(text.bytes, '\n', text.len))
        config_warn(draft, node->line, "%s: log tools read a profile line by line; avoid breaks",
                    at);
    return 0;
}

static int keep_text(ConfigDraft *draft, Str text, Str *ret_text, Err *err)
{
    char *copy = text.len ? arena_take(&draft->arena, text.len) : NULL;

    if (text.len && !copy)
        return config_refuse(draft, ERR_LIMIT, profiles_path, err,
                             "%s: the texts with their labels are too long together",
                             profiles_path);
    if (copy)
        memcpy(copy, text.bytes, text.len);
    *ret_text = (Str){copy ? copy : "", text.len};
    return 0;
}

static int read_profile(ConfigDraft *draft, const YamlNode *map, uint32_t index,
                        ConfigProfile *profile, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    char path[64];

    *profile = (ConfigProfile){.voice_id = -1, .name = STR(""), .avatar_url = STR("")};
    snprintf(path, sizeof(path), "%s[%u]", profiles_path, (unsigned)index);
    int rc = config_expect(map, YAML_MAP, path, err);
    for (const YamlNode *node = rc ? NULL : map->first; node && rc == 0; node = node->next)
        rc = read_value(draft, node, path, profile, err);
    if (rc == 0)
        rc = check_name(map, profile->name, path, err);
    if (rc)
        return rc;
    write_text(&draft->config, map, &text);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "%s: out of memory", path);
    return keep_text(draft, buf_str(&text), &profile->text, err);
}

/* Two characters of one name could not be told apart in a game. */
static int check_names(const ConfigDraft *draft, const YamlNode *list, Err *err)
{
    const ConfigProfile *profiles = draft->config.profiles;
    uint32_t i = 0;

    for (const YamlNode *map = list->first; map; map = map->next, i++)
        for (uint32_t before = 0; before < i; before++)
            if (str_eq(profiles[before].name, profiles[i].name))
                return err_set_at(err, ERR_RULE, map->line, map->column,
                                  "%s: two characters are called '%.*s'; give one of them another "
                                  "name",
                                  profiles_path, STR_ARG(str_part(profiles[i].name, 0, 60)));
    return 0;
}

static int read_profiles(ConfigDraft *draft, Err *err)
{
    const YamlNode *list = config_node(draft, profiles_path);
    uint32_t count = 0;
    int rc = list ? config_expect(list, YAML_LIST, profiles_path, err) : 0;

    if (!list || rc)
        return rc;
    if (list->count > PROFILES_MAX)
        return config_refuse(draft, ERR_LIMIT, profiles_path, err, "%s: more than %d characters",
                             profiles_path, PROFILES_MAX);
    ConfigProfile *profiles = arena_take(&draft->arena, (list->count + 1) * sizeof(*profiles));
    if (!profiles)
        return err_set(err, ERR_MEMORY, "%s: out of memory", profiles_path);
    for (const YamlNode *map = list->first; map && rc == 0; map = map->next, count++)
        rc = read_profile(draft, map, count, &profiles[count], err);
    if (rc)
        return rc;
    draft->config.profiles = profiles;
    draft->config.profile_count = count;
    return check_names(draft, list, err);
}

static int check_counts(ConfigDraft *draft, Err *err)
{
    const Config *config = &draft->config;
    uint32_t seats = (uint32_t)config->agent_count;

    if (!config->profiles_enable)
        return 0;
    if (config->dynamic.enable && config->dynamic.avatar_count < seats)
        return config_refuse(draft, ERR_RULE, avatars_path, err,
                             "%s: %u pictures are too few for %u seats; add some, or set "
                             "dynamic_profile.enable: false",
                             avatars_path, (unsigned)config->dynamic.avatar_count, (unsigned)seats);
    if (config->profile_count >= seats)
        return 0;
    if (!config->dynamic.enable)
        return config_refuse(draft, ERR_RULE, profiles_path, err,
                             "%s: %u characters are too few for %u seats; add some, or set "
                             "custom_profile.enable: false",
                             profiles_path, (unsigned)config->profile_count, (unsigned)seats);
    config_warn(draft, 0,
                "%s: %u characters are too few for %u seats: there is nobody to fall back on when "
                "a dynamic profile can't be had",
                profiles_path, (unsigned)config->profile_count, (unsigned)seats);
    return 0;
}

int config_profiles(ConfigDraft *draft, Err *err)
{
    ConfigDynamic *dynamic = &draft->config.dynamic;
    const YamlNode *avatars = config_node(draft, avatars_path);
    int rc = read_encoding(draft, err);

    if (rc == 0)
        rc = read_profiles(draft, err);
    if (rc == 0 && avatars)
        rc = config_texts(draft, avatars, avatars_path, &dynamic->avatars, &dynamic->avatar_count,
                          err);
    return rc ? rc : check_counts(draft, err);
}
