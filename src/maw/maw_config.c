#include "maw/maw_config.h"

#include "base/yaml.h"
#include "disk/log_file.h"

#include <stddef.h>

#define FILE_BYTES_MAX ((size_t)64 * 1024)
#define NODE_BYTES     128 /* of the tree, for a byte of text, at most: see ruleset_text.c */
#define PLAYERS_MOST   30  /* A2 */
#define SECONDS_MAX    86400

typedef enum KeyKind {
    KEY_NUMBER,    /* int32_t */
    KEY_COUNT,     /* uint32_t */
    KEY_SECONDS,   /* int32_t of milliseconds */
    KEY_SECONDS64, /* TimeMs */
    KEY_FLAG,
    KEY_WORD, /* an int32_t or an enum: the word's place in `words` */
} KeyKind;

typedef struct ConfigKey {
    const char *name;
    KeyKind kind;
    size_t at; /* in MawConfig */
    int64_t min, max;
    const char *const *words; /* NULL-terminated */
} ConfigKey;

#define PLACE(member)    offsetof(MawConfig, member)
#define WORDS(name, ...) static const char *const name[] = {__VA_ARGS__, NULL}

WORDS(reveal_words, "none", "team", "role");
WORDS(goal_words, "parity", "parity-wolf-first", "elimination");
WORDS(ghosts_words, "own", "all");
WORDS(fill_words, "none", "bots");
WORDS(whispers_words, "off", "day", "always");
WORDS(language_words, "en", "ja");

/* Those that need more than a place in the struct are read below. */
static const ConfigKey keys[] = {
    {"players", KEY_COUNT, PLACE(options.players), PLAYERS_MIN, PLAYERS_MOST, NULL},
    {"rounds", KEY_COUNT, PLACE(options.rounds), 1, 10000, NULL},
    {"day_s", KEY_SECONDS, PLACE(rules.talk.duration_ms), 1, SECONDS_MAX, NULL},
    {"night_s", KEY_SECONDS, PLACE(rules.whisper.duration_ms), 1, SECONDS_MAX, NULL},
    {"night_min_s", KEY_SECONDS64, PLACE(options.night_min_ms), 0, SECONDS_MAX, NULL},
    {"scores_s", KEY_SECONDS64, PLACE(options.scores_ms), 0, SECONDS_MAX, NULL},
    {"lobby_s", KEY_SECONDS64, PLACE(options.lobby_ms), 0, SECONDS_MAX, NULL},
    {"rejoin_s", KEY_SECONDS64, PLACE(options.rejoin_ms), 0, SECONDS_MAX, NULL},
    {"absent_after_s", KEY_SECONDS64, PLACE(options.absent_after_ms), 0, SECONDS_MAX, NULL},
    {"pause_after_s", KEY_SECONDS64, PLACE(options.pause_after_ms), 0, SECONDS_MAX, NULL},
    {"revote_s", KEY_SECONDS, PLACE(rules.vote.revote_ms), 1, 3600, NULL},
    {"announce_votes", KEY_FLAG, PLACE(rules.vote.visible), 0, 0, NULL},
    {"allow_self_vote", KEY_FLAG, PLACE(rules.vote.self_vote), 0, 0, NULL},
    {"min_votes", KEY_NUMBER, PLACE(rules.vote.min_votes), 1, PLAYERS_MOST, NULL},
    {"max_chars", KEY_NUMBER, PLACE(rules.talk.length.per_talk), 20, 4000, NULL},
    {"max_days", KEY_NUMBER, PLACE(rules.end.max_day), 1, 1000, NULL},
    {"idle_phases", KEY_NUMBER, PLACE(rules.end.max_idle_phases), 0, 1000, NULL},
    {"end", KEY_WORD, PLACE(rules.end.goal), 0, 0, goal_words},
    {"ghosts_see", KEY_WORD, PLACE(rules.secrecy.ghosts_see), 0, 0, ghosts_words},
    {"reveal_village", KEY_WORD, PLACE(options.reveal_village), 0, 0, reveal_words},
    {"reveal_hideout", KEY_WORD, PLACE(options.reveal_hideout), 0, 0, reveal_words},
    {"fill", KEY_WORD, PLACE(options.fill), 0, 0, fill_words},
    {"whispers", KEY_WORD, PLACE(options.whispers), 0, 0, whispers_words},
    {"whispers_public", KEY_FLAG, PLACE(options.whispers_public), 0, 0, NULL},
    {"score_dead", KEY_FLAG, PLACE(options.score_dead), 0, 0, NULL},
    {"push", KEY_FLAG, PLACE(options.push), 0, 0, NULL},
    {"spectators", KEY_COUNT, PLACE(options.spectators), 0, MAW_SPECTATORS_MAX, NULL},
    {"graveyard", KEY_FLAG, PLACE(options.graveyard), 0, 0, NULL},
    {"language", KEY_WORD, PLACE(options.language), 0, 0, language_words},
};
#define KEY_COUNT_ALL (sizeof(keys) / sizeof(keys[0]))

