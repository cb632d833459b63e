#include "match/plan.h"

#include "base/json.h"
#include "base/utf8.h"
#include "base/yaml.h"
#include "match/pairing.h"
#include "match/plan_cell.h"
#include "match/plan_words.h"

#include <inttypes.h>

#define TEXTS_BYTES ((size_t)4 * 1024 * 1024) /* touched only as far as it is used */

int plan_init(Plan *plan, Err *err)
{
    *plan = (Plan){
        .on_fault = ON_FAULT_SUBSTITUTE,
        .limits =
            {
                .startup_ms = 5000,          /* docs/spec/protocol-division.md 6.3, point 4 */
                .first_game_grace_ms = 1000, /* docs/spec/contest-operations.md 6.7 */
                .line_bytes = 64 * 1024,
                .queue_bytes = 1024 * 1024,
                .connections = 2048,
                .output_bytes = 1024 * 1024,
            },
        .cell = cell_wish_default(),
        .texts = arena_new(TEXTS_BYTES),
    };
    if (!plan->texts.block)
        return err_set(err, ERR_MEMORY, "plan: out of memory");
    return ruleset_preset(STR("aiwolf-2021"), &plan->rules, err);
}

void plan_done(Plan *plan)
{
    plan->agents = mem_free(plan->agents);
    plan->agent_count = plan->agent_room = 0;
    arena_done(&plan->texts);
}

/* ---- filling ---- */

/* Names stand in logs, in tables and on terminals: one line of printable text. */
static int check_name(const char *what, Str name, size_t bytes_max, Err *err)
{
    CLEANUP(buf_done) Buf printable = {0};

    if (name.len == 0 || name.len > bytes_max || !utf8_valid(name))
        return err_set(err, ERR_USAGE, "%s: a name has 1 to %zu bytes of UTF-8", what, bytes_max);
    utf8_add_printable(name, bytes_max, &printable);
    if (buf_failed(&printable))
        return err_set(err, ERR_MEMORY, "%s: out of memory", what);
    if (!str_eq(name, buf_str(&printable)))
        return err_set(err, ERR_USAGE, "%s: a name can't hold control characters", what);
    return 0;
}

int plan_agent_name(PlanAgent *agent, Str name, Err *err)
{
    int rc = check_name("agent", name, AGENT_NAME_MAX, err);

    if (rc)
        return rc;
    if (memchr(name.bytes, ',', name.len))
        return err_set(err, ERR_USAGE, "agent '%.*s': a name can't hold commas", STR_ARG(name));
    memset(agent->name, 0, sizeof(agent->name));
    memcpy(agent->name, name.bytes, name.len);
    return 0;
}

int plan_name(char ret_name[static PLAN_NAME_MAX + 1], const char *what, Str name, Err *err)
{
    int rc = check_name(what, name, PLAN_NAME_MAX, err);

    if (rc)
        return rc;
    memset(ret_name, 0, PLAN_NAME_MAX + 1);
    memcpy(ret_name, name.bytes, name.len);
    return 0;
}

const char *plan_text(Plan *plan, Str text)
{
    char *copy = text.len <= PLAN_TEXT_MAX ? arena_take(&plan->texts, text.len + 1) : NULL;

    if (!copy)
        return NULL;
    if (text.len)
        memcpy(copy, text.bytes, text.len);
    copy[text.len] = '\0';
    return copy;
}

static int compare_lots(const void *a, const void *b)
{
    return strcmp(((const PlanLot *)a)->value.name.bytes, ((const PlanLot *)b)->value.name.bytes);
}

int plan_stage_lots(Plan *plan, PlanStage *stage, PlanLot *lots, uint32_t count, Err *err)
{
    NamedKey *values = arena_take(&plan->texts, count * sizeof(*values));
    Key *entries = arena_take(&plan->texts, count * sizeof(*entries));

    if (!values || !entries)
        return err_set(err, ERR_LIMIT, "too many lots");
    qsort(lots, count, sizeof(*lots), compare_lots);
    for (uint32_t i = 0; i < count; i++) {
        const NamedKey *value = &lots[i].value;
        const Key entry = key_of_lot_entry(value->name, &value->key);
        if (value->there && memcmp(&entry, &lots[i].entry, sizeof(entry)) != 0)
            return err_set(err, ERR_USAGE,
                           "the lot of '%.*s' is not the one that was entered: `warg contest lot "
                           "NAME LOT` says which entry a lot has",
                           STR_ARG(value->name));
        values[i] = *value;
        entries[i] = lots[i].entry;
    }
    stage->lots = values;
    stage->lot_entries = entries;
    stage->lot_count = count;
    return 0;
}

