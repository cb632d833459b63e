#include "maw/maw_config.h"

#include "base/key_table.h"
#include "disk/log_file.h"
#include "game/ruleset_words.h"

#define FILE_BYTES_MAX ((size_t)64 * 1024)
#define NODE_BYTES     128 /* of the tree, for a byte of text, at most: see ruleset_text.c */
#define PLAYERS_MOST   30  /* A2 */
#define SECONDS_MAX    86400

#define WORDS(name, ...) static const char *const name[] = {__VA_ARGS__, NULL}

WORDS(reveal_words, "none", "team", "role");
WORDS(fill_words, "none", "bots");
WORDS(whispers_words, "off", "day", "always");
WORDS(language_words, "en", "ja");
WORDS(minds_words, "end", "operator");
WORDS(opinions_words, "off", "day", "line");
WORDS(wolves_words, "floor", "nearest", "ceil"); /* from WOLVES_FLOOR on */
WORDS(tie_words, "none", "random", "revote");
WORDS(first_words, "day", "night");

static KeyRead read_ruleset, read_wolves, read_tie, read_first_phase, read_asked;

/* A table reads as a table. */
/* clang-format off */
#define FLAG(name, member)              {.path = name, .kind = KEY_FLAG, KEY_AT(MawConfig, member)}
#define NUMBER(name, member, low, high)                                                           \
    {.path = name, .kind = KEY_NUMBER, KEY_AT(MawConfig, member), .min = low, .max = high}
#define SECONDS(name, member, low, high)                                                          \
    {.path = name, .kind = KEY_SECONDS, KEY_AT(MawConfig, member), .min = low, .max = high}
#define WORD(name, member, list)                                                                  \
    {.path = name, .kind = KEY_WORD, KEY_AT(MawConfig, member), .words = list}
#define OWN(name, read_it, list)        {.path = name, .read = read_it, .words = list}

static const KeyRow keys[] = {
    OWN("ruleset", read_ruleset, NULL),
    NUMBER("players", options.players, PLAYERS_MIN, PLAYERS_MOST),
    NUMBER("rounds", options.rounds, 1, 10000),
    SECONDS("day_s", rules.talk.duration_ms, 1, SECONDS_MAX),
    SECONDS("night_s", rules.whisper.duration_ms, 1, SECONDS_MAX),
    SECONDS("night_min_s", options.night_min_ms, 0, SECONDS_MAX),
    SECONDS("scores_s", options.scores_ms, 0, SECONDS_MAX),
    SECONDS("lobby_s", options.lobby_ms, 0, SECONDS_MAX),
    SECONDS("rejoin_s", options.rejoin_ms, 0, SECONDS_MAX),
    SECONDS("absent_after_s", options.absent_after_ms, 0, SECONDS_MAX),
    SECONDS("pause_after_s", options.pause_after_ms, 0, SECONDS_MAX),
    SECONDS("revote_s", rules.vote.revote_ms, 1, 3600),
    FLAG("announce_votes", rules.vote.visible),
    FLAG("allow_self_vote", rules.vote.self_vote),
    NUMBER("min_votes", rules.vote.min_votes, 1, PLAYERS_MOST),
    NUMBER("max_chars", rules.talk.length.per_talk, 20, 4000),
    NUMBER("max_days", rules.end.max_day, 1, 1000),
    NUMBER("idle_phases", rules.end.max_idle_phases, 0, 1000),
    WORD("end", rules.end.goal, ruleset_goal_words),
    WORD("ghosts_see", rules.secrecy.ghosts_see, ruleset_ghosts_words),
    WORD("reveal_village", options.reveal_village, reveal_words),
    WORD("reveal_hideout", options.reveal_hideout, reveal_words),
    WORD("fill", options.fill, fill_words),
    WORD("whispers", options.whispers, whispers_words),
    FLAG("whispers_public", options.whispers_public),
    FLAG("score_dead", options.score_dead),
    FLAG("push", options.push),
    NUMBER("spectators", options.spectators, 0, MAW_SPECTATORS_MAX),
    FLAG("graveyard", options.graveyard),
    WORD("language", options.language, language_words),
    WORD("minds", options.minds, minds_words),
    WORD("opinions", options.opinions, opinions_words),
    OWN("wolves", read_wolves, wolves_words),
    OWN("tie", read_tie, tie_words),
    OWN("first_phase", read_first_phase, first_words),
    OWN("ask_users", read_asked, NULL),
    OWN("ask_models", read_asked, NULL),
    NUMBER("roles.seer", rules.seers, 0, 1),
};
/* clang-format on */

