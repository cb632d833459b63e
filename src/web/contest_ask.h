/* contest_ask.h - what somebody asks of a contest: the page, its filters, the language; and the
 * link that asks the same.
 *
 * For:    the contest pages; who answers requests fills one in from an address.
 * Memory: a plain value without pointers, so that it can go to another thread.
 * Thread: any.
 * Source: docs/spec/web.md 3, 7; RFC 9110 12.5.4 (Accept-Language); RFC 3986 2 (which bytes of an
 *         address stand for themselves).
 */
#ifndef WARG_WEB_CONTEST_ASK_H
#define WARG_WEB_CONTEST_ASK_H

#include "game/role.h"
#include "llm/prices.h"
#include "net/web.h"
#include "record/game_record.h"
#include "results/report_words.h"

#define CONTEST_ID_MAX      200 /* bytes */
#define CONTEST_SORT_MAX    31  /* bytes of a column's key, with its sign */
#define CONTEST_FILE_MAX    40  /* bytes of a file's name */
#define CONTEST_ASSETS_PATH "/web/assets/"
#define CONTEST_ROWS        200   /* of a table on one page */
#define CONTEST_CSV_ROWS    50000 /* of a long list in one answer; `from` goes on */
#define CONTEST_REFRESH_MIN 5     /* seconds */
#define CONTEST_REFRESH_MAX 3600  /* seconds */

typedef enum ContestPage {
    CONTEST_OVERVIEW,
    CONTEST_STANDINGS,
    CONTEST_ROLES,
    CONTEST_VERSUS,
    CONTEST_SCHEDULE,
    CONTEST_FAULTS,
    CONTEST_GAMES,
    CONTEST_TEAM,
    CONTEST_PAGES,
} ContestPage;

typedef enum ContestForm {
    CONTEST_HTML,
    CONTEST_JSON,
    CONTEST_CSV,
} ContestForm;

/* Which games of the list, by what went wrong in them. */
typedef enum FaultChoice {
    FAULTS_ALL_GAMES,
    FAULTS_ANY,       /* any fault, or a failed seat */
    FAULTS_FAILED,    /* a seat that failed */
    FAULTS_OF_A_KIND, /* of `kind` */
} FaultChoice;

/* What stands around pages: names of files below /web/assets/, "" = there is none. */
typedef struct ContestFrame {
    char script[CONTEST_FILE_MAX + 1];
    char icon[CONTEST_FILE_MAX + 1];
    bool has_feed; /* the server plays, and tells of it at /web/api/feed */
} ContestFrame;

typedef struct ContestAsk {
    char id[CONTEST_ID_MAX + 1];
    ContestFrame frame;
    ContestPage page;
    ContestForm form;
    ReportLanguage language;
    bool language_chosen; /* by the address: it stays in the links */
    bool is_operator;
    bool names_hidden;               /* agents show as "Team 3" to all but operators */
    bool seats_hidden;               /* so are the seats of a set that goes on */
    int64_t now_ms;                  /* since 1970 */
    const LlmPrices *prices;         /* of models; borrowed; NULL = no costs */
    uint32_t refresh;                /* seconds; 0 = never */
    int64_t stage;                   /* its number; -1 = the last one that has games */
    bool stage_is_wrong;             /* the address names none */
    uint32_t from;                   /* the first row, from 0 */
    bool results;                    /* winners and lengths are shown */
    char sort[CONTEST_SORT_MAX + 1]; /* "rate", "-rate"; "" = as the page has it */
    char team[AGENT_NAME_MAX + 1];   /* "" = all; of the team's own page, too */
    char against[AGENT_NAME_MAX + 1];
    Role role;          /* of `team`; ROLE_NONE = any */
    bool has_winner;    /* `winner` counts, with `results` only */
    Side winner;        /* SIDE_NONE: games without */
    uint16_t days_from; /* the last day, with `results` only */
    uint16_t days_to;   /* 0 = no end */
    FaultChoice faults;
    FaultKind kind; /* with FAULTS_OF_A_KIND, and on the page of faults; FAULT_COUNT = any */
    int64_t set;    /* -1 = any */
    char file[CONTEST_FILE_MAX + 1]; /* of a program's output, on a team's page */
} ContestAsk;

/* The last part of its path: "standings"; "" for the overview. */
const char *contest_page_word(ContestPage page);
/* The page of this word; CONTEST_PAGES for any other. */
ContestPage contest_page_of(Str word);

/* Fills in all that the query and the headers say; the rest is as nobody has asked for anything.
 * Words that mean nothing are passed over. */
void contest_ask_read(const WebRequest *request, ContestAsk *ret_ask);

/* English, or Japanese where that is wanted more: the value of an Accept-Language header. */
ReportLanguage contest_language_of(Str accepted);

/* Appends "/web/c/cup/games?team=alice", of a page in HTML or CSV, or that below
 * /web/api/contests/. `separator` stands between parameters: "&", or "&amp;" in HTML; nothing else
 * needs an escape. */
void contest_ask_link(const ContestAsk *ask, const char *separator, Buf *out);

/* Behind the last row of a list in CSV. */
static inline uint32_t contest_csv_end(const ContestAsk *ask)
{
    return ask->from > UINT32_MAX - CONTEST_CSV_ROWS ? UINT32_MAX : ask->from + CONTEST_CSV_ROWS;
}

/* Appends `text` with %XX for every byte that does not stand for itself. */
void contest_link_text(Str text, Buf *out);

#endif
