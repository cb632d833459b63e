/* config.h - the configuration of a server of the natural-language division: every key of the
 *            published versions (A, B, C), and ours.
 *
 * For:    `warg serve nlp`, `warg serve nlp --check`.
 * Memory: a Config owns its texts (an arena); config_free.
 * Thread: constant once read.
 * Source: docs/spec/nlp-division.md 7; docs/nlp.md.
 *
 * Unknown keys are warnings with their line, wrong types errors with line and what was expected; a
 * file that the Go server takes is taken, a file that it refuses (7.4) is refused with a better
 * word.
 */
#ifndef WARG_NLP_CONFIG_H
#define WARG_NLP_CONFIG_H

#include "base/err.h"
#include "game/ruleset.h"

#define CONFIG_BYTES_MAX (1024u * 1024u)

/* A key and its value in the order of the file. */
typedef struct ConfigPair {
    Str key;
    Str value;
} ConfigPair;

/* A character. */
typedef struct ConfigProfile {
    Str name;
    Str avatar_url;
    int32_t voice_id; /* -1 = none */
    Str text;         /* the profile string of 9.1, labels in the order of profile_encoding */
} ConfigProfile;

typedef struct ConfigLogger {
    bool enable;
    const char *output_dir;
    const char *filename; /* a pattern: {game_id} {timestamp} {teams} */
} ConfigLogger;

typedef struct ConfigMatching {
    bool self_match;
    bool is_optimize;
    int32_t team_count;
    int32_t game_count;
    const char *output_path;
    bool infinite_loop;
    double abort_weight_factor;
} ConfigMatching;

typedef struct ConfigHealth {
    bool enable;
    int32_t window;
    int32_t min_games;
    double score_request_error;
    double score_fatal;
    double score_abort;
    double weight_floor;
    double quarantine_rate;
    int64_t quarantine_ms;
} ConfigHealth;

typedef enum ConfigNotice {
    NOTICE_QUARANTINE = 1,
    NOTICE_ABORT = 2,
    NOTICE_STALL = 4,
    NOTICE_MILESTONE = 8,
    NOTICE_ALL = 15,
} ConfigNotice;

typedef struct ConfigNotifier {
    bool enable;
    Str username;
    Str icon_emoji;
    int64_t timeout_ms;
    int64_t min_interval_ms;
    unsigned events; /* ConfigNotice bits */
    int64_t stall_ms;
    int32_t milestone_every;
    const char *webhook_url; /* also SLACK_WEBHOOK_URL, which wins; NULL = none */
} ConfigNotifier;

typedef struct ConfigSpeech {
    bool enable;
    bool async;
    int64_t target_ms;
    const char *segment_dir;
    const char *temp_dir; /* "" = the system's */
    const char *host;     /* http://localhost:50021 */
    int64_t timeout_ms;
    const char *ffmpeg_path;
    const char *ffprobe_path;
    const char *const *convert_args; /* NULL-terminated, as the other three */
    const char *const *duration_args;
    const char *const *pre_convert_args;
    const char *const *split_args;
} ConfigSpeech;

typedef struct ConfigDynamic {
    bool enable;
    Str prompt;
    int32_t attempts;
    Str model;
    int32_t max_tokens;
    const Str *avatars;
    uint32_t avatar_count;
    const char *endpoint; /* OPENAI_BASE_URL or https://api.openai.com/v1 */
    const char *api_key;  /* OPENAI_API_KEY; NULL = none */
} ConfigDynamic;