static bool is_own(const Plan *plan, const char *text)
{
    uintptr_t at = (uintptr_t)text, block = (uintptr_t)plan->texts.block;

    return at >= block && at < block + plan->texts.size;
}

static int keep_text(Plan *plan, const PlanAgent *agent, const char **text, Err *err)
{
    if (!*text || is_own(plan, *text))
        return 0;
    *text = plan_text(plan, str_of(*text));
    if (*text)
        return 0;
    return err_set(err, ERR_LIMIT,
                   "agent '%s': a command and a folder have at most %d bytes each, and those of "
                   "all agents %zu together",
                   agent->name, PLAN_TEXT_MAX, TEXTS_BYTES);
}

int plan_add_agent(Plan *plan, const PlanAgent *agent, Err *err)
{
    PlanAgent copy = *agent;
    int rc = plan_agent_name(&copy, str_of(agent->name), err);

    if (rc == 0 && plan->agent_count == PLAN_AGENTS_MAX)
        rc = err_set(err, ERR_LIMIT, "more than %d agents", PLAN_AGENTS_MAX);
    if (rc == 0)
        rc = keep_text(plan, &copy, &copy.command, err);
    if (rc == 0)
        rc = keep_text(plan, &copy, &copy.folder, err);
    if (rc == 0)
        rc = keep_text(plan, &copy, &copy.env, err);
    if (rc == 0)
        rc = keep_text(plan, &copy, &copy.profile, err);
    if (rc == 0)
        rc = keep_text(plan, &copy, &copy.entry, err);
    if (rc == 0)
        rc = keep_text(plan, &copy, &copy.tree, err);
    if (rc)
        return rc;
    if (plan->agent_count == plan->agent_room) {
        uint32_t room = plan->agent_room ? plan->agent_room * 2 : 16;
        PlanAgent *more = mem_resize(plan->agents, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "plan: out of memory");
        plan->agents = more;
        plan->agent_room = room;
    }
    plan->agents[plan->agent_count++] = copy;
    return 0;
}

void plan_order_agents(PlanAgent *agents, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const PlanAgent agent = agents[i];
        uint32_t low = 0, high = i; /* behind all of its name */
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (strcmp(agents[middle].name, agent.name) > 0)
                high = middle;
            else
                low = middle + 1;
        }
        memmove(agents + low + 1, agents + low, (i - low) * sizeof(*agents));
        agents[low] = agent;
    }
}

PlanStage plan_default_stage(const Plan *plan)
{
    return (PlanStage){
        .name = "final",
        .players = plan->rules.players,
        .games_per_set = plan->rules.contest.games_per_set,
        .pairing = PAIRING_RANDOM,
    };
}

uint32_t plan_stage_parts(const PlanStage *stage)
{
    uint32_t parts = 1;

    while (parts < PLAN_SIZES_MAX && stage->more_players[parts - 1])
        parts++;
    return parts;
}

PlanStage plan_stage_part(const PlanStage *stage, uint32_t part)
{
    PlanStage own = *stage;

    if (part > 0)
        own.players = stage->more_players[part - 1];
    if (part > 0 && stage->more_min_games[part - 1])
        own.min_games = stage->more_min_games[part - 1];
    memset(own.more_players, 0, sizeof(own.more_players));
    memset(own.more_min_games, 0, sizeof(own.more_min_games));
    return own;
}

uint64_t plan_stage_min_games(const PlanStage *stage)
{
    uint64_t games = 0;

    for (uint32_t part = 0; part < plan_stage_parts(stage); part++)
        games += plan_stage_part(stage, part).min_games;
    return games;
}

int plan_add_stage(Plan *plan, const PlanStage *stage, Err *err)
{
    if (plan->stage_count == STAGES_MAX)
        return err_set(err, ERR_LIMIT, "more than %d stages", STAGES_MAX);
    plan->stages[plan->stage_count++] = *stage;
    return 0;
}

/* ---- checking ---- */

