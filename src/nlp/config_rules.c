/* What `game` and `logic` of a configuration mean for the engine: docs/spec/nlp-division.md 4.2,
 * 4.3, 5, 7.2 to 7.4, 10.1. */
#include "nlp/config_draft.h"

#include "game/game.h"

#include <math.h>

#define UTTERANCE_BYTES 4096
#define FLOOD_BYTES     65536
#define MENTION_BYTES   256

/* The division's own; the engine knows more. */
static const Role division_roles[] = {ROLE_WEREWOLF,  ROLE_POSSESSED, ROLE_SEER,
                                      ROLE_BODYGUARD, ROLE_VILLAGER,  ROLE_MEDIUM};
static const Action division_actions[] = {ACTION_TALK,   ACTION_WHISPER, ACTION_EXECUTION,
                                          ACTION_DIVINE, ACTION_GUARD,   ACTION_ATTACK};

#define ROLES   (sizeof(division_roles) / sizeof(division_roles[0]))
#define ACTIONS (sizeof(division_actions) / sizeof(division_actions[0]))

/* ---- roles ---- */

static int unknown_role(const YamlNode *node, int32_t players, Err *err)
{
    Suggest near = {.word = node->key};

    for (size_t i = 0; i < ROLES; i++)
        suggest_offer(&near, str_of(role_name(division_roles[i])));
    Str best = suggest_best(&near);
    return err_set_at(err, ERR_RULE, node->key_line, node->key_column,
                      "logic.roles.%d: '%.*s' is no role%s%.*s%s; write WEREWOLF, POSSESSED, SEER, "
                      "BODYGUARD, VILLAGER or MEDIUM",
                      (int)players, STR_ARG(str_part(node->key, 0, 60)),
                      best.len ? " (did you mean " : "", STR_ARG(best), best.len ? "?)" : "");
}

static Role division_role(Str name)
{
    for (size_t i = 0; i < ROLES; i++)
        if (str_eq(name, str_of(role_name(division_roles[i]))))
            return division_roles[i];
    return ROLE_NONE;
}

static int read_pack(ConfigDraft *draft, const YamlNode *pack, Err *err)
{
    Config *config = &draft->config;
    RoleTable *table = &config->rules.roles;
    int32_t players = config->agent_count;
    int64_t sum = 0;
    char path[48];

    snprintf(path, sizeof(path), "logic.roles.%d", (int)players);
    int rc = config_expect(pack, YAML_MAP, path, err);
    for (const YamlNode *node = rc ? NULL : pack->first; node; node = node->next) {
        Role role = division_role(node->key);
        int64_t count = 0;
        if (role == ROLE_NONE)
            return unknown_role(node, players, err);
        snprintf(path, sizeof(path), "logic.roles.%d.%s", (int)players, role_name(role));
        rc = config_is_null(node) ? 0 : config_int(node, path, 0, SEAT_MAX, &count, err);
        if (rc)
            return rc;
        table->counts[players][role] = (uint8_t)count;
        config->role_named[role] = true;
        sum += count;
    }
    if (rc)
        return rc;
    if (sum != players)
        return err_set_at(err, ERR_RULE, pack->key_line, pack->key_column,
                          "logic.roles.%d: the roles add up to %lld, but game.agent_count is %d; "
                          "make them equal",
                          (int)players, (long long)sum, (int)players);
    table->present[players] = true;
    return 0;
}

