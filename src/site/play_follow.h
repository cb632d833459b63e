/* play_follow.h - what the journal of a contest says, in its ledger and among its findings.
 *
 * For:    the server, behind each job of a stage and while one is under way.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 8.5, 11.3.
 *
 *   contests/NAME/play/journal.jsonl -> per published line: an entry with `line`, its digest (as
 *   contest/ledger_follow.h has it; a game's says who won besides) -> what agents did: findings
 *
 * How far it has come stands in the same transaction, so that nothing is told twice or left out.
 * What games count that an act makes void is taken out again, each by its own line of the journal;
 * so an act waits until its games have rows (import.h).
 */
#ifndef WARG_SITE_PLAY_FOLLOW_H
#define WARG_SITE_PLAY_FOLLOW_H

#include "match/plan.h"
#include "site/contest_home.h"
#include "store/db.h"

/* Reads at most `limit` lines more, in one transaction of its own, and fewer behind an act: a line
 * of each game that it makes void is one of them. `plan`: names of stages, rules of conduct.
 * `ret_more`: there may be more, or it waits for the import. Without a journal nothing happens.
 * Errors: ERR_SYNTAX with the line; those of the store and the ledger. */
int play_follow(Db *db, const ContestHome *home, const Plan *plan, uint32_t limit, int64_t now_ms,
                bool *ret_more, Err *err);

#endif
