#include "contest/contest_file.h"

#include "base/key_table.h"
#include "contest/agent_model.h"
#include "contest/agent_profile.h"
#include "contest/contest_cell.h"
#include "disk/log_file.h"
#include "match/plan_words.h"
#include "seat/agent_command.h"
#include "seat/agent_environment.h"

#define RULES_BYTES_MAX  ((size_t)64 * 1024)
#define NODE_BYTES       128 /* of the tree, for a byte of text, at most: see ruleset_text.c */
#define TIME_LIMIT_MS    86400000
#define GAMES_PER_SET    1000000
#define STARTUP_MS_MAX   3600000
#define LINE_BYTES_MIN   1024
#define LINE_BYTES_MAX   (16 * 1024 * 1024)
#define OUTPUT_BYTES_MAX INT64_C(1000000000000)
#define CONNECTIONS_MAX  65536

/* What is read, and from where. */
typedef struct Source {
    Plan *plan;
    const char *folder;
} Source;

/* A table reads as a table. */
/* clang-format off */
#define NUMBER(name, Type, member, low, high)                                                     \
    {.path = name, .kind = KEY_NUMBER, KEY_AT(Type, member), .min = low, .max = high}
#define TIME(name, Type, member, low, high)                                                       \
    {.path = name, .kind = KEY_TIME, KEY_AT(Type, member), .min = low, .max = high}
#define WORD(name, Type, member, list)                                                            \
    {.path = name, .kind = KEY_WORD, KEY_AT(Type, member), .words = list}
#define OWN(name, read_it)           {.path = name, .read = read_it}
/* clang-format on */

/* ---- values ---- */

/* An error of the plan's, at the place of `node`. */
static int at_node(const YamlNode *node, Err *err)
{
    if (err->line == 0) {
        err->line = node->line;
        err->column = node->column;
    }
    return (int)err->code;
}

static int read_plan_name(const YamlNode *node, const char *what,
                          char ret_name[static PLAN_NAME_MAX + 1], Err *err)
{
    Str text;
    int rc = yaml_str(node, &text, err);

    if (rc)
        return rc;
    return plan_name(ret_name, what, text, err) ? at_node(node, err) : 0;
}

/* ---- files ---- */

/* Appends `path` as seen from `folder`. */
static void add_path(Str folder, Str path, Buf *out)
{
    if (folder.len && !str_starts(path, STR("/"))) {
        buf_add(out, folder);
        if (folder.bytes[folder.len - 1] != '/')
            buf_add_char(out, '/');
    }
    buf_add(out, path);
}

/* "contests" of "contests/spring.yml"; "" without a slash, "/" for the root. */
static Str folder_of(Str path)
{
    size_t end = path.len;

    while (end > 0 && path.bytes[end - 1] != '/')
        end--;
    return str_part(path, 0, end > 1 ? end - 1 : end);
}

/* ---- rules ---- */

static int read_rules_file(const Source *source, const YamlNode *node, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    add_path(str_of(source->folder), node->text, &path);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "rules: out of memory");
    int rc = log_file_read(buf_cstr(&path), RULES_BYTES_MAX, &text, err);
    if (rc) {
        err_wrap(err, "rules: ");
        at_node(node, err);
        return rc;
    }
    rc = ruleset_read(buf_str(&text), &source->plan->rules, err);
    if (rc)
        err_wrap(err, "ruleset '%s': ", buf_cstr(&path));
    return rc;
}

static int read_rules(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    const Source *source = reading->user;
    Err unknown = {0};
    Str text;

    (void)key;
    if (node->kind == YAML_MAP)
        return ruleset_read_node(node, &source->plan->rules, err);
    int rc = yaml_str(node, &text, err);
    if (rc || ruleset_preset(text, &source->plan->rules, &unknown) == 0)
        return rc;
    if (source->folder && text.len &&
        (memchr(text.bytes, '/', text.len) || memchr(text.bytes, '.', text.len)))
        return read_rules_file(source, node, err);
    return err_set_at(err, ERR_RULE, node->line, node->column, "rules: %s", unknown.msg);
}

/* ---- agents ---- */

/* An agent, and how many of it. */
typedef struct AgentRow {
    PlanAgent agent;
    uint32_t copies;
} AgentRow;