/* Servers of June 2025 had phases, but no roles in their files: these were theirs. */
static int read_old_roles(ConfigDraft *draft, Err *err)
{
    static const uint8_t usual[2][ROLE_COUNT] = {
        {[ROLE_WEREWOLF] = 1, [ROLE_POSSESSED] = 1, [ROLE_SEER] = 1, [ROLE_VILLAGER] = 2},
        {[ROLE_WEREWOLF] = 3,
         [ROLE_POSSESSED] = 1,
         [ROLE_SEER] = 1,
         [ROLE_BODYGUARD] = 1,
         [ROLE_VILLAGER] = 6,
         [ROLE_MEDIUM] = 1},
    };
    Config *config = &draft->config;
    int32_t players = config->agent_count;
    const YamlNode *phases = config_node(draft, "logic.day_phases");

    if (!phases)
        return config_refuse(draft, ERR_RULE, "logic", err,
                             "there is neither logic.roles nor logic.day_phases: a file of a "
                             "server before June 2025, or a part of one; carry its values over to "
                             "default_%d.yml",
                             players == 13 || players == 9 ? (int)players : 5);
    if (players != 5 && players != 13)
        return config_refuse(draft, ERR_RULE, "logic.roles", err,
                             "logic.roles is missing; say the roles of %d players", (int)players);
    config_warn(draft, phases->key_line,
                "logic.roles is missing; the roles of %d players are those of older servers",
                (int)players);
    for (size_t i = 0; i < ROLES; i++)
        config->role_named[division_roles[i]] = true;
    memcpy(config->rules.roles.counts[players], usual[players == 13], sizeof(usual[0]));
    config->rules.roles.present[players] = true;
    return 0;
}

static int read_roles(ConfigDraft *draft, Err *err)
{
    const YamlNode *map = config_node(draft, "logic.roles");
    int32_t players = draft->config.agent_count;
    const YamlNode *pack = NULL;
    uint64_t number;

    memset(&draft->config.rules.roles, 0, sizeof(draft->config.rules.roles));
    if (!map || config_is_null(map))
        return read_old_roles(draft, err);
    int rc = config_expect(map, YAML_MAP, "logic.roles", err);
    for (const YamlNode *node = !rc ? map->first : NULL; node; node = node->next) {
        if (!str_to_uint(node->key, INT32_MAX, &number))
            return err_set_at(err, ERR_SYNTAX, node->key_line, node->key_column,
                              "logic.roles: expected a number of players, but got '%.*s'",
                              STR_ARG(str_part(node->key, 0, 60)));
        if (number == (uint64_t)players)
            pack = node;
    }
    if (rc)
        return rc;
    if (!pack)
        return config_refuse(draft, ERR_RULE, "logic.roles", err,
                             "logic.roles has no entry for the %d seats of game.agent_count; add "
                             "one, or change agent_count",
                             (int)players);
    return read_pack(draft, pack, err);
}

/* ---- phases ---- */

static void read_action(ConfigDraft *draft, Phase *phase, const YamlNode *node, const char *path,
                        Str name)
{
    Suggest near = {.word = name};

    for (size_t i = 0; i < ACTIONS; i++) {
        Str known = str_of(action_name(division_actions[i]));
        if (str_eq(name, known)) {
            phase->actions[phase->action_count++] = (uint8_t)division_actions[i];
            return;
        }
        suggest_offer(&near, known);
    }
    Str best = suggest_best(&near);
    config_warn(draft, node->line, "%s: the unknown action '%.*s' is skipped%s%.*s%s", path,
                STR_ARG(str_part(name, 0, 60)), best.len ? "; did you mean '" : "", STR_ARG(best),
                best.len ? "'?" : "");
}

static int read_actions(const KeyReading *reading, const KeyRow *key, const YamlNode *list,
                        Err *err)
{
    Phase *phase = reading->target;
    int rc = config_expect(list, YAML_LIST, reading->path, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node; node = node->next) {
        Str name;
        rc = config_text(node, reading->path, &name, err);
        if (rc)
            return rc;
        if (phase->action_count == PHASE_ACTIONS_MAX)
            return err_set_at(err, ERR_LIMIT, node->line, node->column,
                              "%s: more than %d actions in a phase; split it in two", reading->path,
                              PHASE_ACTIONS_MAX);
        read_action(reading->user, phase, node, reading->path, name);
    }
    return rc;
}

static int read_label(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    Phase *phase = reading->target;
    Str name;
    int rc = config_text(node, reading->path, &name, err);

    (void)key;
    if (rc)
        return rc;
    size_t n = name.len < PHASE_NAME_MAX ? name.len : PHASE_NAME_MAX - 1;
    while (n > 0 && n < name.len && ((unsigned char)name.bytes[n] & 0xC0) == 0x80)
        n--; /* no half of a character */
    if (n)
        memcpy(phase->name, name.bytes, n);
    return 0;
}