/* ---- what is more than a value ---- */

static int read_ruleset(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                        Err *err)
{
    Str name;
    int rc = yaml_str(node, &name, err);

    (void)reading, (void)key;
    if (rc || str_eq(name, STR("maw")))
        return rc;
    return err_set_at(err, ERR_RULE, node->line, node->column,
                      "a MAW table has the ruleset maw, not '%.*s'",
                      STR_ARG(str_part(name, 0, 60)));
}

/* G2: `floor`, `nearest`, `ceil`, or how many; 0 in *wolves = a rule. */
static int read_wolves(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    MawConfig *config = reading->target;
    uint64_t number;
    int32_t word = 0;

    if (!str_to_uint(node->text, PLAYERS_MOST, &number)) {
        int rc = key_read_word(reading, key, node, &word, err);
        config->options.wolves = 0;
        config->rules.wolves = WOLVES_FLOOR + word;
        return rc;
    }
    if (number == 0)
        return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                          "key 'wolves': expected floor, nearest, ceil or a number from 1 on");
    config->options.wolves = (uint32_t)number;
    return 0;
}

/* G12, A7. */
static int read_tie(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    MawConfig *config = reading->target;
    int32_t word = 0;
    int rc = key_read_word(reading, key, node, &word, err);

    if (rc)
        return rc;
    config->rules.vote.tie = word == 1 ? TIE_RANDOM : TIE_NOBODY;
    config->rules.vote.rounds = word == 2 ? 2 : 1;
    return 0;
}

/* G5: a game that begins by night has no village on its first day. */
static int read_first_phase(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                            Err *err)
{
    Ruleset *rules = &((MawConfig *)reading->target)->rules;
    int32_t word = 0;
    int rc = key_read_word(reading, key, node, &word, err);

    if (rc == 0)
        rules->day.phases[0].except_day = word == 1 ? rules->first_day : DAY_ANY;
    return rc;
}

static int add_asked(MawConfig *config, MawAsks kind, const YamlNode *node, Err *err)
{
    Str jid;
    int rc = yaml_str(node, &jid, err);

    if (rc)
        return rc;
    if (config->asked_count == MAW_ASKED_SEATS)
        return err_set_at(err, ERR_RULE, node->line, node->column,
                          "at most %d seats of a table ask interface agents", MAW_ASKED_SEATS);
    if (!jid_local(jid).len || !jid_domain(jid).len || jid.len >= MAW_ASKED_BYTES)
        return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                          "expected the address of an interface agent, name@domain");
    MawAskedSeat *seat = &config->asked[config->asked_count++];
    seat->kind = kind;
    snprintf(seat->interface, sizeof(seat->interface), "%.*s", STR_ARG(jid));
    return 0;
}

/* Addresses of interface agents, a seat each. */
static int read_asked(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    MawAsks kind = strcmp(key->path, "ask_users") == 0 ? ASKS_USER : ASKS_MODEL;
    int rc = yaml_expect(node, YAML_LIST, err);

    for (const YamlNode *one = rc ? NULL : node->first; one && rc == 0; one = one->next)
        rc = add_asked(reading->target, kind, one, err);
    return rc;
}

static const KeyTable table = KEY_TABLE(keys, NULL);

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
    if (config->asked_count > options->players)
        return err_set(err, ERR_RULE, "%u seats that ask interface agents, of %u players",
                       config->asked_count, options->players);
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
    CLEANUP(arena_done) Arena arena = arena_new(text.len * NODE_BYTES + 4096);
    const YamlNode *root = NULL;

    if (text.len > FILE_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a MAW table's file has at most %zu bytes", FILE_BYTES_MAX);
    int rc = yaml_read(text, &arena, &root, err);
    if (rc == 0 && !root->first)
        rc = err_set_at(err, ERR_RULE, root->line, root->column,
                        "no key is in it; 'ruleset: maw' alone is the usual table");
    if (rc == 0)
        rc = key_table_read(&(KeyReading){.table = &table, .target = config}, root, err);
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
