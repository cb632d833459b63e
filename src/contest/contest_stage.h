/* contest_stage.h - a contest under way, and how one of its stages is played: size by size of its
 *                   tables, by threads of built-in bots or in a hall with programs.
 *
 * For:    contest_run.c, contest_rounds.c, contest_cut.c.
 * Memory: a ContestPlay is contest_run's; what a function gets is borrowed.
 * Thread: that of contest_run; keep_game and its like come from the threads that play.
 * Source: docs/spec/protocol-division.md 8.2 to 8.4.
 */
#ifndef WARG_CONTEST_CONTEST_STAGE_H
#define WARG_CONTEST_CONTEST_STAGE_H

#include "contest/contest_run.h"
#include "contest/finding_watch.h"

#include <stdatomic.h>

/* The contest under way. */
typedef struct ContestPlay {
    const ContestRun *run;
    OutFolder folder;
    Cell *cell; /* of agents; NULL = none */
    FindingWatch watch;
    bool cell_told; /* in the journal */
    Loop *loop;     /* while a hall plays */
    uint32_t stage;
    uint64_t stage_games;
    uint64_t stage_before;     /* games of this stage that were played before */
    uint64_t standings_before; /* of these: those that count */
    uint64_t chunk_before;     /* games of this stage played in this call, before this chunk */
    uint64_t look_sets;        /* played between two looks at a trial */
    uint64_t handed;           /* games that the journal has got in this call, before this stage */
    Standings *standings;      /* of this stage; filled here while the hall plays */
    bool stopped;
    int64_t late_at;       /* of a round: behind this date it comes too late; 0 = never */
    bool late;             /* it did */
    _Atomic int64_t ended; /* the last game of this stage, as Unix time in ms */
} ContestPlay;

/* The journal says that this is a trial: nobody else could tell why it ends where it does. One that
 * is gone on with is looked at behind the same sets as before. Errors: ERR_USAGE when the folder
 * holds a trial and none is asked for; those of the journal. */
int contest_stage_tell_trial(ContestPlay *contest, Err *err);

/* Tells whoever plays, and the journal. */
void contest_stage_note(void *contest, Str text);

/* Whether agents count in the order of their names, or in that in which they are listed. */
bool contest_draws_by_name(const Plan *plan);

/* The draw of one size of tables of a stage. `size` is that part of the plan's stage. */
Draw contest_stage_draw(const Plan *plan, uint32_t number, uint32_t part, const PlanStage *size,
                        uint32_t agents);

/* Before something of a stage, or of an extra round, is played: `stage` has its number and agents.
 * `standings` gets the games that were played before. *ret_here is false when ContestRun.only wants
 * a game of another stage. Errors: ERR_USAGE for a game that there is not, ERR_MEMORY. */
int contest_stage_begin(ContestPlay *contest, StageRun *stage, uint64_t games, Standings *standings,
                        bool *ret_here, Err *err);
/* Behind it: `now` games came to it. */
void contest_stage_end(ContestPlay *contest, bool here, uint64_t now, Standings *standings,
                       ContestResult *result);

/* Plays, or checks, what is left of one size of tables from stage->first_set to its end. Errors:
 * those of playing. */
int contest_stage_play_part(ContestPlay *contest, StageRun *stage, Err *err);
/* The game of ContestRun.only, if it is of this size. Errors: as above. */
int contest_stage_play_only(ContestPlay *contest, StageRun *stage, Err *err);

/* Plays what is left of a stage, or of an extra round: each size of tables has a draw. `standings`
 * gets all games that count. Errors: as above. */
int contest_stage_play(ContestPlay *contest, StageRun *stage, const Draw *draws, uint32_t parts,
                       Standings *standings, ContestResult *result, Err *err);

#endif
