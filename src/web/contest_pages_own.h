/* contest_pages_own.h - one function for each page; private to contest_pages*.c.
 *
 * For:    contest_pages.c.
 * Memory: append to the sheet's Buf. Errors: ERR_MEMORY.
 * Thread: one at a time.
 * Source: docs/spec/web.md 7.
 */
#ifndef WARG_WEB_CONTEST_PAGES_OWN_H
#define WARG_WEB_CONTEST_PAGES_OWN_H

#include "web/contest_sheet.h"

/* Between sheet_open and sheet_close. */
typedef int ContestPageFn(ContestSheet *sheet, Err *err);

ContestPageFn contest_page_overview, contest_page_standings, contest_page_roles,
    contest_page_versus, contest_page_schedule, contest_page_faults, contest_page_games,
    contest_page_team;

/* The last `count` games that the ask's team played, or of all, newest first, as a table that does
 * not sort. */
int contest_games_last(ContestSheet *sheet, uint32_t count, const char *id, const char *caption,
                       Err *err);

#endif
