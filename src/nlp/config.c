/* Configurations of the natural-language division: one table of keys, with their kinds, ranges and
 * places, gives reading, zero values and the warnings on unknown keys. docs/spec/nlp-division.md 7.
 */
#include "nlp/config_draft.h"

#include "disk/log_file.h"

#define AT(member) KEY_AT(ConfigDraft, member)
#define COUNT_MAX  1000000
#define LENGTH_MAX 100000000 /* some files mean "no limit"; sums stay in 32 bits */
#define DAY_MS     86400000
#define LONG_MS    (INT64_C(365) * DAY_MS)
#define NAME_MS    120000
#define REJOIN_MS  60000
/* As much as a line of a game log has room for, escaped or not; docs/spec/nlp-division.md 1.4. */
#define MESSAGE_BYTES 65536
#define DEFAULT_CHAT  "https://api.openai.com/v1"

/* A table reads as a table. */
/* clang-format off */
#define OTHER(name)               {.path = name} /* a list or map that another file reads */
#define FLAG(name, member)        {.path = name, .kind = KEY_FLAG, AT(member)}
#define NUMBER(name, member, low, high)                                                           \
    {.path = name, .kind = KEY_NUMBER, AT(member), .min = low, .max = high}
#define REAL(name, member, high)  {.path = name, AT(member), .max = high, .read = config_real}
#define TIME(name, member)        {.path = name, AT(member), .max = LONG_MS, .read = config_time}
#define SHORT_TIME(name, member)  {.path = name, AT(member), .max = DAY_MS, .read = config_time}
#define TEXT(name, member)        {.path = name, AT(member), .read = config_str}
#define CSTR(name, member)        {.path = name, AT(member), .read = config_chars}
#define ARGS(name, member)        {.path = name, AT(member), .read = config_args}
/* Of these nothing and zero mean `instead`: 7.2. */
#define COUNT_OR(name, member, instead)                                                           \
    {.path = name, .kind = KEY_NUMBER, AT(member), .max = COUNT_MAX, .zero = instead}
#define REAL_OR(name, member, high, instead)                                                      \
    {.path = name, AT(member), .max = high, .read = config_real, .zero = instead}
#define TIME_OR(name, member, instead)                                                            \
    {.path = name, AT(member), .max = LONG_MS, .read = config_time, .zero = instead}
#define CSTR_OR(name, member, instead)                                                            \
    {.path = name, AT(member), .read = config_chars, .zero = instead}

