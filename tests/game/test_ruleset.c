/* test_ruleset.c - presets, their values, and rulesets as files: printing, reading, errors.
 *
 * Source: docs/spec/protocol-division.md 4.1 and 7; docs/spec/nlp-division.md 5.5, 7.3;
 *         docs/spec/maw.md 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "game/game.h"

static Ruleset preset(const char *name)
{
    Ruleset rules;
    Err err = {0};

    if (ruleset_preset(str_of(name), &rules, &err))
        fail_msg("%s", err.msg);
    return rules;
}

static Str print(const Ruleset *rules, Buf *out)
{
    buf_clear(out);
    ruleset_print(rules, out);
    assert_false(buf_failed(out));
    return buf_str(out);
}

static Ruleset read_text(Str text)
{
    Ruleset rules;
    Err err = {0};

    if (ruleset_read(text, &rules, &err))
        fail_msg("line %u, column %u: %s", err.line, err.column, err.msg);
    return rules;
}

/* ---- a printed ruleset, line by line ---- */

typedef struct Line {
    Str section;
    Str key;
    Str value;
    Str comment;
} Line;

/* The next "key: value # comment" that is a rule; false at the end. */
static bool next_rule(Str *rest, Str *section, Line *ret_line)
{
    Str above = {0}; /* a long comment stands in lines of its own above its rule */

    while (rest->len) {
        Str line = str_cut(rest, '\n');
        bool inside = str_starts(line, STR("  "));
        Str trimmed = str_trim(line);
        if (str_starts(trimmed, STR("#"))) {
            if (!above.len)
                above = str_trim(str_part(trimmed, 1, trimmed.len));
            continue;
        }
        Str value = line;
        Str key = str_trim(str_cut(&value, ':'));
        Str comment = value;
        value = str_trim(str_cut(&comment, '#'));
        if (!inside) {
            *section = value.len ? STR("") : key;
            if (!value.len)
                continue;
        }
        bool other = str_eq(*section, STR("roles")) || str_eq(*section, STR("day_phases")) ||
                     str_eq(*section, STR("night_phases")) || str_starts(value, STR("\"")) ||
                     str_starts(value, STR("{"));
        if (other) {
            above.len = 0;
            continue;
        }
        comment = str_trim(comment);
        *ret_line = (Line){inside ? *section : STR(""), key, value, comment.len ? comment : above};
        return true;
    }
    return false;
}

/* The value of "section.key", or of a "key" at the top, as printed. */
static Str value_of(Str printed, const char *name)
{
    Str rest = printed;
    Str section = STR("");
    Str key = str_of(name);
    Str wanted = memchr(name, '.', strlen(name)) ? str_cut(&key, '.') : STR("");
    Line line;

    while (next_rule(&rest, &section, &line))
        if (str_eq(line.section, wanted) && str_eq(line.key, key))
            return line.value;
    fail_msg("there is no rule '%s'", name);
    return STR("");
}

/* ---- presets ---- */

static void there_are_six_presets(void **state)
{
    static const char *const names[] = {"aiwolf-2019", "aiwolf-2021", "aiwolf-server",
                                        "nlp-turn",    "nlp-anytime", "maw"};
    Ruleset rules;
    Err err = {0};

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(ruleset_preset_name(i), names[i]);
        rules = preset(names[i]);
        assert_string_equal(rules.name, names[i]);
        assert_int_equal(ruleset_check(&rules, NULL), 0);
    }
    assert_null(ruleset_preset_name(6));
    assert_int_equal(ruleset_preset(STR("aiwolf-2020"), &rules, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "aiwolf-2019, aiwolf-2021, aiwolf-server, nlp-turn"));
}

static void every_preset_prints_and_reads_back_to_the_same(void **state)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};

    (void)state;
    for (size_t i = 0; ruleset_preset_name(i); i++) {
        Ruleset rules = preset(ruleset_preset_name(i));
        Ruleset again = read_text(print(&rules, &first));
        assert_true(str_eq(print(&again, &second), buf_str(&first)));
    }
}

