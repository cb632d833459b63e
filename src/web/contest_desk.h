/* contest_desk.h - answers requests for contest pages: figures are read by workers, kept while they
 *                  are right, and read again when a journal has grown.
 *
 * For:    site.c.
 * Memory: a ContestDesk owns figures and questions that wait; the workers are borrowed.
 * Thread: the loop's; reading and writing pages is the workers'.
 * Source: docs/spec/web.md 7 (at most each 2 s, never on the loop), 11.8.
 *
 * Who asks while figures are read for the first time waits for them. Later a page is made of what
 * is there: a journal that has grown is read again behind it, unless that took so little time the
 * last time that the page can wait for it. Reading never takes more than a fifth of one processor.
 */
#ifndef WARG_WEB_CONTEST_DESK_H
#define WARG_WEB_CONTEST_DESK_H

#include "web/contest_ask.h"
#include "web/contest_figures.h"
#include "web/visit.h"
#include "web/work.h"

#define CONTEST_DESK_FOLDERS 8                 /* whose figures are kept; the one used least goes */
#define CONTEST_DESK_AGAIN   ((TimeUs)2000000) /* no sooner is a folder read again */
#define CONTEST_DESK_WAIT    ((TimeUs)400000)  /* what takes less is waited for */
#define CONTEST_DESK_WAITING 200               /* questions for one folder that is read */

typedef struct ContestDesk ContestDesk;

/* What a contest is known by. Borrowed for the call. */
typedef struct ContestPlace {
    Str id;
    const char *dir;
    bool names_hidden;
    bool seats_hidden; /* from all but operators, while a set goes on: in it agents keep their seats
                        */
    int64_t now_ms;    /* since 1970 */
    ContestFrame frame;
    const LlmPrices *prices; /* as long as the desk; NULL = no costs */
    int64_t until_ms; /* games that ended later are told to operators only; INT64_MAX = none */
} ContestPlace;

/* NULL without memory. */
ContestDesk *contest_desk_new(Work *work);
/* After work_free, which has dropped all jobs. Takes NULL, returns NULL. */
ContestDesk *contest_desk_free(ContestDesk *desk);

/* Answers with a page of the contest, now or later. `team` is that of the path, or empty. */
void contest_desk_answer(ContestDesk *desk, const WebVisit *visit, const ContestPlace *place,
                         ContestPage page, ContestForm form, Str team);
/* Answers with the style sheet when that is what the path asks for; false when it is not. */
bool contest_desk_style(const WebVisit *visit);

/* How often folders were read. */
uint64_t contest_desk_read_count(const ContestDesk *desk);

#endif
