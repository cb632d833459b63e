#include "web/contest_sheet.h"

#include "results/html_text.h"

/* ---- words ---- */

const char *sheet_word(const ContestSheet *sheet, ContestWord word)
{
    return contest_word(sheet->ask->language, word);
}

const char *sheet_report_word(const ContestSheet *sheet, ReportWord word)
{
    return report_word(sheet->ask->language, word);
}

static void add_word(const ContestSheet *sheet, ContestWord word)
{
    buf_add(sheet->out, str_of(sheet_word(sheet, word)));
}

void sheet_say(const ContestSheet *sheet, ContestWord word, const Str *args, size_t count)
{
    if (!sheet_is_html(sheet))
        return;
    buf_add(sheet->out, STR("<p class=\"note\">"));
    contest_say(sheet->ask->language, word, args, count, sheet->out);
    buf_add(sheet->out, STR("</p>\n"));
}

void sheet_note(const ContestSheet *sheet, const char *text)
{
    if (sheet_is_html(sheet))
        buf_printf(sheet->out, "<p class=\"note\">%s</p>\n", text);
}

void sheet_duration(const ContestSheet *sheet, int64_t ms, Buf *out)
{
    uint64_t minutes = ms > 0 ? ((uint64_t)ms + 59999) / 60000 : 0;
    PageNumber rooms[2];

    if (minutes < 60)
        contest_say_count(sheet->ask->language, CONTEST_WORD_MINUTES, minutes, out);
    else if (minutes < 60u * 48)
        contest_say(
            sheet->ask->language, CONTEST_WORD_HOURS,
            (Str[]){page_number(&rooms[0], minutes / 60), page_number(&rooms[1], minutes % 60)}, 2,
            out);
    else
        contest_say(sheet->ask->language, CONTEST_WORD_DAYS,
                    (Str[]){page_number(&rooms[0], minutes / 1440),
                            page_number(&rooms[1], minutes / 60 % 24)},
                    2, out);
}

/* ---- links ---- */

ContestAsk sheet_ask(const ContestSheet *sheet, ContestPage page)
{
    const ContestAsk *own = sheet->ask;
    ContestAsk ask = {.page = page,
                      .form = CONTEST_HTML,
                      .language = own->language,
                      .language_chosen = own->language_chosen,
                      .stage = own->stage,
                      .results = own->results,
                      .kind = FAULT_COUNT,
                      .set = -1};

    memcpy(ask.id, own->id, sizeof(ask.id));
    return ask;
}

ContestAsk sheet_ask_team(const ContestSheet *sheet, uint32_t agent)
{
    ContestAsk ask = sheet_ask(sheet, CONTEST_TEAM);
    AgentLabel room;
    Str label = sheet_agent(sheet, agent, &room);

    memcpy(ask.team, label.bytes, label.len);
    return ask;
}

static void write_link(const ContestSheet *sheet, const ContestAsk *ask)
{
    buf_add(sheet->out, STR("<a href=\""));
    contest_ask_link(ask, "&amp;", sheet->out);
    buf_add(sheet->out, STR("\""));
}

void sheet_more(const ContestSheet *sheet, const ContestAsk *ask, const char *text)
{
    if (!sheet_is_html(sheet))
        return;
    buf_add(sheet->out, STR("<p class=\"more\">"));
    write_link(sheet, ask);
    buf_printf(sheet->out, ">%s</a></p>\n", text);
}

/* ---- agents ---- */

bool sheet_hides_names(const ContestSheet *sheet)
{
    return sheet->ask->names_hidden && !sheet->ask->is_operator;
}

Str sheet_agent(const ContestSheet *sheet, uint32_t agent, AgentLabel *room)
{
    Str name = str_of(sheet->data->agents[agent].name);

    if (!sheet_hides_names(sheet))
        return name;
    snprintf(room->text, sizeof(room->text), "Team %u",
             contest_figures_number(sheet->figures, name));
    return str_of(room->text);
}

uint32_t sheet_find_agent(const ContestSheet *sheet, Str label)
{
    AgentLabel room;

    if (!sheet_hides_names(sheet))
        return contest_stage_agent(sheet->stage, label);
    for (uint32_t i = 0; i < sheet->data->agent_count; i++)
        if (str_eq(sheet_agent(sheet, i, &room), label))
            return i;
    return UINT32_MAX;
}

