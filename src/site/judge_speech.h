/* judge_speech.h - seats that speak to whoever judges the game: a finding of their team.
 *
 * For:    site/judging_turn.c, when sheets are made.
 * Memory: none is kept.
 * Thread: the store's; in the caller's transaction.
 * Source: docs/spec/contest-operations.md 10.3: "a seat that addresses the judge is a finding".
 *
 * The finding is noted; nothing follows from it by itself. The team is told, and organisers, who
 * know best what was meant. Judges and models are not.
 */
#ifndef WARG_SITE_JUDGE_SPEECH_H
#define WARG_SITE_JUDGE_SPEECH_H

#include "site/contest_home.h"
#include "store/db.h"

/* Looks through the games of a track that have sheets, once. `number`: of the track. Errors: those
 * of finding_count and notice_put; ERR_MEMORY. A log that can't be read is passed over. */
int judge_speech_note(Db *db, const ContestHome *home, uint32_t number, Str track, int64_t now_ms,
                      Err *err);

#endif
