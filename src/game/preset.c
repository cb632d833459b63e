/* The six presets. What one of them decides otherwise than its neighbour is written as a change,
 * so that the differences can be read off this file. */
#include "game/ruleset.h"

/* docs/spec/protocol-division.md 7: VILLAGER SEER MEDIUM BODYGUARD WEREWOLF POSSESSED for 3..18. */
static const uint8_t protocol_roles[][7] = {
    {3, 1, 1, 0, 0, 1, 0},   {4, 2, 1, 0, 0, 1, 0},  {5, 2, 1, 0, 0, 1, 1},
    {6, 3, 1, 0, 0, 1, 1},   {7, 4, 1, 0, 0, 2, 0},  {8, 4, 1, 1, 0, 2, 0},
    {9, 5, 1, 1, 0, 2, 0},   {10, 4, 1, 1, 1, 2, 1}, {11, 5, 1, 1, 1, 2, 1},
    {12, 5, 1, 1, 1, 3, 1},  {13, 6, 1, 1, 1, 3, 1}, {14, 7, 1, 1, 1, 3, 1},
    {15, 8, 1, 1, 1, 3, 1},  {16, 9, 1, 1, 1, 3, 1}, {17, 10, 1, 1, 1, 3, 1},
    {18, 11, 1, 1, 1, 3, 1},
};

/* docs/spec/nlp-division.md 7.3. */
static const uint8_t nlp_roles[][7] = {
    {5, 2, 1, 0, 0, 1, 1},
    {9, 3, 1, 1, 1, 2, 1},
    {13, 6, 1, 1, 1, 3, 1},
};

static void set_roles(RoleTable *table, const uint8_t (*rows)[7], size_t count)
{
    static const Role columns[] = {ROLE_VILLAGER,  ROLE_SEER,     ROLE_MEDIUM,
                                   ROLE_BODYGUARD, ROLE_WEREWOLF, ROLE_POSSESSED};

    for (size_t i = 0; i < count; i++) {
        table->present[rows[i][0]] = true;
        for (size_t c = 0; c < 6; c++)
            table->counts[rows[i][0]][columns[c]] = rows[i][c + 1];
    }
}

static void add_phase(Section *section, const char *name, Action action, int32_t only_day,
                      int32_t except_day)
{
    Phase *phase = &section->phases[section->count++];

    snprintf(phase->name, sizeof(phase->name), "%s", name);
    phase->action_count = 1;
    phase->actions[0] = (uint8_t)action;
    phase->only_day = only_day;
    phase->except_day = except_day;
}

static void set_name(Ruleset *rules, const char *name, const char *title)
{
    snprintf(rules->name, sizeof(rules->name), "%s", name);
    snprintf(rules->title, sizeof(rules->title), "%s", title);
}

/* The nights of all AIWolf divisions: docs/spec/protocol-division.md 3.1; docs/spec/nlp-division.md
 * 4.2. On day 0 the wolves whisper before the divination, later after it. */
static void set_aiwolf_night(Section *night)
{
    add_phase(night, "evening_whisper", ACTION_WHISPER, 0, DAY_ANY);
    add_phase(night, "execution", ACTION_EXECUTION, DAY_ANY, 0);
    add_phase(night, "divine", ACTION_DIVINE, DAY_ANY, DAY_ANY);
    add_phase(night, "night_whisper", ACTION_WHISPER, DAY_ANY, 0);
    add_phase(night, "guard", ACTION_GUARD, DAY_ANY, 0);
    add_phase(night, "attack", ACTION_ATTACK, DAY_ANY, 0);
}

/* ---- protocol division: docs/spec/protocol-division.md 3 and 4.1 ---- */

static TalkRules protocol_talk(void)
{
    return (TalkRules){
        .exchange = EXCHANGE_SEQUENTIAL,
        .order = ORDER_TURN,
        .max_per_agent = 10,
        .max_turns = 20,
        .keywords = true,
        .max_skip = 2,
        .skip_rule = SKIP_AGENT,
        .spent_says_over = true,
        .on_empty = FILLER_SKIP,
        .empty_is_final = true,
        .on_lapse = FILLER_OVER, /* 6.3: does not prolong the phase */
        .validate = true,
        .min_participants = 1,
        .max_bytes = 8192,
        .max_lines = 2000,
        .length = {.per_talk = LIMIT_NONE,
                   .per_agent = LIMIT_NONE,
                   .base_length = LIMIT_NONE,
                   .mention_length = LIMIT_NONE},
    };
}

