#include "judging/sheets_plan.h"
#include "site/contest_rules_own.h"

#define SELF_PER_HOUR 20 /* without the key */

static int keep_text(SiteRules *rules, const YamlNode *node, const char **ret_text, Err *err)
{
    Str text;
    int rc = yaml_str(node, &text, err);

    if (rc)
        return rc;
    *ret_text =
        text.len && !memchr(text.bytes, '\0', text.len) ? plan_text(&rules->plan, text) : NULL;
    return *ret_text ? 0 : yaml_mismatch(node, "a text", err);
}

/* ---- tracks ---- */

const RulesTrack *contest_rules_track(const SiteRules *rules, Str name)
{
    for (uint32_t i = 0; i < rules->track_count; i++)
        if (str_eq(name, str_of(rules->tracks[i].name)))
            return &rules->tracks[i];
    return NULL;
}

/* A name is part of paths and of agents' names. */
static int read_track_name(SiteRules *rules, const YamlNode *node, RulesTrack *track, Err *err)
{
    int rc = keep_text(rules, node, &track->name, err);

    if (rc || !track->name)
        return rc;
    bool good = strlen(track->name) <= CONTEST_NAME_MAX;
    for (const char *c = track->name; *c && good; c++)
        good =
            (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || (*c == '-' && c > track->name);
    for (uint32_t i = 0; i < rules->track_count && good; i++)
        good = strcmp(rules->tracks[i].name, track->name) != 0;
    return good ? 0
                : yaml_mismatch(node, "small letters, digits and '-', and no track's name twice",
                                err);
}

/* One number, or [least, most]. */
static int read_matches(const YamlNode *node, RulesTrack *track, Err *err)
{
    int64_t least = 0, most = 0;
    int rc;

    if (node->kind == YAML_SCALAR) {
        rc = yaml_int(node, 1, 1000000, &least, err);
        most = least;
    } else if (node->kind != YAML_LIST || node->count != 2)
        return yaml_mismatch(node, "two numbers, as in [75, 100]", err);
    else {
        rc = yaml_int(node->first, 1, 1000000, &least, err);
        if (rc == 0)
            rc = yaml_int(node->first->next, least, 1000000, &most, err);
    }
    track->matches_min = (uint32_t)least;
    track->matches_max = (uint32_t)most;
    return rc;
}

/* As many as it takes to qualify, with some to try things out. */
static RulesTrack with_usual_hour(RulesTrack track)
{
    if (track.self_per_hour == 0)
        track.self_per_hour =
            2 * track.self_matches > SELF_PER_HOUR ? 2 * track.self_matches : SELF_PER_HOUR;
    return track;
}

static int read_track(SiteRules *rules, const YamlNode *map, Err *err)
{
    static const KeyRow keys[] = {
        {.path = "name"},
        {.path = "config"},
        {.path = "self_matches",
         .kind = KEY_NUMBER,
         KEY_AT(RulesTrack, self_matches),
         .min = 0,
         .max = 1000},
        {.path = "self_per_hour",
         .kind = KEY_NUMBER,
         KEY_AT(RulesTrack, self_per_hour),
         .min = 1,
         .max = 10000},
        {.path = "matches_per_team"},
    };
    static const KeyTable table = KEY_TABLE(keys, NULL);
    const YamlNode *name = yaml_get(map, "name"), *config = yaml_get(map, "config");
    const YamlNode *matches = yaml_get(map, "matches_per_team");
    RulesTrack track = {.self_matches = 5, .matches_min = 1, .matches_max = 1};
    int rc = yaml_expect(map, YAML_MAP, err);

    if (rc == 0)
        rc = key_table_read(&(KeyReading){.table = &table, .target = &track}, map, err);
    if (rc == 0 && (!name || !config || rules->track_count == RULES_TRACKS_MAX))
        rc = err_set_at(err, ERR_RULE, map->line, map->column,
                        name && config ? "more than %d tracks"
                                       : "a track needs its `name` and its `config`",
                        RULES_TRACKS_MAX);
    if (rc == 0)
        rc = read_track_name(rules, name, &track, err);
    if (rc == 0)
        rc = keep_text(rules, config, &track.config, err);
    if (rc == 0 && matches)
        rc = read_matches(matches, &track, err);
    if (rc == 0)
        rules->tracks[rules->track_count++] = with_usual_hour(track);
    return rc;
}

int contest_tracks_read(const KeyReading *reading, const KeyRow *key, const YamlNode *list,
                        Err *err)
{
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next)
        rc = read_track(reading->target, node, err);
    return rc;
}

