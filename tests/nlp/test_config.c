/* test_config.c - configurations of the natural-language division: every key, every refusal, the
 * recorded files and ours, the environment, durations.
 *
 * Source: docs/spec/nlp-division.md 7; data/nlp-wire. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "disk/log_file.h"
#include "nlp/config.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- what the callbacks see ---- */

typedef struct Variable {
    const char *name;
    const char *value;
} Variable;

/* Variables end with a row without a name. */
typedef struct World {
    const Variable *variables;
    Buf warnings; /* "LINE: TEXT\n" */
} World;

static const char *world_get(void *user, const char *name)
{
    const World *world = user;

    for (const Variable *at = world->variables; at && at->name; at++)
        if (strcmp(at->name, name) == 0)
            return at->value;
    return NULL;
}

static void world_warn(void *user, unsigned line, const char *text)
{
    World *world = user;

    buf_printf(&world->warnings, "%u: %s\n", line, text);
}

/* ---- a file of all keys ---- */

/* `base` is the value in the smallest file, NULL = not there; `other` has an effect. `wrong` is of
 * a wrong type, or out of range. */
typedef struct Key {
    const char *path;
    const char *base;
    const char *other;
    const char *wrong;
} Key;

#define BOOL(path)                                                                                 \
    {                                                                                              \
        path, NULL, "true", "2"                                                                    \
    }
#define DURATION(path)                                                                             \
    {                                                                                              \
        path, NULL, "1m30s", "90 seconds"                                                          \
    }
#define NUMBER(path)                                                                               \
    {                                                                                              \
        path, NULL, "7", "seven"                                                                   \
    }
#define TEXT(path)                                                                                 \
    {                                                                                              \
        path, NULL, "some text", "[a]"                                                             \
    }
#define LIST(path, value)                                                                          \
    {                                                                                              \
        path, NULL, value, "text"                                                                  \
    }

#define TALK(talk)                                                                                 \
    DURATION(talk ".duration"), NUMBER(talk ".max_count.per_agent"),                               \
        NUMBER(talk ".max_count.per_day"), BOOL(talk ".max_length.count_in_word"),                 \
        BOOL(talk ".max_length.count_spaces"), {talk ".max_length.per_talk", "-1", "7", "seven"},  \
        NUMBER(talk ".max_length.per_agent"), NUMBER(talk ".max_length.base_length"),              \
        NUMBER(talk ".max_length.mention_length"), NUMBER(talk ".max_skip")

static const Key keys[] = {
    TEXT("server.web_socket.host"),
    {"server.web_socket.port", NULL, "8080", "65536"},
    BOOL("server.authentication.enable"),
    {"server.timeout.action", "1s", "60s", "sixty"},
    DURATION("server.timeout.response"),
    DURATION("server.timeout.acceptable"),
    {"server.max_continue_error_ratio", NULL, "0.7", "0.x"},
    {"game.agent_count", "3", "5", "2"},
    {"game.max_day", NULL, "-1", "-2"},
    BOOL("game.vote_visibility"),
    TALK("game.talk"),
    TALK("game.whisper"),
    NUMBER("game.vote.max_count"),
    BOOL("game.vote.allow_self_vote"),
    NUMBER("game.attack_vote.max_count"),
    BOOL("game.attack_vote.allow_self_vote"),
    BOOL("game.attack_vote.allow_no_target"),
    LIST("logic.day_phases", "[{name: a, actions: [talk], only_day: 1}]"),
    LIST("logic.night_phases", "[{name: b, actions: [attack], except_day: 0}]"),
    {"logic.roles", "{3: {WEREWOLF: 1, VILLAGER: 2}, 5: {WEREWOLF: 1, SEER: 1, VILLAGER: 3}}",
     "{3: {WEREWOLF: 1, SEER: 1, VILLAGER: 1}}", "[1]"},
    BOOL("matching.self_match"),
    BOOL("matching.is_optimize"),
    NUMBER("matching.team_count"),
    NUMBER("matching.game_count"),
    TEXT("matching.output_path"),
    BOOL("matching.infinite_loop"),
    {"matching.abort_weight_factor", NULL, "0.5", "half"},
    BOOL("custom_profile.enable"),
    {"custom_profile.profile_encoding", "{age: Age}", "{age: Years}", "[age]"},
    {"custom_profile.profiles", "[{name: A, age: 1}, {name: B, age: 2}, {name: C, age: 3}]",
     "[{name: A, age: 1}, {name: B, age: 2}, {name: C, age: 4}]", "{name: A}"},
    BOOL("custom_profile.dynamic_profile.enable"),
    TEXT("custom_profile.dynamic_profile.prompt"),
    NUMBER("custom_profile.dynamic_profile.attempts"),
    TEXT("custom_profile.dynamic_profile.model"),
    NUMBER("custom_profile.dynamic_profile.max_tokens"),
    {"custom_profile.dynamic_profile.avatars", "[a, b, c]", "[a, b, c, d]", "a"},
    BOOL("json_logger.enable"),
    TEXT("json_logger.output_dir"),
    TEXT("json_logger.filename"),
    BOOL("game_logger.enable"),
    TEXT("game_logger.output_dir"),
    TEXT("game_logger.filename"),
    BOOL("realtime_broadcaster.enable"),
    DURATION("realtime_broadcaster.delay"),
    TEXT("realtime_broadcaster.output_dir"),
    TEXT("realtime_broadcaster.filename"),
    BOOL("tts_broadcaster.enable"),
    BOOL("tts_broadcaster.async"),
    DURATION("tts_broadcaster.target_duration"),
    TEXT("tts_broadcaster.segment_dir"),
    TEXT("tts_broadcaster.temp_dir"),
    TEXT("tts_broadcaster.host"),
    DURATION("tts_broadcaster.timeout"),
    TEXT("tts_broadcaster.ffmpeg_path"),
    TEXT("tts_broadcaster.ffprobe_path"),
    LIST("tts_broadcaster.convert_args", "[-y, \"-i\", 3]"),
    LIST("tts_broadcaster.duration_args", "[-v]"),
    LIST("tts_broadcaster.pre_convert_args", "[-f]"),
    LIST("tts_broadcaster.split_args", "[-s]"),
    BOOL("team_health.enable"),
    NUMBER("team_health.window"),
    NUMBER("team_health.min_games"),
    NUMBER("team_health.scores.request_error"),
    NUMBER("team_health.scores.fatal"),
    NUMBER("team_health.scores.abort"),
    {"team_health.weight_floor", NULL, "0.25", "1.5"},
    {"team_health.quarantine_rate", NULL, "0.25", "-0.5"},
    DURATION("team_health.quarantine_duration"),
    {"team_health.abort_weight_factor", NULL, "0.5", "half"},
    BOOL("slack_notifier.enable"),
    {"slack_notifier.webhook_url", "https://hooks.example/0", "https://hooks.example/1", "[a]"},
    TEXT("slack_notifier.username"),
    TEXT("slack_notifier.icon_emoji"),
    DURATION("slack_notifier.timeout"),
    DURATION("slack_notifier.min_interval"),
    LIST("slack_notifier.events", "[abort, stall]"),
    DURATION("slack_notifier.stall_threshold"),
    NUMBER("slack_notifier.milestone_every"),
    DURATION("warg.name_timeout"),
    DURATION("warg.rejoin"),
    BOOL("warg.unique_names"),
    BOOL("warg.strict"),
    {"warg.log_talk_time", NULL, "false", "0"},
    BOOL("warg.json_milliseconds"),
    BOOL("warg.open"),
    BOOL("warg.realtime_open"),
    {"warg.realtime_masked", NULL, "no", "none"},
    BOOL("warg.shuffle_each_round"),
    BOOL("warg.talk_by_bids"),
    DURATION("warg.silence"),
    NUMBER("warg.rate_limit"),
    {"warg.message_bytes", NULL, "4096", "much"},
    NUMBER("warg.max_idle_days"),
    BOOL("warg.sync_logs"),
    {"warg.hosts", "[a.example.org]", "[a.example.org, b]", "a"},
    {"warg.origins", "[\"https://a\"]", "[\"http://a\"]", "a"},
    {"warg.seed", NULL, "18446744073709551615", "18446744073709551616"},
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static size_t key_index(const char *path)
{
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(keys[i].path, path) == 0)
            return i;
    fail_msg("no key %s in the test", path);
    return 0;
}

