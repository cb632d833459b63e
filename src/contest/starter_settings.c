#include "contest/starter_settings.h"

#include "contest/starter_line.h"

#define REVOTES_MAX 19 /* one less than the ballots of a ruleset */

/* What a file says; most of it is a rule itself. */
typedef struct Settings {
    Ruleset rules;
    int32_t revotes;
    int32_t attack_revotes;
    bool no_execution;
    bool no_attack;
    bool talk_on_first_day;
    bool first_day_votes; /* used nowhere: docs/spec/protocol-division.md 2.6 */
    int64_t seed;         /* used nowhere */
} Settings;

/* A table reads as a table. */
/* clang-format off */
#define FLAG(name, member) {.path = name, .kind = KEY_FLAG, KEY_AT(Settings, member)}
#define NUMBER(name, member, low, high)                                                           \
    {.path = name, .kind = KEY_NUMBER, KEY_AT(Settings, member), .min = low, .max = high}

static const KeyRow keys[] = {
    NUMBER("maxTalk", rules.talk.max_per_agent, 0, 10000),
    NUMBER("maxTalkTurn", rules.talk.max_turns, 0, 10000),
    NUMBER("maxWhisper", rules.whisper.max_per_agent, 0, 10000),
    NUMBER("maxWhisperTurn", rules.whisper.max_turns, 0, 10000),
    NUMBER("maxSkip", rules.talk.max_skip, 0, 10000),
    NUMBER("maxRevote", revotes, 0, REVOTES_MAX),
    NUMBER("maxAttackRevote", attack_revotes, 0, REVOTES_MAX),
    FLAG("isEnableNoAttack", no_attack),
    FLAG("isEnableNoExecution", no_execution),
    FLAG("isEnableRoleRequest", rules.contest.role_request),
    FLAG("isVoteVisible", rules.vote.visible),
    FLAG("isTalkOnFirstDay", talk_on_first_day),
    FLAG("isVotableInFirstDay", first_day_votes),
    FLAG("isValidateUtterance", rules.talk.validate),
    FLAG("isWhisperBeforeRevote", rules.attack.whisper_before_revote),
    NUMBER("randomSeed", seed, INT64_MIN, INT64_MAX),
    NUMBER("timeLimit", rules.contest.time_limit_told_ms, -1, 86400000),
};
/* clang-format on */

static const KeyTable table = KEY_TABLE(keys, &starter_manner);

/* With talk on day 0 the whisper of that day comes before it: spec 3.1. */
static void talk_on_first_day(Ruleset *rules)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < rules->night.count; i++) {
        const Phase *phase = &rules->night.phases[i];
        if (phase->actions[0] == ACTION_WHISPER && phase->only_day == 0) {
            rules->day.phases[1] = rules->day.phases[0];
            rules->day.phases[1].except_day = DAY_ANY;
            rules->day.phases[0] = *phase;
            rules->day.count = 2;
        } else {
            rules->night.phases[kept++] = *phase;
        }
    }
    rules->night.count = kept;
}

/* What follows from settings that are no rules themselves. */
static void apply_settings(Settings *settings)
{
    Ruleset *rules = &settings->rules;
    const int32_t limit = rules->contest.time_limit_told_ms;

    rules->whisper.max_skip = rules->talk.max_skip;
    rules->whisper.validate = rules->talk.validate;
    rules->vote.rounds = 1 + settings->revotes;
    rules->vote.tie = settings->no_execution ? TIE_NOBODY : TIE_RANDOM;
    rules->attack.rounds = 1 + settings->attack_revotes;
    rules->attack.tie = settings->no_attack ? TIE_NOBODY : TIE_RANDOM;
    rules->attack.no_vote = settings->no_attack ? NO_VOTE_NOBODY : NO_VOTE_HUMANS;
    rules->contest.time_limit_ms = limit < 0 ? 1000 : limit;
    if (settings->talk_on_first_day)
        talk_on_first_day(rules);
}

int starter_settings_load(Str text, Ruleset *ret_rules, Err *err)
{
    Settings settings = {0};
    const KeyReading reading = {.table = &table, .target = &settings};
    unsigned number = 0;
    Str line, name, value;
    int rc = ruleset_preset(STR("aiwolf-server"), &settings.rules, err);

    if (text.len > STARTER_SETTINGS_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a settings file has at most %zu bytes",
                       STARTER_SETTINGS_BYTES_MAX);
    key_table_zero(&table, &settings);
    while (rc == 0 && starter_next_line(&text, &number, &line))
        if (starter_split_setting(line, &name, &value))
            rc = starter_read_setting(&reading, name, value, number, NULL, err);
        else
            rc = err_set_at(err, ERR_RULE, number, 0, "expected 'name = value', found '%.*s'",
                            STR_ARG(str_part(line, 0, 100)));
    if (rc == 0 && settings.rules.contest.time_limit_told_ms == 0)
        rc = err_set(err, ERR_RULE,
                     "without timeLimit, or with 0, the old server gives agents 0 ms to answer; "
                     "add a line such as timeLimit = 1000");
    if (rc)
        return rc;
    apply_settings(&settings);
    *ret_rules = settings.rules;
    return 0;
}