int contest_track_path(Plan *plan, const char *folder, RulesTrack *track, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    if (!folder || !folder[0] || track->config[0] == '/')
        return 0;
    buf_printf(&path, "%s/%s", folder, track->config);
    track->config = buf_failed(&path) ? NULL : plan_text(plan, buf_str(&path));
    return track->config ? 0 : err_set(err, ERR_LIMIT, "track '%s': config: too long", track->name);
}

/* ---- windows ---- */

static int read_moment(const SiteRules *rules, const YamlNode *map, const char *key,
                       int64_t *ret_ms, Err *err)
{
    const YamlNode *node = yaml_get(map, key);

    if (!node)
        return err_set_at(err, ERR_RULE, map->line, map->column, "a window needs `%s`", key);
    if (node->kind == YAML_SCALAR && time_zone_moment(&rules->zone, node->text, ret_ms))
        return 0;
    return yaml_mismatch(node, "a date such as 2027-08-03 10:00", err);
}

static int read_window_track(const SiteRules *rules, const YamlNode *map, uint32_t *ret_track,
                             Err *err)
{
    const YamlNode *node = yaml_get(map, "track");
    Str name;

    if (!node)
        return err_set_at(err, ERR_RULE, map->line, map->column, "a window needs its `track`");
    int rc = yaml_str(node, &name, err);
    const RulesTrack *track = rc ? NULL : contest_rules_track(rules, name);
    if (track)
        *ret_track = (uint32_t)(track - rules->tracks);
    return rc || track ? rc : yaml_mismatch(node, "the name of a track", err);
}

/* Participants pay for their models, and have one machine: one window after the other. */
static int check_window(const SiteRules *rules, const YamlNode *map, const RulesWindow *window,
                        Err *err)
{
    if (window->to_ms <= window->from_ms)
        return err_set_at(err, ERR_RULE, map->line, map->column,
                          "the window ends before it begins");
    for (uint32_t i = 0; i < rules->window_count; i++)
        if (window->from_ms < rules->windows[i].to_ms && rules->windows[i].from_ms < window->to_ms)
            return err_set_at(err, ERR_RULE, map->line, map->column,
                              "the window overlaps with another one");
    return 0;
}

static int read_window(SiteRules *rules, const YamlNode *map, Err *err)
{
    static const KeyRow keys[] = {{.path = "track"}, {.path = "from"}, {.path = "to"}};
    static const KeyTable table = KEY_TABLE(keys, NULL);
    RulesWindow window = {0};
    int rc = yaml_expect(map, YAML_MAP, err);

    if (rc == 0)
        rc = key_table_read(&(KeyReading){.table = &table, .target = &window}, map, err);
    if (rc == 0 && rules->window_count == RULES_WINDOWS_MAX)
        rc = err_set_at(err, ERR_LIMIT, map->line, map->column, "more than %d windows",
                        RULES_WINDOWS_MAX);
    if (rc == 0)
        rc = read_window_track(rules, map, &window.track, err);
    if (rc == 0)
        rc = read_moment(rules, map, "from", &window.from_ms, err);
    if (rc == 0)
        rc = read_moment(rules, map, "to", &window.to_ms, err);
    if (rc == 0)
        rc = check_window(rules, map, &window, err);
    if (rc == 0)
        rules->windows[rules->window_count++] = window;
    return rc;
}