static void a_preset_under_another_name_reads_back_to_the_same(void **state)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};

    (void)state;
    for (size_t i = 0; ruleset_preset_name(i); i++) {
        Ruleset rules = preset(ruleset_preset_name(i));
        snprintf(rules.name, sizeof(rules.name), "of our own");
        snprintf(rules.title, sizeof(rules.title), "a \"title\" with \\ and 人狼 # not a comment");
        snprintf(rules.day.phases[0].name, PHASE_NAME_MAX, "a\"b\\c: {d}");
        Ruleset again = read_text(print(&rules, &first));
        assert_true(str_eq(print(&again, &second), buf_str(&first)));
        assert_string_equal(again.title, rules.title);
        assert_string_equal(again.day.phases[0].name, rules.day.phases[0].name);
    }
}

static void labels_with_odd_line_breaks_read_back(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    Ruleset rules = read_text(STR("title: \"a\\u0085b\\u2028c\\u2029d\\uFEFFe\\u009Ff\\xA0g\"\n"));
    Ruleset again = read_text(print(&rules, &out));
    assert_string_equal(again.title, rules.title);
    assert_int_equal(strlen(rules.title), 22);
}

static void a_ruleset_without_roles_reads_back_without_roles(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    Ruleset rules = read_text(STR("ruleset: aiwolf-2021\nwolves: floor\nroles: {}\n"));
    Ruleset again = read_text(print(&rules, &out));
    for (int players = 0; players <= SEAT_MAX; players++)
        assert_false(again.roles.present[players]);
}

/* The usual number of a file that has roles and says none: that of its largest table. */
static void without_players_the_largest_table_is_the_usual_one(void **state)
{
    (void)state;
    Ruleset rules = read_text(STR("ruleset: aiwolf-2021\nroles:\n"
                                  "  4: {VILLAGER: 2, SEER: 1, WEREWOLF: 1}\n"
                                  "  7: {VILLAGER: 5, SEER: 1, WEREWOLF: 1}\n"
                                  "  6: {VILLAGER: 4, SEER: 1, WEREWOLF: 1}\n"));
    assert_int_equal(rules.players, 7);
    rules = read_text(STR("ruleset: aiwolf-2021\nplayers: 6\nroles:\n"
                          "  6: {VILLAGER: 4, SEER: 1, WEREWOLF: 1}\n"
                          "  7: {VILLAGER: 5, SEER: 1, WEREWOLF: 1}\n"));
    assert_int_equal(rules.players, 6);
    rules = read_text(STR("ruleset: aiwolf-2021\n")); /* the preset's own number */
    Ruleset preset;
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &preset, NULL), 0);
    assert_int_equal(rules.players, preset.players);
}

/* ---- values ---- */

typedef struct Value {
    const char *presets; /* which, in words */
    const char *rule;
    const char *value;
} Value;

