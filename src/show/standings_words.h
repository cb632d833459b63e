/* standings_words.h - every word of the tables of standings and of ratings, in English and
 *                     Japanese.
 *
 * For:    standings_output.c, ratings_output.c. A further language is a further column of the one
 *         table in standings_words.c.
 * Memory: constant text.
 * Thread: any.
 * Source: Japanese as in the report (results/report_words.h).
 */
#ifndef WARG_CMD_STANDINGS_WORDS_H
#define WARG_CMD_STANDINGS_WORDS_H

#include "base/buf.h"

typedef enum StandingsWord {
    SAY_STAGE, /* in front of a name */
    SAY_SET,   /* in front of a number */
    SAY_GAME,  /* behind the number 1 */
    SAY_GAMES,
    SAY_AGENT,
    SAY_AGENTS,
    SAY_PER_SECOND,
    SAY_VILLAGE_WINS,
    SAY_WOLVES_WIN,
    SAY_FOX_WINS,
    SAY_NOBODY_WINS,
    SAY_MEAN_DAYS,
    SAY_MEAN_DAYS_NOTE,
    SAY_REVOTES,
    SAY_REVOTES_NOTE,
    SAY_ATTACKS,
    SAY_ATTACKS_NOTE,
    SAY_TO,
    COLUMN_ROLE,
    COLUMN_AGENT,
    COLUMN_GAMES,
    COLUMN_WINS,
    COLUMN_RATE,
    COLUMN_INTERVAL,
    COLUMN_POINTS,
    COLUMN_SUBSTITUTED,
    COLUMN_VIOLATIONS,
    COLUMN_FAULTS,
    COLUMN_OWN,
    TITLE_RATES, /* of the contest's three */
    RATES_OVERALL,
    RATES_MEAN,
    RATES_WEIGHTED,
    SAY_RATES, /* their formulas */
    SAY_MODEL, /* behind an agent, in front of a model's name */
    SAY_AT,    /* behind it, in front of its server */
    SAY_NOT_RANKED,
    SAY_NEVER_PLAYED,
    SAY_NO_DECISION,
    SAY_NOT_COUNTED, /* {0} sets, the first is {1} */
    SAY_ELIMINATED,
    SAY_NOT_OWN,     /* {0} of {1} decisions */
    SAY_TOO_FEW,     /* {0} games of its own, {1} needed */
    RATING_WIN_RATE, /* headings, in a table; JSON and CSV have the English ones */
    RATING_LOW,
    RATING_HIGH,
    RATING_STRENGTH,
    RATING_STRENGTH_LOW,
    RATING_STRENGTH_HIGH,
    RATING_ROLES,
    RATING_VILLAGE_RATE,
    RATING_WOLVES_RATE,
    RATING_AGAINST,
    RATING_MEETINGS,
    SAY_AMONG_AVERAGE,
    SAY_STRENGTH_UNIT,
    SAY_RESAMPLED_SETS, /* {0} resamplings */
    SAY_RESAMPLED_GAMES,
    SAY_INDEPENDENT,
    SAY_LEFT_OUT,    /* {0} games */
    SAY_NO_STRENGTH, /* {0} agents at most */
    SAY_NOT_RATED,
    SAY_PAIRS,
    SAY_PAIRS_FIRST, /* the first {0} of {1} agents */
    STANDINGS_WORDS,
} StandingsWord;

const char *standings_word(bool japanese, StandingsWord word);

/* Appends a word with {0} and {1} replaced, thousands apart. */
void standings_say(bool japanese, StandingsWord word, const uint64_t numbers[static 2], Buf *out);
/* 12345678 as "12,345,678". */
void standings_add_thousands(uint64_t value, Buf *out);

#endif
