/* contest_sheet.h - a contest page while it is written: the frame around it, sections, links.
 *
 * For:    web/contest_pages*.c.
 * Memory: appends to the caller's Buf; ask and figures are borrowed.
 * Thread: one at a time.
 * Source: docs/spec/web.md 7, 10, 11.3 (no style and no script in the page itself); HTML Living
 *         Standard; WCAG 2.2 AA.
 *
 * The same functions write all forms: what is for people only (sections, sentences, drawings) is
 * left out of JSON and CSV; of tables CSV has the main one.
 */
#ifndef WARG_WEB_CONTEST_SHEET_H
#define WARG_WEB_CONTEST_SHEET_H

#include "base/json.h"
#include "results/report_sections.h"
#include "web/contest_figures.h"
#include "web/contest_table.h"
#include "web/contest_words.h"

typedef struct ContestSheet {
    const ContestAsk *ask;
    const ContestFigures *figures;
    const ContestStage *stage;
    const ReportData *data; /* of the stage */
    const ReportOrder *order;
    const char *style; /* address of the style sheet */
    ReportOptions options;
    Page page; /* for the parts of a report; empty texts are never in it */
    Json json;
    Buf *out;
} ContestSheet;

static inline bool sheet_is_html(const ContestSheet *sheet)
{
    return sheet->ask->form == CONTEST_HTML;
}

/* The sign of all pages, an <svg class="mark">. */
const char *sheet_mark(void);

/* `title` in HTML, made of escaped text. */
void sheet_open(ContestSheet *sheet, Str title);
void sheet_close(ContestSheet *sheet);

void sheet_section_open(const ContestSheet *sheet, const char *id, const char *title);
void sheet_section_close(const ContestSheet *sheet);
void sheet_heading(const ContestSheet *sheet, const char *title); /* within a section */
void sheet_note(const ContestSheet *sheet, const char *text);
/* A sentence with places. */
void sheet_say(const ContestSheet *sheet, ContestWord word, const Str *args, size_t count);
/* <p><a>, to the same page with other wishes, or to another page. */
void sheet_more(const ContestSheet *sheet, const ContestAsk *ask, const char *text);
const char *sheet_word(const ContestSheet *sheet, ContestWord word);
const char *sheet_report_word(const ContestSheet *sheet, ReportWord word);

/* Writes a table in the form that is asked for and frees it. `main`: the page's own, "items" in
 * JSON, sorted and cut as `ask` says; else all of it, and `id` is its key. Errors: ERR_MEMORY. */
int sheet_table(ContestSheet *sheet, ContestTable *table, const char *id, const char *caption,
                bool main, Err *err);

/* What an agent is called here: its name, or "Team 3" where names are hidden. In `room` or
 * borrowed. */
typedef struct AgentLabel {
    char text[AGENT_NAME_MAX + 1];
} AgentLabel;
Str sheet_agent(const ContestSheet *sheet, uint32_t agent, AgentLabel *room);
/* The agent that is called so; UINT32_MAX = none. */
uint32_t sheet_find_agent(const ContestSheet *sheet, Str label);
/* Whether names are hidden from who asks. */
bool sheet_hides_names(const ContestSheet *sheet);

/* What asks for another page of the same stage, without the filters of this one. */
ContestAsk sheet_ask(const ContestSheet *sheet, ContestPage page);
/* ... for an agent's own page. */
ContestAsk sheet_ask_team(const ContestSheet *sheet, uint32_t agent);
/* Fills the next cell of a row with an agent's name, which leads to its page. */
void sheet_agent_cell(const ContestSheet *sheet, uint32_t agent, ContestTable *table);

/* Appends the ID of a game, as addresses have it: /web/g/ID. */
void sheet_game_id(const ContestSheet *sheet, const ReportGame *game, Buf *out);
/* Fills the next cell with a game's number, which leads to it; `anchor` is of a moment or "".
 * `all`: of one that only the document of all has. */
void sheet_game_cell(const ContestSheet *sheet, const ReportGame *game, const char *anchor,
                     bool all, ContestTable *table);

/* "3 h 20 min", for HTML. */
void sheet_duration(const ContestSheet *sheet, int64_t ms, Buf *out);

#endif
