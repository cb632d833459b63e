/* report_figures.c - the sections with figures: summary, standings, roles. */
#include "results/report_sections.h"

#include "results/svg_plot.h"
#include "stats/win_rates.h"

static bool has_side(const Page *page, Side side)
{
    for (uint32_t i = 0; i < page->data->seat_count; i++)
        if (page->data->seats[i].side == side)
            return true;
    return false;
}

/* ---- summary ---- */

static void key_open(const Page *page, ReportWord name)
{
    buf_add(page->out, STR("<div><dt>"));
    page_word(page, name);
    buf_add(page->out, STR("</dt><dd>"));
}

static void key_close(const Page *page)
{
    buf_add(page->out, STR("</dd></div>\n"));
}

static void key_tally(const Page *page, ReportWord name, Tally tally)
{
    key_open(page, name);
    page_rate(page->out, tally);
    buf_add(page->out, STR("<small>"));
    page_interval(page->out, tally);
    buf_add(page->out, STR("</small>"));
    key_close(page);
}

void report_keys(const Page *page)
{
    const ReportData *data = page->data;
    uint64_t wins[SIDE_OTHERS + 1] = {0}, days = 0;

    for (uint32_t i = 0; i < data->game_count; i++) {
        wins[data->games[i].winner]++;
        days += data->games[i].last_day;
    }
    buf_add(page->out, STR("<dl class=\"key\">\n"));
    key_open(page, WORD_GAMES);
    page_count(page->out, data->game_count);
    key_close(page);
    key_open(page, WORD_AGENTS);
    page_count(page->out, data->agent_count);
    key_close(page);
    key_tally(page, WORD_VILLAGE_WINS, (Tally){data->game_count, wins[SIDE_VILLAGER]});
    key_tally(page, WORD_WOLVES_WIN, (Tally){data->game_count, wins[SIDE_WEREWOLF]});
    if (has_side(page, SIDE_OTHERS))
        key_tally(page, WORD_FOX_WINS, (Tally){data->game_count, wins[SIDE_OTHERS]});
    if (wins[SIDE_NONE] > 0)
        key_tally(page, WORD_NO_WINNER, (Tally){data->game_count, wins[SIDE_NONE]});
    key_open(page, WORD_MEAN_DAY);
    if (data->game_count)
        buf_printf(page->out, "%.2f", (double)days / data->game_count);
    else
        buf_add(page->out, STR(PAGE_DASH));
    key_close(page);
    buf_add(page->out, STR("</dl>\n"));
}

static void fact_open(const Page *page, ReportWord name)
{
    buf_add(page->out, STR("<dt>"));
    page_word(page, name);
    buf_add(page->out, STR("</dt><dd>"));
}

static void fact_close(const Page *page)
{
    buf_add(page->out, STR("</dd>\n"));
}

static void fact_text(const Page *page, ReportWord name, Str text)
{
    fact_open(page, name);
    page_text(page, text);
    fact_close(page);
}

static void fact_times(const Page *page)
{
    const ReportData *data = page->data;
    int64_t first = INT64_MAX, last = 0;

    for (uint32_t i = 0; i < data->game_count; i++) {
        int64_t ended = data->games[i].ended_ms;
        first = ended < first ? ended : first;
        last = ended > last ? ended : last;
    }
    if (last > 0) {
        fact_open(page, WORD_FIRST_ENDED);
        page_time(page->out, first);
        buf_add(page->out, STR(" UTC"));
        fact_close(page);
        fact_open(page, WORD_LAST_ENDED);
        page_time(page->out, last);
        buf_add(page->out, STR(" UTC"));
        fact_close(page);
    }
}

static void fact_state(const Page *page)
{
    const ReportPlan *plan = &page->data->plan;
    PageNumber played, planned;

    fact_open(page, WORD_STATE);
    if (plan->complete) {
        page_word(page, WORD_COMPLETE);
    } else {
        buf_add(page->out, STR("<span class=\"warn\">"));
        page_word(page, WORD_INTERRUPTED);
        buf_add(page->out, STR("</span>"));
    }
    if (plan->games > 0 && plan->games != page->data->games_of_all) {
        buf_add(page->out, STR(" ("));
        page_say(page, WORD_GAMES_OF,
                 (Str[]){page_number(&played, page->data->games_of_all),
                         page_number(&planned, plan->games)},
                 2);
        buf_add_char(page->out, ')');
    }
    fact_close(page);
}

