/* ruling.h - what was ruled on findings and games, on its way into the journals that they are in.
 *
 * For:    the clock; finding.h and appeal.h, for reasons.
 * Memory: none is kept.
 * Thread: the store's. The clock applies in a transaction that may be undone: a line that is in the
 * journal by then is not written again.
 * Source: docs/spec/contest-operations.md 8.5, 8.6.
 *
 *   finding_rule, appeal_close -> row of `ruling` -> line of contests/NAME/play/journal.jsonl, or,
 * of a game in natural language, of contests/NAME/tracks/T/main/logs/journal.jsonl
 *                                        \-> failed: a journal can't have it -> closed
 *
 *   waiting   applied NULL          it is in the ledger, and nobody plays by it yet
 *   applied   applied, not failed   it is in its journal
 *   failed    applied and failed    nothing follows from it; the contest goes on, but is not
 *                                   published, for ledger and journal differ
 *   closed    failed and closed     an organiser has said so, in the ledger: the audit shows it
 */
#ifndef WARG_SITE_RULING_H
#define WARG_SITE_RULING_H

#include "base/json.h"
#include "site/contest_home.h"
#include "store/db.h"

#define RULING_REASON_MAX 400 /* bytes */

/* Whether it can be the reason of a ruling: 1 to RULING_REASON_MAX bytes of text, whose control
 * characters are newlines and tabs at most, which are blanks in the journal. Errors: ERR_RULE with
 * the field "reason". */
int ruling_reason_check(Str reason, Err *err);

/* Rulings and voids that no journal has yet. */
int rulings_waiting(Db *db, int64_t contest, uint32_t *ret_count, Err *err);

/* Writes them there, and notes that: nobody may play in the folder meanwhile, and as long as the
 * import (import.h) has not come to the journal's end nothing happens. Each has a line, also
 * one of which the games no longer show anything, or that changes nothing. What a crash, or the end
 * of a transaction, has kept from being noted is not written twice. What a journal can't
 * have (ERR_RULE) has failed: organisers are told. Errors: ERR_USAGE when another
 * process writes the journal; those of the journal and the store. */
int rulings_apply(Db *db, const ContestHome *home, int64_t now_ms, Err *err);

/* Rulings that have failed and are not closed: an array of {"id","team","about":"finding"|"game"|
 * "set","stage","rule" or "number","decision","reason","at","why"}. */
int rulings_write_failed(Db *db, int64_t contest, Json *json, Err *err);
int rulings_failed(Db *db, int64_t contest, uint32_t *ret_count, Err *err);

/* Closes one that has failed, for a reason that is public: an entry `ruling` about it. Its finding
 * waits for a ruling again, and what it was about may be appealed against again. In the caller's
 * transaction. Errors: ERR_RULE with the field: it is none of the contest's, has not failed, is
 * closed. */
int ruling_close(Db *db, int64_t contest, int64_t ruling, Str reason, int64_t now_ms, Err *err);

#endif
