/* report_plots.c - the sections around the larger plots: head to head, and the rates over time. */
#include "results/report_sections.h"

#include "results/svg_plot.h"

/* ---- pairs ---- */

static void write_pairs(const Page *page, const Str *names, const Tally *cells, uint32_t count)
{
    buf_add(page->out, STR("<details><summary>"));
    page_word(page, WORD_VERSUS_TABLE);
    buf_add(page->out, STR("</summary>\n"));
    page_table_open(page, WORD_VERSUS_TABLE, "pairs");
    page_head(page, WORD_AGENT, false);
    page_head(page, WORD_OPPONENT, false);
    page_head(page, WORD_MEETINGS, true);
    page_head(page, WORD_WINS, true);
    page_head(page, WORD_RATE, true);
    page_head(page, WORD_INTERVAL, true);
    page_body(page);
    for (uint32_t row = 0; row < count; row++) {
        for (uint32_t column = row + 1; column < count; column++) {
            Tally tally = cells[row * count + column];
            if (tally.games == 0)
                continue;
            buf_add(page->out, STR("<tr>"));
            page_cell_name(page, names[row]);
            buf_add(page->out, STR("<td><bdi>"));
            page_text(page, names[column]);
            buf_add(page->out, STR("</bdi></td>"));
            page_cell_count(page, tally.games);
            page_cell_count(page, tally.wins);
            page_cell_rate(page, tally);
            buf_add(page->out, STR("<td class=\"n\">"));
            page_interval(page->out, tally);
            buf_add(page->out, STR("</td></tr>\n"));
        }
    }
    page_table_close(page);
    buf_add(page->out, STR("</details>\n"));
}

static int write_matrix(const Page *page, const ReportOrder *order, uint32_t count, Err *err)
{
    uint32_t agents[PLOT_HEAT_MAX];
    Str names[PLOT_HEAT_MAX];
    CLEANUP(mem_freep) Tally *cells = NULL;
    CLEANUP(buf_done) Buf description = {0};
    Page words = {page->data, page->options, &description};
    PageNumber some;

    for (uint32_t i = 0; i < count; i++) {
        agents[i] = order->scores[i].agent;
        names[i] = page_agent(page, agents[i]);
    }
    int rc = report_versus(page->data, agents, count, &cells, err);
    if (rc)
        return rc;
    page_say(&words, WORD_VERSUS_PLOT, (Str[]){page_number(&some, count)}, 1);
    buf_printf(page->out, "<figure class=\"wide\" style=\"--agents:%u\"><div class=\"matrix\">\n",
               count);
    svg_heat(&(HeatPlot){{"matrix", page_word_text(page, WORD_VERSUS), buf_str(&description)},
                         names,
                         cells,
                         count},
             page->out);
    buf_add(page->out, STR("</div>"));
    page_shown(page, count, order->count);
    buf_add(page->out, STR("</figure>\n"));
    write_pairs(page, names, cells, count);
    return buf_failed(&description) ? page_no_memory(err) : 0;
}

int report_versus_section(const Page *page, const ReportOrder *order, Err *err)
{
    uint32_t count = order->count < PLOT_HEAT_MAX ? order->count : PLOT_HEAT_MAX;
    int rc = 0;

    page_section_open(page, "versus", WORD_VERSUS);
    if (count < 2) {
        page_paragraph(page, WORD_TOO_FEW_AGENTS);
    } else {
        page_paragraph(page, WORD_VERSUS_TEXT);
        rc = write_matrix(page, order, count, err);
    }
    page_section_close(page);
    return rc;
}

/* ---- time ---- */

#define BANDS_MAX 3 /* more bands hide each other */

/* A line begins where its interval is at most so many times as wide as at its end: the rates
 * before swing from 0 to 100 % and hide the others. */
#define BEGIN_WIDTH 4.0

static double width_of(Interval rate)
{
    return rate.high - rate.low;
}

/* Leaves out the points before the line begins. */
static PlotSeries begun_series(PlotSeries series)
{
    while (series.count > 1 && width_of(series.points[0].rate) >
                                   BEGIN_WIDTH * width_of(series.points[series.count - 1].rate)) {
        series.points++;
        series.count--;
    }
    return series;
}

/* The cumulative rates of one agent after each of PLOT_POINTS_MAX equal parts of the games. */
static PlotSeries series_of(const Page *page, uint32_t agent, PlotPoint *points)
{
    uint32_t games = page->data->game_count, done = 0;
    uint32_t parts = games < PLOT_POINTS_MAX ? games : PLOT_POINTS_MAX;
    PlotSeries series = {page_agent(page, agent), points, 0};
    Tally tally = {0};

    for (uint32_t part = 1; part <= parts; part++) {
        uint32_t upto = (uint32_t)((uint64_t)games * part / parts);
        report_tally_add(page->data, agent, done, upto - done, &tally);
        done = upto;
        if (tally.games > 0)
            points[series.count++] = (PlotPoint){upto, page_interval_of(tally)};
    }
    return begun_series(series);
}

int report_lines(const Page *page, const ReportOrder *order, Err *err)
{
    uint32_t count = order->count < PLOT_SERIES_MAX ? order->count : PLOT_SERIES_MAX;
    CLEANUP(mem_freep)
    PlotPoint *points = mem_new(PLOT_SERIES_MAX * PLOT_POINTS_MAX * sizeof(*points));
    CLEANUP(buf_done) Buf description = {0};
    Page words = {page->data, page->options, &description};
    PlotSeries series[PLOT_SERIES_MAX];
    PageNumber some;

    if (!points)
        return page_no_memory(err);
    for (uint32_t i = 0; i < count; i++)
        series[i] = series_of(page, order->scores[i].agent, &points[i * PLOT_POINTS_MAX]);
    page_say(&words, WORD_TIME_PLOT, (Str[]){page_number(&some, count)}, 1);
    LinePlot plot = {{"lines", page_word_text(page, WORD_TIME), buf_str(&description)},
                     series,
                     count,
                     count <= BANDS_MAX,
                     page_word_text(page, WORD_GAMES_PLAYED)};
    page_paragraph(page, WORD_TIME_TEXT);
    if (plot.bands)
        page_paragraph(page, WORD_TIME_BANDS);
    buf_add(page->out, STR("<figure>\n"));
    svg_lines(&plot, page->out);
    buf_add(page->out, STR("<figcaption><ul class=\"legend\">\n"));
    for (uint32_t i = 0; i < count; i++) {
        buf_add(page->out, STR("<li>"));
        svg_line_sample(i, page->out);
        buf_printf(page->out, "<span>%u <bdi>", i + 1);
        page_text(page, series[i].name);
        buf_add(page->out, STR("</bdi></span></li>\n"));
    }
    buf_add(page->out, STR("</ul>"));
    page_shown(page, count, order->count);
    buf_add(page->out, STR("</figcaption></figure>\n"));
    return buf_failed(&description) ? page_no_memory(err) : 0;
}

int report_time(const Page *page, const ReportOrder *order, Err *err)
{
    page_section_open(page, "time", WORD_TIME);
    int rc = report_lines(page, order, err);
    page_section_close(page);
    return rc;
}
