/* report_records.c - the sections that list: faults, answer times, games, notes. */
#include "results/report_sections.h"

/* ---- faults ---- */

static bool any_outside(const ReportData *data)
{
    for (uint32_t i = 0; i < data->agent_count; i++)
        if (data->agents[i].outside || data->agents[i].failed_seats > 0)
            return true;
    return false;
}

/* Whether an answer was taken only because its program had to wait for a processor. */
static bool any_excused(const ReportData *data)
{
    for (uint32_t i = 0; i < data->agent_count; i++)
        if (data->agents[i].excused > 0)
            return true;
    return false;
}

static void write_fault_table(const Page *page, const ReportOrder *order)
{
    const bool waits = any_excused(page->data);

    page_table_open(page, WORD_FAULT_TABLE, "faults");
    page_head(page, WORD_AGENT, false);
    page_head(page, WORD_SEATS, true);
    page_head(page, WORD_FAILED_SEATS, true);
    for (int kind = 0; kind < FAULT_COUNT; kind++)
        buf_printf(page->out, "<th scope=\"col\" class=\"n\">%s</th>",
                   report_fault(page->options->language, (FaultKind)kind));
    page_head(page, WORD_EXCESSES, true);
    if (waits) {
        page_head(page, WORD_EXCUSED, true);
        page_head(page, WORD_WAITED, true);
    }
    page_body(page);
    for (uint32_t i = 0; i < order->count; i++) {
        const ReportAgent *agent = &page->data->agents[order->scores[i].agent];
        if (!agent->outside && agent->failed_seats == 0)
            continue;
        buf_add(page->out, STR("<tr>"));
        page_cell_name(page, str_of(agent->name));
        page_cell_count(page, agent->seats);
        page_cell_count(page, agent->failed_seats);
        for (size_t kind = 0; kind < FAULT_COUNT; kind++)
            page_cell_count(page, agent->faults[kind]);
        page_cell_count(page, agent->excesses);
        if (waits) {
            page_cell_count(page, agent->excused);
            page_cell_count(page, agent->waited_ms);
        }
        buf_add(page->out, STR("</tr>\n"));
    }
    page_table_close(page);
}

static void cell_ms(const Page *page, uint64_t us)
{
    buf_add(page->out, STR("<td class=\"n\">"));
    page_count(page->out, us / 1000);
    buf_printf(page->out, ".%u</td>", (unsigned)(us % 1000 / 100));
}

static void write_time_table(const Page *page, const ReportOrder *order)
{
    buf_add(page->out, STR("<h3>"));
    page_word(page, WORD_TIMES);
    buf_add(page->out, STR("</h3>\n"));
    page_table_open(page, WORD_TIMES, "times");
    page_head(page, WORD_AGENT, false);
    page_head(page, WORD_ANSWERS, true);
    page_head(page, WORD_SHORTEST, true);
    page_head(page, WORD_MEDIAN, true);
    page_head(page, WORD_P99, true);
    page_head(page, WORD_LONGEST, true);
    page_body(page);
    for (uint32_t i = 0; i < order->count; i++) {
        const ReportAgent *agent = &page->data->agents[order->scores[i].agent];
        uint64_t answers = durations_count(&agent->times);
        if (!agent->outside || answers == 0)
            continue;
        buf_add(page->out, STR("<tr>"));
        page_cell_name(page, str_of(agent->name));
        page_cell_count(page, answers);
        cell_ms(page, durations_min(&agent->times));
        cell_ms(page, durations_quantile(&agent->times, 500));
        cell_ms(page, durations_quantile(&agent->times, 990));
        cell_ms(page, durations_max(&agent->times));
        buf_add(page->out, STR("</tr>\n"));
    }
    page_table_close(page);
}

/* ---- findings ---- */

static bool any_finding(const ReportAgent *agent)
{
    for (size_t rule = 0; rule < FINDING_RULES; rule++)
        if (agent->findings[rule] > 0)
            return true;
    return false;
}

static bool any_findings(const ReportData *data)
{
    for (uint32_t i = 0; i < data->agent_count; i++)
        if (any_finding(&data->agents[i]))
            return true;
    return data->finding_count > 0;
}

