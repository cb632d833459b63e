/* seat_play.h - how one seat played a game that somebody won, counted.
 *
 * For:    records of games and, through the journal, results.db and the measures of play
 *         (stats/measures.h). play_meter.h counts.
 * Memory: plain values.
 * Thread: pure.
 * Source: docs/statistics.md, "Measures of play".
 *
 * Numerators and denominators of all measures; which of them is one depends on the seat's role.
 */
#ifndef WARG_RECORD_SEAT_PLAY_H
#define WARG_RECORD_SEAT_PLAY_H

#include "base/str.h"

#include <stdint.h>

/* The order of a journal's list "play"; new ones go to the end. */
typedef enum PlayCount {
    PLAY_VOTES,           /* ballots by day: the last one of each day */
    PLAY_WOLF_VOTES,      /* of these: for a werewolf, not itself */
    PLAY_MATE_VOTES,      /* of a werewolf's ballots: with another werewolf alive */
    PLAY_WOLF_DAYS,       /* of its ballots: on days on which a werewolf was executed */
    PLAY_HITS,            /* of these: for that one */
    PLAY_EXECUTIONS,      /* of anybody, itself too, while it was alive */
    PLAY_WOLF_EXECUTIONS, /* of these: of a werewolf */
    PLAY_FIRSTS,          /* 1: it was alive at the game's first execution */
    PLAY_WOLF_FIRSTS,     /* 1: and a werewolf was executed */
    PLAY_SURVIVED,        /* 1: alive at the end */
    PLAY_TRUE_CLAIMS,     /* 1: said to all that it has the role that it has */
    PLAY_FALSE_CLAIMS,    /* 1: said to all that it has another role */
    PLAY_COUNTS,
} PlayCount;

#define PLAY_COUNT_MAX 10000 /* more than any game has days */

typedef struct SeatPlay {
    uint16_t of[PLAY_COUNTS];
} SeatPlay;

/* "votes", "wolf_votes", ...: a column of results.db. */
const char *play_count_name(PlayCount count);

/* Whether one game can give such counts. A journal is a file that anybody can write. */
bool seat_play_possible(const SeatPlay *play);

#endif
