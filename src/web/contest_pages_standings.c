/* contest_pages_standings.c - who stands where: ranks, rates, strength, and who can't be told apart
 * yet; the winning rates by role. */
#include "web/contest_pages_own.h"

#include "stats/win_rates.h"

/* ---- groups ---- */

/* Agents one behind the other whose intervals all overlap. */
typedef struct Group {
    uint32_t first; /* index into the ranked scores */
    uint32_t last;
} Group;

/* The largest such groups, in order; at most one begins with each agent. Returns how many. */
static uint32_t find_groups(const ReportOrder *order, uint32_t count, Group *ret_groups)
{
    uint32_t found = 0;

    for (uint32_t first = 0; first < count; first++) {
        double low = 0, high = 1;
        uint32_t end = first;
        for (; end < count; end++) {
            Interval rate = page_interval_of(order->scores[end].all);
            low = rate.low > low ? rate.low : low;
            high = rate.high < high ? rate.high : high;
            if (low > high)
                break;
        }
        if (end - first > 1 && (found == 0 || end - 1 > ret_groups[found - 1].last))
            ret_groups[found++] = (Group){first, end - 1};
    }
    return found;
}

/* The groups that agent `index` is in follow each other; false when it is in none. */
static bool groups_of(const Group *groups, uint32_t count, uint32_t index, uint32_t *ret_first,
                      uint32_t *ret_last)
{
    uint32_t first = 0;

    while (first < count && groups[first].last < index)
        first++;
    if (first == count || groups[first].first > index)
        return false;
    uint32_t last = first;
    while (last + 1 < count && groups[last + 1].first <= index)
        last++;
    *ret_first = first;
    *ret_last = last;
    return true;
}

static void put_groups(ContestTable *table, const Group *groups, uint32_t count, uint32_t index)
{
    uint32_t first = 0, last = 0;

    if (groups_of(groups, count, index, &first, &last))
        contest_table_groups(table, first + 1, last + 1, groups[last].first == index,
                             groups[first].last == index);
    else
        contest_table_none(table);
}

/* ---- the table ---- */

/* Which columns it has beside those that it always has. */
typedef struct Shown {
    bool fox;
    bool strength;
    Conduct conduct; /* of all */
} Shown;

static Shown choose_columns(const ContestSheet *sheet)
{
    Shown shown = {.strength = sheet->order->strength != NULL};

    for (uint32_t i = 0; i < sheet->order->count; i++)
        shown.fox = shown.fox || sheet->order->scores[i].sides[SIDE_OTHERS].games > 0;
    for (uint32_t i = 0; i < sheet->data->agent_count; i++) {
        const Conduct own = report_conduct(&sheet->data->agents[i]);
        shown.conduct.substituted += own.substituted;
        shown.conduct.violations += own.violations;
        shown.conduct.faults += own.faults;
        shown.conduct.decisions += own.decisions;
    }
    return shown;
}

static size_t make_columns(const ContestSheet *sheet, const Shown *shown,
                           ContestColumn ret_columns[static CONTEST_COLUMNS_MAX])
{
    const struct {
        const char *key;
        const char *title;
        ColumnKind kind;
        bool there;
    } all[] = {
        {"rank", sheet_report_word(sheet, WORD_RANK), COLUMN_PLACE, true},
        {"agent", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, true},
        {"groups", sheet_word(sheet, CONTEST_WORD_GROUP), COLUMN_GROUPS, true},
        {"games", sheet_report_word(sheet, WORD_GAMES), COLUMN_COUNT, true},
        {"wins", sheet_report_word(sheet, WORD_WINS), COLUMN_COUNT, true},
        {"rate", sheet_report_word(sheet, WORD_RATE), COLUMN_RATE, true},
        {"interval", sheet_report_word(sheet, WORD_INTERVAL), COLUMN_INTERVAL, true},
        {"strength", sheet_report_word(sheet, WORD_STRENGTH), COLUMN_STRENGTH, shown->strength},
        {"village", sheet_report_word(sheet, WORD_AS_VILLAGE), COLUMN_RATE, true},
        {"wolves", sheet_report_word(sheet, WORD_AS_WOLVES), COLUMN_RATE, true},
        {"fox", sheet_report_word(sheet, WORD_AS_FOX), COLUMN_RATE, shown->fox},
        {"substituted", sheet_report_word(sheet, WORD_SUBSTITUTED), COLUMN_COUNT,
         shown->conduct.substituted > 0},
        {"violations", sheet_report_word(sheet, WORD_VIOLATIONS), COLUMN_COUNT,
         shown->conduct.violations > 0},
        {"faults", sheet_report_word(sheet, WORD_OTHER_FAULTS), COLUMN_COUNT,
         shown->conduct.faults > 0},
        {"own", sheet_report_word(sheet, WORD_OWN_DECISIONS), COLUMN_RATE,
         shown->conduct.decisions > 0},
    };
    size_t count = 0;

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i].there)
            ret_columns[count++] = (ContestColumn){all[i].key, all[i].title, all[i].kind,
                                                   all[i].kind == COLUMN_GROUPS, 0};
    return count;
}

