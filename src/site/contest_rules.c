#include "site/contest_rules.h"

#include "base/date_text.h"
#include "base/key_table.h"
#include "base/size_text.h"
#include "contest/contest_file.h"
#include "disk/log_file.h"
#include "site/contest_rules_own.h"

#include <unistd.h>

#define NODE_BYTES     128 /* of the tree, for a byte of text, at most: see ruleset_text.c */
#define DAY_MS         INT64_C(86400000)
#define LOT_WINDOW_MAX INT64_C(2592000000)
#define ZONE_FOLDER    "/usr/share/zoneinfo/"

/* In the order of LifeDate, and the stops behind. */
const char *const contest_date_keys[] = {
    "opens",         "submission_closes", "preliminary",       "revision_closes", "judging_closes",
    "appeals_close", "retention_ends",    "preliminary_stops", "final_stops",     NULL,
};

/* What comes when: no date may be before one that stands above it. */
static const uint8_t date_order[] = {
    DATE_OPENS,          DATE_SUBMISSION_CLOSES, DATE_PRELIMINARY,
    LIFE_DATES,          DATE_REVISION_CLOSES,   LIFE_DATES + 1,
    DATE_JUDGING_CLOSES, DATE_APPEALS_CLOSE,     DATE_RETENTION_ENDS,
};
#define DATE_KEYS (sizeof(date_order) / sizeof(date_order[0]))

void contest_rules_done(SiteRules *rules)
{
    time_zone_done(&rules->zone);
    plan_done(&rules->plan);
}

static int64_t *date_at(SiteRules *rules, size_t number)
{
    if (number < LIFE_DATES)
        return &rules->dates[number];
    return number == LIFE_DATES ? &rules->preliminary_stops_ms : &rules->final_stops_ms;
}

/* ---- names ---- */

/* Paths of the site, and of its data. */
static const char *const other_names[] = {"api",      "web",     "account", "login", "logout",
                                          "register", "reset",   "invite",  "admin", "health",
                                          "ready",    "metrics", NULL};

int contest_judge_name(Str name, Err *err)
{
    bool good = name.len >= 2 && name.len <= CONTEST_NAME_MAX && name.bytes[0] != '-';

    for (size_t i = 0; good && i < name.len; i++)
        good = (name.bytes[i] >= 'a' && name.bytes[i] <= 'z') ||
               (name.bytes[i] >= '0' && name.bytes[i] <= '9') || name.bytes[i] == '-';
    if (!good)
        return err_set(
            err, ERR_RULE,
            "contest: 2 to %d small letters, digits and '-', the first a letter or digit",
            CONTEST_NAME_MAX);
    for (size_t i = 0; other_names[i]; i++)
        if (str_eq(name, str_of(other_names[i])))
            return err_set(err, ERR_RULE, "contest: '%s' is a page of the site", other_names[i]);
    return 0;
}

/* ---- values ---- */

static int out_of_room(const YamlNode *node, Err *err)
{
    return err_set_at(err, ERR_LIMIT, node->line, node->column, "key '%.*s': too long",
                      STR_ARG(str_part(node->key, 0, 60)));
}

static int keep_text(SiteRules *rules, const YamlNode *node, const char **ret_text, Err *err)
{
    Str text;
    int rc = yaml_str(node, &text, err);

    if (rc)
        return rc;
    if (!text.len || memchr(text.bytes, '\0', text.len))
        return yaml_mismatch(node, "a text", err);
    *ret_text = plan_text(&rules->plan, text);
    return *ret_text ? 0 : out_of_room(node, err);
}

static int read_text(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    return keep_text(reading->target, node, key_place(reading, key), err);
}

/* What is read, and from where. */
typedef struct RulesSource {
    SiteRules *rules;
    const char *folder;
} RulesSource;