static int read_phase(ConfigDraft *draft, Phase *phase, const YamlNode *map, const char *section,
                      uint32_t index, Err *err)
{
    static const KeyRow keys[] = {
        {.path = "name", .read = read_label},
        {.path = "actions", .read = read_actions},
        {"only_day", KEY_NUMBER, KEY_AT(Phase, only_day), .min = 0, .max = INT32_MAX},
        {"except_day", KEY_NUMBER, KEY_AT(Phase, except_day), .min = -1, .max = INT32_MAX},
    };
    static const KeyTable table = KEY_TABLE(keys, &config_manner);
    char path[64];

    *phase = (Phase){.only_day = DAY_ANY, .except_day = DAY_ANY};
    snprintf(path, sizeof(path), "%s[%u]", section, (unsigned)index);
    return key_table_read(
        &(KeyReading){.table = &table, .target = phase, .user = draft, .where = path}, map, err);
}

static int read_phases(ConfigDraft *draft, const char *path, Section *section, Err *err)
{
    const YamlNode *list = config_node(draft, path);

    memset(section, 0, sizeof(*section));
    int rc = list ? config_expect(list, YAML_LIST, path, err) : 0;
    for (const YamlNode *node = list && !rc ? list->first : NULL; node && rc == 0;
         node = node->next) {
        if (section->count == PHASE_MAX)
            return err_set_at(err, ERR_LIMIT, node->line, node->column,
                              "%s: more than %d phases; put several actions into one", path,
                              PHASE_MAX);
        rc = read_phase(draft, &section->phases[section->count], node, path, section->count, err);
        section->count++;
    }
    return rc;
}

/* ---- talk and whisper ---- */

static bool has_limit(int32_t length)
{
    return length != LIMIT_NONE;
}

/* Characters that the rules leave of an utterance at most, LIMIT_NONE when they don't say: 5.3.
 * Words have any length. */
static int64_t most_characters(const LengthRules *length)
{
    int64_t most = LIMIT_NONE;

    if (length->count_in_word)
        return LIMIT_NONE;
    if (has_limit(length->per_talk))
        most = length->per_talk;
    bool charged = has_limit(length->base_length) || has_limit(length->per_agent);
    if (charged && has_limit(length->mention_length)) {
        int64_t sum = (int64_t)(has_limit(length->base_length) ? length->base_length : 0) +
                      (has_limit(length->per_agent) ? length->per_agent : 0) +
                      length->mention_length;
        most = most == LIMIT_NONE || sum < most ? sum : most;
    }
    return most;
}

/* A guard against floods: room for any text within the length rules, up to 64 KiB. */
static int32_t flood_guard(const LengthRules *length)
{
    int64_t characters = most_characters(length);

    if (characters == LIMIT_NONE)
        return FLOOD_BYTES;
    int64_t bytes = characters * 4 + MENTION_BYTES; /* UTF-8, and the name that is mentioned */
    if (bytes < UTTERANCE_BYTES)
        return UTTERANCE_BYTES;
    return bytes < FLOOD_BYTES ? (int32_t)bytes : FLOOD_BYTES;
}

