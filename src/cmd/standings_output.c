#include "cmd/standings_output.h"

#include "base/json.h"
#include "base/utf8.h"
#include "cmd/table.h"
#include "cmd/trial_text.h"

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

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* ---- the table ---- */

static const char *style(bool color, const char *code)
{
    return color ? code : "";
}

#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

/* 12345678 as "12,345,678". */
static void add_thousands(uint64_t value, Buf *out)
{
    if (value >= 1000) {
        add_thousands(value / 1000, out);
        buf_printf(out, ",%03u", (unsigned)(value % 1000));
    } else {
        buf_add_uint(out, value);
    }
}

static void blanks(size_t count, Buf *out)
{
    while (count-- > 0)
        buf_add_char(out, ' ');
}

static void write_summary(const Standings *standings, double games_per_s, bool color, Buf *out)
{
    Interval village = wilson_interval(standings->wins[SIDE_VILLAGER], standings->games, Z_95);

    add_thousands(standings->games, out);
    buf_printf(out, standings->games == 1 ? " game, " : " games, ");
    add_thousands(standings->count, out);
    buf_printf(out, standings->count == 1 ? " agent" : " agents");
    if (games_per_s > 0) {
        buf_add(out, STR(", "));
        add_thousands((uint64_t)(games_per_s + 0.5), out);
        buf_add(out, STR(" games/s"));
    }
    buf_printf(out, "\n\n  %svillagers win%s    %5.1f %%  %s(95 %%: %.1f to %.1f)%s\n",
               style(color, BOLD), style(color, PLAIN), 100 * village.rate, style(color, DIM),
               100 * village.low, 100 * village.high, style(color, PLAIN));
    buf_printf(out, "  werewolves win   %5.1f %%\n",
               100 * share(standings->wins[SIDE_WEREWOLF], standings->games));
    if (standings->wins[SIDE_OTHERS])
        buf_printf(out, "  the fox wins     %5.1f %%\n",
                   100 * share(standings->wins[SIDE_OTHERS], standings->games));
    if (standings->wins[SIDE_NONE])
        buf_printf(out, "  nobody wins      %5.1f %%\n",
                   100 * share(standings->wins[SIDE_NONE], standings->games));
    buf_printf(out, "  mean days        %5.2f    to the day of the result\n",
               share(standings->days, standings->games));
    buf_printf(out, "  second ballots   %5.1f %%  of the days with a vote\n",
               100 * share(standings->revote_days, standings->execution_days));
    buf_printf(out, "  attacks kill     %5.1f %%  of the nights with an attack\n\n",
               100 * share(standings->attack_kills, standings->attacks));
}