typedef struct Place {
    unsigned line;
    unsigned column;
} Place;

/* Writes "a.b.c" with its value behind what was written; sections are opened where they differ from
 * those of `before`. */
static Place add_key(Buf *out, unsigned *lines, Str before, Str path, const char *value)
{
    unsigned depth = 0;
    bool same = true;

    for (;;) {
        Str step = str_cut(&path, '.');
        Str old = str_cut(&before, '.');
        same = same && old.len && str_eq(step, old);
        if (!same)
            buf_printf(out, "%*s%.*s:%s", (int)depth, "", STR_ARG(step), path.len ? "\n" : " ");
        if (!path.len) {
            buf_printf(out, "%s\n", value);
            return (Place){++*lines, depth + (unsigned)step.len + 3};
        }
        *lines += !same;
        depth += 2;
    }
}

/* The smallest file, with key `picked` (KEYS = none) set to `value`; NULL takes the key out. */
static Place write_file(Buf *out, size_t picked, const char *value)
{
    Place place = {0, 0};
    Str before = {0};
    unsigned lines = 0;

    buf_clear(out);
    for (size_t i = 0; i < KEYS; i++) {
        const char *now = i == picked ? value : keys[i].base;
        if (!now)
            continue;
        Place at = add_key(out, &lines, before, str_of(keys[i].path), now);
        before = str_of(keys[i].path);
        if (i == picked)
            place = at;
    }
    assert_false(buf_failed(out));
    return place;
}

/* ---- a Config as text ---- */

static void put_logger(Buf *out, const ConfigLogger *logger)
{
    buf_printf(out, "logger %d %s %s\n", logger->enable, logger->output_dir, logger->filename);
}

static void put_args(Buf *out, const char *const *args)
{
    for (; *args; args++)
        buf_printf(out, "'%s' ", *args);
    buf_add_char(out, '\n');
}

static void put_speech(Buf *out, const ConfigSpeech *speech)
{
    buf_printf(out, "speech %d %d %lld %s %s %s %lld %s %s\n", speech->enable, speech->async,
               (long long)speech->target_ms, speech->segment_dir, speech->temp_dir, speech->host,
               (long long)speech->timeout_ms, speech->ffmpeg_path, speech->ffprobe_path);
    put_args(out, speech->convert_args);
    put_args(out, speech->duration_args);
    put_args(out, speech->pre_convert_args);
    put_args(out, speech->split_args);
}

static void put_profiles(Buf *out, const Config *config)
{
    const ConfigDynamic *dynamic = &config->dynamic;

    for (uint32_t i = 0; i < config->encoding_count; i++)
        buf_printf(out, "%.*s=%.*s\n", STR_ARG(config->encoding[i].key),
                   STR_ARG(config->encoding[i].value));
    for (uint32_t i = 0; i < config->profile_count; i++)
        buf_printf(out, "%.*s|%.*s|%d|%.*s\n", STR_ARG(config->profiles[i].name),
                   STR_ARG(config->profiles[i].avatar_url), (int)config->profiles[i].voice_id,
                   STR_ARG(config->profiles[i].text));
    buf_printf(out, "dynamic %d %.*s %d %.*s %d %s %s\n", dynamic->enable, STR_ARG(dynamic->prompt),
               (int)dynamic->attempts, STR_ARG(dynamic->model), (int)dynamic->max_tokens,
               dynamic->endpoint, dynamic->api_key ? dynamic->api_key : "");
    for (uint32_t i = 0; i < dynamic->avatar_count; i++)
        buf_printf(out, "%.*s\n", STR_ARG(dynamic->avatars[i]));
}

static void put_operation(Buf *out, const Config *config)
{
    const ConfigMatching *matching = &config->matching;
    const ConfigHealth *health = &config->health;
    const ConfigNotifier *notifier = &config->notifier;

    buf_printf(out, "matching %d %d %d %d %s %d %g\n", matching->self_match, matching->is_optimize,
               (int)matching->team_count, (int)matching->game_count, matching->output_path,
               matching->infinite_loop, matching->abort_weight_factor);
    buf_printf(out, "health %d %d %d %g %g %g %g %g %lld\n", health->enable, (int)health->window,
               (int)health->min_games, health->score_request_error, health->score_fatal,
               health->score_abort, health->weight_floor, health->quarantine_rate,
               (long long)health->quarantine_ms);
    buf_printf(out, "notifier %d %.*s %.*s %lld %lld %u %lld %d %s\n", notifier->enable,
               STR_ARG(notifier->username), STR_ARG(notifier->icon_emoji),
               (long long)notifier->timeout_ms, (long long)notifier->min_interval_ms,
               notifier->events, (long long)notifier->stall_ms, (int)notifier->milestone_every,
               notifier->webhook_url ? notifier->webhook_url : "");
}

static void put_config(Buf *out, const Config *config)
{
    buf_clear(out);
    buf_printf(out, "%s %u %d %.*s %d %d %d %d %d\n", config->host, config->port,
               config->authentication, STR_ARG(config->secret_key), (int)config->action_ms,
               (int)config->response_ms, (int)config->acceptable_ms, (int)config->abort_at,
               (int)config->agent_count);
    ruleset_print(&config->rules, out);
    for (int role = 0; role < ROLE_COUNT; role++)
        buf_printf(out, "%d", config->role_named[role]);
    buf_printf(out, "\nprofiles %d\n", config->profiles_enable);
    put_profiles(out, config);
    put_operation(out, config);
    put_logger(out, &config->json_logger);
    put_logger(out, &config->game_logger);
    put_logger(out, &config->realtime);
    put_speech(out, &config->speech);
    buf_printf(out, "%lld %lld %lld %d %d %d %d %d %d %d %d %lld %d %d %llu %d\n",
               (long long)config->realtime_delay_ms, (long long)config->name_ms,
               (long long)config->rejoin_ms, config->unique_names, config->strict,
               config->talk_time, config->json_milliseconds, config->open, config->realtime_open,
               config->realtime_masked, config->shuffle_each_round, (long long)config->silence_ms,
               (int)config->rate_per_minute, config->sync_logs, (unsigned long long)config->seed,
               config->seed_set);
    buf_printf(out, "%d %d\n", (int)config->message_bytes, config->talk_by_bids);
    for (uint32_t i = 0; i < config->host_count; i++)
        buf_printf(out, "host %.*s\n", STR_ARG(config->hosts[i]));
    for (uint32_t i = 0; i < config->origin_count; i++)
        buf_printf(out, "origin %.*s\n", STR_ARG(config->origins[i]));
    assert_false(buf_failed(out));
}

