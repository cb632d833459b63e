/* contest_pages_overview.c - how far a contest is: progress, stages, the best, the last games, what
 * went wrong lately. */
#include "web/contest_pages_own.h"

#include "results/html_text.h"

#define HOUR_MS    3600000
#define BEST_SHOWN 10
#define LAST_SHOWN 10
#define PACE_GAMES 500 /* whose times say how fast it goes */

/* ---- progress ---- */

static int by_time(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Milliseconds that what is left takes, at the pace of the last games; -1 = not known. */
static int64_t time_left(const ContestSheet *sheet)
{
    const ReportData *data = sheet->data;
    CLEANUP(mem_freep)
    int64_t *times = mem_new(((size_t)data->game_count + 1) * sizeof(*times));
    uint32_t count = data->game_count;

    if (!times || count < 2 || data->plan.complete || data->plan.games <= data->games_of_all)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        times[i] = data->games[i].ended_ms;
    qsort(times, count, sizeof(*times), by_time);
    uint32_t pace = count < PACE_GAMES ? count : PACE_GAMES;
    int64_t took = times[count - 1] - times[count - pace];
    if (took <= 0)
        return -1;
    double each = (double)took / (pace - 1);
    double left = each * (double)(data->plan.games - data->games_of_all);
    return left < 1e15 ? (int64_t)left : -1;
}

static void write_progress(ContestSheet *sheet)
{
    const ReportData *data = sheet->data;
    PageNumber rooms[2];
    int64_t left = time_left(sheet);

    if (sheet->ask->form == CONTEST_JSON && left >= 0)
        json_add_int(&sheet->json, "left_ms", left);
    if (!sheet_is_html(sheet))
        return;
    buf_add(sheet->out, STR("<p class=\"progress\">"));
    Str played = page_number(&rooms[0], data->games_of_all);
    if (data->plan.games) {
        buf_printf(sheet->out,
                   "<progress aria-label=\"%s\" max=\"%llu\" value=\"%llu\"></progress> ",
                   sheet_word(sheet, CONTEST_WORD_PROGRESS), (unsigned long long)data->plan.games,
                   (unsigned long long)data->games_of_all);
        contest_say(sheet->ask->language, CONTEST_WORD_PLAYED_OF,
                    (Str[]){played, page_number(&rooms[1], data->plan.games)}, 2, sheet->out);
    } else {
        contest_say(sheet->ask->language, CONTEST_WORD_PLAYED, &played, 1, sheet->out);
    }
    if (left >= 0 && sheet->ask->now_ms > 0) {
        CLEANUP(buf_done) Buf duration = {0};
        CLEANUP(buf_done) Buf date = {0};
        sheet_duration(sheet, left, &duration);
        page_time(&date, sheet->ask->now_ms + left);
        buf_add(sheet->out, STR(", "));
        contest_say(sheet->ask->language, CONTEST_WORD_ETA,
                    (Str[]){buf_str(&duration), str_part(buf_str(&date), 0, 16)}, 2, sheet->out);
    }
    buf_add(sheet->out, STR("</p>\n"));
}

/* ---- stages ---- */

static int write_stages(ContestSheet *sheet, Err *err)
{
    const ContestFigures *figures = sheet->figures;
    const ContestColumn columns[] = {
        {"name", sheet_word(sheet, CONTEST_WORD_STAGE_HEAD), COLUMN_NAME, true, 0},
        {"games", sheet_report_word(sheet, WORD_GAMES), COLUMN_COUNT, true, 0},
        {"planned", sheet_word(sheet, CONTEST_WORD_PLANNED), COLUMN_COUNT, true, 0},
    };
    ContestTable table = {0};

    if (figures->plan_count < 2)
        return 0;
    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < figures->plan_count; i++) {
        const ContestStagePlan *plan = &figures->plans[i];
        const ContestStage *stage = contest_figures_stage(figures, i);
        PageNumber number;
        ContestAsk ask = sheet_ask(sheet, CONTEST_STANDINGS);
        ask.stage = i;
        contest_table_row(&table);
        contest_table_text(&table,
                           plan->name[0] ? str_of(plan->name) : page_number(&number, i + 1));
        if (stage)
            contest_table_link(&table, &ask);
        contest_table_count(&table, stage ? stage->data.game_count : 0);
        if (plan->games)
            contest_table_count(&table, plan->games);
        else
            contest_table_none(&table);
    }
    sheet_section_open(sheet, "stages", sheet_word(sheet, CONTEST_WORD_ALL_STAGES));
    int rc = sheet_table(sheet, &table, "stages", sheet_word(sheet, CONTEST_WORD_STAGE_ROWS), false,
                         err);
    sheet_section_close(sheet);
    return rc;
}

/* ---- the best ---- */