static void fact_seed(const Page *page)
{
    const ReportPlan *plan = &page->data->plan;

    if (!plan->commitment[0] && !plan->chosen)
        return;
    fact_open(page, WORD_SEED);
    page_text(page, plan->seed[0] ? str_of(plan->seed) : page_word_text(page, WORD_SEED_SECRET));
    if (plan->chosen) {
        buf_add(page->out, STR(" ("));
        page_word(page, WORD_SEED_CHOSEN);
        buf_add_char(page->out, ')');
    }
    fact_close(page);
}

void report_facts(const Page *page, const char *clean)
{
    const ReportPlan *plan = &page->data->plan;

    buf_add(page->out, STR("<dl class=\"facts\">\n"));
    if (plan->rules[0])
        fact_text(page, WORD_RULES, str_of(plan->rules));
    fact_open(page, WORD_PLAYERS);
    buf_add_uint(page->out, page->data->players_min);
    if (page->data->players_max != page->data->players_min)
        buf_printf(page->out, PAGE_DASH "%u", (unsigned)page->data->players_max);
    fact_close(page);
    if (plan->cell[0])
        fact_text(page, WORD_CELL, str_of(plan->cell));
    fact_state(page);
    fact_times(page);
    fact_seed(page);
    if (plan->commitment[0]) {
        fact_open(page, WORD_COMMITMENT);
        buf_add(page->out, STR("<code>"));
        page_text(page, str_of(plan->commitment));
        buf_add(page->out, STR("</code>"));
        fact_close(page);
    }
    fact_open(page, WORD_FAILED_GAMES);
    if (page->data->failed_games == 0) {
        page_word(page, WORD_NONE);
    } else {
        buf_add(page->out, STR("<span class=\"warn\">"));
        page_count(page->out, page->data->failed_games);
        buf_printf(page->out, "</span> (<a href=\"%s\">", clean);
        page_word(page, WORD_WITHOUT_FAILED);
        buf_add(page->out, STR("</a>)"));
    }
    fact_close(page);
    buf_add(page->out, STR("</dl>\n"));
}

void report_summary(const Page *page)
{
    page_section_open(page, "summary", WORD_SUMMARY);
    if (page->data->game_count == 0)
        page_paragraph(page, WORD_NO_GAMES);
    report_not_counted(page);
    report_keys(page);
    report_facts(page, "#clean");
    page_section_close(page);
}

/* ---- standings ---- */

static int write_bars(const Page *page, const ReportOrder *order, Err *err)
{
    uint32_t shown = order->count < REPORT_PLOT_AGENTS ? order->count : REPORT_PLOT_AGENTS;
    CLEANUP(mem_freep) PlotBar *bars = mem_new((shown + 1) * sizeof(*bars));
    CLEANUP(buf_done) Buf description = {0};
    Page words = {page->data, page->options, &description};
    PageNumber some;

    if (!bars)
        return page_no_memory(err);
    for (uint32_t i = 0; i < shown; i++)
        bars[i] = (PlotBar){page_agent(page, order->scores[i].agent),
                            page_interval_of(order->scores[i].all)};
    page_say(&words, WORD_STANDINGS_PLOT, (Str[]){page_number(&some, shown)}, 1);
    BarPlot plot = {{"bars", page_word_text(page, WORD_STANDINGS), buf_str(&description)},
                    bars,
                    shown,
                    page_interval_of(order->all).rate,
                    page_word_text(page, WORD_ALL_SEATS)};
    buf_add(page->out, STR("<figure>\n"));
    svg_bars(&plot, page->out);
    page_shown(page, shown, order->count);
    buf_add(page->out, STR("</figure>\n"));
    return buf_failed(&description) ? page_no_memory(err) : 0;
}