static const Value values[] = {
    /* protocol 4.1 */
    {"aiwolf-2019", "talk.exchange", "turn"},
    {"aiwolf-2019", "whisper.exchange", "turn"},
    {"aiwolf-2021 aiwolf-server", "talk.exchange", "sequential"},
    {"aiwolf-2021 aiwolf-server", "whisper.exchange", "sequential"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.skip_rule", "agent"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.max_per_agent", "10"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.max_turns", "20"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.max_skip", "2"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.skip_costs", "false"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.order", "turn"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.over_is_final", "false"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.spent_says_over", "true"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "talk.validate", "true"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "whisper.max_per_agent", "10"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "whisper.max_turns", "20"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "whisper.min_participants", "2"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "vote.rounds", "2"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "vote.invalid", "random"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "vote.self_vote", "false"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "vote.tie", "random"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "vote.visible", "true"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "attack.rounds", "2"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "attack.vote_for_wolf", "false"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "attack.tie", "random"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "attack.no_vote", "humans"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "attack.whisper_before_revote", "false"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "ability.divine_self", "true"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "ability.guard_dead", "true"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "secrecy.execution_told", "night"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "end.check", "night"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "end.goal", "parity"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "end.max_day", "-1"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "first_day", "0"},
    {"aiwolf-2019 aiwolf-2021", "contest.role_request", "false"},
    {"aiwolf-server", "contest.role_request", "true"},
    {"aiwolf-2019 aiwolf-2021 aiwolf-server", "contest.agent_index", "set"},
    {"aiwolf-2019 aiwolf-2021", "contest.time_limit_ms", "100"},
    {"aiwolf-server", "contest.time_limit_ms", "1000"},
    {"aiwolf-2019 aiwolf-2021", "contest.time_limit_grace_ms", "100"},
    {"aiwolf-server", "contest.time_limit_grace_ms", "0"},
    {"aiwolf-2019 aiwolf-2021", "contest.time_limit_told_ms", "100"},
    {"aiwolf-server", "contest.time_limit_told_ms", "-1"},
    {"aiwolf-2019 aiwolf-2021", "contest.games_per_set", "100"},
    {"aiwolf-server", "contest.games_per_set", "1"},
    /* nlp 4, 5 */
    {"nlp-turn nlp-anytime", "talk.max_per_agent", "4"},
    {"nlp-turn nlp-anytime", "whisper.max_per_agent", "4"},
    {"nlp-turn nlp-anytime", "talk.max_turns", "52"},
    {"nlp-turn nlp-anytime", "whisper.max_turns", "12"},
    {"nlp-turn nlp-anytime", "talk.max_skip", "0"},
    {"nlp-turn nlp-anytime", "talk.skip_rule", "budget"},
    {"nlp-turn nlp-anytime", "talk.skip_costs", "true"},
    {"nlp-turn nlp-anytime", "talk.over_is_final", "true"},
    {"nlp-turn nlp-anytime", "talk.on_empty", "over"},
    {"nlp-turn nlp-anytime", "talk.on_lapse", "skip"},
    {"nlp-turn nlp-anytime", "talk.order", "session"},
    {"nlp-turn nlp-anytime", "talk.min_participants", "2"},
    {"nlp-turn nlp-anytime", "talk.base_length", "50"},
    {"nlp-turn nlp-anytime", "talk.mention_length", "50"},
    {"nlp-turn nlp-anytime", "talk.per_talk", "-1"},
    {"nlp-turn nlp-anytime", "talk.per_agent", "-1"},
    {"nlp-turn nlp-anytime", "talk.count_in_word", "false"},
    {"nlp-turn nlp-anytime", "talk.count_spaces", "false"},
    {"nlp-turn nlp-anytime", "talk.empty_is_final", "true"},
    {"nlp-turn nlp-anytime", "talk.force_skip_is_free", "false"},
    {"nlp-turn nlp-anytime", "talk.mention", "longest"},
    {"nlp-turn nlp-anytime", "vote.rounds", "1"},
    {"nlp-turn nlp-anytime", "vote.invalid", "drop"},
    {"nlp-turn nlp-anytime", "attack.no_vote", "nobody"},
    {"nlp-turn nlp-anytime", "attack.vote_for_wolf", "true"},
    {"nlp-turn nlp-anytime", "ability.divine_self", "false"},
    {"nlp-turn nlp-anytime", "ability.guard_dead", "false"},
    {"nlp-turn nlp-anytime", "end.check", "phase"},
    {"nlp-turn nlp-anytime", "end.goal", "parity-wolf-first"},
    {"nlp-turn", "talk.exchange", "sequential"},
    {"nlp-anytime", "talk.exchange", "anytime"},
    {"nlp-anytime", "talk.duration_ms", "600000"},
    {"nlp-anytime", "talk.silence_ms", "0"},
    {"nlp-turn nlp-anytime", "whisper.exchange", "sequential"},
    /* maw */
    {"maw", "players", "6"},
    {"maw", "wolves", "floor"},
    {"maw", "first_day", "1"},
    {"maw", "talk.exchange", "anytime"},
    {"maw", "talk.duration_ms", "300000"},
    {"maw", "whisper.duration_ms", "120000"},
    {"maw", "talk.keywords", "false"},
    {"maw", "talk.per_talk", "500"},
    {"maw", "vote.visible", "true"},
    {"maw", "vote.min_votes", "1"},
    {"maw", "vote.tie", "nobody"},
    {"maw", "vote.self_vote", "false"},
    {"maw", "secrecy.ghosts_see", "all"},
    {"maw", "end.check", "death"},
    {"maw", "end.goal", "elimination"},
    {"maw", "end.max_idle_phases", "6"},
    {"maw", "end.max_day", "20"},
    {"maw", "end.score", "maw"},
};

