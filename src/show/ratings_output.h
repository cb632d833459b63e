/* ratings_output.h - how strong each agent is, and what a side is worth, of a contest that was
 * kept.
 *
 * For:    `warg standings --ratings`.
 * Memory: appends to the caller's Buf.
 * Thread: main thread.
 * Source: stats/strength.h says what the figures mean.
 */
#ifndef WARG_CMD_RATINGS_OUTPUT_H
#define WARG_CMD_RATINGS_OUTPUT_H

#include "results/results.h"
#include "show/standings_output.h"

/* Appends the strengths of the agents in one stage (or all: a number below 0), best first, beside
 * their winning rates; in a table and in JSON also how often the village wins among average agents,
 * for each composition of roles, and how each two agents fared on opposite sides. Where nothing can
 * be compared there are no strengths; who is not ranked stands behind the others and has none.
 * Returns the stage's status, as standings_status. Errors: those of report_data_read, ERR_MEMORY.
 */
int ratings_write(Db *db, const ResultsStage *stage, const StandingsView *how, Buf *out, Err *err);

#endif