/* "+42", with the minus sign of typography. */
static void add_points(const Page *page, double points)
{
    long whole = (long)(points < 0 ? points - 0.5 : points + 0.5);

    buf_printf(page->out, "%s%ld",
               whole < 0   ? "\xE2\x88\x92"
               : whole > 0 ? "+"
                           : "",
               whole < 0 ? -whole : whole);
}

static void cell_strength(const Page *page, const StrengthRating *rating)
{
    buf_add(page->out, STR("<td class=\"n\">"));
    if (rating->seats == 0) {
        buf_add(page->out, STR(PAGE_DASH "</td>"));
        return;
    }
    add_points(page, rating->points);
    buf_add(page->out, STR(" <small>("));
    add_points(page, rating->low);
    page_word(page, WORD_TO);
    add_points(page, rating->high);
    buf_add(page->out, STR(")</small></td>"));
}

static void cell_rank(const Page *page, uint32_t rank)
{
    if (rank)
        page_cell_count(page, rank);
    else
        buf_add(page->out, STR("<td class=\"n\">" PAGE_DASH "</td>"));
}

Conduct report_conduct(const ReportAgent *agent)
{
    Conduct conduct = {.substituted = agent->failed_seats,
                       .violations = agent->faults[FAULT_VIOLATION],
                       .decisions = agent->decisions,
                       .own = agent->own};

    for (size_t kind = 0; kind < FAULT_COUNT; kind++)
        if (kind != FAULT_VIOLATION)
            conduct.faults += agent->faults[kind];
    return conduct;
}

static Conduct all_conduct(const ReportData *data)
{
    Conduct all = {0};

    for (uint32_t i = 0; i < data->agent_count; i++) {
        const Conduct conduct = report_conduct(&data->agents[i]);
        all.substituted += conduct.substituted;
        all.violations += conduct.violations;
        all.faults += conduct.faults;
        all.decisions += conduct.decisions;
    }
    return all;
}

/* A column each for what there is any of. */
static void head_conduct(const Page *page, const Conduct *shown)
{
    if (shown->substituted)
        page_head(page, WORD_SUBSTITUTED, true);
    if (shown->violations)
        page_head(page, WORD_VIOLATIONS, true);
    if (shown->faults)
        page_head(page, WORD_OTHER_FAULTS, true);
    if (shown->decisions)
        page_head(page, WORD_OWN_DECISIONS, true);
}

static void cells_conduct(const Page *page, const ReportAgent *agent, const Conduct *shown)
{
    const Conduct conduct = report_conduct(agent);

    if (shown->substituted)
        page_cell_count(page, conduct.substituted);
    if (shown->violations)
        page_cell_count(page, conduct.violations);
    if (shown->faults)
        page_cell_count(page, conduct.faults);
    if (shown->decisions)
        page_cell_rate(page, (Tally){.games = conduct.decisions, .wins = conduct.own});
}

/* Says who is not ranked, and why. */
static void write_not_ranked(const Page *page, const ReportScore *scores, uint32_t count)
{
    const ReportData *data = page->data;

    for (uint32_t i = 0; i < count; i++) {
        if (scores[i].rank)
            continue;
        PageNumber own, needed;
        uint64_t games = scores[i].all.games - data->agents[scores[i].agent].failed_seats;
        buf_add(page->out, STR("<p class=\"note warn\">"));
        const ReportAgent *agent = &data->agents[scores[i].agent];
        page_say(page,
                 !games                                ? WORD_NEVER_PLAYED
                 : agent->decisions && agent->own == 0 ? WORD_NO_DECISION
                                                       : WORD_TOO_FEW_GAMES,
                 (Str[]){page_agent(page, scores[i].agent), page_number(&own, games),
                         page_number(&needed, data->stages[data->stage].min_games)},
                 3);
        buf_add(page->out, STR("</p>\n"));
    }
}

/* Says which model played as whom. */
static void write_models(const Page *page)
{
    for (uint32_t i = 0; i < page->data->agent_count; i++) {
        const ReportAgent *agent = &page->data->agents[i];
        if (!agent->model.name[0])
            continue;
        buf_add(page->out, STR("<p class=\"note\">"));
        page_say(
            page, WORD_MODEL_AT,
            (Str[]){str_of(agent->name), str_of(agent->model.name), str_of(agent->model.server)},
            3);
        buf_add(page->out, STR("</p>\n"));
    }
}

