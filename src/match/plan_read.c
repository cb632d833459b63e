#include "match/plan_read.h"

#include "base/words.h"
#include "base/yaml.h"
#include "match/plan_words.h"

#define NODE_BYTES 128 /* of the tree, for a byte of text, at most: see ruleset_text.c */

/* ---- members ---- */

/* The value of a key that has to be there. */
static int get_node(const YamlNode *map, const char *key, const YamlNode **ret_node, Err *err)
{
    const YamlNode *node = yaml_get(map, key);

    if (!node)
        return err_set_at(err, ERR_SYNTAX, map->line, map->column, "'%s' is missing", key);
    *ret_node = node;
    return 0;
}

static int get_text(const YamlNode *map, const char *key, Str *ret_text, Err *err)
{
    const YamlNode *node;
    int rc = get_node(map, key, &node, err);

    return rc ? rc : yaml_str(node, ret_text, err);
}

static int get_number(const YamlNode *map, const char *key, int64_t max, int64_t *ret_number,
                      Err *err)
{
    const YamlNode *node;
    int rc = get_node(map, key, &node, err);

    return rc ? rc : yaml_int(node, 0, max, ret_number, err);
}

static int get_word(const YamlNode *map, const char *key, const char *const *words, unsigned count,
                    unsigned *ret_word, Err *err)
{
    Str text;
    int rc = get_text(map, key, &text, err);

    if (rc)
        return rc;
    *ret_word = words_find(words, count, text);
    return *ret_word < count ? 0
                             : yaml_mismatch(yaml_get(map, key), "a word that is known here", err);
}

/* ---- agents ---- */

static int read_agent(const YamlNode *node, Plan *plan, Err *err)
{
    PlanAgent agent = {0};
    Str text;
    int rc = get_text(node, "name", &text, err);

    if (rc == 0)
        rc = plan_agent_name(&agent, text, err);
    if (rc == 0 && yaml_get(node, "bot")) {
        rc = get_text(node, "bot", &text, err);
        agent.bot = rc ? NULL : bot_kind(text);
        if (rc == 0 && !agent.bot)
            rc = yaml_mismatch(yaml_get(node, "bot"), "a built-in bot", err);
    }
    if (rc == 0 && yaml_get(node, "version"))
        rc = yaml_bool(yaml_get(node, "version"), &agent.version, err);
    if (rc == 0 && yaml_get(node, "command")) {
        rc = get_text(node, "command", &text, err);
        agent.command = rc ? NULL : plan_text(plan, text);
    }
    if (rc == 0 && yaml_get(node, "profile")) {
        rc = get_text(node, "profile", &text, err);
        agent.profile = rc ? NULL : plan_text(plan, text);
    }
    if (rc == 0 && yaml_get(node, "entry")) {
        rc = get_text(node, "entry", &text, err);
        agent.entry = rc ? NULL : plan_text(plan, text);
    }
    if (rc == 0 && yaml_get(node, "role")) {
        rc = get_text(node, "role", &text, err);
        agent.fixed = rc ? ROLE_NONE : role_of(text);
    }
    return rc ? rc : plan_add_agent(plan, &agent, err);
}

/* ---- stages ---- */

/* One number, or a list of them. */
static int read_players(const YamlNode *node, PlanStage *stage, Err *err)
{
    int64_t players = 0;
    int rc = 0;

    if (node->kind == YAML_SCALAR) {
        rc = yaml_int(node, 1, SEAT_MAX, &players, err);
        stage->players = (int32_t)players;
        return rc;
    }
    if (node->kind != YAML_LIST || node->count < 1 || node->count > PLAN_SIZES_MAX)
        return yaml_mismatch(node, "sizes of tables", err);
    unsigned index = 0;
    for (const YamlNode *size = node->first; size && rc == 0; size = size->next, index++) {
        rc = yaml_int(size, 1, SEAT_MAX, &players, err);
        *(index ? &stage->more_players[index - 1] : &stage->players) = (int32_t)players;
    }
    return rc;
}

