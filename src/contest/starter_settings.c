#include "contest/starter_settings.h"

#include "contest/starter_line.h"

#define REVOTES_MAX 19 /* one less than the ballots of a ruleset */

typedef enum Setting {
    SET_MAX_TALK,
    SET_MAX_TALK_TURN,
    SET_MAX_WHISPER,
    SET_MAX_WHISPER_TURN,
    SET_MAX_SKIP,
    SET_MAX_REVOTE,
    SET_MAX_ATTACK_REVOTE,
    SET_NO_ATTACK,
    SET_NO_EXECUTION,
    SET_ROLE_REQUEST,
    SET_VOTE_VISIBLE,
    SET_TALK_ON_FIRST_DAY,
    SET_VOTABLE_IN_FIRST_DAY, /* used nowhere: spec 2.6 */
    SET_VALIDATE_UTTERANCE,
    SET_WHISPER_BEFORE_REVOTE,
    SET_RANDOM_SEED, /* used nowhere */
    SET_TIME_LIMIT,
    SET_COUNT,
} Setting;

/* min = max: true or false. */
static const struct {
    const char *name;
    int64_t min;
    int64_t max;
} setting_table[SET_COUNT] = {
    [SET_MAX_TALK] = {"maxTalk", 0, 10000},
    [SET_MAX_TALK_TURN] = {"maxTalkTurn", 0, 10000},
    [SET_MAX_WHISPER] = {"maxWhisper", 0, 10000},
    [SET_MAX_WHISPER_TURN] = {"maxWhisperTurn", 0, 10000},
    [SET_MAX_SKIP] = {"maxSkip", 0, 10000},
    [SET_MAX_REVOTE] = {"maxRevote", 0, REVOTES_MAX},
    [SET_MAX_ATTACK_REVOTE] = {"maxAttackRevote", 0, REVOTES_MAX},
    [SET_NO_ATTACK] = {"isEnableNoAttack", 0, 0},
    [SET_NO_EXECUTION] = {"isEnableNoExecution", 0, 0},
    [SET_ROLE_REQUEST] = {"isEnableRoleRequest", 0, 0},
    [SET_VOTE_VISIBLE] = {"isVoteVisible", 0, 0},
    [SET_TALK_ON_FIRST_DAY] = {"isTalkOnFirstDay", 0, 0},
    [SET_VOTABLE_IN_FIRST_DAY] = {"isVotableInFirstDay", 0, 0},
    [SET_VALIDATE_UTTERANCE] = {"isValidateUtterance", 0, 0},
    [SET_WHISPER_BEFORE_REVOTE] = {"isWhisperBeforeRevote", 0, 0},
    [SET_RANDOM_SEED] = {"randomSeed", INT64_MIN, INT64_MAX},
    [SET_TIME_LIMIT] = {"timeLimit", -1, 86400000},
};

static int read_setting(Str name, Str value, unsigned line, int64_t values[static SET_COUNT],
                        Err *err)
{
    Suggest near = {.word = name};
    int i = 0;

    while (i < SET_COUNT && !starter_same_word(name, str_of(setting_table[i].name)))
        suggest_offer(&near, str_of(setting_table[i++].name));
    if (i == SET_COUNT)
        return starter_unknown_setting(&near, line, err);
    if (setting_table[i].min == setting_table[i].max) {
        char first = value.len ? starter_small(value.bytes[0]) : 'n';
        values[i] = first == 'y' || first == 't';
        return 0;
    }
    if (str_to_int(value, setting_table[i].min, setting_table[i].max, &values[i]))
        return 0;
    return err_set_at(err, ERR_RULE, line, 0,
                      "%s: expected a number from %lld to %lld, found '%.*s'",
                      setting_table[i].name, (long long)setting_table[i].min,
                      (long long)setting_table[i].max, STR_ARG(str_part(value, 0, 64)));
}

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

static void apply_settings(const int64_t values[static SET_COUNT], Ruleset *rules)
{
    rules->talk.max_per_agent = (int32_t)values[SET_MAX_TALK];
    rules->talk.max_turns = (int32_t)values[SET_MAX_TALK_TURN];
    rules->whisper.max_per_agent = (int32_t)values[SET_MAX_WHISPER];
    rules->whisper.max_turns = (int32_t)values[SET_MAX_WHISPER_TURN];
    rules->talk.max_skip = rules->whisper.max_skip = (int32_t)values[SET_MAX_SKIP];
    rules->talk.validate = rules->whisper.validate = values[SET_VALIDATE_UTTERANCE];
    rules->vote.rounds = 1 + (int32_t)values[SET_MAX_REVOTE];
    rules->vote.tie = values[SET_NO_EXECUTION] ? TIE_NOBODY : TIE_RANDOM;
    rules->vote.visible = values[SET_VOTE_VISIBLE];
    rules->attack.rounds = 1 + (int32_t)values[SET_MAX_ATTACK_REVOTE];
    rules->attack.tie = values[SET_NO_ATTACK] ? TIE_NOBODY : TIE_RANDOM;
    rules->attack.no_vote = values[SET_NO_ATTACK] ? NO_VOTE_NOBODY : NO_VOTE_HUMANS;
    rules->attack.whisper_before_revote = values[SET_WHISPER_BEFORE_REVOTE];
    rules->contest.role_request = values[SET_ROLE_REQUEST];
    rules->contest.time_limit_told_ms = (int32_t)values[SET_TIME_LIMIT];
    rules->contest.time_limit_ms =
        values[SET_TIME_LIMIT] < 0 ? 1000 : (int32_t)values[SET_TIME_LIMIT];
    if (values[SET_TALK_ON_FIRST_DAY])
        talk_on_first_day(rules);
}

int starter_settings_load(Str text, Ruleset *ret_rules, Err *err)
{
    int64_t values[SET_COUNT] = {0};
    unsigned number = 0;
    Str line, name, value;
    Ruleset changed;
    int rc = ruleset_preset(STR("aiwolf-server"), &changed, err);

    if (text.len > STARTER_SETTINGS_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a settings file has at most %zu bytes",
                       STARTER_SETTINGS_BYTES_MAX);
    while (rc == 0 && starter_next_line(&text, &number, &line))
        if (starter_split_setting(line, &name, &value))
            rc = read_setting(name, value, number, values, err);
        else
            rc = err_set_at(err, ERR_RULE, number, 0, "expected 'name = value', found '%.*s'",
                            STR_ARG(str_part(line, 0, 100)));
    if (rc == 0 && values[SET_TIME_LIMIT] == 0)
        rc = err_set(err, ERR_RULE,
                     "without timeLimit, or with 0, the old server gives agents 0 ms to answer; "
                     "add a line such as timeLimit = 1000");
    if (rc)
        return rc;
    apply_settings(values, &changed);
    *ret_rules = changed;
    return 0;
}