/* Warns of models whose place a rule decided in. */
static void write_not_own(const Page *page)
{
    for (uint32_t i = 0; i < page->data->agent_count; i++) {
        const ReportAgent *agent = &page->data->agents[i];
        PageNumber own, all;
        if (decisions_reach(agent->own, agent->decisions, page->data->own_share))
            continue;
        buf_add(page->out, STR("<p class=\"note warn\">"));
        page_say(page, WORD_NOT_OWN,
                 (Str[]){str_of(agent->name), page_number(&own, agent->own),
                         page_number(&all, agent->decisions)},
                 3);
        if (agent->error[0]) {
            buf_add_char(page->out, ' ');
            page_say(page, WORD_SERVER_ERROR, (Str[]){str_of(agent->error)}, 1);
        }
        buf_add(page->out, STR("</p>\n"));
    }
}

void report_not_counted(const Page *page)
{
    for (size_t i = 0; i < page->data->unowned.count; i++) {
        const UnownedAgent *agent = &page->data->unowned.agents[i];
        PageNumber sets, first;
        buf_add(page->out, STR("<p class=\"note warn\">"));
        page_say(page, WORD_NOT_COUNTED,
                 (Str[]){str_of(agent->name), page_number(&sets, agent->sets),
                         page_number(&first, agent->first)},
                 3);
        if (agent->error[0]) {
            buf_add_char(page->out, ' ');
            page_say(page, WORD_SERVER_ERROR, (Str[]){str_of(agent->error)}, 1);
        }
        buf_add(page->out, STR("</p>\n"));
    }
}

void report_remarks(const Page *page, const ReportScore *scores, uint32_t count)
{
    write_models(page);
    write_not_ranked(page, scores, count);
    write_not_own(page);
}

void report_standings_table(const Page *page, const ReportScore *scores, uint32_t count,
                            const Strength *strength)
{
    bool fox = has_side(page, SIDE_OTHERS);
    const Conduct shown = all_conduct(page->data);

    page_table_open(page, WORD_STANDINGS, "standings");
    page_head(page, WORD_RANK, true);
    page_head(page, WORD_AGENT, false);
    page_head(page, WORD_GAMES, true);
    page_head(page, WORD_WINS, true);
    page_head(page, WORD_RATE, true);
    page_head(page, WORD_INTERVAL, true);
    page_head(page, WORD_AS_VILLAGE, true);
    page_head(page, WORD_AS_WOLVES, true);
    if (fox)
        page_head(page, WORD_AS_FOX, true);
    if (strength)
        page_head(page, WORD_STRENGTH, true);
    head_conduct(page, &shown);
    page_body(page);
    const StrengthRating none = {0}; /* who is not ranked: it would be a substitute's */
    for (uint32_t i = 0; i < count; i++) {
        const ReportScore *score = &scores[i];
        buf_add(page->out, STR("<tr>"));
        cell_rank(page, score->rank);
        page_cell_name(page, page_agent(page, score->agent));
        page_cell_count(page, score->all.games);
        page_cell_count(page, score->all.wins);
        page_cell_rate(page, score->all);
        buf_add(page->out, STR("<td class=\"n\">"));
        page_interval(page->out, score->all);
        buf_add(page->out, STR("</td>"));
        page_cell_rate(page, score->sides[SIDE_VILLAGER]);
        page_cell_rate(page, score->sides[SIDE_WEREWOLF]);
        if (fox)
            page_cell_rate(page, score->sides[SIDE_OTHERS]);
        if (strength)
            cell_strength(page, score->rank ? &strength->ratings[score->agent] : &none);
        cells_conduct(page, &page->data->agents[score->agent], &shown);
        buf_add(page->out, STR("</tr>\n"));
    }
    page_table_close(page);
    report_remarks(page, scores, count);
}