static void write_finding_table(const Page *page, const ReportOrder *order)
{
    page_table_open(page, WORD_FINDINGS, "findings");
    page_head(page, WORD_AGENT, false);
    for (int rule = 0; rule < FINDING_RULES; rule++)
        buf_printf(page->out, "<th scope=\"col\" class=\"n\">%s</th>",
                   report_finding(page->options->language, (FindingRule)rule));
    page_body(page);
    for (uint32_t i = 0; i < order->count; i++) {
        const ReportAgent *agent = &page->data->agents[order->scores[i].agent];
        if (!any_finding(agent))
            continue;
        buf_add(page->out, STR("<tr>"));
        page_cell_name(page, str_of(agent->name));
        for (size_t rule = 0; rule < FINDING_RULES; rule++)
            page_cell_count(page, agent->findings[rule]);
        buf_add(page->out, STR("</tr>\n"));
    }
    page_table_close(page);
}

/* "line 3, set 0, game 17, day 2" and the text. */
static void write_finding(const Page *page, const ReportFinding *finding)
{
    PageNumber numbers[4];
    const Str args[] = {page_number(&numbers[0], (uint64_t)finding->line),
                        page_number(&numbers[1], (uint64_t)finding->set),
                        page_number(&numbers[2], (uint64_t)finding->game),
                        page_number(&numbers[3], (uint64_t)finding->day)};

    buf_add(page->out, STR("<li>"));
    if (finding->game < 0)
        page_say(page, WORD_FINDING_BEHIND, args, 2);
    else
        page_say(page, WORD_FINDING_GAME, args, 4);
    buf_add(page->out, STR(": <code>"));
    page_text(page, str_part(buf_str(&page->data->texts), finding->text, finding->text_bytes));
    buf_add(page->out, STR("</code></li>\n"));
}

/* Of each agent and rule a row with its first lines. */
static void write_first_findings(const Page *page)
{
    const ReportData *data = page->data;

    page_table_open(page, WORD_FIRST_FINDINGS, "findings");
    page_head(page, WORD_AGENT, false);
    page_head(page, WORD_FINDINGS, false);
    page_head(page, WORD_FIRST_FINDINGS, false);
    page_body(page);
    for (uint32_t i = 0; i < data->finding_count;) {
        const ReportFinding *first = &data->findings[i];
        buf_add(page->out, STR("<tr>"));
        page_cell_name(page, str_of(data->agents[first->agent].name));
        buf_printf(page->out, "<td>%s</td><td><ul>\n",
                   report_finding(page->options->language, first->rule));
        for (; i < data->finding_count && data->findings[i].agent == first->agent &&
               data->findings[i].rule == first->rule;
             i++)
            write_finding(page, &data->findings[i]);
        buf_add(page->out, STR("</ul></td></tr>\n"));
    }
    page_table_close(page);
}

static void write_findings(const Page *page, const ReportOrder *order)
{
    buf_add(page->out, STR("<h3>"));
    page_word(page, WORD_FINDINGS);
    buf_add(page->out, STR("</h3>\n"));
    page_paragraph(page, WORD_FINDINGS_TEXT);
    write_finding_table(page, order);
    if (page->data->finding_count)
        write_first_findings(page);
}

void report_faults_tables(const Page *page, const ReportOrder *order)
{
    if (!any_outside(page->data))
        return;
    write_fault_table(page, order);
    if (any_findings(page->data))
        write_findings(page, order);
    write_time_table(page, order);
}

void report_faults(const Page *page, const ReportOrder *order)
{
    page_section_open(page, "faults", WORD_FAULTS);
    if (!any_outside(page->data)) {
        page_paragraph(page, WORD_NO_OUTSIDE);
    } else {
        page_paragraph(page, WORD_FAULTS_TEXT);
        report_faults_tables(page, order);
    }
    page_section_close(page);
}

/* ---- games ---- */

/* A path inside the folder of logs, of letters that mean nothing in a link. */
static bool log_is_safe(Str path)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "._-/";
    bool after_dot = false;

    if (!str_starts(path, STR("logs/")) || path.len == 5)
        return false;
    for (size_t i = 0; i < path.len; i++) {
        if (!memchr(letters, path.bytes[i], sizeof(letters) - 1))
            return false;
        if (path.bytes[i] == '.' && after_dot)
            return false;
        after_dot = path.bytes[i] == '.';
    }
    return true;
}

