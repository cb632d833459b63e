/* contest_pages_versus.c - who wins against whom: a map of the best, and a table of all pairs. */
#include "web/contest_pages_own.h"

#include "results/html_text.h"

#define PAIR_AGENTS_MAX 500 /* compared with each other: 250,000 cells */
#define HEAT_AGENTS     24
#define HEAT_BYTES      ((size_t)150000) /* of links in the map, so that the page stays small */

/* All against all, in the order of the ranks. */
typedef struct Pairs {
    uint32_t count;
    uint32_t *agents;
    Tally *cells;
} Pairs;

static void pairs_done(Pairs *pairs)
{
    mem_free(pairs->agents);
    mem_free(pairs->cells);
}

static int pairs_make(const ContestSheet *sheet, Pairs *pairs, Err *err)
{
    const ReportOrder *order = sheet->order;

    pairs->count = order->count < PAIR_AGENTS_MAX ? order->count : PAIR_AGENTS_MAX;
    pairs->agents = mem_new(((size_t)pairs->count + 1) * sizeof(*pairs->agents));
    if (!pairs->agents)
        return err_set(err, ERR_MEMORY, "head to head: out of memory");
    for (uint32_t i = 0; i < pairs->count; i++)
        pairs->agents[i] = order->scores[i].agent;
    return report_versus(sheet->data, pairs->agents, pairs->count, &pairs->cells, err);
}

/* The games of a pair. */
static ContestAsk ask_pair(const ContestSheet *sheet, uint32_t agent, uint32_t other)
{
    ContestAsk ask = sheet_ask_team(sheet, agent);
    const ContestAsk against = sheet_ask_team(sheet, other);

    ask.page = CONTEST_GAMES;
    memcpy(ask.against, against.team, sizeof(ask.against));
    return ask;
}

/* ---- the map ---- */

static size_t label_bytes(const ContestSheet *sheet, uint32_t agent)
{
    CLEANUP(buf_done) Buf text = {0};
    AgentLabel room;

    contest_link_text(sheet_agent(sheet, agent, &room), &text);
    return text.len;
}

/* As many as fit. */
static uint32_t heat_count(const ContestSheet *sheet, const Pairs *pairs)
{
    size_t names = 0;
    uint32_t count = 0;

    while (count < pairs->count && count < HEAT_AGENTS) {
        names += label_bytes(sheet, pairs->agents[count]) + 40 + strlen(sheet->ask->id) / 2;
        if (2 * names * (count + 1) > HEAT_BYTES)
            break;
        count++;
    }
    return count;
}

/* Four steps on either side of what is about one half. */
static unsigned heat_step(Tally tally)
{
    static const double steps[] = {0.02, 0.05, 0.1, 0.2};
    double off = (double)tally.wins / (double)tally.games - 0.5;
    unsigned step = 0;

    while (step < 4 && (off < 0 ? -off : off) > steps[step])
        step++;
    return off < 0 ? 4 - step : 4 + step;
}

static void write_heat_cell(const ContestSheet *sheet, const Pairs *pairs, uint32_t row,
                            uint32_t column)
{
    Tally tally = pairs->cells[row * pairs->count + column];

    if (row == column || tally.games == 0) {
        buf_printf(sheet->out, "<td class=\"no\">%s</td>", row == column ? "" : PAGE_DASH);
        return;
    }
    ContestAsk ask = ask_pair(sheet, pairs->agents[row], pairs->agents[column]);
    buf_printf(sheet->out, "<td class=\"h%u\"><a href=\"", heat_step(tally));
    contest_ask_link(&ask, "&amp;", sheet->out);
    buf_printf(sheet->out, "\">%.0f</a></td>", 100 * (double)tally.wins / (double)tally.games);
}