/* One number for all sizes, or one of each. */
static int read_min_games(const YamlNode *node, PlanStage *stage, Err *err)
{
    int64_t games = 0;
    int rc = 0;

    if (node->kind == YAML_SCALAR) {
        rc = yaml_int(node, 0, INT64_MAX, &games, err);
        stage->min_games = (uint64_t)games;
        return rc;
    }
    if (node->kind != YAML_LIST || node->count < 1 || node->count != plan_stage_parts(stage))
        return yaml_mismatch(node, "a number, or one of each size of tables", err);
    unsigned index = 0;
    for (const YamlNode *size = node->first; size && rc == 0; size = size->next, index++) {
        rc = yaml_int(size, 0, INT64_MAX, &games, err);
        *(index ? &stage->more_min_games[index - 1] : &stage->min_games) = (uint64_t)games;
    }
    return rc;
}

/* Their entries. */
static int read_lots(const YamlNode *map, Plan *plan, PlanStage *stage, Err *err)
{
    int rc = yaml_expect(map, YAML_MAP, err);
    CLEANUP(mem_freep) PlanLot *lots = rc ? NULL : mem_new((map->count + 1) * sizeof(*lots));
    uint32_t count = 0;

    if (rc == 0 && !lots)
        return err_set(err, ERR_MEMORY, "plan: out of memory");
    for (const YamlNode *node = rc ? NULL : map->first; node && rc == 0; node = node->next) {
        const char *name = plan_text(plan, node->key);
        PlanLot *lot = &lots[count++];
        *lot = (PlanLot){.value = {.name = str_of(name ? name : "")}};
        if (!name)
            rc = err_set_at(err, ERR_LIMIT, node->line, node->column, "too many lots");
        else if (node->kind != YAML_SCALAR || !key_from_hex(node->text, &lot->entry))
            rc = yaml_mismatch(node, "64 hexadecimal digits", err);
    }
    return rc || !count ? rc : plan_stage_lots(plan, stage, lots, count, err);
}

/* What its chance comes from beside the secret. */
static int read_public_chance(const YamlNode *node, Plan *plan, PlanStage *stage, Err *err)
{
    const YamlNode *lots = yaml_get(node, "lots");
    int rc = lots ? read_lots(lots, plan, stage, err) : 0;
    Str text = {0};

    if (rc || !yaml_get(node, "beacon"))
        return rc;
    rc = get_text(node, "beacon", &text, err);
    stage->beacon_what = rc ? NULL : plan_text(plan, text);
    return rc;
}

static int read_stage(const YamlNode *node, Plan *plan, Err *err)
{
    PlanStage stage = plan_default_stage(plan);
    const YamlNode *players = NULL, *min_games = NULL;
    int64_t per_set = 0, sets = 0, games = 0, advance = 0;
    unsigned pairing = 0, tie = CUT_EXTRA;
    Str name;
    int rc = get_text(node, "name", &name, err);

    if (rc == 0)
        rc = plan_name(stage.name, "stage", name, err);
    if (rc == 0)
        rc = get_node(node, "players", &players, err);
    if (rc == 0)
        rc = read_players(players, &stage, err);
    if (rc == 0)
        rc = get_word(node, "pairing", pairing_words, PAIRING_ALL_PAIRS + 1, &pairing, err);
    if (rc == 0 && yaml_get(node, "blocks"))
        rc = yaml_bool(yaml_get(node, "blocks"), &stage.blocks, err);
    if (rc == 0 && yaml_get(node, "rounds"))
        rc = yaml_bool(yaml_get(node, "rounds"), &stage.rounds, err);
    if (rc == 0 && yaml_get(node, "late_lots"))
        rc = yaml_bool(yaml_get(node, "late_lots"), &stage.late_lots, err);
    if (rc == 0)
        rc = get_number(node, "games_per_set", INT32_MAX, &per_set, err);
    if (rc == 0)
        rc = get_number(node, "sets", INT64_MAX, &sets, err);
    if (rc == 0)
        rc = get_number(node, "games", INT64_MAX, &games, err);
    if (rc == 0)
        rc = get_node(node, "min_games", &min_games, err);
    if (rc == 0)
        rc = read_min_games(min_games, &stage, err);
    if (rc == 0)
        rc = get_number(node, "advance", UINT32_MAX, &advance, err);
    if (rc == 0 && yaml_get(node, "tie"))
        rc = get_word(node, "tie", cut_tie_words, CUT_LOT + 1, &tie, err);
    if (rc == 0)
        rc = read_public_chance(node, plan, &stage, err);
    stage.pairing = (Pairing)pairing;
    stage.games_per_set = (int32_t)per_set;
    stage.sets = (uint64_t)sets;
    stage.games = (uint64_t)games;
    stage.advance = (uint32_t)advance;
    stage.tie = (CutTie)tie;
    return rc ? rc : plan_add_stage(plan, &stage, err);
}

