#include "record/log_check.h"

#include "base/utf8.h"
#include "record/nlp_check.h"
#include "record/nlp_json.h"

/* To add a difference: a bit in log_check.h, a row here, what it does in apply(), a server below
 * that has it, and a log of it in tests/data/aiwolf-logs. */
static const struct {
    const char *name;
    const char *about;
} differences[LOG_DIFF_COUNT] = {
    {"role counts of its own", "the table of docs/spec/protocol-division.md 7 gives this number of "
                               "players other roles"},
    {"REQUEST without a blank", "REQUEST(VOTE Agent[01]): a sentence of the language as it was in "
                                "2017 and 2018"},
    {"INQUESTED", "INQUESTED Agent[01] HUMAN: the medium's word of 2016, later IDENTIFIED"},
    {"no turn numbers", "talk and whisper lines have no turn column"},
    {"the executed live until the morning",
     "whoever is executed still divines, whispers, is a target and names one in the attack vote "
     "that night; only its guard and its attack vote do not count"},
    {"execution after the attack vote",
     "divination, guard and attack votes come between vote and execution; an attack that falls "
     "on the executed is an attack on nobody"},
    {"talk on day 0", "day 0 has a talk phase like any other"},
    {"whispers between talk turns",
     "the wolves, a lone one too, hold a whole whisper session after every talk turn"},
    {"Over ends at once", "a session ends in mid-turn as soon as all have said Over since the last "
                          "word that was not Over"},
    {"Skip without limit", "a Skip is never turned into Over"},
    {"ten turns", "a session has at most ten turns"},
    {"no revote", "one ballot each for execution and attack; a tie is decided by chance"},
    {"ten whisper turns", "a whisper session has at most ten turns, talk twenty"},
    {"attacks without attackVote lines",
     "natural-language division: when no wolf named anybody the server of 2024 chose somebody, "
     "and wrote the attack alone"},
};

const char *log_difference_name(size_t index)
{
    return index < LOG_DIFF_COUNT ? differences[index].name : NULL;
}

const char *log_difference_about(size_t index)
{
    return index < LOG_DIFF_COUNT ? differences[index].about : NULL;
}

/* The older servers, from the youngest to the oldest: each is tried only when none before it
 * explains the log. */
static const struct {
    const char *name;
    unsigned differences;
} servers[] = {
    {"", 0},
    {"servers of 2017 and 2018", LOG_DIFF_REQUEST},
    {"server of GAT 2017", LOG_DIFF_REQUEST | LOG_DIFF_DAWN | LOG_DIFF_TEN_WHISPERS},
    {"server of GAT 2016", LOG_DIFF_INQUESTED | LOG_DIFF_NO_TURN | LOG_DIFF_LAST |
                               LOG_DIFF_FIRST_TALK | LOG_DIFF_WHISPERS | LOG_DIFF_OVER_ENDS |
                               LOG_DIFF_SKIPS | LOG_DIFF_TEN_TURNS | LOG_DIFF_NO_REVOTE},
};

#define SERVER_COUNT (sizeof(servers) / sizeof(servers[0]))

/* The presets of the protocol division, first in the engine's list. */
static const char *const known_presets[] = {"aiwolf-2019", "aiwolf-2021", "aiwolf-server",
                                            "nlp-turn",    "nlp-anytime", "maw"};
#define PROTOCOL_COUNT 3 /* the first ones; the others are tried when no server explains a log */

#define OLD_PRESET   1 /* sequential: what the older servers are described by */
#define PRESET_COUNT (sizeof(known_presets) / sizeof(known_presets[0]))

/* Leaves a phase of one action out, wherever it stands. */
static void drop_action(Section *section, Action action)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < section->count; i++)
        if (section->phases[i].actions[0] != action)
            section->phases[kept++] = section->phases[i];
    section->count = kept;
}

