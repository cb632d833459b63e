/* paired_output.h - each two agents over the same deals: as a table for people, as JSON and as CSV.
 *
 * For:    `warg standings --paired`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: results/results_paired.h, docs/statistics.md.
 */
#ifndef WARG_SHOW_PAIRED_OUTPUT_H
#define WARG_SHOW_PAIRED_OUTPUT_H

#include "results/results_paired.h"
#include "show/standings_output.h"

/* Appends a row for each pair and part: rates of both, their difference, its interval. Without a
 * pair: for people, why. */
void paired_write(const PairTable *table, const StandingsView *view, Buf *out);

#endif