void sheet_agent_cell(const ContestSheet *sheet, uint32_t agent, ContestTable *table)
{
    AgentLabel room;
    ContestAsk ask = sheet_ask_team(sheet, agent);

    contest_table_text(table, sheet_agent(sheet, agent, &room));
    contest_table_link(table, &ask);
}

/* ---- games ---- */

/* "logs/2/000.log.gz" -> "2.000", as the catalogue names games. */
void sheet_game_id(const ContestSheet *sheet, const ReportGame *game, Buf *out)
{
    Str log = str_part(buf_str(&sheet->data->texts), game->log, game->log_bytes);
    size_t dot;

    contest_link_text(str_of(sheet->ask->id), out);
    buf_add_char(out, '.');
    if (log.len == 0) {
        int64_t stage =
            sheet->data->stage_count ? sheet->data->stages[sheet->data->stage].number : 0;
        buf_printf(out, "%lld.%lld", (long long)stage, (long long)game->number);
        return;
    }
    if (str_starts(log, STR("logs/")))
        log = str_part(log, 5, log.len);
    if (log.len > 3 && memcmp(log.bytes + log.len - 3, ".gz", 3) == 0)
        log.len -= 3;
    if (str_find_last(log, '.', &dot) && dot > 0 && !memchr(log.bytes + dot, '/', log.len - dot))
        log.len = dot;
    for (size_t i = 0; i < log.len; i++)
        contest_link_text(log.bytes[i] == '/' ? STR(".") : str_part(log, i, 1), out);
}

void sheet_game_cell(const ContestSheet *sheet, const ReportGame *game, const char *anchor,
                     bool all, ContestTable *table)
{
    CLEANUP(buf_done) Buf address = {0};

    contest_table_count(table, game->number < 0 ? 0 : (uint64_t)game->number);
    buf_add(&address, STR("/web/g/"));
    sheet_game_id(sheet, game, &address);
    if (anchor[0])
        buf_printf(&address, "#%sat=%s", all ? "view=all&amp;" : "", anchor);
    if (buf_failed(&address))
        table->failed = true;
    contest_table_address(table, buf_str(&address));
}

/* ---- tables ---- */

int sheet_table(ContestSheet *sheet, ContestTable *table, const char *id, const char *caption,
                bool main, Err *err)
{
    ContestAsk plain = *sheet->ask; /* a table beside the main one is as it was filled */

    if (!main) {
        plain.sort[0] = '\0';
        plain.from = 0;
    }
    contest_table_sort(table, &plain);
    if (contest_table_failed(table)) {
        contest_table_done(table);
        return page_no_memory(err);
    }
    if (sheet->ask->form == CONTEST_HTML) {
        contest_table_html(table, &plain, id, caption, sheet->out);
    } else if (sheet->ask->form == CONTEST_CSV) {
        if (main)
            contest_table_csv(table, &plain, true, sheet->out);
    } else {
        json_key(&sheet->json, main ? STR("items") : str_of(id));
        CLEANUP(buf_done) Buf rows = {0};
        contest_table_json(table, &plain, &rows);
        json_put_raw(&sheet->json, buf_failed(&rows) ? STR("[]") : buf_str(&rows));
        if (buf_failed(&rows))
            buf_fail(sheet->out);
        if (main && contest_table_goes_on(table, &plain)) {
            CLEANUP(buf_done) Buf next = {0};
            ContestAsk behind = *sheet->ask;
            behind.from += CONTEST_ROWS;
            contest_ask_link(&behind, "&", &next);
            json_add_str(&sheet->json, "next", buf_str(&next));
        }
    }
    contest_table_done(table);
    return 0;
}

/* ---- sections ---- */