uint32_t plan_stage_agents(const Plan *plan, uint32_t stage)
{
    uint32_t count = plan->agent_count;

    for (uint32_t i = 0; i < stage && i < plan->stage_count; i++)
        if (plan->stages[i].advance && plan->stages[i].advance < count)
            count = plan->stages[i].advance;
    return count;
}

/* Any agents may meet, so the roles of all of them have to be there together. */
static int check_fixed(const Plan *plan, const PlanStage *stage,
                       const uint8_t counts[static ROLE_COUNT], Err *err)
{
    uint32_t used[ROLE_COUNT] = {0};

    for (uint32_t i = 0; i < plan->agent_count; i++) {
        Role role = plan->agents[i].fixed;
        if (role == ROLE_NONE)
            continue;
        if (stage->pairing == PAIRING_ALL_PAIRS)
            return err_set(err, ERR_USAGE,
                           "stage '%s': with pairing all-pairs nobody has a role of its own, but "
                           "agent '%s' has",
                           stage->name, plan->agents[i].name);
        if (role >= ROLE_COUNT || ++used[role] > counts[role])
            return err_set(err, ERR_USAGE,
                           "stage '%s': more agents that are always %s than the %u of %d players",
                           stage->name, role < ROLE_COUNT ? role_name(role) : "?",
                           role < ROLE_COUNT ? counts[role] : 0, (int)stage->players);
    }
    return 0;
}

static int check_pairs(const PlanStage *stage, const uint8_t counts[static ROLE_COUNT],
                       uint32_t agents, Err *err)
{
    uint64_t round = (uint64_t)agents * (agents - 1);
    uint64_t per_set = (uint64_t)stage->games_per_set;

    if (counts[ROLE_FOX])
        return err_set(err, ERR_USAGE,
                       "stage '%s': pairing all-pairs has two sides; with a FOX there are three",
                       stage->name);
    if (round == 0)
        return err_set(err, ERR_USAGE, "stage '%s': pairing all-pairs needs two agents",
                       stage->name);
    if (stage->sets % round)
        return err_set(err, ERR_USAGE,
                       "stage '%s': %" PRIu64 " sets, but %u agents make %" PRIu64
                       " pairs; give a multiple of that, or leave 'sets' out",
                       stage->name, stage->sets, (unsigned)agents, round);
    if (stage->games % (round * per_set))
        return err_set(err, ERR_USAGE,
                       "stage '%s': %" PRIu64 " games, but %u agents make %" PRIu64
                       " pairs with %" PRIu64 " games each; give a multiple of %" PRIu64,
                       stage->name, stage->games, (unsigned)agents, round, per_set,
                       round * per_set);
    return 0;
}

/* Games that everybody plays for certain: those of whole sets. */
static uint64_t games_of_each(const Draw *draw)
{
    const PlanStage *stage = draw->stage;
    uint64_t sets = draw_games(draw) / (uint64_t)stage->games_per_set;
    uint64_t n = draw->agent_count;
    uint64_t players = (uint64_t)stage->players;
    uint64_t own = stage->pairing == PAIRING_ALL_PAIRS ? sets / (n * (n - 1)) * 2 * (n - 1)
                   : stage->blocks                     ? sets / n * players
                                                       : sets * players / n;

    return own * (uint64_t)stage->games_per_set;
}

/* Every agent plays every seat and role. */
static int check_blocks(const Plan *plan, const PlanStage *stage, Err *err)
{
    if (stage->pairing != PAIRING_ROTATE)
        return err_set(err, ERR_USAGE, "stage '%s': 'blocks' goes with pairing rotate",
                       stage->name);
    if (plan->rules.contest.agent_index == AGENT_INDEX_CONNECTION)
        return err_set(err, ERR_USAGE,
                       "stage '%s': in blocks everybody gets every seat, but these rules number "
                       "seats as agents come; give agent_index set",
                       stage->name);
    for (uint32_t i = 0; i < plan->agent_count; i++) {
        const PlanAgent *agent = &plan->agents[i];
        if (agent->fixed != ROLE_NONE)
            return err_set(err, ERR_USAGE,
                           "stage '%s': in blocks everybody gets every role, but agent '%s' has "
                           "one of its own",
                           stage->name, agent->name);
    }
    return 0;
}

