/* ledger_follow.h - a contest's ledger: an entry for each line of its journal that is published.
 *
 * For:    `warg run --ledger ORIGIN`, between its stages and at its end; audits.
 * Memory: none that is kept.
 * Thread: one at a time for a folder.
 * Source: docs/spec/contest-operations.md 11.3.
 *
 *     {"at":"2027-08-03T10:00:00.000Z","line":"3f1c...","n":17,"type":"game"}
 *
 * `line` is the SHA-256 of the line without its newline, as it is published (journal_publish.h),
 * `type` its record. So who keeps a checkpoint of the ledger holds everything that was journalled
 * by then, the plan with its commitments first. The ledger follows the journal and is made from it:
 * a crash between both loses nothing.
 */
#ifndef WARG_CONTEST_LEDGER_FOLLOW_H
#define WARG_CONTEST_LEDGER_FOLLOW_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

/* Brings the ledger of `dir` up to its journal, and signs it; without one it is begun. On disk when
 * it returns. Errors: ERR_USAGE for another origin than it has; ERR_RULE when its entries are about
 * another journal; those of proof/ledger.h. */
int ledger_follow(const char *dir, const char *origin, int64_t now_ms, Err *err);

/* What comes of comparing both. */
typedef struct LedgerMatch {
    bool there; /* there is a ledger */
    uint64_t entries;
    uint64_t followed; /* of these: about a line of the journal; a contest site has others, too */
    uint64_t lines;    /* of the journal that are published */
    uint64_t differs;  /* the first entry that is about another line, from 1; 0 = none */
} LedgerMatch;

/* Reads both; needs no secret. Errors: those of ledger_look and of journals. */
int ledger_match(const char *dir, LedgerMatch *ret, Err *err);

#endif
