#include "results/report_page.h"

#include "results/html_text.h"
#include "results/svg_plot.h"

#include <time.h>

int page_no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "report: out of memory");
}

/* ---- words and numbers ---- */

static const char *word_of(const Page *page, ReportWord word)
{
    return report_word(page->options->language, word);
}

void page_word(const Page *page, ReportWord word)
{
    buf_add(page->out, str_of(word_of(page, word)));
}

Str page_word_text(const Page *page, ReportWord word)
{
    return str_of(word_of(page, word));
}

Str page_agent(const Page *page, uint32_t agent)
{
    return str_of(page->data->agents[agent].name);
}

Interval page_interval_of(Tally tally)
{
    return wilson_interval(tally.wins, tally.games, Z_95);
}

void page_say(const Page *page, ReportWord word, const Str *args, size_t count)
{
    Str rest = str_of(word_of(page, word));

    while (rest.len) {
        bool place = rest.len >= 3 && rest.bytes[0] == '{' && rest.bytes[2] == '}';
        size_t number = place ? (size_t)(rest.bytes[1] - '0') : 0;
        if (place && number < count)
            html_text(args[number], page->out);
        else
            buf_add_char(page->out, rest.bytes[0]);
        rest = str_part(rest, place && number < count ? 3 : 1, rest.len);
    }
}

void page_text(const Page *page, Str text)
{
    html_text(text, page->out);
}

Str page_number(PageNumber *room, uint64_t value)
{
    size_t at = sizeof(room->text), done = 0;

    do {
        if (done > 0 && done % 3 == 0)
            room->text[--at] = ',';
        room->text[--at] = (char)('0' + value % 10);
        value /= 10;
        done++;
    } while (value);
    return (Str){room->text + at, sizeof(room->text) - at};
}

void page_count(Buf *out, uint64_t value)
{
    PageNumber room;

    buf_add(out, page_number(&room, value));
}

#define NBSP "\xC2\xA0"

void page_percent(Buf *out, double rate)
{
    buf_printf(out, "%.1f" NBSP "%%", 100 * rate);
}

void page_rate(Buf *out, Tally tally)
{
    if (tally.games == 0)
        buf_add(out, STR(PAGE_DASH));
    else
        page_percent(out, (double)tally.wins / (double)tally.games);
}

void page_interval(Buf *out, Tally tally)
{
    Interval rate = page_interval_of(tally);

    if (tally.games == 0)
        buf_add(out, STR(PAGE_DASH));
    else
        buf_printf(out, "%.1f" NBSP PAGE_DASH NBSP "%.1f" NBSP "%%", 100 * rate.low,
                   100 * rate.high);
}