static void apply_set(unsigned set, Ruleset *rules, LogReplay *how)
{
    rules->contest.role_request = false; /* wishes leave no trace in a log */
    how->turn_column = !(set & LOG_DIFF_NO_TURN);
    how->language = (set & LOG_DIFF_REQUEST ? LOG_LANGUAGE_REQUEST : 0) |
                    (set & LOG_DIFF_INQUESTED ? LOG_LANGUAGE_INQUESTED : 0);
    if (set & LOG_DIFF_FIRST_TALK)
        for (uint32_t i = 0; i < rules->day.count; i++)
            rules->day.phases[i].except_day = DAY_ANY;
    if (set & LOG_DIFF_SKIPS)
        rules->talk.max_skip = rules->whisper.max_skip = 1000;
    if (set & LOG_DIFF_TEN_TURNS)
        rules->talk.max_turns = rules->whisper.max_turns = 10;
    if (set & LOG_DIFF_TEN_WHISPERS)
        rules->whisper.max_turns = 10;
    if (set & LOG_DIFF_NO_REVOTE)
        rules->vote.rounds = rules->attack.rounds = 1;
    if (set & LOG_DIFF_DAWN)
        rules->vote.effect = EFFECT_MORNING;
    if (set & LOG_DIFF_LAST)
        rules->vote.effect = EFFECT_ATTACK;
    if (set & LOG_DIFF_OVER_ENDS)
        rules->talk.over_at_once = rules->whisper.over_at_once = true;
    if (set & LOG_DIFF_WHISPERS) {
        rules->talk.whisper_after_turn = true;
        rules->whisper.min_participants = 1;
        drop_action(&rules->night, ACTION_WHISPER);
    }
}

static void set_roles(const LogGame *log, Ruleset *rules)
{
    rules->wolves = WOLVES_TABLE;
    rules->roles.present[log->seat_count] = true;
    log_game_role_counts(log, rules->roles.counts[log->seat_count]);
}

static bool roles_fit(const LogGame *log, const Ruleset *rules)
{
    uint8_t have[ROLE_COUNT], want[ROLE_COUNT];

    log_game_role_counts(log, have);
    return ruleset_roles(rules, log->seat_count, want, NULL) == 0 &&
           memcmp(have, want, sizeof(have)) == 0;
}

/* ---- one ruleset that is given ---- */

/* The first role of which the log has more or fewer than the ruleset deals. */
static void other_roles(const LogGame *log, const Ruleset *rules, LogFinding *finding)
{
    uint8_t have[ROLE_COUNT], want[ROLE_COUNT] = {0};
    Err why = {0};
    int role = ROLE_NONE + 1;

    finding->line = 1;
    if (ruleset_roles(rules, log->seat_count, want, &why)) {
        memcpy(finding->reason, why.msg, sizeof(finding->reason));
        return;
    }
    log_game_role_counts(log, have);
    while (role + 1 < ROLE_COUNT && have[role] == want[role])
        role++;
    snprintf(finding->reason, sizeof(finding->reason),
             "ruleset '%s' deals %u %s to %u players, the log has %u", rules->name, want[role],
             role_name((Role)role), log->seat_count, have[role]);
}

/* The ruleset's verdict into `finding`. */
static int replay_given(const LogGame *log, const Ruleset *rules, LogReplay *how,
                        LogFinding *finding, Err *err)
{
    if (!roles_fit(log, rules)) {
        int rc = ruleset_check(rules, err);
        if (rc == 0)
            other_roles(log, rules, finding);
        return rc;
    }
    how->rules = rules;
    int rc = log_replay(log, how, finding, err);
    how->rules = NULL;
    return rc;
}