static int read_bot(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    PlanAgent *agent = &((AgentRow *)reading->target)->agent;
    Suggest near = {0};
    int rc = yaml_str(node, &near.word, err);

    (void)key;
    if (rc)
        return rc;
    agent->bot = bot_kind(near.word);
    if (agent->bot)
        return 0;
    for (size_t i = 0; bot_kind_at(i); i++)
        suggest_offer(&near, str_of(bot_kind_at(i)->name));
    Str best = suggest_best(&near);
    return err_set_at(err, ERR_SYNTAX, node->line, node->column, "no bot is called '%.*s'%s%.*s%s",
                      STR_ARG(str_part(near.word, 0, 64)), best.len ? "; did you mean '" : "",
                      STR_ARG(best), best.len ? "'?" : "");
}

static int read_role(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    PlanAgent *agent = &((AgentRow *)reading->target)->agent;
    Str text;
    int rc = yaml_str(node, &text, err);

    (void)key;
    if (rc)
        return rc;
    agent->fixed = role_of(text);
    if (agent->fixed != ROLE_NONE)
        return 0;
    return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                      "role: expected VILLAGER, SEER, MEDIUM, BODYGUARD, WEREWOLF, POSSESSED, "
                      "FREEMASON or FOX, but got '%.*s'",
                      STR_ARG(str_part(text, 0, 64)));
}

static int keep_text(Plan *plan, const YamlNode *node, Str text, const char **ret_text, Err *err)
{
    if (!text.len || memchr(text.bytes, '\0', text.len))
        return err_set_at(err, ERR_SYNTAX, node->line, node->column, "key '%.*s': %s",
                          STR_ARG(node->key), text.len ? "holds a zero byte" : "is empty");
    *ret_text = plan_text(plan, text);
    if (*ret_text)
        return 0;
    return err_set_at(err, ERR_LIMIT, node->line, node->column, "key '%.*s': longer than %d bytes",
                      STR_ARG(node->key), PLAN_TEXT_MAX);
}

/* A program that is not told its port can't come: each has a port of its own. */
static int check_command(const YamlNode *node, Str text, Err *err)
{
    Str word, near;

    if (agent_command_find_slip(text, &word, &near))
        return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                          "key 'command': nothing is filled in for '{%.*s}'; did you mean "
                          "'{%.*s}'?",
                          STR_ARG(word), STR_ARG(near));
    if (agent_command_has_port(text))
        return 0;
    return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                      "key 'command': has no {port}, without which the program can't know "
                      "where to connect to, as in 'python3 agent.py -h {host} -p {port}'");
}

/* A command runs in its folder, or in that of the contest file. */
static int read_command(const Source *source, const YamlNode *map, PlanAgent *agent, Err *err)
{
    const YamlNode *command = yaml_get(map, "command");
    const YamlNode *folder = yaml_get(map, "folder");
    CLEANUP(buf_done) Buf path = {0};
    Str text = {0};

    if (folder && !command && !agent->entry)
        return err_set_at(err, ERR_SYNTAX, folder->key_line, folder->key_column,
                          "a folder is where a command runs, but there is no 'command'");
    if (!command && !agent->entry)
        return 0;
    if (agent->bot)
        return err_set_at(err, ERR_SYNTAX, (command ? command : map)->key_line,
                          (command ? command : map)->key_column,
                          "an agent has a 'bot' or a 'command', not both");
    int rc = command ? yaml_str(command, &text, err) : 0;
    if (rc == 0 && command)
        rc = keep_text(source->plan, command, text, &agent->command, err);
    if (rc == 0 && command)
        rc = check_command(command, text, err);
    text = (Str){0};
    if (rc == 0 && folder)
        rc = yaml_str(folder, &text, err);
    if (rc)
        return rc;
    if (folder && !text.len)
        return err_set_at(err, ERR_SYNTAX, folder->line, folder->column, "key 'folder': is empty");
    agent->own_folder = folder != NULL;
    if (folder)
        add_path(str_of(source->folder), text, &path);
    else
        buf_add(&path, str_of(source->folder));
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "agents: out of memory");
    if (path.len)
        rc = keep_text(source->plan,
                       folder    ? folder
                       : command ? command
                                 : map,
                       buf_str(&path), &agent->folder, err);
    return rc;
}

