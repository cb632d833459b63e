/* report.h - the results of a contest or set as one HTML page that needs nothing beside it.
 *
 * For:    `warg report`; a server's result page.
 * Memory: appends to the caller's Buf.
 * Thread: one at a time.
 * Source: docs/statistics.md (the figures); WCAG 2.1 AA (contrast, headers of tables, texts for
 *         plots); HTML Living Standard. What comes from outside passes html_text, and the page
 *         forbids scripts and loading (Content-Security-Policy), so that a name can't do anything.
 *
 * The same data gives the same bytes: the page does not say when it was made.
 */
#ifndef WARG_RESULTS_REPORT_H
#define WARG_RESULTS_REPORT_H

#include "llm/prices.h"
#include "results/report_data.h"
#include "results/report_words.h"

#define REPORT_FILE        "report.html"
#define REPORT_GAMES_ALL   2000 /* games that are listed one by one; of more, */
#define REPORT_GAMES_ENDS  500  /* so many from the beginning and the end, */
#define REPORT_GAMES_MARKS 5000 /* and so many with marks between them */
#define REPORT_PLOT_AGENTS 40   /* in the plot of the standings */
#define REPORT_SPAN_AGENTS 100  /* with a drawing in the table of roles */

typedef struct ReportOptions {
    ReportLanguage language;
    Str title;      /* empty = the name of the contest, or a general one */
    bool link_logs; /* the page lies in the folder that has the logs */
    /* Each game is linked to a page of its own: this, its report_game_stem, ".html". NULL = none.
     */
    const char *game_pages;
    const LlmPrices *prices; /* of models' tokens; NULL = no costs */
} ReportOptions;

/* Appends what a game is called by its log: "2.000" for "logs/2/000.log.gz". */
void report_game_stem(Str log, Buf *out);

/* Appends the page. Errors: ERR_MEMORY. */
int report_write(const ReportData *data, const ReportOptions *options, Buf *out, Err *err);

#endif