int contest_windows_read(const KeyReading *reading, const KeyRow *key, const YamlNode *list,
                         Err *err)
{
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next)
        rc = read_window(reading->target, node, err);
    return rc;
}

/* ---- evaluation ---- */

static int read_criteria(const KeyReading *reading, const KeyRow *key, const YamlNode *list,
                         Err *err)
{
    SiteRules *rules = reading->target;
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next) {
        const char letter =
            node->kind == YAML_SCALAR && node->text.len == 1 ? node->text.bytes[0] : '\0';
        if (letter < 'A' || letter >= 'A' + RULES_CRITERIA)
            rc = yaml_mismatch(node, "a letter from A to F", err);
        else
            rules->evaluation.criteria[letter - 'A'] = true;
    }
    return rc;
}

/* "0.3" */
static int read_tau(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    Str text = node->kind == YAML_SCALAR ? node->text : STR("");
    const bool minus = text.len && text.bytes[0] == '-';
    uint64_t whole = 0, part = 0;
    Str digits, rest = str_part(text, minus ? 1 : 0, text.len);

    (void)key;
    digits = str_cut(&rest, '.');
    bool good = str_to_uint(digits, 1, &whole) && rest.len <= 3 &&
                (!rest.len || str_to_uint(rest, 999, &part));
    for (size_t i = rest.len; i < 3; i++)
        part *= 10;
    const int32_t permille = (int32_t)(whole * 1000 + part);
    if (!good || permille > 1000)
        return key_mismatch(reading, node, "a number from -1 to 1, as 0.3", err);
    ((SiteRules *)reading->target)->evaluation.min_tau_permille = minus ? -permille : permille;
    return 0;
}

static int read_models(const KeyReading *reading, const KeyRow *key, const YamlNode *list, Err *err)
{
    SiteRules *rules = reading->target;
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next) {
        if (rules->evaluation.model_count == RULES_MODELS_MAX)
            return err_set_at(err, ERR_LIMIT, node->line, node->column, "more than %d models",
                              RULES_MODELS_MAX);
        rc = keep_text(rules, node, &rules->evaluation.models[rules->evaluation.model_count], err);
        rules->evaluation.model_count += rc ? 0 : 1;
    }
    return rc;
}

/* A table reads as a table. */
/* clang-format off */
#define NUMBER(name, member, low, high)                                                            \
    {.path = name, .kind = KEY_NUMBER, KEY_AT(SiteRules, member), .min = low, .max = high}
/* clang-format on */

int contest_evaluation_read(const KeyReading *reading, const KeyRow *key, const YamlNode *map,
                            Err *err)
{
    static const char *const scale_words[] = {"rank", "score", NULL};
    static const KeyRow keys[] = {
        {.path = "criteria", .read = read_criteria},
        NUMBER("sheets", evaluation.sheets, 1, 100000),
        NUMBER("raters", evaluation.raters, 0, 100),
        {.path = "scale",
         .kind = KEY_WORD,
         KEY_AT(SiteRules, evaluation.scale),
         .words = scale_words},
        NUMBER("llm.repeats", evaluation.repeats, 1, 100),
        NUMBER("llm.budget_tokens", evaluation.budget_tokens, 1, INT64_C(1) << 50),
        {.path = "llm.min_tau", .read = read_tau},
        {.path = "llm.models", .read = read_models},
    };
    static const KeyTable table = KEY_TABLE(keys, NULL);
    SiteRules *rules = reading->target;

    (void)key;
    rules->evaluation.given = true;
    rules->evaluation.sheets = SHEETS_GAMES_DEFAULT;
    rules->evaluation.raters = SHEETS_RATERS_DEFAULT;
    rules->evaluation.repeats = SHEETS_REPEATS_DEFAULT;
    return key_table_read(&(KeyReading){.table = &table, .target = rules, .where = "evaluation"},
                          map, err);
}