static void cell_share(const Page *page, double share)
{
    buf_add(page->out, STR("<td class=\"n\">"));
    page_percent(page->out, share);
    buf_add(page->out, STR("</td>"));
}

/* The contest's three rates, with its names for them and what they mean. */
static void write_win_rates(const Page *page, const ReportScore *scores, uint32_t count)
{
    RoleSeats all = {0};

    for (uint32_t i = 0; i < count; i++)
        role_seats_add(&all, scores[i].roles);
    buf_add(page->out, STR("<h3>"));
    page_word(page, WORD_WIN_RATES);
    buf_add(page->out, STR("</h3>\n"));
    page_paragraph(page, WORD_WIN_RATES_TEXT);
    page_table_open(page, WORD_WIN_RATES, "win-rates");
    page_head(page, WORD_AGENT, false);
    page_head(page, WORD_RATE_OVERALL, true);
    page_head(page, WORD_RATE_ROLE_MEAN, true);
    page_head(page, WORD_RATE_WEIGHTED, true);
    page_body(page);
    for (uint32_t i = 0; i < count; i++) {
        const WinRates rates = win_rates(scores[i].roles, &all);
        buf_add(page->out, STR("<tr>"));
        page_cell_name(page, page_agent(page, scores[i].agent));
        cell_share(page, rates.overall);
        cell_share(page, rates.role_mean);
        cell_share(page, rates.weighted);
        buf_add(page->out, STR("</tr>\n"));
    }
    page_table_close(page);
}

int report_earlier(const Page *page, Err *err)
{
    for (const ReportData *data = page->data->before; data; data = data->before) {
        const Page stage = {data, page->options, page->out};
        CLEANUP(mem_freep) ReportScore *scores = NULL;
        uint32_t count = 0;
        int rc = report_scores(data, false, &scores, &count, err);
        if (rc)
            return rc;
        const ReportOrder order = {.scores = scores, .count = count};
        buf_printf(page->out, "<section id=\"stage-%u\" aria-labelledby=\"stage-%u-h\">\n",
                   data->stage, data->stage);
        buf_printf(page->out, "<h2 id=\"stage-%u-h\">", data->stage);
        page_stage(&stage);
        buf_add(page->out, STR("</h2>\n"));
        report_standings_table(&stage, scores, count, NULL);
        write_win_rates(&stage, scores, count);
        report_faults_tables(&stage, &order);
        report_models_table(&stage);
        report_sessions_tables(&stage);
        report_games_table(&stage);
        page_section_close(page);
    }
    return 0;
}

/* Where an agent stands in `scores`; `count` when it doesn't. */
static uint32_t rank_of(const ReportScore *scores, uint32_t count, uint32_t agent)
{
    uint32_t rank = 0;

    while (rank < count && scores[rank].agent != agent)
        rank++;
    return rank;
}

static void cell_change(const Page *page, Tally all, Tally clean)
{
    buf_add(page->out, STR("<td class=\"n\">"));
    if (all.games == 0 || clean.games == 0) {
        buf_add(page->out, STR(PAGE_DASH "</td>"));
        return;
    }
    double change = 100 * (page_interval_of(clean).rate - page_interval_of(all).rate);
    double size = change < 0 ? -change : change;
    buf_printf(page->out, "%s%.1f</td>",
               size < 0.05  ? "\xC2\xB1"
               : change < 0 ? "\xE2\x88\x92"
                            : "+",
               size);
}