static int keep_path(const RulesSource *source, const YamlNode *node, const char **ret_text,
                     Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Str text;
    int rc = yaml_str(node, &text, err);

    if (rc)
        return rc;
    if (!text.len || memchr(text.bytes, '\0', text.len))
        return yaml_mismatch(node, "the name of a file", err);
    if (source->folder && source->folder[0] && text.bytes[0] != '/')
        buf_printf(&path, "%s/", source->folder);
    buf_add(&path, text);
    *ret_text = buf_failed(&path) ? NULL : plan_text(&source->rules->plan, buf_str(&path));
    return *ret_text ? 0 : out_of_room(node, err);
}

static int read_path(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    return keep_path(reading->user, node, key_place(reading, key), err);
}

static int read_size(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    uint64_t bytes;

    if (node->kind == YAML_SCALAR && size_text_read(node->text, &bytes) &&
        bytes >= (uint64_t)key->min && bytes <= (uint64_t)key->max) {
        *(int64_t *)key_place(reading, key) = (int64_t)bytes;
        return 0;
    }
    return key_mismatch(reading, node, "a size such as 65536, 512MiB or 1GiB", err);
}

/* One word of `words`, or a list of them. */
static int read_words(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                      unsigned *ret_bits, Err *err)
{
    const bool many = node->kind == YAML_LIST;
    int32_t word = 0;
    int rc = 0;

    *ret_bits = 0;
    for (const YamlNode *one = many ? node->first : node; one && rc == 0;
         one = many ? one->next : NULL) {
        rc = key_read_word(reading, key, one, &word, err);
        *ret_bits |= rc ? 0 : 1u << word;
    }
    return rc;
}

static int read_languages(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                          Err *err)
{
    unsigned bits = 0;
    int rc = read_words(reading, key, node, &bits, err);

    if (rc == 0 && !bits)
        rc = key_mismatch(reading, node, "a list of java, dotnet, python, native", err);
    if (rc == 0)
        *(unsigned *)key_place(reading, key) = bits;
    return rc;
}

/* ---- name, title, dates ---- */

static int read_name(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    SiteRules *rules = reading->target;
    Str text;
    int rc = yaml_str(node, &text, err);

    (void)key;
    if (rc == 0 && (rc = contest_judge_name(text, err)) && err) {
        err->line = node->line;
        err->column = node->column;
    }
    if (rc == 0)
        snprintf(rules->name, sizeof(rules->name), "%.*s", STR_ARG(text));
    return rc;
}

/* A text, or {en: ..., ja: ...}. */
static int read_title(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    static const KeyRow keys[] = {
        {.path = "en", KEY_AT(SiteRules, title[0]), .read = read_text},
        {.path = "ja", KEY_AT(SiteRules, title[1]), .read = read_text},
    };
    static const KeyTable table = KEY_TABLE(keys, NULL);
    SiteRules *rules = reading->target;

    (void)key;
    if (node->kind == YAML_MAP)
        return key_table_read(&(KeyReading){.table = &table, .target = rules, .where = "title"},
                              node, err);
    return keep_text(rules, node, &rules->title[0], err);
}

/* "Asia/Tokyo": a file of the zones of this machine, and no way out of their folder. */
static int load_zone(SiteRules *rules, const YamlNode *node, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf bytes = {0};
    Err why = {0};
    Str name;
    size_t at;
    int rc = yaml_str(node, &name, err);

    if (rc)
        return rc;
    if (!name.len || name.len > RULES_ZONE_NAME_MAX || memchr(name.bytes, '\0', name.len) ||
        name.bytes[0] == '/' || str_find(name, STR(".."), &at))
        return yaml_mismatch(node, "a time zone such as Asia/Tokyo or UTC", err);
    snprintf(rules->zone_name, sizeof(rules->zone_name), "%.*s", STR_ARG(name));
    if (str_eq(name, STR("UTC")))
        return 0;
    buf_printf(&path, ZONE_FOLDER "%.*s", STR_ARG(name));
    if (log_file_read(buf_cstr(&path), TIME_ZONE_BYTES_MAX, &bytes, &why) ||
        time_zone_read(buf_str(&bytes), &rules->zone, &why))
        return err_set_at(err, ERR_RULE, node->line, node->column,
                          "zone: this machine does not know '%s' (package tzdata): %s",
                          rules->zone_name, why.msg);
    return 0;
}

