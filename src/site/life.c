#include "site/life.h"

/* What has to hold for a step, in the order in which it is told. */
typedef enum Guard {
    GUARD_FILE = 1 << 0,
    GUARD_TEAMS = 1 << 1,
    GUARD_LOTS = 1 << 2,
    GUARD_RUNNER = 1 << 3,
    GUARD_STAGE = 1 << 4,
    GUARD_CUT = 1 << 5,
    GUARD_SHEETS = 1 << 6,
    GUARD_APPEALS = 1 << 7,
    GUARD_PROOF = 1 << 8,
} Guard;

typedef enum Clock {
    CLOCK_NONE,   /* the guards alone */
    CLOCK_DATE,   /* the date, or an organiser */
    CLOCK_EITHER, /* the guards, or the date */
} Clock;

/* From a state to the next one. */
typedef struct LifeRule {
    LifeState from, to;
    Clock clock;
    LifeDate date;
    unsigned guards;
} LifeRule;

static const LifeRule rules[] = {
    {LIFE_DRAFT, LIFE_OPEN, CLOCK_DATE, DATE_OPENS, GUARD_FILE},
    {LIFE_OPEN, LIFE_FROZEN, CLOCK_DATE, DATE_SUBMISSION_CLOSES, 0},
    {LIFE_FROZEN, LIFE_PRELIMINARY, CLOCK_DATE, DATE_PRELIMINARY,
     GUARD_TEAMS | GUARD_LOTS | GUARD_RUNNER},
    {LIFE_PRELIMINARY, LIFE_REVISION, CLOCK_NONE, 0, GUARD_STAGE | GUARD_CUT},
    {LIFE_REVISION, LIFE_FINAL, CLOCK_DATE, DATE_REVISION_CLOSES,
     GUARD_TEAMS | GUARD_LOTS | GUARD_RUNNER},
    {LIFE_FINAL, LIFE_JUDGING, CLOCK_NONE, 0, GUARD_STAGE},
    {LIFE_JUDGING, LIFE_APPEALS, CLOCK_EITHER, DATE_JUDGING_CLOSES, GUARD_SHEETS},
    {LIFE_APPEALS, LIFE_PUBLISHED, CLOCK_DATE, DATE_APPEALS_CLOSE, GUARD_APPEALS | GUARD_PROOF},
    {LIFE_PUBLISHED, LIFE_ARCHIVED, CLOCK_DATE, DATE_RETENTION_ENDS, 0},
};

static LifeState skip_state(LifeState state, const LifePlan *plan)
{
    if (state == LIFE_PRELIMINARY && !plan->preliminary)
        return LIFE_FINAL;
    return state == LIFE_JUDGING && !plan->judges ? LIFE_APPEALS : state;
}

static const LifeRule *rule_from(LifeState state)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (rules[i].from == state)
            return &rules[i];
    return NULL;
}

/* The first thing that is missing; LIFE_GOES when nothing is. */
static LifeWhy missing_guard(unsigned guards, const LifeFacts *facts, uint32_t *ret_count)
{
    const struct {
        Guard guard;
        bool good;
        LifeWhy why;
        uint32_t count;
    } checks[] = {
        {GUARD_FILE, facts->file_good, LIFE_BAD_FILE, 0},
        {GUARD_TEAMS, facts->teams_ready >= facts->teams_needed, LIFE_FEW_TEAMS,
         facts->teams_needed - facts->teams_ready},
        {GUARD_LOTS, facts->lots_settled, LIFE_LOTS, 0},
        {GUARD_RUNNER, facts->runner_alive, LIFE_NO_RUNNER, 0},
        {GUARD_RUNNER, facts->cell_met, LIFE_WEAK_CELL, 0},
        {GUARD_STAGE, facts->stage_over, LIFE_PLAYS, 0},
        {GUARD_CUT, !facts->cut_is_tied, LIFE_TIED, 0},
        {GUARD_SHEETS, facts->sheets_missing == 0, LIFE_SHEETS, facts->sheets_missing},
        {GUARD_APPEALS, facts->appeals_open == 0, LIFE_APPEALED, facts->appeals_open},
        {GUARD_PROOF, facts->bundle_proven, LIFE_UNPROVEN, 0},
    };

    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
        if ((guards & checks[i].guard) && !checks[i].good) {
            *ret_count = checks[i].count;
            return checks[i].why;
        }
    return LIFE_GOES;
}