static void write_heat(const ContestSheet *sheet, const Pairs *pairs)
{
    uint32_t count = heat_count(sheet, pairs);
    AgentLabel room;
    PageNumber rooms[2];

    buf_printf(sheet->out,
               "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"heat-c\">"
               "<table class=\"heat\"><caption id=\"heat-c\">%s</caption>\n<thead><tr><td></td>",
               sheet_word(sheet, CONTEST_WORD_HEAT));
    for (uint32_t i = 0; i < count; i++) {
        buf_printf(sheet->out, "<th scope=\"col\">%u<span class=\"vh\"> ", i + 1);
        html_text(sheet_agent(sheet, pairs->agents[i], &room), sheet->out);
        buf_add(sheet->out, STR("</span></th>"));
    }
    buf_add(sheet->out, STR("</tr></thead>\n<tbody>\n"));
    for (uint32_t row = 0; row < count; row++) {
        buf_printf(sheet->out, "<tr><th scope=\"row\"><span class=\"number\">%u</span> <bdi>",
                   row + 1);
        html_text_cut(sheet_agent(sheet, pairs->agents[row], &room), 24, sheet->out);
        buf_add(sheet->out, STR("</bdi></th>"));
        for (uint32_t column = 0; column < count; column++)
            write_heat_cell(sheet, pairs, row, column);
        buf_add(sheet->out, STR("</tr>\n"));
    }
    buf_add(sheet->out, STR("</tbody></table></div>\n"));
    if (count < sheet->order->count)
        sheet_say(
            sheet, CONTEST_WORD_HEAT_PART,
            (Str[]){page_number(&rooms[0], count), page_number(&rooms[1], sheet->order->count)}, 2);
}

/* ---- the table ---- */

static void put_pair(const ContestSheet *sheet, const Pairs *pairs, uint32_t row, uint32_t column,
                     ContestTable *table)
{
    Tally tally = pairs->cells[row * pairs->count + column];
    ContestAsk games = ask_pair(sheet, pairs->agents[row], pairs->agents[column]);

    contest_table_row(table);
    sheet_agent_cell(sheet, pairs->agents[row], table);
    sheet_agent_cell(sheet, pairs->agents[column], table);
    contest_table_count(table, tally.games);
    contest_table_link(table, &games);
    contest_table_count(table, tally.wins);
    contest_table_rate(table, tally);
    contest_table_rate(table, tally);
}

static int write_pairs(ContestSheet *sheet, const Pairs *pairs, Err *err)
{
    const ContestColumn columns[] = {
        {"agent", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, false, 0},
        {"against", sheet_report_word(sheet, WORD_OPPONENT), COLUMN_TEXT, false, 0},
        {"meetings", sheet_report_word(sheet, WORD_MEETINGS), COLUMN_COUNT, false, 0},
        {"wins", sheet_report_word(sheet, WORD_WINS), COLUMN_COUNT, false, 0},
        {"rate", sheet_report_word(sheet, WORD_RATE), COLUMN_RATE, false, 0},
        {"interval", sheet_report_word(sheet, WORD_INTERVAL), COLUMN_INTERVAL, false, 0},
    };
    ContestTable table = {0};

    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t row = 0; row < pairs->count; row++)
        for (uint32_t column = row + 1; column < pairs->count; column++)
            if (pairs->cells[row * pairs->count + column].games)
                put_pair(sheet, pairs, row, column, &table);
    return sheet_table(sheet, &table, "pairs", sheet_word(sheet, CONTEST_WORD_PAIRS), true, err);
}

int contest_page_versus(ContestSheet *sheet, Err *err)
{
    CLEANUP(pairs_done) Pairs pairs = {0};
    int rc = pairs_make(sheet, &pairs, err);

    if (rc)
        return rc;
    sheet_note(sheet, sheet_report_word(sheet, WORD_VERSUS_TEXT));
    if (pairs.count < 2) {
        sheet_note(sheet, sheet_report_word(sheet, WORD_TOO_FEW_AGENTS));
    } else if (sheet_is_html(sheet)) {
        sheet_note(sheet, sheet_word(sheet, CONTEST_WORD_HEAT_TEXT));
        write_heat(sheet, &pairs);
    }
    if (pairs.count < 2 && sheet_is_html(sheet))
        return 0;
    sheet_section_open(sheet, "pairs", sheet_word(sheet, CONTEST_WORD_PAIRS));
    rc = write_pairs(sheet, &pairs, err);
    sheet_section_close(sheet);
    return rc;
}
