/* contest_words.h - the words of contest pages that a report does not have, in English and
 * Japanese.
 *
 * For:    contest_sheet.c, contest_table.c, contest_pages*.c. The others: results/report_words.h.
 * Memory: constant text.
 * Thread: any.
 * Source: docs/spec/web.md 7, 10.6.
 */
#ifndef WARG_WEB_CONTEST_WORDS_H
#define WARG_WEB_CONTEST_WORDS_H

#include "base/buf.h"
#include "results/report_words.h"

typedef enum ContestWord {
    /* frame */
    CONTEST_WORD_SKIP,
    CONTEST_WORD_HOME,
    CONTEST_WORD_PAGES,
    CONTEST_WORD_STAGES,
    CONTEST_WORD_OTHER_LANGUAGE, /* its own name, in that language */
    CONTEST_WORD_SEARCH,
    CONTEST_WORD_SEARCH_HERE,
    CONTEST_WORD_THEME,
    CONTEST_WORD_NEW_GAME,
    CONTEST_WORD_NEW_GAMES, /* {0} number, filled in by the page's script */
    CONTEST_WORD_LOAD_AGAIN,
    CONTEST_WORD_ACTS, /* for operators */
    CONTEST_WORD_ACTS_NONE,
    CONTEST_WORD_ACTS_PAGE,
    CONTEST_WORD_TEAM_LOGS,
    CONTEST_WORD_OVERVIEW,
    CONTEST_WORD_VERSUS,
    CONTEST_WORD_SCHEDULE,
    CONTEST_WORD_FAULTS,
    CONTEST_WORD_GAMES,
    CONTEST_WORD_TEAM,        /* {0} name */
    CONTEST_WORD_TEAM_NUMBER, /* {0} number: who is not named */
    CONTEST_WORD_UNTITLED,    /* a contest without a name */
    CONTEST_WORD_AS_DATA,     /* "The same as" JSON, CSV */
    CONTEST_WORD_UTC,
    CONTEST_WORD_UPDATED, /* {0} date */
    CONTEST_WORD_NO_STAGE,
    CONTEST_WORD_NO_TEAM,  /* {0} name */
    CONTEST_WORD_NOT_READ, /* {0} why */
    CONTEST_WORD_MISTAKE,
    /* tables */
    CONTEST_WORD_PARTS,
    CONTEST_WORD_BEFORE,
    CONTEST_WORD_NEXT,
    CONTEST_WORD_ROWS,     /* {0} first, {1} last, {2} of all */
    CONTEST_WORD_OF_GAMES, /* {0} */
    CONTEST_WORD_NONE_HERE,
    /* overview */
    CONTEST_WORD_PROGRESS,
    CONTEST_WORD_PLAYED_OF, /* {0} of {1} */
    CONTEST_WORD_PLAYED,    /* {0} */
    CONTEST_WORD_ETA,       /* {0} duration, {1} date */
    CONTEST_WORD_ALL_STAGES,
    CONTEST_WORD_LAST_GAMES,
    CONTEST_WORD_ALL_GAMES,
    CONTEST_WORD_BEST,
    CONTEST_WORD_WHOLE_TABLE,
    CONTEST_WORD_LAST_HOUR,
    CONTEST_WORD_NO_FAULTS_HOUR,
    CONTEST_WORD_COUNT,
    CONTEST_WORD_STAGE_HEAD,
    CONTEST_WORD_PLANNED,
    CONTEST_WORD_MINUTES, /* {0} */
    CONTEST_WORD_HOURS,   /* {0} hours, {1} minutes */
    CONTEST_WORD_DAYS,    /* {0} days, {1} hours */
    /* standings */
    CONTEST_WORD_GROUP,
    CONTEST_WORD_GROUPS_TEXT,
    CONTEST_WORD_FACTS,
    CONTEST_WORD_ROLE_CAPTION,
    /* versus */
    CONTEST_WORD_HEAT,
    CONTEST_WORD_HEAT_TEXT,
    CONTEST_WORD_HEAT_PART, /* {0} shown, {1} all */
    CONTEST_WORD_PAIRS,
    /* schedule */
    CONTEST_WORD_SETS,
    CONTEST_WORD_SETS_TEXT, /* {0} done, {1} running, {2} planned */
    CONTEST_WORD_STATE_DONE,
    CONTEST_WORD_STATE_RUNNING,
    CONTEST_WORD_STATE_PLANNED,
    CONTEST_WORD_STATE,
    CONTEST_WORD_SEATS,
    CONTEST_WORD_STAGE_ROWS,
    CONTEST_WORD_NLP_SCHEDULE,
    CONTEST_WORD_NLP_TEXT, /* {0} ended, {1} running, {2} waiting */
    CONTEST_WORD_ALL_ROLES,
    CONTEST_WORD_RUNNING_NOW,
    CONTEST_WORD_LEFT,
    CONTEST_WORD_AWAITED,
    CONTEST_WORD_PER_SET,
    CONTEST_WORD_GAMES_PLANNED,
    CONTEST_WORD_GAMES_PLAYED,
    CONTEST_WORD_NOT_KNOWN_YET, /* {0} number */
    /* faults */
    CONTEST_WORD_FAULTS_TEXT,
    CONTEST_WORD_FAULT_LIST,
    CONTEST_WORD_FAULT_LIST_TEXT,
    CONTEST_WORD_FAULTS_LEFT_OUT, /* {0} */
    CONTEST_WORD_KIND,
    CONTEST_WORD_DAY,
    CONTEST_WORD_SEAT,
    CONTEST_WORD_REQUEST,
    CONTEST_WORD_CAME,
    CONTEST_WORD_AFTER_MS,
    CONTEST_WORD_AT,
    CONTEST_WORD_FATAL,
    CONTEST_WORD_GOES_ON,
    CONTEST_WORD_ONLY_KIND, /* {0} kind */
    CONTEST_WORD_ONLY_TEAM, /* {0} team */
    CONTEST_WORD_SHOW_ALL,
    CONTEST_WORD_FOLLOWED,
    CONTEST_WORD_MAX_TIME,
    /* games */
    CONTEST_WORD_FILTER,
    CONTEST_WORD_ANY,
    CONTEST_WORD_APPLY,
    CONTEST_WORD_CLEAR,
    CONTEST_WORD_FILTER_TEAM,
    CONTEST_WORD_FILTER_AGAINST,
    CONTEST_WORD_FILTER_ROLE,
    CONTEST_WORD_FILTER_FAULTS,
    CONTEST_WORD_FILTER_DAYS,
    CONTEST_WORD_FILTER_SET,
    CONTEST_WORD_FAULTS_ANY,
    CONTEST_WORD_FAULTS_FAILED,
    CONTEST_WORD_SHOW_RESULTS,
    CONTEST_WORD_HIDE_RESULTS,
    CONTEST_WORD_HIDDEN_TEXT,
    CONTEST_WORD_FOUND, /* {0} games */
    CONTEST_WORD_GAME,
    CONTEST_WORD_WHY,
    CONTEST_WORD_LINE_UP,
    CONTEST_WORD_FAULT_COUNT,
    /* team */
    CONTEST_WORD_RANK_OF, /* {0} rank, {1} of */
    CONTEST_WORD_NOT_RANKED,
    CONTEST_WORD_BY_ROLE,
    CONTEST_WORD_OPPONENTS,
    CONTEST_WORD_ITS_GAMES,
    CONTEST_WORD_ITS_FAULTS,
    CONTEST_WORD_OUTPUT,
    CONTEST_WORD_OUTPUT_TEXT,
    CONTEST_WORD_OUTPUT_HIDDEN,
    CONTEST_WORD_OUTPUT_GONE,
    CONTEST_WORD_OUTPUT_END, /* {0} file */
    CONTEST_WORD_FILE,
    CONTEST_WORD_BYTES,
    CONTEST_WORDS,
} ContestWord;

const char *contest_word(ReportLanguage language, ContestWord word);

/* Appends a word with {0}, {1}, {2} replaced, for HTML: the arguments are escaped. */
void contest_say(ReportLanguage language, ContestWord word, const Str *args, size_t count,
                 Buf *out);
/* The same with one number. */
void contest_say_count(ReportLanguage language, ContestWord word, uint64_t number, Buf *out);

#endif
