/* Rulesets as files. One table of rules gives printing, reading, ranges and comments. */
#include "game/ruleset.h"

#include "base/key_table.h"
#include "base/utf8.h"
#include "game/ruleset_words.h"

#define WORDS(name, ...) static const char *const name[] = {__VA_ARGS__, NULL}
WORDS(wolves_words, "table", "floor", "nearest", "ceil");
WORDS(exchange_words, "sequential", "turn", "anytime");
WORDS(order_words, "turn", "session", "bids");
WORDS(skip_words, "agent", "all", "budget");
WORDS(filler_words, "skip", "over");
WORDS(mention_words, "longest", "seat", "lowest");
WORDS(invalid_words, "random", "drop");
WORDS(tie_words, "random", "nobody");
WORDS(effect_words, "at-once", "morning", "attack");
WORDS(no_vote_words, "humans", "nobody");
WORDS(told_words, "night", "everybody");
WORDS(check_words, "night", "phase", "death");
WORDS(score_words, "none", "maw");
WORDS(index_words, "set", "connection");

const char *const ruleset_ghosts_words[] = {"own", "all", NULL};
const char *const ruleset_goal_words[] = {"parity", "parity-wolf-first", "elimination", NULL};

#define AT(member) KEY_AT(Ruleset, member)
#define DAY_MS     86400000
#define DAY_MOST   1000

static KeyRead read_label, read_roles, read_phases;
static KeyPrint print_label, print_roles, print_phases;

/* A table reads as a table. */
/* clang-format off */
#define FLAG(name, member, about) {.path = name, .kind = KEY_FLAG, AT(member), .help = about}
#define NUMBER(name, member, low, high, about)                                                    \
    {.path = name, .kind = KEY_NUMBER, AT(member), .min = low, .max = high, .help = about}
#define WORD(name, member, list, about)                                                           \
    {.path = name, .kind = KEY_WORD, AT(member), .words = list, .help = about}
#define OWN(name, member, read_it, print_it)                                                      \
    {.path = name, AT(member), .read = read_it, .print = print_it}

/* To add a rule: a member in ruleset.h, a row here, the presets' values in preset.c, a row in
 * docs/rules.md, and a test of both ways in tests/game/. */
#define TALK_RULES(section, talk)                                                                 \
    WORD(section ".exchange", talk.exchange, exchange_words,                                      \
        "one after the other, a turn revealed together, or at any time"),                         \
    WORD(section ".order", talk.order, order_words,                                               \
        "shuffled every turn or once a session; talk: or by bids, a turn is one utterance then"),                               \
    NUMBER(section ".max_per_agent", talk.max_per_agent, -1, 10000,                               \
        "utterances an agent and session; -1 = no limit"),                                        \
    NUMBER(section ".max_turns", talk.max_turns, 0, 10000, "turns a session"),                    \
    FLAG(section ".keywords", talk.keywords, "Skip and Over are commands, not words"),            \
    NUMBER(section ".max_skip", talk.max_skip, 0, 10000, "Skips tolerated, see skip_rule"),       \
    WORD(section ".skip_rule", talk.skip_rule, skip_words,                                        \
        "agent: the next Skip in a row becomes Over; all: so many turns of nothing but Skip "     \
        "end the session; budget: Skips are counted, other talk refills them"),                   \
    FLAG(section ".skip_costs", talk.skip_costs, "a Skip uses up one utterance"),                 \
    FLAG(section ".force_skip_is_free", talk.force_skip_is_free,                                  \
        "at any time: an agent's own ForceSkip is a Skip that uses up no Skip"),                  \
    FLAG(section ".over_is_final", talk.over_is_final,                                            \
        "who said Over is not asked again in this session"),                                      \
    FLAG(section ".spent_says_over", talk.spent_says_over,                                        \
        "who has nothing left to say is recorded as saying Over"),                                \
    WORD(section ".on_empty", talk.on_empty, filler_words,                                        \
        "what an empty answer is recorded as"),                                                   \
    FLAG(section ".empty_is_final", talk.empty_is_final,                                          \
        "recorded as Over, it ends the agent's session as an Over of its own does"),              \
    WORD(section ".on_lapse", talk.on_lapse, filler_words,                                        \
        "what a missing answer is recorded as"),                                                  \
    FLAG(section ".over_at_once", talk.over_at_once,                                              \
        "a session ends in mid-turn once all said Over since the last other word"),               \
    FLAG(section ".whisper_after_turn", talk.whisper_after_turn,                                  \
        "talk only: a whisper session follows every turn"),                                       \
    FLAG(section ".validate", talk.validate,                                                      \
        "a sentence outside the protocol language becomes Skip"),                                 \
    NUMBER(section ".min_participants", talk.min_participants, 1, SEAT_MAX,                       \
        "with fewer the session is left out"),                                                    \
    NUMBER(section ".duration_ms", talk.duration_ms, 0, DAY_MS,                                   \
        "length of a session at any time"),                                                       \
    NUMBER(section ".silence_ms", talk.silence_ms, 0, DAY_MS,                                     \
        "a session at any time ends after so long without a word; 0 = never"),                    \
    NUMBER(section ".max_bytes", talk.max_bytes, 16, 65536,                                       \
        "of one utterance, a guard against floods"),                                              \
    NUMBER(section ".max_lines", talk.max_lines, 0, 100000,                                       \
        "of a session without max_per_agent, likewise"),                                          \
    FLAG(section ".count_in_word", talk.length.count_in_word,                                     \
        "lengths are in words, not characters"),                                                  \
    FLAG(section ".count_spaces", talk.length.count_spaces, "white space counts as characters"),  \
    NUMBER(section ".per_talk", talk.length.per_talk, -1, 65536,                                  \
        "length of one utterance; -1 = no limit, as below"),                                      \
    NUMBER(section ".per_agent", talk.length.per_agent, -1, 1000000,                              \
        "length of all utterances of an agent in a session"),                                     \
    NUMBER(section ".base_length", talk.length.base_length, -1, 65536,                            \
        "length of an utterance that is free of charge"),                                         \
    NUMBER(section ".mention_length", talk.length.mention_length, -1, 65536,                      \
        "length behind a mention that is free of charge"),                                        \
    WORD(section ".mention", talk.length.mention, mention_words,                                  \
        "longest: the leftmost mention counts, of two names there the longer; seat: of two the "  \
        "lower seat; lowest: of all that are mentioned the lowest seat")

