#include "show/groups_output.h"

#include "base/utf8.h"
#include "llm/prices.h"
#include "show/text_table.h"
#include "stats/opinion_score.h"
#include "stats/win_rates.h"

#include <inttypes.h>
#include <stdio.h>

/* Columns in their order. */
typedef enum Column {
    NAME,
    GAMES,
    WINS,
    RATE,
    LOW,
    HIGH,
    MACRO, /* JSON and CSV: the aligned table has it as RATE */
    MICRO,
    WEIGHTED,
    POINTS,
    DECISIONS,
    OWN,
    SHARE,
    PROMPT,
    ANSWER,
    SHORTEST,
    MEDIAN,
    P99,
    LONGEST,
    SUBSTITUTED,
    FAULTS,
    VILLAGE, /* of models: rates by side */
    VILLAGE_LOW,
    VILLAGE_HIGH,
    WOLVES,
    WOLVES_LOW,
    WOLVES_HIGH,
    REPAIRED,
    BY_RULE,
    REFUSED,
    LEAKS,
    REQUESTS,
    CACHED,
    REASONING,
    OPINIONS, /* of who was no wolf */
    ON_WOLVES,
    BRIER,
    CALIBRATION, /* JSON alone */
    COST,
    COST_PER_WIN,
    COLUMNS,
} Column;

/* For programs; for people in English and Japanese. */
static const char *const titles[COLUMNS][3] = {
    [NAME] = {"name", NULL, NULL}, /* names_of */
    [GAMES] = {"games", "games", "ゲーム"},
    [WINS] = {"wins", "wins", "勝利"},
    [RATE] = {"win_rate", "rate %", "勝率 %"},
    [LOW] = {"low", "low", "下限"},
    [HIGH] = {"high", "high", "上限"},
    [MACRO] = {"overall_macro", NULL, NULL},
    [MICRO] = {"role_mean_micro", "Micro %", "ミクロ %"},
    [WEIGHTED] = {"weighted_micro", "Weighted %", "加重 %"},
    [POINTS] = {"points", "points", "得点"},
    [DECISIONS] = {"decisions", "decisions", "判断"},
    [OWN] = {"own_decisions", NULL, NULL},
    [SHARE] = {"own_share", "own %", "自身 %"},
    [PROMPT] = {"prompt_tokens", "tokens in", "入力トークン"},
    [ANSWER] = {"answer_tokens", "tokens out", "出力トークン"},
    [SHORTEST] = {"min_ms", NULL, NULL},
    [MEDIAN] = {"median_ms", "median ms", "中央値ms"},
    [P99] = {"p99_ms", "p99 ms", "99%点ms"},
    [LONGEST] = {"max_ms", "max ms", "最大ms"},
    [SUBSTITUTED] = {"substituted", "substituted", "代役"},
    [FAULTS] = {"faults", "faults", "違反"},
    [VILLAGE] = {"village_rate", "village %", "村人側 %"},
    [VILLAGE_LOW] = {"village_low", NULL, NULL},
    [VILLAGE_HIGH] = {"village_high", NULL, NULL},
    [WOLVES] = {"wolves_rate", "wolves %", "人狼側 %"},
    [WOLVES_LOW] = {"wolves_low", NULL, NULL},
    [WOLVES_HIGH] = {"wolves_high", NULL, NULL},
    [REPAIRED] = {"repaired", "repaired", "修正"},
    [BY_RULE] = {"by_rule", "by rule", "規則"},
    [REFUSED] = {"refused", "refused", "拒否"},
    [LEAKS] = {"leaks", "leaks", "漏洩"},
    [REQUESTS] = {"requests", "requests", "リクエスト"},
    [CACHED] = {"cached_tokens", "cached", "キャッシュ"},
    [REASONING] = {"reasoning_tokens", "reasoning", "思考"},
    [OPINIONS] = {"opinions", "opinions", "意見"},
    [ON_WOLVES] = {"opinions_on_wolves", NULL, NULL},
    [BRIER] = {"brier", "Brier", "ブライア"},
    [CALIBRATION] = {"calibration", NULL, NULL},
    [COST] = {"cost", "cost", "費用"},
    [COST_PER_WIN] = {"cost_per_win", "per win", "1勝あたり"},
};

static const char *const names_of[GROUP_BY_COUNT][2] = {
    [GROUP_BY_MODEL] = {"model", "モデル"},
    [GROUP_BY_TEAM] = {"team", "チーム"},
    [GROUP_BY_KIND] = {"kind", "種類"},
    [GROUP_BY_AGENT] = {"agent", "エージェント"},
};

const char *groups_name(GroupBy by, bool japanese)
{
    return names_of[by][japanese];
}

