/* contest_rounds.h - a stage of rounds while it is played: one round behind the other, until it
 *                    stops; and whether where it stopped follows.
 *
 * For:    contest_run.c.
 * Memory: none is kept.
 * Thread: that of contest_run.
 * Source: docs/spec/contest-operations.md 8.2. match/rounds.h is what a round is.
 */
#ifndef WARG_CONTEST_CONTEST_ROUNDS_H
#define WARG_CONTEST_CONTEST_ROUNDS_H

#include "contest/contest_stage.h"
#include "match/rounds.h"

/* Plays what is left of the stage, checks it, or plays the one game that is wanted. `draws`: of
 * each size of tables. `standings` gets all games that count. Errors: ERR_USAGE for a stage with a
 * date and no folder; those of playing and of the journal. */
int contest_rounds_play(ContestPlay *contest, StageRun *stage, const Rounds *rounds,
                        const Draw *draws, Standings *standings, ContestResult *result, Err *err);

#endif