static LifeWhy missing_date(const LifeRule *rule, int64_t date, const LifeFacts *facts,
                            int64_t now_ms)
{
    if (rule->clock == CLOCK_NONE || facts->asked || (date != LIFE_NO_DATE && date <= now_ms))
        return LIFE_GOES;
    return date == LIFE_NO_DATE ? LIFE_ASKED : LIFE_WAITS;
}

LifeStep life_step(LifeState state, const LifePlan *plan, const LifeFacts *facts, int64_t now_ms)
{
    const LifeRule *rule = rule_from(state);
    LifeStep step = {.from = state, .to = state, .why = LIFE_ENDED};

    if (!rule)
        return step;
    step.to = skip_state(rule->to, plan);
    step.date = plan->dates[rule->date];
    if (facts->paused && life_may_pause(state)) {
        step.why = life_is_due(state, plan, now_ms) ? LIFE_HELD : LIFE_PAUSED;
        return step;
    }
    LifeWhy guard = missing_guard(rule->guards, facts, &step.count);
    LifeWhy date = missing_date(rule, step.date, facts, now_ms);
    if (rule->clock == CLOCK_EITHER)
        step.why = date == LIFE_GOES ? LIFE_GOES : guard;
    else
        step.why = date != LIFE_GOES ? date : guard;
    return step;
}

bool life_back(LifeState state, const LifePlan *plan, LifeState *ret_state)
{
    if (state <= LIFE_OPEN || state >= LIFE_PUBLISHED)
        return false;
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (skip_state(rules[i].to, plan) == state &&
            skip_state(rules[i].from, plan) == rules[i].from) {
            *ret_state = rules[i].from;
            return true;
        }
    return false;
}

bool life_is_due(LifeState state, const LifePlan *plan, int64_t now_ms)
{
    const LifeRule *rule = rule_from(state);

    return rule && rule->clock != CLOCK_NONE && plan->dates[rule->date] != LIFE_NO_DATE &&
           plan->dates[rule->date] <= now_ms;
}

bool life_may_cancel(LifeState state)
{
    return state < LIFE_PUBLISHED;
}

bool life_may_pause(LifeState state)
{
    return state >= LIFE_OPEN && state <= LIFE_JUDGING;
}

/* ---- names and sentences ---- */

static const char *const state_names[LIFE_STATES] = {
    [LIFE_DRAFT] = "DRAFT",         [LIFE_OPEN] = "OPEN",
    [LIFE_FROZEN] = "FROZEN",       [LIFE_PRELIMINARY] = "PRELIMINARY",
    [LIFE_REVISION] = "REVISION",   [LIFE_FINAL] = "FINAL",
    [LIFE_JUDGING] = "JUDGING",     [LIFE_APPEALS] = "APPEALS",
    [LIFE_PUBLISHED] = "PUBLISHED", [LIFE_ARCHIVED] = "ARCHIVED",
    [LIFE_CANCELLED] = "CANCELLED",
};

const char *life_state_name(LifeState state)
{
    return state < LIFE_STATES ? state_names[state] : "";
}

bool life_state_of(Str name, LifeState *ret_state)
{
    for (LifeState state = 0; state < LIFE_STATES; state++)
        if (str_eq(name, str_of(state_names[state]))) {
            *ret_state = state;
            return true;
        }
    return false;
}

/* As contest files have them. */
static const char *const date_keys[LIFE_DATES] = {
    [DATE_OPENS] = "opens",
    [DATE_SUBMISSION_CLOSES] = "submission_closes",
    [DATE_PRELIMINARY] = "preliminary",
    [DATE_REVISION_CLOSES] = "revision_closes",
    [DATE_JUDGING_CLOSES] = "judging_closes",
    [DATE_APPEALS_CLOSE] = "appeals_close",
    [DATE_RETENTION_ENDS] = "retention_ends",
};

/* As people say them, in front of and behind how long it is. */
static const char *const date_sentences[LIFE_DATES][2] = {
    [DATE_OPENS] = {"opens in ", "後に受付開始"},
    [DATE_SUBMISSION_CLOSES] = {"submissions close in ", "後に提出締切"},
    [DATE_PRELIMINARY] = {"games begin in ", "後に対戦開始"},
    [DATE_REVISION_CLOSES] = {"revised versions are due in ", "後に改訂締切"},
    [DATE_JUDGING_CLOSES] = {"judging ends in ", "後に審査終了"},
    [DATE_APPEALS_CLOSE] = {"appeals close in ", "後に異議申立て締切"},
    [DATE_RETENTION_ENDS] = {"is archived in ", "後に保管へ移行"},
};

