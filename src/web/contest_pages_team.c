/* contest_pages_team.c - one agent: where it stands, by role, against whom, its games and faults,
 * and what its program printed. */
#include "web/contest_pages_own.h"

#include "results/html_text.h"
#include "web/contest_output.h"

#define LAST_SHOWN 20

static const ReportScore *score_of(const ContestSheet *sheet, uint32_t agent)
{
    for (uint32_t i = 0; i < sheet->order->count; i++)
        if (sheet->order->scores[i].agent == agent)
            return &sheet->order->scores[i];
    return NULL;
}

/* ---- figures ---- */

static void open_key(const ContestSheet *sheet, const char *title)
{
    buf_printf(sheet->out, "<div><dt>%s</dt><dd>", title);
}

static void close_key(const ContestSheet *sheet)
{
    buf_add(sheet->out, STR("</dd></div>\n"));
}

static uint32_t ranked_count(const ReportOrder *order)
{
    uint32_t count = 0;

    while (count < order->count && order->scores[count].rank)
        count++;
    return count;
}

static void write_rank(const ContestSheet *sheet, const ReportScore *score)
{
    PageNumber rooms[2];

    open_key(sheet, sheet_report_word(sheet, WORD_RANK));
    if (score->rank)
        contest_say(sheet->ask->language, CONTEST_WORD_RANK_OF,
                    (Str[]){page_number(&rooms[0], score->rank),
                            page_number(&rooms[1], ranked_count(sheet->order))},
                    2, sheet->out);
    else
        buf_add(sheet->out, str_of(sheet_word(sheet, CONTEST_WORD_NOT_RANKED)));
    close_key(sheet);
}

static void write_strength(const ContestSheet *sheet, const ReportScore *score)
{
    if (!sheet->order->strength || !score->rank)
        return;
    const StrengthRating *rating = &sheet->order->strength->ratings[score->agent];
    if (rating->seats == 0)
        return;
    open_key(sheet, sheet_report_word(sheet, WORD_STRENGTH));
    contest_points(rating->points, sheet->out);
    buf_add(sheet->out, STR("<small>"));
    contest_points(rating->low, sheet->out);
    buf_add(sheet->out, str_of(sheet_report_word(sheet, WORD_TO)));
    contest_points(rating->high, sheet->out);
    buf_add(sheet->out, STR("</small>"));
    close_key(sheet);
}

static void write_figures(ContestSheet *sheet, const ReportScore *score)
{
    const ReportAgent *agent = &sheet->data->agents[score->agent];

    if (sheet->ask->form == CONTEST_JSON) {
        json_add_str(&sheet->json, "team", str_of(sheet->ask->team));
        json_add_uint(&sheet->json, "rank", score->rank);
        json_add_uint(&sheet->json, "games", score->all.games);
        json_add_uint(&sheet->json, "wins", score->all.wins);
        json_add_uint(&sheet->json, "failed", agent->failed_seats);
    }
    if (!sheet_is_html(sheet))
        return;
    buf_add(sheet->out, STR("<dl class=\"key\">\n"));
    write_rank(sheet, score);
    open_key(sheet, sheet_report_word(sheet, WORD_RATE));
    page_rate(sheet->out, score->all);
    buf_add(sheet->out, STR("<small>"));
    page_interval(sheet->out, score->all);
    buf_add(sheet->out, STR("</small>"));
    close_key(sheet);
    open_key(sheet, sheet_report_word(sheet, WORD_GAMES));
    page_count(sheet->out, score->all.games);
    close_key(sheet);
    write_strength(sheet, score);
    if (durations_count(&agent->times)) {
        open_key(sheet, sheet_report_word(sheet, WORD_TIMES));
        buf_printf(sheet->out, "%.1f<small>%s %.1f, %s %.1f</small>",
                   (double)durations_quantile(&agent->times, 500) / 1000,
                   sheet_report_word(sheet, WORD_P99),
                   (double)durations_quantile(&agent->times, 990) / 1000,
                   sheet_report_word(sheet, WORD_LONGEST),
                   (double)durations_max(&agent->times) / 1000);
        close_key(sheet);
    }
    if (agent->failed_seats) {
        open_key(sheet, sheet_report_word(sheet, WORD_FAILED_SEATS));
        page_count(sheet->out, agent->failed_seats);
        close_key(sheet);
    }
    buf_add(sheet->out, STR("</dl>\n"));
}