static int check_games(const Draw *draw, Err *err)
{
    const PlanStage *stage = draw->stage;

    if (stage->sets > STAGE_GAMES_MAX || stage->games > STAGE_GAMES_MAX ||
        stage->min_games > STAGE_GAMES_MAX ||
        draw_sets(draw) > STAGE_GAMES_MAX / (uint64_t)stage->games_per_set)
        return err_set(err, ERR_USAGE, "stage '%s': more than %d games", stage->name,
                       STAGE_GAMES_MAX);
    if (games_of_each(draw) < stage->min_games)
        return err_set(err, ERR_USAGE,
                       "stage '%s': %" PRIu64 " games among %u agents give everybody %" PRIu64
                       ", fewer than min_games %" PRIu64 "; leave 'sets' or 'games' out",
                       stage->name, draw_games(draw), (unsigned)draw->agent_count,
                       games_of_each(draw), stage->min_games);
    return 0;
}

/* One size of the stage. */
static int check_part(const Plan *plan, uint32_t number, const PlanStage *stage, Err *err)
{
    uint32_t agents = plan_stage_agents(plan, number);
    uint32_t needed = stage->pairing == PAIRING_ALL_PAIRS ? 2 : (uint32_t)stage->players;
    Draw draw = draw_of_seed(stage, &plan->rules, agents, 0);
    uint8_t counts[ROLE_COUNT];
    char name[PLAN_NAME_MAX + 1];

    int rc = plan_name(name, "stage", str_of(stage->name), err);
    for (uint32_t i = 0; i < number && rc == 0; i++)
        if (strcmp(plan->stages[i].name, stage->name) == 0)
            rc = err_set(err, ERR_USAGE, "two stages are called '%s'", stage->name);
    if (rc)
        return rc;
    rc = ruleset_roles(&plan->rules, stage->players, counts, err);
    if (rc) {
        err_wrap(err, "stage '%s': ", stage->name);
        return ERR_USAGE;
    }
    if (stage->games_per_set < 1)
        return err_set(err, ERR_USAGE, "stage '%s': a set has at least one game", stage->name);
    if (agents < needed)
        return err_set(err, ERR_USAGE,
                       "stage '%s': %u agents, but %u are needed; name more, fill up with "
                       "copies of a bot, or raise 'advance' of a stage before it",
                       stage->name, (unsigned)agents, (unsigned)needed);
    rc = check_fixed(plan, stage, counts, err);
    if (rc == 0 && stage->blocks)
        rc = check_blocks(plan, stage, err);
    if (rc == 0 && stage->rounds && (stage->sets || stage->games))
        rc = err_set(err, ERR_USAGE,
                     "stage '%s': it goes on in rounds; leave 'sets' and 'games' out, min_games "
                     "says how many there are at least",
                     stage->name);
    if (rc == 0 && stage->pairing == PAIRING_ALL_PAIRS)
        rc = check_pairs(stage, counts, agents, err);
    return rc ? rc : check_games(&draw, err);
}

/* A lot is an agent's; chance that somebody chose has none. */
static int check_lots(const Plan *plan, const PlanStage *stage, Err *err)
{
    for (uint32_t lot = 0; lot < stage->lot_count; lot++) {
        uint32_t agent = 0;
        while (agent < plan->agent_count &&
               !str_eq(str_of(plan->agents[agent].name), stage->lots[lot].name))
            agent++;
        if (agent == plan->agent_count)
            return err_set(err, ERR_USAGE,
                           "stage '%s': a lot of '%.*s', but no agent has that name", stage->name,
                           STR_ARG(stage->lots[lot].name));
    }
    if ((stage->lot_count || stage->beacon_what) && plan->chance == PLAN_CHANCE_SEED &&
        plan->seed_given)
        return err_set(err, ERR_USAGE,
                       "stage '%s' has lots or a beacon, and a seed, which decides all without "
                       "them; leave one of them out",
                       stage->name);
    return 0;
}

static int check_stage(const Plan *plan, uint32_t number, Err *err)
{
    const PlanStage *stage = &plan->stages[number];
    const uint32_t parts = plan_stage_parts(stage);
    int rc = check_lots(plan, stage, err);

    for (uint32_t part = 0; part < parts && rc == 0; part++) {
        const PlanStage own = plan_stage_part(stage, part);
        for (uint32_t before = 0; before < part; before++)
            if (plan_stage_part(stage, before).players == own.players)
                return err_set(err, ERR_USAGE, "stage '%s': %d players are there twice",
                               stage->name, (int)own.players);
        rc = check_part(plan, number, &own, err);
    }
    return rc;
}

