/* Configurations of the natural-language division: one table of keys, with their kinds, ranges and
 * places, gives reading, zero values and the warnings on unknown keys. docs/spec/nlp-division.md 7.
 */
#include "nlp/config_draft.h"

#include "disk/log_file.h"

typedef enum Kind {
    KIND_ELSEWHERE, /* a list or map that another file reads */
    KIND_BOOL,
    KIND_INT,    /* int32_t */
    KIND_PORT,   /* uint16_t */
    KIND_REAL,   /* double */
    KIND_TIME,   /* int64_t milliseconds */
    KIND_TIME32, /* int32_t milliseconds */
    KIND_TEXT,   /* Str */
    KIND_CSTR,   /* const char * */
    KIND_ARGS,   /* const char *const *, ended by NULL */
} Kind;

typedef struct Row {
    const char *path;
    Kind kind;
    size_t offset; /* in a ConfigDraft */
    int64_t min;
    int64_t max;
} Row;

#define AT(member)  offsetof(ConfigDraft, member)
#define COUNT_MAX   1000000
#define LENGTH_MAX  100000000 /* some files mean "no limit"; sums stay in 32 bits */
#define DAY_MS      86400000
#define LONG_MS     (INT64_C(365) * DAY_MS)
#define SECTION_MAX 64 /* longer than any path below */
#define NAME_MS     120000
#define REJOIN_MS   60000
/* As much as a line of a game log has room for, escaped or not; docs/spec/nlp-division.md 1.4. */
#define MESSAGE_BYTES 65536
#define HEALTH_TIME   (INT64_C(30) * 60000)
#define STALL_MS      (INT64_C(10) * 60000)
#define DEFAULT_CHAT  "https://api.openai.com/v1"

/* A table reads as a table. */
/* clang-format off */
#define OTHER(path)                    {path, KIND_ELSEWHERE, 0, 0, 0}
#define FLAG(path, member)             {path, KIND_BOOL, AT(member), 0, 0}
#define NUMBER(path, member, min, max) {path, KIND_INT, AT(member), min, max}
#define REAL(path, member, max)        {path, KIND_REAL, AT(member), 0, max}
#define TIME(path, member)             {path, KIND_TIME, AT(member), 0, LONG_MS}
#define TIME32(path, member)           {path, KIND_TIME32, AT(member), 0, DAY_MS}
#define TEXT(path, member)             {path, KIND_TEXT, AT(member), 0, 0}
#define CSTR(path, member)             {path, KIND_CSTR, AT(member), 0, 0}
#define ARGS(path, member)             {path, KIND_ARGS, AT(member), 0, 0}