void report_game_stem(Str log, Buf *out)
{
    static const char *const endings[] = {".gz", ".json", ".log", ".game"};

    if (str_starts(log, STR("logs/")))
        log = str_part(log, strlen("logs/"), log.len);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        const Str end = str_of(endings[i]);
        if (log.len > end.len && str_eq(str_part(log, log.len - end.len, end.len), end))
            log.len -= end.len;
    }
    for (size_t i = 0; i < log.len; i++)
        buf_add_char(out, log.bytes[i] == '/' ? '.' : log.bytes[i]);
}

/* The link to a game's page, if there are such. */
static bool link_game(const Page *page, Str path, Str shown)
{
    if (!page->options->game_pages || !log_is_safe(path))
        return false;
    buf_printf(page->out, "<a href=\"%s", page->options->game_pages);
    report_game_stem(path, page->out);
    buf_printf(page->out, ".html\">%.*s</a>", STR_ARG(shown));
    return true;
}

static void cell_log(const Page *page, const ReportGame *game)
{
    Str path = str_part(buf_str(&page->data->texts), game->log, game->log_bytes);
    Str shown = str_starts(path, STR("logs/")) ? str_part(path, 5, path.len) : path;

    buf_add(page->out, STR("<td>"));
    if (path.len == 0)
        buf_add(page->out, STR(PAGE_DASH));
    else if (page->options->link_logs && log_is_safe(path))
        buf_printf(page->out, "<a href=\"%.*s\">%.*s</a>", STR_ARG(path), STR_ARG(shown));
    else if (!link_game(page, path, shown))
        page_text(page, shown);
    buf_add(page->out, STR("</td>"));
}

/* Why a game ended that nobody won by the rules; nothing for the others. */
static void write_reason(const Page *page, const ReportGame *game)
{
    static const struct {
        const char *reason; /* as results.db has it */
        ReportWord word;
    } reasons[] = {
        {"max_day", WORD_MARK_REASON_MAX_DAY},
        {"idle", WORD_MARK_REASON_IDLE},
        {"aborted", WORD_MARK_REASON_ABORTED},
    };

    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (strcmp(game->reason, reasons[i].reason) == 0)
            page_word(page, reasons[i].word);
}

/* "alice: Timeout 1, Early 2" */
static void write_mark(const Page *page, const ReportMark *mark)
{
    PageNumber seat;
    const char *comma = ": ";

    if (mark->failed) {
        buf_add(page->out, STR("<span class=\"warn\">"));
        page_say(page, WORD_SEAT_FAILED, (Str[]){page_number(&seat, mark->seat)}, 1);
        buf_add(page->out, STR("</span>, "));
    }
    buf_add(page->out, STR("<bdi>"));
    page_text(page, str_of(page->data->agents[mark->agent].name));
    buf_add(page->out, STR("</bdi>"));
    for (int kind = 0; kind < FAULT_COUNT; kind++) {
        if (mark->faults[kind] == 0)
            continue;
        buf_printf(page->out, "%s%s%s%u", comma,
                   report_fault(page->options->language, (FaultKind)kind), "\xC2\xA0",
                   mark->faults[kind]);
        comma = ", ";
    }
}

static void write_game(const Page *page, const ReportGame *game)
{
    buf_add(page->out, STR("<tr><th scope=\"row\" class=\"n\">"));
    buf_add_int(page->out, game->number);
    buf_add(page->out, STR("</th>"));
    buf_printf(page->out, "<td class=\"n\">%lld</td><td>%s</td>", (long long)game->set,
               report_side(page->options->language, game->winner));
    page_cell_count(page, game->last_day);
    buf_add(page->out, STR("<td class=\"n\">"));
    page_time(page->out, game->ended_ms);
    buf_add(page->out, STR("</td>"));
    cell_log(page, game);
    buf_add(page->out, STR("<td>"));
    write_reason(page, game);
    for (uint32_t i = 0; i < game->mark_count; i++) {
        if (i > 0 || game->reason[0] == 'm' || game->reason[0] == 'i' || game->reason[0] == 'a')
            buf_add(page->out, STR("<br/>"));
        write_mark(page, &page->data->marks[game->first_mark + i]);
    }
    buf_add(page->out, STR("</td></tr>\n"));
}

/* Which games of a long set are listed. */
typedef struct Choice {
    bool all;
    bool failed_only; /* of those between, because there are too many with marks */
    uint32_t between; /* how many of those */
} Choice;

static bool is_between(const ReportData *data, uint32_t index)
{
    return index >= REPORT_GAMES_ENDS && index + REPORT_GAMES_ENDS < data->game_count;
}