static void put_score(const ContestSheet *sheet, const Shown *shown, const ReportScore *score,
                      ContestTable *table)
{
    const Conduct conduct = report_conduct(&sheet->data->agents[score->agent]);

    contest_table_count(table, score->all.games);
    contest_table_count(table, score->all.wins);
    contest_table_rate(table, score->all);
    contest_table_rate(table, score->all);
    if (shown->strength) {
        const StrengthRating *rating = &sheet->order->strength->ratings[score->agent];
        if (score->rank && rating->seats)
            contest_table_strength(table, rating->points, rating->low, rating->high);
        else /* it would be a substitute's */
            contest_table_none(table);
    }
    contest_table_rate(table, score->sides[SIDE_VILLAGER]);
    contest_table_rate(table, score->sides[SIDE_WEREWOLF]);
    if (shown->fox)
        contest_table_rate(table, score->sides[SIDE_OTHERS]);
    if (shown->conduct.substituted)
        contest_table_count(table, conduct.substituted);
    if (shown->conduct.violations)
        contest_table_count(table, conduct.violations);
    if (shown->conduct.faults)
        contest_table_count(table, conduct.faults);
    if (shown->conduct.decisions)
        contest_table_rate(table, (Tally){.games = conduct.decisions, .wins = conduct.own});
}

static int write_table(ContestSheet *sheet, Err *err)
{
    const ReportOrder *order = sheet->order;
    const Shown shown = choose_columns(sheet);
    CLEANUP(mem_freep) Group *groups = mem_new(((size_t)order->count + 1) * sizeof(*groups));
    ContestColumn columns[CONTEST_COLUMNS_MAX];
    ContestTable table = {0};
    uint32_t ranked = 0;

    if (!groups)
        return page_no_memory(err);
    while (ranked < order->count && order->scores[ranked].rank)
        ranked++;
    uint32_t group_count = find_groups(order, ranked, groups);
    contest_table_begin(&table, columns, make_columns(sheet, &shown, columns));
    for (uint32_t i = 0; i < order->count; i++) {
        const ReportScore *score = &order->scores[i];
        contest_table_row(&table);
        if (score->rank)
            contest_table_count(&table, score->rank);
        else
            contest_table_none(&table);
        sheet_agent_cell(sheet, score->agent, &table);
        put_groups(&table, groups, i < ranked ? group_count : 0, i);
        put_score(sheet, &shown, score, &table);
    }
    return sheet_table(sheet, &table, "standings", sheet_report_word(sheet, WORD_STANDINGS), true,
                       err);
}

/* ---- without games with a failed seat ---- */

