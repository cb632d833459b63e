#include "web/contest_pages.h"

#include "results/html_text.h"
#include "web/contest_pages_own.h"

static ContestPageFn *const pages[CONTEST_PAGES] = {
    [CONTEST_OVERVIEW] = contest_page_overview, [CONTEST_STANDINGS] = contest_page_standings,
    [CONTEST_ROLES] = contest_page_roles,       [CONTEST_VERSUS] = contest_page_versus,
    [CONTEST_SCHEDULE] = contest_page_schedule, [CONTEST_FAULTS] = contest_page_faults,
    [CONTEST_GAMES] = contest_page_games,       [CONTEST_TEAM] = contest_page_team,
};

void contest_answer_done(ContestAnswer *answer)
{
    buf_done(&answer->body);
}

static const char *type_of(ContestForm form)
{
    return form == CONTEST_JSON  ? "application/json"
           : form == CONTEST_CSV ? "text/csv; charset=utf-8"
                                 : "text/html; charset=utf-8";
}

/* ---- what is not there ---- */

static void refuse_json(const char *code, Str text, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_key(&json, STR("error"));
    json_open(&json, '{');
    json_add_str(&json, "code", str_of(code));
    json_add_str(&json, "text", text);
    json_close(&json);
    json_close(&json);
    buf_add_char(out, '\n');
}

void contest_pages_refuse(const ContestAsk *ask, unsigned status, const char *code, Str text,
                          ContestAnswer *answer)
{
    CLEANUP(buf_done) Buf style = {0};
    Buf *out = &answer->body;

    buf_clear(out);
    answer->status = status;
    answer->type = type_of(ask->form == CONTEST_HTML ? CONTEST_HTML : CONTEST_JSON);
    answer->refresh = 0;
    if (ask->form != CONTEST_HTML) {
        refuse_json(code, text, out);
        return;
    }
    contest_pages_css_address(&style);
    const char *title = contest_word(ask->language, CONTEST_WORD_MISTAKE);
    buf_printf(out,
               "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\"/>\n"
               "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
               "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>%s</title>\n"
               "<link rel=\"stylesheet\" href=\"%s\"/>\n",
               ask->language == REPORT_JAPANESE ? "ja" : "en", title, buf_cstr(&style));
    if (ask->frame.script[0]) /* the colours that were chosen */
        buf_printf(out, "<script src=\"" CONTEST_ASSETS_PATH "%s\"></script>\n", ask->frame.script);
    buf_printf(out, "</head>\n<body>\n<main id=\"main\" class=\"blank\">\n%s<h1>%s</h1>\n<p>",
               sheet_mark(), title);
    html_text(text, out);
    buf_printf(out, "</p>\n<p><a href=\"/web/\">%s</a></p>\n</main>\n</body>\n</html>\n",
               contest_word(ask->language, CONTEST_WORD_HOME));
}

/* ---- a page ---- */

/* "Team alice" */
static void title_of(const ContestSheet *sheet, Buf *out)
{
    if (sheet->ask->page == CONTEST_TEAM)
        contest_say(sheet->ask->language, CONTEST_WORD_TEAM, (Str[]){str_of(sheet->ask->team)}, 1,
                    out);
}

static int write_page(const ContestFigures *figures, const ContestAsk *ask,
                      const ContestStage *stage, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf style = {0};
    CLEANUP(buf_done) Buf title = {0};
    ContestSheet sheet = {.ask = ask,
                          .figures = figures,
                          .stage = stage,
                          .data = &stage->data,
                          .order = &stage->order,
                          .options = {.language = ask->language, .prices = ask->prices},
                          .out = out};

    contest_pages_css_address(&style);
    sheet.style = buf_cstr(&style);
    sheet.page = (Page){sheet.data, &sheet.options, out};
    title_of(&sheet, &title);
    sheet_open(&sheet, buf_str(&title));
    int rc = pages[ask->page](&sheet, err);
    sheet_close(&sheet);
    return rc;
}

/* Whether the agents that are asked for are there; else why not. */
static bool find_names(const ContestFigures *figures, const ContestStage *stage,
                       const ContestAsk *ask, Buf *ret_why)
{
    const ContestSheet sheet = {
        .ask = ask, .figures = figures, .stage = stage, .data = &stage->data};

    if (ask->page != CONTEST_TEAM || sheet_find_agent(&sheet, str_of(ask->team)) != UINT32_MAX)
        return true;
    const char *rest = contest_word(ask->language, CONTEST_WORD_NO_TEAM);
    const char *place = strstr(rest, "{0}");
    buf_printf(ret_why, "%.*s%s%s", (int)(place - rest), rest, ask->team, place + 3);
    return false;
}

int contest_pages_write(const ContestFigures *figures, const ContestAsk *ask, ContestAnswer *answer,
                        Err *err)
{
    CLEANUP(buf_done) Buf why = {0};
    const ContestStage *stage =
        ask->stage_is_wrong ? NULL : contest_figures_stage(figures, ask->stage);

    if (!stage) {
        contest_pages_refuse(ask, 404, "no_stage",
                             str_of(contest_word(ask->language, CONTEST_WORD_NO_STAGE)), answer);
    } else if (!find_names(figures, stage, ask, &why)) {
        contest_pages_refuse(ask, 404, "no_team", buf_str(&why), answer);
    } else {
        answer->status = 200;
        answer->type = type_of(ask->form);
        answer->refresh = ask->form == CONTEST_HTML ? ask->refresh : 0;
        int rc = write_page(figures, ask, stage, &answer->body, err);
        if (rc)
            return rc;
    }
    return buf_failed(&answer->body) || buf_failed(&why) ? page_no_memory(err) : 0;
}