/* `profile` and `entry`. */
static int read_runtime(const Source *source, const YamlNode *map, PlanAgent *agent, Err *err)
{
    const YamlNode *profile = yaml_get(map, "profile"), *entry = yaml_get(map, "entry");
    Str text = {0};
    int rc = profile ? yaml_str(profile, &text, err) : 0;

    if (rc == 0 && profile && agent_profile_read(agent, text, err))
        rc = at_node(profile, err);
    if (rc == 0 && entry)
        rc = yaml_str(entry, &text, err);
    if (rc == 0 && entry && agent_profile_entry(source->plan, agent, text, err))
        rc = at_node(entry, err);
    return rc;
}

/* `llm:`, a text or a map. Its files are named relative to the folder, as all of the file. */
static int read_llm(const Source *source, const YamlNode *map, PlanAgent *agent, Err *err)
{
    static const char *const others[] = {"bot", "command", "folder", "env", "profile", "entry"};
    const YamlNode *node = yaml_get(map, "llm");
    CLEANUP(buf_done) Buf spec = {0};

    for (size_t i = 0; node && i < sizeof(others) / sizeof(others[0]); i++) {
        const YamlNode *other = yaml_get(map, others[i]);
        if (other)
            return err_set_at(err, ERR_SYNTAX, other->key_line, other->key_column,
                              "an agent that is a language model has no '%s'", others[i]);
    }
    int rc = node ? agent_model_text(node, &spec, err) : 0;
    if (rc == 0 && node && agent_model_fill(source->plan, buf_str(&spec), agent, err))
        rc = at_node(node, err);
    if (rc == 0 && node && source->folder && source->folder[0])
        rc = keep_text(source->plan, node, str_of(source->folder), &agent->folder, err);
    return rc;
}

/* `env: NAME`, or a list of names. */
static int read_env(const Source *source, const YamlNode *node, PlanAgent *agent, Err *err)
{
    CLEANUP(buf_done) Buf names = {0};
    const bool many = node->kind == YAML_LIST;
    Str name;
    int rc = 0;

    if (!agent->command)
        return err_set_at(err, ERR_SYNTAX, node->key_line, node->key_column,
                          "env names variables for a command, but there is no 'command'");
    for (const YamlNode *one = many ? node->first : node; one && rc == 0;
         one = many ? one->next : NULL) {
        rc = yaml_str(one, &name, err);
        if (rc == 0 && agent_environment_add_name(name, &names, err))
            rc = at_node(one, err);
    }
    if (rc == 0 && buf_failed(&names))
        rc = err_set(err, ERR_MEMORY, "agents: out of memory");
    return rc || !names.len ? rc : keep_text(source->plan, node, buf_str(&names), &agent->env, err);
}

static int read_name(const YamlNode *map, PlanAgent *agent, Err *err)
{
    const YamlNode *node = yaml_get(map, "name");
    Str name = str_of(agent->bot ? agent->bot->name : "");
    int rc = node ? yaml_str(node, &name, err) : 0;

    if (rc || (!node && yaml_get(map, "llm"))) /* the model's */
        return rc;
    if (!node && !agent->bot)
        return err_set_at(err, ERR_SYNTAX, map->line, map->column, "an agent needs a 'name'");
    return plan_agent_name(agent, name, err) ? at_node(node ? node : map, err) : 0;
}

/* Bots may share a name; of outside agents that would be a slip. */
static int check_unique(const Plan *plan, const YamlNode *map, const PlanAgent *agent, Err *err)
{
    for (uint32_t i = 0; i < plan->agent_count; i++)
        if ((!agent->bot || !plan->agents[i].bot) && strcmp(plan->agents[i].name, agent->name) == 0)
            return err_set_at(err, ERR_SYNTAX, map->line, map->column,
                              "agent '%s' is here twice; for several of one use 'copies'",
                              agent->name);
    return 0;
}