static void preset_aiwolf_2021(Ruleset *rules)
{
    set_name(rules, "aiwolf-2021", "AIWolf contest, regulation of 2021 (protocol division)");
    rules->players = 15;
    set_roles(&rules->roles, protocol_roles, sizeof(protocol_roles) / sizeof(protocol_roles[0]));
    add_phase(&rules->day, "talk", ACTION_TALK, DAY_ANY, 0);
    set_aiwolf_night(&rules->night);
    rules->talk = protocol_talk();
    rules->whisper = protocol_talk();
    rules->whisper.min_participants = 2; /* a lone wolf does not whisper: 3.4 */
    rules->vote =
        (VoteRules){.rounds = 2, .invalid = INVALID_RANDOM, .tie = TIE_RANDOM, .visible = true};
    rules->attack = (AttackRules){.rounds = 2, .tie = TIE_RANDOM, .no_vote = NO_VOTE_HUMANS};
    rules->ability = (AbilityRules){.divine_self = true, .guard_dead = true};
    rules->secrecy = (SecrecyRules){.execution_told = TOLD_NIGHT, .ghosts_see = GHOSTS_OWN};
    rules->end = (EndRules){.check = END_AFTER_NIGHT, .goal = GOAL_PARITY, .max_day = LIMIT_NONE};
    rules->contest = (ContestRules){.agent_index = AGENT_INDEX_SET,
                                    .games_per_set = 100,
                                    .time_limit_ms = 100,
                                    .time_limit_grace_ms = 100,
                                    .time_limit_told_ms = 100};
}

/* Section 4, row 1: what is said in a turn is handed out together. */
static void preset_aiwolf_2019(Ruleset *rules)
{
    preset_aiwolf_2021(rules);
    set_name(rules, "aiwolf-2019", "AIWolf contest, regulation of 2019 (protocol division)");
    rules->talk.exchange = rules->whisper.exchange = EXCHANGE_TURN;
}

/* The Java server 0.6.3 with its built-in settings: section 2.6 and column "code" of section 4. */
static void preset_aiwolf_server(Ruleset *rules)
{
    preset_aiwolf_2021(rules);
    set_name(rules, "aiwolf-server", "AIWolf server 0.6.3 with its built-in settings");
    rules->talk.on_lapse = rules->whisper.on_lapse = FILLER_SKIP;
    rules->contest = (ContestRules){.role_request = true,
                                    .agent_index = AGENT_INDEX_SET,
                                    .games_per_set = 1,
                                    .time_limit_ms = 1000,
                                    .time_limit_told_ms = -1};
}

/* ---- natural-language division: docs/spec/nlp-division.md 4, 5 and 7.2 ---- */

static TalkRules nlp_talk(void)
{
    return (TalkRules){
        .exchange = EXCHANGE_SEQUENTIAL,
        .order = ORDER_SESSION,
        .max_per_agent = 4,
        .max_turns = 52,
        .keywords = true,
        .max_skip = 0,
        .skip_rule = SKIP_BUDGET,
        .skip_costs = true,
        .over_is_final = true,
        .on_empty = FILLER_OVER,
        .empty_is_final = true,
        .on_lapse = FILLER_SKIP,
        .min_participants = 2,
        .max_bytes = 16384,
        .max_lines = 2000,
        .length = {.per_talk = LIMIT_NONE,
                   .per_agent = LIMIT_NONE,
                   .base_length = 50,
                   .mention_length = 50},
    };
}

static void preset_nlp_turn(Ruleset *rules)
{
    set_name(rules, "nlp-turn", "AIWolf contest, natural-language division, in turns");
    rules->players = 5;
    set_roles(&rules->roles, nlp_roles, sizeof(nlp_roles) / sizeof(nlp_roles[0]));
    add_phase(&rules->day, "morning_whisper", ACTION_WHISPER, 0, DAY_ANY);
    add_phase(&rules->day, "daily_talk", ACTION_TALK, DAY_ANY, DAY_ANY);
    set_aiwolf_night(&rules->night);
    rules->talk = nlp_talk();
    rules->whisper = nlp_talk();
    rules->whisper.max_turns = 12;
    rules->vote = (VoteRules){.rounds = 1,
                              .invalid = INVALID_DROP,
                              .self_vote = true,
                              .tie = TIE_RANDOM,
                              .visible = true};
    rules->attack = (AttackRules){.rounds = 1,
                                  .vote_for_wolf = true,
                                  .self_vote = true,
                                  .tie = TIE_RANDOM,
                                  .no_vote = NO_VOTE_NOBODY};
    rules->secrecy = (SecrecyRules){.execution_told = TOLD_EVERYBODY, .ghosts_see = GHOSTS_OWN};
    rules->end =
        (EndRules){.check = END_AFTER_PHASE, .goal = GOAL_PARITY_WOLF_FIRST, .max_day = LIMIT_NONE};
    rules->contest = (ContestRules){.agent_index = AGENT_INDEX_SET,
                                    .games_per_set = 1,
                                    .time_limit_ms = 60000,
                                    .time_limit_grace_ms = 5000,
                                    .time_limit_told_ms = 60000};
}