static int check_given(const LogGame *log, const Ruleset *given, LogReplay *how,
                       LogVerdict *verdict, Err *err)
{
    Ruleset rules = *given;
    LogFinding finding = {0};

    apply_set(0, &rules, how);
    int rc = replay_given(log, &rules, how, &finding, err);
    if (rc)
        return rc;
    verdict->ok = finding.ok;
    verdict->truncated = finding.truncated;
    verdict->line = finding.line;
    memcpy(verdict->reason, finding.reason, sizeof(verdict->reason));
    if (finding.ok)
        snprintf(verdict->rules, sizeof(verdict->rules), "%s", rules.name);
    return 0;
}

/* ---- all that we know ---- */

/* The finding that explains most lines is the one to show. */
static void keep_best(const LogFinding *finding, LogVerdict *verdict)
{
    if (verdict->ok || finding->ok || finding->line <= verdict->line)
        return;
    verdict->truncated = finding->truncated;
    verdict->line = finding->line;
    memcpy(verdict->reason, finding->reason, sizeof(verdict->reason));
}

static int try_preset(const LogGame *log, size_t preset, unsigned set, LogReplay *how,
                      LogVerdict *verdict, Err *err)
{
    Ruleset rules;
    LogFinding finding;
    int rc = ruleset_preset(str_of(known_presets[preset]), &rules, err);

    if (rc)
        return rc;
    apply_set(set, &rules, how);
    how->rules = &rules;
    if (set & LOG_DIFF_ROLES)
        set_roles(log, &rules);
    rc = log_replay(log, how, &finding, err);
    how->rules = NULL;
    if (rc)
        return rc;
    keep_best(&finding, verdict);
    if (finding.ok) {
        *verdict = (LogVerdict){
            .ok = true, .presets = verdict->presets | 1u << preset, .differences = set};
    }
    return 0;
}

/* Older servers know one way of talking in turns, so one preset stands for all. */
static int check_known(const LogGame *log, LogReplay *how, LogVerdict *verdict, Err *err)
{
    Ruleset table;
    int rc = ruleset_preset(str_of(known_presets[0]), &table, err);
    unsigned roles = rc == 0 && !roles_fit(log, &table) ? LOG_DIFF_ROLES : 0;

    for (size_t s = 0; s < SERVER_COUNT && rc == 0 && !verdict->ok; s++) {
        size_t first = s == 0 ? 0 : OLD_PRESET, behind = s == 0 ? PROTOCOL_COUNT : OLD_PRESET + 1;
        for (size_t p = first; p < behind && rc == 0; p++)
            rc = try_preset(log, p, servers[s].differences | roles, how, verdict, err);
        if (verdict->ok)
            snprintf(verdict->server, sizeof(verdict->server), "%s", servers[s].name);
    }
    for (size_t p = PROTOCOL_COUNT; p < PRESET_COUNT && rc == 0 && !verdict->ok; p++) {
        rc = ruleset_preset(str_of(known_presets[p]), &table, err);
        roles = rc == 0 && !roles_fit(log, &table) ? LOG_DIFF_ROLES : 0;
        if (rc == 0)
            rc = try_preset(log, p, roles, how, verdict, err);
    }
    return rc;
}

/* What the log is about, even when it is not legal. */
static void describe_log(const LogGame *log, LogVerdict *verdict)
{
    verdict->seat_count = log->seat_count;
    if (log->count > 0) {
        const LogLine *last = &log->lines[log->count - 1];
        verdict->last_day = last->day;
        verdict->winner = last->kind == LOG_RESULT ? (Side)last->winner : SIDE_NONE;
    }
}

/* ---- the natural-language division ---- */

/* Its test of who has won is no other division's. */
static bool is_nlp(const Ruleset *rules)
{
    return rules->end.goal == GOAL_PARITY_WOLF_FIRST;
}