/* What a row does not say: the name that is a bot's, the command with its folder. */
static int read_agent(const Source *source, const YamlNode *map, Err *err)
{
    static const KeyRow keys[] = {
        OWN("bot", read_bot),   OWN("llm", NULL),
        OWN("role", read_role), OWN("name", NULL),
        OWN("command", NULL),   OWN("folder", NULL),
        OWN("env", NULL),       OWN("profile", NULL),
        OWN("entry", NULL),     NUMBER("copies", AgentRow, copies, 1, PLAN_AGENTS_MAX),
    };
    static const KeyTable table = KEY_TABLE(keys, NULL);
    AgentRow row = {.copies = 1};
    int rc = key_table_read(&(KeyReading){.table = &table, .target = &row}, map, err);

    if (rc == 0)
        rc = read_name(map, &row.agent, err);
    if (rc == 0)
        rc = read_llm(source, map, &row.agent, err);
    if (rc == 0)
        rc = read_runtime(source, map, &row.agent, err);
    if (rc == 0)
        rc = read_command(source, map, &row.agent, err);
    if (rc == 0 && agent_profile_finish(source->plan, &row.agent, err))
        rc = at_node(map, err);
    if (rc == 0 && yaml_get(map, "env"))
        rc = read_env(source, yaml_get(map, "env"), &row.agent, err);
    if (rc == 0)
        rc = check_unique(source->plan, map, &row.agent, err);
    for (uint32_t i = 0; i < row.copies && rc == 0; i++)
        if (plan_add_agent(source->plan, &row.agent, err))
            rc = at_node(map, err);
    return rc;
}

static int read_agents(const KeyReading *reading, const KeyRow *key, const YamlNode *list, Err *err)
{
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next)
        rc = read_agent(reading->user, node, err);
    return rc;
}

/* ---- stages ---- */

/* As many as are usual, or all there are when they are fewer and the rules know such a table. */
static int32_t usual_players(const Plan *plan)
{
    uint8_t counts[ROLE_COUNT];

    if (plan->agent_count > 0 && plan->agent_count < (uint32_t)plan->rules.players &&
        ruleset_roles(&plan->rules, (int32_t)plan->agent_count, counts, NULL) == 0)
        return (int32_t)plan->agent_count;
    return plan->rules.players;
}

/* More can't go on than have played. */
static int check_advance(const Plan *plan, const YamlNode *node, uint32_t advance, Err *err)
{
    uint32_t agents = plan_stage_agents(plan, plan->stage_count);

    if (!node || agents == 0 || advance <= agents)
        return 0;
    return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                      "key 'advance': %u agents can't go on, %u play in this stage", advance,
                      agents);
}

/* One size of tables, or a list of several. */
static int read_players(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                        Err *err)
{
    PlanStage *stage = reading->target;
    uint32_t count = 0;
    int64_t size = 0;
    int rc = 0;

    (void)key;
    if (node->kind != YAML_LIST) {
        rc = key_read_number(reading, node, PLAYERS_MIN, SEAT_MAX, &size, err);
        stage->players = rc ? stage->players : (int32_t)size;
        return rc;
    }
    for (const YamlNode *one = node->first; one && rc == 0; one = one->next, count++) {
        if (count == PLAN_SIZES_MAX)
            return err_set_at(err, ERR_SYNTAX, one->line, one->column,
                              "key 'players': more than %d sizes", PLAN_SIZES_MAX);
        rc = key_read_number(reading, one, PLAYERS_MIN, SEAT_MAX, &size, err);
        if (count == 0)
            stage->players = (int32_t)size;
        else
            stage->more_players[count - 1] = (int32_t)size;
    }
    return rc || count ? rc
                       : err_set_at(err, ERR_SYNTAX, node->line, node->column,
                                    "key 'players': the list is empty");
}

/* `parts: [{players: 5}, {players: 15}]`: the sizes, each as a stage of its own would say it. */
static int read_parts(const KeyReading *reading, const KeyRow *key, const YamlNode *list, Err *err)
{
    static const KeyRow keys[] = {
        {.path = "players",
         .kind = KEY_NUMBER,
         .size = sizeof(int32_t),
         .min = PLAYERS_MIN,
         .max = SEAT_MAX},
    };
    static const KeyTable table = KEY_TABLE(keys, NULL);
    PlanStage *stage = reading->target;
    uint32_t count = 0;
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    for (const YamlNode *one = rc ? NULL : list->first; one && rc == 0; one = one->next, count++) {
        int32_t size = 0;
        if (count == PLAN_SIZES_MAX)
            return err_set_at(err, ERR_SYNTAX, one->line, one->column,
                              "key 'parts': more than %d parts", PLAN_SIZES_MAX);
        rc = key_table_read(&(KeyReading){.table = &table, .target = &size, .where = "parts"}, one,
                            err);
        if (rc == 0 && !size)
            rc = err_set_at(err, ERR_SYNTAX, one->line, one->column, "a part needs its 'players'");
        *(count ? &stage->more_players[count - 1] : &stage->players) = size;
    }
    return rc || count ? rc
                       : err_set_at(err, ERR_SYNTAX, list->line, list->column,
                                    "key 'parts': the list is empty");
}