static int write_clean(ContestSheet *sheet, Err *err)
{
    const ContestColumn columns[] = {
        {"clean_rank", sheet_report_word(sheet, WORD_RANK_CHANGE), COLUMN_PLACE, false, 0},
        {"clean_agent", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, false, 0},
        {"clean_games", sheet_report_word(sheet, WORD_GAMES), COLUMN_COUNT, false, 0},
        {"clean_rate", sheet_report_word(sheet, WORD_RATE), COLUMN_RATE, false, 0},
        {"clean_interval", sheet_report_word(sheet, WORD_INTERVAL), COLUMN_INTERVAL, false, 0},
    };
    CLEANUP(mem_freep) ReportScore *scores = NULL;
    ContestTable table = {0};
    PageNumber rooms[2];
    uint32_t count = 0;
    int rc = report_scores(sheet->data, true, &scores, &count, err);

    if (rc)
        return rc;
    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < count; i++) {
        contest_table_row(&table);
        contest_table_count(&table, scores[i].rank);
        sheet_agent_cell(sheet, scores[i].agent, &table);
        contest_table_count(&table, scores[i].all.games);
        contest_table_rate(&table, scores[i].all);
        contest_table_rate(&table, scores[i].all);
    }
    sheet_section_open(sheet, "clean", sheet_report_word(sheet, WORD_WITHOUT_FAILED));
    if (sheet_is_html(sheet)) {
        buf_add(sheet->out, STR("<p class=\"note\">"));
        page_say(&sheet->page, WORD_WITHOUT_FAILED_TEXT,
                 (Str[]){page_number(&rooms[0], sheet->data->failed_games),
                         page_number(&rooms[1], sheet->data->game_count)},
                 2);
        buf_add(sheet->out, STR("</p>\n"));
    }
    rc = sheet_table(sheet, &table, "without_failed", sheet_report_word(sheet, WORD_WITHOUT_FAILED),
                     false, err);
    sheet_section_close(sheet);
    return rc;
}

/* ---- models ---- */

static void put_money(ContestTable *table, bool known, uint64_t cost)
{
    CLEANUP(buf_done) Buf money = {0};

    if (known)
        llm_money_write(cost, &money);
    contest_table_text(table, buf_str(&money));
}

static void put_model(const ContestSheet *sheet, const ResultsGroup *model, ContestTable *table)
{
    const uint64_t *of = model->figures.of;
    const LlmPrices *prices = sheet->options.prices;
    uint64_t cost = 0;

    contest_table_row(table);
    contest_table_text(table, str_of(model->name));
    contest_table_count(table, model->all.games);
    contest_table_count(table, model->all.wins);
    contest_table_rate(table, model->all);
    contest_table_rate(table, model->all);
    contest_table_count(table, model->decisions);
    contest_table_rate(table, (Tally){.games = model->decisions, .wins = model->own});
    contest_table_count(table, of[FIGURE_REQUESTS]);
    contest_table_count(table, of[FIGURE_PROMPT]);
    contest_table_count(table, of[FIGURE_CACHED]);
    contest_table_count(table, of[FIGURE_ANSWER]);
    if (!prices)
        return;
    const bool known = llm_prices_cost(prices, str_of(model->name), &model->figures, &cost);
    put_money(table, known, cost);
    put_money(table, known && model->all.wins, model->all.wins ? cost / model->all.wins : 0);
}