static int read_date(SiteRules *rules, const YamlNode *node, int64_t *ret_ms, Err *err)
{
    if (node->kind == YAML_SCALAR && time_zone_moment(&rules->zone, node->text, ret_ms))
        return 0;
    return yaml_mismatch(node, "a date such as 2027-07-21, 2027-07-21 09:00 or 2027-07-21 24:00",
                         err);
}

static int check_order(SiteRules *rules, const YamlNode *map, Err *err)
{
    int64_t last = LIFE_NO_DATE;
    const char *last_key = "";

    for (size_t i = 0; i < DATE_KEYS; i++) {
        const char *name = contest_date_keys[date_order[i]];
        const int64_t date = *date_at(rules, date_order[i]);
        if (date == LIFE_NO_DATE)
            continue;
        const YamlNode *node = yaml_get(map, name);
        if (date < last)
            return err_set_at(err, ERR_RULE, node ? node->line : map->line,
                              node ? node->column : map->column, "%s is before %s", name, last_key);
        last = date;
        last_key = name;
    }
    return 0;
}

static int read_dates(const KeyReading *reading, const KeyRow *key, const YamlNode *map, Err *err)
{
    static const KeyRow keys[] = {
        {.path = "zone"},
        {.path = "opens"},
        {.path = "submission_closes"},
        {.path = "preliminary"},
        {.path = "preliminary_stops"},
        {.path = "revision_closes"},
        {.path = "final_stops"},
        {.path = "judging_closes"},
        {.path = "appeals_close"},
        {.path = "retention_ends"},
    };
    static const KeyTable table = KEY_TABLE(keys, NULL);
    SiteRules *rules = reading->target;
    const YamlNode *zone = yaml_get(map, "zone");
    int rc =
        key_table_read(&(KeyReading){.table = &table, .target = rules, .where = "dates"}, map, err);

    (void)key;
    if (rc == 0 && zone)
        rc = load_zone(rules, zone, err);
    for (size_t i = 0; contest_date_keys[i] && rc == 0; i++) {
        const YamlNode *node = yaml_get(map, contest_date_keys[i]);
        rc = node ? read_date(rules, node, date_at(rules, i), err) : 0;
    }
    return rc ? rc : check_order(rules, map, err);
}

/* ---- registration ---- */

static int read_fields(const KeyReading *reading, const KeyRow *key, const YamlNode *list, Err *err)
{
    SiteRules *rules = reading->target;
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next) {
        if (rules->registration.field_count == RULES_FIELDS_MAX)
            return err_set_at(err, ERR_LIMIT, node->line, node->column, "more than %d fields",
                              RULES_FIELDS_MAX);
        rc = keep_text(rules, node, &rules->registration.fields[rules->registration.field_count],
                       err);
        rules->registration.field_count += rc ? 0 : 1;
    }
    return rc;
}

static int read_public(const KeyReading *reading, const KeyRow *key, const YamlNode *list, Err *err)
{
    SiteRules *rules = reading->target;
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next) {
        uint32_t i = 0;
        while (i < rules->registration.field_count &&
               !str_eq(node->text, str_of(rules->registration.fields[i])))
            i++;
        if (node->kind != YAML_SCALAR || i == rules->registration.field_count)
            rc = yaml_mismatch(node, "one of `fields`", err);
        else
            rules->registration.field_public[i] = true;
    }
    return rc;
}

/* ---- testing ---- */