static const Variable with_secret[] = {{"SECRET_KEY", "s3cret"}, {NULL, NULL}};

static Config *read_text(World *world, Str text)
{
    Config *config = NULL;
    Err err = {0};

    if (config_read("test.yml", text, world_get, world_warn, world, &config, &err))
        fail_msg("line %u, column %u: %s\n%.*s", err.line, err.column, err.msg, STR_ARG(text));
    return config;
}

/* The smallest file with one key set; no warnings. */
static Config *with_key(const char *path, const char *value)
{
    CLEANUP(buf_done) Buf text = {0};
    World world = {.variables = with_secret};

    write_file(&text, key_index(path), value);
    Config *config = read_text(&world, buf_str(&text));
    assert_int_equal(world.warnings.len, 0);
    return config;
}

static Err refusal_of(Str text, const Variable *variables)
{
    World world = {.variables = variables};
    Config *config = NULL;
    Err err = {0};

    int rc = config_read("test.yml", text, world_get, NULL, &world, &config, &err);
    if (rc == 0)
        fail_msg("taken:\n%.*s", STR_ARG(text));
    assert_int_equal(rc, err.code);
    assert_null(config);
    return err;
}

/* ---- keys ---- */

static void the_test_knows_every_key(void **state)
{
    (void)state;
    size_t count = 0;

    while (config_key(count))
        key_index(config_key(count++));
    assert_int_equal(count, KEYS);
}

static void every_key_has_an_effect(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf plain = {0};
    CLEANUP(buf_done) Buf changed = {0};

    CLEANUP(config_freep) Config *config = with_key(keys[0].path, NULL);
    put_config(&plain, config);
    for (size_t i = 0; i < KEYS; i++) {
        CLEANUP(config_freep) Config *other = with_key(keys[i].path, keys[i].other);
        put_config(&changed, other);
        if (str_eq(buf_str(&plain), buf_str(&changed)))
            fail_msg("%s: %s has no effect", keys[i].path, keys[i].other);
    }
}

static void a_wrong_type_is_refused_with_its_place_and_path(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf text = {0};

    for (size_t i = 0; i < KEYS; i++)
        for (int map = 0; map < 2; map++) {
            bool takes_map = keys[i].wrong[0] == '[' && keys[i].other[0] == '{';
            if (map && takes_map)
                continue;
            Place place = write_file(&text, i, map ? "{x: 1}" : keys[i].wrong);
            Err err = refusal_of(buf_str(&text), with_secret);
            if (err.code != ERR_SYNTAX || err.line != place.line || err.column != place.column ||
                !strstr(err.msg, keys[i].path) || !strstr(err.msg, ": expected "))
                fail_msg("%s = %s: %u:%u, expected %u:%u: %s", keys[i].path,
                         map ? "{x: 1}" : keys[i].wrong, err.line, err.column, place.line,
                         place.column, err.msg);
        }
}

static void a_null_is_a_missing_key(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf plain = {0};
    CLEANUP(buf_done) Buf changed = {0};
    CLEANUP(config_freep) Config *config = with_key(keys[0].path, NULL);

    put_config(&plain, config);
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].base)
            continue;
        CLEANUP(config_freep) Config *other = with_key(keys[i].path, i % 2 ? "~" : "");
        put_config(&changed, other);
        assert_string_equal(buf_cstr(&changed), buf_cstr(&plain));
    }
}

static void a_missing_key_is_zero_or_its_meaning(void **state)
{
    (void)state;
    CLEANUP(config_freep) Config *config = with_key(keys[0].path, NULL);

    assert_string_equal(config->host, "");
    assert_int_equal(config->port, 0);
    assert_int_equal(config->abort_at, 3); /* goes on while anybody plays */
    assert_int_equal(config->rules.end.max_day, 0);
    assert_int_equal(config->rules.talk.max_per_agent, 0);
    assert_int_equal(config->rules.talk.length.base_length, 0);
    assert_int_equal(config->rules.vote.rounds, 0);
    assert_int_equal(config->rules.talk.exchange, EXCHANGE_SEQUENTIAL);
    assert_int_equal(config->rules.talk.order, ORDER_SESSION);
    assert_int_equal(config->name_ms, 120000);
    assert_int_equal(config->rejoin_ms, 60000);
    assert_true(config->talk_time && config->realtime_masked);
    assert_int_equal(config->health.window, 20);
    assert_int_equal(config->health.quarantine_ms, 1800000);
    assert_true(config->health.weight_floor > 0.09 && config->health.weight_floor < 0.11);
    assert_int_equal(config->notifier.events, NOTICE_ALL);
    assert_int_equal(config->notifier.stall_ms, 600000);
    assert_int_equal(config->message_bytes, 65536);
    assert_int_equal(config->rules.end.max_idle_days, 0);
    assert_string_equal(config->path, "test.yml");
    assert_false(config->seed_set);
}

static void an_unknown_key_warns_with_its_line_and_the_nearest(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf text = {0};
    World world = {0};

    write_file(&text, KEYS, NULL);
    buf_add(&text, STR("live_metrics:\n  talk: [1, {a: b}]\nloggic: x\n"));
    unsigned line = 0;
    for (size_t i = 0; i < text.len; i++)
        line += text.bytes[i] == '\n';
    CLEANUP(config_freep) Config *config = read_text(&world, buf_str(&text));
    assert_int_equal(config->agent_count, 3);
    char expected[256];
    snprintf(expected, sizeof(expected),
             "%u: unknown key 'live_metrics'\n"
             "%u: unknown key 'loggic': did you mean 'logic'?\n",
             line - 2, line);
    assert_string_equal(buf_cstr(&world.warnings), expected);
    buf_done(&world.warnings);
}

static void unknown_keys_deep_inside_warn_too(void **state)
{
    (void)state;
    World world = {0};
    CLEANUP(config_freep)
    Config *config =
        read_text(&world, STR("game:\n"
                              "  agent_count: 3\n"
                              "  talk: {max_count: {per_agents: 4}}\n"
                              "server: {timeout: {action: 1s}}\n"
                              "logic:\n"
                              "  roles: {3: {VILLAGER: 3}, 4: {ELF: 4}}\n"
                              "  day_phases:\n"
                              "    - {name: x, actions: [talk, dance, atack], onlyday: 0}\n"
                              "slack_notifier: {events: [abort, lunch]}\n"));

    assert_string_equal(buf_cstr(&world.warnings),
                        "3: unknown key 'game.talk.max_count.per_agents': did you mean "
                        "'per_agent'?\n"
                        "9: slack_notifier.events: 'lunch' is none of quarantine, abort, stall, "
                        "milestone\n"
                        "8: unknown key 'logic.day_phases[0].onlyday': did you mean 'only_day'?\n"
                        "8: logic.day_phases[0].actions: the unknown action 'dance' is skipped\n"
                        "8: logic.day_phases[0].actions: the unknown action 'atack' is skipped; "
                        "did you mean 'attack'?\n");
    assert_int_equal(config->rules.day.phases[0].action_count, 1);
    assert_int_equal(config->notifier.events, NOTICE_ABORT);
    buf_done(&world.warnings);
}