#define LENGTH(path, talk, length_key)                                                            \
    NUMBER(path ".max_length." #length_key, config.rules.talk.length.length_key, -1, LENGTH_MAX)

#define TALK(path, talk)                                                                          \
    SHORT_TIME(path ".duration", config.rules.talk.duration_ms),                                      \
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
static const KeyRow keys[] = {
    CSTR("server.web_socket.host", config.host),
    NUMBER("server.web_socket.port", config.port, 0, 65535),
    FLAG("server.authentication.enable", config.authentication),
    SHORT_TIME("server.timeout.action", config.action_ms),
    SHORT_TIME("server.timeout.response", config.response_ms),
    SHORT_TIME("server.timeout.acceptable", config.acceptable_ms),
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
    TIME_OR("tts_broadcaster.target_duration", config.speech.target_ms, "1s"),
    CSTR_OR("tts_broadcaster.segment_dir", config.speech.segment_dir, "./cache/segment"),
    CSTR("tts_broadcaster.temp_dir", config.speech.temp_dir),
    CSTR_OR("tts_broadcaster.host", config.speech.host, "http://localhost:50021"),
    TIME_OR("tts_broadcaster.timeout", config.speech.timeout_ms, "30s"),
    CSTR_OR("tts_broadcaster.ffmpeg_path", config.speech.ffmpeg_path, "ffmpeg"),
    CSTR_OR("tts_broadcaster.ffprobe_path", config.speech.ffprobe_path, "ffprobe"),
    ARGS("tts_broadcaster.convert_args", config.speech.convert_args),
    ARGS("tts_broadcaster.duration_args", config.speech.duration_args),
    ARGS("tts_broadcaster.pre_convert_args", config.speech.pre_convert_args),
    ARGS("tts_broadcaster.split_args", config.speech.split_args),

    FLAG("team_health.enable", config.health.enable),
    COUNT_OR("team_health.window", config.health.window, "20"),
    COUNT_OR("team_health.min_games", config.health.min_games, "3"),
    REAL_OR("team_health.scores.request_error", config.health.score_request_error, COUNT_MAX, "1"),
    REAL_OR("team_health.scores.fatal", config.health.score_fatal, COUNT_MAX, "3"),
    REAL_OR("team_health.scores.abort", config.health.score_abort, COUNT_MAX, "1"),
    REAL_OR("team_health.weight_floor", config.health.weight_floor, 1, "0.1"),
    REAL_OR("team_health.quarantine_rate", config.health.quarantine_rate, 1, "0.5"),
    TIME_OR("team_health.quarantine_duration", config.health.quarantine_ms, "30m"),
    REAL("team_health.abort_weight_factor", old_abort_factor, 1000),

    FLAG("slack_notifier.enable", config.notifier.enable),
    CSTR("slack_notifier.webhook_url", config.notifier.webhook_url),
    TEXT("slack_notifier.username", config.notifier.username),
    TEXT("slack_notifier.icon_emoji", config.notifier.icon_emoji),
    TIME_OR("slack_notifier.timeout", config.notifier.timeout_ms, "10s"),
    TIME_OR("slack_notifier.min_interval", config.notifier.min_interval_ms, "1s"),
    OTHER("slack_notifier.events"),
    TIME_OR("slack_notifier.stall_threshold", config.notifier.stall_ms, "10m"),
    COUNT_OR("slack_notifier.milestone_every", config.notifier.milestone_every, "10"),

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
    FLAG("warg.talk_by_bids", config.talk_by_bids),
    SHORT_TIME("warg.silence", config.silence_ms),
    NUMBER("warg.rate_limit", config.rate_per_minute, 0, COUNT_MAX),
    NUMBER("warg.message_bytes", config.message_bytes, 1024, 64 << 20),
    NUMBER("warg.max_idle_days", config.rules.end.max_idle_days, 0, 1000),
    FLAG("warg.sync_logs", config.sync_logs),
    OTHER("warg.hosts"),
    OTHER("warg.origins"),
    OTHER("warg.seed"),
};
/* clang-format on */

static const KeyTable table = KEY_TABLE(keys, &config_manner);

const char *config_key(size_t index)
{
    return index < table.count ? keys[index].path : NULL;
}

/* A missing key is Go's zero value: 7.1. What the preset says of these rules goes. */
static int set_defaults(const KeyReading *reading, ConfigDraft *draft, Err *err)
{
    Config *config = &draft->config;
    int rc = 0;

    ruleset_preset(STR("nlp-turn"), &config->rules, NULL);
    key_table_zero(&table, draft);
    for (size_t i = 0; i < table.count && rc == 0; i++)
        if (keys[i].read == config_chars || keys[i].read == config_args)
            rc = keys[i].read(reading, &keys[i], &(YamlNode){.kind = YAML_SCALAR}, err);
    config->name_ms = NAME_MS;
    config->rejoin_ms = REJOIN_MS;
    config->message_bytes = MESSAGE_BYTES;
    config->talk_time = true;
    config->realtime_masked = true;
    config->dynamic.endpoint = DEFAULT_CHAT;
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
    const YamlNode empty = {.kind = YAML_MAP};
    KeyReading reading = {.table = &table, .target = draft, .user = draft, .path = "defaults"};
    int rc = set_defaults(&reading, draft, err);

    if (rc == 0)
        rc = key_table_read(&reading, config_is_null(draft->root) ? &empty : draft->root, err);
    if (rc)
        return rc;
    read_matching(draft);
    if (draft->config.notifier.webhook_url && !draft->config.notifier.webhook_url[0])
        draft->config.notifier.webhook_url = NULL;
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