void page_time(Buf *out, int64_t ms)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;

    if (ms <= 0 || !gmtime_r(&seconds, &tm))
        buf_add(out, STR(PAGE_DASH));
    else
        buf_printf(out, "%04d-%02d-%02d %02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
                   tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void page_stage(const Page *page)
{
    const ReportData *data = page->data;
    PageNumber number;

    if (data->stage_count < 2)
        return;
    const ReportStage *stage = &data->stages[data->stage];
    Str name =
        stage->name[0] ? str_of(stage->name) : page_number(&number, (uint64_t)stage->number + 1);
    page_say(page, WORD_STAGE, (Str[]){name}, 1);
}

/* ---- structure ---- */

void page_section_open(const Page *page, const char *id, ReportWord title)
{
    buf_printf(page->out, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">", id, id,
               id);
    page_word(page, title);
    if (page->data->stage_count > 1)
        buf_add(page->out, STR(" \xC2\xB7 "));
    page_stage(page);
    buf_add(page->out, STR("</h2>\n"));
}

void page_section_close(const Page *page)
{
    buf_add(page->out, STR("</section>\n"));
}

void page_paragraph(const Page *page, ReportWord word)
{
    buf_add(page->out, STR("<p class=\"note\">"));
    page_word(page, word);
    buf_add(page->out, STR("</p>\n"));
}

void page_table_open(const Page *page, ReportWord label, const char *class)
{
    buf_printf(page->out,
               "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">"
               "<table class=\"%s\">\n<thead><tr>",
               word_of(page, label), class);
}

void page_head(const Page *page, ReportWord word, bool number)
{
    buf_printf(page->out, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
    page_word(page, word);
    buf_add(page->out, STR("</th>"));
}

void page_body(const Page *page)
{
    buf_add(page->out, STR("</tr></thead>\n<tbody>\n"));
}

void page_table_close(const Page *page)
{
    buf_add(page->out, STR("</tbody></table></div>\n"));
}

void page_cell_count(const Page *page, uint64_t value)
{
    buf_add(page->out, STR("<td class=\"n\">"));
    page_count(page->out, value);
    buf_add(page->out, STR("</td>"));
}

void page_cell_rate(const Page *page, Tally tally)
{
    buf_add(page->out, STR("<td class=\"n\">"));
    page_rate(page->out, tally);
    buf_add(page->out, STR("</td>"));
}

void page_cell_name(const Page *page, Str name)
{
    buf_add(page->out, STR("<th scope=\"row\"><bdi>"));
    html_text(name, page->out);
    buf_add(page->out, STR("</bdi></th>"));
}

void page_shown(const Page *page, uint32_t shown, uint32_t count)
{
    PageNumber some, all;

    if (shown >= count)
        return;
    buf_add(page->out, STR("<p class=\"note\">"));
    page_say(page, WORD_PLOT_FIRST, (Str[]){page_number(&some, shown), page_number(&all, count)},
             2);
    buf_add(page->out, STR("</p>\n"));
}

/* ---- style ---- */

void page_style(const Page *page)
{
    static const char screen[] =
        ":root{color-scheme:light;--paper:#fff;--ink:#1b1f24;--soft:#59636e;--rule:#d8dee4;"
        "--faint:#f5f7f9;--link:#0a5ea8;--warn:#a33c00}\n"
        "@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#14181c;"
        "--ink:#e6e9ed;--soft:#a3adb8;--rule:#30373e;--faint:#1b2026;--link:#79bdf2;"
        "--warn:#ff9f6b}}\n"
        "*{box-sizing:border-box}\n"
        "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
        "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"
        "-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",\"Noto Sans\",\"Liberation Sans\","
        "Arial,\"Hiragino Sans\",\"Noto Sans CJK JP\",\"Yu Gothic\",Meiryo,sans-serif}\n"
        "header,main,footer,nav{max-width:64rem;margin:0 auto;padding:0 1.5rem}\n"
        "header{padding-top:3rem}\n"
        "h1{font-size:2rem;line-height:1.2;font-weight:650;letter-spacing:-.01em;margin:0;"
        "overflow-wrap:anywhere}\n"
        "h2{font-size:1.3rem;line-height:1.3;font-weight:650;margin:3.25rem 0 .5rem}\n"
        "h3{font-size:1.05rem;font-weight:650;margin:2.25rem 0 .5rem;overflow-wrap:anywhere}\n"
        "p{margin:.5rem 0;max-width:44rem}\n"
        ".sub,.note{color:var(--soft)}.sub{margin:.35rem 0 0;overflow-wrap:anywhere}\n"
        ".note{font-size:.9rem}\n"
        "a{color:var(--link);text-underline-offset:.15em}\n"
        "nav ul{display:flex;flex-wrap:wrap;gap:.15rem 1.25rem;margin:1.25rem 0 0;"
        "padding:.7rem 0;list-style:none;font-size:.9rem;border:solid var(--rule);"
        "border-width:1px 0}\n"
        "nav a{text-decoration:none}nav a:hover{text-decoration:underline}\n"
        ".key{display:grid;grid-template-columns:repeat(auto-fill,minmax(10rem,1fr));"
        "gap:1.25rem 1.5rem;margin:1rem 0 1.75rem}\n"
        ".key div{border-top:2px solid var(--rule);padding-top:.45rem}\n"
        ".key dt,.facts dt{color:var(--soft);font-size:.85rem}\n"
        ".key dd{margin:0;font-size:1.55rem;line-height:1.3;font-weight:600;"
        "font-variant-numeric:tabular-nums}\n"
        ".key small{display:block;font-size:.8rem;font-weight:400;color:var(--soft)}\n"
        ".facts{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:0;"
        "font-variant-numeric:tabular-nums}\n"
        ".facts dt{font-size:.95rem}.facts dd{margin:0;overflow-wrap:anywhere}\n"
        ".facts code{font-size:.85em}\n"
        ".warn{color:var(--warn);font-weight:600}\n"
        "figure{margin:1.25rem 0 1.75rem}\n"
        ".wide{overflow-x:auto}\n"
        ".scroll{overflow-x:auto;margin:1rem 0;outline-offset:2px}\n"
        "table{border-collapse:collapse;width:100%;font-size:.92rem;line-height:1.4;"
        "font-variant-numeric:tabular-nums}\n"
        "th,td{padding:.38rem .8rem;text-align:left;vertical-align:baseline;"
        "border-bottom:1px solid var(--rule)}\n"
        "th:first-child,td:first-child{padding-left:.1rem}"
        "th:last-child,td:last-child{padding-right:.1rem}\n"
        "thead th{color:var(--soft);font-size:.82rem;font-weight:500;vertical-align:bottom;"
        "border-bottom:1.5px solid var(--soft)}\n"
        "tbody th{font-weight:600;max-width:18rem;overflow-wrap:anywhere}"
        "tbody th:not(.n){min-width:7rem}\n"
        ".n{text-align:right;white-space:nowrap}\n"
        "tbody tr:hover{background:var(--faint)}\n"
        "td small{color:var(--soft);font-size:.82rem}\n"
        ".roles td{min-width:7rem;white-space:nowrap}.roles .span{margin:.3rem 0 .15rem}\n"
        ".gap td{color:var(--soft);text-align:center;font-size:.85rem}\n"
        ".legend{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;list-style:none;margin:.75rem 0 0;"
        "padding:0;font-size:.9rem}\n"
        ".legend li{display:flex;align-items:center;gap:.5rem;min-width:0;overflow-wrap:anywhere}\n"
        "details{margin:1rem 0}summary{cursor:pointer;color:var(--link);font-size:.92rem}\n"
        ".notes li{margin:.4rem 0;max-width:44rem}.notes{padding-left:1.1rem}\n"
        "footer{color:var(--soft);font-size:.85rem;padding-top:3rem;padding-bottom:3rem}\n"
        "@media (max-width:40rem){header,main,footer,nav{padding-left:1rem;padding-right:1rem}"
        "header{padding-top:1.5rem}h1{font-size:1.6rem}.facts{grid-template-columns:1fr;gap:0}"
        ".facts dd{margin-bottom:.6rem}.key{grid-template-columns:1fr 1fr}"
        "th,td{padding-left:.5rem;padding-right:.5rem}"
        ".matrix{min-width:calc(var(--agents)*2.1rem + 8rem)}}\n";
    static const char paper[] =
        "@media print{@page{size:A4;margin:16mm 14mm}"
        "html{font-size:9.5pt}body{font-size:1rem;line-height:1.4}header,main,footer{max-width:"
        "none;padding:0}"
        "nav,details:not([open]){display:none}"
        "h1{font-size:19pt}h2{font-size:13pt;margin-top:20pt}h3{margin-top:13pt}"
        "h2,h3,thead,.note{break-after:avoid}thead{display:table-header-group}"
        "tr,p,figure,.key,.facts{break-inside:avoid}.scroll,.wide{overflow:visible}"
        "#games{break-before:page}table{font-size:8.5pt}"
        "th,td{padding:2.2pt 5pt}.roles td,tbody "
        "th:not(.n){min-width:0}.plot{font-size:8.5pt}.plot .m{"
        "font-size:8pt}a{color:inherit;text-decoration:none}.key dd{font-size:14pt}"
        "*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";

    buf_add(page->out, STR("<style>\n"));
    buf_add(page->out, svg_plot_css());
    buf_add(page->out, (Str){screen, sizeof(screen) - 1});
    buf_add(page->out, (Str){paper, sizeof(paper) - 1});
    buf_add(page->out, STR("</style>\n"));
}
