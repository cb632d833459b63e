/* measures_output.h - measures of play as tables for people, as JSON and as CSV.
 *
 * For:    `warg standings --measures`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: stats/measures.h says what the figures mean.
 *
 * JSON and CSV have a row for each name, role ("all": all together) and measure of which there is
 * something: name, role, measure, count, of, rate, low, high.
 */
#ifndef WARG_SHOW_MEASURES_OUTPUT_H
#define WARG_SHOW_MEASURES_OUTPUT_H

#include "results/results_groups.h"
#include "show/standings_output.h"

/* Appends the tables: each measure with its interval, then by role. */
void measures_write(const GroupTable *table, GroupBy by, const StandingsView *view, Buf *out);

#endif
