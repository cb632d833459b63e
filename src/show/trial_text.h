/* trial_text.h - the A/B test of `warg run --sprt`: from its options, to the progress line, to the
 *                result.
 *
 * For:    cmd_run.c and standings_output.c.
 * Memory: appends to the caller's Buf; the Trial is the caller's.
 * Thread: main thread.
 * Source: stats/trial.h, stats/sprt.h.
 */
#ifndef WARG_SHOW_TRIAL_TEXT_H
#define WARG_SHOW_TRIAL_TEXT_H

#include "base/json.h"
#include "match/plan.h"
#include "stats/trial.h"

/* Games that are played at most when nobody says how many. */
#define TRIAL_GAMES_MAX 1000000

/* The trial that `--sprt sprt --challenger challenger` asks for, in this plan, which was checked.
 * Errors: those of sprt_parse; ERR_USAGE for a challenger that is not there, has a role of its own
 * or has nobody beside it, for several stages, and for too few sets. */
int trial_of_options(const char *sprt, const char *challenger, const Plan *plan, Trial *ret_trial,
                     Err *err);

/* "LLR 1.23 of -2.94 to 2.94" */
void trial_write_progress(const Trial *trial, Buf *out);

/* "SPRT: H1 accepted after 1,200 games: bob is more than 0 points better than the others (…)", and
 * a newline; a second line with its points, their interval and the likelihood that it is better at
 * all, or that the games leave them open; a third where a substitute had its seat in some of
 * `standings`. In Japanese likewise. */
void trial_write_line(const Trial *trial, const Standings *standings, bool japanese, Buf *out);

/* An object with all figures, as the next value. */
void trial_put_json(const Trial *trial, Json *json);

#endif