static void check_nlp(const LogGame *log, const Ruleset *rules, LogVerdict *verdict)
{
    LogFinding roles = {0};
    NlpFinding finding = {0};

    if (rules && !roles_fit(log, rules)) {
        other_roles(log, rules, &roles);
        finding.line = roles.line;
        memcpy(finding.reason, roles.reason, sizeof(finding.reason));
    } else {
        nlp_check(log, rules, &finding);
    }
    verdict->ok = finding.ok;
    verdict->truncated = finding.truncated;
    verdict->anytime = finding.anytime;
    verdict->line = finding.line;
    memcpy(verdict->reason, finding.reason, sizeof(verdict->reason));
    if (finding.ok && finding.no_attack_votes) {
        verdict->differences = LOG_DIFF_NO_ATTACK_VOTES;
        snprintf(verdict->server, sizeof(verdict->server), "server of 2024");
    }
    if (finding.ok && rules)
        snprintf(verdict->rules, sizeof(verdict->rules), "%s", rules->name);
}

/* ---- any log ---- */

static int check_game(const LogGame *log, const LogCheckOptions *options, LogVerdict *verdict,
                      Err *err)
{
    LogReplay how = {.listen = options->listen, .user = options->user};
    int rc = 0;

    if (log->form == LOG_FORM_NLP)
        check_nlp(log, options->rules, verdict);
    else
        rc = options->rules ? check_given(log, options->rules, &how, verdict, err)
                            : check_known(log, &how, verdict, err);
    return rc;
}

int log_check(Str text, const LogCheckOptions *options, LogVerdict *ret, Err *err)
{
    static const LogCheckOptions none = {0};
    CLEANUP(log_game_done) LogGame log = {0};
    LogVerdict verdict = {0};
    Err wrong = {0};

    options = options ? options : &none;
    LogForm form =
        options->rules && !is_nlp(options->rules) ? LOG_FORM_PROTOCOL : log_form_of(text);
    int rc = log_game_read_of(form, text, &log, &wrong);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", wrong.msg);
    if (rc) {
        verdict.line = wrong.line ? wrong.line : 1;
        verdict.truncated = text.len == 0;
        snprintf(verdict.reason, sizeof(verdict.reason), "%s",
                 nlp_json_is(text) ? "a JSON log is no evidence; check the game log beside it"
                                   : wrong.msg);
    } else {
        rc = check_game(&log, options, &verdict, err);
        if (rc)
            return rc;
        describe_log(&log, &verdict);
    }
    verdict.form = form;
    *ret = verdict;
    return 0;
}

/* ---- words ---- */

static void add_list(Buf *out, const char *text, bool *first)
{
    if (!*first)
        buf_add(out, STR(", "));
    buf_add(out, str_of(text));
    *first = false;
}

const char *log_verdict_division(const LogVerdict *verdict)
{
    if (verdict->form != LOG_FORM_NLP)
        return NULL;
    return verdict->anytime ? "natural-language, speak-anytime" : "natural-language, turn-based";
}

void log_verdict_print(const LogVerdict *verdict, Buf *out)
{
    const char *division = log_verdict_division(verdict);
    bool first = true;

    if (!verdict->ok) {
        if (!verdict->truncated)
            buf_printf(out, "line %u: ", verdict->line);
        utf8_add_printable(str_of(verdict->reason), LOG_REASON_MAX, out);
        return;
    }
    buf_add(out, STR("ok ("));
    if (division)
        buf_printf(out, "%s%s", division, verdict->rules[0] || verdict->server[0] ? "; " : "");
    if (verdict->rules[0])
        buf_add(out, str_of(verdict->rules));
    else if (verdict->server[0])
        buf_printf(out, "%s: ", verdict->server);
    else
        for (size_t p = 0; p < PRESET_COUNT; p++)
            if (verdict->presets & 1u << p)
                add_list(out, known_presets[p], &first);
    if (!first && verdict->differences)
        buf_add(out, STR("; "));
    first = true;
    for (size_t d = 0; d < LOG_DIFF_COUNT; d++)
        if (verdict->differences & 1u << d)
            add_list(out, differences[d].name, &first);
    buf_add_char(out, ')');
}
