#include "results/report_sections.h"

/* Section on the page, and its title. */
typedef struct Content {
    const char *id;
    ReportWord title;
} Content;

static const Content contents[] = {
    {"summary", WORD_SUMMARY},   {"standings", WORD_STANDINGS}, {"roles", WORD_ROLES},
    {"versus", WORD_VERSUS},     {"time", WORD_TIME},           {"faults", WORD_FAULTS},
    {"measures", WORD_MEASURES}, {"models", WORD_MODELS},       {"sessions", WORD_SESSIONS},
    {"games", WORD_GAMES_LIST},  {"notes", WORD_NOTES},
};

static void write_title(const Page *page)
{
    if (page->options->title.len)
        page_text(page, page->options->title);
    else if (page->data->plan.contest[0])
        page_text(page, str_of(page->data->plan.contest));
    else
        page_word(page, WORD_TITLE);
}

/* "Stage final · aiwolf-2021, 15 players, 1,000 games" */
static void write_subtitle(const Page *page)
{
    const ReportData *data = page->data;
    PageNumber games;
    CLEANUP(buf_done) Buf range = {0};

    page_stage(page);
    if (data->stage_count > 1)
        buf_add(page->out, STR(" \xC2\xB7 "));

    buf_printf(&range, "%u", (unsigned)data->players_min);
    if (data->players_max != data->players_min)
        buf_printf(&range, "\xE2\x80\x93%u", (unsigned)data->players_max);
    Str rules =
        str_of(data->plan.rules[0] ? data->plan.rules
                                   : report_word(page->options->language, WORD_UNKNOWN_RULES));
    page_say(page, WORD_SUBTITLE,
             (Str[]){rules, buf_str(&range), page_number(&games, data->game_count)}, 3);
}

/* Sections that a page may lack. */
static bool has_section(const ReportData *data, ReportWord title)
{
    return (title != WORD_MEASURES || report_has_play(data)) &&
           (title != WORD_MODELS || data->models.count > 0) &&
           (title != WORD_SESSIONS || data->sessions.count > 0);
}

static void write_head(const Page *page)
{
    buf_add(page->out, STR("<!DOCTYPE html>\n<html lang=\""));
    page_word(page, WORD_LANGUAGE_CODE);
    buf_add(page->out,
            STR("\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;;"
                " style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;;"
                " form-action &#39;none&#39;\"/>\n"
                "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                "<meta name=\"generator\" content=\"warg " WARG_VERSION "\"/>\n<title>"));
    write_title(page);
    buf_add(page->out, STR("</title>\n"));
    page_style(page);
    buf_add(page->out, STR("</head>\n<body>\n<header>\n<h1>"));
    write_title(page);
    buf_add(page->out, STR("</h1>\n<p class=\"sub\">"));
    write_subtitle(page);
    buf_add(page->out, STR("</p>\n</header>\n<nav aria-label=\""));
    page_word(page, WORD_CONTENTS);
    buf_add(page->out, STR("\"><ul>\n"));
    for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        if (!has_section(page->data, contents[i].title))
            continue;
        buf_printf(page->out, "<li><a href=\"#%s\">", contents[i].id);
        page_word(page, contents[i].title);
        buf_add(page->out, STR("</a></li>\n"));
    }
    for (const ReportData *data = page->data->before; data; data = data->before) {
        const Page stage = {data, page->options, page->out};
        buf_printf(page->out, "<li><a href=\"#stage-%u\">", data->stage);
        page_stage(&stage);
        buf_add(page->out, STR("</a></li>\n"));
    }
    buf_add(page->out, STR("</ul></nav>\n<main>\n"));
}

static void write_foot(const Page *page)
{
    buf_add(page->out, STR("</main>\n<footer><p>"));
    page_say(page, WORD_MADE_BY, (Str[]){STR(WARG_VERSION)}, 1);
    buf_add(page->out, STR("</p></footer>\n</body>\n</html>\n"));
}

int report_write(const ReportData *data, const ReportOptions *options, Buf *out, Err *err)
{
    Page page = {data, options, out};
    CLEANUP(report_order_done) ReportOrder order = {0};
    int rc = report_order_make(data, &order, err);

    if (rc)
        return rc;
    write_head(&page);
    report_summary(&page);
    rc = report_standings(&page, &order, err);
    if (rc)
        return rc;
    report_roles(&page, &order);
    rc = report_versus_section(&page, &order, err);
    if (rc == 0)
        rc = report_time(&page, &order, err);
    if (rc)
        return rc;
    report_faults(&page, &order);
    report_measures(&page);
    report_models(&page);
    report_sessions(&page);
    report_games(&page);
    rc = report_earlier(&page, err);
    if (rc)
        return rc;
    report_notes(&page, &order);
    write_foot(&page);
    return buf_failed(out) ? page_no_memory(err) : 0;
}
