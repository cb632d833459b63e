#include "show/standings_output.h"

#include "base/json.h"
#include "base/utf8.h"
#include "show/standings_words.h"
#include "show/text_table.h"
#include "show/trial_text.h"
#include "stats/decision_sheet.h"
#include "stats/win_rates.h"

#include <stddef.h>

/* Roles in the order of the columns. */
static const struct {
    Role role;
    const char *title;
} columns[] = {
    {ROLE_VILLAGER, "villager"},   {ROLE_SEER, "seer"},
    {ROLE_MEDIUM, "medium"},       {ROLE_BODYGUARD, "bodyguard"},
    {ROLE_FREEMASON, "freemason"}, {ROLE_POSSESSED, "possessed"},
    {ROLE_WEREWOLF, "werewolf"},   {ROLE_FOX, "fox"},
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* ---- the table ---- */

/* What the functions of the table pass on. */
typedef struct Sheet {
    const Standings *standings;
    const StandingsView *view;
    size_t name_width; /* columns that the widest name takes, or the heading */
    Buf *out;
} Sheet;

#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

static const char *style_code(const Sheet *sheet, const char *code)
{
    return sheet->view->color ? code : "";
}

static Str word_of(const Sheet *sheet, StandingsWord which)
{
    return str_of(standings_word(sheet->view->japanese, which));
}

static void add_blanks(size_t count, Buf *out)
{
    while (count-- > 0)
        buf_add_char(out, ' ');
}

/* Text in so many columns of the screen, at their left or right end. */
static void add_left(Str text, size_t width, Buf *out)
{
    size_t own = utf8_width(text);

    buf_add(out, text);
    add_blanks(own < width ? width - own : 0, out);
}

static void add_right(Str text, size_t width, Buf *out)
{
    size_t own = utf8_width(text);

    add_blanks(own < width ? width - own : 0, out);
    buf_add(out, text);
}

static void add_name(const char *name, size_t width, Buf *out)
{
    CLEANUP(buf_done) Buf printable = {0};

    utf8_add_printable(str_of(name), AGENT_NAME_MAX, &printable);
    add_left(buf_str(&printable), width, out);
}

enum { FACT_WIDTH = 15 };

/* "  werewolves win   51.0 %"; `note` may be empty. */
static void write_share(const Sheet *sheet, StandingsWord name, uint64_t part, uint64_t whole,
                        Str note)
{
    buf_add(sheet->out, STR("  "));
    add_left(word_of(sheet, name), FACT_WIDTH, sheet->out);
    buf_printf(sheet->out, "  %5.1f %%", 100 * share_of(part, whole));
    if (note.len)
        buf_printf(sheet->out, "  %.*s", STR_ARG(note));
    buf_add_char(sheet->out, '\n');
}

static void write_village(const Sheet *sheet)
{
    const Standings *standings = sheet->standings;
    Interval village = wilson_interval(standings->wins[SIDE_VILLAGER], standings->games, Z_95);

    buf_printf(sheet->out, "\n\n  %s", style_code(sheet, BOLD));
    add_left(word_of(sheet, SAY_VILLAGE_WINS), FACT_WIDTH, sheet->out);
    buf_printf(sheet->out, "%s  %5.1f %%  %s(95 %%: %.1f%.*s%.1f)%s\n", style_code(sheet, PLAIN),
               100 * village.rate, style_code(sheet, DIM), 100 * village.low,
               STR_ARG(word_of(sheet, SAY_TO)), 100 * village.high, style_code(sheet, PLAIN));
}

static void write_sides(const Sheet *sheet)
{
    const Standings *standings = sheet->standings;

    write_village(sheet);
    write_share(sheet, SAY_WOLVES_WIN, standings->wins[SIDE_WEREWOLF], standings->games, (Str){0});
    if (standings->wins[SIDE_OTHERS])
        write_share(sheet, SAY_FOX_WINS, standings->wins[SIDE_OTHERS], standings->games, (Str){0});
    if (standings->wins[SIDE_NONE])
        write_share(sheet, SAY_NOBODY_WINS, standings->wins[SIDE_NONE], standings->games, (Str){0});
}

/* "stage final, set 3: "; nothing where neither is known. */
static void write_heading(const Sheet *sheet)
{
    const StandingsView *view = sheet->view;

    if (!view->stage && !view->set)
        return;
    if (view->stage) {
        buf_add(sheet->out, word_of(sheet, SAY_STAGE));
        utf8_add_printable(str_of(view->stage), AGENT_NAME_MAX, sheet->out);
    }
    if (view->set) {
        buf_add(sheet->out, view->stage ? STR(", ") : (Str){0});
        buf_add(sheet->out, word_of(sheet, SAY_SET));
        buf_add_uint(sheet->out, *view->set);
    }
    buf_add(sheet->out, STR(": "));
}

static void write_summary(const Sheet *sheet)
{
    const Standings *standings = sheet->standings;
    Buf *out = sheet->out;

    write_heading(sheet);
    standings_add_thousands(standings->games, out);
    buf_add(out, word_of(sheet, standings->games == 1 ? SAY_GAME : SAY_GAMES));
    buf_add(out, STR(", "));
    standings_add_thousands(standings->count, out);
    buf_add(out, word_of(sheet, standings->count == 1 ? SAY_AGENT : SAY_AGENTS));
    if (sheet->view->games_per_s > 0) {
        buf_add(out, STR(", "));
        standings_add_thousands((uint64_t)(sheet->view->games_per_s + 0.5), out);
        buf_add(out, word_of(sheet, SAY_PER_SECOND));
    }
    write_sides(sheet);
    buf_add(out, STR("  "));
    add_left(word_of(sheet, SAY_MEAN_DAYS), FACT_WIDTH, out);
    buf_printf(out, "  %5.2f    %.*s\n", share_of(standings->days, standings->games),
               STR_ARG(word_of(sheet, SAY_MEAN_DAYS_NOTE)));
    write_share(sheet, SAY_REVOTES, standings->revote_days, standings->execution_days,
                word_of(sheet, SAY_REVOTES_NOTE));
    write_share(sheet, SAY_ATTACKS, standings->attack_kills, standings->attacks,
                word_of(sheet, SAY_ATTACKS_NOTE));
    buf_add_char(out, '\n');
}

static size_t name_width(const Standings *standings, Str heading)
{
    size_t widest = utf8_width(heading);

    for (uint32_t i = 0; i < standings->count; i++) {
        CLEANUP(buf_done) Buf printable = {0};
        utf8_add_printable(str_of(standings->agents[i].name), AGENT_NAME_MAX, &printable);
        size_t width = utf8_width(buf_str(&printable));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* True for rulesets that score: then there is a column of points. */
static bool has_points(const Standings *standings)
{
    for (uint32_t i = 0; i < standings->count; i++)
        if (standings->agents[i].points)
            return true;
    return false;
}

/* Columns of what was not an agent's own play; those that are empty are left out. */
static const struct {
    StandingsWord title;
    size_t offset; /* of the number in Conduct */
} marks[] = {
    {COLUMN_SUBSTITUTED, offsetof(Conduct, substituted)},
    {COLUMN_VIOLATIONS, offsetof(Conduct, violations)},
    {COLUMN_FAULTS, offsetof(Conduct, faults)},
};

#define MARK_COUNT (sizeof(marks) / sizeof(marks[0]))

static uint64_t mark_of(const Standing *agent, size_t mark)
{
    uint64_t value;

    memcpy(&value, (const char *)&agent->conduct + marks[mark].offset, sizeof(value));
    return value;
}

static bool has_mark(const Standings *standings, size_t mark)
{
    for (uint32_t i = 0; i < standings->count; i++)
        if (mark_of(&standings->agents[i], mark))
            return true;
    return false;
}

enum { NUMBER_WIDTH = 8, RATE_WIDTH = 7, INTERVAL_WIDTH = 13, MARK_WIDTH = 11 };

static void add_title(const Sheet *sheet, StandingsWord title, size_t width)
{
    buf_add(sheet->out, STR("  "));
    add_right(word_of(sheet, title), width, sheet->out);
}

static void write_tally_titles(const Sheet *sheet)
{
    add_title(sheet, COLUMN_GAMES, NUMBER_WIDTH);
    add_title(sheet, COLUMN_WINS, NUMBER_WIDTH);
    add_title(sheet, COLUMN_RATE, RATE_WIDTH);
    add_title(sheet, COLUMN_INTERVAL, INTERVAL_WIDTH);
}

static void write_tally(const Sheet *sheet, Tally tally)
{
    Interval rate = wilson_interval(tally.wins, tally.games, Z_95);

    buf_printf(sheet->out, "  %8llu  %8llu  %s%5.1f %%%s  %s%5.1f - %5.1f%s",
               (unsigned long long)tally.games, (unsigned long long)tally.wins,
               style_code(sheet, BOLD), 100 * rate.rate, style_code(sheet, PLAIN),
               style_code(sheet, DIM), 100 * rate.low, 100 * rate.high, style_code(sheet, PLAIN));
}

enum { ROLE_WIDTH = 9 };

/* One line for each agent and role, role by role: so that agents can be compared in a role. */
static void write_by_role(const Sheet *sheet)
{
    const Standings *standings = sheet->standings;
    Buf *out = sheet->out;

    buf_add(out, str_of(style_code(sheet, BOLD)));
    add_left(word_of(sheet, COLUMN_ROLE), ROLE_WIDTH, out);
    buf_add(out, STR("  "));
    add_left(word_of(sheet, COLUMN_AGENT), sheet->name_width, out);
    write_tally_titles(sheet);
    buf_printf(out, "%s\n", style_code(sheet, PLAIN));
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        for (uint32_t i = 0; i < standings->count; i++) {
            const Standing *agent = &standings->agents[i];
            if (!agent->roles[columns[c].role].games)
                continue;
            add_left(
                str_of(sheet->view->japanese ? role_word(columns[c].role, true) : columns[c].title),
                ROLE_WIDTH, out);
            buf_add(out, STR("  "));
            add_name(agent->name, sheet->name_width, out);
            write_tally(sheet, agent->roles[columns[c].role]);
            buf_add_char(out, '\n');
        }
    buf_add_char(out, '\n');
}

/* The contest's three rates, with its names for them and what they mean. */
static void write_win_rates(const Sheet *sheet)
{
    static const StandingsWord titles[] = {RATES_OVERALL, RATES_MEAN, RATES_WEIGHTED};
    const Standings *standings = sheet->standings;
    const RoleSeats all = role_seats_of(standings);
    const size_t title = utf8_width(word_of(sheet, TITLE_RATES));
    const size_t first = title > sheet->name_width ? title : sheet->name_width;
    Buf *out = sheet->out;

    buf_add(out, str_of(style_code(sheet, BOLD)));
    add_left(word_of(sheet, TITLE_RATES), first, out);
    for (size_t i = 0; i < 3; i++)
        add_title(sheet, titles[i], RATE_WIDTH);
    buf_printf(out, "%s\n", style_code(sheet, PLAIN));
    for (uint32_t i = 0; i < standings->count; i++) {
        const WinRates rates = win_rates(standings->agents[i].roles, &all);
        const double shares[] = {rates.overall, rates.role_mean, rates.weighted};
        add_name(standings->agents[i].name, first, out);
        for (size_t k = 0; k < 3; k++)
            buf_printf(out, "  %*.1f %%", (int)utf8_width(word_of(sheet, titles[k])) - 2,
                       100 * shares[k]);
        buf_add_char(out, '\n');
    }
    buf_add(out, word_of(sheet, SAY_RATES));
    buf_add_char(out, '\n');
}

/* Whether model players were among them. */
static bool has_decisions(const Standings *standings)
{
    for (uint32_t i = 0; i < standings->count; i++)
        if (standings->agents[i].conduct.decisions)
            return true;
    return false;
}

static void write_own_share(const Sheet *sheet, const Conduct *conduct)
{
    if (conduct->decisions)
        buf_printf(sheet->out, "  %*.1f %%", MARK_WIDTH - 2,
                   100 * share_of(conduct->own, conduct->decisions));
    else
        buf_printf(sheet->out, "  %*s", MARK_WIDTH, "-");
}

static void write_row(const Sheet *sheet, const Standing *agent)
{
    if (agent->rank)
        buf_printf(sheet->out, "%4u  ", agent->rank);
    else
        buf_add(sheet->out, STR("   -  "));
    add_name(agent->name, sheet->name_width, sheet->out);
    write_tally(sheet, agent->all);
    if (has_points(sheet->standings))
        buf_printf(sheet->out, "  %8lld", (long long)agent->points);
    for (size_t mark = 0; mark < MARK_COUNT; mark++)
        if (has_mark(sheet->standings, mark))
            buf_printf(sheet->out, "  %*llu", MARK_WIDTH, (unsigned long long)mark_of(agent, mark));
    if (has_decisions(sheet->standings))
        write_own_share(sheet, &agent->conduct);
    buf_add_char(sheet->out, '\n');
}

static void write_ranking(const Sheet *sheet)
{
    const Standings *standings = sheet->standings;
    Buf *out = sheet->out;

    buf_printf(out, "%s   #  ", style_code(sheet, BOLD));
    add_left(word_of(sheet, COLUMN_AGENT), sheet->name_width, out);
    write_tally_titles(sheet);
    if (has_points(standings))
        add_title(sheet, COLUMN_POINTS, NUMBER_WIDTH);
    for (size_t mark = 0; mark < MARK_COUNT; mark++)
        if (has_mark(standings, mark))
            add_title(sheet, marks[mark].title, MARK_WIDTH);
    if (has_decisions(standings))
        add_title(sheet, COLUMN_OWN, MARK_WIDTH);
    buf_printf(out, "%s\n", style_code(sheet, PLAIN));
    for (uint32_t i = 0; i < standings->count; i++)
        write_row(sheet, &standings->agents[i]);
}

/* Which model played as whom. */
static void write_models(const Sheet *sheet)
{
    const Standings *standings = sheet->standings;

    for (uint32_t i = 0; i < standings->count; i++) {
        const Standing *agent = &standings->agents[i];
        if (!agent->model.name[0])
            continue;
        buf_add_char(sheet->out, '\n');
        add_name(agent->name, 0, sheet->out);
        buf_add(sheet->out, word_of(sheet, SAY_MODEL));
        buf_add(sheet->out, str_of(agent->model.name));
        if (agent->model.server[0])
            buf_add(sheet->out, word_of(sheet, SAY_AT));
        buf_add(sheet->out, str_of(agent->model.server));
        buf_add_char(sheet->out, '\n');
    }
}

void standings_write_not_ranked(const Standings *standings, bool japanese, Buf *out)
{
    for (uint32_t i = standings_ranked(standings); i < standings->count; i++) {
        const Standing *agent = &standings->agents[i];
        const uint64_t numbers[] = {standing_own_games(agent), standings->min_games};
        buf_add_char(out, '\n');
        buf_add(out, str_of(standings_word(japanese, SAY_NOT_RANKED)));
        add_name(agent->name, 0, out);
        buf_add(out, STR(": "));
        bool thought = agent->conduct.decisions == 0 || agent->conduct.own > 0;
        standings_say(japanese,
                      agent->conduct.eliminated ? SAY_ELIMINATED
                      : !thought                ? SAY_NO_DECISION
                      : !numbers[0]             ? SAY_NEVER_PLAYED
                                                : SAY_TOO_FEW,
                      numbers, out);
    }
    if (standings_ranked(standings) < standings->count)
        buf_add_char(out, '\n');
}

/* Warns of models whose place others decided for. */
static void write_not_own(const Sheet *sheet)
{
    const Standings *standings = sheet->standings;

    for (uint32_t i = 0; i < standings->count; i++) {
        const Standing *agent = &standings->agents[i];
        const uint64_t numbers[] = {agent->conduct.own, agent->conduct.decisions};
        if (decisions_reach(numbers[0], numbers[1], standings->own_share))
            continue;
        buf_add_char(sheet->out, '\n');
        add_name(agent->name, 0, sheet->out);
        buf_add(sheet->out, STR(": "));
        standings_say(sheet->view->japanese, SAY_NOT_OWN, numbers, sheet->out);
        buf_add_char(sheet->out, '\n');
    }
}

/* Says which sets no agent's rank is made of. */
static void write_not_counted(const StandingsView *view, Buf *out)
{
    for (size_t i = 0; view->unowned && i < view->unowned->count; i++) {
        const UnownedAgent *agent = &view->unowned->agents[i];
        const uint64_t numbers[] = {agent->sets, agent->first};
        buf_add_char(out, '\n');
        add_name(agent->name, 0, out);
        buf_add(out, STR(": "));
        standings_say(view->japanese, SAY_NOT_COUNTED, numbers, out);
        buf_add_char(out, '\n');
    }
}

static void write_table(const Standings *standings, const StandingsView *view, Buf *out)
{
    const Str heading = str_of(standings_word(view->japanese, COLUMN_AGENT));
    const Sheet sheet = {standings, view, name_width(standings, heading), out};

    write_summary(&sheet);
    write_by_role(&sheet);
    write_win_rates(&sheet);
    write_ranking(&sheet);
    write_models(&sheet);
    standings_write_not_ranked(standings, view->japanese, out);
    write_not_own(&sheet);
    write_not_counted(view, out);
    if (view->trial) {
        buf_add_char(out, '\n');
        trial_write_line(view->trial, standings, view->japanese, out);
    }
}

/* ---- JSON ---- */

static void put_rate(Json *json, const char *key, Tally tally)
{
    Interval rate = wilson_interval(tally.wins, tally.games, Z_95);

    json_add_real(json, key, rate.rate, 6);
    json_add_real(json, "low", rate.low, 6);
    json_add_real(json, "high", rate.high, 6);
}

/* What an agent's tokens cost; false when that is not known. */
static bool cost_of(const StandingsView *view, const Standing *agent, uint64_t *ret_cost)
{
    const GroupTable *costs = view->costs;

    for (size_t i = 0; costs && i < costs->count; i++)
        if (strcmp(costs->groups[i].name, agent->name) == 0)
            return llm_prices_cost(view->prices, str_of(agent->model.name),
                                   &costs->groups[i].figures, ret_cost);
    return false;
}

static void put_json_cost(Json *json, const Standing *agent, const StandingsView *view)
{
    CLEANUP(buf_done) Buf all = {0};
    CLEANUP(buf_done) Buf each = {0};
    uint64_t cost = 0;

    if (!cost_of(view, agent, &cost))
        return;
    llm_money_write(cost, &all);
    json_add_str(json, "cost", buf_str(&all));
    if (!agent->all.wins)
        return;
    llm_money_write(cost / agent->all.wins, &each);
    json_add_str(json, "cost_per_win", buf_str(&each));
}

static void put_agent(Json *json, const Standing *agent, const RoleSeats *all,
                      const StandingsView *view)
{
    const WinRates rates = win_rates(agent->roles, all);

    json_open(json, '{');
    json_add_str(json, "name", str_of(agent->name));
    json_key(json, STR("rank"));
    if (agent->rank)
        json_put_uint(json, agent->rank);
    else
        json_put_null(json);
    if (agent->conduct.eliminated)
        json_add_bool(json, "eliminated", true);
    json_add_uint(json, "games", agent->all.games);
    json_add_uint(json, "wins", agent->all.wins);
    put_rate(json, "win_rate", agent->all);
    json_add_real(json, "overall_macro", rates.overall, 6);
    json_add_real(json, "role_mean_micro", rates.role_mean, 6);
    json_add_real(json, "weighted_micro", rates.weighted, 6);
    json_add_int(json, "points", agent->points);
    json_add_uint(json, "own_games", standing_own_games(agent));
    json_add_uint(json, "substituted", agent->conduct.substituted);
    json_add_uint(json, "violations", agent->conduct.violations);
    json_add_uint(json, "faults", agent->conduct.faults);
    if (agent->conduct.decisions) {
        json_add_uint(json, "decisions", agent->conduct.decisions);
        json_add_uint(json, "own_decisions", agent->conduct.own);
    }
    if (agent->model.name[0]) {
        json_add_str(json, "model", str_of(agent->model.name));
        json_add_str(json, "server", str_of(agent->model.server));
    }
    put_json_cost(json, agent, view);
    json_key(json, STR("roles"));
    json_open(json, '{');
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        Tally tally = agent->roles[columns[c].role];
        if (!tally.games)
            continue;
        json_key(json, str_of(role_name(columns[c].role)));
        json_open(json, '{');
        json_add_uint(json, "games", tally.games);
        json_add_uint(json, "wins", tally.wins);
        put_rate(json, "win_rate", tally);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void put_not_counted(Json *json, const UnownedTable *unowned)
{
    json_key(json, STR("not_counted"));
    json_open(json, '[');
    for (size_t i = 0; i < unowned->count; i++) {
        const UnownedAgent *agent = &unowned->agents[i];
        json_open(json, '{');
        json_add_str(json, "agent", str_of(agent->name));
        json_add_uint(json, "sets", agent->sets);
        json_add_uint(json, "first_set", agent->first);
        json_add_str(json, "error", str_of(agent->error));
        json_close(json);
    }
    json_close(json);
}

static void write_json(const Standings *standings, const StandingsView *view, Buf *out)
{
    Interval village = wilson_interval(standings->wins[SIDE_VILLAGER], standings->games, Z_95);
    const RoleSeats all = role_seats_of(standings);
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_uint(&json, "games", standings->games);
    json_add_uint(&json, "villager_wins", standings->wins[SIDE_VILLAGER]);
    json_add_uint(&json, "werewolf_wins", standings->wins[SIDE_WEREWOLF]);
    json_add_uint(&json, "fox_wins", standings->wins[SIDE_OTHERS]);
    json_add_uint(&json, "draws", standings->wins[SIDE_NONE]);
    json_add_real(&json, "villager_win_rate", village.rate, 6);
    json_add_real(&json, "villager_low", village.low, 6);
    json_add_real(&json, "villager_high", village.high, 6);
    json_add_real(&json, "mean_days", share_of(standings->days, standings->games), 6);
    json_add_real(&json, "revote_rate", share_of(standings->revote_days, standings->execution_days),
                  6);
    json_add_real(&json, "attack_kill_rate", share_of(standings->attack_kills, standings->attacks),
                  6);
    if (view->games_per_s > 0)
        json_add_real(&json, "games_per_s", view->games_per_s, 1);
    if (view->stage)
        json_add_str(&json, "stage", str_of(view->stage));
    if (view->set)
        json_add_uint(&json, "set", *view->set);
    json_add_uint(&json, "min_games", standings->min_games);
    Exit status = view->status ? *view->status : standings_status(standings);
    json_add_str(&json, "status", str_of(exit_status_word(status)));
    if (view->trial) {
        json_key(&json, STR("sprt"));
        trial_put_json(view->trial, &json);
    }
    if (view->unowned && view->unowned->count)
        put_not_counted(&json, view->unowned);
    if (view->costs)
        json_add_str(&json, "currency", llm_prices_currency(view->prices));
    json_key(&json, STR("agents"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < standings->count; i++)
        put_agent(&json, &standings->agents[i], &all, view);
    json_close(&json);
    json_close(&json);
    buf_add_char(out, '\n');
}

/* ---- CSV ---- */

static void put_csv_cost(TextTable *table, const Standing *agent, const StandingsView *view)
{
    uint64_t cost = 0;
    const bool known = cost_of(view, agent, &cost);

    for (int per_win = 0; per_win < 2; per_win++) {
        CLEANUP(buf_done) Buf money = {0};
        if (!known || (per_win && !agent->all.wins)) {
            text_table_none(table);
            continue;
        }
        llm_money_write(per_win ? cost / agent->all.wins : cost, &money);
        text_table_text(table, buf_str(&money));
    }
}

static void write_csv(const Standings *standings, const StandingsView *view, Buf *out)
{
    static const char *const titles[] = {"agent",
                                         "games",
                                         "wins",
                                         "win_rate",
                                         "low",
                                         "high",
                                         "points",
                                         "villager_games",
                                         "villager_wins",
                                         "seer_games",
                                         "seer_wins",
                                         "medium_games",
                                         "medium_wins",
                                         "bodyguard_games",
                                         "bodyguard_wins",
                                         "freemason_games",
                                         "freemason_wins",
                                         "possessed_games",
                                         "possessed_wins",
                                         "werewolf_games",
                                         "werewolf_wins",
                                         "fox_games",
                                         "fox_wins",
                                         "rank",
                                         "own_games",
                                         "substituted",
                                         "violations",
                                         "faults",
                                         "decisions",
                                         "own_decisions",
                                         "model",
                                         "server",
                                         "overall_macro",
                                         "role_mean_micro",
                                         "weighted_micro",
                                         "set",
                                         "stage",
                                         "cost",
                                         "cost_per_win",
                                         NULL};
    const char *shown[sizeof(titles) / sizeof(titles[0])];
    CLEANUP(text_table_done) TextTable table = {.columns = shown};
    const RoleSeats all = role_seats_of(standings);

    memcpy(shown, titles, sizeof(titles));
    if (!view->costs) /* the last two */
        shown[sizeof(titles) / sizeof(titles[0]) - 3] = NULL;
    for (uint32_t i = 0; i < standings->count; i++) {
        const Standing *agent = &standings->agents[i];
        Interval rate = wilson_interval(agent->all.wins, agent->all.games, Z_95);
        CLEANUP(buf_done) Buf name = {0};
        utf8_add_printable(str_of(agent->name), AGENT_NAME_MAX, &name);
        text_table_text(&table, buf_str(&name));
        text_table_uint(&table, agent->all.games);
        text_table_uint(&table, agent->all.wins);
        text_table_real(&table, rate.rate, 6);
        text_table_real(&table, rate.low, 6);
        text_table_real(&table, rate.high, 6);
        text_table_int(&table, agent->points);
        for (size_t c = 0; c < COLUMN_COUNT; c++) {
            text_table_uint(&table, agent->roles[columns[c].role].games);
            text_table_uint(&table, agent->roles[columns[c].role].wins);
        }
        if (agent->rank)
            text_table_uint(&table, agent->rank);
        else
            text_table_none(&table);
        text_table_uint(&table, standing_own_games(agent));
        for (size_t mark = 0; mark < MARK_COUNT; mark++)
            text_table_uint(&table, mark_of(agent, mark));
        text_table_uint(&table, agent->conduct.decisions);
        text_table_uint(&table, agent->conduct.own);
        text_table_text(&table, str_of(agent->model.name));
        text_table_text(&table, str_of(agent->model.server));
        const WinRates rates = win_rates(agent->roles, &all);
        text_table_real(&table, rates.overall, 6);
        text_table_real(&table, rates.role_mean, 6);
        text_table_real(&table, rates.weighted, 6);
        if (view->set)
            text_table_uint(&table, *view->set);
        else
            text_table_none(&table);
        text_table_text(&table, str_of(view->stage ? view->stage : ""));
        if (view->costs)
            put_csv_cost(&table, agent, view);
    }
    text_table_write(&table, TABLE_CSV, out);
}

void standings_write(const Standings *standings, const StandingsView *view, Buf *out)
{
    switch (view->form) {
    case STANDINGS_TABLE:
        write_table(standings, view, out);
        break;
    case STANDINGS_JSON:
        write_json(standings, view, out);
        break;
    case STANDINGS_CSV:
        write_csv(standings, view, out);
        break;
    }
}

Exit standings_status(const Standings *standings)
{
    Exit status = EXIT_OK;

    for (uint32_t i = 0; i < standings->count; i++) {
        const Standing *agent = &standings->agents[i];
        if (!decisions_reach(agent->conduct.own, agent->conduct.decisions, standings->own_share))
            status = exit_status_of_both(status, EXIT_NOT_OWN);
        if (!agent->rank)
            status = exit_status_of_both(status, EXIT_NOT_RANKED);
    }
    return status;
}
