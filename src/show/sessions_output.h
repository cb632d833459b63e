/* sessions_output.h - MAW sessions for people, as JSON and as CSV.
 *
 * For:    `warg standings --sessions`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: results/results_sessions.h says what the figures mean.
 */
#ifndef WARG_SHOW_SESSIONS_OUTPUT_H
#define WARG_SHOW_SESSIONS_OUTPUT_H

#include "results/results_sessions.h"
#include "show/standings_output.h"

/* Appends all sessions: for people a paragraph and a table of players each, in JSON an object each,
 * in CSV a line for each player of each session. */
void sessions_write(const SessionTable *table, const StandingsView *view, Buf *out);

#endif
