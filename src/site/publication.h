/* publication.h - the bundle of a contest that is over: what of the store goes into it, the job
 * that makes and audits it, whether it holds.
 *
 * For:    the clock at APPEALS and PUBLISHED; the API's bundle.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2 (APPEALS-PUBLISHED), 11.5, O40.
 *
 *   publication_ask: contests/NAME/publish is written, a job "bundle" put
 *   -> the runner makes contests/NAME/bundle and bundle.tar.gz, and audits it (runner/job_bundle.h)
 *   -> publication_take: what came of it
 *   -> publication_proven, as long as nothing more is said in the ledger
 *   -> publication_end: entry `end` with the manifest's digest
 */
#ifndef WARG_SITE_PUBLICATION_H
#define WARG_SITE_PUBLICATION_H

#include "site/contest_home.h"
#include "site/contest_rules.h"
#include "site/job.h"
#include "site/retry_waits.h"

/* Writes contests/NAME/publish anew. Errors: as publication_ask. */
int publication_prepare(Db *db, const ContestHome *home, const SiteRules *rules, Err *err);

/* Puts the job, unless one is under way or was made of the same ledger; one that failed is put
 * again behind ten minutes, unless `waits` is NULL. What is in the ledger has to be in its file
 * (site_ledger_flush). In the caller's transaction. Errors: ERR_IO, those of the store. */
int publication_ask(Db *db, const ContestHome *home, const SiteRules *rules, RetryWaits *waits,
                    int64_t now_ms, Err *err);

/* Takes over a job of kind "bundle"; behind one that failed also one that an organiser tried again.
 */
int publication_take(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms,
                     void *user, Err *err);

/* Its audit found nothing, and nothing has been said since. */
int publication_proven(Db *db, int64_t contest, bool *ret_proven, Err *err);
/* What the last audit contradicts, or the job's error; nothing when there is none. */
int publication_why(Db *db, int64_t contest, Buf *ret_why, Err *err);

/* The contest is published: says so, once, with the digest of the bundle's manifest. */
int publication_end(Db *db, int64_t contest, int64_t now_ms, Err *err);

/* The contest is published, and its bundle is still the one that was proven: it lacks the ledger's
 * end, so that it contradicts checkpoints that are newer. */
int publication_closing(Db *db, int64_t contest, bool *ret_closing, Err *err);

/* Behind that: puts a job once more, so that the bundle has the ledger to its end. The manifest,
 * which does not list that, stays as the ledger's last entry says. */
int publication_close(Db *db, int64_t contest, RetryWaits *waits, int64_t now_ms, Err *err);

#endif