/* ---- tables ---- */

static int write_roles(ContestSheet *sheet, const ReportScore *score, Err *err)
{
    const ContestColumn columns[] = {
        {"role", sheet_word(sheet, CONTEST_WORD_FILTER_ROLE), COLUMN_NAME, true, 0},
        {"games", sheet_report_word(sheet, WORD_GAMES), COLUMN_COUNT, false, 0},
        {"wins", sheet_report_word(sheet, WORD_WINS), COLUMN_COUNT, false, 0},
        {"rate", sheet_report_word(sheet, WORD_RATE), COLUMN_RATE, false, 0},
        {"interval", sheet_report_word(sheet, WORD_INTERVAL), COLUMN_INTERVAL, false, 0},
    };
    ContestTable table = {0};

    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < REPORT_ROLES; i++) {
        Role role = report_role_order[i];
        Tally tally = score->roles[role];
        ContestAsk games = sheet_ask_team(sheet, score->agent);
        if (!tally.games)
            continue;
        games.page = CONTEST_GAMES;
        games.role = role;
        contest_table_row(&table);
        contest_table_text(&table,
                           str_of(sheet_is_html(sheet) ? report_role(sheet->ask->language, role)
                                                       : role_name(role)));
        contest_table_count(&table, tally.games);
        contest_table_link(&table, &games);
        contest_table_count(&table, tally.wins);
        contest_table_rate(&table, tally);
        contest_table_rate(&table, tally);
    }
    sheet_section_open(sheet, "roles", sheet_word(sheet, CONTEST_WORD_BY_ROLE));
    int rc =
        sheet_table(sheet, &table, "roles", sheet_word(sheet, CONTEST_WORD_BY_ROLE), true, err);
    sheet_section_close(sheet);
    return rc;
}

/* How often it won when the other sat on another side, of decided games. */
static void count_opponents(const ContestSheet *sheet, uint32_t agent, Tally *tallies)
{
    const ReportData *data = sheet->data;

    for (uint32_t g = 0; g < data->game_count; g++) {
        const ReportGame *game = &data->games[g];
        const ReportSeat *seats = &data->seats[game->first_seat];
        for (uint32_t i = 0; i < game->seat_count && game->winner != SIDE_NONE; i++)
            for (uint32_t j = 0; j < game->seat_count && seats[i].agent == agent; j++)
                if (seats[j].side != seats[i].side) {
                    tallies[seats[j].agent].games++;
                    tallies[seats[j].agent].wins += seats[i].won;
                }
    }
}

static int write_opponents(ContestSheet *sheet, uint32_t agent, Err *err)
{
    const ContestColumn columns[] = {
        {"against", sheet_report_word(sheet, WORD_OPPONENT), COLUMN_NAME, false, 0},
        {"meetings", sheet_report_word(sheet, WORD_MEETINGS), COLUMN_COUNT, false, 0},
        {"meetings_rate", sheet_report_word(sheet, WORD_RATE), COLUMN_RATE, false, 0},
        {"meetings_interval", sheet_report_word(sheet, WORD_INTERVAL), COLUMN_INTERVAL, false, 0},
    };
    CLEANUP(mem_freep)
    Tally *tallies = mem_new(((size_t)sheet->data->agent_count + 1) * sizeof(*tallies));
    ContestTable table = {0};

    if (!tallies)
        return page_no_memory(err);
    count_opponents(sheet, agent, tallies);
    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < sheet->order->count; i++) {
        uint32_t other = sheet->order->scores[i].agent;
        ContestAsk games = sheet_ask_team(sheet, agent), against = sheet_ask_team(sheet, other);
        if (other == agent || !tallies[other].games)
            continue;
        games.page = CONTEST_GAMES;
        memcpy(games.against, against.team, sizeof(games.against));
        contest_table_row(&table);
        sheet_agent_cell(sheet, other, &table);
        contest_table_count(&table, tallies[other].games);
        contest_table_link(&table, &games);
        contest_table_rate(&table, tallies[other]);
        contest_table_rate(&table, tallies[other]);
    }
    sheet_section_open(sheet, "opponents", sheet_word(sheet, CONTEST_WORD_OPPONENTS));
    int rc = sheet_table(sheet, &table, "opponents", sheet_word(sheet, CONTEST_WORD_OPPONENTS),
                         false, err);
    sheet_section_close(sheet);
    return rc;
}