static void presets_have_the_values_of_their_documents(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        Str names = str_of(values[i].presets);
        while (names.len) {
            Ruleset rules;
            Str name = str_cut(&names, ' ');
            assert_int_equal(ruleset_preset(name, &rules, NULL), 0);
            Str got = value_of(print(&rules, &out), values[i].rule);
            if (!str_eq(got, str_of(values[i].value)))
                fail_msg("%.*s: %s is %.*s, not %s", STR_ARG(name), values[i].rule, STR_ARG(got),
                         values[i].value);
        }
    }
}

static void aiwolf_2019_differs_from_2021_by_the_exchange_only(void **state)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};

    (void)state;
    Ruleset r19 = preset("aiwolf-2019");
    Ruleset r21 = preset("aiwolf-2021");
    r19.talk.exchange = r19.whisper.exchange = EXCHANGE_SEQUENTIAL;
    memcpy(r19.name, r21.name, sizeof(r19.name));
    memcpy(r19.title, r21.title, sizeof(r19.title));
    print(&r19, &first);
    assert_true(str_eq(print(&r21, &second), buf_str(&first)));
}

static void role_tables_are_those_of_the_documents(void **state)
{
    /* players, villager, seer, medium, bodyguard, werewolf, possessed */
    static const uint8_t protocol[][7] = {
        {3, 1, 1, 0, 0, 1, 0},   {4, 2, 1, 0, 0, 1, 0},  {5, 2, 1, 0, 0, 1, 1},
        {6, 3, 1, 0, 0, 1, 1},   {7, 4, 1, 0, 0, 2, 0},  {8, 4, 1, 1, 0, 2, 0},
        {9, 5, 1, 1, 0, 2, 0},   {10, 4, 1, 1, 1, 2, 1}, {11, 5, 1, 1, 1, 2, 1},
        {12, 5, 1, 1, 1, 3, 1},  {13, 6, 1, 1, 1, 3, 1}, {14, 7, 1, 1, 1, 3, 1},
        {15, 8, 1, 1, 1, 3, 1},  {16, 9, 1, 1, 1, 3, 1}, {17, 10, 1, 1, 1, 3, 1},
        {18, 11, 1, 1, 1, 3, 1}, {5, 2, 1, 0, 0, 1, 1},  {9, 3, 1, 1, 1, 2, 1},
        {13, 6, 1, 1, 1, 3, 1},
    };
    static const Role columns[] = {ROLE_NONE,      ROLE_VILLAGER, ROLE_SEER,     ROLE_MEDIUM,
                                   ROLE_BODYGUARD, ROLE_WEREWOLF, ROLE_POSSESSED};
    uint8_t counts[ROLE_COUNT];
    Err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(protocol) / sizeof(protocol[0]); i++) {
        Ruleset rules = preset(i < 16 ? "aiwolf-2021" : "nlp-turn");
        assert_int_equal(ruleset_roles(&rules, protocol[i][0], counts, NULL), 0);
        for (size_t c = 1; c < 7; c++)
            assert_int_equal(counts[columns[c]], protocol[i][c]);
    }
    Ruleset rules = preset("nlp-turn");
    assert_int_equal(ruleset_roles(&rules, 6, counts, &err), ERR_RULE);
    assert_string_equal(err.msg,
                        "ruleset 'nlp-turn' has no roles for 6 players; it has rows for: 5 9 13");
    rules = preset("aiwolf-2021");
    assert_int_equal(ruleset_roles(&rules, 2, counts, NULL), ERR_RULE);
    assert_int_equal(ruleset_roles(&rules, 19, counts, NULL), ERR_RULE);
    assert_int_equal(ruleset_roles(&rules, -1, counts, NULL), ERR_RULE);
    assert_int_equal(ruleset_roles(&rules, 1000, counts, NULL), ERR_RULE);
}

/* ---- changing a rule in a file ---- */