/* Whoever keeps what it has seen of a deal would know all roles when it comes again. */
static int check_memory(const Plan *plan, const PlanStage *stage, Err *err)
{
    for (uint32_t i = 0; i < plan->agent_count; i++)
        if (!plan->agents[i].bot && !plan->agents[i].tells)
            return err_set(err, ERR_USAGE,
                           "stage '%s': in a block the same roles are dealt again and again, and "
                           "agent '%s' is a program that could remember them; blocks are for "
                           "language models (llm) and built-in bots, which don't",
                           stage->name, plan->agents[i].name);
    return 0;
}

int plan_check_memory(const Plan *plan, Err *err)
{
    for (uint32_t i = 0; i < plan->stage_count; i++) {
        int rc = plan->stages[i].blocks ? check_memory(plan, &plan->stages[i], err) : 0;
        if (rc)
            return rc;
    }
    return 0;
}

int plan_check(const Plan *plan, Err *err)
{
    int rc = ruleset_check(&plan->rules, err);
    char name[PLAN_NAME_MAX + 1];

    if (rc == 0 && plan->name[0])
        rc = plan_name(name, "contest", str_of(plan->name), err);
    if (rc == 0 && plan->agent_count == 0)
        rc = err_set(err, ERR_USAGE, "there are no agents");
    if (rc == 0 && plan->stage_count == 0)
        rc = err_set(err, ERR_USAGE, "there are no stages");
    if (rc == 0 && plan->tables > PLAN_TABLES_MAX && plan->tables != PLAN_TABLES_AUTO)
        rc = err_set(err, ERR_USAGE, "at most %d tables at once", PLAN_TABLES_MAX);
    for (uint32_t i = 0; i < plan->stage_count && rc == 0; i++)
        rc = check_stage(plan, i, err);
    return rc ? rc : plan_check_cell(plan, err);
}

/* ---- names and text ---- */

const char *const pairing_words[] = {"random", "rotate", "all-pairs", NULL};

const char *pairing_name(Pairing pairing)
{
    return pairing_words[pairing];
}

const char *const cut_tie_words[] = {"extra", "all", "lot", NULL};

const char *cut_tie_name(CutTie tie)
{
    return cut_tie_words[tie];
}

const char *const on_fault_words[] = {"substitute", "forfeit-set", "abort-game", "restart", NULL};

const char *on_fault_name(OnFault on_fault)
{
    return on_fault_words[on_fault];
}

const char *const conduct_rule_words[] = {"late",    "sentence", "crash",   "error",
                                          "network", "write",    "process", "thread",
                                          "memory",  "output",   "name",    NULL};

const char *conduct_rule_name(ConductRule rule)
{
    return conduct_rule_words[rule];
}

const char *const conduct_action_words[] = {"note", "strike", "eliminate", NULL};

const char *conduct_action_name(ConductAction action)
{
    return conduct_action_words[action];
}

/* A node of a ruleset file as JSON. Its scalars are numbers, true, false and words. */
static void put_node(Json *json, const YamlNode *node)
{
    int64_t number;

    if (node->kind != YAML_SCALAR) {
        json_open(json, node->kind == YAML_MAP ? '{' : '[');
        for (const YamlNode *child = node->first; child; child = child->next) {
            if (node->kind == YAML_MAP)
                json_key(json, child->key);
            put_node(json, child);
        }
        json_close(json);
    } else if (!node->quoted && str_to_int(node->text, INT64_MIN, INT64_MAX, &number)) {
        json_put_int(json, number);
    } else if (!node->quoted &&
               (str_eq(node->text, STR("true")) || str_eq(node->text, STR("false")))) {
        json_put_raw(json, node->text);
    } else {
        json_put_str(json, node->text);
    }
}

/* The ruleset file without its comments, which may change with the program. */
static void put_rules(Json *json, const Ruleset *rules)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(arena_done) Arena arena = arena_new((size_t)1024 * 1024);
    const YamlNode *root = NULL;

    ruleset_print(rules, &text);
    json_key(json, STR("rules"));
    if (buf_failed(&text) || !arena.block || yaml_read(buf_str(&text), &arena, &root, NULL)) {
        json_put_null(json);
        buf_fail(json->out);
        return;
    }
    put_node(json, root);
}

