/* contest_pages_faults.c - what went wrong: by agent and kind, how long answers took, and each
 * fault with the moment at which it happened. Of finished games only: the journal has no others. */
#include "web/contest_pages_own.h"

#include "results/html_text.h"

#define CAME_BYTES 80 /* of what came, for people */

/* ---- by agent ---- */

static bool is_outside(const ReportAgent *agent)
{
    return agent->outside || agent->failed_seats > 0;
}

static bool any_outside(const ReportData *data)
{
    for (uint32_t i = 0; i < data->agent_count; i++)
        if (is_outside(&data->agents[i]))
            return true;
    return false;
}

static bool any_excused(const ReportData *data)
{
    for (uint32_t i = 0; i < data->agent_count; i++)
        if (data->agents[i].excused)
            return true;
    return false;
}

static size_t agent_columns(const ContestSheet *sheet, bool excused,
                            ContestColumn ret_columns[static CONTEST_COLUMNS_MAX])
{
    size_t count = 0;
    ContestColumn *columns = ret_columns;

    columns[count++] =
        (ContestColumn){"agent", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, false, 0};
    columns[count++] =
        (ContestColumn){"seats", sheet_report_word(sheet, WORD_SEATS), COLUMN_COUNT, false, 0};
    columns[count++] = (ContestColumn){"failed", sheet_report_word(sheet, WORD_FAILED_SEATS),
                                       COLUMN_COUNT, false, 0};
    for (FaultKind kind = FAULT_TIMEOUT; kind < FAULT_COUNT; kind++)
        columns[count++] =
            (ContestColumn){fault_kind_name(kind), report_fault(sheet->ask->language, kind),
                            COLUMN_COUNT, false, 0};
    columns[count++] = (ContestColumn){"excesses", sheet_report_word(sheet, WORD_EXCESSES),
                                       COLUMN_COUNT, false, 0};
    if (excused)
        columns[count++] = (ContestColumn){"excused", sheet_report_word(sheet, WORD_EXCUSED),
                                           COLUMN_COUNT, false, 0};
    columns[count++] =
        (ContestColumn){"answers", sheet_report_word(sheet, WORD_ANSWERS), COLUMN_COUNT, false, 0};
    columns[count++] =
        (ContestColumn){"p50_ms", sheet_report_word(sheet, WORD_MEDIAN), COLUMN_MS, false, 0};
    columns[count++] =
        (ContestColumn){"p99_ms", sheet_report_word(sheet, WORD_P99), COLUMN_MS, false, 0};
    columns[count++] =
        (ContestColumn){"max_ms", sheet_report_word(sheet, WORD_LONGEST), COLUMN_MS, false, 0};
    return count;
}

/* A number that leads to the faults that it counts. */
static void put_kind(const ContestSheet *sheet, uint32_t agent, FaultKind kind, ContestTable *table)
{
    uint64_t count = sheet->data->agents[agent].faults[kind];
    ContestAsk ask = sheet_ask_team(sheet, agent);

    contest_table_count(table, count);
    ask.page = CONTEST_FAULTS;
    ask.kind = kind;
    if (count)
        contest_table_link(table, &ask);
}

static void put_times(const Durations *times, ContestTable *table)
{
    contest_table_count(table, durations_count(times));
    if (durations_count(times) == 0) {
        contest_table_none(table);
        contest_table_none(table);
        contest_table_none(table);
        return;
    }
    contest_table_us(table, durations_quantile(times, 500));
    contest_table_us(table, durations_quantile(times, 990));
    contest_table_us(table, durations_max(times));
}

static void put_agent(const ContestSheet *sheet, uint32_t index, bool excused, ContestTable *table)
{
    const ReportAgent *agent = &sheet->data->agents[index];
    ContestAsk failed = sheet_ask_team(sheet, index);

    contest_table_row(table);
    sheet_agent_cell(sheet, index, table);
    contest_table_count(table, agent->seats);
    contest_table_count(table, agent->failed_seats);
    failed.page = CONTEST_GAMES;
    failed.faults = FAULTS_FAILED;
    if (agent->failed_seats)
        contest_table_link(table, &failed);
    for (FaultKind kind = FAULT_TIMEOUT; kind < FAULT_COUNT; kind++)
        put_kind(sheet, index, kind, table);
    contest_table_count(table, agent->excesses);
    if (excused)
        contest_table_count(table, agent->excused);
    put_times(&agent->times, table);
}

