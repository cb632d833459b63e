/* standings_output.h - standings as a table for people, as JSON and as CSV.
 *
 * For:    `warg run`, `warg standings` and `warg log stats`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: match/standings.h says what the figures mean.
 */
#ifndef WARG_CMD_STANDINGS_OUTPUT_H
#define WARG_CMD_STANDINGS_OUTPUT_H

#include "base/buf.h"
#include "match/standings.h"
#include "match/trial.h"

/* In the order of the option "--format table|json|csv". */
typedef enum StandingsForm {
    STANDINGS_TABLE,
    STANDINGS_JSON,
    STANDINGS_CSV,
} StandingsForm;

/* Appends the standings, best agent first as standings_sort left them. `games_per_s` is 0 where
 * nobody measured; `color` is for the table only. */
void standings_write(const Standings *standings, StandingsForm form, double games_per_s, bool color,
                     Buf *out);

/* The same with what an A/B test came to: a line under the table, a member "sprt" in JSON, nothing
 * in CSV. `trial` may be NULL. */
void standings_write_trial(const Standings *standings, StandingsForm form, double games_per_s,
                           bool color, const Trial *trial, Buf *out);

#endif
