/* contest_rules.h - the contest file of a site: all of today's contest file, and what a whole
 * contest needs beside its games.
 *
 * For:    the site and its runner. `warg run` plays the same file and leaves the site's keys alone.
 * Memory: a SiteRules owns its Plan, whose arena has all texts; contest_rules_done frees both.
 * Thread: any, each with its own.
 * Source: docs/spec/contest-operations.md 3.2.
 *
 * The type is SiteRules, for ContestRules are what a ruleset says of limits (game/ruleset.h).
 * Names of files are seen from `folder`: on a site the folder of server.yml.
 */
#ifndef WARG_SITE_CONTEST_RULES_H
#define WARG_SITE_CONTEST_RULES_H

#include "base/time_zone.h"
#include "match/plan.h"
#include "site/life.h"

#define CONTEST_NAME_MAX    32
#define RULES_FIELDS_MAX    16
#define RULES_TIMES_MAX     48
#define RULES_TRACKS_MAX    8
#define RULES_WINDOWS_MAX   32
#define RULES_MODELS_MAX    8
#define RULES_CRITERIA      6 /* A to F */
#define RULES_ZONE_NAME_MAX 64

typedef enum SubmitLanguage {
    SUBMIT_JAVA,
    SUBMIT_DOTNET,
    SUBMIT_PYTHON,
    SUBMIT_NATIVE,
    SUBMIT_LANGUAGES,
} SubmitLanguage;

typedef enum PublishLogs { PUBLISH_LOGS_OWN, PUBLISH_LOGS_ALL, PUBLISH_LOGS_NONE } PublishLogs;
typedef enum PublishLive { LIVE_NONE, LIVE_STANDINGS, LIVE_GAMES } PublishLive;
typedef enum PublishSources { SOURCES_FINAL, SOURCES_ALL, SOURCES_NONE } PublishSources;
typedef enum JudgeScale { SCALE_RANK, SCALE_SCORE } JudgeScale;

/* What a finalist hands in. */
typedef enum RulesDocument {
    REQUIRE_SOURCE = 1 << 0,
    REQUIRE_DESCRIPTION = 1 << 1,
} RulesDocument;

typedef struct RulesTrack {
    const char *name;
    const char *config; /* a file of `warg serve nlp`, as seen from here */
    uint32_t self_matches;
    uint32_t self_per_hour;            /* that a team may begin in the connection check */
    uint32_t matches_min, matches_max; /* of each team */
} RulesTrack;

typedef struct RulesWindow {
    uint32_t track; /* among the tracks */
    int64_t from_ms, to_ms;
} RulesWindow;

typedef struct SiteRules {
    char name[CONTEST_NAME_MAX + 1];
    const char *title[2]; /* English, Japanese; the name where the file has none */
    bool natural_language;
    char zone_name[RULES_ZONE_NAME_MAX + 1]; /* "Asia/Tokyo" */
    TimeZone zone;
    int64_t dates[LIFE_DATES]; /* Unix ms, LIFE_NO_DATE */
    int64_t preliminary_stops_ms, final_stops_ms;
    uint32_t lot_window_ms;

    struct {
        bool approve;
        uint32_t members; /* of a team, at most */
        const char *fields[RULES_FIELDS_MAX];
        uint32_t field_count;
        bool field_public[RULES_FIELDS_MAX];
    } registration;
    struct {
        unsigned languages; /* bit: SubmitLanguage */
        int64_t file_bytes, tree_bytes;
        uint32_t entries, versions_per_day, keep;
    } submit;
    struct { /* as seen from here; NULL = none */
        const char *java_lib, *dotnet_starter, *python_wheels;
    } runtimes;
    struct {
        uint32_t games;
        int32_t refuse_name; /* a name that is not the team's: 0 warns, 1 refuses */
    } check;
    struct {
        uint16_t at[RULES_TIMES_MAX]; /* minutes of the zone's day, ascending */
        uint32_t at_count;
        struct {
            int32_t players;
            uint32_t sets_each;
        } parts[PLAN_SIZES_MAX];
        uint32_t part_count;
        int32_t fill;     /* 0 = sample bots on empty seats, 1 = nobody: no round then */
        int32_t on_error; /* 0 = suspend, 1 = note */
    } testing;
    struct {
        PublishLogs logs;
        PublishLive live;
        PublishSources sources;
        uint32_t delay_games;
    } publish;
    unsigned require[STAGES_MAX]; /* of a stage: RulesDocument, or-ed */

    RulesTrack tracks[RULES_TRACKS_MAX];
    uint32_t track_count;
    RulesWindow windows[RULES_WINDOWS_MAX]; /* in the order of the file; they don't overlap */
    uint32_t window_count;
    struct {
        bool given;
        bool criteria[RULES_CRITERIA];
        uint32_t sheets; /* games of a track */
        uint32_t raters;
        JudgeScale scale;
        uint32_t repeats;
        int64_t budget_tokens;
        int32_t min_tau_permille;             /* INT32_MIN = none */
        const char *models[RULES_MODELS_MAX]; /* as `--agent llm:` has them */
        uint32_t model_count;
    } evaluation;

    Plan plan; /* of all stages; without the teams, which are versions */
} SiteRules;

