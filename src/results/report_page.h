/* report_page.h - the parts that every section of a report is put together from.
 *
 * For:    report.c and the sections. Knows words and numbers, not what they are about.
 * Memory: appends to the page's Buf.
 * Thread: one at a time.
 * Source: results/report.h.
 */
#ifndef WARG_RESULTS_REPORT_PAGE_H
#define WARG_RESULTS_REPORT_PAGE_H

#include "results/report.h"

typedef struct Page {
    const ReportData *data;
    const ReportOptions *options;
    Buf *out;
} Page;

#define PAGE_DASH "\xE2\x80\x93" /* where there is no number, and between two */

int page_no_memory(Err *err);

/* ---- words and numbers ---- */

void page_word(const Page *page, ReportWord word);
Str page_word_text(const Page *page, ReportWord word);
/* A word with {0}, {1}, {2} replaced; `count` arguments, escaped. */
void page_say(const Page *page, ReportWord word, const Str *args, size_t count);
/* Text from outside. */
void page_text(const Page *page, Str text);
/* The name of an agent; text from outside. */
Str page_agent(const Page *page, uint32_t agent);
Interval page_interval_of(Tally tally); /* 95 % */
/* 12,345 */
void page_count(Buf *out, uint64_t value);
/* "53.1 %" */
void page_percent(Buf *out, double rate);
/* A rate, a dash when there were no games. */
void page_rate(Buf *out, Tally tally);
/* "49.2 – 57.0 %", a dash when there were no games. */
void page_interval(Buf *out, Tally tally);
/* "2026-01-31 23:59:59"; a dash for 0. */
void page_time(Buf *out, int64_t ms);

/* A number for page_say, as page_count writes it, in the caller's `room`. */
typedef struct PageNumber {
    char text[32];
} PageNumber;
Str page_number(PageNumber *room, uint64_t value);

/* "Stage final", of the page's games; nothing when the contest has one stage only. */
void page_stage(const Page *page);

/* ---- structure ---- */

/* The heading names the stage where there are several. */
void page_section_open(const Page *page, const char *id, ReportWord title);
void page_section_close(const Page *page);
void page_paragraph(const Page *page, ReportWord word);

/* A table that scrolls on its own where the screen is narrow; `label` names it for those who can't
 * see it. Then page_head for each column, page_body, rows, page_table_close. */
void page_table_open(const Page *page, ReportWord label, const char *class);
void page_head(const Page *page, ReportWord word, bool number);
void page_body(const Page *page);
void page_table_close(const Page *page);

/* Cells: <td class="n"> with a number, <th scope="row"> with a name. */
void page_cell_count(const Page *page, uint64_t value);
void page_cell_rate(const Page *page, Tally tally);
void page_cell_name(const Page *page, Str name);

/* Says under a plot that it has the first `shown` agents of `count`; nothing when it has all. */
void page_shown(const Page *page, uint32_t shown, uint32_t count);

/* The whole style sheet. */
void page_style(const Page *page);

#endif