static const char *const special_keys[] = {"ruleset", "wolves", "tie", "first_phase", "roles"};
#define SPECIAL_COUNT (sizeof(special_keys) / sizeof(special_keys[0]))

/* ---- one value ---- */

static int wrong_word(const YamlNode *node, Str word, const char *const *words, Err *err)
{
    CLEANUP(buf_done) Buf list = {0};

    for (size_t i = 0; words[i]; i++)
        buf_printf(&list, "%s%s", i ? ", " : "", words[i]);
    return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                      "key '%.*s': expected one of %s, but got '%.*s'", STR_ARG(node->key),
                      buf_cstr(&list), STR_ARG(str_part(word, 0, 60)));
}

static int read_word(const YamlNode *node, const char *const *words, int32_t *ret, Err *err)
{
    Str word;
    int rc = yaml_str(node, &word, err);

    if (rc)
        return rc;
    for (int32_t i = 0; words[i]; i++)
        if (str_eq(word, str_of(words[i]))) {
            *ret = i;
            return 0;
        }
    return wrong_word(node, word, words, err);
}

static int read_key(const ConfigKey *key, const YamlNode *node, MawConfig *config, Err *err)
{
    char *place = (char *)config + key->at;
    int64_t number = 0;
    int32_t word = 0;
    int rc;

    if (key->kind == KEY_FLAG)
        return yaml_bool(node, (bool *)(void *)place, err);
    if (key->kind == KEY_WORD)
        rc = read_word(node, key->words, &word, err);
    else
        rc = yaml_int(node, key->min, key->max, &number, err);
    if (rc)
        return rc;
    if (key->kind == KEY_WORD) {
        memcpy(place, &word, sizeof(word));
    } else if (key->kind == KEY_SECONDS64) {
        TimeMs time = number * 1000;
        memcpy(place, &time, sizeof(time));
    } else {
        int32_t small = (int32_t)(key->kind == KEY_SECONDS ? number * 1000 : number);
        memcpy(place, &small, sizeof(small));
    }
    return 0;
}

/* ---- what is more than a value ---- */

/* G2: `floor`, `nearest`, `ceil`, or how many; 0 in *wolves = a rule. */
static int read_wolves(const YamlNode *node, MawConfig *config, Err *err)
{
    static const char *const words[] = {"", "floor", "nearest", "ceil", NULL};
    Str text;
    uint64_t number;
    int rc = yaml_str(node, &text, err);

    if (rc)
        return rc;
    if (!str_to_uint(text, PLAYERS_MOST, &number)) {
        config->options.wolves = 0;
        return read_word(node, words, &config->rules.wolves, err);
    }
    if (number == 0)
        return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                          "key 'wolves': expected floor, nearest, ceil or a number from 1 on");
    config->options.wolves = (uint32_t)number;
    return 0;
}

/* G12, A7. */
static int read_tie(const YamlNode *node, MawConfig *config, Err *err)
{
    static const char *const words[] = {"none", "random", "revote", NULL};
    int32_t word = 0;
    int rc = read_word(node, words, &word, err);

    if (rc)
        return rc;
    config->rules.vote.tie = word == 1 ? TIE_RANDOM : TIE_NOBODY;
    config->rules.vote.rounds = word == 2 ? 2 : 1;
    return 0;
}

/* G5: a game that begins by night has no village on its first day. */
static int read_first_phase(const YamlNode *node, MawConfig *config, Err *err)
{
    static const char *const words[] = {"day", "night", NULL};
    int32_t word = 0;
    int rc = read_word(node, words, &word, err);

    if (rc == 0)
        config->rules.day.phases[0].except_day = word == 1 ? config->rules.first_day : DAY_ANY;
    return rc;
}

static int read_roles(const YamlNode *node, MawConfig *config, Err *err)
{
    static const char *const known[] = {"seer", NULL};
    int64_t number = 0;
    int rc = yaml_only_keys(node, known, err);
    const YamlNode *seer = rc ? NULL : yaml_get(node, "seer");

    if (seer)
        rc = yaml_int(seer, 0, 1, &number, err);
    if (seer && rc == 0)
        config->rules.seers = (int32_t)number;
    return rc;
}

