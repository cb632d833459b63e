/* trial.h - an A/B test while its games are played: takes them in any order, gives them to the
 *           sequential test in the order of their numbers.
 *
 * For:    `warg run --sprt … --challenger NAME`, on threads, at tables, resumed.
 * Memory: a Trial owns the games that wait; trial_done frees them.
 * Thread: trial_add_game from any; everything else from one, while no game is added.
 * Source: stats/sprt.h (the test); docs/statistics.md, "When it looks".
 *
 * The stage is played in chunks of whole sets; behind each the games that came are judged. Who
 * finished first decides nothing, and neither does where the games came from: a chunk that is on
 * disk is judged as one that was just played.
 */
#ifndef WARG_STATS_TRIAL_H
#define WARG_STATS_TRIAL_H

#include "record/game_record.h"
#include "stats/sprt.h"

#include <pthread.h>

/* A game that waits: what an Outcome is made of. */
typedef struct TrialGame {
    uint64_t game;
    uint64_t set;
    SeatSet challenger; /* its seats */
    SeatNo seat_count;
    Side winner;
    Role roles[SEAT_MAX + 1];
} TrialGame;

/* Open for reading: `challenger` and `sprt`. */
typedef struct Trial {
    char challenger[AGENT_NAME_MAX + 1];
    Sprt sprt;

    pthread_mutex_t mutex; /* of the rest */
    TrialGame *games;
    size_t count;
    size_t room;
    size_t judged; /* of these; the others wait */
    bool sorted;   /* the others are */
} Trial;

/* The trial of the agents of this name, of at most AGENT_NAME_MAX bytes. */
void trial_init(Trial *trial, const SprtTest *test, Str challenger);
void trial_done(Trial *trial); /* a zeroed one is fine */

/* A game was played. Errors: ERR_MEMORY. */
int trial_add_game(Trial *trial, const GameRecord *record, Err *err);

/* All games of the sets before `end_set` have come: gives those that wait to the test and ends the
 * last set. trial->sprt.state says whether it is decided. Games of later sets go on waiting.
 * Errors: those of sprt_add_game. */
int trial_judge(Trial *trial, uint64_t end_set, Err *err);

#endif
