/* bundle.h - what of a contest's folder is published, so that anybody can check it.
 *
 * For:    `warg bundle`, a contest site's job of that kind.
 * Memory: none that is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.5.
 *
 * In it: the journal without commands of agents and without notes of this machine, logs, exchange
 * records, faults, the ranking, a manifest, and how to check them in two languages. Not in it: what
 * programs printed, secrets, results.db, the report. The same folder gives the same bytes each
 * time.
 *
 * Of a contest site, whose folder SITE is, besides: its ledger up to its checkpoint in place of one
 * of the journal, what it has prepared (SITE/publish: the contest file, rules, reports of checks,
 * sources by consent, checkpoints of before, results.json), SITE/judging. Without games (`dir`
 * NULL) that alone, and of SITE/tracks the journals and logs.
 */
#ifndef WARG_AUDIT_BUNDLE_H
#define WARG_AUDIT_BUNDLE_H

#include "base/err.h"

typedef struct BundleSetup {
    const char *dir;  /* of --out */
    const char *site; /* a contest's folder on a site, or NULL */
    const char *out;  /* the folder that is made; must not be there */
} BundleSetup;

/* Errors: ERR_USAGE when the contest is not over, its keys are not published, or `out` is there;
 * ERR_IO; those of reading a journal. What was made by then is removed. */
int bundle_write(const BundleSetup *setup, Err *err);

#endif