static int write_without_failed(const Page *page, const ReportOrder *order, Err *err)
{
    CLEANUP(mem_freep) ReportScore *clean = NULL;
    uint32_t count;
    PageNumber failed, all;
    int rc = report_scores(page->data, true, &clean, &count, err);

    if (rc)
        return rc;
    buf_add(page->out, STR("<h3 id=\"clean\">"));
    page_word(page, WORD_WITHOUT_FAILED);
    buf_add(page->out, STR("</h3>\n<p class=\"note\">"));
    page_say(page, WORD_WITHOUT_FAILED_TEXT,
             (Str[]){page_number(&failed, page->data->failed_games),
                     page_number(&all, page->data->game_count)},
             2);
    buf_add(page->out, STR("</p>\n"));
    page_table_open(page, WORD_WITHOUT_FAILED, "clean");
    page_head(page, WORD_RANK, true);
    page_head(page, WORD_AGENT, false);
    page_head(page, WORD_ALL_GAMES, true);
    page_head(page, WORD_CLEAN_GAMES, true);
    page_head(page, WORD_INTERVAL, true);
    page_head(page, WORD_CHANGE, true);
    page_head(page, WORD_RANK_CHANGE, true);
    page_body(page);
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t rank = rank_of(clean, count, order->scores[i].agent);
        Tally tally = rank < count ? clean[rank].all : (Tally){0};
        buf_add(page->out, STR("<tr>"));
        cell_rank(page, order->scores[i].rank);
        page_cell_name(page, page_agent(page, order->scores[i].agent));
        page_cell_rate(page, order->scores[i].all);
        page_cell_rate(page, tally);
        buf_add(page->out, STR("<td class=\"n\">"));
        page_interval(page->out, tally);
        buf_add(page->out, STR("</td>"));
        cell_change(page, order->scores[i].all, tally);
        if (rank < count)
            page_cell_count(page, clean[rank].rank);
        else
            buf_add(page->out, STR("<td class=\"n\">" PAGE_DASH "</td>"));
        buf_add(page->out, STR("</tr>\n"));
    }
    page_table_close(page);
    return 0;
}

int report_standings(const Page *page, const ReportOrder *order, Err *err)
{
    int rc;

    page_section_open(page, "standings", WORD_STANDINGS);
    page_paragraph(page, WORD_STANDINGS_TEXT);
    rc = write_bars(page, order, err);
    if (rc)
        return rc;
    report_standings_table(page, order->scores, order->count, order->strength);
    if (page->data->failed_games > 0)
        rc = write_without_failed(page, order, err);
    page_section_close(page);
    return rc;
}

/* ---- roles ---- */

const Role report_role_order[REPORT_ROLES] = {ROLE_VILLAGER,  ROLE_SEER,      ROLE_MEDIUM,
                                              ROLE_BODYGUARD, ROLE_FREEMASON, ROLE_POSSESSED,
                                              ROLE_WEREWOLF,  ROLE_FOX};

static void cell_role(const Page *page, Tally tally, double all, bool drawn)
{
    PageNumber games;

    if (tally.games == 0) {
        buf_add(page->out, STR("<td>" PAGE_DASH "</td>"));
        return;
    }
    buf_add(page->out, STR("<td>"));
    page_rate(page->out, tally);
    buf_add(page->out, STR(" <small>"));
    page_say(page, WORD_SEATS_SHORT, (Str[]){page_number(&games, tally.games)}, 1);
    buf_add(page->out, STR("</small>"));
    if (drawn)
        svg_span(page_interval_of(tally), all, page->out);
    buf_add(page->out, STR("</td>"));
}

void report_roles(const Page *page, const ReportOrder *order)
{
    page_section_open(page, "roles", WORD_ROLES);
    page_paragraph(page, WORD_ROLES_TEXT);
    page_table_open(page, WORD_ROLES, "roles");
    page_head(page, WORD_AGENT, false);
    for (size_t r = 0; r < REPORT_ROLES; r++)
        if (order->roles[report_role_order[r]].games > 0)
            buf_printf(page->out, "<th scope=\"col\">%s</th>",
                       report_role(page->options->language, report_role_order[r]));
    page_body(page);
    for (uint32_t i = 0; i < order->count; i++) {
        buf_add(page->out, STR("<tr>"));
        page_cell_name(page, page_agent(page, order->scores[i].agent));
        for (size_t r = 0; r < REPORT_ROLES; r++) {
            Tally all = order->roles[report_role_order[r]];
            if (all.games > 0)
                cell_role(page, order->scores[i].roles[report_role_order[r]],
                          page_interval_of(all).rate, i < REPORT_SPAN_AGENTS);
        }
        buf_add(page->out, STR("</tr>\n"));
    }
    page_table_close(page);
    write_win_rates(page, order->scores, order->count);
    page_section_close(page);
}