static int read_special(const YamlNode *root, MawConfig *config, Err *err)
{
    const YamlNode *ruleset = yaml_get(root, "ruleset"), *node;
    Str name;
    int rc = ruleset ? yaml_str(ruleset, &name, err) : 0;

    if (rc == 0 && ruleset && !str_eq(name, STR("maw")))
        rc = err_set_at(err, ERR_RULE, ruleset->line, ruleset->column,
                        "a MAW table has the ruleset maw, not '%.*s'",
                        STR_ARG(str_part(name, 0, 60)));
    if (rc == 0 && (node = yaml_get(root, "wolves")))
        rc = read_wolves(node, config, err);
    if (rc == 0 && (node = yaml_get(root, "tie")))
        rc = read_tie(node, config, err);
    if (rc == 0 && (node = yaml_get(root, "first_phase")))
        rc = read_first_phase(node, config, err);
    if (rc == 0 && (node = yaml_get(root, "roles")))
        rc = read_roles(node, config, err);
    return rc;
}

/* ---- interface ---- */

void maw_config_default(MawConfig *ret_config)
{
    *ret_config = (MawConfig){.options = maw_options_default()};
    ruleset_preset(STR("maw"), &ret_config->rules, NULL);
}

int maw_config_check(MawConfig *config, Err *err)
{
    MawOptions *options = &config->options;
    Ruleset *rules = &config->rules;
    uint32_t seers = (uint32_t)rules->seers;

    if (options->players < PLAYERS_MIN || options->players > PLAYERS_MOST)
        return err_set(err, ERR_RULE, "a MAW table has %d to %d players, not %u", PLAYERS_MIN,
                       PLAYERS_MOST, options->players);
    rules->players = (int32_t)options->players;
    rules->whisper.length.per_talk = rules->talk.length.per_talk;
    rules->talk.max_bytes = rules->whisper.max_bytes = 4 * rules->talk.length.per_talk;
    if (options->wolves) { /* as many as were asked for, not a third */
        if (options->wolves + seers >= options->players)
            return err_set(err, ERR_RULE, "%u wolves and %u seers leave no villager of %u players",
                           options->wolves, seers, options->players);
        uint8_t *counts = rules->roles.counts[options->players];
        memset(counts, 0, ROLE_COUNT);
        counts[ROLE_WEREWOLF] = (uint8_t)options->wolves;
        counts[ROLE_SEER] = (uint8_t)seers;
        counts[ROLE_VILLAGER] = (uint8_t)(options->players - options->wolves - seers);
        rules->roles.present[options->players] = true;
        rules->wolves = WOLVES_TABLE;
    }
    return ruleset_check(rules, err);
}

int maw_config_read(Str text, MawConfig *config, Err *err)
{
    const char *known[KEY_COUNT_ALL + SPECIAL_COUNT + 1] = {NULL};
    CLEANUP(arena_done) Arena arena = arena_new(text.len * NODE_BYTES + 4096);
    const YamlNode *root = NULL;
    size_t count = 0;

    for (size_t i = 0; i < KEY_COUNT_ALL; i++)
        known[count++] = keys[i].name;
    for (size_t i = 0; i < SPECIAL_COUNT; i++)
        known[count++] = special_keys[i];
    if (text.len > FILE_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a MAW table's file has at most %zu bytes", FILE_BYTES_MAX);
    int rc = yaml_read(text, &arena, &root, err);
    if (rc == 0 && !root->first)
        rc = err_set_at(err, ERR_RULE, root->line, root->column,
                        "no key is in it; 'ruleset: maw' alone is the usual table");
    if (rc == 0)
        rc = yaml_only_keys(root, known, err);
    for (size_t i = 0; rc == 0 && i < KEY_COUNT_ALL; i++) {
        const YamlNode *node = yaml_get(root, keys[i].name);
        if (node)
            rc = read_key(&keys[i], node, config, err);
    }
    if (rc == 0)
        rc = read_special(root, config, err);
    return rc ? rc : maw_config_check(config, err);
}

int maw_config_load(const char *path, MawConfig *config, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = log_file_read(path, FILE_BYTES_MAX, &text, err);

    if (rc == 0)
        rc = maw_config_read(buf_str(&text), config, err);
    if (rc)
        err_wrap(err, "%s: ", path);
    return rc;
}