static int write_agents(ContestSheet *sheet, Err *err)
{
    ContestColumn columns[CONTEST_COLUMNS_MAX];
    bool excused = any_excused(sheet->data);
    ContestTable table = {0};

    contest_table_begin(&table, columns, agent_columns(sheet, excused, columns));
    for (uint32_t i = 0; i < sheet->order->count; i++)
        if (is_outside(&sheet->data->agents[sheet->order->scores[i].agent]))
            put_agent(sheet, sheet->order->scores[i].agent, excused, &table);
    return sheet_table(sheet, &table, "agents", sheet_report_word(sheet, WORD_FAULTS), false, err);
}

/* ---- findings ---- */

static bool any_finding(const ReportAgent *agent)
{
    for (size_t rule = 0; rule < FINDING_RULES; rule++)
        if (agent->findings[rule])
            return true;
    return false;
}

static int write_findings(ContestSheet *sheet, Err *err)
{
    ContestColumn columns[CONTEST_COLUMNS_MAX];
    ContestTable table = {0};
    size_t count = 0;

    columns[count++] =
        (ContestColumn){"name", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, false, 0};
    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++)
        columns[count++] =
            (ContestColumn){finding_rule_name(rule), report_finding(sheet->ask->language, rule),
                            COLUMN_COUNT, false, 0};
    contest_table_begin(&table, columns, count);
    for (uint32_t i = 0; i < sheet->order->count; i++) {
        const ReportAgent *agent = &sheet->data->agents[sheet->order->scores[i].agent];
        if (!any_finding(agent))
            continue;
        contest_table_row(&table);
        sheet_agent_cell(sheet, sheet->order->scores[i].agent, &table);
        for (size_t rule = 0; rule < FINDING_RULES; rule++)
            contest_table_count(&table, agent->findings[rule]);
    }
    if (table.row_count == 0 && sheet_is_html(sheet)) {
        contest_table_done(&table);
        return 0;
    }
    sheet_section_open(sheet, "findings", sheet_report_word(sheet, WORD_FINDINGS));
    int rc =
        sheet_table(sheet, &table, "findings", sheet_report_word(sheet, WORD_FINDINGS), false, err);
    sheet_section_close(sheet);
    return rc;
}

/* ---- one by one ---- */

typedef enum SortKey { BY_FILE, BY_AGENT, BY_KIND, BY_DAY, BY_ELAPSED, BY_GAME } SortKey;

/* A fault and what it is sorted by. */
typedef struct SortedFault {
    int64_t value;
    uint32_t fault;
} SortedFault;

static int by_value(const void *left, const void *right)
{
    const SortedFault *a = left, *b = right;

    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->fault > b->fault) - (a->fault < b->fault);
}

static SortKey sort_key(const char *sort)
{
    static const struct {
        const char *word;
        SortKey key;
    } keys[] = {{"who", BY_AGENT},
                {"kind", BY_KIND},
                {"day", BY_DAY},
                {"after_ms", BY_ELAPSED},
                {"game", BY_GAME}};

    if (sort[0] == '-')
        sort++;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(sort, keys[i].word) == 0)
            return keys[i].key;
    return BY_FILE;
}

/* Whether the order of this list is asked for, and not that of another table of the page. */
static bool is_own_sort(const char *sort)
{
    return sort_key(sort) != BY_FILE || strcmp(sort, "at") == 0 || strcmp(sort, "-at") == 0;
}

static int64_t sort_value(const ContestStage *stage, uint32_t index, SortKey key)
{
    const ContestFault *fault = &stage->faults[index];

    switch (key) {
    case BY_AGENT:
        return fault->agent;
    case BY_KIND:
        return fault->kind;
    case BY_DAY:
        return fault->day;
    case BY_ELAPSED:
        return fault->elapsed_us;
    case BY_GAME:
        return stage->data.games[fault->game].number;
    case BY_FILE:
        break;
    }
    return index;
}

/* Those of the agent and kind that are asked for; the latest first when no order is. */
static int choose_faults(const ContestSheet *sheet, SortedFault **ret_faults, uint32_t *ret_count,
                         Err *err)
{
    const ContestStage *stage = sheet->stage;
    const ContestAsk *ask = sheet->ask;
    CLEANUP(mem_freep)
    SortedFault *faults = mem_new(((size_t)stage->fault_count + 1) * sizeof(*faults));
    uint32_t team = ask->team[0] ? sheet_find_agent(sheet, str_of(ask->team)) : UINT32_MAX;
    uint32_t count = 0;

    if (!faults)
        return page_no_memory(err);
    for (uint32_t i = 0; i < stage->fault_count; i++) {
        const ContestFault *fault = &stage->faults[i];
        if ((ask->team[0] && fault->agent != team) ||
            (ask->kind != FAULT_COUNT && fault->kind != ask->kind))
            continue;
        faults[count++] = (SortedFault){sort_value(stage, i, sort_key(ask->sort)), i};
    }
    qsort(faults, count, sizeof(*faults), by_value);
    if (ask->sort[0] == '-' || !is_own_sort(ask->sort))
        for (uint32_t i = 0; i < count / 2; i++) {
            const SortedFault other = faults[i];
            faults[i] = faults[count - 1 - i];
            faults[count - 1 - i] = other;
        }
    *ret_faults = TAKE(faults);
    *ret_count = count;
    return 0;
}