/* "03:00" */
static bool read_minute(const YamlNode *node, uint16_t *ret_minute)
{
    uint64_t hours, minutes;
    Str text = node->kind == YAML_SCALAR ? node->text : STR("");

    if (text.len != 5 || text.bytes[2] != ':' || !str_to_uint(str_part(text, 0, 2), 23, &hours) ||
        !str_to_uint(str_part(text, 3, 2), 59, &minutes))
        return false;
    *ret_minute = (uint16_t)(hours * 60 + minutes);
    return true;
}

static int read_testing_at(const KeyReading *reading, const KeyRow *key, const YamlNode *list,
                           Err *err)
{
    SiteRules *rules = reading->target;
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next) {
        uint16_t minute;
        uint32_t i = rules->testing.at_count;
        if (!read_minute(node, &minute))
            return yaml_mismatch(node, "a time of the day in quotes, such as \"03:00\"", err);
        if (i == RULES_TIMES_MAX)
            return err_set_at(err, ERR_LIMIT, node->line, node->column, "more than %d times",
                              RULES_TIMES_MAX);
        for (; i > 0 && rules->testing.at[i - 1] > minute; i--)
            rules->testing.at[i] = rules->testing.at[i - 1];
        rules->testing.at[i] = minute;
        rules->testing.at_count++;
    }
    return rc;
}

typedef struct TestingPart {
    int32_t players;
    uint32_t sets_each;
} TestingPart;

static int read_testing_parts(const KeyReading *reading, const KeyRow *key, const YamlNode *list,
                              Err *err)
{
    static const KeyRow keys[] = {
        {.path = "players",
         .kind = KEY_NUMBER,
         KEY_AT(TestingPart, players),
         .min = 3,
         .max = SEAT_MAX},
        {.path = "sets_each",
         .kind = KEY_NUMBER,
         KEY_AT(TestingPart, sets_each),
         .min = 1,
         .max = 1000},
    };
    static const KeyTable table = KEY_TABLE(keys, NULL);
    SiteRules *rules = reading->target;
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next) {
        TestingPart part = {.sets_each = 1};
        rc = yaml_expect(node, YAML_MAP, err);
        if (rc == 0)
            rc = key_table_read(&(KeyReading){.table = &table, .target = &part}, node, err);
        if (rc == 0 && (!part.players || rules->testing.part_count == PLAN_SIZES_MAX))
            rc = err_set_at(err, ERR_RULE, node->line, node->column,
                            part.players ? "testing: too many parts" : "a part needs `players`");
        if (rc)
            break;
        rules->testing.parts[rules->testing.part_count].players = part.players;
        rules->testing.parts[rules->testing.part_count++].sets_each = part.sets_each;
    }
    return rc;
}

/* ---- the file ---- */

static const char *const division_words[] = {"protocol", "nlp", NULL};
static const char *const language_words[] = {"java", "dotnet", "python", "native", NULL};
static const char *const name_words[] = {"warn", "refuse", NULL};
static const char *const fill_words[] = {"sample", "none", NULL};
static const char *const error_words[] = {"suspend", "note", NULL};
static const char *const logs_words[] = {"own", "all", "none", NULL};
static const char *const live_words[] = {"none", "standings", "games", NULL};
static const char *const sources_words[] = {"final", "all", "none", NULL};

static int read_division(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                         Err *err)
{
    int32_t word = 0;
    int rc = key_read_word(reading, key, node, &word, err);

    ((SiteRules *)reading->target)->natural_language = word == 1;
    return rc;
}

/* A table reads as a table. */
/* clang-format off */
#define NUMBER(name, member, low, high)                                                            \
    {.path = name, .kind = KEY_NUMBER, KEY_AT(SiteRules, member), .min = low, .max = high}
#define FLAG(name, member)      {.path = name, .kind = KEY_FLAG, KEY_AT(SiteRules, member)}
#define WORD(name, member, list) {.path = name, .kind = KEY_WORD, KEY_AT(SiteRules, member), .words = list}
#define OWN(name, read_it)      {.path = name, .read = read_it}
#define PATHS(name, member)     {.path = name, KEY_AT(SiteRules, member), .read = read_path}
#define BYTES(name, member, high)                                                                  \
    {.path = name, KEY_AT(SiteRules, member), .min = 1, .max = high, .read = read_size}