static int read_talk(ConfigDraft *draft, const char *section, TalkRules *talk, Err *err)
{
    char path[64];

    snprintf(path, sizeof(path), "%s.max_length", section);
    if (talk->length.count_in_word && talk->length.count_spaces)
        return config_refuse(draft, ERR_RULE, path, err,
                             "%s: count_in_word and count_spaces can't both be true; set one of "
                             "them to false",
                             path);
    snprintf(path, sizeof(path), "%s.duration", section);
    if (config_node(draft, path)) {
        if (talk->duration_ms == 0)
            return config_refuse(draft, ERR_RULE, path, err,
                                 "%s: nobody can speak in a session of 0; leave the key out for "
                                 "turns, or give a time such as 10m",
                                 path);
        talk->exchange = EXCHANGE_ANYTIME;
    }
    snprintf(path, sizeof(path), "%s.max_length.per_talk", section);
    if (talk->length.per_talk == 0 && talk->max_per_agent > 0 && !config_node(draft, path))
        config_warn(draft, 0,
                    "%s is missing, which means 0: every utterance becomes Over; write -1 for no "
                    "limit",
                    path);
    bool bids = draft->config.talk_by_bids && talk == &draft->config.rules.talk;
    if (bids && talk->exchange != EXCHANGE_SEQUENTIAL)
        return config_refuse(draft, ERR_RULE, "warg.talk_by_bids", err,
                             "warg.talk_by_bids is for talk in turns, not at any time");
    talk->order = bids ? ORDER_BIDS : draft->config.shuffle_each_round ? ORDER_TURN : ORDER_SESSION;
    talk->silence_ms = (int32_t)draft->config.silence_ms;
    if (draft->config.strict) {
        talk->empty_is_final = false;
        talk->force_skip_is_free = true;
        talk->length.mention = MENTION_SEAT;
    }
    talk->max_bytes = flood_guard(&talk->length);
    return 0;
}

/* Lowers the guards until the engine can set a day's talk aside: its own limit, in speech_size. */
static int fit_memory(ConfigDraft *draft, Err *err)
{
    enum { LEAST_BYTES = 256 };
    Config *config = &draft->config;

    for (;;) {
        Game *game = NULL;
        Err why = {0};
        int rc = game_new(&config->rules, config->agent_count, &game, &why);
        game_free(game);
        if (rc == 0)
            return 0;
        int32_t *talk = &config->rules.talk.max_bytes;
        int32_t *whisper = &config->rules.whisper.max_bytes;
        int32_t *larger = *talk >= *whisper ? talk : whisper;
        if (rc != ERR_LIMIT || *larger / 2 < LEAST_BYTES)
            return config_refuse(draft, (ErrCode)rc, "game", err,
                                 "game: %s (max_count.per_agent and per_day)", why.msg);
        *larger /= 2;
    }
}

/* ---- the whole ---- */

static void read_votes(ConfigDraft *draft)
{
    AttackRules *attack = &draft->config.rules.attack;

    attack->vote_for_wolf = true; /* logged, never counted: 4.3 */
    attack->tie = draft->attack_no_target ? TIE_NOBODY : TIE_RANDOM;
    attack->no_vote = NO_VOTE_NOBODY; /* in either case */
}

static void read_times(ConfigDraft *draft)
{
    Config *config = &draft->config;
    bool told = config_node(draft, "server.max_continue_error_ratio") != NULL;
    double seats = floor(config->agent_count * draft->error_ratio);

    config->rules.contest.time_limit_ms = config->action_ms;
    config->rules.contest.time_limit_told_ms = config->action_ms;
    config->rules.contest.time_limit_grace_ms = config->acceptable_ms;
    config->abort_at = !told ? config->agent_count : seats < 1 ? 1 : (int32_t)seats;
    if (config->action_ms + config->acceptable_ms == 0)
        config_warn(draft, 0,
                    "server.timeout.action and acceptable are missing, which means 0: no reply is "
                    "in time");
}

int config_rules(ConfigDraft *draft, Err *err)
{
    Config *config = &draft->config;
    Ruleset *rules = &config->rules;

    if (config->agent_count == 0)
        return config_refuse(draft, ERR_RULE, "game.agent_count", err,
                             "game.agent_count is missing; write how many seats a game has, from "
                             "%d to %d",
                             PLAYERS_MIN, SEAT_MAX);
    rules->players = config->agent_count;
    int rc = read_roles(draft, err);
    if (rc == 0)
        rc = read_phases(draft, "logic.day_phases", &rules->day, err);
    if (rc == 0)
        rc = read_phases(draft, "logic.night_phases", &rules->night, err);
    if (rc == 0)
        rc = read_talk(draft, "game.talk", &rules->talk, err);
    if (rc == 0)
        rc = read_talk(draft, "game.whisper", &rules->whisper, err);
    if (rc)
        return rc;
    read_votes(draft);
    read_times(draft);
    rc = ruleset_check(rules, err);
    return rc ? rc : fit_memory(draft, err);
}