static size_t fault_columns(const ContestSheet *sheet,
                            ContestColumn ret_columns[static CONTEST_COLUMNS_MAX])
{
    const bool html = sheet_is_html(sheet);
    const struct {
        const char *key;
        const char *title;
        ColumnKind kind;
        bool there, sorts;
    } all[] = {
        {"id", "", COLUMN_TEXT, !html, false},
        {"anchor", "", COLUMN_TEXT, !html, false},
        {"game", sheet_word(sheet, CONTEST_WORD_GAME), COLUMN_PLACE, true, true},
        {"day", sheet_word(sheet, CONTEST_WORD_DAY), COLUMN_PLACE, true, true},
        {"who", sheet_report_word(sheet, WORD_AGENT), COLUMN_TEXT, true, true},
        {"seat", sheet_word(sheet, CONTEST_WORD_SEAT), COLUMN_PLACE, true, false},
        {"kind", sheet_word(sheet, CONTEST_WORD_KIND), COLUMN_TEXT, true, true},
        {"request", sheet_word(sheet, CONTEST_WORD_REQUEST), COLUMN_TEXT, true, false},
        {"after_ms", sheet_word(sheet, CONTEST_WORD_AFTER_MS), COLUMN_MS, true, true},
        {"followed", sheet_word(sheet, CONTEST_WORD_FOLLOWED), COLUMN_TEXT, true, false},
        {"came", sheet_word(sheet, CONTEST_WORD_CAME), COLUMN_LONG, true, false},
        {"at", sheet_word(sheet, CONTEST_WORD_AT), COLUMN_DATE, true, true},
    };
    size_t count = 0;

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i].there)
            ret_columns[count++] =
                (ContestColumn){all[i].key, all[i].title, all[i].kind, !all[i].sorts, 0};
    return count;
}

/* What came, cut for people; empty = nothing. */
static void put_came(const ContestSheet *sheet, const ContestFault *fault, ContestTable *table)
{
    CLEANUP(buf_done) Buf text = {0};
    Str came = str_part(buf_str(&sheet->stage->texts), fault->bytes, fault->bytes_len);
    size_t len = came.len;

    if (sheet_hides_names(sheet)) { /* it may be a name */
        contest_table_none(table);
        return;
    }
    if (sheet_is_html(sheet) && len > CAME_BYTES)
        for (len = CAME_BYTES; len > 0 && ((unsigned char)came.bytes[len] & 0xC0) == 0x80;)
            len--;
    buf_add(&text, str_part(came, 0, len));
    if (len < came.len)
        buf_add(&text, STR("\xE2\x80\xA6"));
    contest_table_text(table, buf_str(&text));
    if (came.len)
        contest_table_code(table);
}

static void put_fault(const ContestSheet *sheet, const ContestFault *fault, ContestTable *table)
{
    const ReportGame *game = &sheet->data->games[fault->game];
    const bool html = sheet_is_html(sheet);
    char anchor[CONTEST_ANCHOR_MAX];
    bool hidden = false;

    contest_fault_anchor(sheet->stage, fault, anchor, &hidden);
    contest_table_row(table);
    if (!html) {
        CLEANUP(buf_done) Buf id = {0};
        sheet_game_id(sheet, game, &id);
        contest_table_text(table, buf_str(&id));
        contest_table_text(table, str_of(anchor));
    }
    sheet_game_cell(sheet, game, anchor, hidden, table);
    contest_table_count(table, fault->day);
    sheet_agent_cell(sheet, fault->agent, table);
    contest_table_count(table, fault->seat);
    contest_table_text(table, str_of(html ? report_fault(sheet->ask->language, fault->kind)
                                          : fault_kind_name(fault->kind)));
    contest_table_text(table,
                       str_part(buf_str(&sheet->stage->texts), fault->request, fault->request_len));
    contest_table_us(table, (uint64_t)fault->elapsed_us);
    contest_table_text(table, str_of(!html          ? (fault->fatal ? "failed" : "")
                                     : fault->fatal ? sheet_word(sheet, CONTEST_WORD_FATAL)
                                                    : ""));
    if (fault->fatal)
        contest_table_warn(table);
    put_came(sheet, fault, table);
    contest_table_date(table, fault->at_ms);
}