static const KeyRow rule_keys[] = {
    OWN("ruleset", name, read_label, print_label),
    OWN("title", title, read_label, print_label),
    NUMBER("players", players, PLAYERS_MIN, SEAT_MAX, "the usual number"),
    NUMBER("first_day", first_day, 0, 1, "the number of the first day"),
    WORD("wolves", wolves, wolves_words,
        "table: see roles; else a third of the players so rounded, all others villagers"),
    NUMBER("seers", seers, 0, 1,
        "unless wolves: table: so many of the others are seers, who ask once a day"),
    OWN("roles", roles, read_roles, print_roles),
    OWN("day_phases", day, read_phases, print_phases),
    OWN("night_phases", night, read_phases, print_phases),
    TALK_RULES("talk", talk),
    TALK_RULES("whisper", whisper),
    NUMBER("vote.rounds", vote.rounds, 0, 20, "ballots; one revote is 2"),
    WORD("vote.invalid", vote.invalid, invalid_words,
        "a vote for nobody, the dead or oneself: a random other agent, or no vote"),
    FLAG("vote.self_vote", vote.self_vote, "one may vote for oneself"),
    WORD("vote.tie", vote.tie, tie_words, "in the last ballot"),
    NUMBER("vote.revote_ms", vote.revote_ms, 0, 3600000,
        "village room: how long it stays open for another ballot among the tied"),
    FLAG("vote.visible", vote.visible, "agents see who voted for whom"),
    NUMBER("vote.min_votes", vote.min_votes, 0, SEAT_MAX,
        "with fewer for the first nobody is executed"),
    WORD("vote.effect", vote.effect, effect_words,
        "the executed are dead at once, in the morning, or just before the attack is decided"),
    NUMBER("attack.rounds", attack.rounds, 0, 20, "ballots; one revote is 2"),
    FLAG("attack.vote_for_wolf", attack.vote_for_wolf,
        "a vote for a wolf is recorded, though it never counts"),
    FLAG("attack.self_vote", attack.self_vote, "likewise for oneself"),
    WORD("attack.tie", attack.tie, tie_words, "in the last ballot"),
    WORD("attack.no_vote", attack.no_vote, no_vote_words,
        "candidates when no wolf named anybody"),
    FLAG("attack.whisper_before_revote", attack.whisper_before_revote,
        "the wolves whisper before another ballot"),
    FLAG("ability.divine_self", ability.divine_self, "the seer may divine itself"),
    FLAG("ability.guard_dead", ability.guard_dead,
        "guarding the dead is recorded, though useless"),
    WORD("secrecy.execution_told", secrecy.execution_told, told_words,
        "who learns of an execution at once: seer, bodyguard and wolves, or everybody"),
    WORD("secrecy.ghosts_see", secrecy.ghosts_see, ruleset_ghosts_words,
        "the dead see what they saw alive, or every room"),
    WORD("end.check", end.check, check_words,
        "the winner is looked for after every night, phase or death"),
    WORD("end.goal", end.goal, ruleset_goal_words, "as many wolves as humans, or one side dead"),
    NUMBER("end.max_day", end.max_day, -1, 1000, "last day played; -1 = none"),
    NUMBER("end.max_idle_phases", end.max_idle_phases, 0, 1000,
        "a draw after so many phases without a death; 0 = never"),
    NUMBER("end.max_idle_days", end.max_idle_days, 0, 1000,
        "a draw after so many days without a death, day 0 left out; 0 = never"),
    WORD("end.score", end.score, score_words, "points for a won game"),
    FLAG("contest.role_request", contest.role_request, "agents may wish for a role"),
    WORD("contest.agent_index", contest.agent_index, index_words,
        "seats are drawn for each set, or follow the order of the agents"),
    NUMBER("contest.games_per_set", contest.games_per_set, 1, 1000000, ""),
    NUMBER("contest.time_limit_ms", contest.time_limit_ms, 0, DAY_MS,
        "for an answer; 0 = none"),
    NUMBER("contest.time_limit_grace_ms", contest.time_limit_grace_ms, 0, DAY_MS,
        "tolerated beyond it"),
    NUMBER("contest.time_limit_told_ms", contest.time_limit_told_ms, -1, DAY_MS,
        "what agents are told; -1 = not set"),
};
/* clang-format on */