/* English and Japanese; %u is the count. */
static const char *const why_sentences[LIFE_WHYS][2] = {
    [LIFE_GOES] = {"goes on now", "次へ進みます"},
    [LIFE_WAITS] = {"", ""}, /* date_sentences */
    [LIFE_ASKED] = {"waits for an organiser: the contest file has no date for it: ",
                    "主催者の操作を待っています。大会ファイルに次の日時がありません: "},
    [LIFE_PAUSED] = {"is paused: resume it", "一時停止中です。再開してください"},
    [LIFE_HELD] =
        {"is paused: set a later date (amend), or resume it and it goes on at once, for this "
         "one is over: ",
         "一時停止中です。日時を後に変更してください(amend)。このまま再開するとすぐに先へ"
         "進みます。過ぎた日時: "},
    [LIFE_BAD_FILE] = {"the contest file can't be played as it is: warg contest doctor",
                       "大会ファイルに問題があります: warg contest doctor"},
    [LIFE_FEW_TEAMS] = {"%u more teams with a version that passed are needed for a table",
                        "合格したチームがあと %u 必要です"},
    [LIFE_LOTS] = {"lots are still to be opened", "くじの開示を待っています"},
    [LIFE_NO_RUNNER] = {"the runner is not alive: start it",
                        "runner が動いていません。起動してください"},
    [LIFE_WEAK_CELL] = {"the runner has no cells as this contest requires: warg contest probe",
                        "必要なセルがありません: warg contest probe"},
    [LIFE_PLAYS] = {"its games are played", "対戦中です"},
    [LIFE_TIED] = {"a tie at the cut is to be decided", "通過順位の同点を決めています"},
    [LIFE_SHEETS] = {"%u sheets of judges are missing", "審査票があと %u 枚必要です"},
    [LIFE_APPEALED] = {"%u appeals are open", "未処理の異議が %u 件あります"},
    [LIFE_UNPROVEN] = {"its bundle is made and audited; what contradicts would stand in its jobs",
                       "公開データを作成・検証しています。矛盾があればジョブに出ます"},
    [LIFE_ENDED] = {"is over", "終了しました"},
};

bool life_date_is_ahead(LifeState state, Str key)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (rules[i].clock != CLOCK_NONE && str_eq(str_of(date_keys[rules[i].date]), key))
            return state <= rules[i].from;
    return false;
}

#define UNITS 4

void life_rest(int64_t ms, bool japanese, Buf *out)
{
    static const struct {
        int64_t seconds;
        const char *name[2];
    } units[UNITS] = {
        {86400, {" d", "日"}}, {3600, {" h", "時間"}}, {60, {" min", "分"}}, {1, {" s", "秒"}}};
    const int64_t left = ms > 0 ? ms / 1000 : 0;
    size_t unit = 0;

    while (unit < UNITS - 1 && left < units[unit].seconds)
        unit++;
    buf_printf(out, "%lld%s", (long long)(left / units[unit].seconds), units[unit].name[japanese]);
    if (unit == UNITS - 1)
        return;
    const int64_t rest = left % units[unit].seconds / units[unit + 1].seconds;
    if (rest)
        buf_printf(out, "%s%lld%s", japanese ? "" : " ", (long long)rest,
                   units[unit + 1].name[japanese]);
}

void life_sentence(const LifeStep *step, int64_t now_ms, bool japanese, Buf *out)
{
    const char *sentence = why_sentences[step->why][japanese];
    const LifeRule *rule = rule_from(step->from);
    Str rest = str_of(sentence), head;
    size_t at;

    if (str_find(rest, STR("%u"), &at)) {
        head = str_part(rest, 0, at);
        buf_add(out, head);
        buf_printf(out, "%u", (unsigned)step->count);
        buf_add(out, str_part(rest, at + 2, rest.len));
    } else
        buf_add(out, rest);
    if (rule && (step->why == LIFE_ASKED || step->why == LIFE_HELD))
        buf_add(out, str_of(date_keys[rule->date]));
    if (!rule || step->why != LIFE_WAITS)
        return;
    const Str words = str_of(date_sentences[rule->date][japanese]);
    if (!japanese)
        buf_add(out, words);
    life_rest(step->date - now_ms, japanese, out);
    if (japanese)
        buf_add(out, words);
}