/* Those who played, whatever they were called: not where names are hidden. */
static int write_models(ContestSheet *sheet, Err *err)
{
    const GroupTable *models = &sheet->data->models;
    const ContestColumn columns[] = {
        {"model", sheet_report_word(sheet, WORD_MODEL), COLUMN_NAME, true, 0},
        {"model_games", sheet_report_word(sheet, WORD_GAMES), COLUMN_COUNT, true, 0},
        {"model_wins", sheet_report_word(sheet, WORD_WINS), COLUMN_COUNT, true, 0},
        {"model_rate", sheet_report_word(sheet, WORD_RATE), COLUMN_RATE, true, 0},
        {"model_interval", sheet_report_word(sheet, WORD_INTERVAL), COLUMN_INTERVAL, true, 0},
        {"decisions", sheet_report_word(sheet, WORD_DECISIONS), COLUMN_COUNT, true, 0},
        {"model_own", sheet_report_word(sheet, WORD_OWN_DECISIONS), COLUMN_RATE, true, 0},
        {"requests", sheet_report_word(sheet, WORD_REQUESTS), COLUMN_COUNT, true, 0},
        {"prompt_tokens", sheet_report_word(sheet, WORD_TOKENS_READ), COLUMN_COUNT, true, 0},
        {"cached_tokens", sheet_report_word(sheet, WORD_TOKENS_CACHED), COLUMN_COUNT, true, 0},
        {"answer_tokens", sheet_report_word(sheet, WORD_TOKENS_WRITTEN), COLUMN_COUNT, true, 0},
        {"cost", sheet_report_word(sheet, WORD_COST), COLUMN_TEXT, true, 0},
        {"cost_per_win", sheet_report_word(sheet, WORD_COST_PER_WIN), COLUMN_TEXT, true, 0},
    };
    const size_t count = sizeof(columns) / sizeof(columns[0]) - (sheet->options.prices ? 0 : 2);
    ContestTable table = {0};

    if (models->count == 0 || sheet_hides_names(sheet))
        return 0;
    contest_table_begin(&table, columns, count);
    for (size_t i = 0; i < models->count; i++)
        put_model(sheet, &models->groups[i], &table);
    sheet_section_open(sheet, "models", sheet_report_word(sheet, WORD_MODELS));
    sheet_note(sheet, sheet_report_word(sheet, WORD_MODELS_TEXT));
    int rc =
        sheet_table(sheet, &table, "models", sheet_report_word(sheet, WORD_MODELS), false, err);
    if (sheet_is_html(sheet) && sheet->options.prices) {
        buf_add(sheet->out, STR("<p class=\"note\">"));
        page_say(&sheet->page, WORD_COSTS_IN, (Str[]){llm_prices_currency(sheet->options.prices)},
                 1);
        buf_add(sheet->out, STR("</p>\n"));
    } else if (sheet->ask->form == CONTEST_JSON && sheet->options.prices) {
        json_add_str(&sheet->json, "currency", llm_prices_currency(sheet->options.prices));
    }
    sheet_section_close(sheet);
    return rc;
}

/* ---- pages ---- */

int contest_page_standings(ContestSheet *sheet, Err *err)
{
    sheet_note(sheet, sheet_report_word(sheet, WORD_STANDINGS_TEXT));
    int rc = write_table(sheet, err);
    sheet_note(sheet, sheet_word(sheet, CONTEST_WORD_GROUPS_TEXT));
    if (sheet_is_html(sheet) && !sheet_hides_names(sheet))
        report_not_counted(&sheet->page);
    if (rc || !sheet->data->game_count)
        return rc;
    rc = write_models(sheet, err);
    if (rc)
        return rc;
    if (sheet_is_html(sheet) && !sheet_hides_names(sheet)) {
        report_remarks(&sheet->page, sheet->order->scores, sheet->order->count);
        sheet_section_open(sheet, "time", sheet_report_word(sheet, WORD_TIME));
        rc = report_lines(&sheet->page, sheet->order, err);
        sheet_section_close(sheet);
    }
    return rc == 0 && sheet->data->failed_games ? write_clean(sheet, err) : rc;
}

/* The key of a role's column: "SEER". */
static size_t role_columns(const ContestSheet *sheet,
                           ContestColumn ret_columns[static CONTEST_COLUMNS_MAX])
{
    size_t count = 0;

    ret_columns[count++] =
        (ContestColumn){"agent", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, false, 0};
    for (size_t i = 0; i < REPORT_ROLES; i++) {
        Role role = report_role_order[i];
        Tally all = sheet->order->roles[role];
        if (all.games)
            ret_columns[count++] =
                (ContestColumn){role_name(role), report_role(sheet->ask->language, role),
                                COLUMN_ROLE, false, page_interval_of(all).rate};
    }
    return count;
}

