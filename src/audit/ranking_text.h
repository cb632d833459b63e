/* ranking_text.h - the ranking of a contest as the file that its bundle has.
 *
 * For:    bundle.c, which writes it; audit.c, which compares it with what follows from the games.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 8.3, 11.5. RFC 4180.
 *
 *     stage,rank,agent,games,wins,points,substituted,violations,faults
 *     preliminary,1,alice,1000,612,0,0,0,2
 *
 * A line for each agent of each stage, in the order of the ranking; rank 0: not ranked.
 */
#ifndef WARG_AUDIT_RANKING_TEXT_H
#define WARG_AUDIT_RANKING_TEXT_H

#include "match/plan.h"

#define RANKING_FILE "ranking.csv"

/* Begins with the header when `out` is empty. */
void ranking_text_add(const PlanStage *stage, const Standings *standings, Buf *out);

/* The first line, from 1, in which both differ. */
unsigned ranking_text_difference(Str a, Str b);

#endif