static int read_stage_name(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                           Err *err)
{
    return read_plan_name(node, "stage", key_place(reading, key), err);
}

static int read_hex(const YamlNode *node, Key *ret_key, Err *err)
{
    if (node->kind == YAML_SCALAR && key_from_hex(node->text, ret_key))
        return 0;
    return yaml_mismatch(node, "64 hexadecimal digits", err);
}

/* `alice: {entry: HEX}`, and once it is opened `lot: HEX` beside it. */
static int read_lot(Plan *plan, const YamlNode *map, PlanLot *ret_lot, Err *err)
{
    static const KeyRow keys[] = {OWN("entry", NULL), OWN("lot", NULL)};
    static const KeyTable table = KEY_TABLE(keys, NULL);
    const YamlNode *entry = yaml_get(map, "entry"), *lot = yaml_get(map, "lot");
    const char *name = plan_text(plan, map->key);
    int rc = yaml_expect(map, YAML_MAP, err);

    *ret_lot = (PlanLot){.value = {.there = lot != NULL}};
    if (rc == 0)
        rc = key_table_read(&(KeyReading){.table = &table, .target = ret_lot}, map, err);
    if (rc == 0 && !name)
        rc = err_set_at(err, ERR_LIMIT, map->line, map->column, "too many lots");
    if (rc == 0 && !entry)
        rc = err_set_at(err, ERR_SYNTAX, map->line, map->column,
                        "a lot needs its 'entry': `warg contest lot NAME` makes both");
    if (rc == 0)
        rc = read_hex(entry, &ret_lot->entry, err);
    if (rc == 0 && lot)
        rc = read_hex(lot, &ret_lot->value.key, err);
    ret_lot->value.name = str_of(name ? name : "");
    return rc;
}

static int read_lots(const KeyReading *reading, const KeyRow *key, const YamlNode *map, Err *err)
{
    int rc = yaml_expect(map, YAML_MAP, err);
    CLEANUP(mem_freep) PlanLot *lots = rc ? NULL : mem_new((map->count + 1) * sizeof(*lots));
    uint32_t count = 0;

    (void)key;
    if (rc == 0 && !lots)
        return err_set(err, ERR_MEMORY, "lots: out of memory");
    for (const YamlNode *node = rc ? NULL : map->first; node && rc == 0; node = node->next)
        rc = read_lot(reading->user, node, &lots[count++], err);
    if (rc == 0 && count && plan_stage_lots(reading->user, reading->target, lots, count, err))
        rc = at_node(map, err);
    return rc;
}

/* `beacon: {what: "..."}`, and once it is known `value: "..."` beside it. */
static int read_beacon(const KeyReading *reading, const KeyRow *key, const YamlNode *map, Err *err)
{
    static const KeyRow keys[] = {OWN("what", NULL), OWN("value", NULL)};
    static const KeyTable table = KEY_TABLE(keys, NULL);
    PlanStage *stage = reading->target;
    const YamlNode *what = yaml_get(map, "what"), *value = yaml_get(map, "value");
    int rc = yaml_expect(map, YAML_MAP, err);
    Str text = {0};

    (void)key;
    if (rc == 0)
        rc = key_table_read(&(KeyReading){.table = &table, .target = stage}, map, err);
    if (rc == 0 && !what)
        rc = err_set_at(err, ERR_SYNTAX, map->line, map->column,
                        "beacon: say 'what' public value it is, and of which moment");
    if (rc == 0)
        rc = yaml_str(what, &text, err);
    if (rc == 0)
        rc = keep_text(reading->user, what, text, &stage->beacon_what, err);
    if (rc == 0 && value)
        rc = yaml_str(value, &text, err);
    if (rc == 0 && value)
        rc = keep_text(reading->user, value, text, &stage->beacon, err);
    return rc;
}