static ModelFigure figure_of(Column column)
{
    static const ModelFigure figures[COLUMNS] = {
        [REPAIRED] = FIGURE_REPAIRED, [REFUSED] = FIGURE_REFUSED, [LEAKS] = FIGURE_LEAKS,
        [REQUESTS] = FIGURE_REQUESTS, [CACHED] = FIGURE_CACHED,   [REASONING] = FIGURE_REASONING};

    return figures[column];
}

/* A figure that only some groups have. */
static uint64_t some_figure(const ResultsGroup *group, Column column)
{
    switch (column) {
    case POINTS:
        return group->points != 0;
    case DECISIONS:
    case SHARE:
        return group->decisions;
    case PROMPT:
    case ANSWER:
        return group->figures.of[FIGURE_PROMPT] + group->figures.of[FIGURE_ANSWER];
    case MEDIAN:
    case P99:
    case LONGEST:
        return durations_count(&group->times);
    case SUBSTITUTED:
        return group->substituted;
    case FAULTS:
        return group->faults;
    case VILLAGE:
    case WOLVES:
        return group->decisions;
    case REPAIRED:
    case REFUSED:
    case LEAKS:
    case REQUESTS:
    case CACHED:
    case REASONING:
        return group->figures.of[figure_of(column)];
    case BY_RULE:
        return group->decisions - group->own;
    case OPINIONS:
    case BRIER:
        return opinion_score_of(&group->figures).count;
    case ON_WOLVES:
    case CALIBRATION:
    case VILLAGE_LOW:
    case VILLAGE_HIGH:
    case WOLVES_LOW:
    case WOLVES_HIGH:
    case COST:
    case COST_PER_WIN:
    case NAME:
    case GAMES:
    case WINS:
    case RATE:
    case LOW:
    case HIGH:
    case MACRO:
    case MICRO:
    case WEIGHTED:
    case OWN:
    case SHORTEST:
    case COLUMNS:
        break;
    }
    return 1;
}

static bool is_shown(const GroupTable *table, const StandingsView *view, Column column)
{
    if (column >= COST)
        return view->prices != NULL;
    if (column == CALIBRATION)
        return view->form == STANDINGS_JSON;
    if (view->form != STANDINGS_TABLE)
        return true;
    if (column != NAME && !titles[column][1])
        return false;
    for (size_t i = 0; i < table->count; i++)
        if (some_figure(&table->groups[i], column))
            return true;
    return table->count == 0 && column < POINTS;
}

/* A share, as percent for people. */
static void put_share(TextTable *rows, double share, bool people)
{
    text_table_real(rows, people ? 100 * share : share, people ? 1 : 6);
}

static void put_ms(TextTable *rows, const Durations *times, uint64_t us)
{
    if (durations_count(times))
        text_table_real(rows, (double)us / 1000.0, 2);
    else
        text_table_none(rows);
}

static void put_own_share(TextTable *rows, const ResultsGroup *group, bool people)
{
    if (group->decisions)
        put_share(rows, (double)group->own / (double)group->decisions, people);
    else
        text_table_none(rows);
}

static Interval side_rate(const ResultsGroup *group, bool wolves)
{
    Tally tally = {0};

    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        if ((role_side(role) == SIDE_WEREWOLF) == wolves && role_side(role) != SIDE_OTHERS) {
            tally.games += group->roles[role].games;
            tally.wins += group->roles[role].wins;
        }
    return wilson_interval(tally.wins, tally.games, Z_95);
}

/* What all its tokens cost; none where the file has no price of it. */
static void put_cost(TextTable *rows, const ResultsGroup *group, bool per_win,
                     const LlmPrices *prices)
{
    CLEANUP(buf_done) Buf money = {0};
    uint64_t cost = 0;

    if (!llm_prices_cost(prices, str_of(group->name), &group->figures, &cost) ||
        (per_win && !group->all.wins)) {
        text_table_none(rows);
        return;
    }
    llm_money_write(per_win ? cost / group->all.wins : cost, &money);
    text_table_text(rows, buf_str(&money));
}

static void put_side(TextTable *rows, const ResultsGroup *group, Column column, bool people)
{
    const Interval rate = side_rate(group, column >= WOLVES);
    const bool low = column == VILLAGE_LOW || column == WOLVES_LOW;

    put_share(rows,
              column == VILLAGE || column == WOLVES ? rate.rate
              : low                                 ? rate.low
                                                    : rate.high,
              people);
}

static void put_calibration(TextTable *rows, const OpinionScore *score)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    opinion_calibration_write(score, &json);
    text_table_json(rows, buf_str(&text));
    rows->failed = rows->failed || buf_failed(&text);
}

static void put_opinions(TextTable *rows, const ResultsGroup *group, Column column, bool people)
{
    const OpinionScore score = opinion_score_of(&group->figures);

    if (column == OPINIONS)
        text_table_uint(rows, score.count);
    else if (column == ON_WOLVES)
        text_table_uint(rows, score.hits);
    else if (score.count == 0)
        text_table_none(rows);
    else if (column == BRIER)
        text_table_real(rows, opinion_score_brier(&score), people ? 3 : 6);
    else
        put_calibration(rows, &score);
}