static size_t name_width(const Standings *standings)
{
    size_t widest = 5;

    for (uint32_t i = 0; i < standings->count; i++) {
        size_t width = utf8_width(str_of(standings->agents[i].name));
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

static void write_tally(Tally tally, bool color, Buf *out)
{
    Interval rate = wilson_interval(tally.wins, tally.games, Z_95);

    buf_printf(out, "  %8llu  %8llu  %s%5.1f %%%s  %s%5.1f - %5.1f%s",
               (unsigned long long)tally.games, (unsigned long long)tally.wins, style(color, BOLD),
               100 * rate.rate, style(color, PLAIN), style(color, DIM), 100 * rate.low,
               100 * rate.high, style(color, PLAIN));
}

/* One line for each agent and role, role by role: so that agents can be compared in a role. */
static void write_by_role(const Standings *standings, size_t width, bool color, Buf *out)
{
    buf_printf(out, "%srole       agent", style(color, BOLD));
    blanks(width - 5, out);
    buf_printf(out, "     games      wins     rate  95 %% interval%s\n", style(color, PLAIN));
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        for (uint32_t i = 0; i < standings->count; i++) {
            const Standing *agent = &standings->agents[i];
            if (!agent->roles[columns[c].role].games)
                continue;
            buf_printf(out, "%-9s  ", columns[c].title);
            utf8_add_printable(str_of(agent->name), STANDINGS_NAME_MAX, out);
            blanks(width - utf8_width(str_of(agent->name)), out);
            write_tally(agent->roles[columns[c].role], color, out);
            buf_add_char(out, '\n');
        }
    buf_add_char(out, '\n');
}

static void write_row(const Standings *standings, uint32_t index, size_t width, bool color,
                      Buf *out)
{
    const Standing *agent = &standings->agents[index];

    buf_printf(out, "%4u  ", index + 1);
    utf8_add_printable(str_of(agent->name), STANDINGS_NAME_MAX, out);
    blanks(width - utf8_width(str_of(agent->name)), out);
    write_tally(agent->all, color, out);
    if (has_points(standings))
        buf_printf(out, "  %8lld", (long long)agent->points);
    buf_add_char(out, '\n');
}

static void write_table(const Standings *standings, double games_per_s, bool color, Buf *out)
{
    size_t width = name_width(standings);

    write_summary(standings, games_per_s, color, out);
    write_by_role(standings, width, color, out);
    buf_printf(out, "%s   #  agent", style(color, BOLD));
    blanks(width - 5, out);
    buf_add(out, STR("     games      wins     rate  95 % interval"));
    if (has_points(standings))
        buf_add(out, STR("    points"));
    buf_printf(out, "%s\n", style(color, PLAIN));
    for (uint32_t i = 0; i < standings->count; i++)
        write_row(standings, i, width, color, out);
}

/* ---- JSON ---- */

static void put_rate(Json *json, const char *key, Tally tally)
{
    Interval rate = wilson_interval(tally.wins, tally.games, Z_95);

    json_add_real(json, key, rate.rate, 6);
    json_add_real(json, "low", rate.low, 6);
    json_add_real(json, "high", rate.high, 6);
}

static void put_agent(Json *json, const Standing *agent)
{
    json_open(json, '{');
    json_add_str(json, "name", str_of(agent->name));
    json_add_uint(json, "games", agent->all.games);
    json_add_uint(json, "wins", agent->all.wins);
    put_rate(json, "win_rate", agent->all);
    json_add_int(json, "points", agent->points);
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

static void write_json(const Standings *standings, double games_per_s, const Trial *trial, Buf *out)
{
    Interval village = wilson_interval(standings->wins[SIDE_VILLAGER], standings->games, Z_95);
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
    json_add_real(&json, "mean_days", share(standings->days, standings->games), 6);
    json_add_real(&json, "revote_rate", share(standings->revote_days, standings->execution_days),
                  6);
    json_add_real(&json, "attack_kill_rate", share(standings->attack_kills, standings->attacks), 6);
    if (games_per_s > 0)
        json_add_real(&json, "games_per_s", games_per_s, 1);
    if (trial) {
        json_key(&json, STR("sprt"));
        trial_put_json(trial, &json);
    }
    json_key(&json, STR("agents"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < standings->count; i++)
        put_agent(&json, &standings->agents[i]);
    json_close(&json);
    json_close(&json);
    buf_add_char(out, '\n');
}

/* ---- CSV ---- */

static void write_csv(const Standings *standings, Buf *out)
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
                                         NULL};
    CLEANUP(table_done) Table table = {.columns = titles};

    for (uint32_t i = 0; i < standings->count; i++) {
        const Standing *agent = &standings->agents[i];
        Interval rate = wilson_interval(agent->all.wins, agent->all.games, Z_95);
        CLEANUP(buf_done) Buf name = {0};
        utf8_add_printable(str_of(agent->name), STANDINGS_NAME_MAX, &name);
        table_text(&table, buf_str(&name));
        table_uint(&table, agent->all.games);
        table_uint(&table, agent->all.wins);
        table_real(&table, rate.rate, 6);
        table_real(&table, rate.low, 6);
        table_real(&table, rate.high, 6);
        table_int(&table, agent->points);
        for (size_t c = 0; c < COLUMN_COUNT; c++) {
            table_uint(&table, agent->roles[columns[c].role].games);
            table_uint(&table, agent->roles[columns[c].role].wins);
        }
    }
    table_write(&table, TABLE_CSV, out);
}

void standings_write_trial(const Standings *standings, StandingsForm form, double games_per_s,
                           bool color, const Trial *trial, Buf *out)
{
    switch (form) {
    case STANDINGS_TABLE:
        write_table(standings, games_per_s, color, out);
        if (trial) {
            buf_add_char(out, '\n');
            trial_write_line(trial, out);
        }
        break;
    case STANDINGS_JSON:
        write_json(standings, games_per_s, trial, out);
        break;
    case STANDINGS_CSV:
        write_csv(standings, out);
        break;
    }
}

void standings_write(const Standings *standings, StandingsForm form, double games_per_s, bool color,
                     Buf *out)
{
    standings_write_trial(standings, form, games_per_s, color, NULL, out);
}
