/* contest_pages.h - the pages of a contest: overview, standings, roles, head to head, schedule,
 *                   faults, games, a team; each as HTML, JSON and CSV.
 *
 * For:    contest_desk.c, which answers requests; tests.
 * Memory: appends to the caller's Buf.
 * Thread: one at a time per ContestFigures.
 * Source: docs/spec/web.md 7. To add a page: a line in ContestPage and its word (contest_ask.h), a
 *         function in contest_pages_own.h, a line in the table of contest_pages.c.
 *
 * Nothing here reads a clock, and nothing but the output of an agent's program is read from disk:
 * the same figures and the same ask give the same bytes.
 */
#ifndef WARG_WEB_CONTEST_PAGES_H
#define WARG_WEB_CONTEST_PAGES_H

#include "web/contest_ask.h"
#include "web/contest_figures.h"

typedef struct ContestAnswer {
    unsigned status;  /* 200, 404 */
    const char *type; /* "text/html; charset=utf-8" */
    Buf body;
    uint32_t refresh; /* seconds, for a header; 0 = none */
} ContestAnswer;

void contest_answer_done(ContestAnswer *answer); /* also for CLEANUP */

/* Appends the style sheet that all pages ask for, and its address, which changes with it. */
void contest_pages_css(Buf *out);
void contest_pages_css_address(Buf *out);

/* `answer` is zeroed before. What is not there is a page that says so. Errors: ERR_MEMORY. */
int contest_pages_write(const ContestFigures *figures, const ContestAsk *ask, ContestAnswer *answer,
                        Err *err);

/* A page, or JSON, that only says what is wrong: when there are no figures. `code` is a word. */
void contest_pages_refuse(const ContestAsk *ask, unsigned status, const char *code, Str text,
                          ContestAnswer *answer);

#endif
