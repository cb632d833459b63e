/* threads.h - plays a stage among built-in bots on some threads, as fast as it goes.
 *
 * For:    `warg run` without outside agents. Game number k depends on the stage and k alone, so the
 *         number of threads changes nothing but the time.
 * Memory: owns its threads and referees; the stage is borrowed for the call.
 * Thread: call from one thread; `finished` is called from the workers, `progress` from yours.
 * Source: docs/spec/protocol-division.md 8.1; regulation of 2021, 2.1: agent indices are fixed
 *         during a set and drawn at random for each.
 */
#ifndef WARG_MATCH_THREADS_H
#define WARG_MATCH_THREADS_H

#include "match/stage_run.h"

#define JOBS_MAX 256

/* Plays what is left of the stage's sets on `jobs` threads and adds the results to `standings`
 * (initialised by the caller). Ended early by progress() it returns 0 too: standings->games says
 * how many were played.
 * Errors: as game_new and standings_add_game, those of `finished`, and ERR_MEMORY; the games that
 * were finished are added then, too. */
int threads_play(const StageRun *run, uint32_t jobs, Standings *standings, Err *err);

#endif
