/* maw_leaderboard.h - how a session of MAW ended, as text: rounds, points, what models decided.
 *
 * For:    `warg maw`.
 * Memory: nothing is kept.
 * Thread: the loop's.
 * Source: seed 002 G26 (points), A28 (order); docs/spec/maw.md 5.8 (figures).
 */
#ifndef WARG_SHOW_MAW_LEADERBOARD_H
#define WARG_SHOW_MAW_LEADERBOARD_H

#include "maw/maw_table.h"

/* `cents`: what a million tokens costs, 0: not said. */
void maw_leaderboard_write(const MawTable *table, LlmLanguage language, uint64_t cents, Buf *out);

#endif
