/* report_measures.c - the section of measures of play: docs/statistics.md. */
#include "results/report_sections.h"

static Tally tally_of(const PlaySums *play, Measure measure)
{
    const MeasureShare share = measure_share(play, measure, ROLE_NONE);

    return (Tally){.games = share.of, .wins = share.count};
}

bool report_has_play(const ReportData *data)
{
    for (size_t i = 0; i < data->teams.count; i++)
        if (tally_of(&data->teams.groups[i].play, MEASURE_SURVIVAL).games)
            return true;
    return false;
}

const PlaySums *report_play_of(const ReportData *data, Str name)
{
    for (size_t i = 0; i < data->teams.count; i++)
        if (str_eq(str_of(data->teams.groups[i].name), name))
            return &data->teams.groups[i].play;
    return NULL;
}

static void write_cell(const Page *page, Tally tally)
{
    buf_add(page->out, STR("<td class=\"n\">"));
    page_rate(page->out, tally);
    if (tally.games) {
        buf_add(page->out, STR("<br/><small>"));
        page_interval(page->out, tally);
        buf_add(page->out, STR("</small>"));
    }
    buf_add(page->out, STR("</td>"));
}

static void write_table(const Page *page, const GroupTable *groups, ReportWord title)
{
    page_table_open(page, WORD_MEASURES, "measures");
    page_head(page, title, false);
    for (Measure measure = 0; measure < MEASURE_COUNT; measure++)
        buf_printf(page->out, "<th scope=\"col\" class=\"n\">%s</th>",
                   report_measure(page->options->language, measure));
    page_body(page);
    for (size_t i = 0; i < groups->count; i++) {
        buf_add(page->out, STR("<tr>"));
        page_cell_name(page, str_of(groups->groups[i].name));
        for (Measure measure = 0; measure < MEASURE_COUNT; measure++)
            write_cell(page, tally_of(&groups->groups[i].play, measure));
        buf_add(page->out, STR("</tr>\n"));
    }
    page_table_close(page);
}

void report_measures(const Page *page)
{
    const ReportData *data = page->data;

    if (!report_has_play(data))
        return;
    page_section_open(page, "measures", WORD_MEASURES);
    page_paragraph(page, WORD_MEASURES_TEXT);
    write_table(page, &data->teams, WORD_AGENT);
    if (data->models.count)
        write_table(page, &data->models, WORD_MODEL);
    page_section_close(page);
}