static int write_best(ContestSheet *sheet, Err *err)
{
    const ReportOrder *order = sheet->order;
    const ContestColumn columns[] = {
        {"rank", sheet_report_word(sheet, WORD_RANK), COLUMN_PLACE, true, 0},
        {"agent", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, true, 0},
        {"games", sheet_report_word(sheet, WORD_GAMES), COLUMN_COUNT, true, 0},
        {"rate", sheet_report_word(sheet, WORD_RATE), COLUMN_RATE, true, 0},
        {"interval", sheet_report_word(sheet, WORD_INTERVAL), COLUMN_INTERVAL, true, 0},
    };
    ContestTable table = {0};
    ContestAsk all = sheet_ask(sheet, CONTEST_STANDINGS);

    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < order->count && i < BEST_SHOWN; i++) {
        const ReportScore *score = &order->scores[i];
        contest_table_row(&table);
        if (score->rank)
            contest_table_count(&table, score->rank);
        else
            contest_table_none(&table);
        sheet_agent_cell(sheet, score->agent, &table);
        contest_table_count(&table, score->all.games);
        contest_table_rate(&table, score->all);
        contest_table_rate(&table, score->all);
    }
    sheet_section_open(sheet, "best", sheet_word(sheet, CONTEST_WORD_BEST));
    int rc =
        sheet_table(sheet, &table, "best", sheet_report_word(sheet, WORD_STANDINGS), true, err);
    sheet_more(sheet, &all, sheet_word(sheet, CONTEST_WORD_WHOLE_TABLE));
    sheet_section_close(sheet);
    return rc;
}

/* ---- faults of the last hour ---- */

/* How many of a kind; the hour ends with the last game while nothing is played. */
static void count_faults(const ContestSheet *sheet, uint32_t ret_counts[static FAULT_COUNT],
                         uint32_t *ret_sum)
{
    const ContestStage *stage = sheet->stage;
    int64_t last = sheet->figures->last_ended_ms;

    for (uint32_t i = 0; i < stage->fault_count; i++)
        if (stage->faults[i].at_ms > last - HOUR_MS) {
            ret_counts[stage->faults[i].kind]++;
            (*ret_sum)++;
        }
}

static int write_faults(ContestSheet *sheet, Err *err)
{
    const ContestColumn columns[] = {
        {"kind", sheet_word(sheet, CONTEST_WORD_KIND), COLUMN_NAME, true, 0},
        {"count", sheet_word(sheet, CONTEST_WORD_COUNT), COLUMN_COUNT, true, 0},
    };
    uint32_t counts[FAULT_COUNT] = {0}, sum = 0;
    ContestTable table = {0};
    ContestAsk all = sheet_ask(sheet, CONTEST_FAULTS);
    int rc = 0;

    count_faults(sheet, counts, &sum);
    sheet_section_open(sheet, "hour", sheet_word(sheet, CONTEST_WORD_LAST_HOUR));
    if (sum == 0)
        sheet_note(sheet, sheet_word(sheet, CONTEST_WORD_NO_FAULTS_HOUR));
    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (FaultKind kind = FAULT_TIMEOUT; kind < FAULT_COUNT; kind++) {
        ContestAsk ask = all;
        if (!counts[kind])
            continue;
        ask.kind = kind;
        contest_table_row(&table);
        contest_table_text(&table,
                           str_of(sheet_is_html(sheet) ? report_fault(sheet->ask->language, kind)
                                                       : fault_kind_name(kind)));
        contest_table_link(&table, &ask);
        contest_table_count(&table, counts[kind]);
    }
    if (sum || !sheet_is_html(sheet))
        rc = sheet_table(sheet, &table, "hour_faults", sheet_word(sheet, CONTEST_WORD_LAST_HOUR),
                         false, err);
    contest_table_done(&table);
    sheet_section_close(sheet);
    return rc;
}

/* ---- acts ---- */

/* For who has the operators' secret: the page's script fills and shows it. */
static void write_acts(const ContestSheet *sheet)
{
    if (!sheet->ask->frame.script[0])
        return;
    buf_printf(sheet->out,
               "<section id=\"acts\" hidden=\"hidden\">\n<h2>%s</h2>\n<ul class=\"acts\"></ul>\n"
               "<p class=\"note\">%s</p>\n<p class=\"more\"><a href=\"/web/operator\">%s</a></p>\n"
               "</section>\n",
               sheet_word(sheet, CONTEST_WORD_ACTS), sheet_word(sheet, CONTEST_WORD_ACTS_NONE),
               sheet_word(sheet, CONTEST_WORD_ACTS_PAGE));
}

/* ---- all ---- */

int contest_page_overview(ContestSheet *sheet, Err *err)
{
    ContestAsk games = sheet_ask(sheet, CONTEST_GAMES),
               standings = sheet_ask(sheet, CONTEST_STANDINGS);
    CLEANUP(buf_done) Buf clean = {0};

    write_progress(sheet);
    if (sheet_is_html(sheet))
        report_keys(&sheet->page);
    int rc = write_best(sheet, err);
    if (rc == 0)
        rc = write_stages(sheet, err);
    if (rc)
        return rc;
    sheet_section_open(sheet, "last", sheet_word(sheet, CONTEST_WORD_LAST_GAMES));
    rc = contest_games_last(sheet, LAST_SHOWN, "last_games",
                            sheet_word(sheet, CONTEST_WORD_LAST_GAMES), err);
    sheet_more(sheet, &games, sheet_word(sheet, CONTEST_WORD_ALL_GAMES));
    sheet_section_close(sheet);
    if (rc == 0)
        rc = write_faults(sheet, err);
    if (rc || !sheet_is_html(sheet))
        return rc;
    write_acts(sheet);
    contest_ask_link(&standings, "&amp;", &clean);
    buf_add(&clean, STR("#clean"));
    sheet_section_open(sheet, "contest", sheet_word(sheet, CONTEST_WORD_FACTS));
    report_facts(&sheet->page, buf_cstr(&clean));
    sheet_section_close(sheet);
    return buf_failed(&clean) ? page_no_memory(err) : 0;
}