/* ---- what keys mean ---- */

static void talk_with_a_duration_is_at_any_time(void **state)
{
    (void)state;
    CLEANUP(config_freep) Config *talk = with_key("game.talk.duration", "10m");

    assert_int_equal(talk->rules.talk.exchange, EXCHANGE_ANYTIME);
    assert_int_equal(talk->rules.talk.duration_ms, 600000);
    assert_int_equal(talk->rules.whisper.exchange, EXCHANGE_SEQUENTIAL);
    CLEANUP(config_freep) Config *whisper = with_key("game.whisper.duration", "1500ms");
    assert_int_equal(whisper->rules.talk.exchange, EXCHANGE_SEQUENTIAL);
    assert_int_equal(whisper->rules.whisper.duration_ms, 1500);
}

static void the_error_ratio_is_a_number_of_seats(void **state)
{
    (void)state;
    static const struct {
        const char *ratio;
        int32_t abort_at;
    } cases[] = {{"0", 1}, {"0.2", 1}, {"0.34", 1}, {"0.67", 2}, {"1", 3}, {"1e1", 30}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(config_freep)
        Config *config = with_key("server.max_continue_error_ratio", cases[i].ratio);
        assert_int_equal(config->abort_at, cases[i].abort_at);
    }
}

static void the_old_place_of_the_abort_factor_counts_when_the_new_is_missing(void **state)
{
    (void)state;
    World world = {0};
    Str both = STR("game: {agent_count: 3}\nlogic: {roles: {3: {VILLAGER: 3}}}\n"
                   "server: {timeout: {action: 1s}}\n"
                   "team_health: {abort_weight_factor: 0.5}\n"
                   "matching: {abort_weight_factor: 0}\n");
    CLEANUP(config_freep) Config *old = with_key("team_health.abort_weight_factor", "0.5");
    CLEANUP(config_freep) Config *config = read_text(&world, both);

    assert_true(old->matching.abort_weight_factor > 0.49);
    assert_true(config->matching.abort_weight_factor < 0.01);
    assert_int_equal(world.warnings.len, 0);
}

static void an_attack_without_a_target_is_a_tie_that_kills_nobody(void **state)
{
    (void)state;
    CLEANUP(config_freep) Config *may = with_key("game.attack_vote.allow_no_target", "true");
    CLEANUP(config_freep) Config *must = with_key("game.attack_vote.allow_no_target", "false");

    assert_int_equal(may->rules.attack.tie, TIE_NOBODY);
    assert_int_equal(must->rules.attack.tie, TIE_RANDOM);
    assert_int_equal(must->rules.attack.no_vote, NO_VOTE_NOBODY);
    assert_true(must->rules.attack.vote_for_wolf);
}

static void profiles_follow_the_order_of_the_encoding(void **state)
{
    (void)state;
    World world = {0};
    CLEANUP(config_freep)
    Config *config = read_text(
        &world, STR("game: {agent_count: 3}\nlogic: {roles: {3: {VILLAGER: 3}}}\n"
                    "server: {timeout: {action: 1s}}\n"
                    "custom_profile:\n"
                    "  enable: true\n"
                    "  profile_encoding: {personality: 性格, age: 年齢, name: 名}\n"
                    "  profiles:\n"
                    "    - {name: ミナト, voice_id: 3, age: 10, personality: 静か, x: y}\n"
                    "    - {name: B, avatar_url: u, age: '07'}\n"
                    "    - {name: C}\n"));

    assert_int_equal(config->profile_count, 3);
    assert_true(str_eq(config->profiles[0].text, STR("性格: 静か\n年齢: 10")));
    assert_int_equal(config->profiles[0].voice_id, 3);
    assert_true(str_eq(config->profiles[1].text, STR("年齢: 07")));
    assert_true(str_eq(config->profiles[1].avatar_url, STR("u")));
    assert_int_equal(config->profiles[2].voice_id, -1);
    assert_int_equal(config->profiles[2].text.len, 0);
    assert_int_equal(world.warnings.len, 0);
}

static void yes_and_on_are_true_and_numbers_may_have_underscores(void **state)
{
    (void)state;
    static const char *const yes[] = {"true", "True", "yes", "YES", "on", "y"};
    static const char *const numbers[] = {"1000", "+1000", "1_000"};

    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        CLEANUP(config_freep) Config *config = with_key("matching.self_match", yes[i]);
        assert_true(config->matching.self_match);
    }
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        CLEANUP(config_freep) Config *config = with_key("matching.team_count", numbers[i]);
        assert_int_equal(config->matching.team_count, 1000);
    }
}

static void a_time_that_means_for_ever_is_a_day(void **state)
{
    (void)state;
    World world = {0};
    CLEANUP(config_freep)
    Config *config =
        read_text(&world, STR("game: {agent_count: 3}\nserver: {timeout: {action: 10000000s}}\n"
                              "logic: {roles: {3: {VILLAGER: 3}}}\n"));

    assert_int_equal(config->action_ms, 86400000);
    assert_string_equal(buf_cstr(&world.warnings), "2: server.timeout.action: '10000000s' is "
                                                   "longer than 24h, and cut to that\n");
    buf_done(&world.warnings);
}

static void quoted_numbers_and_other_scripts_are_no_numbers(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf text = {0};
    static const char *const wrong[] = {"'5'", "010", "5.0", "0x5", "--5", "+-5", "5 5", "５"};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        write_file(&text, key_index("matching.team_count"), wrong[i]);
        assert_int_equal(refusal_of(buf_str(&text), NULL).code, ERR_SYNTAX);
    }
    write_file(&text, key_index("matching.self_match"), "'true'");
    assert_int_equal(refusal_of(buf_str(&text), NULL).code, ERR_SYNTAX);
}

/* The playground: five villagers, no nights, a day's talk. */
static void a_village_without_wolves_and_nights_can_be_played(void **state)
{
    (void)state;
    World world = {0};
    CLEANUP(config_freep)
    Config *config = read_text(
        &world, STR("game: {agent_count: 5, max_day: 5}\nserver: {timeout: {action: 1s}}\n"
                    "logic: {roles: {5: {VILLAGER: 5}}, day_phases: [{actions: [talk]}], "
                    "night_phases: []}\n"));

    assert_int_equal(config->rules.night.count, 0);
    assert_int_equal(config->rules.end.max_day, 5);
    assert_true(config->role_named[ROLE_VILLAGER] && !config->role_named[ROLE_WEREWOLF]);
}