/* Another value than `line` has: the other truth, the next number, the next word. */
static void other_value(const Line *line, Buf *out)
{
    int64_t number;
    Str words = line->comment;

    buf_clear(out);
    if (str_eq(line->value, STR("true")) || str_eq(line->value, STR("false"))) {
        buf_add(out, line->value.len == 4 ? STR("false") : STR("true"));
        return;
    }
    if (str_to_int(line->value, -1, 1000000000, &number)) {
        buf_add_int(out, number + 1);
        return;
    }
    words = str_cut(&words, ' '); /* "a|b|c, what it is about" */
    words = str_cut(&words, ',');
    while (words.len) {
        Str word = str_trim(str_cut(&words, '|'));
        if (!str_eq(word, line->value)) {
            buf_add(out, word);
            return;
        }
    }
}

static void every_rule_can_be_changed_in_a_file(void **state)
{
    CLEANUP(buf_done) Buf printed = {0};
    CLEANUP(buf_done) Buf file = {0};
    CLEANUP(buf_done) Buf again = {0};
    CLEANUP(buf_done) Buf value = {0};
    Ruleset start = preset("aiwolf-2021");
    Str rest = print(&start, &printed);
    Str section = STR("");
    unsigned changed = 0;
    Line line;

    (void)state;
    while (next_rule(&rest, &section, &line)) {
        Ruleset rules;
        Err err = {0};
        char name[128];
        other_value(&line, &value);
        buf_clear(&file);
        buf_printf(&file, "ruleset: aiwolf-2021\n");
        if (line.section.len)
            buf_printf(&file, "%.*s:\n  ", STR_ARG(line.section));
        buf_printf(&file, "%.*s: %s\n", STR_ARG(line.key), buf_cstr(&value));
        snprintf(name, sizeof(name), "%.*s%s%.*s", STR_ARG(line.section),
                 line.section.len ? "." : "", STR_ARG(line.key));
        if (ruleset_read(buf_str(&file), &rules, &err)) {
            /* known, but not possible alone */
            if (strcmp(name, "whisper.whisper_after_turn") != 0)
                fail_msg("%s: %s", name, err.msg);
            continue;
        }
        if (!str_eq(value_of(print(&rules, &again), name), buf_str(&value)))
            fail_msg("%s does not change to %s", name, buf_cstr(&value));
        changed++;
    }
    assert_in_range(changed, 75, 200);
}

static void roles_and_phases_and_titles_can_be_changed_in_a_file(void **state)
{
    (void)state;
    Ruleset rules = read_text(STR("ruleset: nlp-turn\n"
                                  "title: mine\n"
                                  "roles:\n"
                                  "  4: {VILLAGER: 2, SEER: 1, WEREWOLF: 1}\n"
                                  "day_phases:\n"
                                  "  - {name: a, actions: [talk, execution], except_day: 0}\n"
                                  "night_phases:\n"
                                  "  - actions: [attack]\n"
                                  "    only_day: 3\n"));
    assert_string_equal(rules.title, "mine");
    assert_true(rules.roles.present[4]);
    assert_false(rules.roles.present[5]);
    assert_int_equal(rules.roles.counts[4][ROLE_VILLAGER], 2);
    assert_int_equal(rules.day.count, 1);
    assert_int_equal(rules.day.phases[0].action_count, 2);
    assert_int_equal(rules.day.phases[0].actions[1], ACTION_EXECUTION);
    assert_int_equal(rules.day.phases[0].except_day, 0);
    assert_int_equal(rules.day.phases[0].only_day, DAY_ANY);
    assert_int_equal(rules.night.phases[0].only_day, 3);
    assert_string_equal(rules.night.phases[0].name, "");
    assert_int_equal(rules.talk.max_per_agent, 4);
}

static void a_file_with_a_name_of_its_own_starts_from_aiwolf_2021(void **state)
{
    (void)state;
    Ruleset rules = read_text(STR("ruleset: ours\ntalk: {max_turns: 7}\n"));
    assert_string_equal(rules.name, "ours");
    assert_int_equal(rules.talk.max_turns, 7);
    assert_int_equal(rules.talk.max_per_agent, 10);
    rules = read_text(STR("title: mine\n"));
    assert_string_equal(rules.name, "aiwolf-2021");
}

/* ---- errors ---- */

#define ANYWHERE 1000