static int write_roles(ContestSheet *sheet, Err *err)
{
    ContestColumn columns[CONTEST_COLUMNS_MAX];
    ContestTable table = {0};

    contest_table_begin(&table, columns, role_columns(sheet, columns));
    for (uint32_t i = 0; i < sheet->order->count; i++) {
        const ReportScore *score = &sheet->order->scores[i];
        contest_table_row(&table);
        sheet_agent_cell(sheet, score->agent, &table);
        for (size_t r = 0; r < REPORT_ROLES; r++) {
            Role role = report_role_order[r];
            ContestAsk ask = sheet_ask(sheet, CONTEST_GAMES);
            if (!sheet->order->roles[role].games)
                continue;
            contest_table_rate(&table, score->roles[role]);
            ask = sheet_ask_team(sheet, score->agent);
            ask.page = CONTEST_GAMES;
            ask.role = role;
            if (score->roles[role].games)
                contest_table_link(&table, &ask);
        }
    }
    return sheet_table(sheet, &table, "roles", sheet_word(sheet, CONTEST_WORD_ROLE_CAPTION), true,
                       err);
}

static int write_win_rates(ContestSheet *sheet, Err *err)
{
    const ContestColumn columns[] = {
        {"name", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, false, 0},
        {"macro", sheet_report_word(sheet, WORD_RATE_OVERALL), COLUMN_SHARE, false, 0},
        {"micro", sheet_report_word(sheet, WORD_RATE_ROLE_MEAN), COLUMN_SHARE, false, 0},
        {"weighted", sheet_report_word(sheet, WORD_RATE_WEIGHTED), COLUMN_SHARE, false, 0},
    };
    ContestTable table = {0};
    RoleSeats all = {0};

    for (uint32_t i = 0; i < sheet->order->count; i++)
        role_seats_add(&all, sheet->order->scores[i].roles);
    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < sheet->order->count; i++) {
        const WinRates rates = win_rates(sheet->order->scores[i].roles, &all);
        contest_table_row(&table);
        sheet_agent_cell(sheet, sheet->order->scores[i].agent, &table);
        contest_table_share(&table, rates.overall);
        contest_table_share(&table, rates.role_mean);
        contest_table_share(&table, rates.weighted);
    }
    sheet_section_open(sheet, "win-rates", sheet_report_word(sheet, WORD_WIN_RATES));
    sheet_note(sheet, sheet_report_word(sheet, WORD_WIN_RATES_TEXT));
    int rc = sheet_table(sheet, &table, "win_rates", sheet_report_word(sheet, WORD_WIN_RATES),
                         false, err);
    sheet_section_close(sheet);
    return rc;
}

/* How agents play, of games that are over. */
static int write_measures(ContestSheet *sheet, Err *err)
{
    ContestColumn columns[MEASURE_COUNT + 1] = {
        {"measured_agent", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, false, 0}};
    ContestTable table = {0};

    for (Measure measure = 0; measure < MEASURE_COUNT; measure++)
        columns[measure + 1] =
            (ContestColumn){measure_name(measure), report_measure(sheet->ask->language, measure),
                            COLUMN_RATE, false, 0};
    contest_table_begin(&table, columns, MEASURE_COUNT + 1);
    for (uint32_t i = 0; i < sheet->order->count; i++) {
        const uint32_t agent = sheet->order->scores[i].agent;
        const PlaySums none = {0};
        const PlaySums *play = report_play_of(sheet->data, str_of(sheet->data->agents[agent].name));
        contest_table_row(&table);
        sheet_agent_cell(sheet, agent, &table);
        for (Measure measure = 0; measure < MEASURE_COUNT; measure++) {
            const MeasureShare share = measure_share(play ? play : &none, measure, ROLE_NONE);
            contest_table_rate(&table, (Tally){.games = share.of, .wins = share.count});
        }
    }
    sheet_section_open(sheet, "measures", sheet_report_word(sheet, WORD_MEASURES));
    sheet_note(sheet, sheet_report_word(sheet, WORD_MEASURES_TEXT));
    int rc =
        sheet_table(sheet, &table, "measures", sheet_report_word(sheet, WORD_MEASURES), false, err);
    sheet_section_close(sheet);
    return rc;
}

int contest_page_roles(ContestSheet *sheet, Err *err)
{
    sheet_note(sheet, sheet_report_word(sheet, WORD_ROLES_TEXT));
    int rc = write_roles(sheet, err);
    if (rc == 0)
        rc = write_win_rates(sheet, err);
    return rc == 0 && report_has_play(sheet->data) ? write_measures(sheet, err) : rc;
}