#define LENGTH(path, talk, length_key)                                                            \
    NUMBER(path ".max_length." #length_key, config.rules.talk.length.length_key, -1, LENGTH_MAX)

#define TALK(path, talk)                                                                          \
    TIME32(path ".duration", config.rules.talk.duration_ms),                                      \
    NUMBER(path ".max_count.per_agent", config.rules.talk.max_per_agent, 0, 10000),               \
    NUMBER(path ".max_count.per_day", config.rules.talk.max_turns, 0, 10000),                     \
    FLAG(path ".max_length.count_in_word", config.rules.talk.length.count_in_word),               \
    FLAG(path ".max_length.count_spaces", config.rules.talk.length.count_spaces),                 \
    LENGTH(path, talk, per_talk),                                                                 \
    LENGTH(path, talk, per_agent),                                                                \
    LENGTH(path, talk, base_length),                                                              \
    LENGTH(path, talk, mention_length),                                                           \
    NUMBER(path ".max_skip", config.rules.talk.max_skip, 0, 10000)

#define LOGGER(path, logger)                                                                      \
    FLAG(path ".enable", config.logger.enable),                                                   \
    CSTR(path ".output_dir", config.logger.output_dir),                                           \
    CSTR(path ".filename", config.logger.filename)

/* To add a key: a member in config.h, a row here (a default of a `warg:` key in set_defaults), a
 * line in the files of config/nlp/, and a row in tests/nlp/test_config.c. */
static const Row rows[] = {
    CSTR("server.web_socket.host", config.host),
    {"server.web_socket.port", KIND_PORT, AT(config.port), 0, 65535},
    FLAG("server.authentication.enable", config.authentication),
    TIME32("server.timeout.action", config.action_ms),
    TIME32("server.timeout.response", config.response_ms),
    TIME32("server.timeout.acceptable", config.acceptable_ms),
    REAL("server.max_continue_error_ratio", error_ratio, 1000),

    NUMBER("game.agent_count", config.agent_count, PLAYERS_MIN, SEAT_MAX),
    NUMBER("game.max_day", config.rules.end.max_day, -1, COUNT_MAX),
    FLAG("game.vote_visibility", config.rules.vote.visible),
    TALK("game.talk", talk),
    TALK("game.whisper", whisper),
    NUMBER("game.vote.max_count", config.rules.vote.rounds, 0, 20),
    FLAG("game.vote.allow_self_vote", config.rules.vote.self_vote),
    NUMBER("game.attack_vote.max_count", config.rules.attack.rounds, 0, 20),
    FLAG("game.attack_vote.allow_self_vote", config.rules.attack.self_vote),
    FLAG("game.attack_vote.allow_no_target", attack_no_target),

    OTHER("logic.day_phases"),
    OTHER("logic.night_phases"),
    OTHER("logic.roles"),

    FLAG("matching.self_match", config.matching.self_match),
    FLAG("matching.is_optimize", config.matching.is_optimize),
    NUMBER("matching.team_count", config.matching.team_count, 0, COUNT_MAX),
    NUMBER("matching.game_count", config.matching.game_count, 0, COUNT_MAX),
    CSTR("matching.output_path", config.matching.output_path),
    FLAG("matching.infinite_loop", config.matching.infinite_loop),
    REAL("matching.abort_weight_factor", config.matching.abort_weight_factor, 1000),

    FLAG("custom_profile.enable", config.profiles_enable),
    OTHER("custom_profile.profile_encoding"),
    OTHER("custom_profile.profiles"),
    FLAG("custom_profile.dynamic_profile.enable", config.dynamic.enable),
    TEXT("custom_profile.dynamic_profile.prompt", config.dynamic.prompt),
    NUMBER("custom_profile.dynamic_profile.attempts", config.dynamic.attempts, 0, 1000),
    TEXT("custom_profile.dynamic_profile.model", config.dynamic.model),
    NUMBER("custom_profile.dynamic_profile.max_tokens", config.dynamic.max_tokens, 0, COUNT_MAX),
    OTHER("custom_profile.dynamic_profile.avatars"),

    LOGGER("json_logger", json_logger),
    LOGGER("game_logger", game_logger),
    LOGGER("realtime_broadcaster", realtime),
    TIME("realtime_broadcaster.delay", config.realtime_delay_ms),

    FLAG("tts_broadcaster.enable", config.speech.enable),
    FLAG("tts_broadcaster.async", config.speech.async),
    TIME("tts_broadcaster.target_duration", config.speech.target_ms),
    CSTR("tts_broadcaster.segment_dir", config.speech.segment_dir),
    CSTR("tts_broadcaster.temp_dir", config.speech.temp_dir),
    CSTR("tts_broadcaster.host", config.speech.host),
    TIME("tts_broadcaster.timeout", config.speech.timeout_ms),
    CSTR("tts_broadcaster.ffmpeg_path", config.speech.ffmpeg_path),
    CSTR("tts_broadcaster.ffprobe_path", config.speech.ffprobe_path),
    ARGS("tts_broadcaster.convert_args", config.speech.convert_args),
    ARGS("tts_broadcaster.duration_args", config.speech.duration_args),
    ARGS("tts_broadcaster.pre_convert_args", config.speech.pre_convert_args),
    ARGS("tts_broadcaster.split_args", config.speech.split_args),

    FLAG("team_health.enable", config.health.enable),
    NUMBER("team_health.window", config.health.window, 0, COUNT_MAX),
    NUMBER("team_health.min_games", config.health.min_games, 0, COUNT_MAX),
    REAL("team_health.scores.request_error", config.health.score_request_error, COUNT_MAX),
    REAL("team_health.scores.fatal", config.health.score_fatal, COUNT_MAX),
    REAL("team_health.scores.abort", config.health.score_abort, COUNT_MAX),
    REAL("team_health.weight_floor", config.health.weight_floor, 1),
    REAL("team_health.quarantine_rate", config.health.quarantine_rate, 1),
    TIME("team_health.quarantine_duration", config.health.quarantine_ms),
    REAL("team_health.abort_weight_factor", old_abort_factor, 1000),

    FLAG("slack_notifier.enable", config.notifier.enable),
    CSTR("slack_notifier.webhook_url", config.notifier.webhook_url),
    TEXT("slack_notifier.username", config.notifier.username),
    TEXT("slack_notifier.icon_emoji", config.notifier.icon_emoji),
    TIME("slack_notifier.timeout", config.notifier.timeout_ms),
    TIME("slack_notifier.min_interval", config.notifier.min_interval_ms),
    OTHER("slack_notifier.events"),
    TIME("slack_notifier.stall_threshold", config.notifier.stall_ms),
    NUMBER("slack_notifier.milestone_every", config.notifier.milestone_every, 0, COUNT_MAX),

    TIME("warg.name_timeout", config.name_ms),
    TIME("warg.rejoin", config.rejoin_ms),
    FLAG("warg.strict", config.strict),
    FLAG("warg.unique_names", config.unique_names),
    FLAG("warg.log_talk_time", config.talk_time),
    FLAG("warg.json_milliseconds", config.json_milliseconds),
    FLAG("warg.open", config.open),
    FLAG("warg.realtime_open", config.realtime_open),
    FLAG("warg.realtime_masked", config.realtime_masked),
    FLAG("warg.shuffle_each_round", config.shuffle_each_round),
    {"warg.silence", KIND_TIME, AT(config.silence_ms), 0, DAY_MS},
    NUMBER("warg.rate_limit", config.rate_per_minute, 0, COUNT_MAX),
    NUMBER("warg.message_bytes", config.message_bytes, 1024, 64 << 20),
    NUMBER("warg.max_idle_days", config.rules.end.max_idle_days, 0, 1000),
    FLAG("warg.sync_logs", config.sync_logs),
    OTHER("warg.hosts"),
    OTHER("warg.origins"),
    OTHER("warg.seed"),
};
/* clang-format on */

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

const char *config_key(size_t index)
{
    return index < ROW_COUNT ? rows[index].path : NULL;
}

/* ---- zero values ---- */

static const char *const no_args[] = {NULL};

/* A missing key is Go's zero value: 7.1. What the preset says of these rules goes. */
static void set_zero(ConfigDraft *draft, const Row *row)
{
    char *at = (char *)draft + row->offset;

    switch (row->kind) {
    case KIND_ELSEWHERE:
        break;
    case KIND_BOOL:
        *(bool *)at = false;
        break;
    case KIND_INT:
    case KIND_TIME32:
        *(int32_t *)(void *)at = 0;
        break;
    case KIND_PORT:
        *(uint16_t *)(void *)at = 0;
        break;
    case KIND_REAL:
        *(double *)(void *)at = 0;
        break;
    case KIND_TIME:
        *(int64_t *)(void *)at = 0;
        break;
    case KIND_TEXT:
        *(Str *)(void *)at = STR("");
        break;
    case KIND_CSTR:
        *(const char **)(void *)at = "";
        break;
    case KIND_ARGS:
        *(const char *const **)(void *)at = no_args;
        break;
    }
}

static void set_defaults(ConfigDraft *draft)
{
    Config *config = &draft->config;

    ruleset_preset(STR("nlp-turn"), &config->rules, NULL);
    for (size_t i = 0; i < ROW_COUNT; i++)
        set_zero(draft, &rows[i]);
    config->name_ms = NAME_MS;
    config->rejoin_ms = REJOIN_MS;
    config->message_bytes = MESSAGE_BYTES;
    config->talk_time = true;
    config->realtime_masked = true;
    config->dynamic.endpoint = DEFAULT_CHAT;
}

static void default_int(int32_t *value, int32_t instead)
{
    *value = *value ? *value : instead;
}

static void default_real(double *value, double instead)
{
    *value = *value > 0 ? *value : instead;
}

static void default_time(int64_t *value, int64_t instead)
{
    *value = *value ? *value : instead;
}

static void default_path(const char **value, const char *instead)
{
    *value = **value ? *value : instead;
}

/* Zero values that mean something else: 7.2. */
static void set_meanings(Config *config)
{
    ConfigHealth *health = &config->health;
    ConfigNotifier *notifier = &config->notifier;
    ConfigSpeech *speech = &config->speech;

    if (notifier->webhook_url && !notifier->webhook_url[0])
        notifier->webhook_url = NULL;
    default_int(&health->window, 20);
    default_int(&health->min_games, 3);
    default_real(&health->score_request_error, 1);
    default_real(&health->score_fatal, 3);
    default_real(&health->score_abort, 1);
    default_real(&health->weight_floor, 0.1);
    default_real(&health->quarantine_rate, 0.5);
    default_time(&health->quarantine_ms, HEALTH_TIME);
    default_time(&notifier->timeout_ms, 10000);
    default_time(&notifier->min_interval_ms, 1000);
    default_time(&notifier->stall_ms, STALL_MS);
    default_int(&notifier->milestone_every, 10);
    default_time(&speech->target_ms, 1000);
    default_time(&speech->timeout_ms, 30000);
    default_path(&speech->segment_dir, "./cache/segment");
    default_path(&speech->host, "http://localhost:50021");
    default_path(&speech->ffmpeg_path, "ffmpeg");
    default_path(&speech->ffprobe_path, "ffprobe");
}

/* ---- reading by the table ---- */

static int read_args(ConfigDraft *draft, const Row *row, const YamlNode *node, Err *err)
{
    const Str *texts = NULL;
    uint32_t count = 0;
    int rc = config_texts(draft, node, row->path, &texts, &count, err);

    if (rc)
        return rc;
    const char **args = arena_take(&draft->arena, (count + 1) * sizeof(*args));
    if (!args)
        return err_set(err, ERR_MEMORY, "%s: out of memory", row->path);
    for (uint32_t i = 0; i < count && rc == 0; i++)
        rc = config_cstr(draft, node, row->path, texts[i], &args[i], err);
    args[count] = NULL;
    if (rc == 0)
        *(const char *const **)(void *)((char *)draft + row->offset) = args;
    return rc;
}

static int read_row(ConfigDraft *draft, const Row *row, const YamlNode *node, Err *err)
{
    char *at = (char *)draft + row->offset;
    int64_t number = 0;
    Str text = {0};
    int rc = 0;

    if (config_is_null(node))
        return 0;
    switch (row->kind) {
    case KIND_ELSEWHERE:
        return 0;
    case KIND_BOOL:
        return config_bool(node, row->path, (bool *)at, err);
    case KIND_INT:
        rc = config_int(node, row->path, row->min, row->max, &number, err);
        if (rc == 0)
            *(int32_t *)(void *)at = (int32_t)number;
        return rc;
    case KIND_PORT:
        rc = config_int(node, row->path, row->min, row->max, &number, err);
        if (rc == 0)
            *(uint16_t *)(void *)at = (uint16_t)number;
        return rc;
    case KIND_REAL:
        return config_real(node, row->path, (double)row->min, (double)row->max, (void *)at, err);
    case KIND_TIME:
        return config_time(draft, node, row->path, row->max, (void *)at, err);
    case KIND_TIME32:
        rc = config_time(draft, node, row->path, row->max, &number, err);
        if (rc == 0)
            *(int32_t *)(void *)at = (int32_t)number;
        return rc;
    case KIND_TEXT:
        return config_text(node, row->path, (void *)at, err);
    case KIND_CSTR:
        rc = config_text(node, row->path, &text, err);
        return rc ? rc : config_cstr(draft, node, row->path, text, (void *)at, err);
    case KIND_ARGS:
        return read_args(draft, row, node, err);
    }
    return 0;
}

/* The key of `row` that stands directly in `section`; empty when it is not inside. */
static Str key_in(const Row *row, Str section)
{
    Str path = str_of(row->path);

    if (section.len) {
        if (!str_starts(path, section) || path.bytes[section.len] != '.')
            return STR("");
        path = str_part(path, section.len + 1, path.len);
    }
    return str_cut(&path, '.');
}

static int read_section(ConfigDraft *draft, const char *section, const YamlNode *map, Err *err);

static int read_key(ConfigDraft *draft, const char *section, const YamlNode *node, Err *err)
{
    Suggest near = {.word = node->key};

    for (size_t i = 0; i < ROW_COUNT; i++) {
        char path[SECTION_MAX];
        Str key = key_in(&rows[i], str_of(section));
        if (!key.len || !str_eq(key, node->key)) {
            suggest_offer(&near, key);
            continue;
        }
        snprintf(path, sizeof(path), "%s%s%.*s", section, section[0] ? "." : "", STR_ARG(key));
        if (strcmp(path, rows[i].path) == 0)
            return read_row(draft, &rows[i], node, err);
        return read_section(draft, path, node, err);
    }
    config_warn_key(draft, section, node, &near);
    return 0;
}

static int read_section(ConfigDraft *draft, const char *section, const YamlNode *map, Err *err)
{
    if (config_is_null(map))
        return 0;
    int rc = config_expect(map, YAML_MAP, section[0] ? section : "the file", err);
    for (const YamlNode *node = rc ? NULL : map->first; node && rc == 0; node = node->next)
        rc = read_key(draft, section, node, err);
    return rc;
}

/* ---- the few that need more than a row ---- */

static void read_matching(ConfigDraft *draft)
{
    if (!config_node(draft, "matching.abort_weight_factor"))
        draft->config.matching.abort_weight_factor = draft->old_abort_factor;
}

static int read_seed(ConfigDraft *draft, Err *err)
{
    const YamlNode *node = config_node(draft, "warg.seed");

    if (!node)
        return 0;
    if (node->kind != YAML_SCALAR || node->quoted ||
        !str_to_uint(node->text, UINT64_MAX, &draft->config.seed))
        return config_mismatch(node, "warg.seed", "a number from 0 to 18446744073709551615", err);
    draft->config.seed_set = true;
    return 0;
}

static int read_events(ConfigDraft *draft, Err *err)
{
    static const char *const names[] = {"quarantine", "abort", "stall", "milestone"};
    const YamlNode *list = config_node(draft, "slack_notifier.events");
    const Str *texts = NULL;
    uint32_t count = 0;
    int rc = list ? config_texts(draft, list, "slack_notifier.events", &texts, &count, err) : 0;
    unsigned events = 0;

    for (uint32_t i = 0; i < count && rc == 0; i++) {
        unsigned known = 0;
        while (known < 4 && !str_eq(texts[i], str_of(names[known])))
            known++;
        if (known < 4)
            events |= 1u << known;
        else
            config_warn(draft, list->line,
                        "slack_notifier.events: '%.*s' is none of quarantine, abort, stall, "
                        "milestone",
                        STR_ARG(str_part(texts[i], 0, 60)));
    }
    draft->config.notifier.events = count ? events : NOTICE_ALL;
    return rc;
}

/* The URL itself is a secret and in no message. */
static int check_notifier(const ConfigDraft *draft, Err *err)
{
    const ConfigNotifier *notifier = &draft->config.notifier;
    const YamlNode *enable = config_node(draft, "slack_notifier.enable");
    Str url = str_of(notifier->webhook_url);

    if (!notifier->enable)
        return 0;
    if (!url.len)
        config_warn(draft, enable ? enable->line : 0,
                    "slack_notifier.enable is true, but neither slack_notifier.webhook_url nor "
                    "SLACK_WEBHOOK_URL says where to: nothing is sent");
    else if (!str_starts(url, STR("https://")) && !str_starts(url, STR("http://")))
        return config_refuse(draft, ERR_RULE, "slack_notifier.webhook_url", err,
                             "slack_notifier.webhook_url, or SLACK_WEBHOOK_URL: expected a URL "
                             "that begins with https:// or http://");
    return 0;
}

static int read_root(ConfigDraft *draft, Err *err)
{
    set_defaults(draft);
    int rc = read_section(draft, "", draft->root, err);
    if (rc)
        return rc;
    read_matching(draft);
    set_meanings(&draft->config);
    rc = read_seed(draft, err);
    if (rc == 0)
        rc = read_events(draft, err);
    if (rc == 0)
        rc = config_web(draft, err);
    if (rc == 0)
        rc = config_rules(draft, err);
    if (rc == 0)
        rc = config_profiles(draft, err);
    if (rc == 0)
        rc = config_environment(draft, err);
    return rc ? rc : check_notifier(draft, err);
}

/* ---- the whole ---- */

/* A node takes about 150 bytes and at least two of text: see game/ruleset_text.c. Copies of texts
 * and the profiles' own take less than the rest. Only what is used is ever touched. */
static size_t arena_bytes(size_t path_bytes, size_t text_bytes)
{
    return (size_t)256 * 1024 + path_bytes + text_bytes * 256;
}

int config_read(const char *path, Str text, ConfigGetenv get, ConfigWarn warn, void *user,
                Config **ret_config, Err *err)
{
    ConfigDraft *draft = mem_new(sizeof(*draft));

    if (!draft)
        return err_set(err, ERR_MEMORY, "config '%s': out of memory", path);
    CLEANUP(config_freep) Config *config = &draft->config;
    draft->get = get;
    draft->warn = warn;
    draft->user = user;
    if (text.len > CONFIG_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "config '%s': larger than 1 MiB", path);
    draft->arena = arena_new(arena_bytes(strlen(path), text.len));
    if (!draft->arena.block)
        return err_set(err, ERR_MEMORY, "config '%s': out of memory", path);
    int rc = config_cstr(draft, NULL, "path", str_of(path), &config->path, err);
    if (rc == 0)
        rc = yaml_read(text, &draft->arena, &draft->root, err);
    if (rc == 0)
        rc = read_root(draft, err);
    if (rc) {
        err_wrap(err, "config '%s': ", path);
        return rc;
    }
    draft->root = NULL;
    *ret_config = TAKE(config);
    return 0;
}

int config_load(const char *path, ConfigGetenv get, ConfigWarn warn, void *user,
                Config **ret_config, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = log_file_read(path, CONFIG_BYTES_MAX, &text, err);

    if (rc) {
        err_wrap(err, "config '%s': ", path);
        return rc;
    }
    return config_read(path, buf_str(&text), get, warn, user, ret_config, err);
}

Config *config_free(Config *config)
{
    if (config) {
        ConfigDraft *draft = (ConfigDraft *)(void *)config;
        arena_done(&draft->arena);
        mem_free(draft);
    }
    return NULL;
}

void config_freep(Config **config)
{
    *config = config_free(*config);
}