static void floods_are_bounded_and_long_limits_are_not_cut(void **state)
{
    (void)state;
    CLEANUP(config_freep) Config *words = with_key("game.talk.max_length.count_in_word", "true");
    CLEANUP(config_freep) Config *few = with_key("game.talk.max_length.per_talk", "50");
    CLEANUP(config_freep) Config *many = with_key("game.talk.max_count.per_agent", "10000");

    assert_int_equal(words->rules.talk.max_bytes, 65536);
    assert_int_equal(few->rules.talk.max_bytes, 4096);
    assert_int_equal(many->rules.talk.max_per_agent, 10000);
}

static void lengths_that_mean_no_limit_are_taken(void **state)
{
    (void)state;
    CLEANUP(config_freep)
    Config *config = with_key("game.talk.max_length.mention_length", "12500000");

    assert_int_equal(config->rules.talk.length.mention_length, 12500000);
}

static void guards_are_lowered_until_the_engine_has_room(void **state)
{
    (void)state;
    World world = {0};
    CLEANUP(config_freep)
    Config *config =
        read_text(&world, STR("game: {agent_count: 3, talk: {max_count: {per_agent: 10000, "
                              "per_day: 10000}, max_length: {per_talk: -1, base_length: -1, "
                              "per_agent: -1, mention_length: -1}}}\n"
                              "server: {timeout: {action: 1s}}\n"
                              "logic: {roles: {3: {VILLAGER: 3}}, day_phases: [{actions: [talk]}]}"
                              "\n"));

    assert_int_equal(world.warnings.len, 0);
    assert_int_equal(config->rules.talk.max_bytes, 8192);
    assert_int_equal(config->rules.whisper.max_bytes, 4096);
}

static void older_files_without_roles_have_the_roles_of_their_server(void **state)
{
    (void)state;
    World world = {0};
    CLEANUP(config_freep)
    Config *config = read_text(&world, STR("game: {agent_count: 13}\n"
                                           "logic: {day_phases: [{actions: [talk]}]}\n"));

    assert_int_equal(config->rules.roles.counts[13][ROLE_WEREWOLF], 3);
    assert_int_equal(config->rules.roles.counts[13][ROLE_VILLAGER], 6);
    assert_non_null(strstr(buf_cstr(&world.warnings), "logic.roles is missing"));
    buf_done(&world.warnings);
}

/* ---- refusals ---- */

static void check_refusal(Str text, ErrCode code, unsigned line, const char *sentence)
{
    Err err = refusal_of(text, NULL);

    if (err.code != code || err.line != line || !strstr(err.msg, sentence))
        fail_msg("%d, line %u: %s", (int)err.code, err.line, err.msg);
    assert_true(str_starts(str_of(err.msg), STR("config 'test.yml': ")));
}

static void what_the_go_server_refuses_is_refused_with_a_word(void **state)
{
    (void)state;
    check_refusal(STR("a: ["), ERR_SYNTAX, 2, "YAML");
    check_refusal(STR(""), ERR_RULE, 1, "game.agent_count is missing");
    check_refusal(STR("game:\n  max_day: 3\n"), ERR_RULE, 1, "game.agent_count is missing");
    check_refusal(STR("- a\n"), ERR_SYNTAX, 1, "the file: expected a map, but got a list");
    check_refusal(STR("game: {agent_count: 3}\n"), ERR_RULE, 1,
                  "neither logic.roles nor logic.day_phases: a file of a server before June 2025");
    check_refusal(STR("game: {agent_count: 3}\nlogic:\n  day_phases: [{actions: [talk]}]\n"),
                  ERR_RULE, 2, "logic.roles is missing; say the roles of 3 players");
    check_refusal(STR("game: {agent_count: 3}\nlogic:\n  roles:\n    5: {VILLAGER: 5}\n"), ERR_RULE,
                  3, "logic.roles has no entry for the 3 seats");
    check_refusal(STR("game: {agent_count: 3}\nlogic:\n  roles:\n    3:\n      VILAGER: 5\n"),
                  ERR_RULE, 5, "'VILAGER' is no role (did you mean VILLAGER?)");
    check_refusal(STR("game: {agent_count: 3}\nlogic:\n  roles:\n    3: [VILLAGER]\n"), ERR_SYNTAX,
                  4, "logic.roles.3: expected a map, but got a list");
    check_refusal(STR("game: {agent_count: 3}\nlogic:\n  roles:\n    3: {SEER: many}\n"),
                  ERR_SYNTAX, 4, "logic.roles.3.SEER: ");
    check_refusal(STR("game: {agent_count: 3}\nlogic:\n  roles:\n    3: {FOX: 3}\n"), ERR_RULE, 4,
                  "'FOX' is no role");
    check_refusal(STR("game: {agent_count: 3}\nlogic:\n  roles:\n    three: {SEER: 3}\n"),
                  ERR_SYNTAX, 4, "expected a number of players, but got 'three'");
    check_refusal(STR("game: {agent_count: 3}\nlogic:\n  roles:\n    3: {VILLAGER: 2}\n"), ERR_RULE,
                  4, "the roles add up to 2, but game.agent_count is 3; make them equal");
    check_refusal(STR("game:\n  agent_count: 3\n  talk:\n    max_length: {count_in_word: true, "
                      "count_spaces: true}\nlogic: {roles: {3: {VILLAGER: 3}}}\n"),
                  ERR_RULE, 4, "game.talk.max_length: count_in_word and count_spaces can't both");
    check_refusal(STR("game:\n  agent_count: 3\n  whisper:\n    max_length: {count_in_word: true, "
                      "count_spaces: true}\nlogic: {roles: {3: {VILLAGER: 3}}}\n"),
                  ERR_RULE, 4, "game.whisper.max_length: ");
    check_refusal(STR("game: {agent_count: 3, talk: {duration: 0}}\n"
                      "logic: {roles: {3: {VILLAGER: 3}}}\n"),
                  ERR_RULE, 1, "game.talk.duration: nobody can speak");
}

static void too_few_characters_are_refused(void **state)
{
    (void)state;
#define START "game: {agent_count: 3}\nlogic: {roles: {3: {VILLAGER: 3}}}\ncustom_profile:\n"
    check_refusal(STR(START "  enable: true\n  profiles:\n    - {name: A}\n    - {name: B}\n"),
                  ERR_RULE, 5, "2 characters are too few for 3 seats; add some");
    check_refusal(STR(START "  enable: true\n"), ERR_RULE, 3, "0 characters are too few");
    check_refusal(STR(START "  enable: yes\n  dynamic_profile: {enable: true, avatars: [a]}\n"),
                  ERR_RULE, 5, "1 pictures are too few for 3 seats");
    check_refusal(STR(START "  profiles:\n    - {name: A}\n    - {name: A}\n"), ERR_RULE, 6,
                  "two characters are called 'A'");
    check_refusal(STR(START "  profiles:\n    - {age: 3}\n"), ERR_RULE, 5, "needs a name");
    check_refusal(STR(START "  profiles:\n    - {name: \"a\\nb\"}\n"), ERR_RULE, 5, "control");
    check_refusal(STR(START "  profiles:\n    - {name: a, voice_id: x}\n"), ERR_SYNTAX, 5,
                  "custom_profile.profiles[0].voice_id: expected a number");
    check_refusal(STR(START "  profiles:\n    - {name: a, age: [1]}\n"), ERR_SYNTAX, 5,
                  "custom_profile.profiles[0].age: expected a text, but got a list");
#undef START
}