static void put_conduct(Json *json, const PlanConduct *conduct)
{
    json_key(json, STR("conduct"));
    json_open(json, '{');
    json_add_bool(json, "confirm", conduct->confirm);
    json_add_uint(json, "strikes", conduct->strikes);
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++) {
        if (conduct->rules[rule].action == CONDUCT_NOTE)
            continue;
        json_key(json, str_of(conduct_rule_name(rule)));
        json_open(json, '{');
        json_add_str(json, "action", str_of(conduct_action_name(conduct->rules[rule].action)));
        json_add_uint(json, "after", conduct->rules[rule].after);
        json_close(json);
    }
    json_close(json);
}

static void put_agent(Json *json, const PlanAgent *agent)
{
    json_open(json, '{');
    json_add_str(json, "name", str_of(agent->name));
    if (agent->version) {
        json_add_bool(json, "version", true);
        json_close(json);
        return;
    }
    if (agent->bot)
        json_add_str(json, "bot", str_of(agent->bot->name));
    if (agent->command)
        json_add_str(json, "command", str_of(agent->command));
    if (agent->profile)
        json_add_str(json, "profile", str_of(agent->profile));
    if (agent->entry)
        json_add_str(json, "entry", str_of(agent->entry));
    if (agent->fixed != ROLE_NONE)
        json_add_str(json, "role", str_of(role_name(agent->fixed)));
    json_close(json);
}

/* Their entries: the lots come later. */
static void put_lots(Json *json, const PlanStage *stage)
{
    char hex[KEY_HEX_BYTES];

    json_key(json, STR("lots"));
    json_open(json, '{');
    for (uint32_t i = 0; i < stage->lot_count; i++) {
        key_to_hex(&stage->lot_entries[i], hex);
        json_key(json, stage->lots[i].name);
        json_put_str(json, str_of(hex));
    }
    json_close(json);
}

/* One number when all sizes have the same, which is all that earlier builds know. */
static void put_min_games(Json *json, const PlanStage *stage)
{
    const uint32_t parts = plan_stage_parts(stage);
    bool same = true;

    for (uint32_t part = 0; part < parts; part++)
        same &= plan_stage_part(stage, part).min_games == stage->min_games;
    json_key(json, STR("min_games"));
    if (!same)
        json_open(json, '[');
    for (uint32_t part = 0; part < (same ? 1 : parts); part++)
        json_put_uint(json, plan_stage_part(stage, part).min_games);
    if (!same)
        json_close(json);
}

static void put_stage(Json *json, const PlanStage *stage)
{
    json_open(json, '{');
    json_add_str(json, "name", str_of(stage->name));
    const uint32_t parts = plan_stage_parts(stage);
    json_key(json, STR("players")); /* a number where earlier builds know no more */
    if (parts > 1)
        json_open(json, '[');
    for (uint32_t part = 0; part < parts; part++)
        json_put_uint(json, (uint64_t)plan_stage_part(stage, part).players);
    if (parts > 1)
        json_close(json);
    json_add_str(json, "pairing", str_of(pairing_name(stage->pairing)));
    if (stage->blocks) /* plans of earlier builds have none */
        json_add_bool(json, "blocks", true);
    if (stage->rounds)
        json_add_bool(json, "rounds", true);
    json_add_uint(json, "games_per_set", (uint64_t)stage->games_per_set);
    json_add_uint(json, "sets", stage->sets);
    json_add_uint(json, "games", stage->games);
    put_min_games(json, stage);
    json_add_uint(json, "advance", stage->advance);
    if (stage->tie != CUT_EXTRA) /* plans of earlier builds have none */
        json_add_str(json, "tie", str_of(cut_tie_name(stage->tie)));
    if (stage->late_lots)
        json_add_bool(json, "late_lots", true);
    if (stage->lot_count && !stage->late_lots)
        put_lots(json, stage);
    if (stage->beacon_what && !stage->late_lots)
        json_add_str(json, "beacon", str_of(stage->beacon_what));
    json_close(json);
}

/* Journals of builds without keys have no member "derivation". */
#define DERIVATION "hmac-sha256"