static bool is_marked(const ReportGame *game, Choice choice)
{
    return choice.failed_only ? game->failed : game->mark_count > 0;
}

static Choice choose_games(const ReportData *data)
{
    Choice choice = {.all = data->game_count <= REPORT_GAMES_ALL};

    for (int round = 0; round < 2 && !choice.all; round++) {
        choice.failed_only = round == 1;
        choice.between = 0;
        for (uint32_t i = 0; i < data->game_count; i++)
            choice.between += is_between(data, i) && is_marked(&data->games[i], choice);
        if (choice.between <= REPORT_GAMES_MARKS)
            break;
    }
    if (choice.between > REPORT_GAMES_MARKS)
        choice.between = REPORT_GAMES_MARKS;
    return choice;
}

static void write_gap(const Page *page, uint32_t left_out)
{
    PageNumber number;

    if (left_out == 0)
        return;
    buf_add(page->out, STR("<tr class=\"gap\"><td colspan=\"7\">"));
    page_say(page, WORD_GAMES_LEFT_OUT, (Str[]){page_number(&number, left_out)}, 1);
    buf_add(page->out, STR("</td></tr>\n"));
}

static void write_games(const Page *page, Choice choice)
{
    const ReportData *data = page->data;
    uint32_t left_out = 0, between = 0;

    for (uint32_t i = 0; i < data->game_count; i++) {
        bool listed = choice.all || !is_between(data, i);
        if (!listed && between < choice.between && is_marked(&data->games[i], choice)) {
            listed = true;
            between++;
        }
        if (!listed) {
            left_out++;
            continue;
        }
        write_gap(page, left_out);
        left_out = 0;
        write_game(page, &data->games[i]);
    }
}

void report_games_table(const Page *page)
{
    const ReportData *data = page->data;
    Choice choice = choose_games(data);
    PageNumber ends, all, between;

    buf_add(page->out, STR("<p class=\"note\">"));
    page_say(page,
             choice.all           ? WORD_GAMES_TEXT
             : choice.failed_only ? WORD_GAMES_PART_FAILED
                                  : WORD_GAMES_PART,
             (Str[]){page_number(&ends, REPORT_GAMES_ENDS), page_number(&all, data->game_count),
                     page_number(&between, choice.between)},
             3);
    buf_add(page->out, STR("</p>\n"));
    page_table_open(page, WORD_GAMES_LIST, "games");
    page_head(page, WORD_NUMBER, true);
    page_head(page, WORD_SET, true);
    page_head(page, WORD_WINNER, false);
    page_head(page, WORD_LAST_DAY, true);
    page_head(page, WORD_ENDED, true);
    page_head(page, WORD_LOG, false);
    page_head(page, WORD_MARKS, false);
    page_body(page);
    write_games(page, choice);
    page_table_close(page);
}

void report_games(const Page *page)
{
    page_section_open(page, "games", WORD_GAMES_LIST);
    if (page->data->game_count == 0)
        page_paragraph(page, WORD_NO_GAMES);
    else
        report_games_table(page);
    page_section_close(page);
}

/* ---- notes ---- */

static void note_word(const Page *page, ReportWord word)
{
    buf_add(page->out, STR("<li>"));
    page_word(page, word);
    buf_add(page->out, STR("</li>\n"));
}

void report_notes(const Page *page, const ReportOrder *order)
{
    PageNumber rounds;

    page_section_open(page, "notes", WORD_NOTES);
    buf_add(page->out, STR("<ul class=\"notes\">\n"));
    note_word(page, WORD_NOTE_RATE);
    note_word(page, WORD_NOTE_INTERVAL);
    note_word(page, WORD_NOTE_VERSUS);
    if (order->strength) {
        buf_add(page->out, STR("<li>"));
        page_word(page, WORD_NOTE_STRENGTH);
        if (page->options->language == REPORT_ENGLISH)
            buf_add_char(page->out, ' ');
        page_say(page,
                 order->strength_rounds ? WORD_NOTE_STRENGTH_ROUNDS : WORD_NOTE_STRENGTH_CURVE,
                 (Str[]){page_number(&rounds, order->strength_rounds)}, 1);
        buf_add(page->out, STR("</li>\n"));
    }
    if (any_outside(page->data))
        note_word(page, WORD_NOTE_TIMES);
    buf_add(page->out, STR("</ul>\n"));
    page_section_close(page);
}