/* clang-format on */

static const KeyRow site_keys[] = {
    OWN("contest", read_name),
    OWN("title", read_title),
    {.path = "division", .words = division_words, .read = read_division},
    OWN("dates", read_dates),
    {.path = "lot_window",
     .kind = KEY_TIME,
     KEY_AT(SiteRules, lot_window_ms),
     .min = 0,
     .max = LOT_WINDOW_MAX},
    FLAG("register.approve", registration.approve),
    NUMBER("register.members", registration.members, 1, 1000),
    OWN("register.fields", read_fields),
    OWN("register.public", read_public),
    {.path = "submit.languages",
     KEY_AT(SiteRules, submit.languages),
     .words = language_words,
     .read = read_languages},
    BYTES("submit.file_bytes", submit.file_bytes, INT64_C(1) << 36),
    BYTES("submit.tree_bytes", submit.tree_bytes, INT64_C(1) << 38),
    NUMBER("submit.entries", submit.entries, 1, 10000000),
    NUMBER("submit.versions_per_day", submit.versions_per_day, 1, 10000),
    NUMBER("submit.keep", submit.keep, 1, 10000),
    PATHS("runtimes.java.lib", runtimes.java_lib),
    PATHS("runtimes.dotnet.starter", runtimes.dotnet_starter),
    PATHS("runtimes.python.wheels", runtimes.python_wheels),
    NUMBER("check.games", check.games, 1, 1000),
    WORD("check.name", check.refuse_name, name_words),
    OWN("testing.at", read_testing_at),
    OWN("testing.parts", read_testing_parts),
    WORD("testing.fill", testing.fill, fill_words),
    WORD("testing.on_error", testing.on_error, error_words),
    WORD("publish.logs", publish.logs, logs_words),
    WORD("publish.live", publish.live, live_words),
    WORD("publish.sources", publish.sources, sources_words),
    NUMBER("publish.delay_games", publish.delay_games, 0, 1000000),
    OWN("tracks", contest_tracks_read),
    OWN("windows", contest_windows_read),
    OWN("evaluation", contest_evaluation_read),
};

/* What is not in the site's table is today's: contest_text_load has refused what nobody knows. */
static int pass_today(const KeyReading *reading, const char *section, const YamlNode *node,
                      const Suggest *near, Err *err)
{
    Str best = suggest_best(near);

    (void)reading;
    if (!section[0])
        return 0;
    return err_set_at(err, ERR_SYNTAX, node->key_line, node->key_column,
                      "unknown key '%.*s'%s%.*s%s", STR_ARG(str_part(node->key, 0, 60)),
                      best.len ? ": did you mean '" : "", STR_ARG(best), best.len ? "'?" : "");
}

static const KeyManner site_manner = {.unknown = pass_today};
static const KeyTable site_table = KEY_TABLE(site_keys, &site_manner);

static void set_defaults(SiteRules *rules)
{
    for (size_t i = 0; i < LIFE_DATES; i++)
        rules->dates[i] = LIFE_NO_DATE;
    rules->preliminary_stops_ms = rules->final_stops_ms = LIFE_NO_DATE;
    snprintf(rules->zone_name, sizeof(rules->zone_name), "UTC");
    rules->lot_window_ms = 172800000; /* 48 h */
    rules->registration.members = 10;
    rules->submit.languages = (1u << SUBMIT_LANGUAGES) - 1;
    rules->submit.file_bytes = INT64_C(268435456);
    rules->submit.tree_bytes = INT64_C(1073741824);
    rules->submit.entries = 20000;
    rules->submit.versions_per_day = 10;
    rules->submit.keep = 20;
    rules->check.games = 20;
    rules->publish.live = LIVE_STANDINGS;
    rules->evaluation.min_tau_permille = INT32_MIN;
}

