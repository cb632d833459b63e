/* groups_output.h - tables of models, teams, kinds of players, agents: aligned, as JSON, as CSV.
 *
 * For:    `warg standings --by`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: results/results_groups.h says what the figures mean.
 */
#ifndef WARG_SHOW_GROUPS_OUTPUT_H
#define WARG_SHOW_GROUPS_OUTPUT_H

#include "results/results_groups.h"
#include "show/standings_output.h"

/* What names are called: "model", "team"; for people in Japanese, too. */
const char *groups_name(GroupBy by, bool japanese);

/* Appends the table. The aligned one leaves out columns that are empty; JSON and CSV have all. */
void groups_write(const GroupTable *table, GroupBy by, const StandingsView *view, Buf *out);

#endif