/* To add a key: see docs/architecture.md, "Where to change what". */
static const KeyRow stage_keys[] = {
    {.path = "name", KEY_AT(PlanStage, name), .read = read_stage_name},
    OWN("players", read_players),
    OWN("parts", read_parts),
    OWN("require", NULL), /* the site's: site/contest_rules.h */
    WORD("pairing", PlanStage, pairing, pairing_words),
    {.path = "blocks", .kind = KEY_FLAG, KEY_AT(PlanStage, blocks)},
    NUMBER("games_per_set", PlanStage, games_per_set, 1, GAMES_PER_SET),
    NUMBER("sets", PlanStage, sets, 1, STAGE_GAMES_MAX),
    NUMBER("games", PlanStage, games, 1, STAGE_GAMES_MAX),
    NUMBER("min_games", PlanStage, min_games, 1, STAGE_GAMES_MAX),
    NUMBER("advance", PlanStage, advance, 1, PLAN_AGENTS_MAX),
    WORD("tie", PlanStage, tie, cut_tie_words),
    OWN("lots", read_lots),
    {.path = "lots_closed", .kind = KEY_FLAG, KEY_AT(PlanStage, lots_closed)},
    OWN("beacon", read_beacon),
};
static const KeyTable stage_table = KEY_TABLE(stage_keys, NULL);

static int read_stage(Plan *plan, const YamlNode *map, bool only, Err *err)
{
    PlanStage stage = plan_default_stage(plan);

    stage.players = usual_players(plan);
    int rc = key_table_read(&(KeyReading){.table = &stage_table, .target = &stage, .user = plan},
                            map, err);
    if (rc == 0 && !only && !yaml_get(map, "name"))
        rc = err_set_at(err, ERR_SYNTAX, map->line, map->column, "a stage needs a 'name'");
    if (rc == 0)
        rc = check_advance(plan, yaml_get(map, "advance"), stage.advance, err);
    return rc ? rc : plan_add_stage(plan, &stage, err);
}

static int read_stages(const KeyReading *reading, const KeyRow *key, const YamlNode *list, Err *err)
{
    Plan *plan = reading->target;
    int rc = yaml_expect(list, YAML_LIST, err);

    (void)key;
    plan->stage_count = 0;
    if (rc == 0 && list->count == 0)
        return err_set_at(err, ERR_SYNTAX, list->line, list->column,
                          "stages: the list is empty; leave it out for one stage");
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next)
        rc = read_stage(plan, node, list->count == 1, err);
    return rc;
}

static int default_stage(Plan *plan, Err *err)
{
    PlanStage stage = plan_default_stage(plan);

    stage.players = usual_players(plan);
    plan->stage_count = 0;
    return plan_add_stage(plan, &stage, err);
}

/* ---- limits ---- */

static const KeyRow limit_keys[] = {
    TIME("time_limit", Plan, rules.contest.time_limit_ms, 0, TIME_LIMIT_MS),
    TIME("grace", Plan, rules.contest.time_limit_grace_ms, 0, TIME_LIMIT_MS),
    TIME("first_game_grace", Plan, limits.first_game_grace_ms, 0, TIME_LIMIT_MS),
    TIME("startup", Plan, limits.startup_ms, 1, STARTUP_MS_MAX),
    NUMBER("line_bytes", Plan, limits.line_bytes, LINE_BYTES_MIN, LINE_BYTES_MAX),
    NUMBER("queue_bytes", Plan, limits.queue_bytes, LINE_BYTES_MIN, INT32_MAX),
    NUMBER("connections", Plan, limits.connections, 1, CONNECTIONS_MAX),
    NUMBER("output_bytes", Plan, limits.output_bytes, 0, OUTPUT_BYTES_MAX),
};
static const KeyTable limit_table = KEY_TABLE(limit_keys, NULL);

static int read_limits(const KeyReading *reading, const KeyRow *key, const YamlNode *map, Err *err)
{
    ContestRules *rules = &((Plan *)reading->target)->rules.contest;
    bool told = rules->time_limit_told_ms == rules->time_limit_ms;
    int rc =
        key_table_read(&(KeyReading){.table = &limit_table, .target = reading->target}, map, err);

    (void)key;
    if (rc == 0 && told) /* agents are told the limit that holds; -1 is none */
        rules->time_limit_told_ms = rules->time_limit_ms ? rules->time_limit_ms : -1;
    return rc;
}

/* A number, 0 = one, or the word auto. */
static int read_tables(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    uint32_t *tables = key_place(reading, key);
    int64_t number = PLAN_TABLES_AUTO;
    int rc = 0;

    if (node->kind != YAML_SCALAR || !str_eq(node->text, STR("auto")))
        rc = key_read_number(reading, node, 0, PLAN_TABLES_MAX, &number, err);
    *tables = rc ? *tables : (uint32_t)number;
    return rc;
}