/* `require` of the stages: [source, description]. */
static int read_requires(SiteRules *rules, const YamlNode *root, Err *err)
{
    static const char *const words[] = {"source", "description", NULL};
    static const KeyRow row = {.path = "require", .words = words};
    static const KeyTable table = {.keys = &row, .count = 1};
    const YamlNode *stages = yaml_get(root, "stages");
    uint32_t number = 0;
    int rc = 0;

    for (const YamlNode *stage = stages ? stages->first : NULL;
         stage && rc == 0 && number < STAGES_MAX; stage = stage->next, number++) {
        const YamlNode *node = yaml_get(stage, "require");
        if (node)
            rc = read_words(&(KeyReading){.table = &table}, &row, node, &rules->require[number],
                            err);
    }
    return rc;
}

static int read_site(SiteRules *rules, const char *folder, Str text, Err *err)
{
    RulesSource source = {rules, folder};
    const YamlNode *root;
    CLEANUP(arena_done) Arena arena = arena_new((text.len + 1024) * NODE_BYTES);

    if (!arena.block)
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    int rc = yaml_read(text, &arena, &root, err);
    if (rc == 0)
        rc = key_table_read(&(KeyReading){.table = &site_table, .target = rules, .user = &source},
                            root, err);
    if (rc == 0 && !rules->name[0])
        rc = err_set_at(err, ERR_SYNTAX, root->line, root->column,
                        "`contest` is missing: the contest's name");
    for (uint32_t i = 0; i < rules->track_count && rc == 0; i++)
        rc = contest_track_path(&rules->plan, folder, &rules->tracks[i], err);
    for (size_t i = 0; i < 2; i++)
        if (rc == 0 && !rules->title[i])
            rules->title[i] = i && rules->title[0] ? rules->title[0]
                                                   : plan_text(&rules->plan, str_of(rules->name));
    return rc ? rc : read_requires(rules, root, err);
}

int contest_rules_read(Str text, const char *folder, SiteRules *ret_rules, Err *err)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    int rc = plan_init(&rules.plan, err);

    if (rc)
        return rc;
    set_defaults(&rules);
    rc = contest_text_load(text, folder, &rules.plan, err);
    if (rc == 0)
        rc = read_site(&rules, folder, text, err);
    if (rc)
        return rc;
    *ret_rules = rules;
    rules = (SiteRules){0};
    return 0;
}

/* ---- what follows from it ---- */

static bool has_table(const Plan *plan, int32_t players)
{
    uint8_t counts[ROLE_COUNT];

    return ruleset_roles(&plan->rules, players, counts, NULL) == 0;
}

static int check_stage(const SiteRules *rules, const PlanStage *stage, Err *err)
{
    for (uint32_t part = 0; part < plan_stage_parts(stage); part++) {
        const PlanStage one = plan_stage_part(stage, part);
        if (!has_table(&rules->plan, one.players))
            return err_set(err, ERR_RULE, "stage '%s': the rules have no table of %d players",
                           stage->name, (int)one.players);
        if (one.pairing != PAIRING_RANDOM && one.pairing != PAIRING_ROTATE)
            return err_set(err, ERR_RULE, "stage '%s': a site pairs by random or rotate",
                           stage->name);
    }
    return 0;
}

static int check_protocol(const SiteRules *rules, Err *err)
{
    int rc = 0;

    if (rules->plan.stage_count > 2)
        return err_set(err, ERR_RULE, "stages: a preliminary and a final, or a final alone");
    for (uint32_t i = 0; i < rules->plan.stage_count && rc == 0; i++)
        rc = check_stage(rules, &rules->plan.stages[i], err);
    for (uint32_t i = 0; i < rules->testing.part_count && rc == 0; i++)
        if (!has_table(&rules->plan, rules->testing.parts[i].players))
            rc = err_set(err, ERR_RULE, "testing: the rules have no table of %d players",
                         (int)rules->testing.parts[i].players);
    if (rc == 0 && rules->plan.stage_count == 2 && !rules->plan.stages[0].advance)
        rc = err_set(err, ERR_RULE, "stage '%s': say with `advance` how many go on",
                     rules->plan.stages[0].name);
    return rc;
}