static int write_games(ContestSheet *sheet, uint32_t agent, Err *err)
{
    ContestAsk games = sheet_ask_team(sheet, agent);

    games.page = CONTEST_GAMES;
    sheet_section_open(sheet, "games", sheet_word(sheet, CONTEST_WORD_ITS_GAMES));
    int rc = contest_games_last(sheet, LAST_SHOWN, "games",
                                sheet_word(sheet, CONTEST_WORD_LAST_GAMES), err);
    sheet_more(sheet, &games, sheet_word(sheet, CONTEST_WORD_ALL_GAMES));
    sheet_section_close(sheet);
    return rc;
}

static int write_faults(ContestSheet *sheet, uint32_t agent, Err *err)
{
    const ReportAgent *own = &sheet->data->agents[agent];
    const ContestColumn columns[] = {
        {"kind", sheet_word(sheet, CONTEST_WORD_KIND), COLUMN_NAME, true, 0},
        {"count", sheet_word(sheet, CONTEST_WORD_COUNT), COLUMN_COUNT, true, 0},
    };
    ContestTable table = {0};

    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (FaultKind kind = FAULT_TIMEOUT; kind < FAULT_COUNT; kind++) {
        ContestAsk ask = sheet_ask_team(sheet, agent);
        if (!own->faults[kind])
            continue;
        ask.page = CONTEST_FAULTS;
        ask.kind = kind;
        contest_table_row(&table);
        contest_table_text(&table,
                           str_of(sheet_is_html(sheet) ? report_fault(sheet->ask->language, kind)
                                                       : fault_kind_name(kind)));
        contest_table_link(&table, &ask);
        contest_table_count(&table, own->faults[kind]);
    }
    if (table.row_count == 0 && sheet_is_html(sheet)) {
        contest_table_done(&table);
        return 0;
    }
    sheet_section_open(sheet, "faults", sheet_word(sheet, CONTEST_WORD_ITS_FAULTS));
    int rc = sheet_table(sheet, &table, "faults", sheet_word(sheet, CONTEST_WORD_ITS_FAULTS), false,
                         err);
    sheet_section_close(sheet);
    return rc;
}

/* ---- output ---- */

/* What it printed may hold its thoughts in games that others still play against it. */
static bool may_see_output(const ContestSheet *sheet)
{
    return sheet->ask->is_operator ||
           (!sheet->ask->names_hidden && contest_figures_published(sheet->figures));
}

/* The end of the file that is asked for. */
static void write_tail(ContestSheet *sheet, uint32_t agent)
{
    CLEANUP(buf_done) Buf text = {0};

    if (!sheet->ask->file[0] ||
        !output_read_tail(buf_cstr(&sheet->figures->dir), sheet->data->agents[agent].name,
                          sheet->ask->file, &text))
        return;
    if (sheet->ask->form == CONTEST_JSON) {
        json_add_str(&sheet->json, "output", buf_str(&text));
        return;
    }
    if (!sheet_is_html(sheet))
        return;
    buf_add(sheet->out, STR("<h3 id=\"printed\">"));
    contest_say(sheet->ask->language, CONTEST_WORD_OUTPUT_END, (Str[]){str_of(sheet->ask->file)}, 1,
                sheet->out);
    buf_add(sheet->out, STR("</h3>\n<pre class=\"printed\" tabindex=\"0\">"));
    for (Str rest = buf_str(&text); rest.len;) { /* html_text takes no control characters */
        for (Str line = str_cut(&rest, '\n'); line.len;) {
            html_text(str_cut(&line, '\t'), sheet->out);
            if (line.len)
                buf_add_char(sheet->out, ' ');
        }
        buf_add_char(sheet->out, '\n');
    }
    buf_add(sheet->out, STR("</pre>\n"));
}