typedef struct Wrong {
    const char *text;
    ErrCode code;
    unsigned line;
    unsigned column;
    const char *says; /* part of the message */
} Wrong;

static const Wrong wrongs[] = {
    {"ruleset: maw\ntakl: {}\n", ERR_RULE, 2, 1, "'takl' is no rule; did you mean 'talk'?"},
    {"talk:\n  max_tunrs: 3\n", ERR_RULE, 2, 3, "did you mean 'max_turns'?"},
    {"talk:\n  qqqqqqqqqqqqqqq: 3\n", ERR_RULE, 2, 3, "is no rule"},
    {"talk:\n  max_turns: many\n", ERR_SYNTAX, 2, 14, "max_turns"},
    {"talk:\n  max_turns: -1\n", ERR_SYNTAX, 2, 14, "max_turns"},
    {"talk:\n  max_turns: 99999999999999999999\n", ERR_SYNTAX, 2, 14, "max_turns"},
    {"talk:\n  validate: yes\n", ERR_SYNTAX, 2, 13, "validate"},
    {"talk:\n  exchange: chat\n", ERR_RULE, 2, 13, "'chat' is none of sequential, turn, anytime"},
    {"talk: 3\n", ERR_SYNTAX, 1, 7, "talk"},
    {"players: [5]\n", ERR_SYNTAX, 1, 10, "players"},
    {"roles:\n  5: {VILLAGER: 3, WEREWOLF: 1}\n", ERR_RULE, 2, 3,
     "roles for 5 players add up to 4"},
    {"roles:\n  5: {VILLAGER: 4, WOLF: 1}\n", ERR_RULE, 2, 20, "WOLF"},
    {"roles:\n  40: {VILLAGER: 40}\n", ERR_RULE, 2, 3, ""},
    {"roles:\n  5: {NONE: 5}\n", ERR_RULE, 2, 7, "NONE"},
    {"day_phases:\n  - {name: a, actions: [talk, sing]}\n", ERR_RULE, 2, 31,
     "'sing' is none of talk, whisper"},
    {"day_phases:\n  - {name: a}\n", ERR_RULE, 2, 5, "a phase needs 'actions'"},
    {"day_phases:\n  - {actions: [talk], day: 1}\n", ERR_SYNTAX, 2, 23, "day"},
    {"day_phases:\n  - {actions: [talk, talk, talk, talk, talk, talk, talk]}\n", ERR_LIMIT, 2, 52,
     "more than 6 actions"},
    {"day_phases:\n  - {actions: [talk], only_day: 1001}\n", ERR_SYNTAX, 2, 33, "only_day"},
    {"title: \"a\\tb\"\n", ERR_RULE, 1, 8, "control characters"},
    {"ruleset: a name that is much too long for it\n", ERR_LIMIT, 1, 10, "longer than 31 bytes"},
    {"- a\n", ERR_SYNTAX, 1, 1, ""},
    {"talk: {max_turns: 1, max_turns: 2}\n", ERR_SYNTAX, 1, 22, ""},
    {"title: \"\xFF\xFE\"\n", ERR_SYNTAX, ANYWHERE, 0, "UTF-8"},
    {"a: [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]\n", ERR_LIMIT, 1, 0, ""},
    {"talk: {count_in_word: true, count_spaces: true}\n", ERR_RULE, 0, 0, "can't both be true"},
    {"talk: {exchange: anytime}\n", ERR_RULE, 0, 0, "talk.duration_ms"},
    {"talk: {exchange: anytime, duration_ms: 1, max_per_agent: -1, max_lines: 0}\n", ERR_RULE, 0, 0,
     "talk.max_lines"},
    {"day_phases:\n  - {actions: [village]}\n", ERR_RULE, 0, 0, "talk.exchange: anytime"},
    {"day_phases:\n  - {actions: [hideout]}\n", ERR_RULE, 0, 0, "whisper.exchange: anytime"},
    {"whisper: {exchange: anytime, duration_ms: 1}\nattack: {whisper_before_revote: true}\n",
     ERR_RULE, 0, 0, "whisper_before_revote"},
    {"roles: {}\n", ERR_RULE, 0, 0, "no roles for any number of players"},
    {"", ERR_RULE, 1, 1, "no rule is in it"},
    {"# a comment\n", ERR_RULE, ANYWHERE, 0, "no rule is in it"},
    {"roles:\n  5: {VILLAGER: 5}\n", ERR_RULE, 2, 3, "have no WEREWOLF"},
    {"talk:\n \tmax_turns: 7\n", ERR_SYNTAX, 2, 1, "begins with a tab"},
};