void contest_rules_done(SiteRules *rules); /* also for CLEANUP; a zeroed one is fine */

/* Reads the file. Errors: those of contest_text_load; ERR_SYNTAX, ERR_RULE with line and column and
 * the nearest known key; ERR_IO for a time zone that this machine does not have. */
int contest_rules_read(Str text, const char *folder, SiteRules *ret_rules, Err *err);

/* Whether its stages can be played by anybody: tables that the rules have, a division with what it
 * needs, dates. What a draft may lack. Errors: ERR_RULE that says what is missing. */
int contest_rules_check(const SiteRules *rules, Err *err);

/* Whether what stands in front of all agents of a language is there: else each of them would fail
 * for it. Errors: ERR_RULE that names the key and the file. */
int contest_rules_find_runtimes(const SiteRules *rules, Err *err);

/* What its life follows from. */
void contest_rules_life(const SiteRules *rules, LifePlan *ret_plan);
/* How many teams make the smallest table; 1 where bots sit on empty seats. */
uint32_t contest_rules_teams_needed(const SiteRules *rules);

/* The last moment of `testing.at` that is not behind `now_ms`; LIFE_NO_DATE when there is none in
 * the day before. */
int64_t contest_rules_testing_moment(const SiteRules *rules, int64_t now_ms);

/* A track by its name; NULL. */
const RulesTrack *contest_rules_track(const SiteRules *rules, Str name);

/* When a stage of the plan stops, in Unix ms; LIFE_NO_DATE: behind its min_games. */
int64_t contest_rules_stop(const SiteRules *rules, uint32_t stage);
/* Appends those of all stages in their order, as the ledger has them: dates, "-" for none, a blank
 * between. */
void contest_rules_stops(const SiteRules *rules, Buf *out);

/* A date by its key of the file ("opens"), also the stops; NULL = no such key. */
const int64_t *contest_rules_date(const SiteRules *rules, Str key);
/* The keys of all dates, ended by NULL. */
extern const char *const contest_date_keys[];

/* The same file with another value of a date (a text as in the file), all else
 * byte by byte as it was. Errors: ERR_RULE for an unknown key, or a file without `dates`; what
 * contest_rules_read says of the result is not looked at. */
int contest_rules_set_date(Str text, Str key, Str value, Buf *out, Err *err);

/* Whether a name can be a contest's: [a-z0-9-]{2,32}, and none of the paths of the site. Errors:
 * ERR_RULE. */
int contest_judge_name(Str name, Err *err);

/* What two files say differently: the keys of the first level, with blanks between, but `title` and
 * `dates`. Errors: ERR_SYNTAX of either. */
int contest_rules_differ(Str before, Str now, Buf *keys, Err *err);

/* Whether `now` names no file, program or service of the server that `before` does not: agents,
 * runtimes, what a cell shows, a file of rules, configurations of tracks, models. Nothing of it is
 * opened. Errors: ERR_RULE with the key; ERR_SYNTAX, ERR_LIMIT of either text.
 * docs/spec/contest-operations.md 5 */
int contest_rules_keep_places(Str before, Str now, Err *err);

#endif
