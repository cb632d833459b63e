/* notice_text.h - what notices say of a hall: how it stands, who is here, who is missing.
 *
 * For:    serve/server_extras.c.
 * Memory: appends to the caller's Buf.
 * Thread: the hall's. Pure.
 * Source: docs/spec/nlp-division.md 7.5, "Slack notices".
 */
#ifndef WARG_NLP_NOTICE_TEXT_H
#define WARG_NLP_NOTICE_TEXT_H

#include "nlp/hall.h"

/* The end of a sentence: "; 12 of 40 scheduled matches are played; won by the village 5, by the
 * werewolves 6, by nobody 1; 2 aborted". Games of this run; matches of the whole schedule. */
void notice_totals(const NlpHall *hall, Buf *out);

/* "; never came: 2 of 5 teams": of a schedule, whose teams get their names when they come. Nothing
 * when all came. */
void notice_unknown(const NlpHall *hall, Buf *out);

/* "connected: a1; missing: b; never came: 2 of 5 teams"; nothing when no further game is to come.
 */
void notice_waiting(const NlpHall *hall, Buf *out);

#endif
