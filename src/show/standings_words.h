/* standings_words.h - every word of the table of standings, in English and Japanese.
 *
 * For:    standings_output.c. A further language is a further column of the one table in
 *         standings_words.c.
 * Memory: constant text.
 * Thread: any.
 * Source: Japanese as in the report (results/report_words.h).
 */
#ifndef WARG_SHOW_STANDINGS_WORDS_H
#define WARG_SHOW_STANDINGS_WORDS_H

#include <stdbool.h>

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
    SAY_NOT_RANKED,
    SAY_NEVER_PLAYED,
    SAY_NO_DECISION,
    SAY_NOT_OWN, /* {0} of {1} decisions */
    SAY_TOO_FEW, /* {0} games of its own, {1} needed */
    STANDINGS_WORDS,
} StandingsWord;

const char *standings_word(bool japanese, StandingsWord word);

#endif