/* CSV has all of them, in pieces. */
static void write_csv(ContestSheet *sheet, ContestTable *table, const SortedFault *faults,
                      uint32_t count)
{
    bool heading = true;

    for (uint32_t at = sheet->ask->from;
         (at < count && at < contest_csv_end(sheet->ask)) || heading; at += CONTEST_ROWS) {
        contest_table_clear(table);
        for (uint32_t i = at; i < count && i - at < CONTEST_ROWS; i++)
            put_fault(sheet, &sheet->stage->faults[faults[i].fault], table);
        contest_table_csv(table, sheet->ask, heading, sheet->out);
        heading = false;
    }
    if (contest_table_failed(table))
        buf_fail(sheet->out);
    contest_table_done(table);
}

/* "agent: slow, kind: Timeout - show all" */
static void write_filter(const ContestSheet *sheet)
{
    const ContestAsk *ask = sheet->ask;
    ContestAsk all = sheet_ask(sheet, CONTEST_FAULTS);

    if (!ask->team[0] && ask->kind == FAULT_COUNT)
        return;
    buf_add(sheet->out, STR("<p class=\"found\">"));
    if (ask->team[0])
        contest_say(ask->language, CONTEST_WORD_ONLY_TEAM, (Str[]){str_of(ask->team)}, 1,
                    sheet->out);
    if (ask->team[0] && ask->kind != FAULT_COUNT)
        buf_add(sheet->out, STR(", "));
    if (ask->kind != FAULT_COUNT)
        contest_say(ask->language, CONTEST_WORD_ONLY_KIND,
                    (Str[]){str_of(report_fault(ask->language, ask->kind))}, 1, sheet->out);
    buf_add(sheet->out, STR(" \xC2\xB7 <a href=\""));
    contest_ask_link(&all, "&amp;", sheet->out);
    buf_printf(sheet->out, "\">%s</a></p>\n", sheet_word(sheet, CONTEST_WORD_SHOW_ALL));
}

static int write_list(ContestSheet *sheet, Err *err)
{
    CLEANUP(mem_freep) SortedFault *faults = NULL;
    ContestColumn columns[CONTEST_COLUMNS_MAX];
    uint32_t count = 0;
    int rc = choose_faults(sheet, &faults, &count, err);

    if (rc)
        return rc;
    ContestTable table = {.is_part = true, .total = count};
    contest_table_begin(&table, columns, fault_columns(sheet, columns));
    if (sheet->ask->form == CONTEST_CSV) {
        write_csv(sheet, &table, faults, count);
        return 0;
    }
    sheet_section_open(sheet, "list", sheet_word(sheet, CONTEST_WORD_FAULT_LIST));
    if (sheet_is_html(sheet))
        write_filter(sheet);
    if (sheet->ask->form == CONTEST_JSON)
        json_add_uint(&sheet->json, "total", count);
    sheet_note(sheet,
               sheet_word(sheet, count ? CONTEST_WORD_FAULT_LIST_TEXT : CONTEST_WORD_NONE_HERE));
    for (uint32_t i = sheet->ask->from; i < count && i - sheet->ask->from < CONTEST_ROWS; i++)
        put_fault(sheet, &sheet->stage->faults[faults[i].fault], &table);
    if (count || !sheet_is_html(sheet))
        rc = sheet_table(sheet, &table, "faults", sheet_word(sheet, CONTEST_WORD_FAULT_LIST), true,
                         err);
    contest_table_done(&table);
    if (sheet->stage->faults_left_out && sheet_is_html(sheet)) {
        PageNumber room;
        sheet_say(sheet, CONTEST_WORD_FAULTS_LEFT_OUT,
                  (Str[]){page_number(&room, sheet->stage->faults_left_out)}, 1);
    }
    sheet_section_close(sheet);
    return rc;
}

int contest_page_faults(ContestSheet *sheet, Err *err)
{
    int rc = 0;

    if (!any_outside(sheet->data) && sheet_is_html(sheet)) {
        sheet_note(sheet, sheet_report_word(sheet, WORD_NO_OUTSIDE));
    } else {
        sheet_note(sheet, sheet_word(sheet, CONTEST_WORD_FAULTS_TEXT));
        rc = write_agents(sheet, err);
    }
    if (rc == 0)
        rc = write_findings(sheet, err);
    return rc ? rc : write_list(sheet, err);
}