/* Without a name of its own it is no landmark: its table is one. */
void sheet_section_open(const ContestSheet *sheet, const char *id, const char *title)
{
    if (sheet_is_html(sheet))
        buf_printf(sheet->out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

void sheet_section_close(const ContestSheet *sheet)
{
    if (sheet_is_html(sheet))
        buf_add(sheet->out, STR("</section>\n"));
}

void sheet_heading(const ContestSheet *sheet, const char *title)
{
    if (sheet_is_html(sheet))
        buf_printf(sheet->out, "<h3>%s</h3>\n", title);
}

/* ---- frame ---- */

static Str contest_name(const ContestSheet *sheet)
{
    const char *name = sheet->data->plan.contest;

    if (name[0])
        return str_of(name);
    return sheet->ask->id[0] ? str_of(sheet->ask->id)
                             : str_of(sheet_word(sheet, CONTEST_WORD_UNTITLED));
}

static const char *page_title(const ContestSheet *sheet, ContestPage page)
{
    switch (page) {
    case CONTEST_OVERVIEW:
        return sheet_word(sheet, CONTEST_WORD_OVERVIEW);
    case CONTEST_STANDINGS:
        return sheet_report_word(sheet, WORD_STANDINGS);
    case CONTEST_ROLES:
        return sheet_report_word(sheet, WORD_ROLES);
    case CONTEST_VERSUS:
        return sheet_word(sheet, CONTEST_WORD_VERSUS);
    case CONTEST_SCHEDULE:
        return sheet_word(sheet, CONTEST_WORD_SCHEDULE);
    case CONTEST_FAULTS:
        return sheet_word(sheet, CONTEST_WORD_FAULTS);
    case CONTEST_GAMES:
        return sheet_word(sheet, CONTEST_WORD_GAMES);
    case CONTEST_TEAM:
    case CONTEST_PAGES:
        break;
    }
    return "";
}

static void write_pages(const ContestSheet *sheet)
{
    buf_printf(sheet->out, "<nav class=\"pages\" aria-label=\"%s\"><ul>\n",
               sheet_word(sheet, CONTEST_WORD_PAGES));
    for (ContestPage page = CONTEST_OVERVIEW; page < CONTEST_TEAM; page++) {
        ContestAsk ask = sheet_ask(sheet, page);
        buf_add(sheet->out, STR("<li>"));
        write_link(sheet, &ask);
        buf_printf(sheet->out, "%s>%s</a></li>\n",
                   page == sheet->ask->page ? " aria-current=\"page\"" : "",
                   page_title(sheet, page));
    }
    buf_add(sheet->out, STR("</ul></nav>\n"));
}

static void write_stage_name(const ContestSheet *sheet, const ReportStage *stage)
{
    PageNumber number;

    page_say(&sheet->page, WORD_STAGE,
             (Str[]){stage->name[0] ? str_of(stage->name)
                                    : page_number(&number, (uint64_t)stage->number + 1)},
             1);
}

static void write_stages(const ContestSheet *sheet)
{
    const ReportData *data = sheet->data;

    if (data->stage_count < 2)
        return;
    buf_printf(sheet->out, "<nav class=\"steps\" aria-label=\"%s\"><ul>\n",
               sheet_word(sheet, CONTEST_WORD_STAGES));
    for (uint32_t i = 0; i < data->stage_count; i++) {
        ContestAsk ask = *sheet->ask;
        ask.stage = data->stages[i].number;
        ask.from = 0;
        buf_add(sheet->out, STR("<li>"));
        write_link(sheet, &ask);
        buf_printf(sheet->out, "%s>", i == data->stage ? " aria-current=\"true\"" : "");
        write_stage_name(sheet, &data->stages[i]);
        buf_add(sheet->out, STR("</a></li>\n"));
    }
    buf_add(sheet->out, STR("</ul></nav>\n"));
}

static void write_language_link(const ContestSheet *sheet)
{
    ContestAsk ask = *sheet->ask;
    const char *code = sheet->ask->language == REPORT_JAPANESE ? "en" : "ja";

    ask.language = sheet->ask->language == REPORT_JAPANESE ? REPORT_ENGLISH : REPORT_JAPANESE;
    ask.language_chosen = true;
    buf_add(sheet->out, STR("<p class=\"language\">"));
    write_link(sheet, &ask);
    buf_printf(sheet->out, " lang=\"%s\" hreflang=\"%s\">", code, code);
    add_word(sheet, CONTEST_WORD_OTHER_LANGUAGE);
    buf_add(sheet->out, STR("</a></p>\n"));
}

/* The sign of all pages, as web/src/parts/TopBar.tsx has it. */
static const char mark[] =
    "<svg class=\"mark\" viewBox=\"0 0 32 32\" aria-hidden=\"true\"><circle class=\"ring\" "
    "cx=\"16\" "
    "cy=\"16\" r=\"14.5\"/><path fill=\"currentColor\" fill-rule=\"evenodd\" d=\"M6.5 7.5l5.7 "
    "3.7q3.8-1.3 7.6 0l5.7-3.7q1 8.5-2.8 12.7L16 26.5l-6.7-6.3Q5.5 16 6.5 7.5zM10.5 15l4 2.6-3 "
    ".7zm11 0l-4 2.6 3 .7z\"/></svg>";
static const char half_moon[] =
    "<svg class=\"icon\" viewBox=\"0 0 20 20\" aria-hidden=\"true\"><circle cx=\"10\" cy=\"10\" "
    "r=\"7\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.8\"/><path d=\"M10 3a7 7 0 0 1 "
    "0 "
    "14z\" fill=\"currentColor\"/></svg>";
static const char looking_glass[] =
    "<svg class=\"icon\" viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"M13 13l4.5 "
    "4.5M14.500 "
    "8.500a6 6 0 1 1-12 0a6 6 0 0 1 12 0z\" fill=\"none\" stroke=\"currentColor\" "
    "stroke-width=\"1.8\" stroke-linecap=\"round\"/></svg>";

const char *sheet_mark(void)
{
    return mark;
}

static void write_head(const ContestSheet *sheet, Str title)
{
    const ContestFrame *frame = &sheet->ask->frame;

    buf_printf(sheet->out,
               "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\"/>\n",
               sheet->ask->language == REPORT_JAPANESE ? "ja" : "en");
    buf_add(sheet->out,
            STR("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
                "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>"));
    buf_add(sheet->out, title);
    buf_add(sheet->out, STR(" \xC2\xB7 "));
    html_text(contest_name(sheet), sheet->out);
    buf_printf(sheet->out, "</title>\n<link rel=\"icon\" href=\"%s%s\"/>\n",
               frame->icon[0] ? CONTEST_ASSETS_PATH : "data:,", frame->icon);
    buf_printf(sheet->out, "<link rel=\"stylesheet\" href=\"%s\"/>\n", sheet->style);
    if (frame->script[0]) /* in front of the body: chosen colours are there before it is drawn */
        buf_printf(sheet->out, "<script src=\"" CONTEST_ASSETS_PATH "%s\"></script>\n",
                   frame->script);
    buf_add(sheet->out, STR("</head>\n<body>\n"));
}

/* What was said in the games of this contest; its page needs the script. */
static void write_search(const ContestSheet *sheet)
{
    const char *here = sheet_word(sheet, CONTEST_WORD_SEARCH_HERE);

    buf_add(sheet->out, STR("<form class=\"find\" role=\"search\" action=\"/web/search\">"
                            "<input type=\"hidden\" name=\"contest\" value=\""));
    html_text(str_of(sheet->ask->id), sheet->out);
    buf_printf(sheet->out,
               "\"/><input type=\"search\" name=\"q\" required=\"required\" aria-label=\"%s\" "
               "placeholder=\"%s\"/><button type=\"submit\" aria-label=\"%s\">%s</button></form>\n",
               here, here, sheet_word(sheet, CONTEST_WORD_SEARCH), looking_glass);
}

/* Hidden until the script is there. */
static void write_theme_button(const ContestSheet *sheet)
{
    const char *word = sheet_word(sheet, CONTEST_WORD_THEME);

    if (sheet->ask->frame.script[0])
        buf_printf(sheet->out,
                   "<button type=\"button\" id=\"theme\" hidden=\"hidden\" aria-pressed=\"false\" "
                   "aria-label=\"%s\" title=\"%s\">%s</button>\n",
                   word, word, half_moon);
}

static void write_bar(const ContestSheet *sheet)
{
    ContestAsk overview = sheet_ask(sheet, CONTEST_OVERVIEW);

    buf_printf(
        sheet->out,
        "<div class=\"bar\"><p class=\"home\"><a href=\"/web/\" aria-label=\"%s\">%s</a></p>\n"
        "<p class=\"contest\">",
        sheet_word(sheet, CONTEST_WORD_HOME), mark);
    write_link(sheet, &overview);
    buf_add(sheet->out, STR("><bdi>"));
    html_text(contest_name(sheet), sheet->out);
    buf_add(sheet->out, STR("</bdi></a></p>\n"));
    write_search(sheet);
    write_language_link(sheet);
    write_theme_button(sheet);
    buf_add(sheet->out, STR("</div>\n"));
}

static void write_header(const ContestSheet *sheet, Str title)
{
    buf_add(sheet->out, STR("<a class=\"skip\" href=\"#main\">"));
    add_word(sheet, CONTEST_WORD_SKIP);
    buf_add(sheet->out, STR("</a>\n<header class=\"top\">\n"));
    write_bar(sheet);
    write_pages(sheet);
    buf_add(sheet->out, STR("</header>\n<main id=\"main\" tabindex=\"-1\">\n<h1>"));
    buf_add(sheet->out, title);
    buf_add(sheet->out, STR("</h1>\n"));
    write_stages(sheet);
}

/* "12 new games": said by the script where the contest goes on, with a way to load the page again.
 */
static void write_fresh(const ContestSheet *sheet)
{
    ContestAsk figures = sheet_ask(sheet, CONTEST_OVERVIEW);

    if (!sheet->ask->frame.script[0] || sheet->data->plan.complete || sheet->ask->refresh)
        return;
    figures.form = CONTEST_JSON;
    buf_printf(sheet->out,
               "<div role=\"status\"><p id=\"fresh\" hidden=\"hidden\" data-played=\"%llu\" "
               "data-one=\"%s\" data-many=\"%s\"%s data-figures=\"",
               (unsigned long long)sheet->data->games_of_all,
               sheet_word(sheet, CONTEST_WORD_NEW_GAME), sheet_word(sheet, CONTEST_WORD_NEW_GAMES),
               sheet->ask->frame.has_feed ? " data-feed=\"feed\"" : "");
    contest_ask_link(&figures, "&amp;", sheet->out);
    buf_add(sheet->out, STR("\"><span></span> "));
    write_link(sheet, sheet->ask);
    buf_add_char(sheet->out, '>');
    add_word(sheet, CONTEST_WORD_LOAD_AGAIN);
    buf_add(sheet->out, STR("</a></p></div>\n"));
}

/* The same as JSON and CSV, and how far the figures reach. */
static void write_footer(const ContestSheet *sheet)
{
    CLEANUP(buf_done) Buf date = {0};
    ContestAsk json = *sheet->ask, csv = *sheet->ask;

    json.form = CONTEST_JSON;
    csv.form = CONTEST_CSV;
    json.refresh = csv.refresh = 0;
    csv.from = 0;
    buf_add(sheet->out, STR("</main>\n<footer><p>"));
    if (sheet->figures->last_ended_ms > 0) {
        page_time(&date, sheet->figures->last_ended_ms);
        contest_say(sheet->ask->language, CONTEST_WORD_UPDATED, (Str[]){buf_str(&date)}, 1,
                    sheet->out);
        buf_add_char(sheet->out, ' ');
    }
    add_word(sheet, CONTEST_WORD_UTC);
    buf_add(sheet->out, STR("</p>\n<p>"));
    add_word(sheet, CONTEST_WORD_AS_DATA);
    buf_add_char(sheet->out, ' ');
    write_link(sheet, &json);
    buf_add(sheet->out, STR(">JSON</a>, "));
    write_link(sheet, &csv);
    buf_add(sheet->out, STR(">CSV</a></p></footer>\n"));
    write_fresh(sheet);
    buf_add(sheet->out, STR("</body>\n</html>\n"));
}

static void begin_json(ContestSheet *sheet)
{
    const ReportData *data = sheet->data;
    Json *json = &sheet->json;

    *json = json_over(sheet->out);
    json_open(json, '{');
    json_key(json, STR("contest"));
    json_open(json, '{');
    json_add_str(json, "id", str_of(sheet->ask->id));
    json_add_str(json, "name", str_of(data->plan.contest));
    json_add_uint(json, "games", data->games_of_all);
    if (data->plan.games)
        json_add_uint(json, "planned", data->plan.games);
    json_add_bool(json, "complete", data->plan.complete);
    json_close(json);
    if (data->stage_count) {
        const ReportStage *stage = &data->stages[data->stage];
        json_key(json, STR("stage"));
        json_open(json, '{');
        json_add_int(json, "number", stage->number);
        json_add_str(json, "name", str_of(stage->name));
        json_add_uint(json, "games", stage->games);
        json_close(json);
    }
}

void sheet_open(ContestSheet *sheet, Str title)
{
    if (sheet->ask->form == CONTEST_JSON)
        begin_json(sheet);
    if (!sheet_is_html(sheet))
        return;
    if (title.len == 0)
        title = str_of(page_title(sheet, sheet->ask->page));
    write_head(sheet, title);
    write_header(sheet, title);
}

void sheet_close(ContestSheet *sheet)
{
    if (sheet->ask->form == CONTEST_JSON) {
        json_close(&sheet->json);
        buf_add_char(sheet->out, '\n');
    }
    if (sheet_is_html(sheet))
        write_footer(sheet);
}