static void put_chance(Json *json, const Plan *plan)
{
    char seed[24];

    if (plan->chance != PLAN_CHANCE_KEY) {
        /* As text: readers of JSON may hold numbers above 2^53 as something else. */
        int n = snprintf(seed, sizeof(seed), "%" PRIu64, plan->seed);
        json_add_str(json, "seed", (Str){seed, n > 0 ? (size_t)n : 0});
    }
    if (plan->chance == PLAN_CHANCE_OLD_SEED)
        return;
    json_add_str(json, "derivation", STR(DERIVATION));
    if (plan->chance != PLAN_CHANCE_KEY)
        return;
    if (plan->one_key || plan->stage_count == 1) {
        json_add_str(json, "commitment", str_of(plan->stages[0].commitment));
        return;
    }
    json_key(json, STR("commitments"));
    json_open(json, '[');
    for (uint32_t i = 0; i < plan->stage_count; i++)
        json_put_str(json, str_of(plan->stages[i].commitment));
    json_close(json);
}

void plan_json(const Plan *plan, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "contest", str_of(plan->name));
    put_chance(&json, plan);
    json_add_str(&json, "on_fault", str_of(on_fault_name(plan->on_fault)));
    if (plan->conduct.given)
        put_conduct(&json, &plan->conduct);
    if (plan->own_share)
        json_add_uint(&json, "own_share", plan->own_share);
    if (plan->own_sets)
        json_add_bool(&json, "own_sets", true);
    json_key(&json, STR("agents"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < plan->agent_count; i++)
        put_agent(&json, &plan->agents[i]);
    json_close(&json);
    json_key(&json, STR("stages"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < plan->stage_count; i++)
        put_stage(&json, &plan->stages[i]);
    json_close(&json);
    put_rules(&json, &plan->rules);
    json_close(&json);
}

/* The text of a member, without a look at what it is a member of: in a string the quotes of `key`
 * would be escaped. */
static bool find_text(Str json, Str key, Str *ret_text)
{
    for (size_t i = 0; i + key.len < json.len; i++) {
        Str rest = str_part(json, i, json.len);
        if (!str_starts(rest, key))
            continue;
        rest = str_part(rest, key.len, rest.len);
        *ret_text = str_cut(&rest, '"');
        return true;
    }
    return false;
}

/* One commitment for all stages, or a list of one for each; false when there is neither, or one
 * that is none. */
static bool take_commitments(Plan *plan, Str json, bool *ret_good)
{
    Key commitment;
    Str text;

    *ret_good = true;
    if (find_text(json, STR("\"commitment\":\""), &text)) {
        *ret_good = key_from_hex(text, &commitment);
        if (*ret_good && !plan->seed_given) {
            plan->one_key = true;
            key_to_hex(&commitment, plan->stages[0].commitment);
        }
        return true;
    }
    if (!find_text(json, STR("\"commitments\":[\""), &text))
        return false;
    Str rest = {text.bytes, (size_t)(json.bytes + json.len - text.bytes)};
    plan->one_key = plan->one_key && plan->seed_given;
    for (uint32_t stage = 0; stage < plan->stage_count && *ret_good && !plan->seed_given; stage++) {
        *ret_good = key_from_hex(str_cut(&rest, '"'), &commitment) && str_cut(&rest, '"').len <= 2;
        key_to_hex(&commitment, plan->stages[stage].commitment);
    }
    return true;
}

/* In a string its quotes would be escaped. */
void plan_take_own_sets(Plan *plan, Str json)
{
    size_t at;

    plan->own_sets = str_find(json, STR("\"own_sets\":true"), &at);
}

bool plan_take_chance(Plan *plan, Str json)
{
    bool keyed = false, good = false;
    uint64_t number = 0;
    Str text, derivation;

    if (find_text(json, STR("\"derivation\":\""), &derivation)) {
        if (!str_eq(derivation, STR(DERIVATION)))
            return false;
        keyed = true;
    }
    if (keyed && take_commitments(plan, json, &good)) {
        if (good && !plan->seed_given) /* else another contest; its text tells */
            plan->chance = PLAN_CHANCE_KEY;
        return good;
    }
    if (!find_text(json, STR("\"seed\":\""), &text) || !str_to_uint(text, UINT64_MAX, &number))
        return false;
    plan->chance = keyed ? PLAN_CHANCE_SEED : PLAN_CHANCE_OLD_SEED;
    if (!plan->seed_given) /* a drawn one of an earlier build is known only here */
        plan->seed = number;
    return true;
}