static void phases_beyond_the_limits_are_refused(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf text = {0};

#define START "game: {agent_count: 3}\nlogic:\n  roles: {3: {VILLAGER: 3}}\n  day_phases:\n"
    check_refusal(STR(START "  - {actions: [talk, talk, talk, talk, talk, talk, talk]}\n"),
                  ERR_LIMIT, 5, "more than 6 actions");
    check_refusal(STR(START "  - {only_day: -1}\n"), ERR_SYNTAX, 5,
                  "logic.day_phases[0].only_day: expected a number from 0");
    check_refusal(STR(START "  - talk\n"), ERR_SYNTAX, 5,
                  "logic.day_phases[0]: expected a map, but got 'talk'");
    buf_add(&text, STR(START));
    for (int i = 0; i < 17; i++)
        buf_add(&text, STR("  - {actions: [talk]}\n"));
    check_refusal(buf_str(&text), ERR_LIMIT, 21, "more than 16 phases");
#undef START
}

/* ---- files ---- */

static Config *load(World *world, const char *path)
{
    Config *config = NULL;
    Err err = {0};

    if (config_load(path, world_get, world_warn, world, &config, &err))
        fail_msg("%s: line %u: %s", path, err.line, err.msg);
    if (world->warnings.len)
        fail_msg("%s: %s", path, buf_cstr(&world->warnings));
    return config;
}

/* Loads every file of a pattern without a warning; how many. */
static size_t load_all(const char *pattern, void (*look)(const char *path, const Config *config))
{
    glob_t found;
    World world = {0};

    if (glob(pattern, 0, NULL, &found))
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        CLEANUP(config_freep) Config *config = load(&world, found.gl_pathv[i]);
        look(found.gl_pathv[i], config);
    }
    size_t count = found.gl_pathc;
    globfree(&found);
    return count;
}

static void look_at_recorded(const char *path, const Config *config)
{
    const char *name = strrchr(path, '/') + 1;
    uint64_t seats;
    bool next = strncmp(name, "next-", 5) == 0;

    assert_true(str_to_uint((Str){name + (next ? 5 : 0), 2}, 99, &seats));
    assert_int_equal(config->agent_count, seats);
    assert_int_equal(config->port, 8080);
    assert_int_equal(config->rules.talk.exchange == EXCHANGE_ANYTIME,
                     strstr(name, "-free") != NULL);
    assert_int_equal(config->rules.night.count, 6);
}

static void every_recorded_configuration_is_taken_without_a_warning(void **state)
{
    (void)state;
    char pattern[1024];

    snprintf(pattern, sizeof(pattern), "%s/nlp-wire/*.config.yml", getenv("WARG_TEST_DATA"));
    assert_int_equal(load_all(pattern, look_at_recorded), 27);
}

static void look_at_ours(const char *path, const Config *config)
{
    const char *name = strrchr(path, '/') + 1;
    bool playground = strcmp(name, "playground.yml") == 0;
    bool small = config->agent_count == 5;

    assert_true(config->json_logger.enable && config->game_logger.enable);
    if (playground) {
        assert_int_equal(config->rules.roles.counts[5][ROLE_VILLAGER], 5);
        assert_int_equal(config->rules.night.count, 0);
        assert_int_equal(config->rules.end.max_day, 5);
        return;
    }
    assert_int_equal(config->profile_count, 24);
    assert_int_equal(config->abort_at, config->agent_count);
    assert_int_equal(config->rules.talk.max_per_agent, 4);
    assert_int_equal(config->rules.talk.max_turns, small ? 20 : 52);
    assert_int_equal(config->rules.whisper.max_per_agent, small ? 0 : 4);
    assert_int_equal(config->rules.talk.length.base_length, strstr(name, "_en_") ? 125 : 50);
    assert_int_equal(config->rules.talk.exchange == EXCHANGE_ANYTIME,
                     strncmp(name, "freeform", 8) == 0);
}

static void every_configuration_of_ours_is_taken_without_a_warning(void **state)
{
    (void)state;
    char pattern[1024];

    snprintf(pattern, sizeof(pattern), "%s/config/nlp/*.yml", getenv("WARG_SOURCE"));
    assert_int_equal(load_all(pattern, look_at_ours), 13);
}

static void our_files_name_every_key(void **state)
{
    (void)state;
    static const char *const names[] = {"default_5.yml", "default_en_5.yml"};

    for (size_t f = 0; f < 2; f++) {
        CLEANUP(buf_done) Buf text = {0};
        char path[1024];
        snprintf(path, sizeof(path), "%s/config/nlp/%s", getenv("WARG_SOURCE"), names[f]);
        assert_int_equal(log_file_read(path, CONFIG_BYTES_MAX, &text, NULL), 0);
        for (size_t i = 0; i < KEYS; i++) {
            char key[64];
            const char *last = strrchr(keys[i].path, '.') + 1;
            snprintf(key, sizeof(key), "%s:", last);
            if (!strstr(buf_cstr(&text), key))
                fail_msg("%s does not explain %s", path, keys[i].path);
        }
    }
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    Config *config = NULL;
    Err err = {0};

    assert_int_equal(config_load("no/such.yml", NULL, NULL, NULL, &config, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "config 'no/such.yml'"));
    assert_null(config);
    assert_int_equal(config_load("no/such.yml", NULL, NULL, NULL, &config, NULL), ERR_IO);
}

static void more_than_a_mebibyte_is_refused(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf text = {0};
    Config *config = NULL;
    Err err = {0};

    while (text.len <= CONFIG_BYTES_MAX)
        buf_add(&text, STR("# a comment that goes on and on and on and on and on\n"));
    assert_false(buf_failed(&text));
    int rc = config_read("big.yml", buf_str(&text), NULL, NULL, NULL, &config, &err);
    assert_int_equal(rc, ERR_LIMIT);
    assert_null(config);
}

/* ---- environment ---- */

static const char least[] = "game: {agent_count: 3}\n"
                            "server: {timeout: {action: 1s}, web_socket: {host: h, port: 1}}\n"
                            "logic: {roles: {3: {VILLAGER: 3}}}\n";

static void the_newer_variables_win_over_the_file(void **state)
{
    (void)state;
    static const Variable variables[] = {{"HOST", "0.0.0.0"},
                                         {"PORT", "9000"},
                                         {"SECRET_KEY", "k$y"},
                                         {"OPENAI_API_KEY", "sk"},
                                         {"SLACK_WEBHOOK_URL", "https://hooks.example/x"},
                                         {NULL, NULL}};
    World world = {.variables = variables};
    CLEANUP(config_freep) Config *config = read_text(&world, str_of(least));

    assert_string_equal(config->host, "0.0.0.0");
    assert_int_equal(config->port, 9000);
    assert_true(str_eq(config->secret_key, STR("k$y")));
    assert_string_equal(config->dynamic.api_key, "sk");
    assert_string_equal(config->dynamic.endpoint, "https://api.openai.com/v1");
    assert_string_equal(config->notifier.webhook_url, "https://hooks.example/x");
}