static int write_files(ContestSheet *sheet, uint32_t agent, const OutputList *list, Err *err)
{
    const ContestColumn columns[] = {
        {"file", sheet_word(sheet, CONTEST_WORD_FILE), COLUMN_NAME, true, 0},
        {"bytes", sheet_word(sheet, CONTEST_WORD_BYTES), COLUMN_COUNT, true, 0},
    };
    ContestTable table = {0};

    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < list->count; i++) {
        CLEANUP(buf_done) Buf address = {0};
        ContestAsk ask = sheet_ask_team(sheet, agent);
        memcpy(ask.file, list->files[i].name, sizeof(ask.file));
        contest_ask_link(&ask, "&amp;", &address);
        buf_add(&address, STR("#printed"));
        contest_table_row(&table);
        contest_table_text(&table, str_of(list->files[i].name));
        contest_table_address(&table, buf_str(&address));
        contest_table_count(&table, list->files[i].bytes);
        table.failed = table.failed || buf_failed(&address);
    }
    return sheet_table(sheet, &table, "files", sheet_word(sheet, CONTEST_WORD_OUTPUT), false, err);
}

static int write_output(ContestSheet *sheet, uint32_t agent, Err *err)
{
    CLEANUP(output_list_done) OutputList list = {0};

    if (!output_list_read(buf_cstr(&sheet->figures->dir), sheet->data->agents[agent].name, &list))
        return page_no_memory(err);
    const bool gone = list.count == 0 && output_list_is_gone(buf_cstr(&sheet->figures->dir));
    if ((list.count == 0 && !gone) || sheet->ask->form == CONTEST_CSV)
        return 0;
    int rc = 0;
    sheet_section_open(sheet, "output", sheet_word(sheet, CONTEST_WORD_OUTPUT));
    if (gone) {
        sheet_note(sheet, sheet_word(sheet, CONTEST_WORD_OUTPUT_GONE));
    } else if (!may_see_output(sheet)) {
        sheet_note(sheet, sheet_word(sheet, CONTEST_WORD_OUTPUT_HIDDEN));
    } else {
        sheet_note(sheet, sheet_word(sheet, CONTEST_WORD_OUTPUT_TEXT));
        rc = write_files(sheet, agent, &list, err);
        write_tail(sheet, agent);
    }
    sheet_section_close(sheet);
    return rc;
}

/* For who has the operators' secret: the page's script shows it. Where names are hidden the page
 * does not know whose logs they are. */
static void write_logs(const ContestSheet *sheet, uint32_t agent)
{
    if (!sheet_is_html(sheet) || !sheet->ask->frame.script[0] || sheet_hides_names(sheet))
        return;
    buf_add(sheet->out,
            STR("<p id=\"logs\" hidden=\"hidden\"><button type=\"button\" data-team=\""));
    html_text(str_of(sheet->data->agents[agent].name), sheet->out);
    buf_printf(sheet->out, "\">%s</button> <span role=\"status\"></span></p>\n",
               sheet_word(sheet, CONTEST_WORD_TEAM_LOGS));
}

int contest_page_team(ContestSheet *sheet, Err *err)
{
    uint32_t agent = sheet_find_agent(sheet, str_of(sheet->ask->team));
    const ReportScore *score = score_of(sheet, agent);

    if (!score) {
        sheet_note(sheet, sheet_report_word(sheet, WORD_NO_GAMES));
        return 0;
    }
    write_figures(sheet, score);
    write_logs(sheet, agent);
    int rc = write_roles(sheet, score, err);
    if (rc == 0)
        rc = write_opponents(sheet, agent, err);
    if (rc == 0)
        rc = write_faults(sheet, agent, err);
    if (rc == 0)
        rc = write_games(sheet, agent, err);
    return rc ? rc : write_output(sheet, agent, err);
}