static void put_cell(TextTable *rows, const ResultsGroup *group, Column column,
                     const RoleSeats *all, const StandingsView *view)
{
    const bool people = view->form == STANDINGS_TABLE;
    const Interval rate = wilson_interval(group->all.wins, group->all.games, Z_95);
    const Durations *times = &group->times;
    CLEANUP(buf_done) Buf name = {0};

    switch (column) {
    case NAME:
        utf8_add_printable(str_of(group->name), MODEL_NAME_MAX, &name);
        text_table_text(rows, buf_str(&name));
        break;
    case GAMES:
        text_table_uint(rows, group->all.games);
        break;
    case WINS:
        text_table_uint(rows, group->all.wins);
        break;
    case RATE:
        put_share(rows, rate.rate, people);
        break;
    case LOW:
        put_share(rows, rate.low, people);
        break;
    case HIGH:
        put_share(rows, rate.high, people);
        break;
    case MACRO:
        put_share(rows, win_rates(group->roles, all).overall, people);
        break;
    case MICRO:
        put_share(rows, win_rates(group->roles, all).role_mean, people);
        break;
    case WEIGHTED:
        put_share(rows, win_rates(group->roles, all).weighted, people);
        break;
    case POINTS:
        text_table_int(rows, group->points);
        break;
    case DECISIONS:
        text_table_uint(rows, group->decisions);
        break;
    case OWN:
        text_table_uint(rows, group->own);
        break;
    case SHARE:
        put_own_share(rows, group, people);
        break;
    case PROMPT:
        text_table_uint(rows, group->figures.of[FIGURE_PROMPT]);
        break;
    case ANSWER:
        text_table_uint(rows, group->figures.of[FIGURE_ANSWER]);
        break;
    case SHORTEST:
        put_ms(rows, times, durations_min(times));
        break;
    case MEDIAN:
        put_ms(rows, times, durations_quantile(times, 500));
        break;
    case P99:
        put_ms(rows, times, durations_quantile(times, 990));
        break;
    case LONGEST:
        put_ms(rows, times, durations_max(times));
        break;
    case SUBSTITUTED:
        text_table_uint(rows, group->substituted);
        break;
    case FAULTS:
        text_table_uint(rows, group->faults);
        break;
    case VILLAGE:
    case VILLAGE_LOW:
    case VILLAGE_HIGH:
    case WOLVES:
    case WOLVES_LOW:
    case WOLVES_HIGH:
        put_side(rows, group, column, people);
        break;
    case REPAIRED:
    case REFUSED:
    case LEAKS:
    case REQUESTS:
    case CACHED:
    case REASONING:
        text_table_uint(rows, group->figures.of[figure_of(column)]);
        break;
    case BY_RULE:
        text_table_uint(rows, group->decisions - group->own);
        break;
    case OPINIONS:
    case ON_WOLVES:
    case BRIER:
    case CALIBRATION:
        put_opinions(rows, group, column, people);
        break;
    case COST:
    case COST_PER_WIN:
        put_cost(rows, group, column == COST_PER_WIN, view->prices);
        break;
    case COLUMNS:
        break;
    }
}

/* Why there is no row. */
static Str no_groups(GroupBy by, bool japanese)
{
    if (by == GROUP_BY_MODEL)
        return japanese ? STR("モデルの席はありません。\n")
                        : STR("no seat was a model's: see --by agent, --by team, --by kind\n");
    return japanese ? STR("ゲームはありません。\n") : STR("no games\n");
}

void groups_write(const GroupTable *table, GroupBy by, const StandingsView *view, Buf *out)
{
    const bool people = view->form == STANDINGS_TABLE;
    const char *shown[COLUMNS + 1] = {0};
    Column columns[COLUMNS];
    size_t count = 0;
    RoleSeats all = {0};
    CLEANUP(text_table_done) TextTable rows = {.columns = shown};

    if (table->count == 0 && people) {
        buf_add(out, no_groups(by, view->japanese));
        return;
    }
    for (Column column = NAME; column < COLUMNS; column++) {
        if (!is_shown(table, view, column))
            continue;
        shown[count] = titles[column][people ? 1 + view->japanese : 0];
        if (column == NAME)
            shown[count] = names_of[by][people && view->japanese];
        columns[count++] = column;
    }
    for (size_t i = 0; i < table->count; i++)
        role_seats_add(&all, table->groups[i].roles);
    for (size_t i = 0; i < table->count; i++)
        for (size_t c = 0; c < count; c++)
            put_cell(&rows, &table->groups[i], columns[c], &all, view);
    text_table_write(&rows, (TableForm)view->form, out);
    if (view->prices && people)
        buf_printf(out, view->japanese ? "費用の単位: %.*s\n" : "costs in %.*s\n",
                   STR_ARG(llm_prices_currency(view->prices)));
}