/* ---- printing ---- */

static void print_roles(const KeyRow *key, const void *target, Buf *out)
{
    const RoleTable *table = &((const Ruleset *)target)->roles;
    bool any = false;

    (void)key;
    for (int players = 0; players <= SEAT_MAX; players++) {
        if (!table->present[players])
            continue;
        if (!any)
            buf_add(out, STR("\nroles:\n"));
        any = true;
        buf_printf(out, "  %d: {", players);
        const char *comma = "";
        for (int role = 1; role < ROLE_COUNT; role++)
            if (table->counts[players][role]) {
                buf_printf(out, "%s%s: %u", comma, role_name((Role)role),
                           table->counts[players][role]);
                comma = ", ";
            }
        buf_add(out, STR("}\n"));
    }
    if (!any)
        buf_add(out, STR("\nroles: {}\n"));
}

/* True for what YAML takes as a line break or does not take at all. */
static bool needs_escape(uint32_t c)
{
    return (c >= 0x7F && c <= 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE ||
           c == 0xFFFF;
}

/* A quoted YAML scalar. */
static void print_quoted(const char *text, Buf *out)
{
    Str rest = str_of(text);

    buf_add_char(out, '"');
    while (rest.len) {
        Str before = rest;
        uint32_t c = utf8_next(&rest);
        if (needs_escape(c)) {
            buf_printf(out, "\\u%04X", (unsigned)c);
            continue;
        }
        if (c == '"' || c == '\\')
            buf_add_char(out, '\\');
        buf_add(out, str_part(before, 0, before.len - rest.len));
    }
    buf_add_char(out, '"');
}

static void print_label(const KeyRow *key, const void *target, Buf *out)
{
    buf_printf(out, "%s: ", key->path);
    print_quoted((const char *)target + key->offset, out);
    buf_add_char(out, '\n');
}

static void print_phases(const KeyRow *key, const void *target, Buf *out)
{
    const Section *section = (const Section *)(const void *)((const char *)target + key->offset);

    buf_printf(out, "\n%s:%s\n", key->path, section->count ? "" : " []");
    for (uint32_t i = 0; i < section->count; i++) {
        const Phase *phase = &section->phases[i];
        buf_add(out, STR("  - {name: "));
        print_quoted(phase->name, out);
        buf_add(out, STR(", actions: ["));
        for (uint32_t a = 0; a < phase->action_count; a++)
            buf_printf(out, "%s%s", a ? ", " : "", action_name((Action)phase->actions[a]));
        buf_add_char(out, ']');
        if (phase->only_day != DAY_ANY)
            buf_printf(out, ", only_day: %d", (int)phase->only_day);
        if (phase->except_day != DAY_ANY)
            buf_printf(out, ", except_day: %d", (int)phase->except_day);
        buf_add(out, STR("}\n"));
    }
}

/* ---- reading ---- */

static int read_role_row(RoleTable *table, const YamlNode *row, Err *err)
{
    uint64_t players;
    unsigned sum = 0;
    int rc = yaml_expect(row, YAML_MAP, err);

    if (rc)
        return rc;
    if (!str_to_uint(row->key, SEAT_MAX, &players) || players < PLAYERS_MIN)
        return err_set_at(err, ERR_RULE, row->key_line, row->key_column,
                          "roles: expected a number of players from %d to %d, found '%.*s'",
                          PLAYERS_MIN, SEAT_MAX, STR_ARG(str_part(row->key, 0, 64)));
    table->present[players] = true;
    memset(table->counts[players], 0, ROLE_COUNT);
    for (const YamlNode *node = row->first; node; node = node->next) {
        int64_t count;
        Role role = role_of(node->key);
        if (role == ROLE_NONE)
            return err_set_at(err, ERR_RULE, node->key_line, node->key_column,
                              "roles: '%.*s' is no role", STR_ARG(str_part(node->key, 0, 64)));
        rc = yaml_int(node, 0, SEAT_MAX, &count, err);
        if (rc)
            return rc;
        table->counts[players][role] = (uint8_t)count;
        sum += (unsigned)count;
    }
    if (table->counts[players][ROLE_WEREWOLF] == 0)
        return err_set_at(err, ERR_RULE, row->key_line, row->key_column,
                          "roles for %u players have no WEREWOLF; without one the game is over "
                          "before it begins",
                          (unsigned)players);
    if (sum != players)
        return err_set_at(err, ERR_RULE, row->key_line, row->key_column,
                          "roles for %u players add up to %u", (unsigned)players, sum);
    return 0;
}

static int read_roles(const KeyReading *reading, const KeyRow *key, const YamlNode *map, Err *err)
{
    RoleTable *table = key_place(reading, key);
    int rc = yaml_expect(map, YAML_MAP, err);

    memset(table, 0, sizeof(*table));
    for (const YamlNode *row = rc ? NULL : map->first; row && rc == 0; row = row->next)
        rc = read_role_row(table, row, err);
    return rc;
}

/* Labels are printed back: no control characters, so that a line stays a line. */
static int read_label(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    char *out = key_place(reading, key);
    Str text;
    int rc = yaml_str(node, &text, err);

    if (rc)
        return rc;
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.bytes[i] < 0x20 || text.bytes[i] == 0x7F)
            return err_set_at(err, ERR_RULE, node->line, node->column,
                              "a name can't hold control characters");
    if (text.len >= key->size)
        return err_set_at(err, ERR_LIMIT, node->line, node->column, "longer than %zu bytes",
                          key->size - 1);
    memcpy(out, text.bytes, text.len);
    memset(out + text.len, 0, key->size - text.len);
    return 0;
}