static void errors_say_what_was_expected_and_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        const Wrong *wrong = &wrongs[i];
        Ruleset rules = {.players = 77};
        Err err = {0};
        int rc = ruleset_read(str_of(wrong->text), &rules, &err);
        bool placed = (wrong->line == ANYWHERE || err.line == wrong->line) &&
                      (!wrong->column || err.column == wrong->column);
        if (rc != (int)wrong->code || rc != (int)err.code || !placed ||
            !strstr(err.msg, wrong->says))
            fail_msg("%s: error %d at %u:%u: %s", wrong->text, rc, err.line, err.column, err.msg);
        assert_int_equal(rules.players, 77); /* untouched */
    }
}

static void too_many_phases_are_refused(void **state)
{
    CLEANUP(buf_done) Buf file = {0};
    Ruleset rules;
    Err err = {0};

    (void)state;
    buf_add(&file, STR("night_phases:\n"));
    for (int i = 0; i < PHASE_MAX; i++)
        buf_add(&file, STR("  - {actions: [guard]}\n"));
    assert_int_equal(ruleset_read(buf_str(&file), &rules, NULL), 0);
    buf_add(&file, STR("  - {actions: [guard]}\n"));
    assert_int_equal(ruleset_read(buf_str(&file), &rules, &err), ERR_LIMIT);
    assert_int_equal(err.line, PHASE_MAX + 2);
    assert_string_equal(err.msg, "more than 16 phases");
}

static void a_file_that_is_too_large_is_refused(void **state)
{
    CLEANUP(buf_done) Buf file = {0};
    Ruleset rules;

    (void)state;
    buf_add(&file, STR("title: x"));
    while (file.len < 65536)
        buf_add_char(&file, file.len % 64 ? '#' : '\n');
    assert_int_equal(ruleset_read(buf_str(&file), &rules, NULL), 0);
    buf_add_char(&file, '\n');
    assert_int_equal(ruleset_read(buf_str(&file), &rules, NULL), ERR_LIMIT);
}

static void a_day_of_too_much_talk_is_refused_when_a_game_is_made(void **state)
{
    (void)state;
    CLEANUP(game_freep) Game *game = NULL;
    Err err = {0};

    Ruleset rules = read_text(STR("talk: {max_turns: 10000, max_per_agent: 10000}\n"));
    assert_int_equal(game_new(&rules, 15, &game, &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "lower max_turns"));
    assert_null(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_six_presets),
        cmocka_unit_test(every_preset_prints_and_reads_back_to_the_same),
        cmocka_unit_test(a_preset_under_another_name_reads_back_to_the_same),
        cmocka_unit_test(labels_with_odd_line_breaks_read_back),
        cmocka_unit_test(a_ruleset_without_roles_reads_back_without_roles),
        cmocka_unit_test(without_players_the_largest_table_is_the_usual_one),
        cmocka_unit_test(presets_have_the_values_of_their_documents),
        cmocka_unit_test(aiwolf_2019_differs_from_2021_by_the_exchange_only),
        cmocka_unit_test(role_tables_are_those_of_the_documents),
        cmocka_unit_test(every_rule_can_be_changed_in_a_file),
        cmocka_unit_test(roles_and_phases_and_titles_can_be_changed_in_a_file),
        cmocka_unit_test(a_file_with_a_name_of_its_own_starts_from_aiwolf_2021),
        cmocka_unit_test(errors_say_what_was_expected_and_where),
        cmocka_unit_test(too_many_phases_are_refused),
        cmocka_unit_test(a_file_that_is_too_large_is_refused),
        cmocka_unit_test(a_day_of_too_much_talk_is_refused_when_a_game_is_made),
    };

    return cmocka_run_group_tests_name("ruleset", tests, NULL, NULL);
}