/* ---- the plan ---- */

static int read_list(const YamlNode *root, const char *key, Plan *plan,
                     int (*read)(const YamlNode *node, Plan *plan, Err *err), Err *err)
{
    const YamlNode *list;
    int rc = get_node(root, key, &list, err);

    if (rc == 0)
        rc = yaml_expect(list, YAML_LIST, err);
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next)
        rc = read(node, plan, err);
    return rc;
}

static int read_conduct(const YamlNode *map, PlanConduct *conduct, Err *err)
{
    int64_t number = 0;
    unsigned action = CONDUCT_NOTE;
    int rc = get_number(map, "strikes", UINT32_MAX, &number, err);

    conduct->given = true;
    conduct->strikes = (uint32_t)number;
    if (rc == 0)
        rc = yaml_get(map, "confirm") ? yaml_bool(yaml_get(map, "confirm"), &conduct->confirm, err)
                                      : 0;
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES && rc == 0; rule++) {
        const YamlNode *node = yaml_get(map, conduct_rule_name(rule));
        if (!node)
            continue;
        rc = get_word(node, "action", conduct_action_words, CONDUCT_ELIMINATE + 1, &action, err);
        if (rc == 0)
            rc = get_number(node, "after", UINT32_MAX, &number, err);
        conduct->rules[rule].action = (ConductAction)action;
        conduct->rules[rule].after = (uint32_t)number;
    }
    return rc;
}

static int read_root(const YamlNode *root, Plan *plan, Err *err)
{
    const YamlNode *rules;
    unsigned on_fault = 0;
    Str name;
    int rc = get_text(root, "contest", &name, err);

    if (rc == 0 && name.len)
        rc = plan_name(plan->name, "contest", name, err);
    if (rc == 0)
        rc = get_word(root, "on_fault", on_fault_words, ON_FAULT_COUNT, &on_fault, err);
    if (rc == 0)
        rc = get_node(root, "rules", &rules, err);
    if (rc == 0)
        rc = ruleset_read_node(rules, &plan->rules, err);
    plan->on_fault = (OnFault)on_fault;
    if (rc == 0 && yaml_get(root, "conduct"))
        rc = read_conduct(yaml_get(root, "conduct"), &plan->conduct, err);
    int64_t own_share = 0;
    if (rc == 0 && yaml_get(root, "own_share"))
        rc = get_number(root, "own_share", 100, &own_share, err);
    plan->own_share = (uint32_t)own_share;
    if (rc == 0 && yaml_get(root, "own_sets"))
        rc = yaml_bool(yaml_get(root, "own_sets"), &plan->own_sets, err);
    if (rc == 0)
        rc = read_list(root, "agents", plan, read_agent, err);
    return rc ? rc : read_list(root, "stages", plan, read_stage, err);
}

int plan_read(Str json, Plan *plan, Err *err)
{
    CLEANUP(buf_done) Buf again = {0};
    CLEANUP(arena_done) Arena arena = {0};
    const YamlNode *root = NULL;

    if (json.len > PLAN_JSON_MAX)
        return err_set(err, ERR_LIMIT, "a plan of %zu bytes; at most %zu are read", json.len,
                       PLAN_JSON_MAX);
    arena = arena_new(json.len * NODE_BYTES + 4096);
    if (!arena.block)
        return err_set(err, ERR_MEMORY, "plan: out of memory");
    int rc = yaml_read(json, &arena, &root, err);
    if (rc == 0)
        rc = yaml_expect(root, YAML_MAP, err);
    if (rc == 0)
        rc = read_root(root, plan, err);
    if (rc == 0 && !plan_take_chance(plan, json))
        rc = err_set(err, ERR_SYNTAX, "the plan doesn't say what its chance comes from");
    if (rc)
        return rc;
    plan_json(plan, &again);
    if (buf_failed(&again))
        return err_set(err, ERR_MEMORY, "plan: out of memory");
    return plan_same(json, buf_str(&again))
               ? 0
               : err_set(err, ERR_SYNTAX,
                         "the plan is not of this build: what was read of it says something else");
}
