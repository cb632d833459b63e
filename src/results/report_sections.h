/* report_sections.h - the sections of a report, in the order of the page.
 *
 * For:    report.c, which puts them into one page, and web/contest_pages*.c, which makes a page of
 *         its own of each. To add a section: write it here and in a .c file, call it in
 *         report_write, give it a word and a line of `contents` there.
 * Memory: append to the page's Buf. Errors: ERR_MEMORY.
 * Thread: one at a time.
 * Source: results/report.h.
 */
#ifndef WARG_RESULTS_REPORT_SECTIONS_H
#define WARG_RESULTS_REPORT_SECTIONS_H

#include "results/report_page.h"

/* The scores of the stage's games, best first, as every section orders its agents. */
typedef struct ReportOrder {
    ReportScore *scores;
    uint32_t count;
    Tally all;               /* of all seats */
    Tally roles[ROLE_COUNT]; /* likewise, by role */
    Strength *strength;      /* NULL = not known */
    uint32_t strength_rounds;
} ReportOrder;

/* Ranks the agents of these games; `order` is zeroed before. Errors: ERR_MEMORY. */
int report_order_make(const ReportData *data, ReportOrder *order, Err *err);
void report_order_done(ReportOrder *order); /* also for CLEANUP */

void report_summary(const Page *page);
int report_standings(const Page *page, const ReportOrder *order, Err *err);
void report_roles(const Page *page, const ReportOrder *order);
int report_versus_section(const Page *page, const ReportOrder *order, Err *err);
int report_time(const Page *page, const ReportOrder *order, Err *err);
void report_faults(const Page *page, const ReportOrder *order);
/* Nothing where there are none. */
void report_measures(const Page *page);
void report_models(const Page *page);
void report_sessions(const Page *page);
void report_games(const Page *page);

/* ---- parts of sections ---- */

/* In the order in which people name them. */
#define REPORT_ROLES 8
extern const Role report_role_order[REPORT_ROLES];

/* The figures that are read first: games, agents, who wins. */
void report_keys(const Page *page);
/* What the plan tells, and what came of it; `clean` links to the games without a failed seat. */
void report_facts(const Page *page, const char *clean);
/* Which sets are not counted, and why; nothing when all are. */
void report_not_counted(const Page *page);
/* Which model played as whom, who is not ranked and why. */
void report_remarks(const Page *page, const ReportScore *scores, uint32_t count);
/* The rates over the games, as a drawing. Errors: ERR_MEMORY. */
int report_lines(const Page *page, const ReportOrder *order, Err *err);
/* What an agent's play was not its own in. */
Conduct report_conduct(const ReportAgent *agent);

void report_standings_table(const Page *page, const ReportScore *scores, uint32_t count,
                            const Strength *strength);
void report_faults_tables(const Page *page, const ReportOrder *order);
void report_games_table(const Page *page);
/* Whether anybody's play was counted; and of one of `data->teams`, by its name: NULL, nobody's. */
bool report_has_play(const ReportData *data);
const PlaySums *report_play_of(const ReportData *data, Str name);
void report_models_table(const Page *page);
void report_sessions_tables(const Page *page);
/* A section for each stage before this one: standings, faults, games. */
int report_earlier(const Page *page, Err *err);
void report_notes(const Page *page, const ReportOrder *order);

#endif