/* Section 10: talk at any time for ten minutes; whispers stay in turns. */
static void preset_nlp_anytime(Ruleset *rules)
{
    preset_nlp_turn(rules);
    set_name(rules, "nlp-anytime", "AIWolf contest, natural-language division, speak at any time");
    rules->talk.exchange = EXCHANGE_ANYTIME;
    rules->talk.duration_ms = 600000;
}

/* ---- MAW: docs/spec/maw.md 1, the column "Document / default" and the resolutions [R] ---- */

static TalkRules maw_talk(int32_t duration_ms)
{
    return (TalkRules){
        .exchange = EXCHANGE_ANYTIME,
        .order = ORDER_TURN,
        .max_per_agent = LIMIT_NONE,
        .max_turns = 1,
        .skip_rule = SKIP_AGENT,
        .on_empty = FILLER_SKIP,
        .empty_is_final = true,
        .on_lapse = FILLER_SKIP,
        .min_participants = 1,
        .duration_ms = duration_ms,
        .max_bytes = 2000, /* 500 code points */
        .max_lines = 2000,
        .length = {.count_spaces = true,
                   .per_talk = 500,
                   .per_agent = LIMIT_NONE,
                   .base_length = LIMIT_NONE,
                   .mention_length = LIMIT_NONE},
    };
}

static void preset_maw(Ruleset *rules)
{
    set_name(rules, "maw", "MAW: open rooms against the clock, public votes, points over rounds");
    rules->players = 6;
    rules->first_day = 1;
    rules->wolves = WOLVES_FLOOR;
    add_phase(&rules->day, "village", ACTION_VILLAGE, DAY_ANY, DAY_ANY);
    add_phase(&rules->night, "hideout", ACTION_HIDEOUT, DAY_ANY, DAY_ANY);
    rules->talk = maw_talk(300000);
    rules->whisper = maw_talk(120000);
    rules->vote = (VoteRules){.rounds = 1,
                              .invalid = INVALID_DROP,
                              .tie = TIE_NOBODY,
                              .revote_ms = 30000,
                              .visible = true,
                              .min_votes = 1};
    rules->attack = (AttackRules){.rounds = 1, .tie = TIE_NOBODY, .no_vote = NO_VOTE_NOBODY};
    rules->secrecy = (SecrecyRules){.execution_told = TOLD_EVERYBODY, .ghosts_see = GHOSTS_ALL};
    rules->end = (EndRules){.check = END_AFTER_DEATH,
                            .goal = GOAL_ELIMINATION,
                            .max_day = 20,
                            .max_idle_phases = 6,
                            .score = SCORE_MAW};
    rules->contest = (ContestRules){
        .agent_index = AGENT_INDEX_SET, .games_per_set = 1, .time_limit_told_ms = -1};
}

/* To add a preset: write its function above, add a row, and describe it in docs/rules.md. */
static const struct {
    const char *name;
    void (*fill)(Ruleset *rules);
} presets[] = {
    {"aiwolf-2019", preset_aiwolf_2019},     {"aiwolf-2021", preset_aiwolf_2021},
    {"aiwolf-server", preset_aiwolf_server}, {"nlp-turn", preset_nlp_turn},
    {"nlp-anytime", preset_nlp_anytime},     {"maw", preset_maw},
};

#define PRESET_COUNT (sizeof(presets) / sizeof(presets[0]))

const char *ruleset_preset_name(size_t index)
{
    return index < PRESET_COUNT ? presets[index].name : NULL;
}

int ruleset_preset(Str name, Ruleset *ret_rules, Err *err)
{
    char list[256];
    size_t used = 0;

    for (size_t i = 0; i < PRESET_COUNT; i++) {
        if (str_eq(name, str_of(presets[i].name))) {
            memset(ret_rules, 0, sizeof(*ret_rules));
            presets[i].fill(ret_rules);
            return 0;
        }
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
                                 presets[i].name);
    }
    return err_set(err, ERR_RULE, "no ruleset is called '%.*s'; there are %s, or give a file",
                   STR_ARG(str_part(name, 0, 64)), list);
}