typedef struct Config {
    const char *path;
    const char *host;
    uint16_t port;
    bool authentication;
    Str secret_key; /* SECRET_KEY; empty = none */
    int32_t action_ms;
    int32_t response_ms;
    int32_t acceptable_ms;
    /* How many errored seats end a game (4.4): max(1, floor(n * ratio)); `agent_count` when the
     * file has no max_continue_error_ratio, so that a game goes on while anybody plays. */
    int32_t abort_at;

    int32_t agent_count;
    Ruleset rules; /* all of game, logic */
    bool role_named[ROLE_COUNT];

    ConfigMatching matching;
    bool profiles_enable;
    const ConfigPair *encoding; /* key -> label */
    uint32_t encoding_count;
    const ConfigProfile *profiles;
    uint32_t profile_count;
    ConfigDynamic dynamic;
    ConfigLogger json_logger;
    ConfigLogger game_logger;
    ConfigLogger realtime;
    int64_t realtime_delay_ms;
    ConfigSpeech speech;
    ConfigHealth health;
    ConfigNotifier notifier;

    /* ours, under the key `warg:`; each has a comment in config/nlp/default_en_5.yml */
    int64_t name_ms;        /* warg.name_timeout: for the first answer to NAME; 120 s */
    int64_t rejoin_ms;      /* warg.rejoin: a seat is kept for its participant; 60 s */
    bool unique_names;      /* warg.unique_names: of two waiting of one name the newer stays */
    bool strict;            /* warg.strict: as the reference does in points that it calls quirks */
    bool talk_time;         /* warg.log_talk_time: true */
    bool json_milliseconds; /* warg.json_milliseconds: false */
    bool open;              /* warg.open: everybody may see the roles of running games */
    const Str *hosts;       /* warg.hosts: further names under which browsers find this server */
    uint32_t host_count;
    const Str *origins; /* warg.origins: of pages that may read and join */
    uint32_t origin_count;
    bool realtime_open;      /* warg.realtime_open: /realtime needs no token */
    bool realtime_masked;    /* warg.realtime_masked: a stream without roles beside it: true */
    bool shuffle_each_round; /* warg.shuffle_each_round: 5.1 */
    bool talk_by_bids;       /* warg.talk_by_bids: talk.order: bids */
    int64_t silence_ms;      /* warg.silence: 10.4; 0 = off */
    int32_t rate_per_minute; /* warg.rate_limit: utterances of an agent in a session; 0 = off */
    int32_t message_bytes;   /* warg.message_bytes: of a WebSocket message; 65536 */
    bool sync_logs;          /* warg.sync_logs: finished logs are fdatasync'ed: false */
    uint64_t seed;           /* warg.seed */
    bool seed_set;
} Config;

/* What the environment says; getenv is handed in, so that tests and .env files can stand in. */
typedef const char *(*ConfigGetenv)(void *user, const char *name);

typedef void (*ConfigWarn)(void *user, unsigned line, const char *text);

/* Reads a configuration. `path` is copied and used in messages. HOST, PORT, SECRET_KEY, the
 * AIWOLF_... names (which win over the short ones) and the others of 7.5 come from `get`; both
 * callbacks may be NULL. A warning of a missing key has line 0.
 * Errors: ERR_SYNTAX, ERR_RULE, with line and column; ERR_LIMIT, ERR_MEMORY. */
int config_read(const char *path, Str text, ConfigGetenv get, ConfigWarn warn, void *user,
                Config **ret_config, Err *err);
/* The same from a file. Errors: ERR_IO too. */
int config_load(const char *path, ConfigGetenv get, ConfigWarn warn, void *user,
                Config **ret_config, Err *err);
Config *config_free(Config *config);
void config_freep(Config **config);

/* Every key that is known, dotted ("server.web_socket.port"), but for what is inside of lists and
 * of maps with free keys; NULL when `index` is beyond the last. */
const char *config_key(size_t index);

/* A dotenv file as an environment: KEY=value lines, `export`, quotes, comments. A missing file is
 * an empty one. Errors: ERR_IO, ERR_SYNTAX with the line. */
typedef struct DotEnv DotEnv;
int dotenv_load(const char *path, DotEnv **ret_env, Err *err);
int dotenv_read(Str text, DotEnv **ret_env, Err *err);
/* The process's own variable, else the file's, else NULL. */
const char *dotenv_get(void *env, const char *name);
DotEnv *dotenv_free(DotEnv *env);

/* A duration as Go writes it, "1m30s" or a bare number of nanoseconds, in milliseconds (rounded
 * up). Errors: ERR_SYNTAX. */
int config_duration(Str text, int64_t *ret_ms, Err *err);

#endif
