/* report_words.h - every word of a report, in English and Japanese.
 *
 * For:    report.c. A further language is a further column of the one table in report_words.c.
 * Memory: constant text.
 * Thread: any.
 * Source: Japanese names of roles as in show/log_show.c, after the AIWolf contest's own pages.
 */
#ifndef WARG_RESULTS_REPORT_WORDS_H
#define WARG_RESULTS_REPORT_WORDS_H

#include "game/role.h"
#include "record/fault.h"
#include "record/finding.h"
#include "stats/measures.h"

/* In the order of the option "--lang en|ja". */
typedef enum ReportLanguage {
    REPORT_ENGLISH,
    REPORT_JAPANESE,
    REPORT_LANGUAGES,
} ReportLanguage;

typedef enum ReportWord {
    WORD_LANGUAGE_CODE,
    WORD_TITLE,
    WORD_SUBTITLE, /* {0} rules, {1} players, {2} games */
    WORD_CONTENTS,
    /* sections */
    WORD_SUMMARY,
    WORD_STANDINGS,
    WORD_ROLES,
    WORD_VERSUS,
    WORD_TIME,
    WORD_FAULTS,
    WORD_MEASURES,
    WORD_MODELS,
    WORD_SESSIONS,
    WORD_GAMES_LIST,
    WORD_NOTES,
    /* summary */
    WORD_RULES,
    WORD_PLAYERS,
    WORD_GAMES,
    WORD_GAMES_OF, /* {0} played, {1} planned */
    WORD_AGENTS,
    WORD_SEED,
    WORD_SEED_SECRET,
    WORD_SEED_CHOSEN,
    WORD_COMMITMENT,
    WORD_FIRST_ENDED,
    WORD_LAST_ENDED,
    WORD_STATE,
    WORD_COMPLETE,
    WORD_INTERRUPTED,
    WORD_VILLAGE_WINS,
    WORD_WOLVES_WIN,
    WORD_FOX_WINS,
    WORD_NO_WINNER,
    WORD_MEAN_DAY,
    WORD_FAILED_GAMES,
    WORD_UNKNOWN_RULES,
    WORD_NONE,
    WORD_TO, /* between the ends of a range with signs */
    /* standings */
    WORD_RANK,
    WORD_AGENT,
    WORD_WINS,
    WORD_RATE,
    WORD_INTERVAL,
    WORD_AS_VILLAGE,
    WORD_AS_WOLVES,
    WORD_AS_FOX,
    WORD_STRENGTH,
    WORD_SUBSTITUTED,
    WORD_VIOLATIONS,
    WORD_OTHER_FAULTS,
    WORD_OWN_DECISIONS,
    WORD_MODEL_AT,      /* {0} agent, {1} model, {2} server */
    WORD_NOT_OWN,       /* {0} agent, {1} own decisions, {2} all */
    WORD_SERVER_ERROR,  /* {0} text */
    WORD_NOT_COUNTED,   /* {0} agent, {1} sets, {2} the first */
    WORD_NO_DECISION,   /* {0} agent */
    WORD_NEVER_PLAYED,  /* {0} agent */
    WORD_TOO_FEW_GAMES, /* {0} agent, {1} own games, {2} needed */
    WORD_ALL_SEATS,
    WORD_STANDINGS_TEXT,
    WORD_STANDINGS_PLOT, /* {0} names shown */
    WORD_PLOT_FIRST,     /* {0} shown, {1} all */
    WORD_STAGE,          /* {0} name */
    WORD_WITHOUT_FAILED,
    WORD_WITHOUT_FAILED_TEXT, /* {0} games left out, {1} all */
    WORD_ALL_GAMES,
    WORD_CLEAN_GAMES,
    WORD_CHANGE,
    WORD_RANK_CHANGE,
    /* roles */
    WORD_ROLES_TEXT,
    WORD_SEATS_SHORT, /* {0} */
    WORD_WIN_RATES,
    WORD_WIN_RATES_TEXT, /* the formulas */
    WORD_RATE_OVERALL,
    WORD_RATE_ROLE_MEAN,
    WORD_RATE_WEIGHTED,
    /* versus */
    WORD_VERSUS_TEXT,
    WORD_VERSUS_PLOT,
    WORD_VERSUS_TABLE,
    WORD_OPPONENT,
    WORD_MEETINGS,
    WORD_TOO_FEW_AGENTS,
    /* time */
    WORD_TIME_TEXT,
    WORD_TIME_BANDS,
    WORD_TIME_PLOT,
    WORD_GAMES_PLAYED,
    /* faults */
    WORD_FAULTS_TEXT,
    WORD_NO_OUTSIDE,
    WORD_SEATS,
    WORD_FAILED_SEATS,
    WORD_EXCESSES,
    WORD_EXCUSED,
    WORD_WAITED,
    WORD_ANSWERS,
    WORD_SHORTEST,
    WORD_MEDIAN,
    WORD_P99,
    WORD_LONGEST,
    WORD_TIMES,
    WORD_FAULT_TABLE,
    WORD_FINDINGS,
    WORD_FINDINGS_TEXT,
    WORD_FIRST_FINDINGS,
    WORD_FINDING_GAME,   /* {0} line, {1} set, {2} game, {3} day */
    WORD_FINDING_BEHIND, /* {0} line, {1} set */
    WORD_CELL,
    /* models */
    WORD_MEASURES_TEXT,
    WORD_MODELS_TEXT,
    WORD_MODEL,
    WORD_BRIER,
    WORD_POINTS,
    WORD_DECISIONS,
    WORD_TOKENS_READ,
    WORD_TOKENS_WRITTEN,
    WORD_TOKENS_CACHED,
    WORD_REQUESTS,
    WORD_COST,
    WORD_COST_PER_WIN,
    WORD_COSTS_IN, /* {0} currency */
    /* sessions */
    WORD_SESSIONS_TEXT,
    WORD_SESSION, /* {0} its id, {1} when it began */
    WORD_PLAYER,
    WORD_DECIDED_BY,
    WORD_ROUNDS,
    WORD_ROUND_WINNERS, /* in front of the winners, round by round */
    /* games */
    WORD_GAMES_TEXT,        /* of all */
    WORD_GAMES_PART,        /* {0} first and last, {1} all, {2} between them */
    WORD_GAMES_PART_FAILED, /* likewise */
    WORD_NUMBER,
    WORD_SET,
    WORD_WINNER,
    WORD_LAST_DAY,
    WORD_ENDED,
    WORD_LOG,
    WORD_MARKS,
    WORD_SEAT_FAILED,    /* {0} seat */
    WORD_GAMES_LEFT_OUT, /* {0} */
    WORD_MARK_REASON_MAX_DAY,
    WORD_MARK_REASON_IDLE,
    WORD_MARK_REASON_ABORTED,
    WORD_NO_GAMES,
    /* notes */
    WORD_NOTE_RATE,
    WORD_NOTE_INTERVAL,
    WORD_NOTE_VERSUS,
    WORD_NOTE_STRENGTH,
    WORD_NOTE_STRENGTH_ROUNDS, /* {0} */
    WORD_NOTE_STRENGTH_CURVE,
    WORD_NOTE_TIMES,
    WORD_MADE_BY, /* {0} version */
    REPORT_WORDS,
} ReportWord;

const char *report_word(ReportLanguage language, ReportWord word);
const char *report_role(ReportLanguage language, Role role);
/* "Network": the heading of a rule of findings. */
const char *report_finding(ReportLanguage language, FindingRule rule);

/* What a measure of play is called. */
const char *report_measure(ReportLanguage language, Measure measure);

/* "Village"; for SIDE_NONE a dash. */
const char *report_side(ReportLanguage language, Side side);
const char *report_fault(ReportLanguage language, FaultKind kind);

/* What an agent did wrong, for people: "timeout", "時間切れ". */
const char *report_fault_word(FaultKind kind, bool japanese);

#endif