/* The newest Go server has it in the file, and lets the environment win. */
static void where_notices_go_stands_in_the_file_or_in_the_environment(void **state)
{
    (void)state;
    static const Variable variables[] = {{"SLACK_WEBHOOK_URL", "https://hooks.example/env"},
                                         {NULL, NULL}};
    CLEANUP(buf_done) Buf text = {0};
    World world = {0};

    buf_printf(&text, "%sslack_notifier: {enable: true, webhook_url: 'https://hooks.example/f'}\n",
               least);
    CLEANUP(config_freep) Config *config = read_text(&world, buf_str(&text));
    assert_string_equal(config->notifier.webhook_url, "https://hooks.example/f");
    world.variables = variables;
    CLEANUP(config_freep) Config *other = read_text(&world, buf_str(&text));
    assert_string_equal(other->notifier.webhook_url, "https://hooks.example/env");
    assert_int_equal(world.warnings.len, 0);
}

static void notices_without_a_place_to_go_to_are_warned_of(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf text = {0};
    World world = {0};

    buf_printf(&text, "%sslack_notifier: {enable: true, webhook_url: ''}\n", least);
    CLEANUP(config_freep) Config *config = read_text(&world, buf_str(&text));
    assert_null(config->notifier.webhook_url);
    assert_string_equal(buf_cstr(&world.warnings),
                        "4: slack_notifier.enable is true, but neither "
                        "slack_notifier.webhook_url nor SLACK_WEBHOOK_URL says where to: nothing "
                        "is sent\n");
    buf_done(&world.warnings);
    buf_clear(&text);
    buf_printf(&text, "%sslack_notifier: {enable: true, webhook_url: 'hooks.example/s3cret'}\n",
               least);
    Err err = refusal_of(buf_str(&text), NULL);
    assert_int_equal(err.code, ERR_RULE);
    assert_int_equal(err.line, 4);
    assert_non_null(strstr(err.msg, "begins with https:// or http://"));
    assert_null(strstr(err.msg, "s3cret"));
}

static void the_older_variables_win_over_the_newer(void **state)
{
    (void)state;
    static const Variable variables[] = {{"AIWOLF_HOST", "a"},
                                         {"AIWOLF_PORT", "0"},
                                         {"HOST", "b"},
                                         {"PORT", "x"},
                                         {"AIWOLF_AUTH_ENABLE", "1"},
                                         {"SECRET_KEY", "k"},
                                         {"AIWOLF_JSON_LOG_DIR", "j"},
                                         {"AIWOLF_GAME_LOG_DIR", "g"},
                                         {"AIWOLF_REALTIME_DIR", "r"},
                                         {"AIWOLF_TTS_HOST", "t"},
                                         {"AIWOLF_MATCH_OUTPUT", "m"},
                                         {"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"},
                                         {NULL, NULL}};
    World world = {.variables = variables};
    CLEANUP(config_freep) Config *config = read_text(&world, str_of(least));

    assert_string_equal(config->host, "a");
    assert_int_equal(config->port, 0);
    assert_true(config->authentication);
    assert_string_equal(config->json_logger.output_dir, "j");
    assert_string_equal(config->game_logger.output_dir, "g");
    assert_string_equal(config->realtime.output_dir, "r");
    assert_string_equal(config->speech.host, "t");
    assert_string_equal(config->matching.output_path, "m");
    assert_string_equal(config->dynamic.endpoint, "http://127.0.0.1:1/v1");
}

static void empty_variables_are_none(void **state)
{
    (void)state;
    static const Variable variables[] = {
        {"HOST", ""}, {"PORT", ""}, {"SECRET_KEY", ""}, {"AIWOLF_AUTH_ENABLE", ""}, {NULL, NULL}};
    World world = {.variables = variables};
    CLEANUP(config_freep) Config *config = read_text(&world, str_of(least));

    assert_string_equal(config->host, "h");
    assert_int_equal(config->port, 1);
    assert_int_equal(config->secret_key.len, 0);
}

static void bad_variables_are_refused_by_name(void **state)
{
    (void)state;
    static const Variable port[] = {{"PORT", "http"}, {NULL, NULL}};
    static const Variable switched[] = {{"AIWOLF_AUTH_ENABLE", "maybe"}, {NULL, NULL}};
    static const Variable no_key[] = {{"AIWOLF_AUTH_ENABLE", "true"}, {NULL, NULL}};

    assert_non_null(strstr(refusal_of(str_of(least), port).msg, "environment variable PORT"));
    assert_non_null(strstr(refusal_of(str_of(least), switched).msg, "AIWOLF_AUTH_ENABLE"));
    Err err = refusal_of(str_of(least), no_key);
    assert_int_equal(err.code, ERR_RULE);
    assert_non_null(strstr(err.msg, "SECRET_KEY is not set"));
}

/* ---- dotenv ---- */

static DotEnv *env_of(const char *text)
{
    DotEnv *env = NULL;
    Err err = {0};

    if (dotenv_read(str_of(text), &env, &err))
        fail_msg("line %u: %s", err.line, err.msg);
    return env;
}

static void a_dotenv_file_has_quotes_comments_and_exports(void **state)
{
    (void)state;
    DotEnv *env = env_of("\xEF\xBB\xBF# a comment\r\n"
                         "\n"
                         "WARG_T1=plain\r\n"
                         "export WARG_T2 = with blanks # comment\n"
                         "WARG_T3=\"a \\\"b\\\"\\n#c\" # comment\n"
                         "WARG_T4='a\\n$b'\n"
                         "WARG_T5=pa$$#word=\n"
                         "WARG_T6=\n"
                         "  WARG_T1 = again\n"
                         "WARG_T7=\"\"");

    assert_string_equal(dotenv_get(env, "WARG_T1"), "again");
    assert_string_equal(dotenv_get(env, "WARG_T2"), "with blanks");
    assert_string_equal(dotenv_get(env, "WARG_T3"), "a \"b\"\n#c");
    assert_string_equal(dotenv_get(env, "WARG_T4"), "a\\n$b");
    assert_string_equal(dotenv_get(env, "WARG_T5"), "pa$$#word=");
    assert_string_equal(dotenv_get(env, "WARG_T6"), "");
    assert_string_equal(dotenv_get(env, "WARG_T7"), "");
    assert_null(dotenv_get(env, "WARG_T"));
    dotenv_free(env);
}

static void the_real_environment_wins_over_the_file(void **state)
{
    (void)state;
    DotEnv *env = env_of("WARG_TEST_REAL=file\nWARG_TEST_FILE=file\n");

    setenv("WARG_TEST_REAL", "real", 1);
    assert_string_equal(dotenv_get(env, "WARG_TEST_REAL"), "real");
    assert_string_equal(dotenv_get(NULL, "WARG_TEST_REAL"), "real");
    unsetenv("WARG_TEST_REAL");
    assert_string_equal(dotenv_get(env, "WARG_TEST_REAL"), "file");
    assert_string_equal(dotenv_get(env, "WARG_TEST_FILE"), "file");
    assert_null(dotenv_get(NULL, "WARG_TEST_FILE"));
    dotenv_free(env);
    env = env_of("# nothing but a comment\n");
    assert_null(dotenv_get(env, "WARG_TEST_FILE"));
    dotenv_free(env);
}