static int read_actions(const KeyReading *reading, const KeyRow *key, const YamlNode *list,
                        Err *err)
{
    Phase *phase = reading->target;
    int rc = yaml_expect(list, YAML_LIST, err);

    for (const YamlNode *node = rc ? NULL : list->first; node; node = node->next) {
        Str text;
        int action = 0;
        rc = yaml_str(node, &text, err);
        if (rc)
            return rc;
        while (action < ACTION_COUNT && !str_eq(text, str_of(action_name((Action)action))))
            action++;
        if (action == ACTION_COUNT)
            return err_set_at(err, ERR_RULE, node->line, node->column,
                              "actions: '%.*s' is none of talk, whisper, execution, divine, guard, "
                              "attack, village, hideout",
                              STR_ARG(str_part(text, 0, 64)));
        if (phase->action_count == PHASE_ACTIONS_MAX)
            return err_set_at(err, ERR_LIMIT, node->line, node->column,
                              "more than %d actions in a phase", PHASE_ACTIONS_MAX);
        phase->actions[phase->action_count++] = (uint8_t)action;
    }
    (void)key;
    return rc;
}

static int read_phase(Phase *phase, const YamlNode *map, Err *err)
{
    static const KeyRow keys[] = {
        {.path = "name", KEY_AT(Phase, name), .read = read_label},
        {.path = "actions", KEY_AT(Phase, actions), .read = read_actions},
        {"only_day", KEY_NUMBER, KEY_AT(Phase, only_day), .min = 0, .max = DAY_MOST},
        {"except_day", KEY_NUMBER, KEY_AT(Phase, except_day), .min = 0, .max = DAY_MOST},
    };
    static const KeyTable table = KEY_TABLE(keys, NULL);

    memset(phase, 0, sizeof(*phase));
    phase->only_day = phase->except_day = DAY_ANY;
    int rc = key_table_read(&(KeyReading){.table = &table, .target = phase}, map, err);
    if (rc == 0 && !yaml_get(map, "actions"))
        return err_set_at(err, ERR_RULE, map->line, map->column, "a phase needs 'actions'");
    return rc;
}