/* ---- conduct ---- */

/* An action, or `{after: N, action: ...}`: more than N in 100 games. */
static int read_conduct_rule(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                             Err *err)
{
    PlanConduct *conduct = reading->target;
    const size_t rule = (size_t)key->min;
    const KeyRow action_row = {.path = key->path, .words = conduct_action_words};
    const YamlNode *action = node->kind == YAML_MAP ? yaml_get(node, "action") : node;
    const YamlNode *after = node->kind == YAML_MAP ? yaml_get(node, "after") : NULL;
    int32_t word = CONDUCT_NOTE;
    int64_t number = 0;
    int rc = 0;

    if (action && action->kind == YAML_SCALAR && str_eq(action->text, STR("suspend")))
        return err_set_at(err, ERR_RULE, action->line, action->column,
                          "key '%s': only testing stages suspend an agent, which a contest site "
                          "plays while agents can still be changed; here it is note, strike or "
                          "eliminate",
                          key->path);
    if (!action)
        return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                          "key '%s': expected note, strike or eliminate, or {after: N, action: "
                          "strike}",
                          key->path);
    rc = key_read_word(reading, &action_row, action, &word, err);
    if (rc == 0 && after)
        rc = yaml_int(after, 0, UINT32_MAX, &number, err);
    conduct->rules[rule].action = (ConductAction)word;
    conduct->rules[rule].after = (uint32_t)number;
    return rc;
}

#define RULE(name, rule)                                                                           \
    {                                                                                              \
        .path = name, .read = read_conduct_rule, .min = rule                                       \
    }
static const KeyRow conduct_keys[] = {
    NUMBER("strikes", PlanConduct, strikes, 1, 1000000),
    {.path = "confirm", .kind = KEY_FLAG, KEY_AT(PlanConduct, confirm)},
    RULE("late", CONDUCT_LATE),
    RULE("sentence", CONDUCT_SENTENCE),
    RULE("crash", CONDUCT_CRASH),
    RULE("error", CONDUCT_ERROR),
    RULE("network", CONDUCT_NETWORK),
    RULE("write", CONDUCT_WRITE),
    RULE("process", CONDUCT_PROCESS),
    RULE("thread", CONDUCT_THREAD),
    RULE("memory", CONDUCT_MEMORY),
    RULE("output", CONDUCT_OUTPUT),
    RULE("name", CONDUCT_NAME),
};
static const KeyTable conduct_table = KEY_TABLE(conduct_keys, NULL);

static int read_conduct(const KeyReading *reading, const KeyRow *key, const YamlNode *map, Err *err)
{
    PlanConduct *conduct = &((Plan *)reading->target)->conduct;

    (void)key;
    *conduct = (PlanConduct){.given = true, .confirm = true, .strikes = 3};
    return key_table_read(&(KeyReading){.table = &conduct_table, .target = conduct}, map, err);
}

/* ---- the file ---- */

static int read_cell(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    const Source *source = reading->user;

    (void)key;
    return contest_cell_read(node, source->folder, source->plan, err);
}

static int read_seed(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    Plan *plan = reading->target;

    (void)key;
    if (node->kind != YAML_SCALAR || node->quoted ||
        !str_to_uint(node->text, UINT64_MAX, &plan->seed))
        return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                          "seed: expected a number from 0 to 18446744073709551615");
    plan->seed_given = true;
    return 0;
}

static int read_contest_name(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                             Err *err)
{
    return read_plan_name(node, "contest", key_place(reading, key), err);
}

static int read_opinions(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                         Err *err)
{
    Str word;
    int rc = yaml_str(node, &word, err);

    (void)key;
    for (LlmOpinions opinions = OPINIONS_OFF; rc == 0 && opinions <= OPINIONS_LINE; opinions++)
        if (str_eq(word, str_of(llm_opinions_name(opinions))))
            return agent_model_opinions(reading->target, opinions, err) ? at_node(node, err) : 0;
    return rc ? rc
              : err_set_at(err, ERR_SYNTAX, node->line, node->column,
                           "opinions: expected off, day or line");
}

/* Rules come first, for they decide the defaults of limits and stages; agents decide those of the
 * stages. */