static void bad_dotenv_lines_are_refused_without_showing_values(void **state)
{
    (void)state;
    static const char *const wrong[] = {"\nSECRET",    "\nA B=secret", "\n=secret",
                                        "\n1A=secret", "\nA=\"secret", "\nA='secret' x"};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        DotEnv *env = NULL;
        Err err = {0};
        assert_int_equal(dotenv_read(str_of(wrong[i]), &env, &err), ERR_SYNTAX);
        assert_int_equal(err.line, 2);
        assert_null(strstr(err.msg, "secret"));
        assert_null(env);
    }
}

static void a_missing_dotenv_file_is_empty_and_an_unreadable_one_an_error(void **state)
{
    (void)state;
    char folder[] = "/tmp/warg-test-XXXXXX";
    char path[64];
    DotEnv *env = NULL;
    Err err = {0};

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/.env", folder);
    assert_int_equal(dotenv_load(path, &env, &err), 0);
    assert_null(dotenv_get(env, "WARG_TEST_FILE"));
    env = dotenv_free(env);
    assert_int_equal(dotenv_load(folder, &env, &err), ERR_IO);
    err = (Err){0};
    assert_int_equal(log_file_write(path, STR("WARG_TEST_FILE=1\nx\n"), &err), 0);
    assert_int_equal(dotenv_load(path, &env, &err), ERR_SYNTAX);
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.msg, path));
    assert_null(env);
    unlink(path);
    rmdir(folder);
}

static void our_example_of_a_dotenv_file_can_be_read(void **state)
{
    (void)state;
    char path[1024];
    DotEnv *env = NULL;
    Err err = {0};

    snprintf(path, sizeof(path), "%s/config/nlp/example.env", getenv("WARG_SOURCE"));
    if (dotenv_load(path, &env, &err))
        fail_msg("line %u: %s", err.line, err.msg);
    dotenv_free(env);
}

/* ---- durations ---- */

static void durations_are_those_of_go(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"0", 0},
        {"0s", 0},
        {"60s", 60000},
        {"10m", 600000},
        {"1m30s", 90000},
        {"1h2m3s4ms", 3723004},
        {"1.5s", 1500},
        {".5s", 500},
        {"1.s", 1000},
        {"+2s", 2000},
        {"100us", 1},
        {"100\xC2\xB5s", 1},
        {"100\xCE\xBCs", 1},
        {"1ns", 1},
        {"1000000", 1},
        {"1000001", 2},
        {"60000000000", 60000},
        {"0.001ms", 1},
        {"999.999999999s", 1000000},
        {"9223372036854775807", 9223372036855},
        {"2562047h", INT64_C(9223369200000)},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Err err = {0};
        int64_t ms = -1;
        if (config_duration(str_of(cases[i].text), &ms, &err) || ms != cases[i].ms)
            fail_msg("%s: %lld %s", cases[i].text, (long long)ms, err.msg);
    }
}

static void other_texts_are_no_durations(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "s",
                                        "-1s",
                                        "1",
                                        "1 s",
                                        "1x",
                                        "1s ",
                                        " 1s",
                                        "1.5",
                                        "1.2",
                                        "1m30",
                                        ".s",
                                        "1..5s",
                                        "1e3s",
                                        "+",
                                        "-",
                                        "++1s",
                                        "1S",
                                        "9223372036854775808",
                                        "2562048h",
                                        "99999999999999999999s",
                                        "1d"};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        Err err = {0};
        int64_t ms = -1;
        if (strcmp(wrong[i], "1") == 0)
            continue; /* a nanosecond */
        if (config_duration(str_of(wrong[i]), &ms, &err) != ERR_SYNTAX || ms != -1)
            fail_msg("'%s' is taken", wrong[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_test_knows_every_key),
        cmocka_unit_test(every_key_has_an_effect),
        cmocka_unit_test(a_wrong_type_is_refused_with_its_place_and_path),
        cmocka_unit_test(a_null_is_a_missing_key),
        cmocka_unit_test(a_missing_key_is_zero_or_its_meaning),
        cmocka_unit_test(an_unknown_key_warns_with_its_line_and_the_nearest),
        cmocka_unit_test(unknown_keys_deep_inside_warn_too),
        cmocka_unit_test(talk_with_a_duration_is_at_any_time),
        cmocka_unit_test(the_error_ratio_is_a_number_of_seats),
        cmocka_unit_test(the_old_place_of_the_abort_factor_counts_when_the_new_is_missing),
        cmocka_unit_test(an_attack_without_a_target_is_a_tie_that_kills_nobody),
        cmocka_unit_test(profiles_follow_the_order_of_the_encoding),
        cmocka_unit_test(yes_and_on_are_true_and_numbers_may_have_underscores),
        cmocka_unit_test(a_time_that_means_for_ever_is_a_day),
        cmocka_unit_test(quoted_numbers_and_other_scripts_are_no_numbers),
        cmocka_unit_test(a_village_without_wolves_and_nights_can_be_played),
        cmocka_unit_test(floods_are_bounded_and_long_limits_are_not_cut),
        cmocka_unit_test(lengths_that_mean_no_limit_are_taken),
        cmocka_unit_test(guards_are_lowered_until_the_engine_has_room),
        cmocka_unit_test(older_files_without_roles_have_the_roles_of_their_server),
        cmocka_unit_test(what_the_go_server_refuses_is_refused_with_a_word),
        cmocka_unit_test(too_few_characters_are_refused),
        cmocka_unit_test(phases_beyond_the_limits_are_refused),
        cmocka_unit_test(every_recorded_configuration_is_taken_without_a_warning),
        cmocka_unit_test(every_configuration_of_ours_is_taken_without_a_warning),
        cmocka_unit_test(our_files_name_every_key),
        cmocka_unit_test(a_file_that_is_not_there_is_an_error),
        cmocka_unit_test(more_than_a_mebibyte_is_refused),
        cmocka_unit_test(the_newer_variables_win_over_the_file),
        cmocka_unit_test(where_notices_go_stands_in_the_file_or_in_the_environment),
        cmocka_unit_test(notices_without_a_place_to_go_to_are_warned_of),
        cmocka_unit_test(the_older_variables_win_over_the_newer),
        cmocka_unit_test(empty_variables_are_none),
        cmocka_unit_test(bad_variables_are_refused_by_name),
        cmocka_unit_test(a_dotenv_file_has_quotes_comments_and_exports),
        cmocka_unit_test(the_real_environment_wins_over_the_file),
        cmocka_unit_test(bad_dotenv_lines_are_refused_without_showing_values),
        cmocka_unit_test(a_missing_dotenv_file_is_empty_and_an_unreadable_one_an_error),
        cmocka_unit_test(our_example_of_a_dotenv_file_can_be_read),
        cmocka_unit_test(durations_are_those_of_go),
        cmocka_unit_test(other_texts_are_no_durations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