static int read_phases(const KeyReading *reading, const KeyRow *key, const YamlNode *list, Err *err)
{
    Section *section = key_place(reading, key);
    int rc = yaml_expect(list, YAML_LIST, err);

    section->count = 0;
    for (const YamlNode *node = rc ? NULL : list->first; node && rc == 0; node = node->next) {
        if (section->count == PHASE_MAX)
            return err_set_at(err, ERR_LIMIT, node->line, node->column, "more than %d phases",
                              PHASE_MAX);
        rc = read_phase(&section->phases[section->count], node, err);
        section->count++;
    }
    return rc;
}

static int unknown_rule(const KeyReading *reading, const char *section, const YamlNode *node,
                        const Suggest *near, Err *err)
{
    Str best = suggest_best(near);

    (void)reading, (void)section;
    if (best.len)
        return err_set_at(err, ERR_RULE, node->key_line, node->key_column,
                          "'%.*s' is no rule; did you mean '%.*s'?",
                          STR_ARG(str_part(node->key, 0, 64)), STR_ARG(best));
    return err_set_at(err, ERR_RULE, node->key_line, node->key_column,
                      "'%.*s' is no rule; 'warg rules show aiwolf-2021' lists them all",
                      STR_ARG(str_part(node->key, 0, 64)));
}

static const KeyManner manner = {.unknown = unknown_rule};
static const KeyTable rule_table = KEY_TABLE(rule_keys, &manner);

void ruleset_print(const Ruleset *rules, Buf *out)
{
    key_table_print(&rule_table, rules, out);
}

/* The preset that the file starts from. A file may carry a name of its own: then aiwolf-2021. */
static void start_from(const YamlNode *root, Ruleset *rules)
{
    const YamlNode *name = yaml_get(root, "ruleset");

    if (!name || name->kind != YAML_SCALAR || ruleset_preset(name->text, rules, NULL))
        ruleset_preset(STR("aiwolf-2021"), rules, NULL);
}

static int read_root(const YamlNode *root, Ruleset *rules, Err *err)
{
    int rc = yaml_expect(root, YAML_MAP, err);

    if (rc)
        return rc;
    if (!root->first)
        return err_set_at(
            err, ERR_RULE, root->line, root->column,
            "no rule is in it; 'ruleset: aiwolf-2021' alone is that ruleset, unchanged");
    start_from(root, rules);
    rc = key_table_read(&(KeyReading){.table = &rule_table, .target = rules}, root, err);
    /* A file with roles of its own and no word on players: the largest table it has. */
    if (rc == 0 && yaml_get(root, "roles") && !yaml_get(root, "players"))
        for (int32_t n = PLAYERS_MIN; n <= SEAT_MAX; n++)
            if (rules->roles.present[n])
                rules->players = n;
    return rc ? rc : ruleset_check(rules, err);
}

int ruleset_read_node(const YamlNode *map, Ruleset *ret_rules, Err *err)
{
    Ruleset rules;
    int rc = read_root(map, &rules, err);

    if (rc == 0)
        *ret_rules = rules;
    return rc;
}

int ruleset_read(Str text, Ruleset *ret_rules, Err *err)
{
    /* A node takes about 150 bytes and at least two of text; YAML_BYTES_MAX is far more than any
     * ruleset needs, so the limit here is the smaller one. */
    enum { BYTES_MAX = 65536 };
    const YamlNode *root;

    if (text.len > BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a ruleset file has at most %d bytes", BYTES_MAX);
    Arena arena = arena_new((size_t)BYTES_MAX * 128);
    if (!arena.block)
        return err_set(err, ERR_MEMORY, "read ruleset: out of memory");
    int rc = yaml_read(text, &arena, &root, err);
    if (rc == 0)
        rc = ruleset_read_node(root, ret_rules, err);
    arena_done(&arena);
    return rc;
}