int contest_rules_check(const SiteRules *rules, Err *err)
{
    if (rules->natural_language && !rules->track_count)
        return err_set(err, ERR_RULE, "division nlp: `tracks` are missing");
    return rules->natural_language ? 0 : check_protocol(rules, err);
}

int contest_rules_find_runtimes(const SiteRules *rules, Err *err)
{
    const struct {
        const char *key, *path;
    } places[] = {{"runtimes.java.lib", rules->runtimes.java_lib},
                  {"runtimes.dotnet.starter", rules->runtimes.dotnet_starter},
                  {"runtimes.python.wheels", rules->runtimes.python_wheels}};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (places[i].path && access(places[i].path, R_OK) != 0)
            return err_set(err, ERR_RULE,
                           "%s: '%s' can't be read; names are seen from the folder of server.yml",
                           places[i].key, places[i].path);
    return 0;
}

void contest_rules_life(const SiteRules *rules, LifePlan *ret_plan)
{
    ret_plan->preliminary = !rules->natural_language && rules->plan.stage_count > 1;
    ret_plan->judges = rules->evaluation.given;
    memcpy(ret_plan->dates, rules->dates, sizeof(ret_plan->dates));
}

uint32_t contest_rules_teams_needed(const SiteRules *rules)
{
    int32_t needed = SEAT_MAX;

    if (rules->natural_language)
        return 2;
    for (uint32_t i = 0; i < rules->plan.stage_count; i++)
        for (uint32_t part = 0; part < plan_stage_parts(&rules->plan.stages[i]); part++) {
            const PlanStage one = plan_stage_part(&rules->plan.stages[i], part);
            needed = one.players < needed ? one.players : needed;
        }
    return (uint32_t)needed;
}

int64_t contest_rules_testing_moment(const SiteRules *rules, int64_t now_ms)
{
    const int64_t now_s = now_ms / 1000;
    const int64_t local_day = (now_s + time_zone_offset(&rules->zone, now_s)) / (DAY_MS / 1000);
    int64_t best = LIFE_NO_DATE;

    for (int64_t day = local_day - 1; day <= local_day; day++)
        for (uint32_t i = 0; i < rules->testing.at_count; i++) {
            char text[64];
            int year, month, date;
            int64_t at;
            date_text_day(day, &year, &month, &date);
            snprintf(text, sizeof(text), "%04d-%02d-%02d %02d:%02d", year, month, date,
                     rules->testing.at[i] / 60, rules->testing.at[i] % 60);
            if (time_zone_moment(&rules->zone, str_of(text), &at) && at <= now_ms && at > best)
                best = at;
        }
    return best;
}

int64_t contest_rules_stop(const SiteRules *rules, uint32_t stage)
{
    return stage + 1 == rules->plan.stage_count ? rules->final_stops_ms
                                                : rules->preliminary_stops_ms;
}

void contest_rules_stops(const SiteRules *rules, Buf *out)
{
    for (uint32_t stage = 0; stage < rules->plan.stage_count; stage++) {
        const int64_t stop = contest_rules_stop(rules, stage);
        char room[DATE_TEXT_ROOM];
        buf_add(out, stage ? STR(" ") : STR(""));
        buf_add(out, stop == LIFE_NO_DATE ? STR("-") : date_text_write(stop, room));
    }
}

const int64_t *contest_rules_date(const SiteRules *rules, Str key)
{
    for (size_t i = 0; contest_date_keys[i]; i++) {
        if (!str_eq(key, str_of(contest_date_keys[i])))
            continue;
        if (i < LIFE_DATES)
            return &rules->dates[i];
        return i == LIFE_DATES ? &rules->preliminary_stops_ms : &rules->final_stops_ms;
    }
    return NULL;
}
