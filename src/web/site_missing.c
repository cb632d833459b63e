/* The page of addresses at which nothing is. */
#include "web/contest_sheet.h"
#include "web/site_own.h"

/* The way home from where nothing is. */
void site_nothing_here(WebSite *site, const WebVisit *visit)
{
    bool japanese = visit_is_japanese(visit);
    Asset style, script;

    if (str_starts(visit->request->path, STR("/web/api/"))) {
        visit_error(visit, 404, "no-such-path", "Nothing is at this address.");
        return;
    }
    buf_clear(&site->body);
    buf_printf(&site->body,
               "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<title>%s</title>\n",
               japanese ? "ja" : "en", japanese ? "ページがありません" : "Nothing is here");
    if (assets_file(site->assets, STR("app.css"), &style))
        buf_printf(&site->body, "<link rel=\"stylesheet\" href=\"/web/assets/%.*s\">\n",
                   STR_ARG(style.name));
    if (assets_file(site->assets, STR("contest.js"), &script)) /* the colours that were chosen */
        buf_printf(&site->body, "<script src=\"/web/assets/%.*s\"></script>\n",
                   STR_ARG(script.name));
    buf_printf(&site->body,
               "</head>\n<body>\n<main class=\"page empty\">\n<div class=\"blank\">%s<h1>%s</h1>\n"
               "<p class=\"acts\"><a class=\"button\" href=\"/web/\">%s</a></p></div>\n</main>\n"
               "</body>\n</html>\n",
               sheet_mark(),
               japanese ? "このアドレスにはページがありません" : "Nothing is at this address",
               japanese ? "最初のページへ" : "To the first page");
    const VisitAnswer answer = {.status = 404,
                                .type = "text/html; charset=utf-8",
                                .body = buf_str(&site->body),
                                .is_page = true};
    visit_answer(visit, &answer);
}
