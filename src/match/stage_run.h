/* stage_run.h - one stage while it is played: its draw, what is played already, who hears of
 *               finished games.
 *
 * For:    the two ways of playing a stage: match/threads.h (bots only, as fast as it goes) and
 *         match/hall.h (outside agents, on one event loop).
 * Memory: borrows everything.
 * Thread: constant while the stage is played; `finished` may be called from any thread.
 * Source: docs/spec/protocol-division.md 8.
 */
#ifndef WARG_MATCH_STAGE_RUN_H
#define WARG_MATCH_STAGE_RUN_H

#include "base/time_us.h"
#include "journal/played.h"
#include "match/pairing.h"
#include "record/game_recorder.h"

typedef struct StageRun {
    const Plan *plan;
    uint32_t stage;
    const PlanAgent *agents; /* of this stage: the draw's indices go into these; NULL when they
                              come by themselves */
    Draw draw;
    uint64_t set_base;  /* sets and games of the stage that have lower numbers: in records, notes */
    uint64_t game_base; /* and journals numbers begin here, everywhere else with 0 */
    uint64_t first_set; /* what is played of the stage: whole sets, first_set..end_set - 1 */
    uint64_t end_set;   /* 0 = to the end of the stage */
    bool uncounted;     /* a round that came too late: match/rounds.h */
    const Played *played; /* games that need not be played again; NULL = none */
    bool logs;            /* finished() gets a log */
    bool gzip;            /* its name ends in .gz */
    bool exchange;        /* with `logs`: records of outside agents have their exchange, too */
    DateMs *date;         /* when games began and ended */

    /* A game is over. `log` is its aiwolf log, empty without `logs`; both are borrowed for the
     * call. An error ends the stage. May be NULL. */
    int (*finished)(void *user, const GameRecord *record, Str log, Err *err);
    /* Called about ten times a second with the games finished now. False ends the stage after the
     * games under way. May be NULL. */
    bool (*progress)(void *user, uint64_t games_done, TimeUs now);
    void *user;
} StageRun;

/* What a game of the stage begins with: the fixed roles, the record's numbers and log name. */
void stage_run_begin_game(const StageRun *run, uint64_t game, GameSetup *setup, GameRecord *record);

/* Appends what the game of this number (of its record) is called by who watches: the name of its
 * log, behind the number of the stage where there are several. */
void stage_run_name_game(const StageRun *run, uint64_t number, Buf *out);

/* Now, for the record. */
void stage_run_end_game(const StageRun *run, GameRecord *record);

/* The number behind the last set and the last game that are to be played. */
uint64_t stage_run_end_set(const StageRun *run);
uint64_t stage_run_games_end(const StageRun *run);

/* Games of these sets that `played` does not hold. */
uint64_t stage_run_games_left(const StageRun *run);

#endif