static const KeyRow contest_keys[] = {
    {.path = "contest", KEY_AT(Plan, name), .read = read_contest_name},
    OWN("rules", read_rules),
    OWN("limits", read_limits),
    OWN("seed", read_seed),
    WORD("on_fault", Plan, on_fault, on_fault_words),
    {.path = "tables", KEY_AT(Plan, tables), .read = read_tables},
    OWN("cell", read_cell),
    OWN("conduct", read_conduct),
    NUMBER("own_share", Plan, own_share, 1, 100),
    OWN("agents", read_agents),
    OWN("opinions", read_opinions),
    OWN("stages", read_stages),
    /* What a contest site has beside the games: site/contest_rules.h. */
    OWN("title", NULL),
    OWN("division", NULL),
    OWN("dates", NULL),
    OWN("lot_window", NULL),
    OWN("register", NULL),
    OWN("submit", NULL),
    OWN("runtimes", NULL),
    OWN("check", NULL),
    OWN("testing", NULL),
    OWN("publish", NULL),
    OWN("tracks", NULL),
    OWN("windows", NULL),
    OWN("evaluation", NULL),
};
static const KeyTable contest_table = KEY_TABLE(contest_keys, NULL);

static int read_contest(Source *source, const YamlNode *root, Err *err)
{
    KeyReading reading = {.table = &contest_table, .target = source->plan, .user = source};
    int rc = key_table_read(&reading, root, err);

    if (rc == 0 && !yaml_get(root, "stages"))
        rc = default_stage(source->plan, err);
    return rc ? rc : plan_check_memory(source->plan, err);
}

static int read_agents_root(Source *source, const YamlNode *root, Err *err)
{
    static const KeyRow keys[] = {OWN("agents", read_agents)};
    static const KeyTable table = KEY_TABLE(keys, NULL);
    KeyReading reading = {.table = &table, .target = source->plan, .user = source};

    if (root->kind == YAML_LIST)
        return read_agents(&reading, keys, root, err);
    int rc = key_table_read(&reading, root, err);
    if (rc == 0 && !yaml_get(root, "agents"))
        rc = err_set(err, ERR_SYNTAX, "expected a list of agents");
    return rc;
}

typedef int ReadRoot(Source *source, const YamlNode *root, Err *err);

static int read_text(Str text, Source *source, ReadRoot *read, Err *err)
{
    const YamlNode *root;

    if (text.len > CONTEST_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a contest file has at most %zu bytes", CONTEST_BYTES_MAX);
    CLEANUP(arena_done) Arena arena = arena_new((text.len + 1024) * NODE_BYTES);
    if (!arena.block)
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    int rc = yaml_read(text, &arena, &root, err);
    return rc ? rc : read(source, root, err);
}

int contest_text_load(Str text, const char *folder, Plan *plan, Err *err)
{
    Err own = {0}; /* places are added to it even when the caller wants no error */
    int rc = read_text(text, &(Source){plan, folder}, read_contest, &own);

    if (rc && err && err->code == ERR_OK)
        *err = own;
    return rc;
}

int contest_text_agents(Str text, const char *folder, Plan *plan, Err *err)
{
    Err own = {0};
    int rc = read_text(text, &(Source){plan, folder}, read_agents_root, &own);

    if (rc && err && err->code == ERR_OK)
        *err = own;
    return rc;
}

static int load_plan(const char *path, Plan *plan,
                     int (*read)(Str text, const char *folder, Plan *plan, Err *err), Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf folder = {0};
    int rc = log_file_read(path, CONTEST_BYTES_MAX, &text, err);

    if (rc)
        return rc;
    buf_add(&folder, folder_of(str_of(path)));
    if (buf_failed(&folder))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    rc = read(buf_str(&text), buf_cstr(&folder), plan, err);
    if (rc == 0)
        return 0;
    err_wrap(err, "'%s': ", path);
    return rc == ERR_MEMORY || rc == ERR_IO ? rc : ERR_RULE; /* it was read; it says wrong things */
}

int contest_file_load(const char *path, Plan *plan, Err *err)
{
    return load_plan(path, plan, contest_text_load, err);
}

int contest_file_agents(Plan *plan, Str path, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};

    buf_add(&name, path);
    if (buf_failed(&name))
        return err_set(err, ERR_MEMORY, "agents: out of memory");
    return load_plan(buf_cstr(&name), plan, contest_text_agents, err);
}
